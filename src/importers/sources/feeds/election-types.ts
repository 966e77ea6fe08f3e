import { isCalendarDate } from '../../../base/dates.ts';
import type { Feed, FeedElection } from './feed.ts';
import type { XmlElement } from './xml-file.ts';

type ElectionKind = Pick<FeedElection, 'type' | 'stage' | 'isSpecial' | 'isRecall'>;

/**
 * Returns the type and stage that words such as `partisan-primary-open` or `Special General` mean; undefined for other
 * words.
 */
export function electionKind(words: readonly string[]): ElectionKind | undefined {
  const all = words.join(' ').toLowerCase();
  const [isPrimary, isRunoff, isGeneral] = [/primary/, /run-?off/, /general/].map((word) => word.test(all));
  const [isSpecial = false, isRecall = false] = [/special/, /recall/].map((word) => word.test(all));
  if (!isPrimary && !isRunoff && !isGeneral && !isSpecial && !isRecall) return undefined;
  const stage = isPrimary ? (isRunoff ? 'Primary Runoff' : 'Primary') : isRunoff ? 'General Runoff' : 'General';
  const special = stage === 'General' ? 'Special' : `Special ${stage}`;
  return { type: isRecall ? 'Recall' : isSpecial ? special : stage, stage, isSpecial, isRecall };
}

/** Returns an election of the feed; an election without a day or a known type is reported. */
export function feedElection(
  feed: Feed,
  element: XmlElement,
  given: {
    readonly date: string | undefined;
    readonly types: readonly string[];
    readonly description: string | undefined;
    readonly district: string | undefined;
    readonly status?: string | undefined;
  },
): FeedElection | undefined {
  const { date, types, description, district, status } = given;
  const kind = electionKind(types);
  const record = feed.record(element);
  if (date === undefined || !isCalendarDate(date)) {
    feed.report.add(
      record,
      'left-out',
      `line ${element.line}: the day of the election, ${date ?? '(none)'}, is not YYYY-MM-DD`,
    );
    return undefined;
  }
  if (!kind) {
    const shown = types.join(', ') || '(none)';
    feed.report.add(
      record,
      'left-out',
      `line ${element.line}: the type ${shown} is not a stage such as general or primary`,
    );
    return undefined;
  }
  return { element, date, ...kind, description, district: district ?? '', status };
}
