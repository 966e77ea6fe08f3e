import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type Element, firstText, idsIn, readXml, textIn, within } from './xml.ts';

/** The contests that sources other than tables of precincts state, read without the code of the importers. */

export interface StatedName {
  readonly name: string;
  /** Null if the source states no votes. */
  readonly votes: number | null;
  /** The votes after each round of a ranked-choice contest. */
  readonly rounds: readonly number[];
}

export interface StatedContest {
  readonly kind: 'race' | 'retention' | 'measure' | 'holder';
  readonly title: string;
  /** `YYYY-MM-DD`; empty for officeholders. */
  readonly day: string;
  readonly names: readonly StatedName[];
}

export type OtherSource = 'ranked-vote' | 'rctab' | 'vip' | 'civics-cdf';

/** Returns the contests of a file. */
export function statedContests(source: OtherSource, path: string): StatedContest[] {
  const isZip = path.endsWith('.zip');
  const text = isZip
    ? execFileSync('unzip', ['-p', path], { encoding: 'utf8', maxBuffer: 2 ** 28 })
    : readFileSync(path, 'utf8');
  switch (source) {
    case 'ranked-vote':
      return rankedVote(JSON.parse(text));
    case 'rctab':
      return rctab(JSON.parse(text));
    case 'vip':
      return vip(readXml(text.replace(/^\uFEFF/, '')));
    case 'civics-cdf':
      return civics(readXml(text.replace(/^\uFEFF/, '')));
  }
}

interface RankedVote {
  readonly info: { readonly date: string; readonly officeName: string; readonly jurisdictionName: string };
  readonly candidates: readonly { readonly name: string; readonly candidate_type: string }[];
  readonly rounds: readonly {
    readonly allocations: readonly { readonly allocatee: number | 'X'; readonly votes: number }[];
  }[];
}

function rankedVote({ info, candidates, rounds }: RankedVote): StatedContest[] {
  const names = candidates.flatMap(({ name, candidate_type }, index) => {
    const votes = rounds
      .flatMap(({ allocations }) => allocations.filter(({ allocatee }) => allocatee === index))
      .map(({ votes: count }) => count);
    return candidate_type === 'WriteIn'
      ? []
      : [{ name, votes: votes.at(-1) ?? 0, rounds: votes.length > 0 ? votes : [0] }];
  });
  return [{ kind: 'race', title: `${info.jurisdictionName} ${info.officeName}`, day: info.date, names }];
}

interface Rctab {
  readonly config: { readonly contest: string; readonly date: string };
  readonly results: readonly { readonly tally: Readonly<Record<string, string>> }[];
}

function rctab({ config, results }: Rctab): StatedContest[] {
  const all = [...new Set(results.flatMap(({ tally }) => Object.keys(tally)))];
  const names = all
    .filter((name) => !/^(write-?in|undeclared|uwi)/i.test(name))
    .map((name) => {
      const rounds = results
        .map(({ tally }) => tally[name])
        .filter((votes) => votes !== undefined)
        .map(Number);
      return { name, votes: rounds.at(-1) ?? 0, rounds };
    });
  return [{ kind: 'race', title: config.contest, day: config.date, names }];
}

/** Returns the elements with an identifier. */
function byId(root: Element, attribute: string, ...names: readonly string[]): ReadonlyMap<string, Element> {
  return new Map(within(root, ...names).map((element) => [element.attributes[attribute] ?? '', element]));
}

function vip(root: Element): StatedContest[] {
  const day = textIn(within(root, 'Election')[0], 'Date');
  const selections = byId(root, 'id', 'CandidateSelection', 'BallotSelection');
  const candidates = byId(root, 'id', 'Candidate');
  const nameOf = (id: string | undefined) => firstText(candidates.get(id ?? ''), 'BallotName');
  const named = (name: string): StatedName => ({ name, votes: null, rounds: [] });
  const contests = within(root, 'CandidateContest', 'RetentionContest', 'BallotMeasureContest').map(
    (contest): StatedContest => {
      const title = textIn(contest, 'Name');
      if (contest.name === 'BallotMeasureContest') return { kind: 'measure', title, day, names: [] };
      if (contest.name === 'RetentionContest')
        return { kind: 'retention', title, day, names: [named(nameOf(idsIn(contest, 'CandidateId')[0]))] };
      const chosen = idsIn(contest, 'BallotSelectionIds').flatMap((id) => selections.get(id) ?? []);
      const names = chosen.map((selection) => nameOf(idsIn(selection, 'CandidateIds')[0])).filter(Boolean);
      return { kind: 'race', title, day, names: names.map(named) };
    },
  );
  return [...contests, ...holdersOf(root, 'id')];
}

