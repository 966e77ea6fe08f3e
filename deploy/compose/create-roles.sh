#!/bin/sh
# The image of PostGIS runs this once, as a superuser, when it has created the database: creates the roles and the extensions of
# Ballotgraph. `npm run migrate` does the rest as the owner, without a superuser.
set -eu
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
\getenv owner_password OWNER_PASSWORD
\getenv gateway_password GATEWAY_PASSWORD
create role ballotgraph login password :'owner_password';
create role ballotgraph_gateway login password :'gateway_password';
alter role ballotgraph_gateway set jit = off;
create role ballotgraph_export nologin noinherit;
grant ballotgraph_export to ballotgraph, ballotgraph_gateway;
alter database :"DBNAME" owner to ballotgraph;
revoke all on database :"DBNAME" from public;
grant connect on database :"DBNAME" to ballotgraph_gateway;
revoke execute on function lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) from public;
create extension if not exists postgis;
create extension if not exists btree_gist;
create extension if not exists pg_trgm;
alter schema public owner to ballotgraph;
SQL
