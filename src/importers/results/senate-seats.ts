import { sql } from 'kysely';
import type { State } from '../../base/words/states.ts';
import type { Database } from '../../store/sql/database.ts';
import { nameKey } from '../facts/names.ts';
import { type Office, officeOfClass, regularClass } from '../facts/offices.ts';

/**
 * Returns the Senate seat that an election fills: the class of the year in a regular election; in a special election
 * the seat that a candidate held or took up within three months, undefined if the database has no such term.
 */
export async function senateSeat(
  db: Database,
  { state, date, special }: { readonly state: State; readonly date: string; readonly special: boolean },
  candidates: readonly string[],
): Promise<Office | undefined> {
  const [year = 0, month] = date.split('-').map(Number);
  // The runoff of an election in November may be in January.
  const regular = regularClass(month === 1 ? year - 1 : year);
  if (!special) return regular === undefined ? undefined : officeOfClass(state, regular);
  const { rows } = await sql<{ value: string; name: string }>`/* import.senators */
    select distinct i.value, p.name from external_identifiers as i
    join officeholders as h on h.office_id = i.record_id join persons as p on p.id = h.person_id
    where i.kind = 'office' and i.scheme = 'congress-legislators' and i.value like ${`sen ${state.postal} %`}
      and h.start_date <= ${date}::date + 92 and (h.end_date is null or h.end_date >= ${date})`.execute(db);
  const last = (name: string) => nameKey(name).split(' ').at(-1);
  const names = new Set(candidates.map(last));
  const classes = new Set(
    rows.filter(({ name }) => names.has(last(name))).map(({ value }) => Number(value.split(' ')[2])),
  );
  const [only] = classes;
  return classes.size === 1 && only !== undefined ? officeOfClass(state, only) : undefined;
}
