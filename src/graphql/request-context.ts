import type { FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import type { ResponseLimits } from '../config/limits.ts';
import type { ConnectionTurns } from '../database/connection-turns.ts';
import type { Database } from '../database/database.ts';
import type { RunInTurn } from '../database/request-database.ts';
import type { RequestTrace } from '../database/request-trace.ts';
import type { Fetch, SharedRead } from '../database/shared-reads.ts';
import type { Day } from '../dates.ts';
import type { Context, QueryList } from './context.ts';

/** The services that all requests of the gateway share. */
export interface CommonGround {
  /** Returns the database handle of one request. Its statements are scheduled by `runInTurn`. */
  readonly databaseOf: (request: FastifyRequest, runInTurn: RunInTurn) => Database;
  readonly turns: ConnectionTurns;
  readonly readShared: SharedRead;
  readonly queries: QueryList;
  readonly responseLimits: ResponseLimits;
}

/**
 * The context of resolvers for an HTTP request. It is a class because an object literal with a getter has a hidden
 * class of its own: V8 retains that, and with it the whole request, until it collects the old generation.
 */
export class RequestContext implements Context {
  loaders: Context['loaders'] = undefined;
  readonly caller: Caller;
  readonly today: Day;
  readonly abortSignal: AbortSignal;
  readonly queries: QueryList;
  readonly responseLimits: ResponseLimits;
  readonly trace: RequestTrace | undefined;
  readonly #request: FastifyRequest;
  readonly #ground: CommonGround;
  #runInTurn: RunInTurn | undefined;

  constructor(request: FastifyRequest, caller: Caller, ground: CommonGround) {
    this.caller = caller;
    this.today = request.today;
    this.abortSignal = request.abortSignal;
    this.queries = ground.queries;
    this.responseLimits = ground.responseLimits;
    this.trace = request.trace ?? undefined;
    this.#request = request;
    this.#ground = ground;
  }

  /** Created on first use: cached responses need no database. */
  get db(): Database {
    this.#request.db ??= this.#openDatabase();
    return this.#request.db;
  }

  readShared<Key, Value>(fetch: Fetch<Key, Value>, keys: readonly Key[]): Promise<readonly Value[]> {
    const waiter = { keyId: this.caller.keyId, abortSignal: this.abortSignal, observe: this.trace?.observeStatement };
    return this.#ofRequest(() => this.#ground.readShared(fetch, keys, waiter), this.abortSignal);
  }

  /** Created on first use: cached responses need no connection. */
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
