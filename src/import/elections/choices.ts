const YES = `(?:BONDS?|LEVY|TAX)?[ ,-]*(?:YES|FOR|IN FAVOR(?: OF)?|APPROVED?|ACCEPT(?:ED)?|RETAIN(?:ED)?|AFFIRM(?:ED)?|SUPPORT)`;
const NO = `(?:BONDS?|LEVY|TAX)?[ ,-]*(?:NO|AGAINST|REJECT(?:ED)?|DISAPPROVED?|OPPOSED?|DENY|DENIED|DO NOT RETAIN|NOT RETAIN(?:ED)?|REMOVE|REPEAL(?:ED)?)`;
/** `YES`, `JANE ROE - YES`, or `FOR THE LEVY`: the subject before the answer, and the words after it. */
const IS_YES = new RegExp(
  `^(?:(.+?)\\s*[-–:]\\s*)?(?:${YES})(?:\\s*[-–,:]\\s*.+|\\s+(?:THE|TO|BONDS?|LEVY|TAX)\\b.*)?$`,
);
const IS_NO = new RegExp(`^(?:(.+?)\\s*[-–:]\\s*)?(?:${NO})(?:\\s*[-–,:]\\s*.+|\\s+(?:THE|TO|BONDS?|LEVY|TAX)\\b.*)?$`);

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
