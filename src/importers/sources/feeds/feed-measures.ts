import { dictionary } from '../../../base/dictionary.ts';
import { normalName } from '../../../base/words/normal-name.ts';
import type { ExternalId, ImportRow } from '../../exchange/import-rows.ts';
import { childOf, childrenOf, localText, plain, textOf } from './elements.ts';
import type { Feed, FeedContest } from './feed.ts';
import { votesOf } from './feed-votes.ts';
import type { XmlElement } from './xml-file.ts';

const YES = /^(yes|for|in favor( of)?|approved?|aye|accept(ed)?)\b/;
const NO = /^(no|against|reject(ed)?|oppose[ds]?|disapprove[ds]?|not approved|nay)\b/;

const TYPES: Readonly<Record<string, string>> = dictionary({
  'ballot-measure': 'Ballot measure',
  initiative: 'Initiative',
  referendum: 'Referendum',
});

/** The selections of a question: which means yes and which means no. */
export interface Choices {
  readonly yes: XmlElement | undefined;
  readonly no: XmlElement | undefined;
}

export function choicesOf(feed: Feed, contest: XmlElement, selections: readonly XmlElement[]): Choices {
  const wordOf = (each: XmlElement) => normalName(localText(each, 'Selection') ?? '');
  const yes = selections.filter((each) => YES.test(wordOf(each)));
  const no = selections.filter((each) => NO.test(wordOf(each)));
  const others = selections.filter((each) => !yes.includes(each) && !no.includes(each));
  const isPlain = yes.length <= 1 && no.length <= 1 && others.length === 0;
  if (isPlain) return { yes: yes[0], no: no[0] };
  const shown = selections.map((each) => `"${localText(each, 'Selection') ?? ''}"`).join(', ');
  feed.report.add(
    feed.record(contest),
    'left-out',
    `its answers ${shown} are not a yes and a no; their meaning and votes are omitted`,
  );
  return { yes: undefined, no: undefined };
}

/** Returns a question as a row: its titles, the meaning of its answers, and the votes. */
export function measureRow(
  feed: Feed,
  contest: FeedContest,
  selections: readonly XmlElement[],
  ids: { readonly election: ExternalId; readonly district: ExternalId },
): ImportRow {
  const { element, election } = contest;
  const { yes, no } = choicesOf(feed, element, selections);
  const [title, name] = [localText(element, 'BallotTitle'), textOf(element, 'Name')];
  const given = textOf(element, 'Type') ?? '';
  for (const statement of ['ProStatement', 'ConStatement'] as const) {
    if (childOf(element, statement) && !meaningOf(element, statement))
      feed.countSkipped(statement, 'is an argument, not the effect of a yes or no');
  }
  const known = normalName(title ?? name ?? '');
  const common = { scheme: 'measure', value: `${ids.district.value} ${election.date} ${known}` };
  return {
    table: 'ballot_measures',
    record: feed.record(element),
    ids: [feed.externalId(element), ...(ids.district.scheme === 'ocdid' ? [common] : [])],
    refs: { election_id: ids.election, district_id: ids.district },
    values: {
      name: name ?? title,
      type: TYPES[given] ?? textOf(element, 'OtherType'),
      official_title: title,
      yes_vote: meaningOf(element, 'ProStatement') ?? answerText(yes),
      no_vote: meaningOf(element, 'ConStatement') ?? answerText(no),
      yes_votes_total: yes && votesOf(feed, yes, contest),
      no_votes_total: no && votesOf(feed, no, contest),
      url: addressOf(element),
    },
    match: { by: 'measure' },
  };
}

/** Returns a statement if it describes the effect of an answer, such as `Yes means …`; otherwise undefined. */
function meaningOf(contest: XmlElement, name: 'ProStatement' | 'ConStatement'): string | undefined {
  const text = localText(contest, name);
  return text &&
    /^(a )?["“']?(yes|no|for|against)["”']?( vote)? (means|would|will|supports|opposes|is a vote)\b/i.test(text)
    ? text
    : undefined;
}

/** Returns the text of an answer if it says more than yes or no. */
function answerText(selection: XmlElement | undefined): string | undefined {
  const text = selection && localText(selection, 'Selection');
  return text && normalName(text).includes(' ') ? text : undefined;
}

function addressOf(contest: XmlElement): string | undefined {
  const uris = childrenOf(contest, 'InfoUri');
  const isReference = ({ attributes }: XmlElement) => /wikipedia/i.test(attributes.Annotation ?? '');
  const chosen = uris.find((uri) => !isReference(uri)) ?? uris[0];
  return chosen && plain(chosen);
}
