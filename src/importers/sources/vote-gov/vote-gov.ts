import { basename, dirname } from 'node:path';
import { z } from 'zod';
import { readTable } from '../../../base/words/read-table.ts';
import { STATES, type State, stateByPostal } from '../../../base/words/states.ts';
import {
  type Edition,
  type ImportContext,
  ImportError,
  type ImportRow,
  type OpenedSource,
  type Provenance,
} from '../../exchange/import-rows.ts';
import { statePlace } from '../../facts/places.ts';
import { refuseOlder } from '../../load/editions/replace-editions.store.ts';
import { jsonOf } from '../../read/json-files.ts';
import type { NamedFile } from '../../read/named-file.ts';
import { findFiles } from '../../read/read-files.ts';
import { readRule } from './deadline-rules.ts';
import { haveSameNumbers } from './numbers.ts';

export interface VoteGovOptions {
  /** The day of the edition, `YYYY-MM-DD`; the files do not state it. */
  readonly asOf?: string;
}

const ENGLISH = 'en';
const FILE = 'state-data.json';
const COLUMNS = readTable<'column' | 'kind' | 'label' | 'source'>('deadline-columns', import.meta.url);
const LANGUAGES = new Map(
  readTable<'folder' | 'language' | 'left_out' | 'source'>('languages', import.meta.url).map((row) => [
    row.folder,
    row,
  ]),
);

const texts = z.record(z.string(), z.record(z.string(), z.string()));
const labels = z.record(z.string(), z.string());
const links = z.record(z.string(), z.object({ more_info_link: z.string().optional(), hp_link: z.string().optional() }));

/** The texts of one language by state, and the names of the kinds of deadlines. */
interface Language {
  readonly tag: string;
  readonly texts: z.infer<typeof texts>;
  readonly labels: z.infer<typeof labels>;
}

/** Opens the data of vote.gov: a folder with `states.json`, and `state-data.json` and `register.json` in a folder for each language. */
export async function openVoteGov(paths: readonly string[], { asOf }: VoteGovOptions): Promise<OpenedSource> {
  if (asOf === undefined) throw new ImportError('vote-gov needs --as-of, the day of its edition, YYYY-MM-DD');
  const files = await findFiles(paths, ['.json']);
  const provenance: Provenance = {
    name: 'vote.gov',
    source: 'https://github.com/usagov/vote-gov',
    license: 'CC0-1.0',
    asOf,
  };
  const editions = STATES.map(editionOf);
  return {
    provenance,
    editions: () => editions,
    rows: async function* (context) {
      await refuseOlder(context.db, provenance, editions);
      yield* rowsOf(files, asOf, context);
    },
  };
}

/** A newer edition replaces the deadlines of each state. */
function editionOf({ postal }: State): Edition {
  return { state: postal, day: null, file: FILE };
}

async function* rowsOf(files: readonly NamedFile[], asOf: string, context: ImportContext): AsyncIterable<ImportRow> {
  const { report } = context;
  const [list] = files.filter(({ name }) => basename(name) === 'states.json');
  const folders = files.filter(({ name }) => basename(name) === FILE);
  const english = folders.find(({ name }) => basename(dirname(name)) === ENGLISH);
  if (!list || !english) throw new ImportError(`there is no ${list ? `${ENGLISH}/${FILE}` : 'states.json'}`);
  const linksOf = await jsonOf(list, links);
  const others: Language[] = [];
  for (const file of folders.filter((each) => each !== english)) {
    const row = LANGUAGES.get(basename(dirname(file.name)));
    const register = files.find(({ name }) => name === `${dirname(file.name)}/register.json`);
    if (row && row.left_out === '')
      others.push({
        tag: row.language,
        texts: await jsonOf(file, texts),
        labels: register ? await jsonOf(register, labels) : {},
      });
    else report.add(file.name, 'unreadable-files', row?.left_out ?? 'its language is not in languages.csv');
  }
  const all = Object.entries(await jsonOf(english, texts));
  for (const [index, [code, given]] of all.entries()) {
    context.onRead(index + 1, all.length, 'rows');
    const state = stateByPostal(code);
    if (!state) {
      report.add(`${english.name} ${code}`, 'left-out', 'is not a state');
      continue;
    }
    const { more_info_link, hp_link } = linksOf[code] ?? {};
    const shared = { language: ENGLISH, as_of: asOf, url: more_info_link ?? hp_link };
    for (const { column, kind: usual, label } of COLUMNS) {
      const phrase = tidy(given[column]);
      if (phrase === '') continue;
      const record = report.locate(`${state.postal} ${usual}`, english.name);
      const rules = readRule(phrase);
      if (!rules) report.add(record, 'left-out', 'the rule is not understood, and kept as its text', phrase);
      const translations = translationsOf(others, { code, column, label, phrase, record }, context);
      for (const { kind = usual, ...rule } of rules ?? [{}])
        yield {
          table: 'deadlines',
          record,
          ids: [{ scheme: 'vote.gov', value: `${state.postal} ${kind}` }],
          refs: { district_id: statePlace(state).id },
          values: { ...shared, kind, phrase, translations, ...rule },
          editions: [editionOf(state)],
        };
    }
  }
}

/** Returns the translations of a text as a cell. One with other numbers than the English text is left out: it is of another rule. */
function translationsOf(
  languages: readonly Language[],
  given: Readonly<Record<'code' | 'column' | 'label' | 'phrase' | 'record', string>>,
  { report }: ImportContext,
): string | null {
  const translated = languages.flatMap(({ tag, texts: of, labels: names }) => {
    const phrase = tidy(of[given.code]?.[given.column]);
    if (phrase === '' || phrase === given.phrase) return [];
    if (!haveSameNumbers(phrase, given.phrase)) {
      const record = report.locate(`${given.record} (${tag})`, report.placeOf(given.record).file);
      report.add(record, 'left-out', 'the translation has other numbers than the English text', phrase);
      return [];
    }
    const label = tidy(names[given.label]).replace(/\s*[:：៖]$/, '');
    return [[tag, { ...(label && { label }), phrase }] as const];
  });
  return translated.length > 0 ? JSON.stringify(Object.fromEntries(translated)) : null;
}

function tidy(text: string | undefined): string {
  return (text ?? '').replace(/\s+/g, ' ').trim();
}
