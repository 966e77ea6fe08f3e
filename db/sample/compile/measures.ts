import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Election } from './calendar.ts';
import { electionId, measureId, stateId } from './ids.ts';
import type { Contest } from './medsl.ts';
import { displayName } from './names.ts';
import type { Results } from './results.ts';
import { csvRows, required } from './source.ts';
import type { Row } from './tables.ts';

const folder = join(import.meta.dirname, '../../maineballot/four-states');

/** Maine's questions, by day and name, with the meaning of yes and no, written for the sample after the question's text. */
const maineQuestions: { date: string; name: string; yes: string; no: string }[] = [
  {
    date: '2018-06-12',
    name: 'Question 1: Ranked-Choice Voting',
    yes: 'Rejects the parts of a law that would delay ranked-choice voting, so that it stays in use.',
    no: 'Lets the law delay ranked-choice voting to 2022, and end it unless the constitution is amended by December 2021.',
  },
  {
    date: '2018-11-06',
    name: 'Question 1: Home Care',
    yes: 'Creates a home care program for seniors and people with disabilities, paid by a 3.8% tax on income above $128,400.',
    no: 'Creates neither the program nor the tax.',
  },
  {
    date: '2018-11-06',
    name: 'Question 2: Wastewater',
    yes: 'Lets the state borrow $30 million for water quality and wastewater systems.',
    no: 'Does not let the state borrow the money.',
  },
  {
    date: '2018-11-06',
    name: 'Question 3: Transportation',
    yes: 'Lets the state borrow $106 million for roads, bridges, ports, railroads and other transport works.',
    no: 'Does not let the state borrow the money.',
  },
  {
    date: '2018-11-06',
    name: 'Question 4: University of Maine',
    yes: 'Lets the state borrow $49 million to improve the facilities of its public universities.',
    no: 'Does not let the state borrow the money.',
  },
  {
    date: '2018-11-06',
    name: 'Question 5: Community Colleges',
    yes: 'Lets the state borrow $15 million to upgrade its seven community colleges.',
    no: 'Does not let the state borrow the money.',
  },
];

/** The length at which the 2022 results truncate the text of a question, without its `BOND QUESTION 1: `. */
const cutLength = 500;

/**
 * Returns the rows of ballot_measures.csv: statewide measures with totals in the results, and Maine's of 2018 without.
 */
export function measureRows(elections: Election[], questions: Results['questions']): Row<'ballot_measures'>[] {
  const counted = questions
    .filter(({ contest }) => isStatewideMeasure(contest))
    .map(({ election, contest }) => ({ election, row: countedMeasure(contest) }));
  const maine = maineMeasures(elections);
  const numbers = new Map<Election, number>();
  return [...counted, ...maine]
    .sort((a, b) => electionKey(a.election) - electionKey(b.election) || compareNames(a.row.name, b.row.name))
    .map(({ election, row }) => {
      const number = (numbers.get(election) ?? 0) + 1;
      numbers.set(election, number);
      return {
        id: measureId(election.date, election.state.fips, number),
        election_id: electionKey(election),
        district_id: stateId(election.state.fips),
        ...row,
      };
    });
}

const electionKey = ({ date, state }: Election): number => electionId(date, state.fips);

const compareNames = (a: unknown, b: unknown): number => String(a).localeCompare(String(b), 'en');

/**
 * Returns whether a contest is a statewide measure: neither a question of a city nor the retention election of a judge,
 * which is a vote on a person.
 */
const isStatewideMeasure = ({ office }: Contest): boolean =>
  /^(BALLOT MEASURE|BM#|BOND QUESTION \d|CONSTITUTIONAL AMENDMENT \d)/.test(office);

function countedMeasure({ office, tallies }: Contest): Row<'ballot_measures'> {
  const votes = (answer: string) =>
    required(
      tallies.find(({ name }) => name === answer),
      `the ${answer} votes on ${office}`,
    ).votes;
  const [heading = '', text] = office.split(/: (.*)/s);
  return {
    name: text ? displayName(heading) : office,
    type: typeOf(office),
    status: votes('YES') > votes('NO') ? 'Approved' : 'Defeated',
    official_title: text && text.length >= cutLength ? `${text} …` : (text ?? office),
    yes_votes_total: votes('YES'),
    no_votes_total: votes('NO'),
  };
}

function typeOf(office: string): string | null {
  if (office.startsWith('BOND QUESTION')) return 'Bond issue';
  return office.startsWith('CONSTITUTIONAL AMENDMENT') ? 'Constitutional amendment' : null;
}

function maineMeasures(elections: Election[]) {
  const rowsOf = (table: string) => csvRows(readFileSync(join(folder, `${table}.csv`), 'utf8'));
  const days = new Map(rowsOf('elections').map(({ id, date }) => [id, date] as const));
  const measures = rowsOf('ballot_measures');
  return maineQuestions.map(({ date, name, yes, no }) => {
    const measure = required(
      measures.find((each) => each.name === name && days.get(each.election_id) === date),
      `${name} of ${date}`,
    );
    const election = required(
      elections.find((each) => each.state.postal === 'ME' && each.date === date),
      `an election in ME on ${date}`,
    );
    const row = {
      name,
      type: measure.type || null,
      status: measure.status || null,
      official_title: required(measure.official_title || null, `the text of ${name} of ${date}`),
      yes_vote: yes,
      no_vote: no,
    };
    return { election, row };
  });
}
