import type { Day } from '../calendar.ts';
import { type DistrictNode, DistrictObject, districtById } from '../districts/district.ts';
import { districtInSql } from '../districts/districts.store.ts';
import { builder, needs } from '../graphql/builder.ts';
import { createLoader, createSharedLoader, groupByKey, loadable, matchByKey } from '../graphql/loader.ts';
import type { Database } from '../store/database.ts';
import { ChamberEnum, OfficeBranchEnum, OfficeLevelEnum } from './enums.ts';
import { OfficeholderObject } from './officeholder.ts';
import {
  type HoldingRow,
  holdersInSql,
  type OfficeOnDay,
  type OfficeRow,
  officeholdersOnDays,
  officesById,
  officesInSql,
  officesOfDistricts,
} from './officials.store.ts';
import { partyById } from './party.ts';
import { personById } from './person.ts';

export const officeById = createLoader(async (context, ids: readonly number[]) =>
  matchByKey(ids, await officesById(context.db, ids), (office) => office.id),
);

const officesOf = createSharedLoader<number, OfficeRow[]>(() => fetchOffices);

async function fetchOffices(db: Database, districtIds: readonly number[]): Promise<OfficeRow[][]> {
  return groupByKey(districtIds, await officesOfDistricts(db, districtIds), (office) => office.district_id);
}

const holdersOf = createSharedLoader<OfficeOnDay, HoldingRow[]>(
  () => officeholdersOnDays,
  ({ officeId, on }) => `${officeId} ${on}`,
  (context, holders) => {
    for (const { person, party } of holders) {
      personById(context).prime(person.id, person);
      if (party) partyById(context).prime(party.id, party);
    }
  },
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
      ...loadable(
        holdersOf,
        ({ id }: OfficeRow, { on }: { on?: Day | null }, context) => ({ officeId: id, on: on ?? context.today }),
        holdersInSql,
      ),
    }),
  }),
});

builder.objectField(DistrictObject, 'offices', (t) =>
  t.field({
    type: [OfficeObject],
    description: 'The offices of the district, by name, then seat. Needs the grant `officeholders`.',
    ...needs('officeholders'),
    ...loadable(officesOf, ({ id }: DistrictNode) => id, officesInSql),
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
