import { normalName } from '../../base/words/normal-name.ts';
import type { TableName } from '../exchange/format.ts';
import type { Edition, ExternalId, ImportContext, ImportRow, ImportValue } from '../exchange/import-rows.ts';
import { isNoneOfThese, nameKey, splitName } from '../facts/names.ts';
import type { Office } from '../facts/offices.ts';
import type { Place } from '../facts/places.ts';
import type { PrecinctVotes } from './candidates.ts';
import type { CandidateFacts, ElectionFacts, RaceFacts } from './election-facts.ts';
import { lackedBy, leftOutRow, racesOfOthers } from './known-races.ts';

export type { CandidateFacts, ElectionFacts, RaceFacts } from './election-facts.ts';

/** The tables in the order in which their rows are yielded: referenced tables first. */
const ORDER: readonly TableName[] = [
  'districts',
  'parties',
  'offices',
  'persons',
  'contacts',
  'elections',
  'races',
  'candidates',
  'ranked_choice_rounds',
  'ballot_measures',
];

/**
 * Collects the data of an election source as rows. External ids are derived from the properties of a record (district,
 * day, office, names), so that every election source finds the records of the others, whatever the order of imports.
 * The rows are sorted by these ids: neither the order of rows in a file, which often is that of the votes, nor the
 * votes themselves decide which of several rows of a record comes first.
 */
export class ElectionRows {
  readonly #races: Race[] = [];
  readonly #measures: Measure[] = [];
  readonly #files = new Map<string, ReadonlySet<string>>();
  /** The votes by precinct of the candidates of each race that has been yielded, by the ids of both. */
  readonly precinctVotes = new Map<string, Map<string, PrecinctVotes>>();
  readonly #rows = new Map<TableName, Map<string, ImportRow>>(ORDER.map((table) => [table, new Map()]));

