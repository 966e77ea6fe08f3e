import { type Kysely, sql } from 'kysely';

/**
 * Adds the rotation of the secret of the database. What was issued under the secret before is accepted until the operator
 * ends the overlap. Only adds: a gateway of the version before reads the secret as before.
 *
 * Ids of elections depend on the secret, so that each step is a change of the data: no cached response outlives it. The
 * log of changes names the step, never a secret.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table shared_secret
      add previous_secret bytea check (length(previous_secret) >= 32),
      add rotated_at timestamptz;
    comment on column shared_secret.previous_secret is 'The secret before the last rotation, while what was issued under it is accepted; null when the overlap has ended.';
    comment on column shared_secret.rotated_at is 'The time of the last rotation; null if there was none.';

    create or replace function election_number(key text) returns int stable strict parallel safe language plpgsql as $$
    declare
      vector bytea := substring(decode(key, 'hex') for 12);
      masked bytea := substring(decode(key, 'hex') from 13);
      accepted bytea;
      number int;
    begin
      for accepted in
        select each from shared_secret s, unnest(array[s.secret, s.previous_secret]) each where each is not null
      loop
        number := ('x' || encode(masked, 'hex'))::bit(32)::int # election_key_mask(vector, accepted);
        if encode(substring(sha256(accepted || 'election vector'::bytea || int4send(number)) for 12) || masked, 'hex') = key then
          return number;
        end if;
      end loop;
      return null;
    end $$;
    comment on function election_number is 'The number that election_key encrypted as 32 hexadecimal digits, also with the secret before the last rotation during the overlap; null if it did not.';

    create function election_number_in_cursor(key text) returns int stable strict parallel safe language plpgsql as $$
    declare
      number int := election_number(key);
    begin
      if number is null then
        raise exception 'the cursor has the key of no election' using errcode = 'UC001';
      end if;
      return number;
    end $$;
    comment on function election_number_in_cursor is 'Like election_number, but fails with UC001 instead of null: rows would be missing after such a cursor.';

    alter table access_changes drop constraint access_changes_kind_check,
      add constraint access_changes_kind_check check (kind in ('key', 'package', 'origin', 'secret'));
    comment on table access_changes is 'The changes to API keys, packages, allowed origins and the secret of the database, by triggers. It never contains a secret, a key or its digest.';
    comment on column access_changes.name is 'The public prefix of the key, the name of the package, the origin, or the table shared_secret.';

    create function log_secret_change() returns trigger
      language plpgsql security definer set search_path from current as $$
    begin
      insert into access_changes (operator, kind, name, action, details)
        values (nullif(current_setting('ballotgraph.operator', true), ''), 'secret', 'shared_secret',
          case when new.secret <> old.secret then 'rotated' when new.previous_secret is null then 'ended overlap' else 'changed' end,
          jsonb_build_object('overlap', new.previous_secret is not null));
      return null;
    end $$;
    create trigger log_change after update on shared_secret for each row
      when (old.secret <> new.secret or old.previous_secret is distinct from new.previous_secret)
      execute function log_secret_change();
    create trigger note_data_change after update on shared_secret for each row
      when (coalesce(current_setting('ballotgraph.data_change', true), '') <> 'noted')
      execute function note_data_change();
  `.execute(db);
}
