import { type Kysely, sql } from 'kysely';

/** The statuses that tell nothing about the outcome, which packages without the grant `results` include (0024, 0041). */
const OPEN_CANDIDATE_STATUSES = ['Candidacy Declared', 'On the Ballot', 'Withdrew', 'Disqualified', 'Deceased'];
const OPEN_MEASURE_STATUSES = [
  ...['Proposed', 'Gathering signatures', 'Signatures submitted', 'Certified to the legislature'],
  ...['Qualified for the ballot', 'On the ballot', 'Not on the ballot'],
  ...['Pending official review', 'Pending judicial ruling'],
];
/** The value of a column of a row `$` if it is one of some texts. */
const oneOf = (column: string, texts: readonly string[]) =>
  `case when $.${column} in (${texts.map((text) => `'${text}'`).join(', ')}) then $.${column} end`;

/** The state of the district with an id. */
const stateOf = (id: string) => `(select d.state from districts as d where d.id = ${id})`;
const ofElection = (id: string) =>
  `(select d.state from elections as e join districts as d on d.id = e.district_id where e.id = ${id})`;

/** Fields of the schema, each with the columns whose change is one of the field; an expression has `$` for the row. */
type Fields = Readonly<Record<string, readonly string[]>>;

interface Records {
  readonly kind: string;
  /** The state of a row `$`; records of some kinds have none. */
  readonly state?: string;
  /** The fields by the grant that they need besides that of the type; none for ''. */
  readonly fields: Readonly<Record<string, Fields>>;
  /** What else is noted where rows `$` come or go, or one of some columns changes. */
  readonly also?: { readonly columns: readonly string[]; readonly note: string };
}

/** Returns fields that have the name of their column, without `_id`. */
function same(...columns: string[]): Fields {
  const nameOf = (column: string) =>
    column.replace(/_id$/, '').replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(columns.map((column) => [nameOf(column), [column]]));
}

const RECORDS: Readonly<Record<string, Records>> = {
  districts: {
    kind: 'district',
    state: 'state',
    fields: {
      '': { ...same('type', 'name', 'state', 'url'), ocdId: ['ocdid'], geoId: ['geo_id'], ncesId: ['nces_id'] },
    },
    // A place to vote names the districts that there are.
    also: {
      columns: ['id'],
      note: `select distinct 'voting_place'::record_kind, p.id, '', 'UPDATED', array['districts'], coalesce(p.state, ${ofElection('p.election_id')})
      from $ as x join voting_places as p on p.district_ids @> array[x.id]`,
    },
  },
  boundaries: {
    kind: 'boundary',
    state: stateOf('$.district_id'),
    fields: { '': same('district_id', 'start_date', 'end_date', 'precise'), boundaries: { geometry: ['digest'] } },
  },
  parties: { kind: 'party', fields: { '': same('name', 'url') } },
  offices: {
    kind: 'office',
    state: stateOf('$.district_id'),
    fields: {
      '': {
        ...same('district_id', 'name', 'type', 'level', 'branch', 'chamber', 'seat', 'url'),
        partisanship: ['is_partisan'],
        isPartisan: [oneOf('is_partisan', ['Partisan all', 'Nonpartisan all'])],
      },
    },
  },
  persons: { kind: 'person', fields: { '': same('name', 'first_name', 'last_name', 'url', 'image_url') } },
  officeholders: {
    kind: 'officeholder',
    state: `(select d.state from offices as o join districts as d on d.id = o.district_id where o.id = $.office_id)`,
    fields: {
      '': { ...same('office_id', 'person_id', 'status', 'start_date', 'end_date'), party: ['partisan_affiliation'] },
    },
  },
  elections: {
    kind: 'election',
    state: stateOf('$.district_id'),
    fields: {
      '': {
        ...same('date', 'type', 'description', 'candidate_lists_complete', 'status'),
        // Packages without the district see its state.
        state: [stateOf('$.district_id')],
      },
      election_districts: same('district_id'),
      voting: {
        votingPlaces: ['voting'],
        deadlines: ['date', `(select d.type || coalesce(d.state, '') from districts as d where d.id = $.district_id)`],
      },
    },
  },
  races: {
    kind: 'race',
    state: ofElection('$.election_id'),
    fields: {
      '': {
        ...same('election_id', 'office_id', 'type', 'year', 'stage_type', 'stage_party', 'office_position', 'url'),
        ...same('number_of_seats', 'is_marquee', 'is_ranked_choice', 'results_certified', 'scope_basis'),
        swearingInDate: ['coalesce($.swearing_in_date, $.term_start_date)'],
      },
      results: { resultNote: ['left_out'] },
    },
  },
  candidates: {
    kind: 'candidate',
    state: `(select d.state from races as r join elections as e on e.id = r.election_id join districts as d on d.id = e.district_id where r.id = $.race_id)`,
    fields: {
      '': {
        ...same('race_id', 'person_id', 'stage_party', 'running_mate', 'is_write_in'),
        ...same('withdrew_still_on_ballot'),
        fecId: ['fec_id'],
        isIncumbent: ['coalesce($.is_incumbent, $.holds_office)'],
        status: [oneOf('cand_status', OPEN_CANDIDATE_STATUSES)],
      },
      results: { status: ['cand_status'], votes: ['votes_for_cand'] },
    },
    // The votes of a precinct name the candidates of the race.
    also: {
      columns: ['id', 'race_id'],
      note: `select distinct 'race'::record_kind, r.id, 'results', 'UPDATED', array['results'], ${ofElection('r.election_id')}
      from $ as x join races as r on r.id = x.race_id
      where exists (select from precinct_results as p where p.race_id = r.id and x.id = any (p.candidate_ids))`,
    },
  },
  ballot_measures: {
    kind: 'ballot_measure',
    state: stateOf('$.district_id'),
    fields: {
      '': {
        ...same('election_id', 'district_id', 'name', 'type', 'official_title', 'yes_vote', 'no_vote', 'url'),
        status: [oneOf('status', OPEN_MEASURE_STATUSES)],
      },
      results: { status: ['status'], ...same('yes_votes_total', 'no_votes_total') },
    },
  },
  voting_places: {
    kind: 'voting_place',
    state: `coalesce($.state, ${ofElection('$.election_id')})`,
    fields: {
      '': {
        ...same('election_id', 'kind', 'name', 'address', 'longitude', 'latitude', 'hours', 'open_intervals'),
        ...same('time_zone', 'status', 'moved_to', 'notes', 'url'),
        districts: ['district_ids'],
      },
    },
  },
};

