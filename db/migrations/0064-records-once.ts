import { type Kysely, sql } from 'kysely';

/** A name as it is compared: without letter case and punctuation. Letters of all scripts count, unlike in `[^[:alnum:]]` of this collation. */
const named = (column: string) =>
  `coalesce(nullif(trim(lower(regexp_replace(${column} collate "C", '[[:space:][:punct:]’‘“”–—]+', ' ', 'g'))), ''), ${column})`;
/** A text by its hash, because no row of an index has more than 2,704 bytes. As uuid it has 16 bytes, which are compared without a collation. */
const hash = (text: string) => `md5(${text})::uuid`;
/** The same, with a value that no text has in practice in place of null. */
const hashed = (text: string) => `coalesce(${hash(text)}, '00000000-0000-0000-0000-000000000000')`;

/**
 * What a record is found by: records of a table that are equal in all of these are one. Expressions come first, so that no lookup by
 * a column uses these larger indexes in place of its own. Null is equal to null, except for the identifiers of districts.
 */
const KEYS: readonly (readonly [constraint: string, table: string, same: string, ...key: string[]])[] = [
  [
    'contacts_once',
    'contacts',
    'owner, kind and contact',
    ...[hashed('contact'), hashed('contact_type'), 'collection', 'coalesce(officeholder_id, -person_id)'],
  ],
  ['parties_once', 'parties', 'name', hashed(named('name'))],
  ['districts_once_by_ocdid', 'districts', 'type and OCD id', hash('lower(ocdid collate "C")'), 'type'],
  ['districts_once_by_nces_id', 'districts', 'type and NCES id', hash('nces_id'), 'type'],
  ['districts_once_by_geo_id', 'districts', 'type and GEOID', hash(`regexp_replace(geo_id, '^.*US', '')`), 'type'],
  [
    'districts_once_by_whole_geo_id',
    'districts',
    'GEOID',
    `case when geo_id ~ '^[[:alnum:]]{7}US' then ${hash('geo_id')} end`,
  ],
  [
    'ballot_measures_once',
    'ballot_measures',
    'election, district, name and official title',
    ...[hashed(named('name')), hashed('official_title'), 'election_id', 'district_id'],
  ],
  [
    'elections_once',
    'elections',
    'district, day, type and description',
    ...[hashed('type'), hashed('description'), 'district_id', 'date'],
  ],
  [
    'officeholders_once',
    'officeholders',
    'office, person and first day, or last day if the first one is not known',
    `coalesce(start_date, '-infinity')`,
    `case when start_date is null then coalesce(end_date, 'infinity') else 'infinity' end`,
    ...['office_id', 'person_id'],
  ],
  [
    'candidates_once',
    'candidates',
    'race, person and party of the stage',
    ...[hashed('stage_party'), 'race_id', 'person_id'],
  ],
  [
    'races_once',
    'races',
    'election, office, position, type, stage and party of the stage',
    ...['office_position', 'type', 'stage_type', 'stage_party'].map((column) => hashed(column)),
    ...['election_id', 'office_id'],
  ],
  [
    'offices_once',
    'offices',
    'district, name, level, branch, chamber and seat',
    ...['name', 'seat'].map((column) => hashed(named(column))),
    ...['level', 'branch', 'array[chamber]', 'district_id'],
  ],
];

const MOST_NAMED = 20;

/**
 * Lets each record exist once. Loads and imports have refused races, elections, offices and measures that exist twice; rows that
 * they accepted, or that were written by hand, are named.
 *
 * These are exclusion constraints, since no unique constraint has expressions, and no unique index can be deferred: a load may
 * exchange the names of two records, and with `--replace` deletes the old one of two after it has written the new one. They add up
 * to 3 seconds for 500,000 records, in which reads wait. Contacts have no ids in files, so none is written before another one is
 * deleted: an index, while reads go on, for 4 seconds.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const repeated: string[] = [];
  for (const [, table, same, ...key] of KEYS) {
    const { rows } = await sql<{ ids: string }>`
      select string_agg(id::text, ', ' order by id) as ids from ${sql.table(table)}
      where num_nulls(${sql.raw(key.join(', '))}) = 0
      group by ${sql.raw(key.map((each) => `(${each})`).join(', '))} having count(*) > 1
      order by min(id) limit ${sql.lit(MOST_NAMED)}`.execute(db);
    repeated.push(...rows.map(({ ids }) => `  ${table}: the ids ${ids} have the same ${same}`));
  }
  if (repeated.length > 0)
    throw new Error(
      `records exist twice (at most ${MOST_NAMED} of a table are listed):\n${repeated.join('\n')}\n` +
        'Delete all but one of each, or correct their sources and load these again, with the version before, whose ' +
        '`npm run check` names all of them (duplicate-…). Then migrate again. Nothing was changed.',
    );
  for (const [name, table, same, ...key] of KEYS) {
    const constraint = sql.ref(name);
    if (table === 'contacts') {
      const columns = sql.raw(key.map((each) => `(${each})`).join(', '));
      await sql`create unique index ${constraint} on contacts (${columns})`.execute(db);
      continue;
    }
    const compared = sql.raw(key.map((each) => `(${each}) with =`).join(', '));
    await sql`
      alter table ${sql.table(table)} add constraint ${constraint}
      exclude using btree (${compared}) deferrable initially deferred`.execute(db);
    await sql`comment on constraint ${constraint} on ${sql.table(table)} is ${sql.lit(same)}`.execute(db);
  }
  await sql`
    alter table districts drop constraint districts_ocdid_key;
    create index districts_by_ocdid on districts (ocdid) where ocdid is not null`.execute(db);
}
