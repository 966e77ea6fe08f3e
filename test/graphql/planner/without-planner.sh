#!/usr/bin/env bash
# Runs the GraphQL suites in a copy of the tree without the query planner: it deletes the folder graphql/planner and the line that
# creates the planner. Only speed may depend on the planner.
set -euo pipefail
cd "$(dirname "$0")/../../.."
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

git ls-files | tar -cf - -T - | tar -xf - -C "$copy"
ln -s "$PWD/node_modules" "$copy/node_modules"
cd "$copy"
rm -r src/gateway/graphql/planner test/graphql/planner
# What compares the planner with the resolvers.
grep -rlE "from '[^']*graphql/planner/" test bench | xargs rm
sed -i -e '/graphql\/planner\/planner.ts/d' -e 's/^  const planner = .*/  const planner = undefined;/' src/gateway/app.ts
! grep -rqE "(from|import\() *'[^']*graphql/planner/" src || { echo 'The planner is imported from elsewhere'; exit 1; }
npx tsc --noUnusedLocals false --noUnusedParameters false
npm test -- test/graphql test/districts test/officials test/elections test/ballots test/rest
