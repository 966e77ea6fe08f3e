const BEFORE = `(?:BONDS?|LEVY|TAX)?[ ,-]*`;
const YES = `${BEFORE}(?:YES(?: ?/ ?(?:S[IÍ]|FOR))?|S[IÍ]|IN FAVOR(?: OF)?|APPROVED?|ACCEPT(?:ED)?|RETAIN(?:ED)?|AFFIRM(?:ED)?|MAINTAIN(?:ED)?|SUPPORT)`;
const NO = `${BEFORE}(?:NO(?: ?/ ?AGAINST)?|REJECT(?:ED)?|DISAPPROVED?|OPPOSED?|DENY|DENIED|DO NOT RETAIN|NOT RETAIN(?:ED)?|REMOVED?|REPLACED?|REPEAL(?:ED)?)`;
/** What may follow an answer: `YES - FOR THE BONDS`, `APPROVE THE TAX`, `NO (AGAINST THE LEVY)`. */
const AFTER = String.raw`(?:\s*[-–,:]\s*.+|\s+(?:THE|TO|BONDS?|LEVY|TAX)\b.*|\s*\(.*\))?`;
const SUBJECT = String.raw`^(?:(.+?)\s*[-–:]\s*)?`;
/** No name of a person begins with `FOR` or `AGAINST`: whatever follows is what voters are for or against. */
const IS_YES = new RegExp(`${SUBJECT}(?:${YES}${AFTER}|${BEFORE}FOR(?:\\W.*)?)$`);
const IS_NO = new RegExp(`${SUBJECT}(?:${NO}${AFTER}|${BEFORE}AGAINST(?:\\W.*)?)$`);

/** A choice of a question. */
export interface Choice {
  readonly answer: 'yes' | 'no';
  /** The subject of the question if the choice names it: the judge in `JANE ROE - YES`. */
  readonly subject: string | null;
}

/** Returns the answer that a choice means; undefined for the name of a candidate. */
export function choiceOf(name: string): Choice | undefined {
  const plain = name.toUpperCase().replaceAll('.', '').replace(/\s+/g, ' ').trim();
  const no = IS_NO.exec(plain);
  if (no) return { answer: 'no', subject: no[1] ?? null };
  const yes = IS_YES.exec(plain);
  return yes ? { answer: 'yes', subject: yes[1] ?? null } : undefined;
}
