/** Ends of the titles of tests that run on one kind of database only: the last lines of a run list what was skipped. */
export const ON_A_SERVER = ' (needs a server: TEST_DATABASE_URL)';
export const ON_EMBEDDED = ' (needs the embedded database)';
