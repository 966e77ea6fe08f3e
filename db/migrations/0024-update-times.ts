import { type Kysely, sql } from 'kysely';
import { defineOfficeholders } from './0017-offices-on-a-day.ts';

/** The statuses that reveal nothing about the outcome, which packages without the grant `results` include. */
const OPEN_CANDIDATE_STATUSES = ['Candidacy Declared', 'On the Ballot', 'Withdrew', 'Disqualified'];
const OPEN_MEASURE_STATUSES = [
  ...['Proposed', 'Gathering signatures', 'Signatures submitted', 'Certified to the legislature'],
  ...['Qualified for the ballot', 'On the ballot', 'Not on the ballot'],
  ...['Pending official review', 'Pending judicial ruling'],
];

type Value = (row: 'old' | 'new') => string;

const columns = (...names: string[]): Value[] => names.map((name) => (row) => `${row}.${name}`);
const openStatus = (column: string, statuses: readonly string[]): Value => {
  const open = statuses.map((status) => `'${status}'`).join(', ');
  return (row) => `case when ${row}.${column} in (${open}) then ${row}.${column} end`;
};

/**
 * The values of each table whose change is an update of the record, by the column for its time: `updated_at` for those
 * that every package with the type includes, one column each for those that need another grant.
 */
const VALUES: Readonly<Record<string, Readonly<Record<string, Value[]>>>> = {
  districts: { updated_at: columns('type', 'name', 'state', 'ocdid', 'geo_id', 'nces_id', 'url') },
  boundaries: {
    updated_at: columns('district_id', 'start_date', 'end_date', 'precise'),
    geometry_updated_at: columns('digest'),
  },
  parties: { updated_at: columns('name', 'url') },
  offices: {
    updated_at: [
      ...columns('district_id', 'name', 'type', 'level', 'branch', 'chamber'),
      ...columns('is_partisan', 'seat', 'url'),
    ],
  },
  persons: { updated_at: columns('name', 'first_name', 'last_name', 'url') },
  officeholders: {
    updated_at: columns('office_id', 'person_id', 'status', 'start_date', 'end_date', 'partisan_affiliation'),
  },
  elections: { updated_at: columns('date', 'type', 'description', 'candidate_lists_complete') },
  races: {
    updated_at: [
      ...columns('election_id', 'office_id', 'type', 'year', 'stage_type', 'stage_party', 'office_position', 'url'),
      ...columns('number_of_seats', 'is_marquee', 'is_ranked_choice', 'results_certified', 'swearing_in_date'),
    ],
  },
  candidates: {
    updated_at: [
      ...columns('race_id', 'person_id', 'stage_party', 'running_mate', 'fec_id', 'is_write_in'),
      ...columns('withdrew_still_on_ballot'),
      (row) => `coalesce(${row}.is_incumbent, ${row}.holds_office)`,
      openStatus('cand_status', OPEN_CANDIDATE_STATUSES),
    ],
    results_updated_at: columns('cand_status', 'votes_for_cand'),
  },
  ballot_measures: {
    updated_at: [
      ...columns('election_id', 'district_id', 'name', 'type', 'official_title', 'yes_vote', 'no_vote', 'url'),
      openStatus('status', OPEN_MEASURE_STATUSES),
    ],
    results_updated_at: columns('status', 'yes_votes_total', 'no_votes_total'),
  },
};

/** The tables whose rows are part of a record of another table: where they belong, and which of its columns they set. */
const PARTS = [
  { part: 'candidate_parties', key: 'candidate_id', table: 'candidates', time: 'updated_at' },
  { part: 'ranked_choice_rounds', key: 'candidate_id', table: 'candidates', time: 'results_updated_at' },
  ...['contact', 'social'].flatMap((collection) => [
    { part: 'contacts', key: 'person_id', table: 'persons', time: `${collection}_updated_at`, collection },
    { part: 'contacts', key: 'officeholder_id', table: 'officeholders', time: `${collection}_updated_at`, collection },
  ]),
];

/** The expressions of the times that lists are filtered by, besides `updated_at`. */
const FILTERED = [
  ['candidates', 'greatest(updated_at, results_updated_at)'],
  ['ballot_measures', 'greatest(updated_at, results_updated_at)'],
  ['persons', 'greatest(updated_at, contact_updated_at, social_updated_at)'],
  ['officeholders', 'greatest(updated_at, contact_updated_at, social_updated_at)'],
] as const;

