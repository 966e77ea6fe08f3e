import { html, svg } from 'lit-html';
import type { Candidate, Race } from './data.ts';
import type { Html } from './dom.ts';
import { icon } from './icons.ts';
import { counted, grouped, partyClass, partyTag, percent } from './words.ts';

interface Counted {
  readonly candidate: Candidate;
  /**
   * Votes after each round; undefined from the round on in which the candidate no longer takes part. Who was elected keeps
   * the votes.
   */
  readonly votes: readonly (number | undefined)[];
}

/** More candidates than this, and the flow shows only the table. */
const MOST_IN_FLOW = 6;

/** Returns whether a race has the rounds of its count. */
export const hasRounds = ({ candidates }: Race) =>
  candidates.some(({ rankedChoiceRounds }) => (rankedChoiceRounds?.length ?? 0) > 1);

/** Renders the rounds of a ranked-choice count: what happened, the last transfer as a flow, and all rounds as a table. */
export function rankedChoice({ candidates }: Race): Html {
  const last = Math.max(
    ...candidates.flatMap(({ rankedChoiceRounds }) => (rankedChoiceRounds ?? []).map(({ round }) => round)),
  );
  const rounds = Array.from({ length: last }, (_, index) => index + 1);
  const rows = candidates
    .filter(({ rankedChoiceRounds }) => (rankedChoiceRounds?.length ?? 0) > 0)
    .map(
      (candidate): Counted => ({
        candidate,
        votes: rounds.map((round) => votesAfter(candidate, round)),
      }),
    )
    .sort(
      (one, other) =>
        other.votes.filter(isNumber).length - one.votes.filter(isNumber).length ||
        (other.votes.findLast(isNumber) ?? 0) - (one.votes.findLast(isNumber) ?? 0),
    );
  const sums = rounds.map((_, index) => rows.reduce((sum, { votes }) => sum + (votes[index] ?? 0), 0));
  const isForOne = candidates.filter(({ isWinner }) => isWinner).length <= 1;
  return html`<p class="small">${isForOne ? story(rows, last) : SEVERAL_WINNERS}</p>${isForOne ? flow(rows, sums, last) : ''}${table(rows, sums, rounds)}
    <p class="sum"><span>${counted(sums.at(-1) ?? 0, 'vote')} in the last round</span>${
      isForOne && rows.length > 1
        ? html`<span>Ahead by ${grouped((rows[0]?.votes.at(-1) ?? 0) - (rows[1]?.votes.at(-1) ?? 0))}</span>`
        : ''
    }</p>`;
}

function votesAfter({ rankedChoiceRounds, isWinner }: Candidate, round: number): number | undefined {
  const found = rankedChoiceRounds?.findLast((each) => (isWinner ? each.round <= round : each.round === round));
  return found?.runningTotal ?? undefined;
}

const isNumber = (value: number | undefined) => value !== undefined;

/** A surplus moves votes away from who is elected, which the flow of the last transfer does not show. */
const SEVERAL_WINNERS =
  'Candidates with enough votes were elected. The votes that they did not need, and the ballots of candidates who dropped out, counted for the next choice.';

function story(rows: readonly Counted[], last: number): string {
  const dropped = rows.filter(({ votes }) => votes.at(-1) === undefined).length;
  const who =
    dropped === 1
      ? 'The last candidate dropped out, and those ballots'
      : 'The last candidates dropped out, and their ballots';
  return `Nobody had more than half after round ${last - 1}. ${who} counted for their next choice.`;
}

const lastName = ({ name }: Candidate) =>
  name
    .split(' ')
    .filter((word) => !/^(jr|sr|i+)\.?$/i.test(word))
    .at(-1) ?? '';

