import { basename } from 'node:path';
import { z } from 'zod';
import { isCalendarDate } from '../../../base/dates.ts';
import type { State } from '../../../base/words/states.ts';
import { ImportError, type OpenedSource } from '../../exchange/import-rows.ts';
import { parseYaml } from '../../read/read-documents.ts';
import type { ElectionFacts, ElectionRows } from '../../results/election-rows.ts';
import { checked, textOf } from '../../results/json-files.ts';
import { statePlace } from '../../results/places.ts';
import { openResults, type ResultOptions, type ResultSource } from '../precinct-results/result-files.ts';
import { addCandidates, PRIMARIES } from './maineballot-candidates.ts';

const MAINEBALLOT: ResultSource = {
  name: 'maineballot',
  source: 'https://github.com/OpenMaine/maineballot',
  license: 'MIT',
  extensions: ['.mdx', '.csv'],
};

const MAINE: State = { fips: '23', postal: 'ME', name: 'Maine', kind: 'state' };

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
  return openResults(MAINEBALLOT, paths, options, (rows, { report }) => ({
    async read(file) {
      if (file.name.endsWith('.csv')) await addCandidates(rows, MAINE, file, report);
      else addQuestion(rows, file.name, await textOf(file));
    },
  }));
}

function addQuestion(rows: ElectionRows, file: string, text: string): void {
  const record = file.replace(/\.mdx$/, '');
  const [, head = '', body] = text.split(/^---$/m);
  if (body === undefined)
    throw new ImportError(`${file}:1: has no front matter between two lines of ---, or is cut off`);
  const { title, electionDate, tags, yes_vote, no_vote } = readFrontMatter(head, file);
  const place = statePlace(MAINE);
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
