import { expect, test } from 'vitest';
import { stateByPostal } from '../../src/base/words/states.ts';
import type { ContestFacts } from '../../src/importers/results/contest-facts.ts';
import { officeOfContest } from '../../src/importers/results/contest-offices.ts';
import { plainOffice } from '../../src/importers/results/office-spellings.ts';
import type { Office } from '../../src/importers/results/offices.ts';
import { questionOf } from '../../src/importers/results/questions.ts';
import { retentionOf } from '../../src/importers/results/retentions.ts';
import { useDatabase } from '../support/database.ts';
import { importRows } from './result-rows.ts';

const database = useDatabase();

/** Offices as results of many states write them: state, office, district, dataverse and counties (`*` for all). */
const OFFICES: readonly [source: string, expected: string][] = [
  [
    'UT | PIUTE COUNTY SCHOOL DISTRICT 2 | 2 | LOCAL | PIUTE',
    'Piute County School District | Local Legislative | Piute County School District, District 2 [School district subdivision]',
  ],
  [
    'MT | TREASURER/ASSESSOR/SUPT OF SCHOOLS |  | LOCAL | PHILLIPS',
    'Treasurer/Assessor/Supt of Schools | Local Executive | Phillips County [County]',
  ],
  [
    'IL | COUNTY BOARD MEMBER DISTRICT 2 |  | LOCAL | DuPage',
    'County Board Member | Local Legislative | DuPage County Board Member District 2 [County subdivision]',
  ],
  [
    'NC | BOARD OF COMMISSIONERS | DISTRICT 3 | LOCAL | Wake',
    'Board of Commissioners | Local Legislative | Wake County Commissioner District 3 [County subdivision]',
  ],
  [
    'ID | ADA COUNTY HIGHWAY DISTRICT SUB-DISTRICT 4 |  | LOCAL | Ada',
    'Ada County Highway District | Local Legislative | Ada County Highway District, Sub-District 4 [Special district subdivision]',
  ],
  [
    'MN | SCHOOL BOARD MEMBER DISTRICT 2 (SSD #1) |  | LOCAL | Hennepin',
    'School Board Member (SSD #1) | Local Legislative | Special School District 1, District 2 [School district subdivision]',
  ],
  [
    'IL | FOREST PRESERVE DISTRICT COMMISSIONER, DISTRICT 3 |  | LOCAL | Kane',
    'Forest Preserve District Commissioner | Local Legislative | Kane Forest Preserve District, District 3 [Special district subdivision]',
  ],
  [
    'CO | RTD DIRECTOR | DISTRICT I | LOCAL | Adams,Boulder',
    'RTD Director | Local Legislative | Colorado RTD Director District (Adams, Boulder) RTD Director District I [State subdivision]',
  ],
  [
    'IN | MSD OF WARREN TOWNSHIP SCHOOL BOARD AT LARGE |  | LOCAL | Marion',
    'School Board at Large | Local Legislative | Metropolitan School District of Warren Township [School District]',
  ],
  [
    'IN | METROPOLITAN SCHOOL DISTRICT OF PIKE TOWNSHIP BOARD MEMBER |  | LOCAL | Marion',
    'Board Member | Local Legislative | Metropolitan School District of Pike Township [School District]',
  ],
  [
    'WI | SCHOOL DISTRICT OF BELOIT BOARD MEMBER |  | LOCAL | Rock',
    'Board Member | Local Legislative | School District of Beloit [School District]',
  ],
  [
    'IN | SOUTH LAKE COMMUNITY SCHOOL CORPORATION, AURORA DISTRICT |  | LOCAL | Lake',
    'South Lake Community School Corporation, Aurora District | Local Legislative | South Lake Community School Corporation [School District]',
  ],
  [
    'KY | INDEPENDENT SCHOOL BOARD MEMBER SOMERSET |  | LOCAL | Pulaski',
    'Independent School Board Member | Local Legislative | Somerset School District [School District]',
  ],
  [
    'CO | WELD COUNTY SCHOOL DISTRICT RE-3J DIRECTOR DISTRICT B |  | LOCAL | Weld',
    'Weld County School District RE-3J Director | Local Legislative | Weld County School District RE-3J, District B [School district subdivision]',
  ],
  [
    'FL | VERANDAH EAST CDD SEAT 3 |  | LOCAL | Lee',
    'Verandah East CDD | Local Legislative | Verandah East CDD [Special District] | Seat 3',
  ],
  [
    'VA | SOIL AND WATER CONSERVATION DIRECTOR - NORTHERN LAKES DISTRICT |  | LOCAL | Fairfax',
    'Soil and Water Conservation Director - Northern Lakes District | Local Legislative | Northern Lakes Soil and Water Conservation District [Special District]',
  ],
  [
    'MS | JUSTICE COURT JUDGE DISTRICT 2 |  |  | Hinds',
    'Justice Court Judge | Local Judicial | Hinds County Justice Court Judge District 2 [County subdivision]',
  ],
  [
    'SC | SOLICITOR, CIRCUIT 9 |  | STATE | Berkeley,Charleston',
    'Solicitor | State Executive | South Carolina Solicitor District 9 [Judicial District]',
  ],
  [
    'GA | DISTRICT ATTORNEY - ALCOVY |  | STATE | Newton,Walton',
    'District Attorney - Alcovy | State Executive | Georgia District Attorney - Alcovy District (Newton, Walton) [Judicial District]',
  ],
  [
    'WI | ALDERPERSON DISTRICT 4 CITY OF MADISON |  |  | Dane',
    'Alderperson | Local Legislative | Madison City Council District 4 [City-town subdivision]',
  ],
  ['MN | MAYOR (ST. LOUIS PARK) |  | LOCAL | Hennepin', 'Mayor | Local Executive | St. Louis Park [City-town]'],
  [
    'IA | CITY OF COUNCIL BLUFFS MAYOR |  | LOCAL | Pottawattamie',
    'Mayor | Local Executive | Council Bluffs [City-town]',
  ],
  [
    'FL | CITY OF WINTER PARK COMMISSIONER SEAT 2 |  | LOCAL | Orange',
    'Commissioner | Local Legislative | Winter Park [City-town] | Seat 2',
  ],
  [
    'MN | COUNTY PARK COMMISSIONER DISTRICT 2 |  | LOCAL | Hennepin',
    'County Park Commissioner | Local Legislative | Hennepin County Park Commissioner District 2 [County subdivision]',
  ],
  [
    'KY | METRO COUNCIL, 3RD METRO COUNCIL DISTRICT |  | LOCAL | Jefferson',
    'Metro Council, 3rd Metro Council District | Local Legislative | Jefferson County [County]',
  ],
  [
    'MI | GAINES CHARTER TOWNSHIP TRUSTEE |  | LOCAL | Kent',
    'Trustee | Local Legislative | Gaines Township, Kent County [County subdivision]',
  ],
  [
    'IN | TOWNSHIP BOARD MEMBER CENTER TOWNSHIP |  | LOCAL | Dearborn',
    'Township Board Member | Local Legislative | Center Township, Dearborn County [County subdivision]',
  ],
  [
    'IA | TOWNSHIP TRUSTEE WASHINGTON |  | LOCAL | Lucas',
    'Township Trustee | Local Legislative | Washington Township, Lucas County [County subdivision]',
  ],
  [
    'TX | JUSTICE OF THE PEACE | PRECINCT 5, PLACE 1 | LOCAL | Harris',
    'Justice of the Peace | Local Judicial | Harris County Justice of the Peace Precinct 5 [County subdivision] | Place 1',
  ],
  [
    'TX | JUDGE, COUNTY COURT AT LAW | 004 | LOCAL | Harris',
    'Judge, County Court at Law | Local Judicial | Harris County [County] | Position 4',
  ],
  [
    'PA | SUPERVISOR | PENN TOWNSHIP | LOCAL | Berks',
    'Supervisor | Local Legislative | Penn Township, Berks County [County subdivision]',
  ],
  [
    'OH | TOWNSHIP TRUSTEE | JACKSON | LOCAL | Stark',
    'Township Trustee | Local Legislative | Jackson Township, Stark County [County subdivision]',
  ],
  [
    'PA | MAGISTERIAL DISTRICT JUDGE | 19-1-02 | LOCAL | York',
    'Magisterial District Judge | Local Judicial | Pennsylvania Magisterial District 19-1-02 [Judicial District]',
  ],
  [
    'PA | MEMBER OF COUNCIL | RED LION BOROUGH | LOCAL | York',
    'Member of Council | Local Legislative | Red Lion [City-town]',
  ],
  [
    'AZ | GOVERNING BOARD MEMBER | TUCSON UNIFIED SCHOOL DISTRICT | LOCAL | Pima',
    'Governing Board Member | Local Legislative | Tucson Unified School District [School District]',
  ],
  [
    'IN | SCHOOL BOARD | FORT WAYNE COMMUNITY SCHOOLS DISTRICT 2 | LOCAL | Allen',
    'School Board | Local Legislative | Fort Wayne Community Schools, District 2 [School district subdivision]',
  ],
  [
    'LA | METRO COUNCIL | DISTRICT 9 | LOCAL | East Baton Rouge',
    'Metro Council | Local Legislative | East Baton Rouge Parish Council District 9 [County subdivision]',
  ],
  [
    'NY | CITY COUNCIL | 048 | LOCAL | Kings',
    'City Council | Local Legislative | Kings County City Council District 048 [County subdivision]',
  ],
  [
    'IL | JUDGE, CIRCUIT COURT | 19TH CIRCUIT, 2ND SUBCIRCUIT, ROE VACANCY | STATE | Lake',
    'Judge, Circuit Court | State Judicial | Illinois Circuit Court District 19 [Judicial District] | 2nd Subcircuit, Roe Vacancy',
  ],
  [
    'OH | COURT OF COMMON PLEAS, DOMESTIC RELATIONS |  | LOCAL | Stark',
    'Court of Common Pleas, Domestic Relations | Local Judicial | Stark County [County]',
  ],
  [
    'WA | FIRE PROTECTION DISTRICT 5 COMMISSIONER, POSITION 2 |  | LOCAL | Clark',
    'Fire Protection District 5 Commissioner | Local Legislative | Clark Fire Protection District 5 [Special District] | Position 2',
  ],
  [
    'TX | CONSTABLE PCT. 2 |  | LOCAL | Harris',
    'Constable | Local Executive | Harris County Constable Precinct 2 [County subdivision]',
  ],
  [
    'TX | Houston ISD Trustee, District IX |  |  | Harris',
    'Houston ISD Trustee | Local Legislative | Houston ISD, District IX [School district subdivision]',
  ],
  [
    'TX | COUNTY SCHOOL TRUSTEE, POSITION 5, AT LARGE |  | LOCAL | Harris',
    'County School Trustee | Local Legislative | Harris County School District [School District] | Position 5, At Large',
  ],
  [
    'TX | HARRIS COUNTY MUD NO. 401 DIRECTOR |  | LOCAL | Harris',
    'Harris County MUD No. 401 Director | Local Legislative | Harris County MUD No. 401 [Special District]',
  ],
  [
    'PA | TAX COLLECTOR, PENN TOWNSHIP |  | LOCAL | York',
    'Tax Collector | Local Executive | Penn Township, York County [County subdivision]',
  ],
  [
    'PA | TOWNSHIP SUPERVISOR - MANHEIM |  | LOCAL | York',
    'Township Supervisor | Local Legislative | Manheim Township, York County [County subdivision]',
  ],
  [
    'CA | TRUSTEE, DUBLIN UNIFIED SCHOOL DISTRICT, AREA 4 |  | LOCAL | Alameda',
    'Trustee, Dublin Unified School District | Local Legislative | Dublin Unified School District, Area 4 [School district subdivision]',
  ],
  [
    'FL | COMMUNITY DEVELOPMENT DISTRICT, SEAT 3 |  | LOCAL | Clay',
    'Community Development District | Local Legislative | Clay Community Development District [Special District] | Seat 3',
  ],
  [
    'OH | COMMON PLEAS JUDGE, GENERAL DIVISION (FTC 01/02/2021) |  | LOCAL | Franklin',
    'Common Pleas Judge, General Division | Local Judicial | Franklin County [County] | FTC 01/02/2021',
  ],
  ['VA | MAYOR |  |  | Richmond City', 'Mayor | Local Executive | Richmond City [County]'],
  [
    'VA | MEMBER BOARD OF SUPERVISORS | BRADDOCK |  | Fairfax County',
    'Member Board of Supervisors | Local Legislative | Fairfax County Supervisor Braddock District [County subdivision]',
  ],
  [
    'LA | JUDGE, 1ST JUDICIAL DISTRICT COURT, ES 1, DIV. A |  |  | Caddo',
    'Judge, District Court, Es 1 | State Judicial | Louisiana Judicial District 1 [Judicial District] | Division A',
  ],
  ['LA | SHERIFF, PARISH OF CADDO |  |  | Caddo', 'Sheriff | Local Executive | Caddo Parish [County]'],
  [
    'LA | POLICE JUROR, DISTRICT 4 |  |  | Caddo',
    'Police Juror | Local Legislative | Caddo Parish Police Juror District 4 [County subdivision]',
  ],
  [
    'GA | BOARD OF EDUCATION - POST 5 |  |  | Cobb',
    'Board of Education | Local Legislative | Cobb County School District [School District] | Post 5',
  ],
  [
    'IL | CIRCUIT JUDGE - VACANCY OF ROE | 19TH CIRCUIT |  | Lake',
    'Circuit Judge | State Judicial | Illinois Circuit Court District 19 [Judicial District] | Vacancy of Roe',
  ],
  ['NJ | FREEHOLDER |  |  | Bergen', 'Freeholder | Local Legislative | Bergen County [County]'],
  [
    'NY | COUNTY LEGISLATURE | 5 |  | Monroe',
    'County Legislature | Local Legislative | Monroe County Legislature District 5 [County subdivision]',
  ],
  [
    'MA | DISTRICT ATTORNEY | BERKSHIRE DISTRICT |  | Berkshire',
    'District Attorney | Local Executive | Massachusetts District Attorney Berkshire District [Judicial District]',
  ],
  [
    'WA | STATE HOUSE | 33 - POSITION 2 |  | King',
    'Washington House of Representatives District 33 | State Legislative | Washington House of Representatives District 33 [State Legislative (Lower)] | Position 2',
  ],
  [
    'AZ | CONSTABLE JUSTICE PRECINCT NO. 8 |  |  | Pima',
    'Constable | Local Executive | Pima County Constable Justice Precinct 8 [County subdivision]',
  ],
  [
    'TX | JUSTICE, 14TH COURT OF APPEALS DISTRICT, PLACE 3 |  | STATE | Harris,Fort Bend,Galveston',
    'Justice, Court of Appeals | State Judicial | Texas Court of Appeals District 14 [Judicial District] | Place 3',
  ],
  [
    'TX | COUNTY COMMISSIONER, PRECINCT 2 |  | LOCAL | Travis',
    'County Commissioner | Local Legislative | Travis County Commissioner Precinct 2 [County subdivision]',
  ],
  [
    'TX | County Commissioner Precinct 4 |  |  | Travis',
    'County Commissioner | Local Legislative | Travis County Commissioner Precinct 4 [County subdivision]',
  ],
  [
    'TX | JUSTICE OF THE PEACE PRECINCT 1 PLACE 2 |  | LOCAL | Harris',
    'Justice of the Peace | Local Judicial | Harris County Justice of the Peace Precinct 1 [County subdivision] | Place 2',
  ],
  [
    'TX | Justice of the Peace, Precinct 5, Place 1 |  |  | Harris',
    'Justice of the Peace | Local Judicial | Harris County Justice of the Peace Precinct 5 [County subdivision] | Place 1',
  ],
  [
    'TX | CONSTABLE PRECINCT 3 |  | LOCAL | Harris',
    'Constable | Local Executive | Harris County Constable Precinct 3 [County subdivision]',
  ],
  [
    'NM | JUDGE, ELEVENTH JUDICIAL DISTRICT |  | STATE | San Juan',
    'District Judge | State Judicial | New Mexico Judicial District 11 [Judicial District]',
  ],
  [
    'TN | CHANCELLOR, 20TH JUDICIAL DISTRICT, PART II |  | STATE | Davidson',
    'Chancellor | State Judicial | Tennessee Chancellor District 20 [Judicial District] | Part II',
  ],
  [
    'TN | DISTRICT ATTORNEY GENERAL 20TH JUDICIAL DISTRICT |  | STATE | Davidson',
    'District Attorney General | State Executive | Tennessee Prosecutorial District 20 [Judicial District]',
  ],
  [
    'CT | JUDGE OF PROBATE DISTRICT 01 |  | STATE | Hartford',
    'Judge of Probate | State Judicial | Connecticut Probate District 1 [Judicial District]',
  ],
  [
    'VA | MEMBER BOARD OF SUPERVISORS - MOUNT VERNON DISTRICT |  | LOCAL | Fairfax',
    'Member Board of Supervisors | Local Legislative | Fairfax County Supervisor Mount Vernon District [County subdivision]',
  ],
  [
    'VA | MEMBER SCHOOL BOARD - MASON DISTRICT |  | LOCAL | Fairfax',
    'Member School Board | Local Legislative | Fairfax County School District, Mason District [School district subdivision]',
  ],
  [
    'WV | COUNTY COMMISSIONER CHARLES TOWN DISTRICT |  | LOCAL | Jefferson',
    'County Commissioner Charles Town District | Local Legislative | Jefferson County [County]',
  ],
  [
    'OR | COMMISSIONER FIRE PROTECTION DISTRICT |  | LOCAL | Lake',
    'Commissioner Fire Protection District | Local Legislative | Lake Commissioner Fire Protection District [Special District]',
  ],
  [
    'WA | COMMISSIONER LAKE HOSPITAL DISTRICT |  | LOCAL | Lake',
    'Commissioner Lake Hospital District | Local Legislative | Commissioner Lake Hospital District [Special District]',
  ],
  [
    'OR | WATER DISTRICT 5 |  | STATE | Lake',
    'Water District 5 | State Legislative | Lake Water District 5 [Special District]',
  ],
  ['LA | BESE DISTRICT 5 |  | STATE | Caddo', 'Bese | State Executive | Louisiana Bese District 5 [State subdivision]'],
  [
    'AR | J.P. DIST. 1 |  | LOCAL | Pulaski',
    'Justice of the Peace | Local Judicial | Pulaski County Justice of the Peace District 1 [County subdivision]',
  ],
  [
    'LA | CONSTABLE(S) JUSTICE OF THE PEACE WARD 2 |  | LOCAL | Caddo',
    'Constable(s) Justice of the Peace | Local Executive | Caddo Parish Constable(s) Justice of the Peace Ward 2 [County subdivision]',
  ],
  [
    'ND | PUBLIC SERVICE COMMISSIONER UNEXPIRED 2-YEAR TERM |  | STATE | *',
    'North Dakota Public Service Commissioner | State Executive | North Dakota [State]',
  ],
  [
    'TX | DISTRICT JUDGE, 127TH JUDICIAL DISTRICT |  | STATE | Harris',
    'District Judge | State Judicial | Texas Judicial District 127 [Judicial District]',
  ],
  ['TX | Railroad Commissioner |  |  | Harris', 'Texas Railroad Commissioner | State Executive | Texas [State]'],
  [
    'TX | MEMBER, STATE BOARD OF EDUCATION, DISTRICT 4 |  |  | Harris',
    'Member, State Board of Education | State Executive | Texas Member, State Board of Education District 4 [State subdivision]',
  ],
  [
    'TX | State Board of Education, District 4 | 4 |  | Harris',
    'State Board of Education | State Executive | Texas State Board of Education District 4 [State subdivision]',
  ],
  [
    'TX | JUDGE, COUNTY COURT AT LAW NO. 2 |  | LOCAL | Harris',
    'Judge, County Court at Law | Local Judicial | Harris County [County] | Position 2',
  ],
  [
    'TX | JUDGE, COUNTY CRIMINAL COURT NO 7 |  | LOCAL | Dallas',
    'Judge, County Criminal Court | Local Judicial | Dallas County [County] | Position 7',
  ],
  [
    'TX | PRESIDING JUDGE, COURT OF CRIMINAL APPEALS |  | STATE | *',
    'Texas Presiding Judge, Court of Criminal Appeals | State Judicial | Texas [State]',
  ],
  [
    'TX | Judge, Court of Criminal Appeals Place 7 |  |  | Harris',
    'Texas Judge, Court of Criminal Appeals | State Judicial | Texas [State] | Place 7',
  ],
  [
    'TX | CHIEF JUSTICE, SUPREME COURT |  | STATE | *',
    'Texas Chief Justice, Supreme Court | State Judicial | Texas [State]',
  ],
  [
    'TX | Justice, Supreme Court, Place 6 |  |  | Harris',
    'Texas Justice, Supreme Court | State Judicial | Texas [State] | Place 6',
  ],
  [
    'TX | CRIMINAL DISTRICT ATTORNEY |  | LOCAL | Tarrant',
    'Criminal District Attorney | Local Executive | Tarrant County [County]',
  ],
  ['TX | DISTRICT CLERK |  | LOCAL | Harris', 'District Clerk | Local Executive | Harris County [County]'],
  ['TX | COUNTY JUDGE |  | LOCAL | Harris', 'County Judge | Local Judicial | Harris County [County]'],
  [
    'OH | Judge, Court of Common Pleas |  | LOCAL | Franklin',
    'Judge, Court of Common Pleas | Local Judicial | Franklin County [County]',
  ],
  [
    'OH | JUDGE OF THE COURT OF COMMON PLEAS, DOMESTIC RELATIONS DIVISION |  | LOCAL | Franklin',
    'Judge of the Court of Common Pleas, Domestic Relations Division | Local Judicial | Franklin County [County]',
  ],
  [
    'OH | JUDGE OF THE COURT OF APPEALS, 10TH DISTRICT | 10 | STATE | Franklin',
    'Judge of the Court of Appeals | State Judicial | Ohio Court of Appeals District 10 [Judicial District]',
  ],
  [
    'OH | Judge of the Court of Appeals - 1st District (Term 02/09/2019) |  | STATE | Hamilton',
    'Judge of the Court of Appeals | State Judicial | Ohio Court of Appeals District 1 [Judicial District] | Term 02/09/2019',
  ],
  ['OH | County Auditor |  | LOCAL | Franklin', 'County Auditor | Local Executive | Franklin County [County]'],
  [
    'OH | MEMBER OF STATE BOARD OF EDUCATION (2ND DISTRICT) | 2 | STATE | Lorain,Erie',
    'Member of State Board of Education | State Executive | Ohio Member of State Board of Education District 2 [State subdivision]',
  ],
  [
    'PA | MAGISTERIAL DISTRICT JUDGE 31-1-02 |  | LOCAL | Lehigh',
    'Magisterial District Judge | Local Judicial | Pennsylvania Magisterial District 31-1-02 [Judicial District]',
  ],
  [
    'PA | STATE REPRESENTATIVE 23rd LEGISLATIVE DISTRICT | 23 | STATE | Centre',
    'Pennsylvania House of Representatives District 23 | State Legislative | Pennsylvania House of Representatives District 23 [State Legislative (Lower)]',
  ],
  [
    'PA | Senator in the General Assembly | 12 | STATE | Bucks',
    'Pennsylvania State Senate District 12 | State Legislative | Pennsylvania State Senate District 12 [State Legislative (Upper)]',
  ],
  [
    'PA | Representative in the General Assembly | 131 |  | Lehigh',
    'Pennsylvania House of Representatives District 131 | State Legislative | Pennsylvania House of Representatives District 131 [State Legislative (Lower)]',
  ],
  [
    'PA | STATE REPRESENTATIVE IN THE GENERAL ASSEMBLY 131ST DISTRICT |  |  | Lehigh',
    'Pennsylvania House of Representatives District 131 | State Legislative | Pennsylvania House of Representatives District 131 [State Legislative (Lower)]',
  ],
  ['PA | PROTHONOTARY |  | LOCAL | Lehigh', 'Prothonotary | Local Executive | Lehigh County [County]'],
  ['PA | REGISTER OF WILLS |  | LOCAL | Lehigh', 'Register of Wills | Local Executive | Lehigh County [County]'],
  [
    'PA | JUDGE OF THE SUPERIOR COURT |  | STATE | *',
    'Judge of the Superior Court of Pennsylvania | State Judicial | Pennsylvania [State]',
  ],
  ['PA | JUDGE OF ELECTION |  | LOCAL | Lehigh', 'Judge of Election | Local Judicial | Lehigh County [County]'],
  [
    'FL | STATE ATTORNEY, 13TH JUDICIAL CIRCUIT |  | STATE | Hillsborough',
    'State Attorney | State Executive | Florida Prosecutorial District 13 [Judicial District]',
  ],
  [
    'FL | PUBLIC DEFENDER, 20TH JUDICIAL CIRCUIT | 20 | STATE | Lee,Collier',
    'Public Defender | State Executive | Florida Public Defender District 20 [Judicial District]',
  ],
  [
    'FL | CIRCUIT JUDGE, 11TH JUDICIAL CIRCUIT, GROUP 14 |  | STATE | Miami-Dade',
    'Circuit Judge | State Judicial | Florida Circuit Court District 11 [Judicial District] | Group 14',
  ],
  [
    'FL | Soil and Water Conservation District Supervisor Group 2 |  |  | Leon',
    'Soil and Water Conservation District Supervisor | Local Legislative | Leon Soil and Water Conservation District [Special District] | Group 2',
  ],
  [
    'FL | COUNTY COMMISSIONER DISTRICT 5 |  |  | Leon',
    'County Commissioner | Local Legislative | Leon County Commissioner District 5 [County subdivision]',
  ],
  [
    'FL | SCHOOL BOARD MEMBER DISTRICT 2 |  | LOCAL | Leon',
    'School Board Member | Local Legislative | Leon County School District, District 2 [School district subdivision]',
  ],
  [
    'FL | SUPERVISOR OF ELECTIONS |  | LOCAL | Leon',
    'Supervisor of Elections | Local Executive | Leon County [County]',
  ],
  ['FL | PROPERTY APPRAISER |  | LOCAL | Leon', 'Property Appraiser | Local Executive | Leon County [County]'],
  [
    'FL | CHIEF FINANCIAL OFFICER |  | STATE | *',
    'Florida Chief Financial Officer | State Executive | Florida [State]',
  ],
  [
    'FL | COMMISSIONER OF AGRICULTURE |  | STATE | *',
    'Florida Commissioner of Agriculture | State Executive | Florida [State]',
  ],
  [
    'FL | State Representative | 7 |  | Leon',
    'Florida House of Representatives District 7 | State Legislative | Florida House of Representatives District 7 [State Legislative (Lower)]',
  ],
  [
    'IL | REGIONAL SUPERINTENDENT OF SCHOOLS |  | LOCAL | Adams,Brown',
    'Regional Superintendent of Schools | Local Executive | Illinois Regional Superintendent of Schools District (Adams, Brown) [State subdivision]',
  ],
  [
    'IL | JUDGE OF THE CIRCUIT COURT, 3RD SUBCIRCUIT (SMITH VACANCY) |  | LOCAL | Cook',
    'Judge of the Circuit Court, 3rd Subcircuit | Local Judicial | Cook County [County] | Smith Vacancy',
  ],
  [
    'IL | APPELLATE COURT JUDGE, 1ST DISTRICT |  | STATE | Cook',
    'Appellate Court Judge | State Judicial | Illinois Appellate Court District 1 [Judicial District]',
  ],
  [
    'IL | COUNTY BOARD MEMBER DISTRICT 6 |  | LOCAL | Champaign',
    'County Board Member | Local Legislative | Champaign County Board Member District 6 [County subdivision]',
  ],
  [
    'IL | METROPOLITAN WATER RECLAMATION DISTRICT COMMISSIONER |  | LOCAL | Cook',
    'Metropolitan Water Reclamation District Commissioner | Local Legislative | Metropolitan Water Reclamation District [Special District]',
  ],
  [
    'CA | State Board of Equalization 3rd District |  |  | Los Angeles',
    'State Board of Equalization | State Executive | California State Board of Equalization District 3 [State subdivision]',
  ],
  [
    'CA | MEMBER, STATE BOARD OF EQUALIZATION | 3 | STATE | Los Angeles,Orange,Kern',
    'Member, State Board of Equalization | State Executive | California Member, State Board of Equalization District 3 [State subdivision]',
  ],
  [
    'CA | Member of the Assembly 12th District |  |  | Marin',
    'California State Assembly District 12 | State Legislative | California State Assembly District 12 [State Legislative (Lower)]',
  ],
  [
    'CA | STATE ASSEMBLY MEMBER | 12 | STATE | Marin',
    'California State Assembly District 12 | State Legislative | California State Assembly District 12 [State Legislative (Lower)]',
  ],
  [
    'CA | INSURANCE COMMISSIONER |  | STATE | *',
    'California Insurance Commissioner | State Executive | California [State]',
  ],
  [
    'CA | SUPERINTENDENT OF PUBLIC INSTRUCTION |  | STATE | *',
    'California Superintendent of Public Instruction | State Executive | California [State]',
  ],
  [
    'CA | COUNTY SUPERVISOR, DISTRICT 2 |  | LOCAL | Kern',
    'County Supervisor | Local Legislative | Kern County Supervisor District 2 [County subdivision]',
  ],
  [
    'CA | Superior Court Judge, Office 60 |  | LOCAL | Los Angeles',
    'Superior Court Judge | Local Judicial | Los Angeles County [County] | Office 60',
  ],
  [
    'CA | UNITED STATES REPRESENTATIVE | 14 | HOUSE | San Mateo',
    'U.S. House California District 14 | Federal Legislative | California District 14 [Congress]',
  ],
  [
    'MA | STATE REPRESENTATIVE, 4TH BERKSHIRE DISTRICT |  | STATE | Berkshire',
    'Massachusetts House of Representatives 4th Berkshire District | State Legislative | Massachusetts House of Representatives 4th Berkshire District [State Legislative (Lower)]',
  ],
  [
    'MA | State Representative | 4th Berkshire |  | Berkshire',
    'Massachusetts House of Representatives 4th Berkshire District | State Legislative | Massachusetts House of Representatives 4th Berkshire District [State Legislative (Lower)]',
  ],
  [
    "MA | Governor's Council | 8 |  | Berkshire",
    "Governor's Council | State Executive | Massachusetts Governor's Council District 8 [State subdivision]",
  ],
  [
    "MA | GOVERNOR'S COUNCIL | EIGHTH | STATE | Berkshire,Franklin",
    "Governor's Council | State Executive | Massachusetts Governor's Council District 8 [State subdivision]",
  ],
  [
    'MA | DISTRICT ATTORNEY | BERKSHIRE DISTRICT | STATE | Berkshire',
    'District Attorney | State Executive | Massachusetts District Attorney Berkshire District [Judicial District]',
  ],
  ['MA | CLERK OF COURTS |  | LOCAL | Berkshire', 'Clerk of Courts | Local Executive | Berkshire County [County]'],
  [
    'NJ | BOARD OF CHOSEN FREEHOLDERS |  | LOCAL | Bergen',
    'Board of Chosen Freeholders | Local Legislative | Bergen County [County]',
  ],
  [
    'NJ | GENERAL ASSEMBLY | 38 | STATE | Bergen',
    'New Jersey General Assembly District 38 | State Legislative | New Jersey General Assembly District 38 [State Legislative (Lower)]',
  ],
  ['NJ | Surrogate |  | LOCAL | Bergen', 'Surrogate | Local Judicial | Bergen County [County]'],
  [
    'GA | PUBLIC SERVICE COMMISSIONER DISTRICT 2 |  | STATE | *',
    'Georgia Public Service Commissioner | State Executive | Georgia [State] | Position 2',
  ],
  [
    'GA | US HOUSE 1 (UNEXPIRED TERM) |  | HOUSE | Chatham',
    'U.S. House Georgia District 1 | Federal Legislative | Georgia District 1 [Congress]',
  ],
  ['GA | SOLICITOR GENERAL |  | LOCAL | Fulton', 'Solicitor General | Local Executive | Fulton County [County]'],
  [
    'MI | Regent of the University of Michigan |  | STATE | *',
    'Regent of the University of Michigan | State Executive | Michigan [State]',
  ],
  [
    'MI | TRUSTEE OF MICHIGAN STATE UNIVERSITY |  |  | *',
    'Trustee of Michigan State University | State Executive | Michigan [State]',
  ],
  [
    'MI | MEMBER OF THE STATE BOARD OF EDUCATION |  |  | *',
    'Member of the State Board of Education of Michigan | State Executive | Michigan [State]',
  ],
  [
    'MI | COUNTY COMMISSIONER 7TH DISTRICT |  | LOCAL | Kent',
    'County Commissioner | Local Legislative | Kent County Commissioner District 7 [County subdivision]',
  ],
  ['MI | DRAIN COMMISSIONER |  | LOCAL | Kent', 'Drain Commissioner | Local Executive | Kent County [County]'],
  [
    'MI | JUDGE OF DISTRICT COURT 63RD DISTRICT |  | LOCAL | Kent',
    'Judge of District Court | Local Judicial | Michigan Judicial District 63 [Judicial District]',
  ],
  ['AK | Borough Assembly Seat D |  |  | ', 'the source does not name the district'],
  [
    'NH | STATE REPRESENTATIVE | Hillsborough 5 |  | Hillsborough',
    'New Hampshire House of Representatives Hillsborough 5 District | State Legislative | New Hampshire House of Representatives Hillsborough 5 District [State Legislative (Lower)]',
  ],
  [
    'NH | EXECUTIVE COUNCIL | 2 | STATE | Grafton,Coos',
    'Executive Council | State Executive | New Hampshire Executive Council District 2 [State subdivision]',
  ],
  [
    'WA | STATE REPRESENTATIVE POS. 1 | 12 | STATE | Chelan,Douglas',
    'Washington House of Representatives District 12 | State Legislative | Washington House of Representatives District 12 [State Legislative (Lower)] | Position 1',
  ],
  [
    'WA | Legislative District 12 - State Representative Pos. 1 |  |  | Chelan',
    'Washington House of Representatives District 12 | State Legislative | Washington House of Representatives District 12 [State Legislative (Lower)] | Position 1',
  ],
  [
    'WA | SUPERIOR COURT JUDGE POSITION 3 |  | STATE | Chelan',
    'Superior Court Judge | State Judicial | Chelan County [County] | Position 3',
  ],
  [
    'WA | PUBLIC UTILITY DISTRICT 1 COMMISSIONER |  | LOCAL | Chelan',
    'Public Utility District 1 Commissioner | Local Legislative | Chelan Public Utility District 1 [Special District]',
  ],
  [
    'VA | MEMBER HOUSE OF DELEGATES | 57 | STATE | Albemarle',
    'Virginia House of Delegates District 57 | State Legislative | Virginia House of Delegates District 57 [State Legislative (Lower)]',
  ],
  [
    'VA | MEMBER BOARD OF SUPERVISORS | RIO DISTRICT | LOCAL | Albemarle',
    'Member Board of Supervisors | Local Legislative | Albemarle County Member Board of Supervisors Rio District [County subdivision]',
  ],
  [
    "VA | COMMONWEALTH'S ATTORNEY |  | LOCAL | Albemarle",
    "Commonwealth's Attorney | Local Executive | Albemarle County [County]",
  ],
  ['TN | Sheriff - Unexpired |  |  | Knox', 'Sheriff | Local Executive | Knox County [County]'],
  [
    'IN | JUDGE, CIRCUIT COURT 22ND JUDICIAL CIRCUIT |  | STATE | Daviess',
    'Judge, Circuit Court | State Judicial | Indiana Circuit Court District 22 [Judicial District]',
  ],
  [
    'IN | TOWNSHIP TRUSTEE | CENTER TOWNSHIP | LOCAL | Marion',
    'Township Trustee | Local Legislative | Center Township, Marion County [County subdivision]',
  ],
  [
    'IN | PROSECUTING ATTORNEY, 19TH JUDICIAL CIRCUIT |  | STATE | Marion',
    'Prosecuting Attorney | State Executive | Indiana Prosecutorial District 19 [Judicial District]',
  ],
  [
    'MO | ASSOCIATE CIRCUIT JUDGE, CIRCUIT 21, DIVISION 37 |  | STATE | St. Louis',
    'Associate Circuit Judge | State Judicial | Missouri Circuit Court District 21 [Judicial District] | Division 37',
  ],
  [
    'MO | PRESIDING COMMISSIONER |  | LOCAL | Boone',
    'Presiding Commissioner | Local Legislative | Boone County [County]',
  ],
  ['MO | STATE AUDITOR |  | STATE | *', 'Missouri Auditor | State Executive | Missouri [State]'],
  [
    'WI | CIRCUIT COURT JUDGE, BRANCH 5 |  | LOCAL | Dane',
    'Circuit Court Judge | Local Judicial | Dane County [County] | Branch 5',
  ],
  [
    'WI | ASSEMBLY | 37 | STATE | Dane',
    'Wisconsin State Assembly District 37 | State Legislative | Wisconsin State Assembly District 37 [State Legislative (Lower)]',
  ],
  [
    'WI | COUNTY SUPERVISOR DISTRICT 11 |  | LOCAL | Dane',
    'County Supervisor | Local Legislative | Dane County Supervisor District 11 [County subdivision]',
  ],
  [
    'AZ | CORPORATION COMMISSIONER |  | STATE | *',
    'Arizona Corporation Commissioner | State Executive | Arizona [State]',
  ],
  ['AZ | STATE MINE INSPECTOR |  | STATE | *', 'Arizona Mine Inspector | State Executive | Arizona [State]'],
  [
    'AZ | JUSTICE OF THE PEACE - ARROWHEAD |  | LOCAL | Maricopa',
    'Justice of the Peace - Arrowhead | Local Judicial | Maricopa County [County]',
  ],
  [
    'AZ | State Representative District 15 |  |  | Maricopa',
    'Arizona House of Representatives District 15 | State Legislative | Arizona House of Representatives District 15 [State Legislative (Lower)]',
  ],
  [
    'OR | Judge of the Circuit Court, 4th District, Position 12 |  |  | Multnomah',
    'Judge of the Circuit Court | State Judicial | Oregon Circuit Court District 4 [Judicial District] | Position 12',
  ],
  [
    'OR | COMMISSIONER OF THE BUREAU OF LABOR AND INDUSTRIES |  | STATE | *',
    'Commissioner of the Bureau of Labor and Industries of Oregon | State Executive | Oregon [State]',
  ],
  [
    'CO | REGENT OF THE UNIVERSITY OF COLORADO - CONGRESSIONAL DISTRICT 4 | 4 | STATE | Adams,Weld',
    'Regent of the University of Colorado | State Executive | Regent of the University of Colorado District 4 [State subdivision]',
  ],
  [
    'CO | DISTRICT ATTORNEY - 17TH JUDICIAL DISTRICT |  | STATE | Adams,Broomfield',
    'District Attorney | State Executive | Colorado Prosecutorial District 17 [Judicial District]',
  ],
  [
    'CO | STATE BOARD OF EDUCATION | CONGRESSIONAL DISTRICT 2 | STATE | Boulder,Larimer',
    'State Board of Education | State Executive | Colorado State Board of Education District 2 [State subdivision]',
  ],
  [
    'AL | STATE BOARD OF EDUCATION, DISTRICT NO. 2 |  | STATE | Dale,Houston',
    'State Board of Education | State Executive | Alabama State Board of Education District 2 [State subdivision]',
  ],
  [
    'AL | CIRCUIT COURT JUDGE, 10TH JUDICIAL CIRCUIT, PLACE NO. 5 |  | STATE | Jefferson',
    'Circuit Court Judge | State Judicial | Alabama Circuit Court District 10 [Judicial District] | Place 5',
  ],
  [
    'AL | PUBLIC SERVICE COMMISSION, PLACE 1 |  | STATE | *',
    'Alabama Public Service Commission | State Executive | Alabama [State] | Place 1',
  ],
  [
    'MS | CHANCERY COURT JUDGE DISTRICT 4 PLACE 1 |  | STATE | Pike,Amite',
    'Chancery Court Judge | State Judicial | Mississippi Chancery Court District 4 [Judicial District] | Place 1',
  ],
  [
    'MS | TRANSPORTATION COMMISSIONER | NORTHERN | STATE | Lee,Desoto',
    'Transportation Commissioner | State Executive | Mississippi Transportation Commissioner Northern District [State subdivision]',
  ],
  [
    'OK | DISTRICT JUDGE - DISTRICT 7 - OFFICE 3 |  | STATE | Oklahoma',
    'District Judge | State Judicial | Oklahoma Judicial District 7 [Judicial District] | Office 3',
  ],
  [
    'OK | ASSOCIATE DISTRICT JUDGE |  | STATE | Atoka',
    'Associate District Judge | State Judicial | Atoka County [County]',
  ],
  [
    'LA | JUSTICE OF THE PEACE WARD 3 |  | LOCAL | Caddo',
    'Justice of the Peace | Local Judicial | Caddo Parish Justice of the Peace Ward 3 [County subdivision]',
  ],
  [
    'KY | JUSTICE OF THE SUPREME COURT, 3RD SUPREME COURT DISTRICT |  | STATE | Pulaski,Laurel',
    'Justice of the Supreme Court | State Judicial | Kentucky Supreme Court District 3 [Judicial District]',
  ],
  [
    'KY | CIRCUIT JUDGE 27TH JUDICIAL CIRCUIT 1ST DIVISION |  | STATE | Knox,Laurel',
    'Circuit Judge | State Judicial | Kentucky Circuit Court District 27 [Judicial District] | Division 1',
  ],
  [
    'KY | JUSTICE/MAGISTRATE 3RD MAGISTERIAL DISTRICT |  | LOCAL | Knox',
    'Justice/Magistrate | Local Judicial | Knox County Justice/Magistrate Magisterial District 3 [County subdivision]',
  ],
  [
    'AR | CIRCUIT JUDGE, DISTRICT 06, DIVISION 14 |  | STATE | Pulaski,Perry',
    'Circuit Judge | State Judicial | Arkansas Circuit Court District 6 [Judicial District] | Division 14',
  ],
  [
    'AR | QUORUM COURT DISTRICT 9 |  | LOCAL | Pulaski',
    'Quorum Court | Local Legislative | Pulaski County Quorum Court District 9 [County subdivision]',
  ],
  [
    'AR | State Representative District 09 |  |  | Pulaski',
    'Arkansas House of Representatives District 9 | State Legislative | Arkansas House of Representatives District 9 [State Legislative (Lower)]',
  ],
  [
    'SC | COUNTY COUNCIL DISTRICT 2 |  | LOCAL | Aiken',
    'County Council | Local Legislative | Aiken County Council District 2 [County subdivision]',
  ],
  [
    'SC | STATE HOUSE OF REPRESENTATIVES, DISTRICT 81 | 81 | STATE | Aiken',
    'South Carolina House of Representatives District 81 | State Legislative | South Carolina House of Representatives District 81 [State Legislative (Lower)]',
  ],
  [
    'SC | U.S. House of Representatives, District 2 |  |  | Aiken',
    'U.S. House South Carolina District 2 | Federal Legislative | South Carolina District 2 [Congress]',
  ],
  [
    'MD | JUDGE OF THE CIRCUIT COURT, CIRCUIT 5 |  | STATE | Howard',
    'Judge of the Circuit Court | State Judicial | Maryland Circuit Court District 5 [Judicial District]',
  ],
  [
    'MD | HOUSE OF DELEGATES | 9A | STATE | Howard',
    'Maryland House of Delegates District 9A | State Legislative | Maryland House of Delegates District 9A [State Legislative (Lower)]',
  ],
  [
    "MD | JUDGE OF THE ORPHANS' COURT |  | LOCAL | Howard",
    "Judge of the Orphans' Court | Local Judicial | Howard County [County]",
  ],
  ['MD | COUNTY EXECUTIVE |  | LOCAL | Howard', 'County Executive | Local Executive | Howard County [County]'],
  [
    'MD | DEMOCRATIC CENTRAL COMMITTEE |  | LOCAL | Howard',
    'Democratic Central Committee | Local Legislative | Howard County [County]',
  ],
  [
    'ND | COUNTY COMMISSIONER, DISTRICT 3 |  |  | Cass',
    'County Commissioner | Local Legislative | Cass County Commissioner District 3 [County subdivision]',
  ],
  [
    'SD | PUBLIC UTILITIES COMMISSIONER |  | STATE | *',
    'South Dakota Public Utilities Commissioner | State Executive | South Dakota [State]',
  ],
  [
    'IA | COUNTY SUPERVISOR DISTRICT 3 |  |  | Polk',
    'County Supervisor | Local Legislative | Polk County Supervisor District 3 [County subdivision]',
  ],
  [
    'IA | SOIL AND WATER CONSERVATION DISTRICT COMMISSIONER |  | LOCAL | Polk',
    'Soil and Water Conservation District Commissioner | Local Legislative | Polk Soil and Water Conservation District [Special District]',
  ],
  [
    'NY | MEMBER OF ASSEMBLY | 52 | STATE | Kings',
    'New York State Assembly District 52 | State Legislative | New York State Assembly District 52 [State Legislative (Lower)]',
  ],
  [
    'NY | JUSTICE OF THE SUPREME COURT 2ND JUDICIAL DISTRICT |  |  | Kings',
    'Justice of the Supreme Court | State Judicial | New York Supreme Court District 2 [Judicial District]',
  ],
  [
    'TX | U.S. House | 23 |  | Bexar',
    'U.S. House Texas District 23 | Federal Legislative | Texas District 23 [Congress]',
  ],
  [
    'TX | CITY OF AUSTIN, COUNCIL MEMBER, DISTRICT 9 |  | LOCAL | Travis',
    'Council Member | Local Legislative | Austin City Council District 9 [City-town subdivision]',
  ],
  [
    'TX | AUSTIN ISD TRUSTEE, DISTRICT 1 |  | LOCAL | Travis',
    'Austin ISD Trustee | Local Legislative | Austin ISD, District 1 [School district subdivision]',
  ],
  ['TX | MAYOR, CITY OF PFLUGERVILLE |  | LOCAL | Travis', 'Mayor | Local Executive | Pflugerville [City-town]'],
  [
    'TX | STATE SENATOR, DISTRICT 14 |  |  | Travis',
    'Texas State Senate District 14 | State Legislative | Texas State Senate District 14 [State Legislative (Upper)]',
  ],
  [
    'TX | State Representative, District 49 | 49 |  | Travis',
    'Texas House of Representatives District 49 | State Legislative | Texas House of Representatives District 49 [State Legislative (Lower)]',
  ],
];

