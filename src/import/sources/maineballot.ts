import { basename } from 'node:path';
import { z } from 'zod';
import { isCalendarDate } from '../../dates.ts';
import { type ElectionFacts, ElectionRows } from '../elections/election-rows.ts';
import { checked, textOf } from '../elections/json-files.ts';
import { statePlace } from '../elections/places.ts';
import { type ImportContext, ImportError, type ImportRow, type OpenedSource } from '../import-rows.ts';
import type { NamedFile } from '../named-file.ts';
import { parseYaml } from '../read-documents.ts';
import { findFiles, watchFiles } from '../read-files.ts';
import { type State, stateByPostal } from '../states.ts';
import { addCandidates, PRIMARIES } from './maineballot-candidates.ts';
import { type ResultOptions, readEach } from './result-options.ts';

const NAME = 'maineballot';

/** The front matter of a question; other members belong to the pages of the project. */
const frontMatter = z.object({
  title: z.string().min(1),
  electionDate: z.string().refine(isCalendarDate, 'is not a day'),
  tags: z.array(z.string()),
  yes_vote: z.string().optional(),
  no_vote: z.string().optional(),
});

/**
 * Opens questions (`.mdx`) and lists of candidates (`candidates-2020-11.csv`) of OpenMaine's maineballot: files, or
 * folders that contain them at any depth.
 */
export async function openMaineballot(paths: readonly string[], options: ResultOptions): Promise<OpenedSource> {
  if (paths.length === 0) throw new ImportError('maineballot takes .mdx and .csv files, or folders that contain them');
  const files = await findFiles(paths, ['.mdx', '.csv']);
  return {
    provenance: { name: NAME, source: 'https://github.com/OpenMaine/maineballot', license: 'MIT', asOf: null },
    rows: (context) => rowsOf(files, options, context),
  };
}

async function* rowsOf(
  files: readonly NamedFile[],
  options: ResultOptions,
  context: ImportContext,
): AsyncIterable<ImportRow> {
  const maine = stateByPostal('ME');
  if (!maine) return;
  const rows = new ElectionRows();
  await readEach(watchFiles(files, context.onRead), options, context, async (file) => {
    if (file.name.endsWith('.csv')) await addCandidates(rows, maine, file, context.report);
    else addQuestion(rows, maine, file.name, await textOf(file));
  });
  yield* rows.rows(context, NAME);
}

function addQuestion(rows: ElectionRows, maine: State, file: string, text: string): void {
  const record = file.replace(/\.mdx$/, '');
  const [, head = '', body] = text.split(/^---$/m);
  if (body === undefined)
    throw new ImportError(`${file}:1: has no front matter between two lines of ---, or is cut off`);
  const { title, electionDate, tags, yes_vote, no_vote } = readFrontMatter(head, file);
  const place = statePlace(maine);
  const question = /## Ballot question\s+["“](.+?)["”] ?(?:\[|$)/ms.exec(body)?.[1]?.replace(/\s+/g, ' ');
  const election: ElectionFacts = {
    place,
    date: electionDate,
    type: PRIMARIES.includes(electionDate) ? 'Primary' : 'General',
  };
  const values = {
    name: title,
    type: typeOf(tags),
    status: tags.includes('did-not-pass') ? 'Defeated' : tags.includes('passed') ? 'Approved' : undefined,
    official_title: question,
    yes_vote: yes_vote?.trim(),
    no_vote: no_vote?.trim(),
  };
  rows.measure(
    election,
    place,
    values,
    // The same id wherever the file is located.
    [{ scheme: 'maineballot', value: `${electionDate}/${basename(record)}` }],
    record,
  );
}

function readFrontMatter(head: string, file: string): z.infer<typeof frontMatter> {
  return checked(file, parseYaml(file, head), frontMatter);
}

function typeOf(tags: readonly string[]): string | undefined {
  if (tags.includes('bond')) return 'Bond issue';
  if (tags.includes('veto-referendum')) return 'Veto referendum';
  return tags.includes('citizen-initiative') ? 'Citizen initiative' : undefined;
}
