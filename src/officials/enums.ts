import type { Chamber, OfficeBranch, OfficeLevel } from '../database/tables.ts';
import { builder } from '../graphql/schema/builder.ts';
import { textEnum } from '../graphql/schema/text-enum.ts';

export const OfficeLevelEnum = builder.enumType('OfficeLevel', {
  description: 'The level of government that an office belongs to.',
  values: {
    FEDERAL: { value: 'Federal' as OfficeLevel, description: 'The United States, including Congress.' },
    STATE: { value: 'State' as OfficeLevel, description: 'A state or territory, including its legislature.' },
    LOCAL: { value: 'Local' as OfficeLevel, description: 'A county, municipality, school or special district.' },
  },
});

export const OfficeBranchEnum = builder.enumType('OfficeBranch', {
  description: 'The branch of government that an office belongs to.',
  values: {
    LEGISLATIVE: {
      value: 'Legislative' as OfficeBranch,
      description: 'Makes the laws: legislators, councils, boards.',
    },
    EXECUTIVE: {
      value: 'Executive' as OfficeBranch,
      description: 'Executes the laws: presidents, governors, mayors, clerks.',
    },
    JUDICIAL: { value: 'Judicial' as OfficeBranch, description: 'Applies the laws in court: judges and justices.' },
  },
});

export const ChamberEnum = builder.enumType('Chamber', {
  description: 'The chamber of a legislature that an office belongs to.',
  values: {
    UPPER: { value: 'Upper' as Chamber, description: 'A senate.' },
    LOWER: { value: 'Lower' as Chamber, description: 'A house of representatives or assembly.' },
  },
});

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
