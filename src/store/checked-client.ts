import pg from 'pg';

/** The embedded store answers every statement or reports an error (see `shared-session.ts`): nothing to check here. */
export const CheckedClient = pg.Client;
