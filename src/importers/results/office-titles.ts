import { titleCase } from './title-case.ts';

/** A seat at the end of the name of an office. */
export const SEAT =
  /,? ?\b(SEAT|POSITION|POS|POST|DEPARTMENT|DEPT|DIVISION|DIV|PLACE|GROUP|BRANCH|PART|OFFICE|(?<!\b(?:SUPREME|DISTRICT|APPELLATE|CHANCERY) )COURT|NUMBER|NO|NUM)\b\.? ?(?:(?<!\bCOURT )(?:NO\.?|NUMBER) )?#?([A-Z]|(?<=\bPART )[IVX]{2,4}|\d+[A-Z]?(?:-[A-Z])?)$|,? ?#(\d+)$/;

/** A seat in parentheses: `(TERM COMMENCING 01/02/2023)`, `(ROE VACANCY)`. */
const DESCRIBED_SEAT =
  /^(?<title>.*[A-Z]{4}.*?),? \((?<seat>(?:(?:FULL |UNEXPIRED )?TERM|FTC|UTE) (?:COMMENCING |BEGINNING |ENDING )?[\d/-]+|[A-Z][A-Z.' -]* VACANCY)\)$/;

/** Returns the name of an office from its name in capitals. */
export function officeTitle(text: string): string {
  return titleCase(text.replace(/\s*\((?:VOTE FOR|ELECT) .*\)$/, '').replace(/^[\s,:-]+|[\s,:-]+$/g, ''));
}

/** Splits `SUPREME COURT JUSTICE, SEAT A` into the office and its seat. */
export function splitSeat(name: string): { readonly title: string; readonly position?: string } {
  const described = DESCRIBED_SEAT.exec(name)?.groups;
  if (described?.title && described.seat) return { title: described.title, position: officeTitle(described.seat) };
  const vacancy = /^(?<title>.*[A-Z]{4}.*?)(?: - |, | \()(?<seat>VACANCY OF [A-Z][A-Z.' -]*)\)?$/.exec(name)?.groups;
  if (vacancy?.title && vacancy.seat) return { title: vacancy.title, position: officeTitle(vacancy.seat) };
  const [, inAll] = /^(.*[A-Z]{4}.*?),? AT[- ]LARGE$/.exec(name) ?? [];
  if (inAll && SEAT.test(inAll)) {
    const { title: of, position: seat } = splitSeat(inAll);
    if (seat) return { title: of, position: `${seat}, At Large` };
  }
  // `ASSOCIATE JUSTICE - SUPREME COURT 4`
  const ofCourt = /^(?<title>.*\b(?:SUPREME COURT|DISTRICT COURT|COURT OF APPEALS)) (?<number>\d+)$/.exec(name)?.groups;
  if (ofCourt?.title) return { title: ofCourt.title, position: `Position ${Number(ofCourt.number)}` };
  const ordinal = /^(?<title>.*[A-Z]{4}.*?),? (?<number>\d+)(?:ST|ND|RD|TH) DIVISION$/.exec(name)?.groups;
  if (ordinal?.title) return { title: ordinal.title, position: `Division ${ordinal.number}` };
  const found = SEAT.exec(name);
  const title = found ? name.slice(0, found.index).replace(/[\s,:-]+$/, '') : name;
  const isOfName = /^(NO|NUM|NUMBER)?$/.test(found?.[1] ?? '') && /\b(DISTRICT|UNIT)$/.test(title);
  if (!found || !/[A-Z]{4}/.test(title) || isOfName) return { title: name };
  const kind = {
    POS: 'Position',
    DEPT: 'Department',
    DIV: 'Division',
    NO: 'Position',
    NUM: 'Position',
    NUMBER: 'Position',
  }[found[1] ?? 'NO'];
  return {
    title,
    position: `${kind ?? titleCase(found[1] ?? '')} ${/^\d+$/.test(found[2] ?? found[3] ?? '') ? Number(found[2] ?? found[3]) : (found[2] ?? found[3])}`,
  };
}

/** Returns a seat that the district column names: `001` is a position, `COURT 6` as written. */
export function positionOf(text: string): string | undefined {
  const plain = text.trim();
  if (plain === '') return undefined;
  if (/^\d+$/.test(plain)) return `Position ${Number(plain)}`;
  if (/^[A-Z]$/.test(plain)) return `Seat ${plain}`;
  return officeTitle(plain.replace(/\b0+(?=\d)/g, ''));
}
