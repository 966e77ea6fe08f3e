import { z } from 'zod';
import { todayIn } from '../../../base/clock.ts';
import { addDays } from '../../../base/dates.ts';
import { ServiceError } from '../../../base/errors.ts';
import { prepareDocument } from '../../graphql/typed-document.ts';
import { coverageOf, loadedElections } from '../coverage.ts';
import {
  type DistrictOfOfficeFragment,
  FindElectionsOfPointDocument,
  FindElectionsOfStateDocument,
  type FoundElectionFragment,
} from '../generated/documents.ts';
import { day, electionStatus, latitude, longitude, state, toolInput } from '../inputs.ts';
import { defineTool, type ToolScope } from '../tool.ts';

const ofPoint = prepareDocument(FindElectionsOfPointDocument);
const ofState = prepareDocument(FindElectionsOfStateDocument);

const LAST_DAY = '9999-12-31';

const input = toolInput({
  state: state.optional(),
  latitude: latitude.optional(),
  longitude: longitude.optional(),
  from: day.optional().describe('First day; if missing today, until the day has ended in all of the state.'),
  to: day.optional().describe('Last day; no limit if missing.'),
});

export const findElections = defineTool({
  name: 'find_elections',
  title: 'Elections of a state or of a point',
  description:
    'The elections that a state holds, or that apply to a point, in a range of days, earliest first. Give either state, or latitude and longitude.',
  input,
  list: 'elections',
  entry: z.object({
    name: z.string().describe('The name to show; several elections of a day may have one name.'),
    date: z.string(),
    type: z.string().describe('General, Primary, Special and others.'),
    status: electionStatus,
    description: z.string().optional(),
    state: z.string().optional().describe('US for the country.'),
    district: z.string().optional().describe('The district that holds the election, for example a county.'),
    candidateListsComplete: z.boolean(),
  }),
  extra: {
    from: z.string(),
    to: z.string().optional(),
    electionOffice: z
      .object({ name: z.string(), website: z.string(), asOf: z.string() })
      .optional()
      .describe('The office of the state that says how to register and where to vote.'),
  },
  async read(given, scope) {
    const { context } = scope;
    const to = given.to ?? null;
    // The state of a point is not known before: no time zone is more days behind.
    const earliest = addDays(context.today, -2);
    const { found, holder } = await electionsOf(given, { from: given.from ?? earliest, to }, scope);
    const postal = holder?.state ?? given.state?.toUpperCase();
    const from = given.from ?? todayIn(postal, context);
    const coming = found?.filter(({ date }) => date >= from);
    const entries = (coming ?? []).map(({ sources: _, district, ...election }) => ({
      ...election,
      district: district?.name ?? null,
    }));
    const missing = [
      ...(entries.length === 0 ? ['No election is known here in this range of days.'] : []),
      ...(postal === undefined ? [] : loadedElections(await coverageOf(scope, postal, context.today), postal)),
    ];
    const extra = { from, to, electionOffice: holder?.electionOffice ?? null };
    return { entries, extra, notKnown: coming ? missing : [], data: coming };
  },
});

interface FoundElections {
  /** Null if the package does not include elections. */
  readonly found: readonly FoundElectionFragment[] | null;
  /** The state that was asked for, or that contains the point. */
  readonly holder: DistrictOfOfficeFragment | undefined;
}

async function electionsOf(
  given: z.output<typeof input>,
  { from, to }: { readonly from: string; readonly to: string | null },
  { execute, context }: ToolScope,
): Promise<FoundElections> {
  const hasPoint = given.latitude !== undefined && given.longitude !== undefined;
  if (hasPoint === (given.state !== undefined)) {
    throw new ServiceError('INVALID_PARAMETER', 'Give either state, or latitude and longitude.');
  }
  if (given.latitude !== undefined && given.longitude !== undefined) {
    // Without a last day, the field would take one year.
    const variables = { latitude: given.latitude, longitude: given.longitude, from, to: to ?? LAST_DAY };
    const { elections, states } = (await ofPoint(execute, variables, context)).location;
    return { found: elections, holder: states?.[0] };
  }
  const state = given.state?.toUpperCase() ?? null;
  const found: FoundElectionFragment[] = [];
  for (let after: string | null = null; ; ) {
    const { elections, districts }: Awaited<ReturnType<typeof ofState>> = await ofState(
      execute,
      { filter: { state, from, to }, after, state },
      context,
    );
    const holder = districts?.nodes[0];
    if (!elections) return { found: null, holder };
    found.push(...elections.edges.map(({ node }) => node));
    after = elections.pageInfo.endCursor;
    if (!elections.pageInfo.hasNextPage) return { found, holder };
  }
}
