import { type Kysely, sql } from 'kysely';

/**
 * Compares maps with the index of pieces and that of the districts of a state, whatever the planner estimates, which
 * knows the size of neither map. For two maps of 400 districts it compared the boxes of all 40 million pairs of pieces, and for a
 * map of a state it read the districts of the type in all states. `offset 0` and `is true` keep the planner from
 * joining in another order: the pieces of one map, or of its only compared district, find those of the other one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $$
    declare
      definition constant text := pg_get_functiondef('computed_map_overlaps(date, district_type, text, integer, integer)'::regprocedure);
      first constant integer := strpos(definition, 'part as materialized (');
      next constant integer := strpos(definition, 'overlap as materialized (');
    begin
      execute left(definition, first - 1) || 'own as (
        select id from old where only_new is null union all select id from new where only_new is not null
      ), other as (
        select id from new where only_new is null union all select id from old where only_new is not null
      ), pair as (
        select one.boundary_id as own_id, two.boundary_id as other_id, one.geometry as one, two.geometry as two
        from (
          select piece.boundary_id, piece.geometry from own join boundary_pieces piece on piece.boundary_id = own.id
          where own.id not in (select id from kept) offset 0
        ) one cross join lateral (
          select piece.boundary_id, piece.geometry from boundary_pieces piece
          where piece.geometry && one.geometry and (piece.boundary_id in (select id from other)) is true
            and piece.boundary_id not in (select id from kept) offset 0
        ) two
      ), part as materialized (
        select case when only_new is null then own_id else other_id end as old_id,
          case when only_new is null then other_id else own_id end as new_id,
          case when ST_Covers(one, two) then two when ST_Covers(two, one) then one
            else ST_CollectionExtract(ST_Intersection(one, two, 1e-9), 3) end as geometry
        from pair
      ), ' || substr(definition, next);
    end $$;

    create or replace function map_on(on_day date, of_type district_type, of_state text) returns setof boundaries
      language sql stable parallel safe as $$
      select b.* from boundaries_in_effect(on_day) b join districts d on d.id = b.district_id
      where d.type = of_type and (d.state = of_state or d.state is null and of_state is null)
        and (b.end_date is distinct from on_day or b.start_date = on_day or not exists (
          select from boundaries next join districts other on other.id = next.district_id
          where next.start_date = on_day and other.type = of_type
            and (other.state = of_state or other.state is null and of_state is null)))
    $$;
  `.execute(db);
}
