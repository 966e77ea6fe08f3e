/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** The status of a ballot measure. */
export type BallotMeasureStatus =
  /** Voters approved it. */
  | 'APPROVED'
  /** The legislature decides on it next. */
  | 'CERTIFIED_TO_THE_LEGISLATURE'
  /** Voters rejected it. */
  | 'DEFEATED'
  /** Signatures are being gathered. */
  | 'GATHERING_SIGNATURES'
  /** It is not on the ballot. */
  | 'NOT_ON_THE_BALLOT'
  /** Voters decide on it. */
  | 'ON_THE_BALLOT'
  /** A court decides whether it is on the ballot. */
  | 'PENDING_JUDICIAL_RULING'
  /** Election officials have yet to decide whether it is valid. */
  | 'PENDING_OFFICIAL_REVIEW'
  /** The measure has been proposed. */
  | 'PROPOSED'
  /** It has enough signatures or votes to be on the ballot. */
  | 'QUALIFIED_FOR_THE_BALLOT'
  /** The signatures have been submitted. */
  | 'SIGNATURES_SUBMITTED'
  /** The votes are counted, and the outcome is still open. */
  | 'TOO_CLOSE_TO_CALL';

/** Why a race uses a particular boundary of its district. Rules are numbered as in "Boundary-in-effect" in the specification. */
export type BoundaryReason =
  /** The reference day is before the first known map of the district or after the last one. */
  | 'NO_MAP_IN_EFFECT'
  /** The district has had only one map. */
  | 'ONLY_ONE_MAP'
  /** A special race fills the rest of a term: its election date is on or before the last day of an older map, which is used (rule 4). */
  | 'SPECIAL_BEFORE_END_OF_OLDER_MAP'
  /** The race is special, and no older map reaches its election date: the newest map is used, even if it begins later. */
  | 'SPECIAL_ON_NEWEST_MAP'
  /** The race is not special, the district has several maps, and neither a swearing-in date nor a term that begins after the election is known: 31 January of the year after the race year is assumed. */
  | 'SWEARING_IN_DATE_NOT_KNOWN'
  /** The race is not special, and its winner is sworn in after an older map ends: the newer map is used, even if the election is held before then, and even if the newer map begins later (rule 5). */
  | 'SWORN_IN_AFTER_END_OF_OLDER_MAP'
  /** The race is not special, and its winner is sworn in while the oldest map is still in effect. */
  | 'SWORN_IN_ON_OLDEST_MAP';

/** A rectangle of meridians and parallels in WGS 84 degrees. */
export type BoundingBoxInput = {
  /** The greatest longitude. */
  east: number;
  /** The greatest latitude. */
  north: number;
  /** The smallest latitude, less than `north`. */
  south: number;
  /** The smallest longitude, less than `east`. */
  west: number;
};

/** The way to contact an officeholder or a person. */
export type ContactType =
  /** A postal address. */
  | 'ADDRESS'
  /** An e-mail address. */
  | 'EMAIL'
  /** A fax number. */
  | 'FAX'
  /** A telephone number. */
  | 'PHONE'
  /** The URL of a page. */
  | 'WEBSITE';

/** How the day of a deadline is known. */
export type DeadlineBasis =
  /** A source states a rule for all elections, from which the day is computed. */
  | 'RULE'
  /** A source states the day for this election. */
  | 'STATED';

/** What a voter may do until a day, or from a day on. */
export type DeadlineKind =
  /** The first day of early voting. */
  | 'EARLY_VOTING_FROM'
  /** The last day of early voting. */
  | 'EARLY_VOTING_TO'
  /** The last day of the postmark of a registration by mail. */
  | 'REGISTER_BY_MAIL_POSTMARKED'
  /** The last day on which a registration by mail may arrive. */
  | 'REGISTER_BY_MAIL_RECEIVED'
  /** The last day to register to vote in person. */
  | 'REGISTER_IN_PERSON'
  /** The last day to register to vote online. */
  | 'REGISTER_ONLINE'
  /** The last day to request a ballot by mail. */
  | 'REQUEST_BALLOT'
  /** The last day of the postmark of a ballot by mail. */
  | 'RETURN_BALLOT_POSTMARKED'
  /** The last day on which a ballot by mail may arrive. */
  | 'RETURN_BALLOT_RECEIVED';

