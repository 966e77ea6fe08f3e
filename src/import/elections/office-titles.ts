import { titleCase } from './title-case.ts';

/** A seat at the end of the name of an office. */
export const SEAT =
  /,? ?\b(SEAT|POSITION|POS|DEPARTMENT|DEPT|DIVISION|DIV|PLACE|COURT|NUMBER|NO|NUM)\b\.? ?#?([A-Z]|\d+[A-Z]?(?:-[A-Z])?)$|,? ?#(\d+)$/;

/** Returns the name of an office from its name in capitals. */
export function officeTitle(text: string): string {
  return titleCase(text.replace(/\s*\((?:VOTE FOR|ELECT) .*\)$/, '').replace(/^[\s,:-]+|[\s,:-]+$/g, ''));
}

/** Splits `SUPREME COURT JUSTICE, SEAT A` into the office and its seat. */
export function splitSeat(name: string): { readonly title: string; readonly position?: string } {
  const found = SEAT.exec(name);
  const title = found ? name.slice(0, found.index).replace(/[\s,:-]+$/, '') : name;
  if (!found || !/[A-Z]{4}/.test(title) || /\b(SCHOOL DISTRICT|SERVICE UNIT|DISTRICT|UNIT)$/.test(title))
    return { title: name };
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
