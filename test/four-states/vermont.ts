import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { type FourStates, reportOf, TODAY } from './database.ts';
import { type Member, mappedDistricts, membersOf, ocdidOf } from './sources.ts';

export function testVermont(states: FourStates): void {
  describe("Vermont's legislature", () => {
    test('75 of its members of 2026 are in 54 districts that the old map lacks, and each is reported', () => {
      const mapped = mappedDistricts('VT');
      const members = membersOf('2026-08-05').filter(({ state }) => state === 'vt');
      const without = members.filter((member) => !mapped.has(ocdidOf(member)));
      // 180 seats, all of them taken: 105 members sit in districts of a name that the old map has, too.
      expect([members.length, without.length]).toEqual([180, 75]);
      expect(new Set(without.map(ocdidOf)).size).toBe(54);
      const reported = reportOf(states, /2026-08-05/).filter((line) => line.includes('the map in the database lacks'));
      const plain = (text: string) => text.toLowerCase().replaceAll(/[ _]/g, '-');
      const districts = without.map(({ chamber, district }: Member) =>
        plain(`Vermont ${chamber === 'sldu' ? 'State Senate' : 'House of Representatives'} ${district} District`),
      );
      expect(reported.map((line) => plain(/\): (Vermont .*?):/.exec(line)?.[1] ?? '')).sort()).toEqual(
        districts.sort(),
      );
    });

    test('the districts of 2018 have the seats that have members under the same map', async () => {
      const { rows } = await sql<{ ocdid: string; seats: number; winners: number }>`
        select d.ocdid, r.number_of_seats as seats,
          (select count(*) from candidates as c where c.race_id = r.id and c.cand_status = 'Won') as winners
        from races as r join elections as e on e.id = r.election_id join offices as o on o.id = r.office_id
        join districts as d on d.id = o.district_id
        where d.state = 'VT' and d.type = 'State Legislative (Lower)' and e.date = '2018-11-06'`.execute(
        states.database.db,
      );
      const members = membersOf(TODAY).filter(({ state, chamber }) => state === 'vt' && chamber === 'sldl');
      const seats = new Map([...Map.groupBy(members, ocdidOf)].map(([ocdid, { length }]) => [ocdid, length]));
      expect(rows).toHaveLength(104);
      expect(new Map(rows.map(({ ocdid, seats }) => [ocdid, seats]))).toEqual(seats);
      expect(rows.filter(({ seats, winners }) => seats !== winners)).toEqual([]);
    });

    test('on the day of the older edition every seat of Alaska and Vermont has its members, and no other', async () => {
      const members = membersOf(TODAY);
      const known = new Set(members.map(({ id }) => id));
      const { rows } = await sql<{ ocdid: string; ids: string[]; persons: number }>`
        select d.ocdid, array_agg(e.value order by e.value) as ids, count(distinct h.person_id) as persons
        from officeholders as h join offices as o on o.id = h.office_id join districts as d on d.id = o.district_id
        join external_identifiers as e on e.kind = 'person' and e.scheme = 'ocd-person' and e.record_id = h.person_id
        where o.chamber is not null and o.level = 'State' and d.state in ('AK', 'VT')
          and exists (select from boundaries as b where b.district_id = d.id)
          and (h.start_date is null or h.start_date <= ${TODAY}) and (h.end_date is null or h.end_date > ${TODAY})
        group by d.ocdid`.execute(states.database.db);
      const expected = [...Map.groupBy(members, ocdidOf)].map(
        ([ocdid, all]) => [ocdid, all.map(({ id }) => id).sort()] as const,
      );
      const found = rows.map(({ ocdid, ids }) => [ocdid, ids.filter((id) => known.has(id))] as const);
      expect(new Map(found)).toEqual(new Map(expected));
      const sizes = new Map(expected.map(([ocdid, { length }]) => [ocdid, length]));
      expect(rows.filter(({ ocdid, persons }) => persons !== sizes.get(ocdid))).toEqual([]);
    });

    test('between the editions no district has more members than seats', async () => {
      const { rows } = await sql<{ district: string; day: string; members: number }>`
        select d.name as district, x.day::date as day, count(*) as members
        from (values ('2022-06-02'), ('2022-09-15'), ('2022-12-31')) as x (day)
        join officeholders as h on (h.start_date is null or h.start_date <= x.day::date)
          and (h.end_date is null or h.end_date > x.day::date)
        join offices as o on o.id = h.office_id join districts as d on d.id = o.district_id
        where d.state = 'VT' and d.type = 'State Legislative (Lower)'
          and exists (select from boundaries as b where b.district_id = d.id)
        group by 1, 2 having count(*) > 2`.execute(states.database.db);
      expect(rows).toEqual([]);
    });

    test('the members of 2026 are in office', async () => {
      const { rows } = await sql<{ state: string; chamber: string; members: number }>`
        select d.state, o.chamber, count(*) as members
        from officeholders as h join offices as o on o.id = h.office_id join districts as d on d.id = o.district_id
        where o.chamber is not null and o.level = 'State' and h.status = 'Current' group by 1, 2 order by 1, 2`.execute(
        states.database.db,
      );
      expect(rows.map(({ state, chamber, members }) => `${state} ${chamber} ${members}`)).toEqual([
        'AK Upper 20',
        'AK Lower 40',
        'ME Upper 35',
        'ME Lower 150',
        'NM Upper 42',
        'NM Lower 70',
        'VT Upper 30',
        'VT Lower 150',
      ]);
    });
  });
}
