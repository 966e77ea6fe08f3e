-- Takes functions that no stored query needs from everyone but the user who runs this and the owner of the database: functions that
-- execute text as SQL, take locks that outlive a transaction, wait, write large objects or send messages. Migrations run it for the
-- functions that their user owns; an administrator runs it once as a superuser, for those of PostgreSQL and PostGIS.
do $$
declare
  unwanted regprocedure;
begin
  -- Two commands that grant at the same time would fail with "tuple concurrently updated". A user for whom this has revoked the
  -- function does without.
  if has_function_privilege('pg_advisory_xact_lock(bigint)', 'execute') then
    perform pg_advisory_xact_lock(hashtext('ballotgraph export sandbox'));
  end if;
  for unwanted in
    select p.oid from pg_proc p cross join pg_roles r
    where r.rolname = 'ballotgraph_export'
      and p.proname like any (array[
        'st_findextent', 'st_estimatedextent', 'find_srid', '\_postgis\_%', 'addgeometrycolumn', 'dropgeometry%',
        'updategeometrysrid', 'populate_geometry_columns', 'postgis_extensions_upgrade', 'lockrow', 'unlockrows',
        'addauth', 'checkauth', '%ablelongtransactions', 'query_to_xml%', 'table_to_xml%', 'cursor_to_xml%',
        'schema_to_xml%', 'database_to_xml%', 'ts_stat', 'ts_rewrite', 'pg\_%advisory\_%', 'pg_sleep%', 'pg_notify',
        'pg_logical_emit_message', 'lo\_%', 'loread', 'lowrite', 'dblink%', 'crosstab%', 'connectby'])
      and pg_has_role(p.proowner, 'usage')
      and has_function_privilege(r.oid, p.oid, 'execute')
  loop
    execute format('revoke execute on routine %s from public', unwanted);
    execute format('grant execute on routine %s to %I, pg_database_owner', unwanted, current_user);
  end loop;
end $$;
