import { beforeAll, expect, it } from 'vitest';
import { createApiKey } from '../../../src/gateway/access/access.store.ts';
import { DEMO_KEY } from '../../../src/gateway/access/demo-key.ts';
import { examples } from '../../../src/gateway/graphql/graphiql/graphiql-examples.ts';
import { useDatabase } from '../../support/database.ts';
import { request } from '../../support/graph.ts';
import { createWorld } from '../../support/world.ts';

const database = useDatabase();
beforeAll(async () => {
  await createWorld(database.db);
  await createApiKey(database.db, 'full', { key: DEMO_KEY });
});

it.each(examples.map((example) => [example.split('\n')[0], example]))(
  'the example is valid: %s',
  async (_, example) => {
    expect((await request(database.db, example ?? '')).errors).toBeUndefined();
  },
);