/** District type. Lists are sorted in this order: COUNTRY, CONGRESS, STATE, STATE_LEGISLATIVE_UPPER, STATE_LEGISLATIVE_LOWER, JUDICIAL_DISTRICT, COUNTY, COUNTY_SUBDIVISION, CITY_TOWN, SCHOOL_DISTRICT, STATE_SUBDIVISION, SPECIAL_DISTRICT_SUBDIVISION, JUDICIAL_DISTRICT_SUBDIVISION, SPECIAL_DISTRICT, CITY_TOWN_SUBDIVISION, SCHOOL_DISTRICT_SUBDIVISION, PRECINCT. */
export type DistrictType =
  /** A city, town, village or census designated place. */
  | 'CITY_TOWN'
  /** A ward or council district of a city or town. */
  | 'CITY_TOWN_SUBDIVISION'
  /** District of the U.S. House of Representatives, including at-large districts. */
  | 'CONGRESS'
  /** The whole country; its state is `US`. */
  | 'COUNTRY'
  /** A county or its equivalent: parish, borough, census area or independent city. */
  | 'COUNTY'
  /** A part of a county, such as a town, township or commissioner district. */
  | 'COUNTY_SUBDIVISION'
  /** District of a court whose judges are elected or retained there. */
  | 'JUDICIAL_DISTRICT'
  /** A part of a judicial district that elects its own judge. */
  | 'JUDICIAL_DISTRICT_SUBDIVISION'
  /** The voters of one place to vote, as its election office draws them. It is not among the types of the specification: REST has it only with `include=precincts`. */
  | 'PRECINCT'
  /** District of a school board: unified, elementary or secondary. */
  | 'SCHOOL_DISTRICT'
  /** A part of a school district that elects its own member. */
  | 'SCHOOL_DISTRICT_SUBDIVISION'
  /** District of a public body with a single purpose: water, fire, hospital or soil conservation. */
  | 'SPECIAL_DISTRICT'
  /** A part of a special district that elects its own member. */
  | 'SPECIAL_DISTRICT_SUBDIVISION'
  /** A state, the District of Columbia or a territory. */
  | 'STATE'
  /** District of a state house or assembly. */
  | 'STATE_LEGISLATIVE_LOWER'
  /** District of a state senate. */
  | 'STATE_LEGISLATIVE_UPPER'
  /** A part of a state, other than a county, that elects its own members: for example a regents or board district. */
  | 'STATE_SUBDIVISION';

/** Whether an election is held on its day. */
export type ElectionStatus =
  /** Called off: it is not held, on this day or another. */
  | 'CANCELLED'
  /** Was held, and its results are final. */
  | 'CERTIFIED'
  /** Not held on this day. The new day is another election, once it is known. */
  | 'POSTPONED'
  /** The authority has confirmed the day. */
  | 'SCHEDULED';

/** A kind of texts that `geocode` finds, if it is loaded. */
export type FindableLayer =
  /** Street addresses. */
  | 'ADDRESSES'
  /** Counties by their names. */
  | 'COUNTIES'
  /** Cities and towns by their names. */
  | 'TOWNS'
  /** Cities and towns of which only a point is loaded: they are LOCATED_ONLY. */
  | 'TOWNS_ON_MAP'
  /** ZIP codes of five digits. */
  | 'ZIP_CODES'
  /** ZIP codes of which only a point is loaded: they are LOCATED_ONLY. */
  | 'ZIP_CODES_ON_MAP';

/** What a match of `geocode` is. */
export type GeocodeKind =
  /** An address with a point of its own in a data set. */
  | 'ADDRESS'
  /** An address within an address range of the Census: the point is estimated from the house number, on its side of the street. */
  | 'INTERPOLATED'
  /** A city, town or ZIP code of which only a point on the map is loaded, and no area. `center` moves a map there; its districts are not known. */
  | 'LOCATED_ONLY'
  /** A city, town, county, state or school district: an area, which has no point. `area(district:)` has the districts that it lies in. */
  | 'PLACE'
  /** A ZIP code: an area, which has no point. `zip` has its districts. */
  | 'ZIP';

