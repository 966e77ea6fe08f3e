/**
 * @generated SignedSource<<5d08c9e3b0717f2f2f4d5787c7da7691>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type pageDistrict$data = {
  readonly boundary: {
    readonly startDate: string;
  } | null | undefined;
  readonly id: string;
  readonly name: string;
  readonly " $fragmentType": "pageDistrict";
};
export type pageDistrict$key = {
  readonly " $data"?: pageDistrict$data;
  readonly " $fragmentSpreads": FragmentRefs<"pageDistrict">;
};

import pageDistrictRefetchQuery_graphql from './pageDistrictRefetchQuery.graphql';

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": {
    "refetch": {
      "connection": null,
      "fragmentPathInResult": [
        "node"
      ],
      "operation": pageDistrictRefetchQuery_graphql,
      "identifierInfo": {
        "identifierField": "id",
        "identifierQueryVariableName": "id"
      }
    }
  },
  "name": "pageDistrict",
  "selections": [
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "name",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "Boundary",
      "kind": "LinkedField",
      "name": "boundary",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "startDate",
          "storageKey": null
        }
      ],
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "id",
      "storageKey": null
    }
  ],
  "type": "District",
  "abstractKey": null
};

(node as any).hash = "e3165829be724f2025a3e1517a8aa39c";

export default node;