interface Part {
  readonly table: string;
  /** The record to which a row `$` belongs. */
  readonly of: keyof typeof RECORDS;
  readonly id: string;
  /** The grant, as an expression of the row. */
  readonly grant: string;
  readonly field: string;
}

/** The tables whose rows are part of a record of another table. */
const PARTS: readonly Part[] = [
  { table: 'candidate_parties', of: 'candidates', id: '$.candidate_id', grant: `''`, field: `'parties'` },
  {
    table: 'ranked_choice_rounds',
    of: 'candidates',
    id: '$.candidate_id',
    grant: `'results'`,
    field: `'rankedChoiceRounds'`,
  },
  ...(['person', 'officeholder'] as const).map((owner) => ({
    table: 'contacts',
    of: `${owner}s`,
    id: `$.${owner}_id`,
    grant: '$.collection::text',
    field: `case $.collection when 'contact' then 'contacts' else 'socialLinks' end`,
  })),
  { table: 'precinct_results', of: 'races', id: '$.race_id', grant: `'results'`, field: `'results'` },
  { table: 'deadlines', of: 'elections', id: '$.election_id', grant: `'voting'`, field: `'deadlines'` },
];

const of = (expression: string, row: string) =>
  expression.includes('$') ? expression.replaceAll('$', row) : `${row}.${expression}`;

