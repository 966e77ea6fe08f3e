/**
 * The abbreviations of the Postal Service: Publication 28, "Postal Addressing Standards"
 * (https://pe.usps.com/text/pub28/welcome.htm), appendix B (states and directions), appendix C1 (street suffixes),
 * appendix C2 (secondary unit designators). Each entry has the word and then its standard abbreviation and the other
 * spellings in common use. Words with the same standard abbreviation, such as `park` and `parks`, are one entry; `mdw` is
 * `meadow`, though the publication lists it for `meadows` too.
 */
const SUFFIXES = `
alley aly allee ally|annex anx anex annx|arcade arc|avenue ave av aven avenu avn avnue|bayou byu bayoo|beach bch
bend bnd|bluff blf bluf|bluffs blfs|bottom btm bot bottm|boulevard blvd boul boulv|branch br brnch|bridge brg brdge
brook brk|brooks brks|burg bg|burgs bgs|bypass byp bypa bypas byps|camp cp cmp|canyon cyn canyn cnyn|cape cpe
causeway cswy causwa|center ctr cen cent centr centre cnter cntr|centers ctrs|circle cir circ circl crcl crcle
circles cirs|cliff clf|cliffs clfs|club clb|common cmn|commons cmns|corner cor|corners cors|course crse|court ct
courts cts|cove cv|coves cvs|creek crk|crescent cres crsent crsnt|crest crst|crossing xing crssng|crossroad xrd
crossroads xrds|curve curv|dale dl|dam dm|divide dv div dvd|drive dr driv drv|drives drs|estate est|estates ests
expressway expy exp expr express expw|extension ext extn extnsn|extensions exts|fall|falls fls|ferry fry frry|field fld
fields flds|flat flt|flats flts|ford frd|fords frds|forest frst forests|forge frg forg|forges frgs|fork frk|forks frks
fort ft frt|freeway fwy freewy frway frwy|garden gdn gardn grden grdn|gardens gdns grdns
gateway gtwy gatewy gatway gtway|glen gln|glens glns|green grn|greens grns|grove grv grov|groves grvs
harbor hbr harb harbr hrbor|harbors hbrs|haven hvn|heights hts ht|highway hwy highwy hiway hiwy hway|hill hl|hills hls
hollow holw hllw hollows holws|inlet inlt|island is islnd|islands iss islnds|isle isles
junction jct jction jctn junctn juncton|junctions jcts jctns|key ky|keys kys|knoll knl knol|knolls knls|lake lk|lakes lks
land|landing lndg lndng|lane ln|light lgt|lights lgts|loaf lf|lock lck|locks lcks|lodge ldg ldge lodg|loop loops|mall
manor mnr|manors mnrs|meadow mdw|meadows mdws medows|mews|mill ml|mills mls|mission msn missn mssn|motorway mtwy
mount mt mnt|mountain mtn mntain mntn mountin mtin|mountains mtns mntns|neck nck|orchard orch orchrd|oval ovl|overpass opas
park prk parks|parkway pkwy parkwy pkway pky parkways pkwys|pass|passage psge|path paths|pike pikes|pine pne|pines pnes
place pl|plain pln|plains plns|plaza plz plza|point pt|points pts|port prt|ports prts|prairie pr prr|radial radl rad radiel
ramp|ranch rnch ranches rnchs|rapid rpd|rapids rpds|rest rst|ridge rdg rdge|ridges rdgs|river riv rvr rivr|road rd
roads rds|route rte rt|row|rue|run|shoal shl|shoals shls|shore shr shoar|shores shrs shoars|skyway skwy
spring spg spng sprng|springs spgs spngs sprngs|spur spurs|square sq sqr sqre squ|squares sqs sqrs|station sta statn stn
stravenue stra strav straven stravn strvn strvnue|stream strm streme|street st str strt|streets sts|summit smt sumit sumitt
terrace ter terr|throughway trwy|trace trce traces|track trak tracks trk trks|trafficway trfy|trail trl trails trls
trailer trlr trlrs|tunnel tunl tunel tunls tunnels tunnl|turnpike tpke trnpk turnpk|underpass upas|union un|unions uns
valley vly vally vlly|valleys vlys|viaduct via vdct viadct|view vw|views vws|village vlg vill villag villg villiage
villages vlgs|ville vl|vista vis vist vst vsta|walk walks|wall|way wy|ways|well wl|wells wls`;

