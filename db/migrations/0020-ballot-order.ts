import { type Kysely, sql } from 'kysely';

/**
 * Adds the rank of an office on a ballot. It is a column, because relations, stored queries and clients sort by it: the
 * rule is written here only. Local offices are of one rank, except judges, as districts are sorted by their type: county,
 * city, school district, special district.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function office_ballot_rank(level office_level, branch office_branch, chamber chamber, name text)
      returns integer language sql immutable parallel safe as $$
      select case level when 'Federal' then 100 when 'State' then 200 else 300 end
        + case
          when level = 'Local' then case branch when 'Judicial' then 0 else 10 end
          when branch = 'Executive' then case
            when name ~* '^(the )?president\\M' then 0
            when name ~* '^vice[- ]president\\M' then 1
            when name ~* '\\m(lieutenant|lt\\.?) governor\\M' and name !~* '\\mgovernor ?(and|&|/)' then 11
            when name ~* '\\mgovernor\\M' and name !~* '\\mgovernor[''’]?s' then 10
            else 12 end
          when branch = 'Legislative' then case chamber when 'Upper' then 20 when 'Lower' then 21 else 22 end
          else 30 end
    $$;
    comment on function office_ballot_rank is
      'The rank of an office on a ballot: by level; then president and vice president, governor, lieutenant governor and other executives, the upper and the lower chamber, other legislative bodies, judges. Local judges come before other local offices.';

    alter table offices add ballot_rank integer not null
      generated always as (office_ballot_rank(level, branch, chamber, name)) stored;
    comment on column offices.ballot_rank is
      'The rank of the office on a ballot. Offices of one rank are sorted by the type of their district, then by name, seat and id.';
  `.execute(db);
}