/** Draws the last two rounds. Ribbons from one dropped candidate are exact; from several they are not known. */
function flow(rows: readonly Counted[], sums: readonly number[], last: number): Html {
  const [left, right] = [last - 2, last - 1];
  const before = rows.filter(({ votes }) => votes[left] !== undefined);
  const after = rows.filter(({ votes }) => votes[right] !== undefined);
  const dropped = before.filter((row) => !after.includes(row));
  if (before.length > MOST_IN_FLOW || before.length < 2) return '';
  const [total, remaining] = [sums[left] ?? 0, sums[right] ?? 0];
  const lost = Math.max(total - remaining, 0);
  const gap = 50;
  const scale = (1_000 - gap * (before.length - 1)) / total;
  const stack = (shown: readonly Counted[], round: number) => {
    let y = 0;
    return new Map(
      shown.map((row) => {
        const block = { y, height: (row.votes[round] ?? 0) * scale };
        y += block.height + gap;
        return [row, block] as const;
      }),
    );
  };
  const [lefts, rights] = [stack(before, left), stack(after, right)];
  const lostBlock = { y: 1_000 - lost * scale, height: lost * scale };
  const ribbon = (from: number, to: number, height: number, css: string) =>
    svg`<path class="${css}" d="M14 ${from}C130 ${from} 170 ${to} 286 ${to}V${to + height}C170 ${to + height} 130 ${from + height} 14 ${from + height}Z"/>`;
  const kept = after.map((row) => {
    const [from, to] = [lefts.get(row), rights.get(row)];
    return from && to
      ? svg`<g class="${partyClass(row.candidate.parties[0])}">${ribbon(from.y, to.y, from.height, 'rib')}</g>`
      : '';
  });
  const [only] = dropped;
  let used = (only && lefts.get(only)?.y) ?? 0;
  const moved =
    dropped.length === 1 && only
      ? [
          ...after.map((row) => {
            const gained = ((row.votes[right] ?? 0) - (row.votes[left] ?? 0)) * scale;
            const [from, to] = [lefts.get(row), rights.get(row)];
            const drawn = from && to && gained > 0 ? ribbon(used, to.y + from.height, gained, 'rib') : '';
            used += Math.max(gained, 0);
            return drawn ? svg`<g class="${partyClass(only.candidate.parties[0])}">${drawn}</g>` : '';
          }),
          lost > 0 ? ribbon(used, lostBlock.y, lostBlock.height, 'lost') : '',
        ]
      : '';
  const blocks = (shown: ReadonlyMap<Counted, { y: number; height: number }>, x: number) =>
    [...shown].map(
      ([{ candidate }, { y, height }]) =>
        svg`<g class="${partyClass(candidate.parties[0])}"><rect class="blk" x="${x}" y="${y}" width="14" height="${height}"/></g>`,
    );
  const labels = (shown: ReadonlyMap<Counted, { y: number; height: number }>, round: number, sum: number) =>
    [...shown].map(
      ([{ candidate, votes }, { y, height }]) =>
        html`<span .style="--y:${((y + height / 2) / 10).toFixed(1)}"><b>${lastName(candidate)}</b><small><i>${grouped(votes[round] ?? 0)}</i>${percent((votes[round] ?? 0) / sum)}</small></span>`,
    );
  const description =
    only && dropped.length === 1
      ? `Of ${lastName(only.candidate)}'s ${counted(only.votes[left] ?? 0, 'vote')}, ${after.map((row) => `${grouped((row.votes[right] ?? 0) - (row.votes[left] ?? 0))} went to ${lastName(row.candidate)}`).join(', ')} and ${grouped(lost)} had no further choice.`
      : `Several candidates dropped out in round ${last - 1}: who gained their votes is not known.`;
  return html`<div class="flow"><b>Round ${last - 1}</b><b>Round ${last}</b>
    <div class="col">${labels(lefts, left, total)}</div>
    <svg viewBox="0 0 300 1000" preserveAspectRatio="none" role="img" aria-label="${description}">${kept}${moved}${blocks(lefts, 0)}${blocks(rights, 286)}${
      lost > 0 ? svg`<rect class="lostblk" x="286" y="${lostBlock.y}" width="14" height="${lostBlock.height}"/>` : ''
    }</svg>
    <div class="col">${labels(rights, right, remaining)}${
      lost > 0
        ? html`<span .style="--y:${((lostBlock.y + lostBlock.height / 2) / 10).toFixed(1)}"><small>No further<br>choice ${grouped(lost)}</small></span>`
        : ''
    }</div></div>`;
}

function table(rows: readonly Counted[], sums: readonly number[], rounds: readonly number[]): Html {
  const lostIn = (index: number) => (sums[index - 1] ?? 0) - (sums[index] ?? 0);
  const total = (sums[0] ?? 0) - (sums.at(-1) ?? 0);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Votes after each round"><table class="rounds"><caption class="vh">Votes after each round</caption>
    <thead><tr><th scope="col">Candidate</th>${rounds.map((round) => html`${round > 1 ? html`<th scope="col">Moved</th>` : ''}<th scope="col">Round ${round}</th>`)}</tr></thead>
    <tbody>${rows.map(
      ({ candidate, votes }) =>
        html`<tr><th scope="row">${candidate.name}<br>${partyTag(candidate.parties[0])}</th>${rounds.map((_, index) => {
          const [before, now] = [votes[index - 1], votes[index]];
          const change = (now ?? 0) - (before ?? 0);
          const moved =
            index > 0
              ? html`<td>${before !== undefined ? `${change < 0 ? '−' : '+'}${grouped(Math.abs(change))}` : ''}</td>`
              : '';
          const isLast = index === rounds.length - 1;
          if (now === undefined) return html`${moved}<td><span class="out">Out</span></td>`;
          return html`${moved}<td>${isLast ? html`<b>${grouped(now)}</b>` : grouped(now)}${isLast && candidate.isWinner ? html`<br><span class="tag solid">${icon('check')}Elected</span>` : ''}</td>`;
        })}</tr>`,
    )}
    ${total > 0 ? html`<tr><th scope="row" class="out">No further choice</th>${rounds.map((_, index) => html`${index > 0 ? html`<td>+${grouped(lostIn(index))}</td>` : ''}<td>${index > 0 ? grouped((sums[0] ?? 0) - (sums[index] ?? 0)) : ''}</td>`)}</tr>` : ''}
    </tbody></table></div>`;
}
