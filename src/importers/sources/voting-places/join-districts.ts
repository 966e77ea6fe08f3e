import { normalName } from '../../../base/words/normal-name.ts';
import type { ImportContext } from '../../exchange/import-rows.ts';
import { countyNamed } from '../../facts/counties.ts';
import { districtsOn, type StoredDistrict } from './known-records.store.ts';
import type { PlaceRow } from './place-rows.ts';

/** A text that may name a district, and the county that it is in, if the join has that column as well. */
export interface DistrictText {
  readonly name: string;
  readonly county?: string;
}

/** The types whose names end with what they are in some sources: `Rutland`, `Rutland city` and `Rutland town`. */
const WITH_KIND: ReadonlySet<string> = new Set(['County subdivision', 'City-town']);
const KIND = / (city|town)$/;

/** Finds the districts of a type in a state by exact names and GEOIDs. */
export class DistrictNames {
  readonly #type: string;
  readonly #state: string;
  readonly #day: string;
  readonly #byName: ReadonlyMap<string, readonly StoredDistrict[]>;
  readonly #byCore: ReadonlyMap<string, readonly StoredDistrict[]>;
  readonly #byGeoid: ReadonlyMap<string, StoredDistrict>;
  /** The names with their kinds that the file has. */
  readonly #withKind: ReadonlySet<string>;

  constructor(
    { type, state, day }: { readonly type: string; readonly state: string; readonly day: string },
    districts: readonly StoredDistrict[],
    texts: readonly DistrictText[],
  ) {
    this.#type = type;
    this.#state = state;
    this.#day = day;
    const named = districts.flatMap((district) => namesOf(district).map((name) => ({ name, district })));
    const group = (key: (name: string) => string) =>
      new Map(
        [...Map.groupBy(named, ({ name }) => key(name))].map(([name, all]) => [
          name,
          [...new Set(all.map(({ district }) => district))],
        ]),
      );
    this.#byName = group((name) => name);
    this.#byCore = group((name) => name.replace(KIND, ''));
    this.#byGeoid = new Map(districts.map((district) => [shortId(district.geoId), district]));
    const all = texts.map((text) => this.#keyOf(text)).filter((key) => KIND.test(key));
    this.#withKind = new Set(all.map((key) => key.replace(KIND, '')));
  }

  /** Returns the one district that a text names, or why there is none. */
  find(text: DistrictText): StoredDistrict | 'unknown' | 'ambiguous' {
    if (this.#type === 'County') {
      const county = countyNamed(this.#state, text.name, this.#day);
      return (county && this.#byGeoid.get(county.geoid)) ?? 'unknown';
    }
    const key = this.#keyOf(text);
    const exact = this.#byName.get(key) ?? [];
    const [only = this.#byGeoid.get(text.name)] = exact;
    if (exact.length > 1) return 'ambiguous';
    if (!WITH_KIND.has(this.#type) || KIND.test(key)) return only ?? 'unknown';
    // A name without its kind is of no one if a town and a city have it, in the database or in the file.
    const [alike, another] = this.#byCore.get(key) ?? [];
    return another || this.#withKind.has(key) ? 'ambiguous' : (alike ?? only ?? 'unknown');
  }

  #keyOf({ name, county }: DistrictText): string {
    if (county === undefined) return normalName(name);
    return `${countyNamed(this.#state, county, this.#day)?.geoid} ${normalName(name)}`;
  }
}

/** Returns the names of a district within its state, and within its county. */
function namesOf({ name, geoId, ofCounty }: StoredDistrict): string[] {
  const county = /^060.*US(\d{5})\d{5}$/.exec(geoId ?? '')?.[1];
  return [normalName(name), ...ofCounty, ...(county ? [`${county} ${normalName(name)}`] : [])];
}

function shortId(geoId: string | null): string {
  return (geoId ?? '').replace(/^.*US/, '');
}

const KIND_OF_REPORT = 'places-and-districts';
/** The kind of the places that are for the voters of one precinct or town. */
const ELECTION_DAY = 'Election day';

/**
 * Joins the rows of one state and day with the districts that the operator named, and reports what joins with nothing: rows, and
 * districts of these types.
 */
export async function joinDistricts(
  rows: readonly PlaceRow[],
  { db, report }: ImportContext,
): Promise<(row: PlaceRow) => number | undefined> {
  const joined = new Map<PlaceRow, number>();
  const [first] = rows;
  for (const type of new Set(rows.flatMap(({ districts: [text] }) => text?.type ?? []))) {
    if (!first) break;
    const { state, date } = first;
    const stored = await districtsOn(db, state.postal, type, date);
    const own = rows.filter(({ districts: [text] }) => text?.type === type);
    const texts = own.flatMap(({ districts: [text] }) => text ?? []);
    const names = new DistrictNames({ type, state: state.postal, day: date }, stored, texts);
    const places = new Map<number, Set<string>>();
    for (const row of own) {
      const [text] = row.districts;
      if (!text) continue;
      const found = names.find(text);
      const isShared = type === 'County' && row.kind === ELECTION_DAY;
      if (isShared || typeof found === 'string') {
        const why = isShared
          ? 'a place of election day is not for a whole county'
          : REASONS[found as keyof typeof REASONS];
        report.add(
          row.record,
          KIND_OF_REPORT,
          `${why}: it is listed for the election, and for no district`,
          `${type} ${text.name}`,
        );
        continue;
      }
      joined.set(row, found.id);
      const of = places.get(found.id) ?? new Set();
      places.set(found.id, of);
      if (row.kind === ELECTION_DAY) of.add(normalName(`${row.parts.name} ${row.parts.address ?? ''}`));
    }
    for (const { id, name } of stored) {
      const count = places.get(id)?.size;
      const record = `${state.postal} ${date} ${type} ${name}`;
      if (count === undefined) report.add(record, KIND_OF_REPORT, 'the district has no place in the file');
      else if (count > 1) report.add(record, KIND_OF_REPORT, 'the district has several places on election day', count);
    }
    const count = own.filter((row) => joined.has(row)).length;
    if (count < own.length || places.size < stored.length)
      report.add(
        `${state.postal} ${date} ${type}`,
        KIND_OF_REPORT,
        'not all rows and districts have each other',
        `${count} of ${own.length} rows have a district, ${places.size} of ${stored.length} districts have a place`,
      );
  }
  return (row) => joined.get(row);
}

const REASONS = {
  unknown: 'no district has this name or GEOID',
  ambiguous: 'several districts may have this name',
};