/** What a new map changed for a point. */
export type LocationChangeKind =
  /** The point is in the districts of `entered` from the day on, in addition to those in which it was or in none: for example a city that annexed it. */
  | 'ENTERED'
  /** The point is no longer in the districts of `left`, and in no other in place of them. */
  | 'LEFT'
  /** From the day on, the point is in the districts of `entered` in place of those of `left`. */
  | 'MOVED'
  /** Where the point was, or is, is not known: no district of this type and state is loaded for the day before, or none for the day, also because a newer map is in effect that is not loaded; or none of the loaded ones contains the point, though districts of this type cover their state. */
  | 'NO_DATA'
  /** The point is in the same districts, at least one of which has a new boundary from the day on. */
  | 'STAYED';

/** What the comparison of two maps says about a district. */
export type MapChangeKind =
  /** No district of the other map has a part of it, slivers aside. Either there was or is none, as for a district that was dissolved, or the outline of the one that has its area is not loaded: which of them is not known. */
  | 'IN_NO_DISTRICT'
  /** The map on the side of the district is known, and does not have it: for example a district that was added by the newer map, asked for its successors. */
  | 'NOT_ON_MAP'
  /** The map of one of the two days is not loaded, for no district of this type and state. Whether anything changed is not known. */
  | 'NO_DATA'
  /** Another district has the same line, with the same tolerance: the name or number changed, and not the line. */
  | 'OTHER_NAME'
  /** The line moved: the area of the district is divided differently on the other map. */
  | 'REDRAWN'
  /** The same boundary is in effect on both days: no new map of the district began. */
  | 'SAME_BOUNDARY'
  /** The district has a new boundary with the same line: at most 0.1 % of the area of either outline is not in the other one, or 1 % if one of them is generalised, and no other district gave or got a larger share of its own area than that. */
  | 'SAME_LINE';

/** What a text asks for and is not loaded. */
export type MissingLayer =
  /** Addresses: an operator loads them with `npm run import -- address-points` or `npm run import -- tiger-addrfeat`. */
  | 'ADDRESSES'
  /** Outlines of cities and towns, of the state if the text names one: an operator loads them with `npm run import -- districts-geojson`, `districts-shapefile` or `districts-topojson`. */
  | 'TOWNS'
  /** Areas of ZIP codes: an operator loads them with `npm run import -- zcta`. */
  | 'ZIP_CODES';

/** The level of government that an office belongs to. */
export type OfficeLevel =
  /** The United States, including Congress. */
  | 'FEDERAL'
  /** A county, municipality, school or special district. */
  | 'LOCAL'
  /** A state or territory, including its legislature. */
  | 'STATE';

/** A point in WGS 84 degrees. */
export type PointInput = {
  /** Degrees north of the equator. */
  latitude: number;
  /** Degrees east of Greenwich. */
  longitude: number;
};

/** The outcome of one round of a ranked-choice count. */
export type RoundStatus =
  /** The candidate takes part in the next round. */
  | 'ADVANCED'
  /** The candidate is eliminated in this round. */
  | 'LOST'
  /** The candidate wins in this round. */
  | 'WON';

/** What shows that the district of the office votes on a race. Results of elections list the votes of precincts and counties, and often do not say which of them vote together. */
export type ScopeBasis =
  /** Assumed: the source does not name the district, and the votes are from the county. Other counties may vote on it too, or only a part of it; such a race has no stored outcome. */
  | 'COUNTY'
  /** The office is of a whole state or county by law, as a governor or a sheriff. */
  | 'LAW'
  /** The source does not name the district; its counties have the same candidates with the same parties. */
  | 'SAME_CANDIDATES'
  /** The source names the district. */
  | 'STATED';

