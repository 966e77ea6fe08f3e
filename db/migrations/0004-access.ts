import { type Kysely, sql } from 'kysely';

/** Creates access control: API packages with their grants, API keys, and the allowed browser origins. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create type access_grant as enum (
      'districts', 'officeholders', 'election_dates', 'elections', 'bulk',
      'results', 'contact', 'social', 'election_ids', 'election_districts', 'boundaries'
    );

    create table packages (
      id integer generated always as identity primary key,
      name text not null unique check (name ~ '^[a-z][a-z0-9-]{0,62}$'),
      description text not null
    );

    create table package_grants (
      package_id integer not null references packages on delete cascade,
      access_grant access_grant not null,
      primary key (package_id, access_grant)
    );

    create table api_keys (
      id integer generated always as identity primary key,
      prefix text not null,
      sha256 bytea not null unique check (octet_length(sha256) = 32),
      package_id integer not null references packages,
      active boolean not null default true,
      created_at timestamptz not null default now(),
      revoked_at timestamptz
    );
    comment on column api_keys.prefix is 'The first characters of the key, to tell keys apart in a list. The key itself is never stored.';

    create table allowed_origins (
      origin text primary key check (origin ~ '^https?://[^/?#@\\s]+$')
    );

    insert into packages (name, description) values
      ('full', 'Everything: all endpoints and all data points'),
      ('no-results', 'All endpoints, without winners, votes and outcomes'),
      ('lookup', 'Districts and current officeholders of a point, with contacts; no elections');
    insert into package_grants (package_id, access_grant)
      select id, unnest(enum_range(null::access_grant)) from packages where name = 'full'
      union all
      select id, unnest(array_remove(enum_range(null::access_grant), 'results')) from packages where name = 'no-results'
      union all
      select id, unnest('{districts, officeholders, contact}'::access_grant[]) from packages where name = 'lookup';
  `.execute(db);
}
