import { z } from 'zod';
import { DISTRICT_TYPES } from '../exchange/format.ts';
import { ImportError } from '../exchange/import-rows.ts';
import { findFiles } from '../read/read-files.ts';
import type { ContestFacts } from './contest-facts.ts';
import type { ContestOffice } from './contest-offices.ts';
import { readCsvTable } from './csv-tables.ts';
import { branchOf, office } from './offices.ts';
import { namedPlace, type Place, placeWithin } from './places.ts';
import type { Question } from './questions.ts';

const optional = z.string().transform((text) => text || undefined);
const entry = z.object({
  state: z.string().regex(/^[A-Z]{2}$/, 'is not the postal code of a state'),
  office: z.string().min(1, 'is missing'),
  district: optional,
  county: optional,
  name: optional,
  level: z.enum(['Federal', 'State', 'Local', '']).transform((text) => text || undefined),
  branch: z.enum(['Legislative', 'Executive', 'Judicial', '']).transform((text) => text || undefined),
  district_type: z.enum(DISTRICT_TYPES),
  district_name: z.string().min(1, 'is missing'),
  ocdid: optional,
  position: optional,
});
type Entry = z.infer<typeof entry>;

/** The offices that an operator assigns to contests for which the rules find no district, or a wrong one. */
export class OfficeMap {
  readonly #entries: readonly Entry[];

  constructor(entries: readonly Entry[] = []) {
    this.#entries = entries;
  }

  officeOf(facts: ContestFacts): ContestOffice | undefined {
    const found = this.#find(facts);
    if (!found) return undefined;
    const { name = facts.office, level = 'Local', branch = branchOf(name), position } = found;
    const of = office(placeOf(found, facts), name, level, branch);
    return { office: of, ...(position ? { position } : {}), basis: 'Stated' };
  }

  placeOf(facts: ContestFacts): Question | undefined {
    const found = this.#find(facts);
    return (
      found && {
        place: placeOf(found, facts),
        name: found.name ?? facts.office,
        title: facts.office,
        required: undefined,
      }
    );
  }

  #find({ state, office: name, district, counties }: ContestFacts): Entry | undefined {
    return this.#entries.find(
      (each) =>
        each.state === state.postal &&
        each.office.toUpperCase() === name &&
        (each.district === undefined || each.district.toUpperCase() === district) &&
        (each.county === undefined ||
          counties.some((county) => county.name.toUpperCase() === each.county?.toUpperCase())),
    );
  }
}

function placeOf({ ocdid, district_type: type, district_name: name }: Entry, { state }: ContestFacts): Place {
  return ocdid ? placeWithin(ocdid, type, name, state) : namedPlace(state, type, name);
}

const NEEDED = ['state', 'office', 'district_type', 'district_name'];

/**
 * Reads a CSV file with one row for each office: `state`, `office` and optionally `district` and `county` as the source
 * writes them; `district_type`, `district_name`, and optionally `ocdid`, `name`, `level`, `branch`, `position` as they
 * should be stored.
 * @throws ImportError with file and line for an invalid row.
 */
export async function readOfficeMap(path: string | undefined): Promise<OfficeMap> {
  if (path === undefined) return new OfficeMap();
  const entries: Entry[] = [];
  for (const file of await findFiles([path], ['.csv'])) {
    await readCsvTable(file, NEEDED, ({ line, cell }) => {
      const read = entry.safeParse(Object.fromEntries(Object.keys(entry.shape).map((name) => [name, cell(name)])));
      if (read.success) return void entries.push(read.data);
      const [issue] = read.error.issues;
      throw new ImportError(`${file.name}:${line}: ${issue?.path.join('.')}: ${issue?.message}`);
    });
  }
  return new OfficeMap(entries);
}