/** How one votes at a place. */
export type VotingPlaceKind =
  /** Takes ballots that a voter has received by mail. */
  | 'DROP_BOX'
  /** Open before election day. */
  | 'EARLY_VOTING'
  /** Open on election day, for the voters of its districts. */
  | 'ELECTION_DAY'
  /** Open on election day for all voters of its districts, usually a county. */
  | 'VOTE_CENTER';

/** What a source says of a place that is not open as listed. */
export type VotingPlaceStatus =
  /** The place is closed for this election. */
  | 'CLOSED'
  /** Voters of the place go elsewhere: see `movedTo`. */
  | 'MOVED';

export type AreaQueryVariables = Exact<{
  district?: number | null | undefined;
  code?: string;
  isZip: boolean;
  on?: string | null | undefined;
  types: Array<DistrictType> | DistrictType;
}>;


export type AreaQuery = { area?: { district: { databaseId: number, type: DistrictType, name: string, state: string | null } | null, districts: Array<{ areaShare: number, isWhole: boolean, district: { databaseId: number, type: DistrictType, name: string, state: string | null, updatedAt: string | null, newerMap: { sentence: string } | null, electionOffice: { name: string, website: string, asOf: string } | null, boundary: { id: string, databaseId: number, startDate: string, precise: boolean, updatedAt: string | null, boundingBox: { west: number, south: number, east: number, north: number } | null, sources: Array<{ name: string, license: string | null }> } | null, offices: Array<{ name: string, updatedAt: string | null, fullName: string, level: OfficeLevel, officeholders: Array<{ status: string, updatedAt: string | null, startDate: string | null, endDate: string | null, person: { name: string, updatedAt: string | null, imageUrl: string | null } | null, party: { name: string } | null, contacts: Array<{ typeCode: ContactType | null, type: string, value: string }> | null, sources: Array<{ name: string, license: string | null, asOf: string | null }> }> | null }> | null } }> | null }, zip?: { districts: Array<{ addressShare: number | null, areaShare: number, isWhole: boolean, district: { databaseId: number, type: DistrictType, name: string, state: string | null, updatedAt: string | null, newerMap: { sentence: string } | null, electionOffice: { name: string, website: string, asOf: string } | null, boundary: { id: string, databaseId: number, startDate: string, precise: boolean, updatedAt: string | null, boundingBox: { west: number, south: number, east: number, north: number } | null, sources: Array<{ name: string, license: string | null }> } | null, offices: Array<{ name: string, updatedAt: string | null, fullName: string, level: OfficeLevel, officeholders: Array<{ status: string, updatedAt: string | null, startDate: string | null, endDate: string | null, person: { name: string, updatedAt: string | null, imageUrl: string | null } | null, party: { name: string } | null, contacts: Array<{ typeCode: ContactType | null, type: string, value: string }> | null, sources: Array<{ name: string, license: string | null, asOf: string | null }> }> | null }> | null } }> | null } | null };

export type ShareOfAreaFragment = { areaShare: number, isWhole: boolean, district: { databaseId: number, type: DistrictType, name: string, state: string | null, updatedAt: string | null, newerMap: { sentence: string } | null, electionOffice: { name: string, website: string, asOf: string } | null, boundary: { id: string, databaseId: number, startDate: string, precise: boolean, updatedAt: string | null, boundingBox: { west: number, south: number, east: number, north: number } | null, sources: Array<{ name: string, license: string | null }> } | null, offices: Array<{ name: string, updatedAt: string | null, fullName: string, level: OfficeLevel, officeholders: Array<{ status: string, updatedAt: string | null, startDate: string | null, endDate: string | null, person: { name: string, updatedAt: string | null, imageUrl: string | null } | null, party: { name: string } | null, contacts: Array<{ typeCode: ContactType | null, type: string, value: string }> | null, sources: Array<{ name: string, license: string | null, asOf: string | null }> }> | null }> | null } };

export type BallotSizesQueryVariables = Exact<{
  latitude: number;
  longitude: number;
  from: string;
  to: string;
}>;


