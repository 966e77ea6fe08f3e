import { type Kysely, sql } from 'kysely';

/** The office that conducts the elections of each state, the District of Columbia and each territory, with its website. */
const OFFICES = `
AL|Alabama Secretary of State|https://www.sos.alabama.gov/alabama-votes
AK|Alaska Division of Elections|https://www.elections.alaska.gov/
AZ|Arizona Secretary of State|https://azsos.gov/elections
AR|Arkansas Secretary of State|https://www.sos.arkansas.gov/elections
CA|California Secretary of State|https://www.sos.ca.gov/elections
CO|Colorado Secretary of State|https://www.sos.state.co.us/pubs/elections/main.html
CT|Connecticut Secretary of the State|https://portal.ct.gov/sots
DE|Delaware Department of Elections|https://elections.delaware.gov/
DC|District of Columbia Board of Elections|https://www.dcboe.org/
FL|Florida Division of Elections|https://dos.fl.gov/elections/
GA|Georgia Secretary of State|https://sos.ga.gov/
HI|Hawaii Office of Elections|https://elections.hawaii.gov/
ID|Idaho Secretary of State|https://voteidaho.gov/
IL|Illinois State Board of Elections|https://www.elections.il.gov/
IN|Indiana Election Division|https://www.in.gov/sos/elections/
IA|Iowa Secretary of State|https://sos.iowa.gov/
KS|Kansas Secretary of State|https://sos.ks.gov/elections/elections.html
KY|Kentucky State Board of Elections|https://elect.ky.gov/
LA|Louisiana Secretary of State|https://www.sos.la.gov/
ME|Maine Secretary of State|https://www.maine.gov/sos/
MD|Maryland State Board of Elections|https://elections.maryland.gov/
MA|Secretary of the Commonwealth of Massachusetts|https://www.sec.state.ma.us/
MI|Michigan Bureau of Elections|https://www.michigan.gov/sos/elections
MN|Minnesota Secretary of State|https://www.sos.state.mn.us/elections-voting/
MS|Mississippi Secretary of State|https://www.sos.ms.gov/elections-voting
MO|Missouri Secretary of State|https://www.sos.mo.gov/elections
MT|Montana Secretary of State|https://sosmt.gov/elections/
NE|Nebraska Secretary of State|https://sos.nebraska.gov/
NV|Nevada Secretary of State|https://www.nvsos.gov/sos/elections
NH|New Hampshire Secretary of State|https://www.sos.nh.gov/elections
NJ|New Jersey Division of Elections|https://www.nj.gov/state/elections/
NM|New Mexico Secretary of State|https://www.sos.nm.gov/
NY|New York State Board of Elections|https://elections.ny.gov/
NC|North Carolina State Board of Elections|https://www.ncsbe.gov/
ND|North Dakota Secretary of State|https://www.sos.nd.gov/
OH|Ohio Secretary of State|https://www.ohiosos.gov/elections/
OK|Oklahoma State Election Board|https://oklahoma.gov/elections.html
OR|Oregon Secretary of State|https://sos.oregon.gov/
PA|Pennsylvania Department of State|https://www.vote.pa.gov/
RI|Rhode Island Department of State|https://vote.sos.ri.gov/
SC|South Carolina State Election Commission|https://scvotes.gov/
SD|South Dakota Secretary of State|https://sdsos.gov/
TN|Tennessee Secretary of State|https://sos.tn.gov/elections
TX|Texas Secretary of State|https://www.sos.texas.gov/elections/
UT|Utah Lieutenant Governor|https://vote.utah.gov/
VT|Vermont Secretary of State|https://sos.vermont.gov/elections/
VA|Virginia Department of Elections|https://www.elections.virginia.gov/
WA|Washington Secretary of State|https://www.sos.wa.gov/elections
WV|West Virginia Secretary of State|https://sos.wv.gov/elections
WI|Wisconsin Elections Commission|https://elections.wi.gov/
WY|Wyoming Secretary of State|https://sos.wyo.gov/Elections/
AS|American Samoa Election Office|https://aselectionoffice.gov/
GU|Guam Election Commission|https://gec.guam.gov/
MP|Commonwealth Election Commission of the Northern Mariana Islands|https://www.votecnmi.gov.mp/
PR|Puerto Rico State Elections Commission|https://www.ceepur.org/
VI|Election System of the Virgin Islands|https://www.vivote.gov/`;

const SOURCE = 'Compiled by hand for Ballotgraph (docs/sources.md)';
const AS_OF = '2026-11-25';

/** Adds the election offices of the states: who tells a voter how and where to vote. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const rows = OFFICES.trim()
    .split('\n')
    .map((line) => line.split('|'))
    .map(([state, name, website]) => sql`(${state}, ${name}, ${website}, ${SOURCE}, ${AS_OF}::date)`);
  await sql`
    create table election_offices (
      state text primary key check (state ~ '^[A-Z]{2}$'),
      name text not null,
      website text not null check (website ~ '^https://'),
      source text not null,
      as_of date not null
    )`.execute(db);
  await sql`comment on table election_offices is 'The office that conducts the elections of a state, with its public website.'`.execute(
    db,
  );
  await sql`insert into election_offices (state, name, website, source, as_of) values ${sql.join(rows)}`.execute(db);
}
