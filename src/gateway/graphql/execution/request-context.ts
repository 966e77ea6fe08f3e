import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { ResponseLimits } from '../../../base/config/limits.ts';
import type { Day } from '../../../base/dates.ts';
import type { FairQueue } from '../../../base/fair-queue.ts';
import { languageTags } from '../../../base/languages.ts';
import type { Caller } from '../../../graph/builder/caller.ts';
import type { Context, InTurn, QueryList, Waiting } from '../../../graph/builder/context.ts';
import { ResponseSize } from '../../../graph/builder/response-size.ts';
import { type ConnectionQueue, enterInTurn } from '../../../store/reading/connection-queue.ts';
import type { DataVersionWatch } from '../../../store/reading/data-version.ts';
import type { RequestTrace } from '../../../store/reading/request-trace.ts';
import type { ReadKind, SharedRead, StatementRequests } from '../../../store/reading/shared-reads.ts';
import type { Database } from '../../../store/sql/database.ts';
import type { AccessGrant } from '../../../store/sql/tables.ts';

/** The services that all requests of the gateway share. */
export interface AppServices {
  /** Returns the database handle of one request, or of several that share a statement. */
  readonly databaseOf: (requests: StatementRequests) => Database;
  readonly queue: ConnectionQueue;
  readonly readShared: SharedRead;
  readonly queries: QueryList;
  readonly responseLimits: ResponseLimits;
  readonly versions: DataVersionWatch;
  /** Aborted when the gateway is about to stop. */
  readonly stopping: AbortSignal;
  /** Gives up the place of a request that has one among those under way; the returned function does what is to be done after a change. */
  pause(request: FastifyRequest): Promise<InTurn>;
}

/** The context of resolvers for an HTTP request. */
export class RequestContext implements Context {
  loaders: Context['loaders'] = undefined;
  readKinds: Context['readKinds'] = undefined;
  reads = 0;
  responseSize: ResponseSize | undefined = undefined;
  readonly caller: Caller;
  readonly today: Day;
  readonly elsewhere: string | undefined;
  readonly abortSignal: AbortSignal;
  readonly queries: QueryList;
  readonly responseLimits: ResponseLimits;
  readonly trace: RequestTrace | undefined;
  readonly #request: FastifyRequest;
  readonly #services: AppServices;
  #turns: FairQueue<null> | undefined;
  #languages: string | undefined;

  /**
   * @param request an authenticated request.
   * @param addedGrants grants that its caller has in addition to those of the package.
   */
  constructor(request: FastifyRequest, services: AppServices, addedGrants: readonly AccessGrant[] = []) {
    const { caller } = request;
    if (!caller) throw new Error('The request has no caller');
    this.caller = addedGrants.length > 0 ? { ...caller, grants: new Set([...caller.grants, ...addedGrants]) } : caller;
    this.today = request.days.today;
    this.elsewhere = request.days.elsewhere;
    this.abortSignal = request.abortSignal;
    this.queries = services.queries;
    this.responseLimits = services.responseLimits;
    this.trace = request.trace ?? undefined;
    this.#request = request;
    this.#services = services;
  }

  startExecution(): void {
    this.loaders = undefined;
    this.readKinds = undefined;
    this.reads = 0;
    this.responseSize = new ResponseSize(this.responseLimits);
  }

  /** Read on first use: few documents have texts in more than one language. */
  get languages(): string {
    this.#languages ??= languageTags(new Negotiator(this.#request).languages());
    return this.#languages;
  }

  /** Created on first use: cached responses need no database. */
  get db(): Database {
    this.reads++;
    this.#request.db ??= this.#openDatabase();
    return this.#request.db;
  }

  /** Undefined for requests without a key, which wait for nothing. */
  get waiting(): Waiting | undefined {
    const { versions, stopping, pause } = this.#services;
    if (!this.#request.leave) return undefined;
    return {
      get latest() {
        return versions.latest;
      },
      pause: () => pause(this.#request),
      change: async (before, ms) => {
        const ended = AbortSignal.any([stopping, ...(ms === undefined ? [] : [AbortSignal.timeout(ms)])]);
        const signal = AbortSignal.any([this.abortSignal, ended]);
        try {
          await versions.change(before, signal);
          return true;
        } catch (error) {
          if (ended.aborted && !this.abortSignal.aborted) return false;
          throw error;
        }
      },
    };
  }

  readShared<Key, Value>(kind: ReadKind<Key, Value>, keys: readonly Key[]): Promise<readonly Value[]> {
    this.reads++;
    const request = { keyId: this.caller.keyId, abortSignal: this.abortSignal, observe: this.trace?.observeStatement };
    return this.#ofRequest.run(null, () => this.#services.readShared(kind, keys, request), this.abortSignal);
  }

  /** Created on first use: cached responses need no connection. */
  get #ofRequest(): FairQueue<null> {
    this.#turns ??= this.#services.queue.ofRequest();
    return this.#turns;
  }

  #openDatabase(): Database {
    const { queue, databaseOf } = this.#services;
    return databaseOf({
      abortSignal: this.abortSignal,
      observe: this.trace?.observeStatement,
      enter: enterInTurn(this.#ofRequest, queue, this.caller.keyId),
    });
  }
}
