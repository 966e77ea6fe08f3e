import { OFFICE, type PlantedViolation, violation } from './violation.ts';

/** Terms of office that contradict each other, the seats of the office, or the results. */
export const TERMS: readonly PlantedViolation[] = [
  violation('two governors', 'overlapping-terms', `update officeholders set end_date = '2024-01-01' where id = 1`),
  violation(
    'two current holders without dates',
    'overlapping-terms',
    `
    ${OFFICE}; insert into officeholders (id, office_id, person_id, status) values (8, 9, 4, 'Current'), (9, 9, 5, 'Current')`,
  ),
  violation(
    'two terms of one person at a time',
    'repeated-terms',
    `
    insert into officeholders (id, office_id, person_id, status, start_date, end_date)
    values (9, 2, 3, 'Current', '2021-01-03', '2025-01-03')`,
  ),
  violation(
    'governors who overlap by a day',
    'overlapping-terms',
    `update officeholders set end_date = '2023-01-04' where id = 1`,
  ),
  violation(
    'two current holders of a seat for one',
    'overlapping-terms',
    `insert into offices (id, district_id, name, level, branch, chamber, one_holder)
      values (9, 31, 'State Representative', 'State', 'Legislative', 'Lower', true);
    insert into officeholders (id, office_id, person_id, status) values (8, 9, 4, 'Current'), (9, 9, 5, 'Current')`,
  ),
  violation(
    'more current holders than seats in the race',
    'overlapping-terms',
    `insert into officeholders (id, office_id, person_id, status) values (9, 4, 6, 'Current')`,
  ),
  violation(
    'a person with seats in two districts',
    'terms-in-two-districts',
    `insert into offices (id, district_id, name, level, branch, chamber) values
      (8, 31, 'State Representative', 'State', 'Legislative', 'Lower'), (9, 32, 'State Representative', 'State', 'Legislative', 'Lower');
    insert into officeholders (id, office_id, person_id, status, start_date) values
      (8, 8, 6, 'Current', '2021-01-05'), (9, 9, 6, 'Current', '2023-01-03')`,
  ),
  violation(
    'a current holder who has not begun',
    'terms-not-begun',
    `update officeholders set start_date = '2025-01-03', end_date = '2027-01-05' where id = 4`,
  ),
  violation(
    'a winner who is not joined with the holder',
    'winners-apart-from-holders',
    `insert into persons (id, name, first_name, last_name) values (9, 'Benjamin Q. Baker', 'Benjamin', 'Baker');
    update candidates set person_id = 9 where id in (1, 9)`,
  ),
];
