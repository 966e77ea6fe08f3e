import { createHash } from 'node:crypto';
import pg from 'pg';
import { PG_OPTIONS, POOL } from '../targets/settings.ts';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: POOL, options: PG_OPTIONS });
const names = new Map();

function nameOf(text) {
  const known = names.get(text);
  if (known) return known;
  const name = createHash('sha256').update(text).digest('hex').slice(0, 16);
  names.set(text, name);
  return name;
}

/**
 * Runs a prepared statement.
 * @returns {Promise<any[]>} its rows.
 */
export async function rows(text, values) {
  const result = await pool.query({ name: nameOf(text), text, values });
  return result.rows;
}
