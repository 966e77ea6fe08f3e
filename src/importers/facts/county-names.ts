import { readTable } from '../../base/words/read-table.ts';
import type { State } from '../../base/words/states.ts';

/**
 * The legal descriptions of the county equivalents of Alaska by the last digits of their FIPS codes (Census Bureau,
 * National County file; those that were replaced included). Boroughs have no entry.
 */
const ALASKA = new Map(
  readTable<'code' | 'description'>('alaska-counties', import.meta.url).map(({ code, description }) => [
    code,
    description,
  ]),
);

/** Codes from here on are of independent cities. */
const FIRST_CITY = 510;
/** States with independent cities, of which some sources give only the name: `Richmond City`. */
const CITIES = new Set(['VA', 'MD', 'MO', 'NV']);
/** The codes of the planning regions that replaced the counties of Connecticut. */
const FIRST_REGION = 110;

/**
 * Returns the full name of a county or county equivalent by its name without a description and its FIPS code of five
 * digits: `Cumberland County`, `Orleans Parish`, `Baltimore city`, `Juneau City and Borough`.
 */
export function countyName({ postal, kind }: State, fips: string, name: string): string {
  const code = fips.slice(2);
  if (
    kind === 'district' ||
    /\b(county|parish|borough|municipality|municipio|census area|planning region)$/i.test(name)
  )
    return name;
  if (postal === 'AK') return `${name} ${ALASKA.get(code) ?? 'Borough'}`;
  if (kind === 'territory') return postal === 'PR' ? `${name} Municipio` : name;
  // Two counties of Virginia are named cities.
  if (code === '' && CITIES.has(postal) && / city$/i.test(name) && !/^(charles|james) city$/i.test(name)) return name;
  if (Number(code) >= FIRST_CITY) return / city$/i.test(name) ? name : `${name} city`;
  if (postal === 'CT' && Number(code) >= FIRST_REGION) return `${name} Planning Region`;
  return `${name} ${postal === 'LA' ? 'Parish' : 'County'}`;
}