  /**
   * Yields the rows, table by table. Rows that would add to the candidates of another source are left out and reported.
   */
  async *rows(context: ImportContext, source: string): AsyncIterable<ImportRow> {
    const races = this.#races.toSorted((a, b) => compare(a.id.value, b.id.value) || compare(a.record, b.record));
    const known = await racesOfOthers(
      context,
      source,
      races.map(({ id }) => id.value),
    );
    for (const race of races) {
      const { id, facts, candidates, record } = race;
      const editions = this.#editionsOf(facts.election, record, id);
      this.#race(race, editions);
      this.precinctVotes.set(id.value, new Map());
      if (facts.leftOut) this.#add(leftOutRow(id, 'missing', record, facts.leftOut), `missing ${record}`);
      const others = known.get(id.value);
      const { file, line } = context.report.placeOf(record);
      const named = withIds(
        id,
        candidates.toSorted((a, b) => compare(a.name, b.name)),
      );
      const own = new Set(named.flatMap(namesOf));
      const isLacking = others && lackedBy(others, own);
      for (const candidate of named) {
        const { name, isWriteIn, votes } = candidate.facts;
        const origin = context.report.locate(`${record}: ${name}`, file, line);
        if (this.#rows.get('candidates')?.has(`candidate ${candidate.ids[0]?.value}`)) {
          const reason = 'is a candidate of the race already: its votes are not added';
          context.report.add(origin, 'names-in-several-spellings', reason, votes ?? 'not known');
        } else if (!others || isWriteIn || namesOf(candidate).some((each) => others.has(each))) {
          this.#candidate(id, facts, candidate, origin, editions);
        } else {
          const reason = `is not among the candidates of another source; votes: ${votes ?? 'not known'}`;
          context.report.add(origin, 'left-out', reason);
          if (isLacking?.(candidate.facts)) this.#add(leftOutRow(id, 'other', origin, votes), `other ${origin}`);
        }
      }
    }
    for (const measure of this.#measures.toSorted((a, b) => compare(measureId(a).value, measureId(b).value)))
      this.#measure(measure);
    for (const table of ORDER) yield* this.#rows.get(table)?.values() ?? [];
  }

  /** Says which files have a record, before it is added; without that, a newer edition is one of the same race or measure. */
  ofFiles(record: string, files: ReadonlySet<string>): void {
    this.#files.set(record, files);
  }

  #editionsOf({ place, date }: ElectionFacts, record: string, id: ExternalId): readonly Edition[] {
    const state = String(place.row.values.state ?? '') || null;
    return [...(this.#files.get(record) ?? [id.value])].map((file) => ({ state, day: date, file }));
  }

  /** Adds a race with its candidates, who are identified by their names. */
  race(facts: RaceFacts, candidates: readonly CandidateFacts[], record: string): void {
    const { election, office, type, stage, stageParty, position } = facts;
    // Each state elects its own electors of the president.
    const of =
      office.place.row.values.type === 'Country' ? [office.id.value, election.place.id.value] : [office.id.value];
    const key = [...of, election.date, type, stage, stageParty, position].filter(Boolean).join(' ');
    this.#races.push({ id: { scheme: 'race', value: key }, facts, candidates, record });
  }

  /** Adds a ballot measure, identified by the source's `ids`. */
  measure(
    election: ElectionFacts,
    place: Place,
    values: Measure['values'],
    ids: readonly ExternalId[],
    record: string,
  ): void {
    this.#measures.push({ election, place, values, ids, record });
  }

  #place({ id, row }: Place, record: string): ExternalId {
    this.#add({ ...row, record });
    return id;
  }

  #election({ place, date, type }: ElectionFacts, record: string): ExternalId {
    const id = { scheme: 'election', value: `${place.id.value} ${date} ${type}` };
    this.#add({
      table: 'elections',
      record,
      ids: [id],
      refs: { district_id: this.#place(place, record) },
      // No source states that it has every race of the day.
      values: { date, type, candidate_lists_complete: false },
      match: { by: 'election' },
    });
    return id;
  }

  #race({ id, facts, record }: Race, editions: readonly Edition[]): void {
    const { election, office, type, stage, stageParty, seats, position, isRankedChoice, basis } = facts;
    const electionId = this.#election(election, record);
    this.#office(office, record);
    this.#add({
      table: 'races',
      record,
      ids: [id],
      refs: { election_id: electionId, office_id: office.id },
      values: {
        year: Number(election.date.slice(0, 4)),
        type,
        stage_type: stage,
        stage_party: stageParty,
        number_of_seats: seats,
        office_position: position,
        is_ranked_choice: isRankedChoice,
        scope_basis: basis,
      },
      match: { by: 'race' },
      editions,
    });
  }

  #measure(measure: Measure): void {
    const { election, place, values, ids, record } = measure;
    const refs = { election_id: this.#election(election, record), district_id: this.#place(place, record) };
    const all = [...ids, measureId(measure)];
    const editions = this.#editionsOf(election, record, measureId(measure));
    this.#add({ table: 'ballot_measures', record, ids: all, refs, values, match: { by: 'measure' }, editions });
  }

  #office({ id, place, values, alone }: Office, record: string): void {
    const refs = { district_id: this.#place(place, record) };
    this.#add({ table: 'offices', record, ids: [id], refs, values, match: { by: 'office', alone } });
  }

  #candidate(
    race: ExternalId,
    { office, stageParty }: RaceFacts,
    { ids, own, facts }: Named,
    record: string,
    editions: readonly Edition[],
  ): void {
    const { name, parties = [], runningMate, isWriteIn, votes, status, personUrl, contacts = [], rounds = [] } = facts;
    // The same name and office identify one person across all elections; a shortened name does so only within the race.
    // None of these candidates is one record, whatever the office.
    const of = isNoneOfThese(name) ? '' : `${office.id.value} `;
    const person = [{ scheme: 'candidacy', value: `${of}${own}` }, ...ids];
    const [personId] = person;
    const [candidateId] = ids;
    if (!personId || !candidateId) return;
    if (facts.precincts?.size) this.precinctVotes.get(race.value)?.set(candidateId.value, facts.precincts);
    this.#add({
      table: 'persons',
      record,
      ids: person,
      values: { name, ...splitName(name), url: personUrl },
      match: { by: 'candidacy', office: office.id },
    });
    for (const { collection, type, contact } of contacts) {
      const values = { collection, contact_type: type, contact };
      this.#add({ table: 'contacts', record, refs: { person_id: personId }, values }, `${personId.value} ${contact}`);
    }
    this.#add({
      table: 'candidates',
      record,
      ids,
      refs: {
        race_id: race,
        person_id: personId,
        ...(parties.length > 0 ? { party_ids: parties.map((party) => this.#party(party, record)) } : {}),
      },
      values: {
        stage_party: stageParty,
        running_mate: runningMate,
        is_write_in: isWriteIn,
        cand_status: status,
        votes_for_cand: votes,
      },
      match: { by: 'candidate', name },
      editions,
    });
    for (const [index, { votes: gained, status: recorded }] of rounds.entries()) {
      const values = { round: index + 1, votes_for: gained, status: recorded };
      this.#add(
        { table: 'ranked_choice_rounds', record, refs: { candidate_id: candidateId }, values },
        `${candidateId.value} ${index}`,
      );
    }
  }

  #party(name: string, record: string): ExternalId {
    const id = { scheme: 'name', value: name };
    this.#add({ table: 'parties', record, ids: [id], values: { name }, match: { by: 'name' } });
    return id;
  }

  /** Adds a record once: if several contests name it, its row has the ids of all of them. */
  #add(row: ImportRow, key = `${row.ids?.[0]?.scheme} ${row.ids?.[0]?.value}`): void {
    const rows = this.#rows.get(row.table);
    const known = rows?.get(key);
    if (!known) rows?.set(key, row);
    else if (known.table === 'persons') rows?.set(key, { ...known, ids: unite(known.ids ?? [], row.ids ?? []) });
  }
}