function holdersOf(root: Element, attribute: string): StatedContest[] {
  const persons = byId(root, attribute, 'Person');
  const nameOf = (person: Element | undefined) =>
    firstText(person, 'FullName') || ['FirstName', 'LastName'].map((name) => firstText(person, name)).join(' ');
  const offices = byId(root, attribute, 'Office');
  const holder = (office: Element | undefined, id: string): StatedContest => ({
    kind: 'holder',
    title: firstText(office, 'Name'),
    day: '',
    names: [{ name: nameOf(persons.get(id)), votes: null, rounds: [] }],
  });
  const tenures = new Set(
    within(root, 'OfficeHolderTenure').map(
      (tenure) => `${textIn(tenure, 'OfficeId')} ${textIn(tenure, 'OfficeHolderPersonId')}`,
    ),
  );
  return [
    ...[...offices].flatMap(([of, office]) =>
      idsIn(office, 'OfficeHolderPersonIds')
        .filter((id) => !tenures.has(`${of} ${id}`))
        .map((id) => holder(office, id)),
    ),
    ...within(root, 'OfficeHolderTenure').map((tenure) =>
      holder(offices.get(textIn(tenure, 'OfficeId')), textIn(tenure, 'OfficeHolderPersonId')),
    ),
  ];
}

function civics(root: Element): StatedContest[] {
  const candidates = byId(root, 'objectId', 'Candidate');
  const nameOf = (id: string | undefined) => firstText(candidates.get(id ?? ''), 'BallotName');
  const contests = within(root, 'Election').flatMap((election) => {
    const day = textIn(election, 'StartDate');
    return within(election, 'Contest').flatMap((contest): StatedContest[] => {
      const type = contest.attributes['xsi:type'];
      const title = textIn(contest, 'Name');
      const selections = contest.children.filter(({ name }) => name === 'BallotSelection');
      const votes = selections.map((selection) => votesOf(contest, selection));
      if (type === 'BallotMeasureContest') {
        const answers = selections.map((selection, index) => ({
          name: firstText(selection, 'Selection').toUpperCase(),
          votes: votes[index] ?? null,
          rounds: [],
        }));
        return [{ kind: 'measure', title, day, names: answers }];
      }
      if (type === 'RetentionContest') {
        const yes = selections.findIndex((selection) => /^yes$/i.test(firstText(selection, 'Selection')));
        return [
          {
            kind: 'retention',
            title,
            day,
            names: [{ name: nameOf(textIn(contest, 'CandidateId')), votes: votes[yes] ?? null, rounds: [] }],
          },
        ];
      }
      if (type !== 'CandidateContest') return [];
      const names = selections.map((selection, index) => ({
        name: nameOf(idsIn(selection, 'CandidateIds')[0]),
        votes: votes[index] ?? null,
        rounds: [],
      }));
      return [{ kind: 'race', title, day, names: names.filter(({ name }) => name !== '') }];
    });
  });
  return [...contests, ...holdersOf(root, 'objectId')];
}

/** Returns the votes for a selection: the total of the district, else the sum of its areas, of the modes without a total. */
function votesOf(contest: Element, selection: Element): number | null {
  const counts = within(selection, 'VoteCounts');
  if (counts.length === 0) return null;
  const district = textIn(contest, 'ElectoralDistrictId');
  const areas = Map.groupBy(counts, (count) => textIn(count, 'GpUnitId') || district);
  const used = areas.has(district) ? [areas.get(district) ?? []] : [...areas.values()];
  const sums = used.map((of) => {
    const totals = of.filter((count) => textIn(count, 'Type') === 'total');
    return (totals.length > 0 ? totals : of).reduce((sum, count) => sum + Number(textIn(count, 'Count')), 0);
  });
  return sums.reduce((sum, each) => sum + each, 0);
}
