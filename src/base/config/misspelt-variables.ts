/** Variables of other programs that differ from one of this program by a letter. */
const FOREIGN: ReadonlySet<string> = new Set(['LOGLEVEL', 'TIMEZONE']);
/** Lengths of names from which one and two mistakes are looked for: shorter names resemble those of other programs. */
const LENGTHS = [9, 14] as const;

/** Returns the variable of which a name is probably a misspelling; undefined if it may belong to another program. */
export function meantVariable(name: string, known: readonly string[]): string | undefined {
  if (FOREIGN.has(name)) return undefined;
  const upper = name.toUpperCase();
  return known.find((each) => {
    const edits = LENGTHS.filter((length) => each.length >= length).length;
    return edits > 0 && Math.abs(each.length - name.length) <= edits && isWithinEdits(edits, upper, each);
  });
}

/** Returns whether a text becomes another one by some letters added, left out, replaced or exchanged with the next. */
function isWithinEdits(edits: number, from: string, to: string): boolean {
  let same = 0;
  while (same < from.length && from[same] === to[same]) same += 1;
  const [a, b] = [from.slice(same), to.slice(same)];
  if (a === b) return true;
  if (edits === 0) return false;
  const isExchanged = a.length > 1 && a[0] === b[1] && a[1] === b[0];
  return (
    isWithinEdits(edits - 1, a.slice(1), b) ||
    isWithinEdits(edits - 1, a, b.slice(1)) ||
    isWithinEdits(edits - 1, a.slice(1), b.slice(1)) ||
    (isExchanged && isWithinEdits(edits - 1, a.slice(2), b.slice(2)))
  );
}
