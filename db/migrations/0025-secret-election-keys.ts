import { type Kysely, sql } from 'kysely';

/**
 * Replaces the keys of elections in global ids and cursors, which were plain hashes of their numbers, by the numbers
 * encrypted with the secret of the database: packages without the grant `election_ids` do not include the numbers, and
 * hashes of all numbers can be computed.
 *
 * The encryption is deterministic, with a synthetic initialisation vector: a key consists of 12 bytes of a keyed hash of
 * the number, and of the number, xor 4 bytes of a keyed hash of those 12 bytes. `election_number` accepts only keys that
 * `election_key` returns.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index elections_by_key;

    create function election_key_mask(vector bytea, secret bytea) returns int
      immutable strict parallel safe language sql
      return ('x' || encode(substring(sha256(secret || 'election mask'::bytea || vector) for 4), 'hex'))::bit(32)::int;

    create function election_key(number int) returns text stable strict parallel safe language plpgsql as $$
    declare
      secret bytea := (select shared_secret.secret from shared_secret);
      vector bytea := substring(sha256(secret || 'election vector'::bytea || int4send(number)) for 12);
    begin
      return encode(vector || int4send(number # election_key_mask(vector, secret)), 'hex');
    end $$;
    comment on function election_key is 'The number of an election, encrypted with the secret of the database: 32 hexadecimal digits.';

    create function election_number(key text) returns int stable strict parallel safe language plpgsql as $$
    declare
      vector bytea := substring(decode(key, 'hex') for 12);
      number int := ('x' || right(key, 8))::bit(32)::int
        # election_key_mask(vector, (select shared_secret.secret from shared_secret));
    begin
      return case when election_key(number) = key then number end;
    end $$;
    comment on function election_number is 'The number that election_key encrypted as 32 hexadecimal digits; null if it did not.';

    comment on table shared_secret is 'One row: a random value of its own for every database. The gateways of this database sign with it what they store in Redis, and encrypt with it the numbers of elections (election_key).';
  `.execute(db);
}
