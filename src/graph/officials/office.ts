import { builder, requireGrants } from '../builder/builder.ts';
import { DATABASE_ID, recordId } from '../builder/global-id.ts';
import { leaf } from '../builder/leaf.ts';
import { NodeInterface } from '../builder/node.ts';
import { recordField } from '../builder/record-field.ts';
import { DistrictObject } from '../districts/district.ts';
import { districts } from '../districts/districts.store.ts';
import { ChamberEnum, OfficeBranchEnum, OfficeLevelEnum, partisanshipField } from './enums.ts';
import { holderOnDay, isHolderKnown, type OfficeRow, offices, officesOfDistrict } from './officials.store.ts';

export const OfficeObject = builder.objectRef<OfficeRow>('Office');

OfficeObject.implement({
  interfaces: [NodeInterface],
  description: 'A post in one district that is filled by election or appointment.',
  fields: (t) => ({
    id: t.id(recordId('Office')),
    databaseId: t.exposeInt('id', { description: DATABASE_ID }),
    name: t.exposeString('name', { description: 'Name of the office, for example `U.S. Senate Maine`.' }),
    fullName: t.exposeString('full_name', {
      description:
        'The name for people: `name`, with `seat` if there is one, for example `U.S. Senate Maine, Class 1`.',
    }),
    type: t.exposeString('type', {
      nullable: true,
      description:
        'What the holder of the office is, without the district, for example `Senator`; null if the source has none.',
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
    isPartisan: t.field(partisanshipField('is_partisan', '`partisanship`')),
    partisanship: t.exposeString('is_partisan', {
      nullable: true,
      description:
        'Whether candidates run under a party, an open set: `Partisan all`, `Nonpartisan all` and others; null when not known.',
    }),
    seat: t.exposeString('seat', {
      nullable: true,
      description:
        'Distinguishes offices of the same name in one district, for example `Class 1`; null if there is only one.',
    }),
    ballotRank: t.exposeInt('ballot_rank', {
      description:
        'Rank of the office on a ballot, to sort the contests of several districts: president, Senate, House, governor and other executives of a state, its legislature, judges, local offices. Offices of one rank follow the type of their district, then the name.',
    }),
    url: t.exposeString('url', {
      nullable: true,
      description: 'A public page about the office; null when none is known.',
    }),
    district: t.field({
      type: DistrictObject,
      nullable: true,
      description:
        'The district in which the office is elected. Null only if it was deleted while the request was executed.',
      ...districts.of('district_id'),
    }),
  }),
});

builder.objectField(OfficeObject, 'holderKnown', (t) =>
  t.boolean({
    description:
      'Whether it is known who holds the office on a day: true with at least one officeholder, or without one if a source shows the office vacant; false if the holder is not known.',
    ...requireGrants('officeholders'),
    args: { on: t.arg({ type: 'Date', description: 'The day; today by default.' }) },
    resolve: async ({ id }, { on }, context) =>
      (await holderOnDay.load(context, { id, day: on ?? context.today })).is_known,
    ...leaf<OfficeRow>((column, { today }) => isHolderKnown(column('id'), today)),
  }),
);

builder.objectField(DistrictObject, 'offices', (t) =>
  t.field({
    listLength: 2,
    type: [OfficeObject],
    description: 'The offices of the district in the order of a ballot, those of one rank by name, then by seat.',
    ...requireGrants('officeholders'),
    ...officesOfDistrict,
  }),
);

recordField(OfficeObject, { grants: ['officeholders', 'elections'], load: offices.load });