/** Retention elections and ballot measures. */
const QUESTIONS: readonly [source: string, expected: string][] = [
  [
    'CO | COUNTY JUDGE, BOULDER, JANE ANN ROE |  | LOCAL | Boulder',
    'County Judge | State Judicial | Boulder County [County] | Retention of Jane Ann Roe',
  ],
  [
    'MN | CITY QUESTION 1 (BLOOMINGTON) |  | LOCAL | Hennepin',
    'City Question 1 (Bloomington) | Bloomington [City-town]',
  ],
  [
    'LA | LAW ENFORCEMENT DISTRICT - 2.46 MILLS RENEWAL |  | LOCAL | Caddo',
    'Law Enforcement District - 2.46 Mills Renewal | Caddo Law Enforcement District [Special District]',
  ],
  [
    'CO | DISTRICT COURT JUDGE - 8TH JUDICIAL DISTRICT - JANE ROE |  | STATE | Larimer',
    'District Court Judge | State Judicial | Colorado Judicial District 8 [Judicial District] | Retention of Jane Roe',
  ],
  [
    'IA | DISTRICT COURT ASSOCIATE JUDGE 2B JANE VAN ROE |  | LOCAL | Story',
    'District Court Associate Judge 2B | State Judicial | Iowa Judicial District 2B [Judicial District] | Retention of Jane Van Roe',
  ],
  [
    'IN | COURT OF APPEALS OF INDIANA DISTRICT 1, RETAIN L MARK ROE |  | STATE | Ohio,Dearborn',
    'Judge of the Court of Appeals of Indiana District 1 | State Judicial | Indiana Court of Appeals District 1 [Judicial District] | Retention of L. Mark Roe',
  ],
  [
    'MO | COURT OF APPEALS JUDGE, WESTERN DISTRICT, W DOUGLAS ROE |  | STATE | Jackson,Platte',
    'Court of Appeals Judge, Western District | State Judicial | Missouri Court of Appeals Western District [Judicial District] | Retention of W. Douglas Roe',
  ],
  [
    'MO | CIRCUIT JUDGE, CIRCUIT 16, J DALE ROE |  | STATE | Jackson',
    'Circuit Judge, Circuit 16 | State Judicial | Missouri Circuit Court District 16 [Judicial District] | Retention of J. Dale Roe',
  ],
  ['IL | VILLAGE OF OAK PARK REFERENDUM |  | LOCAL | Cook', 'Village of Oak Park Referendum | Oak Park [City-town]'],
  ['NV | CITY OF RENO PARK BONDS |  | LOCAL | Washoe', 'City of Reno Park Bonds | Reno [City-town]'],
  ['CO | BALLOT ISSUE 1A: CITY OF AURORA |  | LOCAL | Adams', 'Ballot Issue 1A: City of Aurora | Aurora [City-town]'],
  [
    'IL | RETAIN JANE ROE | 19TH CIRCUIT | STATE | Lake',
    'Judge of the 19th Circuit | State Judicial | Illinois Circuit Court District 19 [Judicial District] | Retention of Jane Roe',
  ],
  [
    'MO | RETAIN JUDGE JANE ROE |  | LOCAL | Boone',
    'Judge | State Judicial | Boone County [County] | Retention of Jane Roe',
  ],
  [
    'AZ | RETAIN JUSTICE JANE ROE |  | STATE | *',
    'Arizona Justice | State Judicial | Arizona [State] | Retention of Jane Roe',
  ],
  [
    'FL | RETAIN JUSTICE JANE ROE |  | STATE | *',
    'Florida Justice | State Judicial | Florida [State] | Retention of Jane Roe',
  ],
  [
    'OK | RETAIN SUPREME COURT JUSTICE JANE ROE - DISTRICT 2 |  | STATE | *',
    'Oklahoma Supreme Court Justice | State Judicial | Oklahoma [State] | Retention of Jane Roe',
  ],
  [
    'FL | DISTRICT COURT OF APPEAL: SHALL JUDGE JANE ROE OF THE 2ND DISTRICT COURT OF APPEAL BE RETAINED IN OFFICE? |  | STATE | Lee,Collier',
    'Judge of the 2nd District Court of Appeal | State Judicial | Florida Court of Appeal District 2 [Judicial District] | Retention of Jane Roe',
  ],
  [
    'MD | JUDGE, COURT OF APPEALS, AT LARGE - JANE ROE - CONTINUE IN OFFICE |  | STATE | *',
    'Maryland Judge, Court of Appeals, at Large | State Judicial | Maryland [State] | Retention of Jane Roe',
  ],
  [
    'IL | SHALL JANE ROE BE RETAINED IN OFFICE AS JUDGE OF THE CIRCUIT COURT, 5TH JUDICIAL CIRCUIT? |  | STATE | Vermilion,Clark',
    'Judge of the Circuit Court, 5th Judicial Circuit | State Judicial | Illinois Circuit Court District 5 [Judicial District] | Retention of Jane Roe',
  ],
  [
    'IA | SUPREME COURT - JANE ROE |  | STATE | *',
    'Justice of the Supreme Court of Iowa | State Judicial | Iowa [State] | Retention of Jane Roe',
  ],
];

