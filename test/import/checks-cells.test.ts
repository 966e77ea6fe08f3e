import { describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { type Files, fixtureWith } from './folders.ts';
import { changed, useRejections } from './rejections.ts';

const database = useDatabase();
const rejectionOf = useRejections(database);

describe('an invalid cell rejects the load, and is reported', () => {
  test.each<[what: string, files: () => Files, problem: string]>([
    [
      'an id of 0',
      () => changed('persons.csv', '\n24,', '\n0,'),
      'persons.csv:5: id: "0" is not a whole number from 1 to 2147483647',
    ],
    [
      'a negative id',
      () => changed('persons.csv', '\n24,', '\n-24,'),
      'persons.csv:5: id: "-24" is not a whole number',
    ],
    [
      'an id of more than 32 bits',
      () => changed('persons.csv', '\n24,', '\n2147483648,'),
      'persons.csv:5: id: "2147483648" is not a whole number',
    ],
    [
      'an id with a separator',
      () => changed('persons.csv', '\n24,', '\n"1,024",'),
      'persons.csv:5: id: "1,024" is not a whole number',
    ],
    [
      'an id with a leading zero',
      () => changed('persons.csv', '\n24,', '\n024,'),
      'persons.csv:5: id: "024" is not a whole number',
    ],
    [
      'an id in other digits',
      () => changed('persons.csv', '\n24,', '\n٢٤,'),
      'persons.csv:5: id: "٢٤" is not a whole number',
    ],
    [
      'an id with an exponent',
      () => changed('persons.csv', '\n24,', '\n24e0,'),
      'persons.csv:5: id: "24e0" is not a whole number',
    ],
    ['an id that is missing', () => changed('persons.csv', '\n24,', '\n,'), 'persons.csv:5: id: is missing'],
    ['a name that is missing', () => changed('persons.csv', 'Dee Example', ''), 'persons.csv:5: name: is missing'],
    ['a name of blanks', () => changed('persons.csv', 'Dee Example', '  '), 'persons.csv:5: name: "  " is blank'],
    [
      'an unknown district type',
      () => changed('districts.csv', '3,County', '3,county'),
      'districts.csv:4: type: "county" is not one of: Country, Congress, State, State Legislative (Upper)',
    ],
    [
      'a state in small letters',
      () => changed('districts.csv', 'East,VT', 'East,vt'),
      'districts.csv:4: state: "vt" is not a state of two capital letters',
    ],
    [
      'an unknown level',
      () => changed('offices.csv', 'Local', 'Municipal'),
      'offices.csv:3: level: "Municipal" is not one of: Federal, State, Local',
    ],
    [
      'an unknown branch',
      () => changed('offices.csv', 'Executive', 'Sheriff'),
      'offices.csv:3: branch: "Sheriff" is not one of: Legislative, Executive, Judicial',
    ],
    [
      'an unknown chamber',
      () => changed('offices.csv', 'Lower', 'House'),
      'offices.csv:4: chamber: "House" is not one of: Upper, Lower',
    ],
    [
      'a date that does not exist',
      () => changed('elections.csv', '2022-11-08', '2023-02-30'),
      'elections.csv:2: date: "2023-02-30" is not an existing day, YYYY-MM-DD',
    ],
    [
      'a date that only PostgreSQL knows',
      () => changed('elections.csv', '2022-11-08', 'today'),
      'elections.csv:2: date: "today" is not an existing day',
    ],
    [
      'a date in another order',
      () => changed('elections.csv', '2022-11-08', '11/08/2022'),
      'elections.csv:2: date: "11/08/2022" is not an existing day',
    ],
    [
      'a leap day of a year without',
      () => changed('officeholders.csv', '2019-02-01', '2019-02-29'),
      'officeholders.csv:3: start_date: "2019-02-29" is not an existing day',
    ],
    [
      'a boolean in another form',
      () => changed('elections.csv', 'Coming,false', 'Coming,FALSE'),
      'elections.csv:3: candidate_lists_complete: "FALSE" is neither true nor false',
    ],
    [
      'negative votes',
      () => changed('candidates.csv', 'Lost,45', 'Lost,-45'),
      'candidates.csv:3: votes_for_cand: "-45" is not a whole number from 0 to 999999999999',
    ],
    [
      'more votes than sums are exact with',
      () => changed('candidates.csv', 'Lost,45', 'Lost,1000000000000'),
      'candidates.csv:3: votes_for_cand: "1000000000000" is not',
    ],
    [
      'votes with a fraction',
      () => changed('ballot_measures.csv', ',70,', ',70.0,'),
      'ballot_measures.csv:2: yes_votes_total: "70.0" is not a whole number',
    ],
    [
      'no seats',
      () => changed('races.csv', 'General,2,', 'General,0,'),
      'races.csv:3: number_of_seats: "0" is not a whole number from 1',
    ],
    ...['+1', '1,5', '1e2', '.5', '-', '0.1234567', '1000000000000', '-1000000000000', '1234567890.123456'].map(
      (text): [string, () => Files, string] => [
        `votes of a round that are ${text}`,
        () => changed('ranked_choice_rounds.csv', '61,1,50', `61,1,"${text}"`),
        `ranked_choice_rounds.csv:2: votes_for: "${text}" is not a number of votes from -999999999999 to 999999999999 with at most six decimals and 15 digits in all`,
      ],
    ),
    [
      'a round of 0',
      () => changed('ranked_choice_rounds.csv', '61,1,', '61,0,'),
      'ranked_choice_rounds.csv:2: round: "0" is not a whole number from 1',
    ],
    [
      'a year of two digits',
      () => changed('races.csv', ',2024,', ',24,'),
      'races.csv:3: year: "24" is not a year of four digits',
    ],
    [
      'an unknown type of race',
      () => changed('races.csv', 'Special', 'special'),
      'races.csv:3: type: "special" is not one of: Regular, Special, Recall, Retention',
    ],
    [
      'a list with another separator',
      () => changed('candidates.csv', '2;8', '"2,8"'),
      'candidates.csv:2: party_ids: "2,8" is not a list of different whole numbers',
    ],
    [
      'a party twice',
      () => changed('candidates.csv', '2;8', '2;2'),
      'candidates.csv:2: party_ids: "2;2" is not a list of different',
    ],
    [
      'a term that ends before it starts',
      () => changed('officeholders.csv', '2027-01-03', '2020-01-03'),
      'officeholders.csv:2: end_date: 2020-01-03 is before the start, 2021-01-03',
    ],
    [
      'a contact without an owner',
      () => changed('contacts.csv', '31,,contact,Phone', ',,contact,Phone'),
      'contacts.csv:2: officeholder_id: exactly one of officeholder_id and person_id is needed',
    ],
    [
      'a contact of two',
      () => changed('contacts.csv', '31,,contact,Phone', '31,21,contact,Phone'),
      'contacts.csv:2: officeholder_id: exactly one of',
    ],
    [
      'an unknown collection',
      () => changed('contacts.csv', ',social,', ',media,'),
      'contacts.csv:5: collection: "media" is not one of: contact, social',
    ],
    [
      'a row with a cell too few',
      () => changed('parties.csv', '2,Democratic,', '2,Democratic'),
      'parties.csv:3: has 2 cells; the header has 3',
    ],
    [
      'a row with a cell too many',
      () => changed('parties.csv', '2,Democratic,', '2,Democratic,,'),
      'parties.csv:3: has 4 cells; the header has 3',
    ],
  ])('%s', async (_, files, problem) => {
    expect(await rejectionOf(fixtureWith(files()))).toContain(`(1 error):\n  ${problem}`);
  });
});
