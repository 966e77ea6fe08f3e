import { builder } from '../builder/builder.ts';
import { contentId } from '../builder/global-id.ts';
import { DistrictObject } from '../districts/district.ts';
import { type ElectionOfficeRow, electionOfficeOfDistrict } from './elections.store.ts';

export const ElectionOfficeObject = builder.objectRef<ElectionOfficeRow>('ElectionOffice').implement({
  description:
    'The office that conducts the elections of a state, or of a county or town where a source states one (`LocationVoting.office`): it says how to register, where to vote and what to bring.',
  fields: (t) => ({
    id: t.id(contentId('ElectionOffice', 'all other fields', ['state', 'name', 'website', 'source', 'as_of'])),
    state: t.exposeString('state', { description: 'Two-letter abbreviation of the state.' }),
    name: t.exposeString('name', { description: 'The name of the office.' }),
    website: t.exposeString('website', { description: 'The URL of its public website.' }),
    source: t.exposeString('source', { description: 'Where name and website are from.' }),
    asOf: t.expose('as_of', { type: 'Date', description: 'The day as of which name and website are current.' }),
  }),
});

builder.objectField(DistrictObject, 'electionOffice', (t) =>
  t.field({
    type: ElectionOfficeObject,
    nullable: true,
    description:
      'The office that conducts the elections of the state to which the district belongs; null for districts of several states, and for the country.',
    ...electionOfficeOfDistrict,
  }),
);
