import { DistrictObject, districtById } from '../districts/district.ts';
import { districtInSql } from '../districts/districts.store.ts';
import { builder, needs } from '../graphql/builder.ts';
import { createLoader, loadable, matchByKey } from '../graphql/loader.ts';
import { ChamberEnum, OfficeBranchEnum, OfficeLevelEnum } from './enums.ts';
import { OfficeholderObject } from './officeholder.ts';
import { type OfficeRow, officeholdersOfOffice, officesById, officesOfDistrict } from './officials.store.ts';

export const officeById = createLoader(async (context, ids: readonly number[]) =>
  matchByKey(ids, await officesById(context.db, ids), (office) => office.id),
);

export const OfficeObject = builder.objectRef<OfficeRow>('Office');

OfficeObject.implement({
  description: 'A post that is filled by election or appointment, in one district.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Ours, stable over repeated loads.' }),
    name: t.exposeString('name', { description: 'For example `U.S. Senator`.' }),
    type: t.exposeString('type', { nullable: true, description: 'A finer kind, where the source has one.' }),
    level: t.expose('level', {
      type: OfficeLevelEnum,
      description: 'Federal, state or local.',
    }),
    branch: t.expose('branch', {
      type: OfficeBranchEnum,
      description: 'Legislative, executive or judicial.',
    }),
    chamber: t.expose('chamber', {
      type: ChamberEnum,
      nullable: true,
      description: 'The house of a legislature; null outside of legislatures of two houses.',
    }),
    isPartisan: t.exposeString('is_partisan', {
      nullable: true,
      description: 'Whether candidates run under a party: `Partisan all`, `Nonpartisan all` and others.',
    }),
    seat: t.exposeString('seat', {
      nullable: true,
      description:
        'Tells offices of the same name in one district apart, for example `Class 1`; null where there is only one.',
    }),
    url: t.exposeString('url', { nullable: true, description: 'A public page about the office.' }),
    district: t.field({
      type: DistrictObject,
      nullable: true,
      description: 'Where the office is elected.',
      ...loadable(districtById, ({ district_id }: OfficeRow) => district_id, districtInSql),
    }),
    officeholders: t.field({
      type: [OfficeholderObject],
      description:
        'Who holds the office on a day, the longest-serving first; empty when it is vacant, or its holder not known. Needs the grant `officeholders`.',
      ...needs('officeholders'),
      args: { on: t.arg({ type: 'Date', description: 'The day; today when left out.' }) },
      ...officeholdersOfOffice,
    }),
  }),
});

builder.objectField(DistrictObject, 'offices', (t) =>
  t.field({
    type: [OfficeObject],
    description: 'The offices of the district, by name, then seat. Needs the grant `officeholders`.',
    ...needs('officeholders'),
    ...officesOfDistrict,
  }),
);

builder.queryField('office', (t) =>
  t.field({
    type: OfficeObject,
    description: 'One office by id; null when there is none. Needs the grant `officeholders` or `elections`.',
    ...needs('officeholders', 'elections'),
    args: { id: t.arg.int({ required: true, description: 'Our id.' }) },
    resolve: (_, { id }, context) => officeById(context).load(id),
  }),
);