/**
 * Adds the time of the last change to each record. Triggers set it, so that every client that writes does. Each part of
 * a record that a package may hide has a time of its own, null if it never changed alone: otherwise the time would tell
 * that something hidden changed. All changes of a transaction have one time, its start in milliseconds.
 *
 * Not counted are values that follow from other records or from the day: a later term ends an earlier one, an office
 * becomes vacant. A migration that adds a column has to create the trigger of its table again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function update_time() returns timestamptz language sql stable parallel safe as $$
      select date_trunc('milliseconds', now())
    $$;
    comment on function update_time is 'The time that a change of this transaction has in updated_at.';
  `.execute(db);
  for (const [table, times] of Object.entries(VALUES)) {
    await sql`alter table ${sql.table(table)} add updated_at timestamptz not null default update_time()`.execute(db);
    for (const [time, values] of Object.entries(times)) {
      if (time !== 'updated_at') await addTime(db, table, time);
      await setOnChange(db, table, time, values);
    }
  }
  for (const table of ['persons', 'officeholders']) {
    await addTime(db, table, 'contact_updated_at');
    await addTime(db, table, 'social_updated_at');
  }
  await defineOfficeholders(db, ['updated_at', 'contact_updated_at', 'social_updated_at']);
  for (const part of new Set(PARTS.map((each) => each.part))) await setOnChangeOfPart(db, part);
  for (const table of Object.keys(VALUES)) {
    await sql`create index ${sql.id(`${table}_updated`)} on ${sql.table(table)} (updated_at)`.execute(db);
  }
  for (const [table, expression] of FILTERED) {
    await sql`create index ${sql.id(`${table}_part_updated`)} on ${sql.table(table)} ((${sql.raw(expression)}))`.execute(
      db,
    );
  }
}

async function addTime(db: Kysely<unknown>, table: string, time: string): Promise<void> {
  await sql`alter table ${sql.table(table)} add ${sql.id(time)} timestamptz`.execute(db);
}

/** Creates the trigger that sets a time when one of these values changes. */
async function setOnChange(db: Kysely<unknown>, table: string, time: string, values: readonly Value[]): Promise<void> {
  const row = (alias: 'old' | 'new') => sql.raw(values.map((value) => value(alias)).join(', '));
  await sql`
    create or replace function ${sql.id(`set_${time}`)}() returns trigger language plpgsql as $$
    begin
      new.${sql.id(time)} := update_time();
      return new;
    end $$;
    create trigger ${sql.id(`set_${time}`)} before update on ${sql.table(table)} for each row
      when (row(${row('old')}) is distinct from row(${row('new')})) execute function ${sql.id(`set_${time}`)}();
  `.execute(db);
}

/** Creates the triggers that set times of the records to which the inserted, changed or deleted rows of a table belong. */
async function setOnChangeOfPart(db: Kysely<unknown>, part: string): Promise<void> {
  const updates = PARTS.filter((each) => each.part === part).map(({ key, table, time, ...of }) => {
    const condition = 'collection' in of ? ` and collection = '${of.collection}'` : '';
    const known = time === 'updated_at' ? 'record.updated_at' : `greatest(record.updated_at, record.${time})`;
    return `update ${table} record set ${time} = update_time()
      where record.id in (select ${key} from changed where ${key} is not null${condition}) and ${known} < update_time();`;
  });
  const name = sql.id(`set_times_of_${part}`);
  await sql`
    create function ${name}() returns trigger language plpgsql as $$
    begin
      ${sql.raw(updates.join('\n      '))}
      return null;
    end $$;
  `.execute(db);
  for (const [event, rows] of [
    ['insert', 'new'],
    ['update', 'old'],
    ['update', 'new'],
    ['delete', 'old'],
  ] as const) {
    await sql`
      create trigger ${sql.id(`set_times_on_${event}_${rows}`)} after ${sql.raw(event)} on ${sql.table(part)}
        referencing ${sql.raw(rows)} table as changed for each statement execute function ${name}();
    `.execute(db);
  }
}
