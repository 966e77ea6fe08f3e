import { type Kysely, sql } from 'kysely';

/** What people type for an apostrophe, or sources write. */
const APOSTROPHES = '’‘‛ʼʻʹ´′';
/** Marks that NFKD takes off letters, and characters without a width. */
const UNSEEN = String.raw`[\u00ad\u0300-\u036f\u200b-\u200f\u2060\ufeff]`;
/** Letters that NFKD does not take apart, and those that stand for them. */
const LETTERS = { ß: 'ss', ẞ: 'ss', æ: 'ae', Æ: 'ae', œ: 'oe', Œ: 'oe', þ: 'th', Þ: 'th' };
const [SINGLE, SINGLE_PLAIN] = ['øØđĐðÐłŁıħĦ', 'ooddddllihh'];
/** All of ASCII but letters, digits and the apostrophe, and the punctuation and blanks of other blocks. */
const BETWEEN_WORDS = String.raw`[\u0001-\u0026\u0028-\u002f\u003a-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u206f\u2e00-\u2e7f\u3000-\u3003\u3008-\u301f]+`;
/** A single letter before another one. */
const INITIAL = '(?<![^ ])([a-z]) (?=[a-z](?![^ ]))';

const plainLetters = Object.entries(LETTERS).reduce(
  (text, [letter, plain]) => `replace(${text}, '${letter}', '${plain}')`,
  'plain',
);

/**
 * Defines the words of a name: how they are stored in indexes, and how a text that a person types is compared with them.
 * Both use `plain_text`. Nothing depends on the locale of the database, and no extension is needed, so that all databases
 * find the same.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    create function plain_text(value text) returns text language plpgsql immutable parallel safe as $$
      declare
        plain text collate "C" := value;
      begin
        if octet_length(plain) > length(plain) then
          plain := normalize(translate(plain, '${APOSTROPHES}', '${"''".repeat(APOSTROPHES.length)}'), nfkd);
          plain := regexp_replace(plain, '${UNSEEN}', '', 'g');
          plain := translate(${plainLetters}, '${SINGLE}', '${SINGLE_PLAIN}');
        end if;
        return trim(regexp_replace(lower(translate(plain, '\`', '''')), '${BETWEEN_WORDS}', ' ', 'g'));
      end
    $$;
    comment on function plain_text is
      'A text as it is compared: without accents, letter case (of Latin letters) and punctuation except apostrophes, one blank between words. Other scripts are compared as they are written.';

    create function search_words(variadic texts text[]) returns tsvector language plpgsql immutable parallel safe as $$
      declare
        plain text collate "C" := public.plain_text(array_to_string(texts, ' '));
        words text collate "C" := replace(plain, '''', '');
      begin
        if words ~ '${INITIAL}' then words := regexp_replace(words, '${INITIAL}', '\\1', 'g'); end if;
        if words <> plain then words := words || ' ' || translate(plain, '''', ' '); end if;
        -- A tsvector takes words of 2 kB and a million characters at most.
        if length(words) > 500 then
          words := array_to_string(array(
            select left(word, 250) from unnest(string_to_array(left(words, 100000), ' ')) word), ' ');
        end if;
        return (words || ' ' || regexp_replace(words, '([^ ])[^ ]*', '\\1', 'g'))::tsvector;
      end
    $$;
    comment on function search_words is
      'The words of texts for words_query: with and without apostrophes, initials apart and joined (J. D. and JD). The first letter of each word too: a search for all words that begin with it would read many.';

    create function word_query(word text) returns tsquery language sql immutable parallel safe
      return (quote_literal(word) || case when length(word) > 1 then ':*' else '' end)::tsquery;
    comment on function word_query is
      'Matches search_words if a word begins one of them: a single letter is one of the first letters there.';

    create function words_query(value text, forms jsonb default null) returns tsquery
      language plpgsql immutable parallel safe as $$
      declare
        typed text[] := string_to_array(regexp_replace(public.plain_text(value), '${INITIAL}', '\\1.', 'g'), ' ');
        word text;
        part text;
        joined text;
        apart tsquery;
        each tsquery;
        found tsquery;
        longer integer := 0;
      begin
        foreach word in array typed loop
          if length(translate(word, '.''', '')) > 1 then longer := longer + 1; end if;
        end loop;
        foreach word in array typed loop
          joined := translate(word, '.''', '');
          continue when joined = '' or (length(joined) = 1 and longer > 1 and forms is not null);
          each := public.word_query(joined);
          if strpos(word, '.') > 0 or (strpos(word, '''') > 0 and forms is not null) then
            apart := null;
            foreach part in array string_to_array(translate(word, '''', '.'), '.') loop
              continue when part = '';
              apart := coalesce(apart && public.word_query(part), public.word_query(part));
            end loop;
            each := each || apart;
          end if;
          if forms ? joined then
            for part in select jsonb_array_elements_text(forms -> joined) loop
              each := each || part::tsquery;
            end loop;
          end if;
          found := coalesce(found && each, each);
        end loop;
        return found;
      end
    $$;
    comment on function words_query is
      'Matches search_words if each word of a text begins a word of them, in any order. With forms (an object of other forms by word) also by these, with the parts of a word with an apostrophe, and without initials if two other words are left. Null for a text without words.';

    create index persons_by_words on persons using gin (search_words(name, first_name, last_name));
    create index districts_by_words on districts using gin (search_words(name));
    create index offices_by_words on offices using gin (search_words(name));
    create index ballot_measures_by_words on ballot_measures using gin (search_words(name, official_title));

    drop index districts_similar_name;
    create index districts_similar_name on districts using gin (replace(plain_text(name), '''', '') gin_trgm_ops);
  `,
    )
    .execute(db);
}
