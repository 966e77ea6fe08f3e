import { PERSON, type PlantedViolation, violation } from './violation.ts';

/** Records that refer to missing records, and records that no other record needs. */
export const REFERENCES: readonly PlantedViolation[] = [
  violation('a person without office', 'unused-persons', PERSON),
  violation(
    'the source of no record',
    'dangling-provenance',
    `
    insert into record_sources (kind, record_id, source_id) values ('race', 999, 1)`,
  ),
  violation(
    'the identifier of no record',
    'dangling-identifiers',
    `
    insert into external_identifiers (kind, scheme, value, record_id) values ('person', 'fec', 'H2', 999)`,
  ),
];
