import { resolve, sep } from 'node:path';
import { commandsToday } from '../../../base/clock.ts';
import { isCalendarDate } from '../../../base/dates.ts';
import type { ImportContext, ImportRow, OpenedSource } from '../../exchange/import-rows.ts';
import { OTHER_NAME } from '../../load/persons/person-records.store.ts';
import { settleSnapshots } from '../../load/settle/settle-snapshots.ts';
import type { NamedFile } from '../../read/named-file.ts';
import { decodeText } from '../../read/read-documents.ts';
import { findFiles, readWhole, watchFiles } from '../../read/read-files.ts';
import { contactRows } from './openstates-contacts.ts';
import { reportMissingMaps } from './openstates-maps.ts';
import {
  dropOverlaps,
  dropRepeated,
  type Holder,
  type OpenStatesPerson,
  readPerson,
  readRole,
  type Term,
} from './openstates-person.ts';
import { knownTerms, SCHEME, termIds, termKey } from './openstates-terms.ts';

export interface OpenStatesOptions {
  /** The day of the edition, `YYYY-MM-DD`; defaults to the folder in the path that is a day, otherwise to today. */
  readonly asOf?: string;
}

/**
 * Opens people of the project openstates/people: a folder of YAML files, one per person. It has legislators, governors,
 * other state officials and mayors, with their terms and contacts.
 */
export async function openOpenStatesPeople(
  paths: readonly string[],
  options: OpenStatesOptions,
): Promise<OpenedSource> {
  const asOf =
    options.asOf ??
    resolve(paths[0] ?? '')
      .split(sep)
      .findLast(isCalendarDate) ??
    commandsToday();
  const files = await findFiles(paths, ['.yml', '.yaml']);
  return {
    provenance: { name: SCHEME, source: 'https://github.com/openstates/people', license: 'CC0-1.0', asOf },
    rows: (context) => rowsOf(files, asOf, context),
    settle: (db, report) => settleSnapshots(db, { name: SCHEME, asOf }, report),
  };
}

const OVERLAPS = '…: overlaps another seat; the source does not state which one is correct';
const IS_NO_PERSON = 'is not a person, but an organization or a committee: the file is skipped';
const PARTIAL = '… is not a day: the day is left open';
const REPEATED = '…: is another term of the person in the office with other days';

async function* rowsOf(files: readonly NamedFile[], asOf: string, context: ImportContext): AsyncIterable<ImportRow> {
  const holders = await readHolders(files, asOf, context);
  const roles = holders.flatMap(({ record, terms }) => terms.map(({ role }) => ({ record, role })));
  const offices = new Map(roles.map(({ record, role }) => [role.office.id.value, { record, office: role.office }]));
  const places = new Map([...offices.values()].map((each) => [each.office.place.id.value, each]));
  for (const { record, office } of places.values()) yield { ...office.place.row, record };
  for (const name of new Set(holders.flatMap(({ person }) => partyOf(person) ?? []))) {
    yield {
      table: 'parties',
      record: name,
      ids: [{ scheme: 'name', value: name }],
      values: { name },
      match: { by: 'name' },
    };
  }
  for (const { record, office } of offices.values()) {
    yield {
      table: 'offices',
      record,
      ids: [office.id],
      refs: { district_id: office.place.id },
      values: office.values,
      match: { by: 'office', alone: office.alone },
    };
  }
  for (const holder of holders) yield personRow(holder);
  for (const holder of holders) yield* termRows(holder, context);
  for (const holder of holders) yield* contactRows(holder, context);
  await reportMissingMaps(holders, context);
}

async function readHolders(
  files: readonly NamedFile[],
  asOf: string,
  { db, report, onRead }: ImportContext,
): Promise<Holder[]> {
  const known = await knownTerms(db);
  const holders: Holder[] = [];
  for (const file of watchFiles(files, onRead)) {
    const person = readPerson(file.name, decodeText(file.name, await readWhole(file)));
    if (!person) {
      report.add(report.locate(file.name, file.name), 'unreadable-files', IS_NO_PERSON);
      continue;
    }
    const record = report.locate(`${file.name} (${person.name})`, file.name);
    const roles = person.roles.flatMap((given) => {
      const role = readRole(given);
      const end = typeof role === 'string' ? role.lastIndexOf(': ') : 0;
      if (typeof role === 'string') report.add(record, 'left-out', `…${role.slice(end)}`, role.slice(0, end));
      else for (const date of role.partial) report.add(record, 'left-out', PARTIAL, `${role.shown}: ${date}`);
      return typeof role === 'string' ? [] : [role];
    });
    const { remaining: single, dropped: repeated } = dropRepeated(roles);
    for (const { shown } of repeated) report.add(record, 'left-out', REPEATED, shown);
    const { remaining, dropped } = dropOverlaps(single);
    for (const { shown } of dropped) report.add(record, 'left-out', OVERLAPS, shown);
    const terms = remaining.map((role): Term => {
      const key = termKey(person.id, role);
      return { role, isCurrent: role.isCurrent(asOf), ids: termIds(key, role, asOf, known.get(key) ?? []) };
    });
    if (terms.length === 0) report.add(record, 'left-out', 'has no term that can be determined');
    else holders.push({ person, record, terms });
  }
  return holders;
}

function personRow({ person, record, terms }: Holder): ImportRow {
  // An id that was merged into another one also identifies the person.
  const merged = person.other_identifiers.filter(({ identifier }) => identifier.startsWith('ocd-person/'));
  const others = person.other_identifiers.filter((other) => !merged.includes(other));
  return {
    table: 'persons',
    record,
    ids: [person.id, ...merged.map(({ identifier }) => identifier)].map((value) => ({ scheme: 'ocd-person', value })),
    labels: [
      ...others.map(({ scheme, identifier }) => ({ scheme, value: identifier })),
      ...person.other_names.map(({ name }) => ({ scheme: OTHER_NAME, value: `${person.id} ${name}` })),
    ],
    values: {
      name: person.name,
      first_name: person.given_name,
      last_name: person.family_name,
      url: person.links[0]?.url,
      image_url: person.image,
    },
    match: {
      by: 'holder',
      holds: terms.map(({ role }) => ({ office: role.office.id, start: role.start ?? '' })),
    },
  };
}

function* termRows({ person, record, terms }: Holder, { report }: ImportContext): Iterable<ImportRow> {
  const party = partyOf(person);
  for (const { role, ids, isCurrent } of terms) {
    yield {
      table: 'officeholders',
      record: report.locate(`${record}: ${role.shown}`, report.placeOf(record).file),
      ids,
      refs: {
        office_id: role.office.id,
        person_id: { scheme: 'ocd-person', value: person.id },
        ...(party && isCurrent ? { partisan_affiliation: { scheme: 'name', value: party } } : {}),
      },
      values: { status: isCurrent ? 'Current' : 'Former', start_date: role.start, end_date: role.end },
      match: role.start === undefined ? undefined : { by: 'term' },
    };
  }
}

/** Returns the current party; the first of several nominating parties (`Democratic/Progressive`). */
function partyOf({ party }: OpenStatesPerson): string | undefined {
  return party.find(({ end_date }) => end_date === undefined)?.name.split('/')[0];
}
