import { type PlantedViolation, RI, violation } from './violation.ts';

/** Names that are empty, malformed or not those of a record. */
export const NAMES: readonly PlantedViolation[] = [
  violation('a district named NaN', 'broken-names', `update districts set name = 'Kent District NaN' where id = 41`),
  violation('an OCD id with NaN', 'broken-names', `update districts set ocdid = '${RI}/county:NaN' where id = 41`),
  violation('an office named undefined', 'broken-names', `update offices set name = 'Judge undefined' where id = 1`),
  violation(
    'a person who is an object',
    'broken-names',
    `update persons set last_name = '[object Object]' where id = 1`,
  ),
  violation('an identifier with undefined', 'broken-names', `update external_identifiers set value = 'fec:undefined'`),
  violation('a measure without a name', 'blank-names', `update ballot_measures set name = '' where id = 1`),
  violation('a person with a space behind', 'blank-names', `update persons set name = 'Ada Able ' where id = 1`),
  violation('a link to NaN', 'broken-names', `update persons set url = 'https://example.org/NaN' where id = 1`),
  violation('a contact that is undefined', 'broken-names', `update contacts set contact = 'undefined'`),
  violation(
    'an object as the text of a measure',
    'broken-names',
    `update ballot_measures set official_title = 'Shall [object Object] be?'`,
  ),
  violation(
    'a name in the wrong encoding',
    'mangled-names',
    `update persons set name = 'Ada \u00C3\u0081lvarez', last_name = null where id = 1`,
  ),
  violation('a name with a lost character', 'mangled-names', `update districts set name = 'Ke\uFFFDt' where id = 41`),
  violation('an office with HTML', 'mangled-names', `update offices set name = 'Parks <br> Roads' where id = 4`),
  violation(
    'a capital after an apostrophe',
    'mangled-names',
    `update offices set name = 'People''S Council' where id = 4`,
  ),
  violation(
    'a total as a person',
    'names-of-no-person',
    `update persons set name = 'Total Votes Cast', last_name = null where id = 6`,
  ),
  violation(
    'overvotes as a person',
    'names-of-no-person',
    `update persons set name = 'Over Votes', last_name = null where id = 6`,
  ),
  violation(
    'blank ballots as a person',
    'names-of-no-person',
    `update persons set name = 'Paper Ballots Cast-Blank' where id = 6`,
  ),
  violation(
    'the undervotes of a judge as a person',
    'names-of-no-person',
    `update persons set name = 'Ada Able - Undervotes', last_name = null where id = 6`,
  ),
];