/**
 * Adds the feed of changes: which records were created, updated and deleted, by any transaction, also by hand.
 *
 * Statements note changes in `pending_changes`; the end of the transaction, where the data version is locked, numbers them: the order of the
 * numbers is the order of the commits, without gaps. A record has one change for each transaction and each grant that its fields need, so that
 * a caller without the grant sees nothing of it. As of `updated_at` (0024), values that follow from other records are not counted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Not the identity of the table: a sequence that is as unlogged as its table cannot be read after a failover.
    create sequence pending_change_ids cache 100;
    create unlogged table pending_changes (
      id bigint not null default nextval('pending_change_ids'),
      kind record_kind not null,
      record_id integer not null,
      needs text not null,
      change text not null,
      fields text[] not null,
      state text
    );
    comment on table pending_changes is 'Always empty for all others: the changes of a transaction until its end.';

    create table change_sets (
      id integer generated always as identity primary key,
      last_sequence bigint not null unique,
      state uuid not null,
      changed_at timestamptz,
      source text
    );
    create index change_sets_of_time on change_sets (changed_at);
    comment on table change_sets is 'The transactions that changed records. Kept for ever: cursors name them.';
    comment on column change_sets.changed_at is 'The start of the transaction; null for the records that are older than the feed.';
    comment on column change_sets.source is 'The data set that was imported; null for changes by other commands, and by hand.';

    create table changes (
      sequence bigint not null,
      set_id integer not null references change_sets,
      kind record_kind not null,
      record_id integer not null,
      needs text not null,
      change text not null check (change in ('CREATED', 'UPDATED', 'DELETED')),
      fields text[],
      state text,
      primary key (kind, needs, sequence)
    );
    -- Not a B-tree, in whose order the planner would look for the few changes of a stream among those of all.
    create index changes_by_number on changes using brin (sequence);
    create index changes_of_deletions on changes (sequence) where change = 'DELETED';
    comment on table changes is 'The feed of changes: one for each record, transaction, and grant that the changed fields need.';
    comment on column changes.needs is 'The grant that the fields need besides that of the type; empty for none.';
    comment on column changes.fields is 'The fields of the schema that changed, of a record that was updated; null if it is not known which.';
    comment on column changes.state is 'The state of the record; null for records of no single state.';

    alter table data_version add last_change bigint not null default 0;
    comment on column data_version.last_change is 'The number of the last change of the feed.';
    alter table data_version add last_compacted bigint not null default 0;
    comment on column data_version.last_compacted is 'The number up to which only the newest change of each record and grant is kept.';

    create function ballotgraph_number_changes() returns void language plpgsql security definer set search_path from current as $$
    declare
      before bigint := (select last_change from data_version);
      own integer;
      numbered bigint;
    begin
      if not exists (select from pending_changes) then return; end if;
      insert into change_sets (last_sequence, state, changed_at, source)
        select before + 1, version.state, update_time(),
          (select min(s.name) from sources as s where s.loaded_at = now() having count(*) = 1)
        from data_version as version
        returning id into own;
      with pending as (
        delete from pending_changes returning *
      ), folded as (
        select kind, record_id, needs, case when count(distinct state) = 1 and bool_and(state is not null) then min(state) end as state,
          -- A truncation notes the parts of a record after the record itself.
          (array_agg(change order by id) filter (where change <> 'UPDATED'))[1] is distinct from 'CREATED' as was_there,
          (array_agg(change order by id desc) filter (where change <> 'UPDATED'))[1] is distinct from 'DELETED' as is_there,
          bool_or(change <> 'UPDATED') as is_whole,
          (select array_agg(distinct field order by field) from unnest(string_to_array(
            string_agg(array_to_string(fields, ' '), ' '), ' ')) as field where field <> '') as fields
        from pending group by kind, record_id, needs
      ), told as (
        select kind, record_id, needs, state, case when is_whole then null else fields end as fields,
          case when not was_there then 'CREATED' when not is_there then 'DELETED' else 'UPDATED' end as change
        from folded as f
        where (was_there or is_there) and (needs = '' or not exists (
          select from folded as whole
          where whole.kind = f.kind and whole.record_id = f.record_id and whole.needs = '' and whole.is_whole))
      )
      insert into changes (sequence, set_id, kind, record_id, needs, change, fields, state)
        select before + row_number() over (order by kind, record_id, needs), own, kind, record_id, needs, change, fields, state
        from told;
      get diagnostics numbered = row_count;
      if numbered = 0 then
        delete from change_sets where id = own;
      else
        update change_sets set last_sequence = before + numbered where id = own;
        update data_version set last_change = before + numbered;
      end if;
    end $$;

    create function change_word(bytes bytea, nth int) returns bigint immutable strict parallel safe language sql
      return ('x' || encode(substring(bytes from 8 * nth - 7 for 8), 'hex'))::bit(64)::bigint;

    create function change_vector(plain bytea, secret bytea) returns bytea immutable strict parallel safe language sql
      return substring(sha256(secret || 'change vector'::bytea || plain) for 12);

    create function change_masked(plain bytea, vector bytea, secret bytea) returns bytea immutable strict parallel safe language plpgsql as $$
    declare
      mask bytea := sha256(secret || 'change mask'::bytea || vector);
    begin
      return int8send(change_word(plain, 1) # change_word(mask, 1)) || int8send(change_word(plain, 2) # change_word(mask, 2))
        || int8send(change_word(plain, 3) # change_word(mask, 3));
    end $$;

    -- The first four bytes of the state of the transaction of a change, which no other database has; 0 before the first change.
    create function change_state(number bigint) returns bytea stable strict parallel safe language sql
      return coalesce((select substring(uuid_send(s.state) for 4) from change_sets as s
        where number > 0 and s.last_sequence >= number order by s.last_sequence limit 1), '\\x00000000'::bytea);

    create function change_cursor(number bigint, newest bytea default null) returns text stable parallel safe language plpgsql as $$
    declare
      secret bytea := (select shared_secret.secret from shared_secret);
      own bytea := int8send(number) || change_state(number);
      plain bytea := own || coalesce(newest, own);
      vector bytea := change_vector(plain, secret);
    begin
      return encode(vector || change_masked(plain, vector, secret), 'hex');
    end $$;
    comment on function change_cursor is 'The number of a change and that of the newest one of which its reader may have values, encrypted with the secret of the database (as election_key, 0025): 72 hexadecimal digits. Gaps between numbers are of changes that the caller may not see.';

    create function change_opened(cursor text) returns bytea stable strict parallel safe language plpgsql as $$
    declare
      vector bytea := substring(decode(cursor, 'hex') for 12);
      -- Not an earlier one: a copy that began under it has other ids of elections.
      secret bytea := (select shared_secret.secret from shared_secret);
      plain bytea := change_masked(substring(decode(cursor, 'hex') from 13), vector, secret);
    begin
      return case when change_vector(plain, secret) = vector then plain end;
    end $$;

    create function change_number(cursor text) returns bigint stable strict parallel safe language plpgsql as $$
    declare
      plain bytea := change_opened(cursor);
      number bigint := change_word(plain, 1);
      newest bigint := change_word(substring(plain from 13), 1);
      last bigint := (select last_change from data_version);
      -- A standby may not have the newest change yet; a primary has lost it.
      is_behind boolean := newest > last and pg_is_in_recovery();
    begin
      if (substring(plain from 9 for 4) = change_state(number) or is_behind and number > last)
        and (substring(plain from 21) = change_state(newest) or is_behind) then
        return number;
      end if;
      return null;
    end $$;
    comment on function change_number is 'The number of a change of which change_cursor returned the text; null for other texts, for changes that this database never had, or lost, and if it lost the newest one.';

    create function change_newest(number bigint, cursor text) returns bytea stable parallel safe language plpgsql as $$
    declare
      plain bytea := change_opened(cursor);
    begin
      -- A standby is behind what the reader has read from another server.
      if change_number(cursor) is not null and change_word(substring(plain from 13), 1) > number then return substring(plain from 13); end if;
      return int8send(number) || change_state(number);
    end $$;
    comment on function change_newest is 'For change_cursor: the newest change, or that of the cursor of its reader if it is newer.';

    create function last_change_before(since timestamptz) returns bigint stable strict language sql set search_path from current
      return (select coalesce(max(s.last_sequence), 0) from change_sets as s
        where s.last_sequence < coalesce((select min(young.last_sequence) from change_sets as young where young.changed_at >= since), 9223372036854775807));

    create function ballotgraph_compact_changes(kept_days int, at_most int) returns boolean language plpgsql set search_path from current as $$
    declare
      done bigint := (select last_compacted from data_version);
      last bigint := last_change_before(now() - make_interval(days => kept_days));
      until bigint := least(last, done + at_most);
    begin
      if until <= done then return false; end if;
      with newest as (
        select kind, record_id, needs, max(sequence) as sequence from changes
        where sequence > done and sequence <= until group by kind, record_id, needs
      ), older as (
        delete from changes as c using newest as n
        where c.kind = n.kind and c.record_id = n.record_id and c.needs = n.needs and c.sequence < n.sequence
        returning n.sequence as kept, n.kind, n.needs, c.change, c.fields, c.state
      ), joined as (
        select kept, kind, needs, bool_or(change = 'CREATED') as is_new, bool_or(fields is null) as is_whole,
          string_agg(array_to_string(fields, ' '), ' ') as fields,
          case when count(distinct state) = 1 and bool_and(state is not null) then min(state) end as state
        from older group by kept, kind, needs
      )
      update changes as c set
        change = case when j.is_new and c.change = 'UPDATED' then 'CREATED' else c.change end,
        fields = case when not j.is_whole and c.fields is not null then (
          select array_agg(distinct field order by field) from unnest(c.fields || string_to_array(j.fields, ' ')) as field) end,
        -- A record that moved to another state is told in all of them.
        state = case when c.state = j.state then c.state end
      from joined as j where c.kind = j.kind and c.needs = j.needs and c.sequence = j.kept;
      -- A record that is told as a whole later is told with all of its fields.
      delete from changes as part using changes as whole
      where whole.sequence > done and whole.sequence <= until and whole.needs = '' and whole.fields is null
        and part.kind = whole.kind and part.record_id = whole.record_id and part.needs <> '' and part.sequence < whole.sequence
        and (whole.state is null or whole.state = part.state);
      update data_version set last_compacted = until;
      return until < last;
    end $$;
    comment on function ballotgraph_compact_changes is 'Of the changes of transactions that are older than so many days, keeps the newest of each record and grant, which then tells what the others told; of so many changes at once. Returns whether some are left.';

    create function ballotgraph_drop_deletions(kept_days int, at_most int) returns boolean language plpgsql set search_path from current as $$
    declare
      last bigint := last_change_before(now() - make_interval(days => kept_days));
      lost bigint;
    begin
      with gone as (
        select kind, record_id, sequence from changes where change = 'DELETED' and sequence <= last order by sequence limit at_most
      ), dropped as (
        delete from changes as c using gone as g
        where c.kind = g.kind and c.record_id = g.record_id and c.sequence <= g.sequence
      )
      select max(sequence) into lost from gone;
      if lost is null then return false; end if;
      update change_sets set state = gen_random_uuid()
      where last_sequence <= (select min(s.last_sequence) from change_sets as s where s.last_sequence >= lost);
      -- Responses that are cached have cursors which are unknown now.
      insert into data_changes default values;
      return true;
    end $$;
    comment on function ballotgraph_drop_deletions is 'Removes the deletions of transactions that are older than so many days, with what came before them; of so many records at once. Cursors before the end of the newest transaction that lost one are unknown from then on. Returns whether some may be left.';

    create or replace function raise_data_version() returns trigger language plpgsql security definer set search_path from current as $$
    begin
      delete from data_changes;
      perform set_config('ballotgraph.data_change', '', true);
      insert into data_version (version) values (1)
        on conflict (single) do update
        set version = data_version.version + 1, state = gen_random_uuid(), changed_at = now();
      perform ballotgraph_number_changes();
      perform pg_notify('ballotgraph_data_version', version::text) from data_version;
      return null;
    end $$;
  `.execute(db);
  for (const [table, records] of Object.entries(RECORDS)) await noteRecords(db, table, records);
  for (const table of new Set(PARTS.map((part) => part.table))) await noteParts(db, table);
  await tellOfPresent(db);
}

/** Tells of the records that exist already, so that a copy can be made from the start of the feed. */
async function tellOfPresent(db: Kysely<unknown>): Promise<void> {
  for (const [table, { kind, state }] of Object.entries(RECORDS)) {
    // A kind that an earlier migration of this transaction added cannot be used yet, and has no records.
    const { rows } = await sql`select from ${sql.table(table)} limit 1`.execute(db);
    if (rows.length === 0) continue;
    await sql`
      insert into pending_changes (kind, record_id, needs, change, fields, state)
      select ${sql.lit(kind)}, x.id, '', 'CREATED', '{}', ${sql.raw(state ? of(state, 'x') : 'null')} from ${sql.table(table)} as x
    `.execute(db);
  }
  await sql`select ballotgraph_number_changes()`.execute(db);
  await sql`update change_sets set changed_at = null`.execute(db);
}

