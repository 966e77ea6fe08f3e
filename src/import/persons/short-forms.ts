/**
 * Given names with their common short forms and spellings, one given name per line.
 *
 * Source: records of people that have both forms, in unitedstates/congress-legislators (`first`, `nickname`,
 * `official_full`) and openstates/people (`given_name`, `name`, `other_names`), both CC0-1.0; completed with the short
 * forms of the same kind that are in general use in the United States. Only forms that usually stand for the name are
 * listed: a nickname such as Chip or Topper is not evidence that two records are one person.
 */
const TABLE = `
abigail: abby abbie
abraham: abe
albert: al bert
alejandro: alex
alexander: alex al sandy xander
alexandra: alex sandra lexi
alfred: al fred
allan: al
allen: al
alan: al allan allen
amanda: mandy
andrea: andi andie
andrew: andy drew
angela: angie
ann: anne annie anna
anne: annie
anthony: tony
antonio: tony
arthur: art artie
barbara: barb barbie
barton: bart
bartholomew: bart
benjamin: ben benny bennie
bernard: bernie
bernadette: bernie
bertram: bert
beverly: bev
bradford: brad
bradley: brad
bradlee: brad
brian: bryan
calvin: cal
cameron: cam
carolyn: carol
cassandra: cassie
catherine: cathy cate katie kate cat
katherine: kathy kate katie katy kat kay
kathryn: kathy kate katie katy
kathleen: kathy katie kate
charles: charlie chuck charley chas
christian: chris
christina: chris chrissy tina
christine: chris chrissy tina
christopher: chris topher
clifford: cliff
clinton: clint
constance: connie
curtis: curt
cynthia: cindy cyndi cyndie
daniel: dan danny
danielle: dani
david: dave
deborah: deb debbie debra
debra: deb debbie
dennis: denny
desmond: des
diana: diane
dolores: dee
dominic: dom nick
donald: don donny donnie
dorothy: dot dottie
douglas: doug
edgar: ed
edmund: ed
edward: ed eddie ted teddy
edwin: ed
eileen: lynn
eleanor: ellie nell
elanor: ela ellie
elias: eli
elijah: eli
elizabeth: liz beth betsy betty eliza lizzie libby liza bess
emily: emmy emilie
ernest: ernie
eugene: gene
evelyn: evie
ezekiel: zeke
florence: flo
frances: fran francie
francis: frank fran
francisco: frank paco
franklin: frank
frederic: fred freddie
frederick: fred freddie rick
gabriel: gabe
gabrielle: gabby
genevieve: gen
geoffrey: geoff jeff
george: georgie
gerald: jerry gerry
gerard: jerry gerry
gilbert: gil
glenn: glen
gordon: gordy
gregory: greg gregg
gregorio: greg
gretchen: greta
gwendolyn: gwen
harold: hal harry
harrison: harry
harriet: hattie
henry: hank harry
herbert: herb
howard: howie
hubert: hugh
ignacio: nacho
irving: irv
isaac: ike
isabel: izzy
jacob: jake
jacqueline: jackie
jacquelyn: jackie
james: jim jimmy jimmie jamie
jane: janie
janet: jan
janice: jan
jason: jay
jean: jeanne jeannie
jefferson: jeff
jeffery: jeff
jeffrey: jeff
jennifer: jen jenny jenn
jeremiah: jerry jeremy
jerome: jerry
jesse: jess
jessica: jess jessie
joan: joanie
joann: jo
joanna: jo
joanne: jo
john: jack johnny jon
jonathan: jon
jonathon: jon
jose: joe
joseph: joe joey
josephine: jo josie
joshua: josh
judith: judy judi
julia: julie
kamela: kam
kendall: ken
kenneth: ken kenny
kimberly: kim
kristen: kris kristi
kristin: kris kristi
kristina: kris kristi tina
kristine: kris kristi
laurence: larry
laura: laurie
lawrence: larry
leonard: len lenny leo
leonidas: lou
leslie: les
lester: les
lewis: lew lou
lillian: lil lilly
linda: lindy
lloyd: loy
louis: lou louie
louise: lou
lucille: lucy
luis: lou
lucinda: lucy cindy
madeline: maddie
margaret: maggie meg peggy peg marge margie greta
margarita: margie rita
marcus: mark marc
mark: marc
marjorie: marge margie
martha: marty
martin: marty
marvin: marv
mary: molly mollie
mathew: matt
matthea: mattie
matthew: matt mathew
maureen: mo
maxwell: max
maximilian: max
melanie: mel
melissa: missy
melvin: mel
michael: mike mick mickey micheal
michel: mike
micheal: mike
michelle: shelly shelley
miguel: mike
mildred: millie
mitchell: mitch
mohammed: mo
mortimer: mort
morris: mo
nancy: nan
natalie: nat
nathan: nate nat
nathaniel: nate nat nathan
nicholas: nick nicky
nicolas: nick
nicole: nikki nicky
norman: norm
norbert: norb
oliver: ollie
oscar: ozzie
pamela: pam
patricia: pat patty patti pattie tricia trish patsy
patrick: pat paddy
paul: paulie
paula: polly
penelope: penny
perry: per
peter: pete
philip: phil phillip
phillip: phil
phyllis: phyl
priscilla: cilla
rachel: rach
randal: randy
randall: randy rand
randolph: randy
raphael: rafe
rafael: rafe rafi
raymond: ray
raymundo: ray
rebecca: becky becca
regina: gina
reginald: reggie reg
richard: rich rick dick ricky richie
ricardo: rick ricky
robert: bob rob bobby robbie bert robb bobbie
roberta: bobbie
roberto: bob bobby rob
roderick: rod rick
rodney: rod
rodolfo: rudy
rudolph: rudy
roger: rog
roland: rollie
ronald: ron ronnie ronny
rosemary: rose rosie
roxanne: roxie
russell: russ
ryan: ry
salvador: sal
salvatore: sal
samantha: sam
samuel: sam sammy
sandra: sandy sandi
santiago: santi
sara: sarah
sarah: sally sadie
sebastian: seb
seymour: sy
sharon: shari
shirley: shirl
sidney: sid
sydney: syd
solomon: sol
sophia: sophie
stanley: stan
stephan: steve
stephanie: steph
stephen: steve steven
steven: steve
stewart: stu
stuart: stu
susan: sue susie suzie
susanne: sue susan
suzanne: sue suzie
sylvester: sly
sylvia: syl
tabitha: tabby
tamara: tammy
terence: terry
terrance: terry
terrence: terry
theresa: terry terri tess
teresa: terry terri tess theresa
thaddeus: thad tad
theodore: ted teddy theo
thomas: tom tommy
tiffany: tiff
timothy: tim timmy
tobias: toby
tyler: ty
tyrone: ty
valarie: val
valerie: val
vernon: vern
veronica: ronnie
victor: vic
victoria: vicki vicky tori
vincent: vin vince vinny
viola: vi
virginia: ginny ginger
vivian: viv
wallace: wally
walter: walt wally
wendell: wen
wilbur: will
wilfred: will fred
willard: will
william: bill will billy willie liam
winston: win
woodrow: woody
yvonne: vonnie
zachariah: zach zack zak
zachary: zach zack zak
zackary: zack zach
`;

const groups = TABLE.trim()
  .split('\n')
  .map((line) => line.replace(':', '').split(' '));

const groupsOfName = new Map<string, Set<number>>();
for (const [index, names] of groups.entries())
  for (const name of names) groupsOfName.set(name, (groupsOfName.get(name) ?? new Set()).add(index));

/**
 * Returns whether two given names, in lower case and without accents, can be forms of one name: Bob and Robert, Bob and
 * Rob. Ann and Jan, which have no line of the table in common, cannot.
 */
export function areForms(a: string, b: string): boolean {
  if (a === b) return true;
  const others = groupsOfName.get(b);
  return others !== undefined && [...(groupsOfName.get(a) ?? [])].some((group) => others.has(group));
}

/** Returns the other names of which a given name, in lower case and without accents, can be a form, or that are its forms. */
export function formsOf(name: string): readonly string[] {
  const forms = [...(groupsOfName.get(name) ?? [])].flatMap((group) => groups[group] ?? []);
  return [...new Set(forms)].filter((form) => form !== name);
}

/** Returns whether a word in lower case is a given name, or a form of one, in the table. */
export function isGivenName(word: string): boolean {
  return groupsOfName.has(word);
}
