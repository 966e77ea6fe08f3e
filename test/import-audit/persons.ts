/**
 * Shows how the database at DATABASE_URL joins the records of persons, without the code of the importers:
 *
 *   npm run node -- test/import-audit/persons.ts [JOINS] > joins.txt
 *
 * Prints how many winners of elections are one record with a holder of their office who has the same last name, then those
 * that are two, then JOINS joins to be checked by a reader: names, offices, days, parties and outcomes of both records. The
 * joins are drawn at random, the same ones each time, with at least one for each rule and state.
 */
import { sql } from 'kysely';
import { openAuditedDatabase } from './database.ts';

const count = Number(process.argv[2] ?? 0);
const db = openAuditedDatabase();

interface Winner {
  readonly day: string;
  readonly office: string;
  readonly name: string;
  readonly person: number;
  readonly holders: readonly { readonly id: number; readonly name: string }[];
}

/** Returns the winners of general elections, with those who hold their office a hundred days later. */
async function winners(): Promise<Winner[]> {
  const { rows } = await sql<Winner>`
    select e.date::text as day, o.name as office, p.name, p.id as person,
      json_agg(json_build_object('id', holder.id, 'name', holder.name)) as holders
    from candidates as c join races as r on r.id = c.race_id join elections as e on e.id = r.election_id
    join persons as p on p.id = c.person_id join offices as o on o.id = r.office_id
    join officeholders as h on h.office_id = o.id join persons as holder on holder.id = h.person_id
    where c.cand_status = 'Won' and r.stage_type not ilike '%primary%'
      and coalesce(h.start_date, case when h.last_shown >= e.date then e.date end) <= e.date + 100
      and (h.end_date is null or h.end_date > e.date + 100)
    group by c.id, e.id, o.id, p.id order by o.name, e.date, p.name`.execute(db);
  return rows;
}

/** Returns the words of a name without accents, of which the last ones are the last name. */
function wordsOf(name: string): string[] {
  return name
    .normalize('NFKD')
    .replace(/\p{M}|['’.]/gu, '')
    .toUpperCase()
    .split(/[^A-Z]+/)
    .filter((word) => !/^(|JR|SR|I{2,3}|IV)$/.test(word));
}

/** Returns whether two names may be of one person: the last word of one is in the other, and the first letters are equal. */
function mayBeOne(a: string, b: string): boolean {
  const [one, other] = [wordsOf(a), wordsOf(b)];
  const isIn = (words: readonly string[], last: string | undefined) =>
    last !== undefined && words.slice(1).includes(last);
  return isIn(one, other.at(-1)) || isIn(other, one.at(-1));
}

interface JoinRow {
  readonly rule: string;
  readonly state: string;
  readonly merged: string;
  readonly name: string;
  readonly of_merged: readonly string[];
  readonly of_person: readonly string[];
}

/** Returns every join with the candidacies and terms of both records. */
async function joins(): Promise<JoinRow[]> {
  const { rows } = await sql<JoinRow>`
    with facts as (
      select 'candidate' as kind, c.id, c.person_id, coalesce(d.state, 'US') as state, concat_ws(' ', e.date,
        o.name, nullif(d.name, o.name), r.office_position, nullif(r.stage_type, 'General'), '(' || (
          select string_agg(y.name, ', ' order by k.position) from candidate_parties as k join parties as y on y.id = k.party_id
          where k.candidate_id = c.id) || ')', c.cand_status, c.votes_for_cand) as text
      from candidates as c join races as r on r.id = c.race_id join offices as o on o.id = r.office_id
      join districts as d on d.id = o.district_id join elections as e on e.id = r.election_id
      union all
      select 'holder', h.id, h.person_id, coalesce(d.state, 'US'), concat_ws(' ', 'term', coalesce(h.start_date::text, '?'),
        'to', coalesce(h.end_date::text, '?'), o.name, nullif(d.name, o.name), '(' || y.name || ')')
      from officeholders as h join offices as o on o.id = h.office_id join districts as d on d.id = o.district_id
      left join parties as y on y.id = h.partisan_affiliation)
    select m.rule, m.name as merged, p.name,
      (select string_agg(distinct state, ',') from facts as f where f.person_id = p.id) as state,
      array(select text from facts as f where f.person_id = p.id
        and f.id = any(case kind when 'candidate' then m.candidates else m.officeholders end) order by 1) as of_merged,
      array(select text from facts as f where f.person_id = p.id
        and f.id <> all(case kind when 'candidate' then m.candidates else m.officeholders end) order by 1) as of_person
    from person_merges as m join persons as p on p.id = m.person_id order by m.merged_id`.execute(db);
  return rows;
}

/** Returns numbers between 0 and 1, the same ones in every run. */
function numbers(): () => number {
  let state = 20_261_123;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const found = await winners();
const one = found.filter(({ person, holders }) => holders.some(({ id }) => id === person));
const two = found.filter((each) => !one.includes(each) && each.holders.some(({ name }) => mayBeOne(each.name, name)));
const all = one.length + two.length;
process.stdout.write(
  `${one.length} of ${all} winners (${((100 * one.length) / Math.max(1, all)).toFixed(1)} %) are one record with the holder of the same last name; ${found.length - all} offices have holders with other last names.\n`,
);
for (const { day, office, name, holders } of two)
  process.stdout.write(`two records: ${day} ${office}: ${name} / ${holders.map((each) => each.name).join(', ')}\n`);

if (count > 0) {
  const random = numbers();
  const shuffled = (await joins()).map((join) => ({ join, order: random() })).sort((a, b) => a.order - b.order);
  const groups = Map.groupBy(shuffled, ({ join: { rule, state } }) => `${rule} ${state}`);
  const firsts = [...groups.values()].flatMap(([first]) => first ?? []);
  const chosen = [...new Set([...firsts, ...shuffled])].slice(0, count).map(({ join }) => join);
  process.stdout.write(`\n${chosen.length} of ${shuffled.length} joins\n`);
  for (const [index, { rule, state, merged, name, of_merged, of_person }] of chosen.entries())
    process.stdout.write(
      `${index + 1}. ${state}: ${merged} = ${name} (${rule})\n   ${of_merged.join('; ')}\n   ${of_person.join('; ')}\n`,
    );
}
await db.destroy();