/** The rows `$` in which an update changed one of some columns, as they were and as they are. */
function changedIn(columns: readonly string[]): string {
  const without = (rows: string, others: string) =>
    `select x.* from ${rows} as x where not exists (
      select from ${others} as o where ${columns.map((column) => `o.${column} = x.${column}`).join(' and ')})`;
  return `(${without('old_rows', 'new_rows')} union all ${without('new_rows', 'old_rows')})`;
}

/** Creates the triggers that note the changes of a table of records. */
async function noteRecords(db: Kysely<unknown>, table: string, { kind, state, fields, also }: Records): Promise<void> {
  const stateIn = (row: string) => (state ? of(state, row) : 'null');
  const note = (...values: string[]) =>
    sql.raw(
      values
        .map((each) => `insert into pending_changes (kind, record_id, needs, change, fields, state) ${each};`)
        .join(' '),
    );
  const whole = (change: string, from: string) =>
    note(
      `select '${kind}', x.id, '', '${change}', '{}', ${stateIn('x')} from ${from} as x`,
      ...(also ? [also.note.replace('$', from)] : []),
    );
  const isChanged = (columns: readonly string[]) =>
    columns.map((column) => `${of(column, 'old_row')} is distinct from ${of(column, 'new_row')}`).join(' or ');
  const byGrant = Object.entries(fields).map(([needs, of]) => {
    const each = Object.entries(of).map(([field, columns]) => `case when ${isChanged(columns)} then '${field}' end`);
    return `('${needs}', array_remove(array[${each.join(', ')}]::text[], null))`;
  });
  const updated = note(
    `
    select '${kind}', coalesce(new_row.id, old_row.id), part.needs,
      case when old_row.id is null then 'CREATED' when new_row.id is null then 'DELETED' else 'UPDATED' end, part.fields,
      -- A record that moves to another state is told in all of them.
      case when old_row.id is null then ${stateIn('new_row')} when new_row.id is null then ${stateIn('old_row')}
        when ${stateIn('old_row')} = ${stateIn('new_row')} then ${stateIn('new_row')} end
    -- Never a nested loop, whatever the plan that is kept was made for.
    from old_rows as old_row full join new_rows as new_row on new_row.id = old_row.id
    cross join lateral (values ${byGrant.join(', ')}) as part (needs, fields)
    where part.fields <> '{}'`,
    ...(also ? [also.note.replace('$', changedIn(also.columns))] : []),
  );
  await createTriggers(db, table, {
    insert: whole('CREATED', 'new_rows'),
    update: updated,
    delete: whole('DELETED', 'old_rows'),
    truncate: whole('DELETED', table),
  });
}

