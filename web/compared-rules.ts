import { html } from 'lit-html';
import { type Answer, countRaces, readBallot, today } from './answer.ts';
import { type Comparison, changeIn } from './compare.ts';
import { hasBallot } from './data.ts';
import type { Html } from './dom.ts';
import { mapRule, type Rule } from './map-rule.ts';
import { kindOf, longDay } from './words.ts';

/** The number of races whose rule is shown, and of the ballots that are read to find them. */
const MOST_RULES = 2;
const MOST_BALLOTS = 4;

/** A race of a day with all maps of its district. */
interface ElectionRule extends Pick<Rule, 'race' | 'maps'> {
  readonly date: string;
}

/** Says which of two maps counts in the last races before the change: it may not be the one in effect on election day. */
export async function comparedRules({ at, ballots }: Answer, compared: Comparison, signal: AbortSignal): Promise<Html> {
  const change = changeIn(compared);
  if (!change) return '';
  const { type } = change.new.district;
  const sizes = await countRaces(at, ballots, signal);
  const days = sizes.filter((day) => hasBallot(day) && day.date < change.new.boundary.startDate).reverse();
  const rules: ElectionRule[] = [];
  for (const { date } of days.slice(0, MOST_BALLOTS)) {
    const { districts } = await readBallot(at, ballots, date, signal);
    const part = districts.find(({ district }) => district.type === type);
    const race = part?.races.find(({ boundary }) => boundary && boundary.reason !== 'ONLY_ONE_MAP');
    if (part && race) rules.push({ race, date, maps: part.district.boundaries });
    if (rules.length === MOST_RULES) break;
  }
  return rulesSection(rules, kindOf(type).replace(/ district$/, ''));
}

function rulesSection(rules: readonly ElectionRule[], kind: string): Html {
  return rules.length > 0
    ? html`<section class="section"><header><h2>Which map counts in which race</h2><p>It is not always the map in effect on election day.</p></header>
    ${rules.map(({ race, maps, date }, index) => mapRule({ race, maps, electionDay: date, today, isOpen: index === 0, before: `${kind}, ${longDay(date)}: ` }))}</section>`
    : '';
}