function factsOf(source: string): ContestFacts {
  const [postal = '', office = '', district = '', dataverse = '', counties = ''] = source.split(/ \| ?/);
  const state = stateByPostal(postal);
  if (!state) throw new Error(`${postal} is no state`);
  const everywhere = counties === '*';
  const names = everywhere ? ['ADAMS', 'BELL', 'CLAY', 'DENT'] : counties.toUpperCase().split(',').filter(Boolean);
  return {
    state,
    date: '2020-11-03',
    special: false,
    office: plainOffice(office),
    district: district.toUpperCase(),
    ofState: dataverse === '' ? null : dataverse !== 'LOCAL',
    counties: names.map((name) => ({ name, fips: '' })),
    towns: [],
    acronyms: [],
    isPartOfCounty: false,
    isPartial: dataverse === '' && !everywhere,
    countiesInFiles: names.length,
    everywhere,
    isNumberOfState: /^\d+$/.test(district),
    isNumberRepeated: false,
    isIncomplete: false,
    isSeatNumber: false,
    plainTitles: 'unknown',
  };
}

function shown({ values, place }: Office, position: string | undefined): string {
  const { name, type } = place.row.values;
  return [values.name, `${values.level} ${values.branch}`, `${name} [${type}]`, values.seat, position]
    .filter(Boolean)
    .join(' | ');
}

