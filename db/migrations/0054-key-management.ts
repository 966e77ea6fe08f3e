import { type Kysely, sql } from 'kysely';

/**
 * Adds owner, label, expiry, last use and rotation of API keys, and the log of changes to keys, packages and origins.
 * Only adds: a gateway of the version before reads and writes the same columns as before.
 *
 * The log is written by triggers, so it also has the changes that other programs make. It never has the digest of a key.
 * The last use of a key is no change.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table api_keys
      add owner text check (length(owner) between 1 and 200),
      add label text check (length(label) between 1 and 200),
      add expires_at timestamptz,
      add last_used_at timestamptz,
      add rotation_of integer references api_keys;
    comment on column api_keys.owner is 'The person or organisation that uses the key.';
    comment on column api_keys.label is 'What the key is for.';
    comment on column api_keys.expires_at is 'From this time on the key is not accepted; null for no limit.';
    comment on column api_keys.last_used_at is 'The hour in which the key was last used, as far as gateways have recorded it; null if none has.';
    comment on column api_keys.rotation_of is 'The first key of which this one is a new secret: they count as one key. Null for that first key.';

    create table access_changes (
      id bigint generated always as identity primary key,
      changed_at timestamptz not null default now(),
      operator text,
      database_user text not null default session_user,
      kind text not null check (kind in ('key', 'package', 'origin')),
      name text not null,
      action text not null,
      details jsonb not null
    );
    comment on table access_changes is 'The changes to API keys, packages and allowed origins, by triggers. It never contains a key or its digest.';
    comment on column access_changes.operator is 'The name that the command was given or, without one, that of the user of its machine; null for a change by another program.';
    comment on column access_changes.name is 'The public prefix of the key, the name of the package, or the origin.';
    comment on column access_changes.details is 'The new row; of a change, the old and the new value of each column that changed.';

    create function access_row(changed jsonb) returns jsonb stable language sql as $$
      select jsonb_strip_nulls(changed - '{sha256,last_used_at,package_id}'::text[]
        || jsonb_build_object('package', (select p.name from packages p where p.id = (changed ->> 'package_id')::int)))
    $$;

    create function log_row_change() returns trigger
      language plpgsql security definer set search_path from current as $$
    declare
      operator text := nullif(current_setting('ballotgraph.operator', true), '');
      old_row jsonb := case when tg_op <> 'INSERT' then access_row(to_jsonb(old)) end;
      new_row jsonb := case when tg_op <> 'DELETE' then access_row(to_jsonb(new)) end;
      present jsonb := coalesce(new_row, old_row);
      name text := case tg_argv[0] when 'key' then 'bg_' || (present ->> 'prefix') else present ->> (tg_argv[1]) end;
      action text := case
        when tg_op = 'INSERT' then case when new_row ? 'rotation_of' then 'rotated' else 'created' end
        when tg_op = 'DELETE' then 'removed'
        when (old_row ->> 'active')::boolean and not (new_row ->> 'active')::boolean then 'revoked'
        else 'changed' end;
    begin
      if old_row = new_row then
        return null;
      end if;
      insert into access_changes (operator, kind, name, action, details)
        values (operator, tg_argv[0], name, action, case when tg_op <> 'UPDATE' then present else (
          select jsonb_object_agg(key, jsonb_build_object('from', old_row -> key, 'to', new_row -> key))
          from jsonb_object_keys(old_row || new_row) as key
          where old_row -> key is distinct from new_row -> key) end);
      return null;
    end $$;

    create function log_grant_change() returns trigger
      language plpgsql security definer set search_path from current as $$
    begin
      insert into access_changes (operator, kind, name, action, details)
        select nullif(current_setting('ballotgraph.operator', true), ''), 'package', p.name, tg_argv[0],
          jsonb_build_object('grants', jsonb_agg(g.access_grant order by g.access_grant))
        from changed_grants g join packages p on p.id = g.package_id group by p.name;
      return null;
    end $$;

    create trigger log_change after insert or update or delete on api_keys
      for each row execute function log_row_change('key');
    create trigger log_change after insert or update or delete on packages
      for each row execute function log_row_change('package', 'name');
    create trigger log_change after insert or update or delete on allowed_origins
      for each row execute function log_row_change('origin', 'origin');
    create trigger log_grant after insert on package_grants referencing new table as changed_grants
      for each statement execute function log_grant_change('granted');
    create trigger log_withdrawal after delete on package_grants referencing old table as changed_grants
      for each statement execute function log_grant_change('withdrew');
  `.execute(db);
}
