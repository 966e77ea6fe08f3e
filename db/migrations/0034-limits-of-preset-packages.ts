import { type Kysely, sql } from 'kysely';

/**
 * Limits the requests of a key of the preset packages: the key of a widget is public. A package that an operator has
 * limited, described or granted otherwise stays as it is.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    with preset (name, description, grants) as (
      values
        ('full', 'Everything: all endpoints and all data points', enum_range(null::access_grant)),
        ('no-results', 'All endpoints, without winners, votes and outcomes',
          array_remove(enum_range(null::access_grant), 'results')),
        ('lookup', 'Districts and current officeholders of a point, with contacts; no elections',
          '{districts, officeholders, contact}'::access_grant[])
    )
    update packages p set rate_per_second = 100, rate_burst = 1000
    from preset
    where p.name = preset.name and p.description = preset.description
      and p.rate_per_second is null and p.rate_burst is null and p.rate_per_day is null
      and preset.grants = (
        select array_agg(access_grant order by access_grant) from package_grants where package_id = p.id
      )
  `.execute(db);
}