const DIRECTIONS = 'north n|south s|east e|west w|northeast ne|northwest nw|southeast se|southwest sw';

/** Designators of a unit that a number or a letter follows; `no` and `number` are in common use and not of the table. */
const NUMBERED_UNITS =
  'apartment apt|building bldg|department dept|floor fl|hangar hngr|key|lot|pier|room rm|slip|space spc|stop|suite ste|trailer trlr|unit|number no';
/** Designators of a unit that may stand alone. */
const UNNUMBERED_UNITS = 'basement bsmt|front frnt|lobby lbby|lower lowr|office ofc|penthouse ph|rear|side|upper uppr';

/** Words that name-givers spell differently, and the numbers that streets are named by. */
const OTHERS = `
saint street|doctor drive|first 1st|second 2nd|third 3rd|fourth 4th|fifth 5th|sixth 6th|seventh 7th|eighth 8th|ninth 9th|tenth 10th
eleventh 11th|twelfth 12th|thirteenth 13th|fourteenth 14th|fifteenth 15th|sixteenth 16th|seventeenth 17th|eighteenth 18th|nineteenth 19th|twentieth 20th
thirtieth 30th|fortieth 40th|fiftieth 50th|sixtieth 60th|seventieth 70th|eightieth 80th|ninetieth 90th|and &`;

const entriesOf = (table: string) =>
  table
    .trim()
    .split(/[|\n]/)
    .map((entry) => entry.split(' '));

/** Returns the word of each spelling in a table: its first column. */
const wordsOf = (table: string) =>
  entriesOf(table).flatMap(
    ([word = '', ...others]) => [[word, word], ...others.map((other) => [other, word])] as [string, string][],
  );

export const SUFFIX_WORDS: ReadonlySet<string> = new Set(entriesOf(SUFFIXES).map(([word = '']) => word));
export const DIRECTION_WORDS: ReadonlySet<string> = new Set(entriesOf(DIRECTIONS).map(([word = '']) => word));
export const NUMBERED_UNIT_WORDS: ReadonlySet<string> = new Set(wordsOf(NUMBERED_UNITS).map(([spelling]) => spelling));
export const UNNUMBERED_UNIT_WORDS: ReadonlySet<string> = new Set(
  wordsOf(UNNUMBERED_UNITS).map(([spelling]) => spelling),
);

/**
 * The entries of appendix B that have no districts: the freely associated states, and the armed forces abroad. A text that
 * names one of them means no address elsewhere.
 */
export const OTHER_POSTAL_STATES: readonly { readonly postal: string; readonly name: string }[] = [
  { postal: 'FM', name: 'Federated States of Micronesia' },
  { postal: 'MH', name: 'Marshall Islands' },
  { postal: 'PW', name: 'Palau' },
  { postal: 'AA', name: 'Armed Forces Americas' },
  { postal: 'AE', name: 'Armed Forces Europe' },
  { postal: 'AP', name: 'Armed Forces Pacific' },
];

/**
 * The word of each abbreviation and spelling. Abbreviations of several words have one of them, on both sides of a
 * comparison: `st` and `saint` are `street`, `dr` and `doctor` are `drive`.
 */
export const WORDS: ReadonlyMap<string, string> = new Map([
  ...wordsOf(OTHERS),
  ...wordsOf(DIRECTIONS),
  ...wordsOf(SUFFIXES),
  ['saint', 'street'],
  ['doctor', 'drive'],
]);

/** The spellings of each word: the inverse of `WORDS`. */
export const SPELLINGS: ReadonlyMap<string, readonly string[]> = new Map(
  [...Map.groupBy(WORDS, ([, word]) => word)].map(([word, entries]) => [word, entries.map(([spelling]) => spelling)]),
);
