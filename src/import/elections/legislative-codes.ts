import type { State } from '../states.ts';
import { slug } from './places.ts';

/** The abbreviations of counties in the names of Vermont's districts, in the two forms that results use. */
const VERMONT_COUNTIES: Readonly<Record<string, string>> = {
  CHT: 'chittenden',
  ESS: 'essex',
  FRK: 'franklin',
  GRI: 'grand_isle',
  ORG: 'orange',
  WHM: 'windham',
  WND: 'windsor',
  ADD: 'addison',
  BEN: 'bennington',
  CAL: 'caledonia',
  CHI: 'chittenden',
  ESX: 'essex',
  FRA: 'franklin',
  GI: 'grand_isle',
  LAM: 'lamoille',
  ORA: 'orange',
  ORL: 'orleans',
  RUT: 'rutland',
  WAS: 'washington',
  WDH: 'windham',
  WDR: 'windsor',
  CT: 'central',
  N: 'north',
  SE: 'southeast',
};

/**
 * Returns the code of a legislative district in its OCD id. New Hampshire's House numbers its districts within their
 * county; Vermont names districts after counties.
 */
export function legislativeCode(
  state: State,
  chamber: 'Upper' | 'Lower',
  district: string,
  county: string | undefined,
): string | undefined {
  if (state.postal === 'NH' && chamber === 'Lower')
    return county ? `${slug(county)}_${district.toLowerCase()}` : undefined;
  if (state.postal !== 'VT') return slug(district);
  const words = district.split(/[ -]/).map((word) => VERMONT_COUNTIES[word] ?? (/^\d+$/.test(word) ? word : undefined));
  if (words.includes(undefined)) return undefined;
  // The file of 2022 numbers Senate districts that have no number.
  return (chamber === 'Upper' ? words.filter((word) => !/^\d+$/.test(word ?? '')) : words).join('-');
}
