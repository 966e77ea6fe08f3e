import { readTable } from '../../../src/base/words/read-table.ts';
import type { Source } from './source.ts';

const VOTE_GOV = new URL('../../../src/importers/sources/vote-gov/', import.meta.url).href;
const DEADLINES = readTable<'column' | 'label'>('deadline-columns', VOTE_GOV);
/** The languages whose texts the import reads. */
const LANGUAGES = [
  'en',
  ...readTable<'folder' | 'left_out'>('languages', VOTE_GOV)
    .filter(({ left_out }) => left_out === '')
    .map(({ folder }) => folder),
];
const COLUMNS = DEADLINES.map(({ column }) => column);
const LABELS = [...new Set(DEADLINES.map(({ label }) => label))];
const LINKS = ['more_info_link', 'hp_link'];

type Texts = Readonly<Record<string, string>>;

/**
 * Returns the files of the sample that the first start imports, by their paths: places to vote and towns of Vermont, and the parts of vote.gov
 * that the import reads. They stay in the format of their sources, so that a newer edition replaces what they state.
 */
export function votingFiles(source: Source): Record<string, string> {
  const { objects, ...topology } = source.json<Topology>('boundaries/county-subdivisions-vt/vermont.json');
  const note = 'vprnet/vermont-map 4a60341, see LICENSE. Changed: without Lake Champlain and without blanks.';
  const towns = { note, ...topology, objects: { vt_towns: objects.vt_towns } };
  const ofVoteGov = (file: string, names: readonly string[]) =>
    lines(source.json<Record<string, Texts>>(`vote-gov/${file}`), (texts) => picked(texts, names));
  return {
    'voting-places/Vermont_2018-11-06.csv': source.text('polling-places/Vermont_2018-11-06.csv'),
    'vermont-towns/vermont.json': `${JSON.stringify(towns)}\n`,
    'vermont-towns/LICENSE': source.text('boundaries/county-subdivisions-vt/LICENSE'),
    'vote-gov/states.json': ofVoteGov('states.json', LINKS),
    ...Object.fromEntries(
      LANGUAGES.flatMap((language) => {
        const [texts, labels] = [`${language}/state-data.json`, `${language}/register.json`];
        return [
          [`vote-gov/${texts}`, ofVoteGov(texts, COLUMNS)],
          [`vote-gov/${labels}`, lines(picked(source.json(`vote-gov/${labels}`), LABELS), (label) => label)],
        ];
      }),
    ),
  };
}

interface Topology {
  readonly objects: Readonly<Record<string, unknown>>;
}

function picked(texts: Texts, names: readonly string[]): Texts {
  return Object.fromEntries(names.flatMap((name) => (texts[name] ? [[name, texts[name]]] : [])));
}

/** Returns the JSON text of an object with a line for each member. */
function lines<T, U>(members: Readonly<Record<string, T>>, of: (member: T) => U): string {
  const text = Object.entries(members).map(
    ([name, member]) => `${JSON.stringify(name)}: ${JSON.stringify(of(member))}`,
  );
  return `{\n${text.join(',\n')}\n}\n`;
}
