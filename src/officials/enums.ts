import type { Chamber, OfficeBranch, OfficeLevel } from '../database/tables.ts';
import { builder } from '../graphql/builder.ts';

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
