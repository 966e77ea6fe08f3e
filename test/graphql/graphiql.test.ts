import { beforeAll, expect, it } from 'vitest';
import { createApiKey } from '../../src/access/access.store.ts';
import { DEMO_KEY } from '../../src/access/demo-key.ts';
import { examples } from '../../src/graphql/graphiql/graphiql-examples.ts';
import { ask } from '../support/graph.ts';
import { useStore } from '../support/store.ts';
import { createWorld } from '../support/world.ts';

const store = useStore();
beforeAll(async () => {
  await createWorld(store.db);
  await createApiKey(store.db, 'full', DEMO_KEY);
});

it.each(examples.map((example) => [example.split('\n')[0], example]))(
  'the example runs as it is: %s',
  async (_, example) => {
    expect((await ask(store.db, example ?? '')).errors).toBeUndefined();
  },
);
