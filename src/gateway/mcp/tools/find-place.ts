import { z } from 'zod';
import { ONLY_WITHOUT_PLACES } from '../../../graph/places/geocode.ts';
import type { DistrictType } from '../../../store/sql/tables.ts';
import { prepareDocument } from '../../graphql/typed-document.ts';
import { FindPlaceDocument, type FindPlaceQuery } from '../generated/documents.ts';
import { day, districtTypes, toolInput } from '../inputs.ts';
import { defineTool } from '../tool.ts';

const run = prepareDocument(FindPlaceDocument);

const MAX_TEXT_LENGTH = 200;
/** The layers of an area that are listed if none are named: a state has too many towns for one result. */
const USUAL_TYPES = [
  ...['COUNTRY', 'STATE', 'CONGRESS', 'STATE_LEGISLATIVE_UPPER', 'STATE_LEGISLATIVE_LOWER', 'COUNTY'],
] as const;

export const findPlace = defineTool({
  name: 'find_place',
  title: 'Find an address or a place',
  description:
    'Finds what a text names: the point of a street address, for the tools that take coordinates; or the districts, with shares of the area and officeholders, of a ZIP code, town, county, school district or state. An area has no point, and a town or ZIP code that is LOCATED_ONLY has no districts either: where an area lies in several districts of one type, only an address tells which one applies. If several places fit, they are in choices: ask which one is meant.',
  input: toolInput({
    text: z
      .string()
      .min(1)
      .max(MAX_TEXT_LENGTH)
      .describe('An address or a place, for example `Augusta, ME` or `05602`.'),
    on: day.optional().describe('The day of the districts and officeholders; today if missing.'),
    districtTypes: districtTypes.describe(
      'Only districts of these types; country, state, U.S. House, state legislature and counties if missing.',
    ),
  }),
  list: 'districts',
  entry: z.object({
    type: z.string(),
    name: z.string(),
    areaShare: z.number().describe('The share of the area that lies in the district, from 0 to 1.'),
    isWhole: z.boolean().describe('Whether the whole area lies in the district.'),
    offices: z.array(
      z.object({
        name: z.string(),
        holders: z.array(z.string()).describe('Names with parties. Empty if vacant, or if no holder is known.'),
      }),
    ),
  }),
  extra: {
    on: z.string().describe('The day of the result.'),
    place: z.string().optional().describe('What was found; missing if nothing was, or several places fit.'),
    kind: z
      .string()
      .optional()
      .describe(
        'ADDRESS, INTERPOLATED (estimated from the house number), ZIP, LOCATED_ONLY (a town or ZIP code whose area is not loaded: its districts are not known, ask for an address or a point), or the type of the district, such as COUNTY.',
      ),
    latitude: z.number().optional().describe('Of an address; missing for an area.'),
    longitude: z.number().optional().describe('Of an address; missing for an area.'),
    choices: z
      .array(z.object({ label: z.string(), kind: z.string() }))
      .describe('What the text may mean, if several places fit or none is certain: ask, and call again with a label.'),
  },
  async read({ text, districtTypes: types, ...input }, { execute, context }) {
    const on = input.on ?? context.today;
    const wanted = types ?? (USUAL_TYPES as readonly string[] as readonly DistrictTypeName[]);
    const data = await run(execute, { text, on, types: [...wanted] }, context);
    const { matches, ambiguous, reason, area } = data.geocode;
    const [best] = matches;
    const isFound = best !== undefined && !ambiguous;
    const entries = (area?.districts ?? []).map(({ areaShare, isWhole, district }) => ({
      ...{ type: district.type, name: district.name, areaShare, isWhole },
      offices: (district.offices ?? []).map((office) => ({
        name: office.fullName,
        holders: (office.officeholders ?? []).map(({ name, party }) =>
          [name, party && `(${party.name})`].filter(Boolean).join(' '),
        ),
      })),
    }));
    const found = isFound ? { place: best.label, kind: best.district?.type ?? best.kind, ...best.point } : {};
    const choices = isFound
      ? []
      : matches.map(({ label, kind, district }) => ({ label, kind: district?.type ?? kind }));
    const notKnown = [
      ...(matches.length === 0 && reason !== ONLY_WITHOUT_PLACES
        ? [`No place that is loaded has this name: ${text}.`]
        : []),
      ...(reason ? [reason] : []),
      ...dividedLayers(area, best?.label ?? text),
    ];
    return { entries, extra: { on, ...found, choices }, notKnown, data };
  },
});

type DistrictTypeName =
  NonNullable<Parameters<typeof run>[1]['types']> extends readonly (infer Type)[] | infer _ ? Type : DistrictType;
type Area = FindPlaceQuery['geocode']['area'];

/** Says in which layers an area lies in several districts. */
function dividedLayers(area: Area, place: string): string[] {
  const ofType = Map.groupBy(area?.districts ?? [], ({ district }) => district.type);
  return [...ofType]
    .filter(([, shares]) => shares.length > 1)
    .map(
      ([type, { length }]) =>
        `${place} lies in ${length} districts of the type ${type}: an address tells which one applies.`,
    );
}
