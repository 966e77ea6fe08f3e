/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** What kind of area a district is, from the country down: the order in which answers list districts. */
export type DistrictType =
  /** A city, town, village or census designated place. */
  | 'CITY_TOWN'
  /** A ward or council district of a city or town. */
  | 'CITY_TOWN_SUBDIVISION'
  /** District of the U.S. House of Representatives, at-large ones included. */
  | 'CONGRESS'
  /** The whole country; its state is `US`. */
  | 'COUNTRY'
  /** A county, or what a state has in its place: parish, borough, census area, independent city. */
  | 'COUNTY'
  /** A part of a county, such as a town, a township or a commissioner district. */
  | 'COUNTY_SUBDIVISION'
  /** Area of a court whose judges are elected or retained there. */
  | 'JUDICIAL_DISTRICT'
  /** A part of the area of a court that elects its own judge. */
  | 'JUDICIAL_DISTRICT_SUBDIVISION'
  /** Area of a school board: unified, elementary or secondary. */
  | 'SCHOOL_DISTRICT'
  /** A part of a school district that elects its own member. */
  | 'SCHOOL_DISTRICT_SUBDIVISION'
  /** Area of a body for one purpose: water, fire, hospital, soil conservation. */
  | 'SPECIAL_DISTRICT'
  /** A part of a special district that elects its own member. */
  | 'SPECIAL_DISTRICT_SUBDIVISION'
  /** A state, the District of Columbia or a territory. */
  | 'STATE'
  /** District of a state house or assembly. */
  | 'STATE_LEGISLATIVE_LOWER'
  /** District of a state senate. */
  | 'STATE_LEGISLATIVE_UPPER'
  /** A part of a state that elects, other than by county: a regents or a board district. */
  | 'STATE_SUBDIVISION';

/** Which branch of its government an office belongs to. */
export type OfficeBranch =
  /** Carries them out: presidents, governors, mayors, clerks. */
  | 'EXECUTIVE'
  /** Judges by them. */
  | 'JUDICIAL'
  /** Makes the laws: legislators, councils, boards. */
  | 'LEGISLATIVE';

/** Which government an office belongs to. */
export type OfficeLevel =
  /** The United States, Congress included. */
  | 'FEDERAL'
  /** A county, municipality, school or special district. */
  | 'LOCAL'
  /** A state or territory, its legislature included. */
  | 'STATE';

export type DistrictsPointQueryVariables = Exact<{
  latitude: number;
  longitude: number;
  date?: string | null | undefined;
}>;


export type DistrictsPointQuery = { location: { districts: Array<{ id: number, name: string, type: DistrictType, url: string | null, ocdId: string | null, ncesId: string | null, geoId: string | null, state: string | null, boundary: { endDate: string | null, precise: boolean } | null }> | null } };

export type OfficeholdersQueryVariables = Exact<{
  latitude: number;
  longitude: number;
  contact: boolean;
  social: boolean;
}>;


export type OfficeholdersQuery = { location: { districts: Array<{ id: number, name: string, type: DistrictType, state: string | null, boundary: { precise: boolean } | null, offices: Array<{ id: number, name: string, type: string | null, level: OfficeLevel, branch: OfficeBranch, officeholders: Array<{ id: number, status: string, party: { id: number } | null, contacts?: Array<{ type: string, contact: string }> | null, socialLinks?: Array<{ network: string, url: string }> | null, person: { name: string, lastName: string | null, url: string | null, contacts?: Array<{ type: string, contact: string }> | null, socialLinks?: Array<{ network: string, url: string }> | null } | null }> | null }> | null }> | null } };

export type ContactItemFragment = { type: string, contact: string };

export type SocialItemFragment = { network: string, url: string };

export const ContactItemFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ContactItem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Contact"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"contact"}}]}}]} as unknown as DocumentNode<ContactItemFragment, unknown>;
export const SocialItemFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SocialItem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SocialLink"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}}]} as unknown as DocumentNode<SocialItemFragment, unknown>;
export const DistrictsPointDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DistrictsPoint"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"latitude"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Latitude"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"longitude"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Longitude"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"date"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Date"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"location"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"latitude"},"value":{"kind":"Variable","name":{"kind":"Name","value":"latitude"}}},{"kind":"Argument","name":{"kind":"Name","value":"longitude"},"value":{"kind":"Variable","name":{"kind":"Name","value":"longitude"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"districts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"on"},"value":{"kind":"Variable","name":{"kind":"Name","value":"date"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"ocdId"}},{"kind":"Field","name":{"kind":"Name","value":"ncesId"}},{"kind":"Field","name":{"kind":"Name","value":"geoId"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"boundary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endDate"}},{"kind":"Field","name":{"kind":"Name","value":"precise"}}]}}]}}]}}]}}]} as unknown as DocumentNode<DistrictsPointQuery, DistrictsPointQueryVariables>;
export const OfficeholdersDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Officeholders"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"latitude"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Latitude"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"longitude"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Longitude"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"contact"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"social"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"location"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"latitude"},"value":{"kind":"Variable","name":{"kind":"Name","value":"latitude"}}},{"kind":"Argument","name":{"kind":"Name","value":"longitude"},"value":{"kind":"Variable","name":{"kind":"Name","value":"longitude"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"districts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"boundary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"precise"}}]}},{"kind":"Field","name":{"kind":"Name","value":"offices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"level"}},{"kind":"Field","name":{"kind":"Name","value":"branch"}},{"kind":"Field","name":{"kind":"Name","value":"officeholders"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"party"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"contacts"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"contact"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ContactItem"}}]}},{"kind":"Field","name":{"kind":"Name","value":"socialLinks"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"social"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SocialItem"}}]}},{"kind":"Field","name":{"kind":"Name","value":"person"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"lastName"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"contacts"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"contact"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ContactItem"}}]}},{"kind":"Field","name":{"kind":"Name","value":"socialLinks"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"social"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SocialItem"}}]}}]}}]}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ContactItem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Contact"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"contact"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SocialItem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SocialLink"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}}]} as unknown as DocumentNode<OfficeholdersQuery, OfficeholdersQueryVariables>;