export type BallotSizesQuery = { location: { ballots: Array<{ date: string, raceCount: number, measureCount: number }> | null } };

export type BallotQueryVariables = Exact<{
  latitude: number;
  longitude: number;
  date: string;
}>;


export type BallotQuery = { location: { ballot: { notKnown: Array<string>, districts: Array<{ district: { databaseId: number, type: DistrictType, name: string, boundaries: Array<{ databaseId: number, startDate: string, endDate: string | null }> }, boundary: { databaseId: number } | null, races: Array<{ databaseId: number, name: string, numberOfSeats: number | null, scopeBasis: ScopeBasis | null, isRankedChoice: boolean | null, totalVotes: number | null, margin: number | null, resultNote: string | null, resultsCertified: boolean | null, updatedAt: string | null, sources: Array<{ name: string }>, boundary: { reason: BoundaryReason, referenceDay: string, boundary: { id: string, databaseId: number, startDate: string, boundingBox: { west: number, south: number, east: number, north: number } | null } | null } | null, candidates: Array<{ isWinner: boolean | null, isWriteIn: boolean | null, updatedAt: string | null, runningMate: string | null, votes: number | null, share: number | null, name: string, person: { url: string | null }, parties: Array<{ name: string }>, rankedChoiceRounds: Array<{ round: number, runningTotal: number | null, votesGained: number | null, statusCode: RoundStatus | null }> | null }> }>, ballotMeasures: Array<{ databaseId: number, name: string, officialTitle: string | null, statusCode: BallotMeasureStatus | null, updatedAt: string | null, yesVote: string | null, noVote: string | null, yesVotesTotal: number | null, noVotesTotal: number | null, yesShare: number | null }> }> } | null } };

export type CompareQueryVariables = Exact<{
  latitude: number;
  longitude: number;
  first: string;
  second: string;
}>;


export type CompareQuery = { location: { changes: Array<{ type: DistrictType, isCovered: boolean, newerMap: { sentence: string } | null, onFirstDay: Array<{ district: { databaseId: number, type: DistrictType, name: string, other: { id: string, databaseId: number, boundingBox: { west: number, south: number, east: number, north: number } | null } | null }, boundary: { startDate: string, endDate: string | null, id: string, databaseId: number, boundingBox: { west: number, south: number, east: number, north: number } | null } }>, onLastDay: Array<{ district: { databaseId: number, type: DistrictType, name: string, other: { id: string, databaseId: number, boundingBox: { west: number, south: number, east: number, north: number } | null } | null }, boundary: { startDate: string, endDate: string | null, id: string, databaseId: number, boundingBox: { west: number, south: number, east: number, north: number } | null } }>, changes: Array<{ day: string, kind: LocationChangeKind, before: Array<{ district: { databaseId: number, name: string } }>, left: Array<{ district: { databaseId: number, name: string } }>, entered: Array<{ district: { name: string } }>, firstRace: { election: { date: string } } | null }> }> | null, allChanges: Array<{ changes: Array<{ day: string, kind: LocationChangeKind }> }> | null } };

export type ComparedDistrictFragment = { district: { databaseId: number, type: DistrictType, name: string }, boundary: { startDate: string, endDate: string | null, id: string, databaseId: number, boundingBox: { west: number, south: number, east: number, north: number } | null } };

export type ComparedBoundaryFragment = { id: string, databaseId: number, boundingBox: { west: number, south: number, east: number, north: number } | null };

export type ChangeOfPointFragment = { day: string, kind: LocationChangeKind, left: Array<{ district: { databaseId: number, name: string } }>, entered: Array<{ district: { name: string } }>, firstRace: { election: { date: string } } | null };

export type CoverageQueryVariables = Exact<{
  state: string;
  on?: string | null | undefined;
}>;


export type CoverageQuery = { coverage: Array<{ layer: string, kind: string | null, records: number, covered: number, firstDay: string | null, lastDay: string | null, asOf: string | null, missing: string | null, unplacedNote: string | null }> | null };

export type FindableQueryVariables = Exact<{ [key: string]: never; }>;


