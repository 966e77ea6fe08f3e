/** Of languages in order of preference, as many are looked at: a header may name hundreds. */
const MOST_LANGUAGES = 5;
/** No longer tag names a language and a region. */
const MOST_CHARACTERS = 35;

/**
 * Returns the tags under which texts for a reader may be stored, best first, separated by commas: of each language its own tag, the one
 * with its script, and the language alone (the lookup of RFC 4647, 3.4): `es-MX` finds `es`, and `zh-TW` finds `zh-Hant`. Ends before
 * English, in which each text is, and leaves out what is no tag.
 * @param languages tags in order of preference, of which the first five count.
 */
export function languageTags(languages: readonly string[]): string {
  const tags = new Set<string>();
  for (const tag of languages.slice(0, MOST_LANGUAGES)) {
    const locale = localeOf(tag);
    if (!locale) continue;
    const { language, script } = locale.maximize();
    if (language === 'en') break;
    for (const each of [locale.baseName, `${language}-${script}`, language]) tags.add(each);
  }
  return [...tags].join(',');
}

function localeOf(tag: string): Intl.Locale | undefined {
  if (tag.length > MOST_CHARACTERS) return undefined;
  try {
    return new Intl.Locale(tag);
  } catch {
    // `*`, or what is no tag: the languages before and after it count.
    return undefined;
  }
}
