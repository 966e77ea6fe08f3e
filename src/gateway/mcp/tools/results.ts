import { z } from 'zod';
import { plainWords } from '../../../base/words/address-words.ts';
import { checkText } from '../../graphql/documents/text-arguments.ts';
import { prepareDocument } from '../../graphql/typed-document.ts';
import { coverageOf, loadedElections, unplacedContests } from '../coverage.ts';
import { ResultsDocument, type ResultsQuery } from '../generated/documents.ts';
import { day, districtTypes, RACE_NAME, state, toolInput } from '../inputs.ts';
import { defineTool, type ToolScope } from '../tool.ts';

const run = prepareDocument(ResultsDocument);

const MAX_OFFICE_LENGTH = 100;
/** The maximum number of candidates of a race in a result. */
const MAX_CANDIDATES = 15;

export const results = defineTool({
  name: 'results',
  title: 'Results of an election',
  description:
    'The votes of the races and ballot measures of a state on an election day. Name an office or a level, as a whole state has too many races for one result.',
  input: toolInput({
    state,
    date: day.describe('The election day.'),
    office: z
      .string()
      .max(MAX_OFFICE_LENGTH)
      .optional()
      .describe(
        'Words of the name of the office, measure or district, each of which begins a word of it, in any order.',
      ),
    levels: z.array(z.enum(['FEDERAL', 'STATE', 'LOCAL'])).optional(),
    districtTypes,
  }),
  list: 'contests',
  entry: z.object({
    district: z.string(),
    race: z.string().optional().describe(RACE_NAME),
    office: z.string().optional(),
    measure: z.string().optional().describe('The name of a ballot measure.'),
    stage: z.string().optional(),
    party: z.string().optional().describe('The party of a primary.'),
    totalVotes: z.int().optional(),
    margin: z.int().optional().describe('Votes between the last winner and the next candidate.'),
    isRankedChoice: z.boolean().optional().describe('Whether voters rank the candidates.'),
    note: z.string().optional().describe('What has to be known to read the votes, and why no winner is named.'),
    rounds: z.int().optional().describe('Number of rounds of a ranked-choice count.'),
    isCertified: z.boolean().optional(),
    candidates: z
      .array(
        z.object({
          name: z.string(),
          parties: z.array(z.string()),
          votes: z.int().optional(),
          share: z.number().optional(),
          isWinner: z.boolean().optional(),
        }),
      )
      .optional(),
    moreCandidates: z.int().optional().describe('Number of candidates that are not listed.'),
    yesVotes: z.int().optional(),
    noVotes: z.int().optional(),
    yesShare: z.number().optional(),
    status: z.string().optional().describe('The outcome of a measure.'),
  }),
  extra: { date: z.string(), state: z.string() },
  async read({ office, districtTypes: types, ...input }, scope) {
    const { execute, context } = scope;
    if (office !== undefined) checkText('office', office, MAX_OFFICE_LENGTH);
    const found: Contest[] = [];
    const data: ResultsQuery[] = [];
    for (let after: string | null = null; ; ) {
      const page: ResultsQuery = await run(execute, { ...input, types, after }, context);
      data.push(page);
      if (!page.stateBallot) break;
      found.push(...page.stateBallot.edges.flatMap(({ node }) => contestsOf(node)));
      after = page.stateBallot.pageInfo.endCursor;
      if (!page.stateBallot.pageInfo.hasNextPage) break;
    }
    const typed = wordsOf(office ?? '');
    const entries = found.filter(({ name }) => {
      const words = wordsOf(name);
      return typed.every((word) => words.some((other) => other.startsWith(word)));
    });
    const isHidden = data.some(({ stateBallot }) => stateBallot === null);
    const withoutVotes = entries.filter(({ entry }) => !entry.hasVotes).map(({ name }) => name);
    const notKnown = [
      ...(entries.length === 0 && !isHidden ? await noContests(scope, input, found.length > 0) : []),
      ...(withoutVotes.length > 0 && context.caller.grants.has('results')
        ? [
            withoutVotes.length === 1
              ? `The votes of ${withoutVotes[0]} are not known.`
              : `The votes of ${withoutVotes.length} contests are not known, for example of ${withoutVotes[0]}.`,
          ]
        : []),
    ];
    return {
      entries: entries.map(({ entry: { hasVotes: _, ...entry } }) => entry),
      extra: { date: input.date, state: input.state.toUpperCase() },
      ...{ notKnown, data: entries },
    };
  },
});

/** Says why there are no contests: none of the day is in the data, or none has the words that were given. */
async function noContests(
  scope: ToolScope,
  { state, date }: { readonly state: string; readonly date: string },
  hasOthers: boolean,
): Promise<string[]> {
  const none = 'No such contest of this state is known on this day.';
  const postal = state.toUpperCase();
  const coverage = await coverageOf(scope, postal, date);
  const unplaced = unplacedContests(coverage);
  if (hasOthers) return [`${none} Others are: name another office, or none.`, ...unplaced];
  return [none, ...loadedElections(coverage, postal), ...unplaced];
}

type Node = NonNullable<ResultsQuery['stateBallot']>['edges'][number]['node'];

/** Returns the words of a text; `Governor/Lieutenant Governor` has three. */
function wordsOf(text: string): string[] {
  return plainWords(text.replace(/[&/]/g, ' '));
}

/** A contest with the name by which it is searched, and its sources. */
interface Contest {
  readonly name: string;
  readonly sources: unknown;
  readonly entry: { readonly hasVotes: boolean };
}

function contestsOf({ district: { name: district }, races, ballotMeasures }: Node): Contest[] {
  return [
    ...races.map(({ office, candidates, rankedChoiceRounds: _, ...race }: Race) => ({
      name: `${race.name} ${district}`,
      sources: race.sources,
      entry: {
        hasVotes: race.totalVotes !== null,
        ...{ district, race: race.name, office: office.fullName, stage: race.stageType, party: race.stageParty },
        ...{ totalVotes: race.totalVotes, margin: race.margin, isCertified: race.resultsCertified },
        ...{ isRankedChoice: race.isRankedChoice, note: race.resultNote },
        rounds: Math.max(0, ...candidates.map((each) => each.rankedChoiceRounds?.length ?? 0)) || null,
        candidates: candidates.slice(0, MAX_CANDIDATES).map(({ name, parties, votes, share, isWinner }) => ({
          ...{ name, parties: parties.map((party) => party.name), votes },
          share: rounded(share),
          isWinner: isWinner || null,
        })),
        moreCandidates: Math.max(0, candidates.length - MAX_CANDIDATES) || null,
      },
    })),
    ...ballotMeasures.map((measure) => ({
      name: `${measure.name} ${district}`,
      sources: measure.sources,
      entry: {
        hasVotes: measure.yesVotesTotal !== null,
        ...{ district, measure: measure.name, status: measure.status },
        ...{ yesVotes: measure.yesVotesTotal, noVotes: measure.noVotesTotal, yesShare: rounded(measure.yesShare) },
      },
    })),
  ];
}

type Race = Node['races'][number] & { readonly rankedChoiceRounds?: never };

function rounded(share: number | null): number | null {
  return share === null ? null : Math.round(share * 10_000) / 10_000;
}