export type FindableQuery = { findable: Array<{ layer: FindableLayer, examples: Array<string> }> | null };

export type GeocodeQueryVariables = Exact<{
  text: string;
}>;


export type GeocodeQuery = { geocode: { ambiguous: boolean, missing: Array<MissingLayer>, reason: string | null, matches: Array<{ label: string, kind: GeocodeKind, confidence: number, point: { latitude: number, longitude: number } | null, center: { latitude: number, longitude: number } | null, source: { name: string, license: string | null } | null, district: { databaseId: number, type: DistrictType } | null }> } };

export type LooksExchangedQueryVariables = Exact<{
  latitude: number;
  longitude: number;
}>;


export type LooksExchangedQuery = { location: { looksExchanged: boolean | null } };

export type MapSharesQueryVariables = Exact<{
  district: number;
  on: string;
}>;


export type MapSharesQuery = { district: { successors: { kind: MapChangeKind, parts: Array<{ areaShare: number, addressShare: number | null, isSliver: boolean, district: { databaseId: number, name: string } | null }> } | null } | null };

export type NearbyQueryVariables = Exact<{
  points: Array<PointInput> | PointInput;
  on?: string | null | undefined;
}>;


export type NearbyQuery = { locations: Array<{ districtsWithBoundary: Array<{ boundary: { databaseId: number } }> | null }> };

export type OutlinesQueryVariables = Exact<{
  ids: Array<string | number> | string | number;
  tolerance: number;
}>;


export type OutlinesQuery = { nodes: Array<
    | { databaseId: number, geometry: object | null }
    | Record<PropertyKey, never>
   | null> | null };

export type PlaceQueryVariables = Exact<{
  latitude: number;
  longitude: number;
  on?: string | null | undefined;
  from: string;
  to: string;
}>;


export type PlaceQuery = { location: { districtsWithBoundary: Array<{ district: { databaseId: number, type: DistrictType, name: string, state: string | null, updatedAt: string | null, newerMap: { sentence: string } | null, boundaries: Array<{ databaseId: number, startDate: string, endDate: string | null }>, offices: Array<{ name: string, updatedAt: string | null, fullName: string, officeholders: Array<{ status: string, updatedAt: string | null, startDate: string | null, endDate: string | null, person: { name: string, updatedAt: string | null, imageUrl: string | null } | null, party: { name: string } | null, contacts: Array<{ typeCode: ContactType | null, type: string, value: string }> | null, sources: Array<{ name: string, license: string | null, asOf: string | null }> }> | null }> | null }, boundary: { id: string, databaseId: number, startDate: string, endDate: string | null, precise: boolean, updatedAt: string | null, boundingBox: { west: number, south: number, east: number, north: number } | null, sources: Array<{ name: string, license: string | null }> } }> | null, states: Array<{ loadedElections: string | null, electionOffice: { name: string, website: string, asOf: string } | null }> | null, nextElections: { today: string } | null, elections: Array<{ date: string, name: string, status: ElectionStatus | null }> | null } };

export type SourcesQueryVariables = Exact<{ [key: string]: never; }>;


export type SourcesQuery = { sources: Array<{ name: string, source: string | null, license: string | null, asOf: string | null }> | null };

export type SurroundingsQueryVariables = Exact<{
  box: BoundingBoxInput;
  first: string;
  second: string;
  type: DistrictType;
}>;


export type SurroundingsQuery = { area: { counties: Array<{ district: { name: string, boundary: { id: string, databaseId: number, boundingBox: { west: number, south: number, east: number, north: number } | null } | null } }> | null, first: Array<{ district: { name: string, boundary: { id: string, databaseId: number, boundingBox: { west: number, south: number, east: number, north: number } | null } | null } }> | null, second: Array<{ district: { name: string, boundary: { id: string, databaseId: number, boundingBox: { west: number, south: number, east: number, north: number } | null } | null } }> | null } };

export type SurroundingBoundaryFragment = { id: string, databaseId: number, boundingBox: { west: number, south: number, east: number, north: number } | null };

