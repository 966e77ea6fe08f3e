import { type PlantedViolation, violation } from './violation.ts';

/** Impossible votes, outcomes, dates and places of races and measures. */
export const ELECTIONS: readonly PlantedViolation[] = [
  violation(
    'two winners of one seat',
    'winners-over-seats',
    `
    update candidates set cand_status = 'Won', votes_for_cand = 5000 where id = 2`,
  ),
  violation(
    'a winner with fewer votes',
    'outcome-against-votes',
    `update candidates set votes_for_cand = 6000 where id = 2`,
  ),
  violation(
    'a winner in an assumed district',
    'outcomes-without-proof',
    `update races set scope_basis = 'County' where id = 3`,
  ),
  violation(
    'a race with the votes of a total',
    'votes-of-other-races',
    `
    insert into races (id, election_id, office_id, year, type, stage_type, number_of_seats)
    values (9, 1, 2, 2022, 'Regular', 'General', 1);
    insert into candidates (id, race_id, person_id, votes_for_cand, cand_status) values (91, 9, 4, 20000, 'Won'), (92, 9, 5, 10000, 'Lost')`,
  ),
  violation(
    'rounds that do not add up',
    'votes-of-rounds',
    `update ranked_choice_rounds set votes_for = 21 where round = 2`,
  ),
  violation(
    'a round that is missing',
    'rounds-in-sequence',
    `update ranked_choice_rounds set round = 3 where round = 2`,
  ),
  violation(
    'a total among the candidates',
    'subtotals-as-votes',
    `update candidates set votes_for_cand = 4950 where id = 1`,
  ),
  violation(
    'votes before the election',
    'results-before-election',
    `update candidates set votes_for_cand = 5 where id = 9`,
  ),
  violation(
    'an approved measure with fewer votes',
    'outcome-of-measures',
    `
    update ballot_measures set no_votes_total = 700 where id = 1`,
  ),
  violation(
    'a race of another state',
    'ballots-of-other-states',
    `
    insert into offices (id, district_id, name, level, branch) values (9, 3, 'Governor', 'State', 'Executive');
    insert into races (id, election_id, office_id, year, type, stage_type, number_of_seats)
    values (9, 1, 9, 2022, 'Regular', 'General', 1)`,
  ),
  violation(
    'a measure of another state',
    'ballots-of-other-states',
    `update ballot_measures set district_id = 3 where id = 1`,
  ),
  violation('a race of another year', 'dates-of-races', `update races set year = 2018 where id = 1`),
  violation(
    'a swearing-in before the election',
    'dates-of-races',
    `update races set swearing_in_date = '2022-01-01' where id = 1`,
  ),
  violation(
    'a winner without votes',
    'winners-without-votes',
    `update candidates set votes_for_cand = null where id = 1`,
  ),
  violation(
    'a winner with no votes at all',
    'winners-without-votes outcome-against-votes',
    `update candidates set votes_for_cand = 0 where id = 1`,
  ),
  violation(
    'negative votes after a round',
    'negative-rounds',
    `update ranked_choice_rounds set votes_for = case round when 1 then -40 else 100 end where candidate_id = 5`,
  ),
  violation(
    'percentages as votes',
    'percentages-as-votes',
    `update candidates set votes_for_cand = votes_for_cand / 100 where race_id = 1`,
  ),
  violation(
    'percentages of a measure',
    'percentages-as-votes',
    `update ballot_measures set yes_votes_total = 60, no_votes_total = 40`,
  ),
  violation(
    'a race beyond the district of its election',
    'ballots-beyond-their-election',
    `update elections set district_id = 42 where id = 1`,
  ),
  violation(
    'a person who wins in two districts',
    'wins-in-two-districts one-name-in-two-contests',
    `insert into offices (id, district_id, name, level, branch, chamber) values (9, 12, 'U.S. Representative', 'Federal', 'Legislative', 'Lower');
    insert into races (id, election_id, office_id, year, type, stage_type, number_of_seats) values (9, 1, 9, 2022, 'Regular', 'General', 1);
    insert into candidates (id, race_id, person_id, cand_status, votes_for_cand) values (99, 9, 3, 'Won', 5)`,
  ),
];
