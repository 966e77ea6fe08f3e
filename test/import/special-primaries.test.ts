import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { runImport } from '../../src/importers/import.ts';
import { useDatabase } from '../support/database.ts';
import { folderOf } from './folders.ts';

const database = useDatabase();

const HOUSE =
  '<ElectoralDistrictId>ed1</ElectoralDistrictId><Name><Text language="en">Representative in Congress</Text></Name>';
const OFFICES = `<Office id="off1">${HOUSE}</Office><Office id="off2">${HOUSE}<Term><Type>unexpired-term</Type></Term></Office>`;

/** A feed of one candidate of a party without a PersonId in each of some contests for the same seat. */
function feed(
  date: string,
  type: string,
  contests: readonly { readonly office: string; readonly party?: string }[],
): string {
  const elements = contests.map(
    ({ office, party }, index) =>
      `<Candidate id="can${index}"><BallotName><Text language="en">Ann Marsh</Text></BallotName><PartyId>par1</PartyId></Candidate>
      <CandidateSelection id="cs${index}"><CandidateIds>can${index}</CandidateIds></CandidateSelection>
      <CandidateContest id="cc${index}"><BallotSelectionIds>cs${index}</BallotSelectionIds><ElectoralDistrictId>ed1</ElectoralDistrictId>
        <Name>House</Name><NumberElected>1</NumberElected><OfficeIds>${office}</OfficeIds>${party ? `<PrimaryPartyIds>${party}</PrimaryPartyIds>` : ''}</CandidateContest>`,
  );
  const ocdid = (value: string) =>
    `<ExternalIdentifiers><ExternalIdentifier><Type>ocd-id</Type><Value>ocd-division/country:us/state:me${value}</Value></ExternalIdentifier></ExternalIdentifiers>`;
  return `<?xml version="1.0" encoding="UTF-8"?><VipObject schemaVersion="5.2">
    <Source id="src1"><DateTime>2022-05-01T12:00:00</DateTime><Name>Example</Name><VipId>23</VipId></Source>
    <Election id="ele1"><Date>${date}</Date><ElectionType><Text language="en">${type}</Text></ElectionType><StateId>st23</StateId></Election>
    <State id="st23">${ocdid('')}<Name>Maine</Name></State>
    <ElectoralDistrict id="ed1">${ocdid('/cd:1')}<Name>1st District</Name><Type>congressional</Type></ElectoralDistrict>
    <Party id="par1"><Name><Text language="en">Democratic</Text></Name></Party>${OFFICES}${elements.join('')}</VipObject>`;
}

const PRIMARIES = feed('2022-06-14', 'primary', [
  { office: 'off1', party: 'par1' },
  { office: 'off2', party: 'par1' },
]);
const GENERAL = feed('2022-11-08', 'general', [{ office: 'off1' }]);

test.each([
  ['before', [PRIMARIES, GENERAL]],
  ['after', [GENERAL, PRIMARIES]],
])(
  'a person in the regular and the special primary of one day is one, with the primaries %s the general election',
  async (_, feeds) => {
    await sql`truncate districts, persons, sources, record_sources, external_identifiers cascade`.execute(database.db);
    for (const text of feeds) await runImport(database.db, 'vip', [folderOf({ 'feed.xml': text })]);
    const { rows } = await sql<{ persons: number; races: string[] }>`
    select count(distinct c.person_id)::int as persons, array_agg(r.type || ' ' || r.stage_type order by 1) as races
    from candidates as c join races as r on r.id = c.race_id`.execute(database.db);
    expect(rows).toEqual([
      { persons: 1, races: expect.arrayContaining(['Regular General', 'Regular Primary', 'Special Primary']) },
    ]);
  },
);
