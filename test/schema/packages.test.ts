import { expect, it } from 'vitest';
import lock from '../../package-lock.json' with { type: 'json' };

it('there is one copy of graphql: a second one would not recognise the types of the first', () => {
  const copies = Object.keys(lock.packages).filter((path) => path.endsWith('node_modules/graphql'));
  expect(copies).toEqual(['node_modules/graphql']);
});
