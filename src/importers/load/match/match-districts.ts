import { sql } from 'kysely';
import { dictionary } from '../../../base/dictionary.ts';
import { stateByPostal } from '../../../base/words/states.ts';
import type { Database } from '../../../store/sql/database.ts';
import type { ImportValue } from '../../exchange/import-rows.ts';
import { bareDistrictName } from '../../facts/full-names.ts';
import { only, type ReferringRow } from './matching.ts';

interface District {
  readonly id: number;
  readonly type: string;
  readonly name: string;
  readonly state: string | null;
  readonly ocdid: string | null;
  readonly geo_id: string | null;
  readonly nces_id: string | null;
}

/**
 * The suffixes that sources append to the name of a district, by its type: `Barrington School District`, or `San
 * Francisco city` with the legal or statistical area description of the Census.
 */
const DESCRIPTIONS: Readonly<Record<string, RegExp>> = dictionary({
  'School District': / (public )?(schools?|school (district|dept|department|system))$/,
  'City-town':
    / (city|town|village|borough|municipality|city and borough|(consolidated|metropolitan|unified) government|balance)$/,
});

/**
 * Finds stored districts by type, state and name: by the whole name, otherwise by the name without its suffix. A
 * district with other identifiers does not match, and neither do two districts of one source or of the database that
 * differ only in their suffix.
 */
export async function matchDistricts(db: Database, rows: readonly ReferringRow[]): Promise<(number | undefined)[]> {
  const wanted = rows.filter(({ row }) => row.match?.by === 'district');
  const found = await sql<District>`/* import.districts-by-name */
    select id, type, name, state, ocdid, geo_id, nces_id from districts
    where state = any(${[...new Set(wanted.map(({ row }) => row.values.state))]}::text[])
      and type::text = any(${[...new Set(wanted.map(({ row }) => row.values.type))]}::text[])`.execute(db);
  const byName = Map.groupBy(found.rows, ({ type, state, name }) => keyOf(type, state, bareName(type, state, name)));
  const byCore = Map.groupBy(found.rows, ({ type, state, name }) => keyOf(type, state, coreName(type, state, name)));
  const names = Map.groupBy(wanted, ({ row: { values } }) => nameKey(values));
  const cores = Map.groupBy(wanted, ({ row: { values } }) => coreKey(values));
  return rows.map(({ row: { values, match } }) => {
    if (match?.by !== 'district') return undefined;
    const isSame = (district: District) => IDENTIFIERS.every((column) => agrees(district[column], values[column]));
    const named = (byName.get(nameKey(values)) ?? []).filter(isSame);
    if (named.length > 0 && names.get(nameKey(values))?.length === 1) return only(named.map(({ id }) => id));
    const similar = byCore.get(coreKey(values)) ?? [];
    const [one] = similar;
    return similar.length === 1 && cores.get(coreKey(values))?.length === 1 && one && isSame(one) ? one.id : undefined;
  });
}

const IDENTIFIERS = ['ocdid', 'geo_id', 'nces_id'] as const;

/** Returns whether an identifier can be that of the same district; GEOIDs are compared in their short form. */
function agrees(stored: string | null, given: ImportValue): boolean {
  if (stored === null || given === null || given === undefined || given === '') return true;
  return stored.replace(/^.*US/, '') === String(given).replace(/^.*US/, '');
}

function nameKey({ type, state, name }: Readonly<Record<string, ImportValue>>): string {
  return keyOf(type, state, bareName(String(type), String(state), String(name)));
}

function coreKey({ type, state, name }: Readonly<Record<string, ImportValue>>): string {
  return keyOf(type, state, coreName(String(type), String(state), String(name)));
}

function coreName(type: string, state: string | null, name: string): string {
  const whole = bareName(type, state, name);
  const description = DESCRIPTIONS[type];
  return description ? whole.replace(description, '') : whole;
}

/** Returns a name without that of the state, which older records and some sources do not have. */
function bareName(type: string, state: string | null, name: string): string {
  return bareDistrictName(stateByPostal(state ?? ''), type, name);
}

function keyOf(type: ImportValue, state: ImportValue, name: string): string {
  return `${type}|${state}|${name}`;
}