/** The districts whose elections show a rule of deadlines `x`: those of its state, and with the argument `state` those of the country. */
const HOLDERS = `(
  select holder.id from districts as place
  join districts as holder on holder.type = 'Country' or holder.type = 'State' and holder.state = place.state
  where place.id = x.district_id and place.type = 'State')`;

/** The rows that an update changed, as they were and as they are: not those that it left alone. */
const CHANGED = '((table old_rows except table new_rows) union all (table new_rows except table old_rows))';

/** Creates the triggers that note the changes of a table whose rows are parts of records. */
async function noteParts(db: Kysely<unknown>, table: string): Promise<void> {
  const noted = (from: string) =>
    PARTS.filter((part) => part.table === table)
      .map(({ of: owner, id, grant, field }) => {
        const record = RECORDS[owner] as Records;
        const [own, state] = [id.replace('$', 'x'), record.state ? of(record.state, 'record') : 'null'];
        const other = table === 'deadlines' ? ` or x.election_id is null and record.district_id in ${HOLDERS}` : '';
        return `insert into pending_changes (kind, record_id, needs, change, fields, state)
          select distinct '${record.kind}'::record_kind, record.id, ${grant.replace('$', 'x')}, 'UPDATED', array[${field.replace('$', 'x')}], ${state}
          from ${from} as x join ${owner} as record on record.id = ${own}${other};`;
      })
      .join('\n');
  await createTriggers(db, table, {
    insert: sql.raw(noted('new_rows')),
    update: sql.raw(noted(CHANGED)),
    delete: sql.raw(noted('old_rows')),
    truncate: sql.raw(noted(table)),
  });
}

async function createTriggers(
  db: Kysely<unknown>,
  table: string,
  bodies: Readonly<Record<'insert' | 'update' | 'delete' | 'truncate', ReturnType<typeof sql.raw>>>,
): Promise<void> {
  const ROWS = {
    insert: 'new table as new_rows',
    update: 'old table as old_rows new table as new_rows',
    delete: 'old table as old_rows',
  };
  for (const [event, body] of Object.entries(bodies)) {
    const name = sql.id(`note_${event}_of_${table}`);
    const rows = event === 'truncate' ? sql`` : sql.raw(`referencing ${ROWS[event as keyof typeof ROWS]}`);
    await sql`
      create function ${name}() returns trigger language plpgsql security definer set search_path from current as $$
      begin
        ${body}
        return null;
      end $$;
      create trigger ${sql.id(`note_${event}`)} ${sql.raw(event === 'truncate' ? 'before' : 'after')} ${sql.raw(event)}
        on ${sql.table(table)} ${rows} for each statement execute function ${name}();
    `.execute(db);
  }
}