interface Race {
  readonly id: ExternalId;
  readonly facts: RaceFacts;
  readonly candidates: readonly CandidateFacts[];
  readonly record: string;
}

interface Measure {
  readonly election: ElectionFacts;
  readonly place: Place;
  readonly values: Readonly<Record<string, ImportValue>> & { readonly name: string };
  readonly ids: readonly ExternalId[];
  readonly record: string;
}

interface Named {
  readonly ids: readonly ExternalId[];
  /** What identifies the person among the candidates for the office. */
  readonly own: string;
  readonly facts: CandidateFacts;
}

function measureId({ election, place, values }: Measure): ExternalId {
  const title = normalName(String(values.official_title ?? values.name));
  return { scheme: 'measure', value: `${place.id.value} ${election.date} ${title}` };
}

/** Returns the names by which a candidate may be known to the database. */
function namesOf({ ids, facts }: Named): readonly string[] {
  return [normalName(facts.name), ...ids.map(({ value }) => value)];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Returns the candidates with their ids. Two candidates with the same first and last name are identified by their full
 * names only.
 */
function withIds(race: ExternalId, candidates: readonly CandidateFacts[]): Named[] {
  const shorts = Map.groupBy(candidates, ({ name }) => nameKey(name));
  const equal = Map.groupBy(candidates, ({ name }) => normalName(name));
  return candidates.map((facts) => {
    const short = nameKey(facts.name);
    const plain = normalName(facts.name);
    // Two persons of one name differ by their parties.
    const own =
      (equal.get(plain)?.length ?? 0) > 1 ? `${plain} [${normalName(facts.parties?.join(' ') ?? '')}]` : plain;
    const names = [own, ...((shorts.get(short)?.length ?? 0) > 1 ? [] : [`(${short})`])];
    return { ids: names.map((name) => ({ scheme: 'candidate', value: `${race.value} ${name}` })), own, facts };
  });
}

function unite(some: readonly ExternalId[], others: readonly ExternalId[]): ExternalId[] {
  const known = new Set(some.map(({ value }) => value));
  return [...some, ...others.filter(({ value }) => !known.has(value))];
}
