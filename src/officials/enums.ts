import { builder } from '../graphql/builder.ts';
import type { Chamber, OfficeBranch, OfficeLevel } from '../store/tables.ts';

export const OfficeLevelEnum = builder.enumType('OfficeLevel', {
  description: 'Which government an office belongs to.',
  values: {
    FEDERAL: { value: 'Federal' as OfficeLevel, description: 'The United States, Congress included.' },
    STATE: { value: 'State' as OfficeLevel, description: 'A state or territory, its legislature included.' },
    LOCAL: { value: 'Local' as OfficeLevel, description: 'A county, municipality, school or special district.' },
  },
});

export const OfficeBranchEnum = builder.enumType('OfficeBranch', {
  description: 'Which branch of its government an office belongs to.',
  values: {
    LEGISLATIVE: {
      value: 'Legislative' as OfficeBranch,
      description: 'Makes the laws: legislators, councils, boards.',
    },
    EXECUTIVE: {
      value: 'Executive' as OfficeBranch,
      description: 'Carries them out: presidents, governors, mayors, clerks.',
    },
    JUDICIAL: { value: 'Judicial' as OfficeBranch, description: 'Judges by them.' },
  },
});

export const ChamberEnum = builder.enumType('Chamber', {
  description: 'Which house of a legislature an office sits in.',
  values: {
    UPPER: { value: 'Upper' as Chamber, description: 'A senate.' },
    LOWER: { value: 'Lower' as Chamber, description: 'A house of representatives or assembly.' },
  },
});
