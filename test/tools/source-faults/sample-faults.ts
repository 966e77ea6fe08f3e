import { type Draw, oneOf, type PlantedFault } from './fault.ts';
import type { ResultTable, Row } from './result-table.ts';

/** The tables of a folder in the exchange format, by the names of their files. */
export type Tables = Readonly<
  Record<'candidates.csv' | 'races.csv' | 'ranked_choice_rounds.csv' | 'ballot_measures.csv', ResultTable>
>;
type Plant = (tables: Tables, draw: Draw, used: Set<string>) => PlantedFault | undefined;

function race(tables: Tables, draw: Draw, used: Set<string>): { readonly id: string; readonly all: Row[] } | undefined {
  const ranked = new Set(tables['ranked_choice_rounds.csv'].rows.map((row) => row.candidate_id));
  const races = [...Map.groupBy(tables['candidates.csv'].rows, (row) => row.race_id ?? '')].filter(([id, all]) => {
    const [won, lost] = ['Won', 'Lost'].map((status) => all.filter((row) => row.cand_status === status));
    const own = tables['races.csv'].rows.find((row) => row.id === id);
    return (
      !used.has(id) &&
      own?.type === 'Regular' &&
      own.is_ranked_choice !== 'true' &&
      own.number_of_seats === '1' &&
      won?.length === 1 &&
      (lost?.length ?? 0) >= 1 &&
      all.every((row) => /^\d+$/.test(row.votes_for_cand ?? '') && !ranked.has(row.id)) &&
      2 * Number(won[0]?.votes_for_cand) > all.reduce((sum, row) => sum + Number(row.votes_for_cand), 0)
    );
  });
  const found = oneOf(draw, races);
  if (!found) return undefined;
  used.add(found[0]);
  return { id: found[0], all: found[1] };
}

/** Returns one of the candidates who lost a race. */
const loserOf = ({ all }: NonNullable<ReturnType<typeof race>>, draw: () => number) =>
  oneOf(
    draw,
    all.filter((row) => row.cand_status === 'Lost'),
  );

/** The faults of the exchange format, by kind. */
export const SAMPLE_FAULTS: Readonly<Record<string, Plant>> = {
  'an outcome unknown though decided'(tables, draw, used) {
    const found = race(tables, draw, used);
    if (!found) return undefined;
    for (const row of found.all) row.cand_status = '';
    return { kind: 'an outcome unknown though decided', checks: ['outcomes-unknown'], names: [found.id] };
  },
  'a winner who is not the leader'(tables, draw, used) {
    const found = race(tables, draw, used);
    const lost = found && loserOf(found, draw);
    if (!found || !lost) return undefined;
    for (const row of found.all) row.cand_status = row === lost ? 'Won' : 'Lost';
    return { kind: 'a winner who is not the leader', checks: ['outcome-against-votes'], names: [found.id] };
  },
  'two winners of one seat'(tables, draw, used) {
    const found = race(tables, draw, used);
    const lost = found && loserOf(found, draw);
    if (!found || !lost) return undefined;
    lost.cand_status = 'Won';
    return { kind: 'two winners of one seat', checks: ['winners-over-seats'], names: [found.id] };
  },
  'percentages in place of votes'(tables, draw, used) {
    const found = race(tables, draw, used);
    if (!found) return undefined;
    const sum = found.all.reduce((total, row) => total + Number(row.votes_for_cand), 0);
    for (const row of found.all) row.votes_for_cand = String(Math.round((100 * Number(row.votes_for_cand)) / sum));
    return { kind: 'percentages in place of votes', checks: ['percentages-as-votes'], names: [found.id] };
  },
  'rounds that do not add up'(tables, draw, used) {
    const row = oneOf(
      draw,
      tables['ranked_choice_rounds.csv'].rows.filter(
        (each) => each.votes_for !== '' && !used.has(each.candidate_id ?? ''),
      ),
    );
    if (!row?.candidate_id) return undefined;
    used.add(row.candidate_id);
    row.votes_for = String(Number(row.votes_for) + 1 + Math.floor(draw() * 500));
    return { kind: 'rounds that do not add up', checks: ['votes-of-rounds'], names: [row.candidate_id] };
  },
};