test.each(OFFICES)('%s', (source, expected) => {
  const found = officeOfContest(factsOf(source));
  const told = typeof found === 'string' ? found : 'reason' in found ? found.reason : undefined;
  const { office, position } = typeof found === 'object' && 'office' in found ? found : {};
  expect(told ?? (office && shown(office, position))).toBe(expected);
});

test.each(QUESTIONS)('%s', (source, expected) => {
  const found = retentionOf(factsOf(source), null) ?? questionOf(factsOf(source));
  if (typeof found === 'string') throw new Error(found);
  if ('office' in found) expect(shown(found.office, found.position)).toBe(expected);
  else expect(`${found.name} | ${found.place.row.values.name} [${found.place.row.values.type}]`).toBe(expected);
});

test('an election to the rest of a term is a special one', async () => {
  const { races } = await importRows(database, [
    { office: 'SHERIFF', candidate: 'ANN ROE', votes: 30 },
    { office: 'SHERIFF - UNEXPIRED', candidate: 'BO DOE', votes: 20, county: 'CLAY', fips: '31035' },
    { office: 'COUNTY JUDGE (UNEXPIRED TERM)', candidate: 'CY POE', votes: 20 },
  ]);
  expect(races.map(({ office, kind }) => [office, kind])).toEqual([
    ['County Judge', 'Special'],
    ['Sheriff', 'Regular'],
    ['Sheriff', 'Special'],
  ]);
});
