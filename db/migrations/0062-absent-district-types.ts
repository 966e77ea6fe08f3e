import { type Kysely, sql } from 'kysely';

const ONE_CHAMBER = [
  [
    'NE',
    'Constitution of Nebraska, article III, section 1: a Legislature that consists of one chamber',
    'https://nebraskalegislature.gov/laws/articles.php?article=III-1',
  ],
  [
    'DC',
    'District of Columbia Official Code, section 1-204.01: the Council, of one chamber, is the legislature',
    'https://code.dccouncil.gov/us/dc/council/code/sections/1-204.01',
  ],
  [
    'GU',
    '48 U.S.C. 1423(a): a legislature that consists of a single house',
    'https://www.law.cornell.edu/uscode/text/48/1423',
  ],
  [
    'VI',
    '48 U.S.C. 1571(a): a legislature that consists of one house',
    'https://www.law.cornell.edu/uscode/text/48/1571',
  ],
] as const;

/**
 * Adds the types of districts that a state does not have, so that coverage and ballots do not list them as missing: the only
 * chamber of a legislature counts as the upper one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const rows = ONE_CHAMBER.map(
    ([state, citation, url]) => sql`(${state}, 'State Legislative (Lower)', ${citation}, ${url})`,
  );
  await sql`
    create table absent_district_types (
      state char(2) not null check (state ~ '^[A-Z]{2}$'),
      type district_type not null,
      citation text not null check (citation <> ''),
      url text not null check (url ~ '^https://'),
      primary key (state, type)
    );
    comment on table absent_district_types is 'Types of districts that a state does not have, and the law that says so.';

    do $$
    declare
      old_part constant text := 'or t.type in (select type from expected_maps)';
      definition constant text := pg_get_functiondef('coverage_on(date, text)'::regprocedure);
    begin
      if strpos(definition, old_part) = 0 then raise 'coverage_on has no "%"', old_part; end if;
      execute replace(definition, old_part, old_part || ' and not exists (
          select from absent_district_types absent where absent.state = s.state and absent.type = t.type)');
    end $$;
  `.execute(db);
  await sql`insert into absent_district_types (state, type, citation, url) values ${sql.join(rows)}`.execute(db);
}
