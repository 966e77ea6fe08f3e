import { stateByFips } from '../../../src/base/words/states.ts';
import { stateOfficeName } from '../../../src/importers/facts/full-names.ts';
import { stateId, stateOfficeId } from './ids.ts';
import { required } from './source.ts';
import type { Row } from './tables.ts';

interface StateOffice {
  code: number;
  name: string;
  branch: 'Executive' | 'Judicial';
}

const executive = (code: number, name: string): StateOffice => ({ code, name, branch: 'Executive' });
const judicial = (code: number, name: string): StateOffice => ({ code, name, branch: 'Judicial' });

/** The statewide offices by their name in the precinct results, without the position on the ballot. */
const byResultName = new Map([
  ['GOVERNOR', executive(401, 'Governor')],
  ['LIEUTENANT GOVERNOR', executive(402, 'Lieutenant Governor')],
  ['SECRETARY OF STATE', executive(403, 'Secretary of State')],
  ['ATTORNEY GENERAL', executive(404, 'Attorney General')],
  ['STATE TREASURER', executive(405, 'State Treasurer')],
  ['STATE AUDITOR', executive(406, 'State Auditor')],
  ['AUDITOR OF ACCOUNTS', executive(406, 'Auditor of Accounts')],
  ['COMMISSIONER OF PUBLIC LANDS', executive(407, 'Commissioner of Public Lands')],
  ['JUSTICE OF SUPREME COURT', judicial(510, 'Justice of the Supreme Court')],
  ['JUDGE OF COURT OF APPEALS', judicial(520, 'Judge of the Court of Appeals')],
]);

/** The offices by the role type that openstates/people gives to their holders. */
const codeByRole: Record<string, number> = {
  governor: 401,
  lt_governor: 402,
  'secretary of state': 403,
  'attorney general': 404,
};

/** Returns the office id of a role in a state's government, or null if the role is not a statewide office. */
export function officeOfRole(fips: string, role: string): number | null {
  const code = codeByRole[role];
  return code ? stateOfficeId(fips, code) : null;
}

/** The statewide office of a contest, and the position on the ballot if there are several. */
export interface StateContest {
  row: Row<'offices'> & { id: number };
  position: number | null;
}

/** Returns the office of a contest in the precinct results; null if it is not a statewide office. */
export function stateContest(fips: string, office: string, district: string): StateContest | null {
  const [resultName = '', number] = office.split(' POSITION ');
  const found = byResultName.get(resultName.replace(' OF THE ', ' OF '));
  if (!found) return null;
  const position = Number(number ?? district.match(/^STATEWIDE, (\d+)$/)?.[1]) || null;
  return {
    row: {
      id: stateOfficeId(fips, found.code),
      district_id: stateId(fips),
      ...stateOfficeName(required(stateByFips(fips), `the state ${fips}`), found.name),
      level: 'State',
      branch: found.branch,
      is_partisan: 'Partisan all',
    },
    position,
  };
}
