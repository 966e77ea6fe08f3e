import { DistrictObject } from '../districts/district.ts';
import { districts } from '../districts/districts.store.ts';
import { builder, requireGrants } from '../graphql/builder.ts';
import { ChamberEnum, OfficeBranchEnum, OfficeLevelEnum } from './enums.ts';
import { type OfficeRow, offices, officesOfDistrict } from './officials.store.ts';

export const OfficeObject = builder.objectRef<OfficeRow>('Office');

OfficeObject.implement({
  description: 'A post in one district that is filled by election or appointment.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Internal ID; stable across imports.' }),
    name: t.exposeString('name', { description: 'Name of the office, for example `U.S. Senator`.' }),
    type: t.exposeString('type', {
      nullable: true,
      description: 'A more specific type of office; null if the source has none.',
    }),
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
      description: 'The chamber of the legislature; null for offices outside of two-chamber legislatures.',
    }),
    isPartisan: t.exposeString('is_partisan', {
      nullable: true,
      description: 'Whether candidates run under a party: `Partisan all`, `Nonpartisan all` and others.',
    }),
    seat: t.exposeString('seat', {
      nullable: true,
      description:
        'Distinguishes offices of the same name in one district, for example `Class 1`; null if there is only one.',
    }),
    url: t.exposeString('url', { nullable: true, description: 'A public page about the office.' }),
    district: t.field({
      type: DistrictObject,
      nullable: true,
      description: 'The district in which the office is elected.',
      ...districts.of('district_id'),
    }),
  }),
});

builder.objectField(DistrictObject, 'offices', (t) =>
  t.field({
    type: [OfficeObject],
    description: 'The offices of the district, sorted by name, then by seat. Needs the grant `officeholders`.',
    ...requireGrants('officeholders'),
    ...officesOfDistrict,
  }),
);

builder.queryField('office', (t) =>
  t.field({
    type: OfficeObject,
    description: 'One office by id; null when there is none. Needs the grant `officeholders` or `elections`.',
    ...requireGrants('officeholders', 'elections'),
    args: { id: t.arg.int({ required: true, description: 'The internal ID, as returned in `id`.' }) },
    resolve: (_, { id }, context) => offices.load(context, id),
  }),
);
