import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL_SIZE ?? 4) });

/** @returns {Promise<any[]>} */
export async function rows(text, values) {
  const found = await pool.query(text, values);
  return found.rows;
}
