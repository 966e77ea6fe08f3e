import { beforeAll, describe, expect, it } from 'vitest';
import { languageTags } from '../../src/base/languages.ts';
import { call, connect } from '../mcp/client.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { VOTE } from '../support/election-world.ts';
import { createVotingWorld } from '../support/voting-world.ts';
import { POINTS } from '../support/world.ts';

describe('the tags of languages', () => {
  it.each([
    [['es'], 'es,es-Latn'],
    [['es-MX', 'fr'], 'es-MX,es-Latn,es,fr,fr-Latn'],
    [['zh-TW'], 'zh-TW,zh-Hant,zh'],
    [['zh-CN'], 'zh-CN,zh-Hans,zh'],
    [['tl'], 'fil,fil-Latn'],
    [['es', 'en-US', 'fr'], 'es,es-Latn'],
    [['en', 'es'], ''],
    [['*', 'not a tag', 'x'.repeat(100), 'ko'], 'ko,ko-Kore'],
    [['a', 'b', 'c', 'd', 'e', 'ko'], ''],
    [[], ''],
  ])('of %j are %s', (given, tags) => expect(languageTags(given)).toBe(tags));
});

describe('texts', () => {
  const database = useDatabase();
  beforeAll(() => createVotingWorld(database.db));
  const service = useApp(database, { RESPONSE_CACHE_BYTES: '1000000' });
  const { latitude, longitude } = POINTS.southWest;

  type Text = { readonly text: string; readonly language: string | null };
  type Deadline = { readonly kind: string; readonly phrase: Text };
  const languageOf = (deadlines: readonly Deadline[]) =>
    deadlines.find(({ kind }) => kind === 'REGISTER_ONLINE')?.phrase.language;

  async function graphql(header: string | undefined, language?: string) {
    const args = language === undefined ? '' : `(language: "${language}")`;
    const query = `{ election(databaseId: ${VOTE.alpha2024}) { deadlines${args} { kind phrase { text language } } } }`;
    const headers = { 'x-api-key': service.key('full'), ...(header !== undefined && { 'accept-language': header }) };
    const url = `/graphql?query=${encodeURIComponent(query)}`;
    const response = await service.app.inject({ url, headers });
    return { found: languageOf(response.json().data.election.deadlines), vary: String(response.headers.vary) };
  }

  const HEADERS: readonly (readonly [header: string | undefined, language: string])[] = [
    [undefined, 'en'],
    ['', 'en'],
    ['es', 'es'],
    ['es-MX,es;q=0.9,en;q=0.8', 'es'],
    ['en-US,en;q=0.9,es;q=0.8', 'en'],
    ['en;q=0.1, es', 'es'],
    ['ko, es;q=0.5', 'es'],
    ['ko', 'en'],
    ['es;q=0', 'en'],
    ['*', 'en'],
    ['\u00e9\u00e9, ;;;=, es', 'es'],
  ];

  it.each(HEADERS)(
    'with Accept-Language %j are in %s over GraphQL and REST, twice from the cache',
    async (header, language) => {
      for (let count = 0; count < 2; count++) {
        const { found, vary } = await graphql(header);
        expect(found).toBe(language);
        expect(vary).toContain('Accept-Language');
      }
      const headers = { 'x-api-key': service.key('full'), ...(header !== undefined && { 'accept-language': header }) };
      const url = `/data/voting?lat=${latitude}&long=${longitude}&on=${VOTE.date2024}`;
      const response = await service.app.inject({ url, headers });
      expect(languageOf(response.json().data.elections[0].deadlines)).toBe(language);
      expect(response.headers.vary).toContain('Accept-Language');
    },
  );

  it('are in the language of the argument before that of the header', async () => {
    expect((await graphql('fr', 'es-MX')).found).toBe('es');
    expect((await graphql('es', 'en')).found).toBe('en');
  });

  it('are in the language of the argument in MCP too', async () => {
    const client = await connect(service, service.key('full'));
    const { structured } = await call(client, 'deadlines', { state: 'AA', on: VOTE.date2024, language: 'es-MX' });
    expect(JSON.stringify(structured)).toContain('"language":"es"');
    await client.close();
  });

  it('leave the responses of other fields for all languages', async () => {
    const url = `/graphql?query=${encodeURIComponent('{ parties { nodes { name } } }')}`;
    const headers = { 'x-api-key': service.key('full'), 'accept-language': 'es' };
    expect((await service.app.inject({ url, headers })).headers.vary).not.toContain('Accept-Language');
  });
});
