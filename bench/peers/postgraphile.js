import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import pg from 'pg';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { PG_OPTIONS, POOL } from '../targets/settings.ts';

/** PostGraphile v5 over the same database: it plans the statements itself, and names them for PostgreSQL. */
const connectionString = process.env.DATABASE_URL;
const client = new pg.Client({ connectionString });
await client.connect();
await client.query(await readFile(new URL('postgraphile.sql', import.meta.url), 'utf8'));
await client.end();

const preset = {
  extends: [PostGraphileAmberPreset],
  disablePlugins: ['NodePlugin', 'PgConditionArgumentPlugin', 'PgOrderAllAttributesPlugin'],
  pgServices: [
    makePgService({
      connectionString,
      schemas: ['peer'],
      pubsub: false,
      poolConfig: { max: POOL, options: PG_OPTIONS },
    }),
  ],
  schema: { defaultBehavior: '-connection list' },
  grafserv: { graphiql: false, watch: false, graphqlPath: '/graphql', outputDataAsString: true },
  grafast: { explain: false },
};
const server = createServer();
await postgraphile(preset).createServ(grafserv).addTo(server);
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }));
process.on('SIGTERM', () => process.exit());
