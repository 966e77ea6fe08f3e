import { z } from 'zod';
import { prepareDocument } from '../../graphql/typed-document.ts';
import { coverageOf, missingDistricts } from '../coverage.ts';
import { WhoRepresentsDocument, type WhoRepresentsQuery } from '../generated/documents.ts';
import { day, districtTypes, holderStatus, latitude, longitude, toolInput } from '../inputs.ts';
import { defineTool, type ToolScope } from '../tool.ts';

const run = prepareDocument(WhoRepresentsDocument);

/** Contact types that a result includes, in this order. */
const CONTACT_TYPES = ['Phone', 'Website', 'Email'];

export const whoRepresents = defineTool({
  name: 'who_represents',
  title: 'Who represents a point',
  description:
    'The districts that contain a point in the United States on a day, from country to ward, with their offices and who holds them. Find the coordinates of an address first; do not make up those of a town or ZIP code, which may lie in several districts.',
  input: toolInput({
    latitude,
    longitude,
    on: day.optional().describe('The day; today if missing.'),
    districtTypes,
  }),
  list: 'districts',
  entry: z.object({
    type: z.string(),
    name: z.string(),
    offices: z.array(
      z.object({
        name: z.string(),
        holders: z
          .array(
            z.object({
              name: z.string(),
              party: z.string().optional(),
              status: holderStatus,
              since: z.string().optional().describe('First day in office.'),
              until: z.string().optional().describe('Last day in office, or the day on which the term is due to end.'),
              contacts: z.array(z.string()).describe('Phone number, website, e-mail address.'),
            }),
          )
          .describe('Empty if the office is vacant or its holder is not known.'),
      }),
    ),
  }),
  extra: {
    on: z.string().describe('The day of the result.'),
    peopleAsOf: z
      .string()
      .optional()
      .describe('The day of the oldest data set of the officeholders: whoever took or left office later is not known.'),
  },
  async read({ districtTypes: types, ...point }, scope) {
    const { execute, context } = scope;
    const on = point.on ?? context.today;
    const data = await run(execute, { ...point, on, types }, context);
    const districts = data.location.districts ?? [];
    const entries = districts.map(({ type, name, offices }) => ({
      ...{ type, name },
      offices: (offices ?? []).map((office) => ({
        name: office.fullName,
        holders: (office.officeholders ?? []).map(holderOf),
      })),
    }));
    const peopleAsOf = oldestDay(districts);
    const isOld = peopleAsOf !== undefined && peopleAsOf < on && on === context.today;
    const notKnown = [
      ...new Set([
        ...districts.flatMap(({ newerMap }) => newerMap?.sentence ?? []),
        ...notKnownIn(data),
        ...(await missingIn(data, on, types, scope)),
      ]),
      ...(isOld ? [`The officeholders are those of ${peopleAsOf}: later changes are not in the data.`] : []),
    ];
    return { entries, extra: { on, peopleAsOf }, notKnown, data };
  },
});

type Districts = NonNullable<WhoRepresentsQuery['location']['districts']>;
type Office = NonNullable<Districts[number]['offices']>[number];

/** Returns the day of the oldest data set of the officeholders: each counts by the newest of its data sets. */
function oldestDay(districts: Districts): string | undefined {
  return districts
    .flatMap(({ offices }) => offices ?? [])
    .flatMap(({ officeholders }) => officeholders ?? [])
    .flatMap(
      ({ sources }) =>
        sources
          .flatMap(({ asOf }) => asOf ?? [])
          .toSorted()
          .at(-1) ?? [],
    )
    .toSorted()[0];
}

/** Says of which types no map is loaded: that no district of them is in the result says nothing about the point. */
async function missingIn(
  { location: { states, districts } }: WhoRepresentsQuery,
  on: string,
  types: readonly string[] | undefined,
  scope: ToolScope,
): Promise<string[]> {
  const state = states?.[0]?.state;
  if (!districts || !state) return [];
  const coverage = await coverageOf(scope, state, on);
  const missing = missingDistricts(coverage, state, on, types);
  return districts.length === 0 && missing.length === 0
    ? [`No district of these types contains this point on this day: it is in ${state}.`]
    : missing;
}

function holderOf({ name, party, status, startDate, endDate, contacts }: NonNullable<Office['officeholders']>[number]) {
  return {
    name,
    party: party?.name ?? null,
    status,
    since: startDate,
    until: endDate,
    contacts: (contacts ?? [])
      .filter(({ type }) => CONTACT_TYPES.includes(type))
      .toSorted((a, b) => CONTACT_TYPES.indexOf(a.type) - CONTACT_TYPES.indexOf(b.type))
      .map(({ value }) => value),
  };
}

function notKnownIn({ location: { states, districts, looksExchanged } }: WhoRepresentsQuery): string[] {
  if (districts === null) return [];
  if (districts.length === 0 && states?.length === 0)
    return [
      'No district of the data contains this point on this day.',
      ...(looksExchanged ? ['Latitude and longitude look exchanged: some do with the two numbers exchanged.'] : []),
    ];
  const offices = districts.flatMap((district) =>
    (district.offices ?? []).map((office) => ({ ...office, district: district.name })),
  );
  const withoutHolder = offices.filter(({ officeholders }) => officeholders?.length === 0);
  const withoutOffices = districts.filter(({ offices: each }) => each?.length === 0).map(({ name }) => name);
  return [
    ...(withoutOffices.length > 0 ? [`No offices are known of: ${withoutOffices.join(', ')}.`] : []),
    ...withoutHolder.map(
      ({ fullName, district }) => `${fullName} (${district}) is vacant, or its holder is not known.`,
    ),
  ];
}
