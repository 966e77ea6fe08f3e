import type { FastifyRequest } from 'fastify';
import type { Caller } from './access/caller.ts';
import type { Day } from './calendar.ts';
import type { QueryLibrary } from './exports/query-library.ts';
import type { Context } from './graphql/context.ts';
import type { ResponseLimits } from './graphql/response-size.ts';
import type { RequestTrace } from './observe/request-trace.ts';
import type { ConnectionTurns } from './store/connection-turns.ts';
import type { Database } from './store/database.ts';
import type { RunInTurn } from './store/request-database.ts';
import type { Fetch, SharedRead } from './store/shared-reads.ts';

/** What all requests of the service have in common. */
export interface CommonGround {
  /** Opens the store for one request, whose statements run when `runInTurn` runs them. */
  readonly databaseOf: (request: FastifyRequest, runInTurn: RunInTurn) => Database;
  readonly turns: ConnectionTurns;
  readonly readShared: SharedRead;
  readonly queries: QueryLibrary;
  readonly responseLimits: ResponseLimits;
}

/**
 * What resolvers get of a request over HTTP. A class, as an object literal with a getter has a hidden class of its own:
 * V8 keeps that, and by it the whole request, until it collects the old generation.
 */
export class RequestContext implements Context {
  loaders: Context['loaders'] = undefined;
  readonly caller: Caller;
  readonly today: Day;
  readonly ending: AbortSignal;
  readonly queries: QueryLibrary;
  readonly responseLimits: ResponseLimits;
  readonly trace: RequestTrace | undefined;
  readonly #request: FastifyRequest;
  readonly #ground: CommonGround;
  #runInTurn: RunInTurn | undefined;

  constructor(request: FastifyRequest, caller: Caller, ground: CommonGround) {
    this.caller = caller;
    this.today = request.today;
    this.ending = request.ending;
    this.queries = ground.queries;
    this.responseLimits = ground.responseLimits;
    this.trace = request.trace ?? undefined;
    this.#request = request;
    this.#ground = ground;
  }

  /** Opened for those who read by it: what is kept is answered without. */
  get db(): Database {
    this.#request.db ??= this.#openDatabase();
    return this.#request.db;
  }

  readShared<Key, Value>(fetch: Fetch<Key, Value>, keys: readonly Key[]): Promise<readonly Value[]> {
    const asker = { keyId: this.caller.keyId, ending: this.ending, observe: this.trace?.observeStatement };
    return this.#ofRequest(() => this.#ground.readShared(fetch, keys, asker), this.ending);
  }

  /** Made for those who read: what is cached is answered without. */
  get #ofRequest(): RunInTurn {
    this.#runInTurn ??= this.#ground.turns.ofRequest();
    return this.#runInTurn;
  }

  #openDatabase(): Database {
    const ofKey = this.#ground.turns.ofKeys([this.caller.keyId]);
    const ofRequest = this.#ofRequest;
    return this.#ground.databaseOf(this.#request, (work, signal) => ofRequest(() => ofKey(work, signal), signal));
  }
}
