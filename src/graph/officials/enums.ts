import type { Chamber, OfficeBranch, OfficeLevel } from '../../store/sql/tables.ts';
import { type StoredTexts, storedEnum } from '../builder/stored-enum.ts';
import { textEnum } from '../builder/text-enum.ts';

export const OFFICE_LEVELS = {
  FEDERAL: ['Federal', 'The United States, including Congress.'],
  STATE: ['State', 'A state or territory, including its legislature.'],
  LOCAL: ['Local', 'A county, municipality, school or special district.'],
} as const satisfies StoredTexts<string, OfficeLevel>;

export const OfficeLevelEnum = storedEnum(
  'OfficeLevel',
  'The level of government that an office belongs to.',
  OFFICE_LEVELS,
);

export const OFFICE_BRANCHES = {
  LEGISLATIVE: ['Legislative', 'Makes the laws: legislators, councils, boards.'],
  EXECUTIVE: ['Executive', 'Executes the laws: presidents, governors, mayors, clerks.'],
  JUDICIAL: ['Judicial', 'Applies the laws in court: judges and justices.'],
} as const satisfies StoredTexts<string, OfficeBranch>;

export const OfficeBranchEnum = storedEnum(
  'OfficeBranch',
  'The branch of government that an office belongs to.',
  OFFICE_BRANCHES,
);

export const CHAMBERS = {
  UPPER: ['Upper', 'A senate.'],
  LOWER: ['Lower', 'A house of representatives or assembly.'],
} as const satisfies StoredTexts<string, Chamber>;

export const ChamberEnum = storedEnum('Chamber', 'The chamber of a legislature that an office belongs to.', CHAMBERS);

export const partisanshipField = textEnum('Partisanship', 'Whether candidates for an office run under a party.', {
  PARTISAN: ['Partisan all', 'They run under a party in every election.'],
  NONPARTISAN: ['Nonpartisan all', 'They run under no party in any election.'],
});

export const officeholderStatusField = textEnum(
  'OfficeholderStatus',
  'Whether a term has begun or ended on a day, and how the office is held.',
  {
    CURRENT: ['Current', 'In office on the day.'],
    ACTING: ['Acting', 'In office on the day, for as long as the office has no regular holder.'],
    APPOINTED: ['Appointed', 'In office on the day, by appointment and not by election.'],
    ON_LEAVE: ['On leave', 'Holds the office on the day, but is absent.'],
    FORMER: ['Former', 'The term ended before the day.'],
    UPCOMING: ['Upcoming', 'The term begins after the day.'],
  },
);

export const contactTypeField = textEnum('ContactType', 'The way to contact an officeholder or a person.', {
  PHONE: ['Phone', 'A telephone number.'],
  WEBSITE: ['Website', 'The URL of a page.'],
  EMAIL: ['Email', 'An e-mail address.'],
  FAX: ['Fax', 'A fax number.'],
  ADDRESS: ['Address', 'A postal address.'],
});
