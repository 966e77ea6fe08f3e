import { dictionary } from '../../base/dictionary.ts';

/** A law that lets the candidates of all parties compete in one primary. */
interface Law {
  readonly from: string;
  /** The last day; undefined if the law is in force. */
  readonly to?: string;
  /** The offices with primaries of parties in spite of the law. */
  readonly except?: RegExp;
}

/** Offices with primaries of parties everywhere: parties choose their candidates for president, and their own officers. */
const OF_PARTIES = /^(US |UNITED STATES |U\.S\. )?PRESIDENT|\b(COMMITTEE|CONVENTION|DELEGATE TO)\b/;
const CONGRESS = /^(U\.?S\.?|UNITED STATES) (HOUSE|SENAT|REP|CONGRESS)/;

/** The laws by state: Alaska Stat. 15.25.010, Cal. Const. art. II § 5, La. Rev. Stat. 18:402 and 18:410.3, Wash. Rev. Code 29A.52.112. */
const LAWS: Readonly<Record<string, readonly Law[]>> = dictionary({
  AK: [{ from: '2022-06-11' }],
  CA: [{ from: '2011-01-01' }],
  LA: [
    { from: '1975-01-01', to: '2007-12-31' },
    { from: '2008-01-01', to: '2010-12-31', except: CONGRESS },
    { from: '2011-01-01', to: '2025-12-31' },
    {
      from: '2026-01-01',
      except: new RegExp(`${CONGRESS.source}|SUPREME COURT|PUBLIC SERVICE COMM|BESE|BOARD OF ELEMENTARY`),
    },
  ],
  WA: [{ from: '2008-01-01' }],
});

/** Returns whether the candidates of all parties for an office competed in one primary. */
export function isPrimaryOfAllParties(state: string, date: string, office: string): boolean {
  const upper = office.toUpperCase();
  if (OF_PARTIES.test(upper)) return false;
  return (LAWS[state] ?? []).some(
    ({ from, to = '9999', except }) => date >= from && date <= to && except?.test(upper) !== true,
  );
}
