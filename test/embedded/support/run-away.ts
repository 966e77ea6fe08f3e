import pg from 'pg';
import { openEmbeddedDatabase } from '../../../src/store/embedded/embedded-database.ts';

/** Opens the database in the folder that is named as the argument, and starts a statement in it that does not end. */
const [, , dataDir = ''] = process.argv;
const database = await openEmbeddedDatabase({ dataDir, queryLimitMs: 600_000 });
const client = new pg.Client(database.connection);
await client.connect();
await client.query('create table if not exists kept (id int)');
await client.query('insert into kept values (1)');
process.stdout.write('running\n');
await client.query('select count(*) from generate_series(1, 1e10)');
