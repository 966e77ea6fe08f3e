# Patroni runs this once, when it has initialised the cluster, with the address of the new leader for a superuser:
# creates the roles, the database and the extensions of Ballotgraph. `npm run migrate` does the rest, without a superuser.
set -eu
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 "$1" <<'SQL'
create role ballotgraph login password '${BALLOTGRAPH_PASSWORD}';
create role ballotgraph_gateway login password '${GATEWAY_PASSWORD}';
alter role ballotgraph_gateway set jit = off;
create role ballotgraph_export nologin noinherit;
grant ballotgraph_export to ballotgraph, ballotgraph_gateway;
create database ballotgraph owner ballotgraph;
\connect ballotgraph
revoke all on database ballotgraph from public;
grant connect on database ballotgraph to ballotgraph_gateway;
revoke execute on function lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) from public;
create extension postgis;
create extension btree_gist;
create extension pg_trgm;
alter schema public owner to ballotgraph;
SQL
