import { parse } from 'yaml';
import type { Election } from './calendar.ts';
import { electionId, measureId, stateId } from './ids.ts';
import type { Contest } from './medsl.ts';
import { displayName } from './names.ts';
import type { Results } from './results.ts';
import { required, type Source } from './source.ts';
import type { Row } from './tables.ts';

const folder = 'ballot-measures/maineballot';

/**
 * Maine's questions, by file, with the meaning of yes and no, written for the sample after the question's text in the
 * file.
 */
const maineQuestions: { file: string; yes: string; no: string }[] = [
  {
    file: 'june-2018/Q1_RankedChoiceVoting',
    yes: 'Rejects the parts of a law that would delay ranked-choice voting, so that it stays in use.',
    no: 'Lets the law delay ranked-choice voting to 2022, and end it unless the constitution is amended by December 2021.',
  },
  {
    file: 'november-2018/Q1_HomeCare',
    yes: 'Creates a home care program for seniors and people with disabilities, paid by a 3.8% tax on income above $128,400.',
    no: 'Creates neither the program nor the tax.',
  },
  {
    file: 'november-2018/Q2_Wastewater',
    yes: 'Lets the state borrow $30 million for water quality and wastewater systems.',
    no: 'Does not let the state borrow the money.',
  },
  {
    file: 'november-2018/Q3_Transportation',
    yes: 'Lets the state borrow $106 million for roads, bridges, ports, railroads and other transport works.',
    no: 'Does not let the state borrow the money.',
  },
  {
    file: 'november-2018/Q4_University',
    yes: 'Lets the state borrow $49 million to improve the facilities of its public universities.',
    no: 'Does not let the state borrow the money.',
  },
  {
    file: 'november-2018/Q5_CommunityCollege',
    yes: 'Lets the state borrow $15 million to upgrade its seven community colleges.',
    no: 'Does not let the state borrow the money.',
  },
];

/** The length at which the 2022 results truncate the text of a question, without its `BOND QUESTION 1: `. */
const cutLength = 500;

interface FrontMatter {
  title: string;
  electionDate: string;
  tags: string[];
}

/**
 * Returns the rows of ballot_measures.csv: statewide measures with totals in the results, and Maine's of 2018 without.
 */
export function measureRows(
  source: Source,
  elections: Election[],
  questions: Results['questions'],
): Row<'ballot_measures'>[] {
  const counted = questions
    .filter(({ contest }) => isStatewideMeasure(contest))
    .map(({ election, contest }) => ({ election, row: countedMeasure(contest) }));
  const maine = maineQuestions.map(({ file, yes, no }) => maineMeasure(source, elections, file, yes, no));
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

function maineMeasure(source: Source, elections: Election[], file: string, yes: string, no: string) {
  const [, head = '', body = ''] = source.text(`${folder}/${file}.mdx`).split(/^---$/m);
  const { title, electionDate, tags } = parse(head) as FrontMatter;
  const election = required(
    elections.find(({ state, date }) => state.postal === 'ME' && date === electionDate),
    `an election in ME on ${electionDate}`,
  );
  const question = /## Ballot question\s+["“](.+?)["”] ?\[/s.exec(body)?.[1];
  const row = {
    name: title,
    type: tags.includes('bond') ? 'Bond issue' : tags.includes('citizen-initiative') ? 'Citizen initiative' : null,
    status: tags.includes('passed') ? 'Approved' : tags.includes('did-not-pass') ? 'Defeated' : null,
    official_title: required(question, `the text of the question in ${file}`),
    yes_vote: yes,
    no_vote: no,
  };
  return { election, row };
}
