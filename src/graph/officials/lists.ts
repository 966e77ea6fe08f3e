import { type BuilderTypes, builder, requireGrants } from '../builder/builder.ts';
import { recordConnectionType, recordPageArgs } from '../builder/connection-type.ts';
import { connectionOf } from '../builder/keyset.ts';
import { readRecordKey } from '../builder/node.ts';
import { sortOrders } from '../builder/sort-order.ts';
import { checkWords, EACH_BEGINS_A_WORD, OTHER_FORMS_LAST } from '../builder/word-search.ts';
import { DistrictTypeEnum } from '../districts/district-type.ts';
import { readState } from '../districts/state.ts';
import { ChamberEnum, OfficeBranchEnum, OfficeLevelEnum } from './enums.ts';
import {
  OFFICE_ORDERS,
  OFFICEHOLDER_ORDERS,
  officeholdersWhere,
  officesWhere,
  PARTY_ORDERS,
  partiesNamed,
} from './lists.store.ts';
import { OfficeObject } from './office.ts';
import { OfficeholderObject } from './officeholder.ts';
import {
  type OfficeholderRow,
  type OfficeRow,
  officeholders,
  offices,
  type PartyRow,
  parties,
} from './officials.store.ts';
import { PartyObject } from './party.ts';

export type InputFields = PothosSchemaTypes.InputFieldBuilder<BuilderTypes, 'InputObject'>;

/** Returns the input fields for the district of a record. */
export function districtFilterFields(t: InputFields) {
  return {
    state: t.string({
      description: 'The state of the district: two-letter abbreviation, case-insensitive; `US` for the country.',
    }),
    district: t.id({ description: 'The district: its global ID.' }),
    districtTypes: t.field({ type: [DistrictTypeEnum], description: 'One of these types of the district.' }),
  };
}

/** Returns the input fields for the office of a record and the district of the office. */
export function officeFilterFields(t: InputFields) {
  return {
    ...districtFilterFields(t),
    levels: t.field({ type: [OfficeLevelEnum], description: 'One of these levels of the office.' }),
    branches: t.field({ type: [OfficeBranchEnum], description: 'One of these branches of the office.' }),
    chambers: t.field({ type: [ChamberEnum], description: 'One of these chambers of a legislature.' }),
  };
}

interface DistrictInput {
  readonly state?: string | null | undefined;
  readonly district?: string | number | null | undefined;
  readonly name?: string | null | undefined;
  readonly text?: string | null | undefined;
}

/**
 * Returns a filter for the database query, with the state and the district as they are in the database.
 * @throws ServiceError INVALID_PARAMETER if the state is not two letters, the district not the global ID of one, or a text
 * has no words.
 */
export function readFilter<Filter extends DistrictInput>(filter: Filter | null | undefined) {
  const { state, district, ...others } = filter ?? ({} as Filter);
  checkWords('filter.name', others.name);
  checkWords('filter.text', others.text);
  return {
    ...others,
    state: state == null ? undefined : readState(state),
    districtId: district == null ? undefined : readRecordKey('District', String(district), 'district'),
  };
}

const OfficeFilterInput = builder.inputType('OfficeFilter', {
  description: 'Filter for a list of offices; an office must match every condition given.',
  fields: (t) => ({
    ...officeFilterFields(t),
    name: t.string({ description: `Words of the name of the office, ${EACH_BEGINS_A_WORD}` }),
  }),
});

const OfficeholderFilterInput = builder.inputType('OfficeholderFilter', {
  description: 'Filter for a list of officeholders; an officeholder must match every condition given.',
  fields: (t) => ({
    ...officeFilterFields(t),
    on: t.field({ type: 'Date', description: 'The day on which they hold the office; today by default.' }),
    parties: t.intList({ description: 'One of these parties: party codes, for example 1 and 2.' }),
    name: t.string({ description: `Words of the name of the person, ${EACH_BEGINS_A_WORD} ${OTHER_FORMS_LAST}` }),
  }),
});

const officeOrders = sortOrders('OfficeOrder', 'offices', OFFICE_ORDERS, 'BALLOT');
const officeholderOrders = sortOrders('OfficeholderOrder', 'officeholders', OFFICEHOLDER_ORDERS, 'BALLOT');
const partyOrders = sortOrders('PartyOrder', 'parties', PARTY_ORDERS, 'CODE');

const OfficeConnection = recordConnectionType(OfficeObject, 'offices', offices.relation);
const OfficeholderConnection = recordConnectionType(OfficeholderObject, 'officeholders', officeholders.relation, {
  totalCount: 6_000,
  updatedAt: 12_000,
});
const PartyConnection = recordConnectionType(PartyObject, 'parties', parties.relation);

builder.queryFields((t) => ({
  offices: t.field({
    caching: 'whole',
    type: OfficeConnection,
    description: 'Offices that match the filter.',
    ...requireGrants('officeholders', 'elections'),
    args: {
      filter: t.arg({ type: OfficeFilterInput, description: 'Which offices to return; all by default.' }),
      orderBy: t.arg(officeOrders.orderByArg),
      ...recordPageArgs,
    },
    resolve: (_, { filter, orderBy, ...page }, context) =>
      connectionOf<OfficeRow>(context, page, officesWhere(readFilter(filter), officeOrders.orderOf(orderBy))),
  }),
  officeholders: t.field({
    computation: 100,
    caching: 'whole',
    type: OfficeholderConnection,
    description: 'The officeholders of a day that match the filter, for example all members of a chamber.',
    ...requireGrants('officeholders'),
    args: {
      filter: t.arg({ type: OfficeholderFilterInput, description: 'Which officeholders to return; all by default.' }),
      orderBy: t.arg(officeholderOrders.orderByArg),
      ...recordPageArgs,
    },
    resolve: (_, { filter, orderBy, ...page }, context) => {
      const list = officeholdersWhere(readFilter(filter), context.today, officeholderOrders.orderOf(orderBy));
      return connectionOf<OfficeholderRow>(context, page, list);
    },
  }),
  parties: t.field({
    caching: 'whole',
    type: PartyConnection,
    description: 'The parties, those of no officeholder or candidate too.',
    ...requireGrants('officeholders', 'elections'),
    args: {
      name: t.arg.string({ description: `Words of the name, ${EACH_BEGINS_A_WORD}` }),
      orderBy: t.arg(partyOrders.orderByArg),
      ...recordPageArgs,
    },
    resolve: (_, { name, orderBy, ...page }, context) => {
      checkWords('name', name);
      return connectionOf<PartyRow>(context, page, partiesNamed(name, partyOrders.orderOf(orderBy)));
    },
  }),
}));