export type VotingQueryVariables = Exact<{
  latitude: number;
  longitude: number;
  on?: string | null | undefined;
  language?: string | null | undefined;
}>;


export type VotingQuery = { location: { voting: { date: string, notKnown: string | null, languages: Array<string>, election: { name: string }, precinct: { name: string, type: DistrictType, databaseId: number, boundaries: Array<{ id: string, databaseId: number, startDate: string, endDate: string | null, boundingBox: { west: number, south: number, east: number, north: number } | null }> } | null, office: { website: string } | null, places: Array<{ distance: number | null, place: { kind: VotingPlaceKind, name: string, address: string | null, status: VotingPlaceStatus | null, movedTo: string | null, hours: string | null, timeZone: string | null, notes: string | null, url: string | null, latitude: number | null, longitude: number | null, openIntervals: Array<{ opens: string, closes: string }>, sources: Array<{ name: string, license: string | null }> } }>, deadlines: Array<{ kind: DeadlineKind, day: string | null, time: string | null, timeZone: string | null, basis: DeadlineBasis, asOf: string | null, isOlderThanElection: boolean | null, url: string | null, label: { text: string, language: string | null }, phrase: { text: string, language: string | null } | null, district: { name: string }, sources: Array<{ name: string, license: string | null }> }> } | null } };

export type WidgetBallotQueryVariables = Exact<{
  latitude: number;
  longitude: number;
  date: string;
}>;


export type WidgetBallotQuery = { location: { ballot: { notKnown: Array<string>, districts: Array<{ district: { name: string }, races: Array<{ name: string, candidates: Array<{ isWinner: boolean | null, isWriteIn: boolean | null, runningMate: string | null, votes: number | null, share: number | null, name: string, person: { url: string | null }, parties: Array<{ name: string }>, rankedChoiceRounds: Array<{ round: number, runningTotal: number | null, votesGained: number | null, statusCode: RoundStatus | null }> | null }> }>, ballotMeasures: Array<{ name: string }> }> } | null } };

export type WidgetChangesQueryVariables = Exact<{
  latitude: number;
  longitude: number;
  from: string;
  to: string;
}>;


export type WidgetChangesQuery = { location: { changes: Array<{ type: DistrictType, isCovered: boolean, newerMap: { sentence: string } | null, changes: Array<{ day: string, kind: LocationChangeKind, left: Array<{ district: { name: string } }>, entered: Array<{ district: { name: string } }>, firstRace: { election: { date: string } } | null }> }> | null } };

export type WidgetChangeFragment = { day: string, kind: LocationChangeKind, left: Array<{ district: { name: string } }>, entered: Array<{ district: { name: string } }>, firstRace: { election: { date: string } } | null };

export type WidgetPlaceQueryVariables = Exact<{
  latitude: number;
  longitude: number;
  language?: string | null | undefined;
}>;


export type WidgetPlaceQuery = { location: { districts: Array<{ type: DistrictType, name: string, newerMap: { sentence: string } | null, offices: Array<{ name: string, fullName: string, level: OfficeLevel, officeholders: Array<{ status: string, startDate: string | null, endDate: string | null, person: { name: string, imageUrl: string | null } | null, party: { name: string } | null, contacts: Array<{ typeCode: ContactType | null, type: string, value: string }> | null, sources: Array<{ name: string, license: string | null, asOf: string | null }> }> | null }> | null }> | null, states: Array<{ loadedElections: string | null, electionOffice: { name: string, website: string, asOf: string } | null }> | null, nextElections: { today: string, elections: Array<{ date: string, name: string }> } | null, voting: { notKnown: string | null, precinct: { name: string } | null, office: { website: string } | null, places: Array<{ distance: number | null, place: { kind: VotingPlaceKind, name: string, address: string | null, status: VotingPlaceStatus | null, movedTo: string | null, hours: string | null, timeZone: string | null } }>, deadlines: Array<{ kind: DeadlineKind, day: string | null, time: string | null, timeZone: string | null, basis: DeadlineBasis, asOf: string | null, isOlderThanElection: boolean | null, label: { text: string, language: string | null } }> } | null } };
