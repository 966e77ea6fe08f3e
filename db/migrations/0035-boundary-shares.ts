import { type Kysely, sql } from 'kysely';

/**
 * Stores how much of each boundary lies in another one, for all pairs with the country or with a state of more than 64
 * pieces. Comparing those when requested takes up to seconds, and others milliseconds to a second. Storing these pairs takes
 * 2 s of processor time for the maps of the country and four states (a load of them takes about 30 s), and 60 s for the
 * national store of the benchmark, with 94,000 pieces. All pairs with any boundary of more than 64 pieces took 9 s for the
 * four states. Stored queries may not read the shares: they follow from the boundaries.
 *
 * Triggers keep the shares right whoever writes the pieces. They compare all pieces of the written boundaries, so that
 * pieces may be inserted in any order. A load writes them in batches and stores all shares at its end, which takes 2 s
 * instead of 5 s: it sets `ballotgraph.boundary_shares` to `later`. Without `jit to off`, compiling takes another second.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table detailed_boundaries (
      boundary_id integer primary key references boundaries on delete cascade,
      area float8 not null
    );
    comment on table detailed_boundaries is 'The boundaries of the country, and of states, of more than 64 pieces, of which boundary_shares has the shares.';
    comment on column detailed_boundaries.area is 'In square metres, in the equal-area projection EPSG:6933.';

    create table boundary_shares (
      outer_id integer not null references boundaries on delete cascade,
      inner_id integer not null references boundaries on delete cascade,
      share float8 not null,
      primary key (outer_id, inner_id)
    );
    create index boundary_shares_inner on boundary_shares (inner_id);
    comment on table boundary_shares is 'The pairs of boundaries of which one or both are in detailed_boundaries, and overlap.';
    comment on column boundary_shares.share is 'The share of the area of inner_id that lies in outer_id, to six decimals, 0.001 or more.';

    create function ballotgraph_store_boundary_shares(written integer[]) returns void
      language plpgsql security definer set search_path from current set jit to off as $$
    begin
      delete from boundary_shares where outer_id = any(written);
      delete from boundary_shares where inner_id = any(written);
      delete from detailed_boundaries where boundary_id = any(written);
      insert into detailed_boundaries
        select p.boundary_id, sum(ST_Area(ST_Transform(p.geometry, 6933)))
        from districts d join boundaries b on b.district_id = d.id join boundary_pieces p on p.boundary_id = b.id
        where d.type in ('Country', 'State') and p.boundary_id = any(written)
        group by p.boundary_id having count(*) > 64;
      if not exists (select from detailed_boundaries) then return; end if;
      insert into boundary_shares
        with touched as materialized (select unnest(written) as id),
        pair as (
          select one.boundary_id as one_id, other.boundary_id as other_id, one.geometry as one, other.geometry as other
          from boundary_pieces one
          join boundary_pieces other on other.geometry && one.geometry and other.boundary_id <> one.boundary_id
          where one.boundary_id in (select boundary_id from detailed_boundaries where boundary_id = any(written))
            and (one.boundary_id < other.boundary_id or other.boundary_id not in (select boundary_id from detailed_boundaries)
              or other.boundary_id not in (select id from touched))
          union all
          select one.boundary_id, other.boundary_id, one.geometry, other.geometry
          from boundary_pieces other
          join boundary_pieces one on one.geometry && other.geometry
          where other.boundary_id in (select id from touched)
            and other.boundary_id not in (select boundary_id from detailed_boundaries)
            and one.boundary_id in (select boundary_id from detailed_boundaries)
            and one.boundary_id not in (select id from touched)
        ), overlap as materialized (
          select one_id, other_id, sum(ST_Area(ST_Transform(
            case when ST_Covers(one, other) then other
              when ST_Covers(other, one) then one else ST_Intersection(one, other) end, 6933))) as area
          from pair group by one_id, other_id
        ), size as materialized (
          select boundary_id, area from detailed_boundaries
          union all
          select boundary_id, sum(ST_Area(ST_Transform(geometry, 6933))) from boundary_pieces
          where boundary_id in (select one_id from overlap union select other_id from overlap)
            and boundary_id not in (select boundary_id from detailed_boundaries)
          group by boundary_id
        ), both_ways as (
          select one_id as outer_id, other_id as inner_id, area from overlap
          union all
          select other_id, one_id, area from overlap
        ), shares as (
          select outer_id, inner_id, round(least(both_ways.area / size.area, 1)::numeric, 6)::float8 as share
          from both_ways join size on size.boundary_id = inner_id
        )
        select outer_id, inner_id, share from shares where share >= 0.001;
    end $$;

    create function store_shares_of_pieces() returns trigger language plpgsql as $$
    begin
      perform ballotgraph_store_boundary_shares(array(select distinct boundary_id from written_pieces));
      return null;
    end $$;
    create trigger store_shares_of_inserted after insert on boundary_pieces
      referencing new table as written_pieces for each statement
      when (coalesce(current_setting('ballotgraph.boundary_shares', true), '') <> 'later')
      execute function store_shares_of_pieces();
    create trigger store_shares_of_updated after update on boundary_pieces
      referencing new table as written_pieces for each statement
      when (coalesce(current_setting('ballotgraph.boundary_shares', true), '') <> 'later')
      execute function store_shares_of_pieces();
    create trigger store_shares_of_deleted after delete on boundary_pieces
      referencing old table as written_pieces for each statement
      when (coalesce(current_setting('ballotgraph.boundary_shares', true), '') <> 'later')
      execute function store_shares_of_pieces();

    select ballotgraph_store_boundary_shares(array(select id from boundaries));
    analyze boundary_shares, detailed_boundaries;
  `.execute(db);
}
