import { readFileSync } from 'node:fs';
import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schemaText } from '../../src/gateway/graphql/schema-text.ts';

/** The schema of the last release. A release copies `schema.graphql` to this file (CONTRIBUTING.md). */
const released = readFileSync(new URL('released.graphql', import.meta.url), 'utf8');

/** Returns the changes from one schema to another that break queries of clients. */
async function breakingChanges(from: string, to: string): Promise<string[]> {
  const changes = await diff(buildSchema(from), buildSchema(to));
  return changes
    .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
    .map(({ message }) => message);
}

describe('the schema since the last release', () => {
  it('has no change that breaks queries of clients', async () => {
    const changes = await breakingChanges(released, schemaText());
    expect(changes, 'A release accepts changes by: cp schema.graphql test/schema/released.graphql').toEqual([]);
  });

  it.each([
    ['a renamed field', (text: string) => text.replace(/^ {2}ocdId: String$/m, '  ocdCode: String'), /ocdId/],
    ['a changed type', (text: string) => text.replace(/^ {2}ocdId: String$/m, '  ocdId: [String]'), /ocdId/],
    ['a renamed value of an enum', (text: string) => text.replace(/^ {2}CONGRESS$/m, '  HOUSE'), /CONGRESS/],
  ])('would report %s', async (_, change, name) => {
    const text = schemaText();
    expect(change(text)).not.toBe(text);
    expect(await breakingChanges(text, change(text))).toEqual([expect.stringMatching(name)]);
  });

  it('may have fields that the release lacks', async () => {
    const text = schemaText();
    const added = text.replace('type Query {', 'type Query {\n  added: String\n');
    expect(await breakingChanges(text, added)).toEqual([]);
  });
});
