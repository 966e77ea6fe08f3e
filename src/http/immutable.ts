import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Caller } from '../access/caller.ts';
import { grantsKey } from '../access/grants.ts';
import type { DataVersionWatch } from '../database/data-version.ts';
import { type ReplicaLag, rejectOutdatedData } from '../database/replica-lag.ts';
import type { AccessGrant } from '../database/tables.ts';
import { ServiceError } from '../errors.ts';
import { RELEASE } from '../release.ts';
import type { AdmitPage } from './admission.ts';
import type { TakeTurn } from './keyless-turns.ts';
import { tagOf } from './representation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Makes the route also answer below `/v/{version}`, without a key. Its response depends on its address, the data and
     * the grants of the caller alone: not on the date, the key, or where a person lives.
     */
    immutable?: ImmutableRoute;
  }
}

export interface ImmutableRoute {
  /** Throws an error if the grants do not suffice for the route, as for the package of a key. */
  readonly check: (caller: Caller) => void;
}

/** What a response below `/v/{version}` has to be of. */
export interface RequestedVersion {
  /** The version in the address. */
  readonly name: string;
  /** The data version that it names. */
  readonly state: string;
}

/** The package whose grants responses without a key have. It does not exist until an operator creates it. */
export const PUBLIC_PACKAGE = 'public';
/** The id that counts the work of requests without a key; those of keys begin at 1. */
const NO_KEY_ID = 0;
/** The address of the present version, and the beginning of those of its responses. */
export const PREFIX = '/v';
export const VERSION = /^[A-Za-z0-9_-]{22}$/;
const YEAR_S = 31_536_000;
/** `Cache-Control` of a response that belongs to a version for ever. */
export const FOR_EVER = `public, max-age=${YEAR_S}, immutable`;
/** `Cache-Control` of the present version. */
export const REVALIDATED = 'public, no-cache';

export interface ImmutableOptions {
  readonly versions: DataVersionWatch;
  /** Returns the grants of the package `public`; undefined if there is none. */
  readonly publicGrants: () => Promise<ReadonlySet<AccessGrant> | undefined>;
  readonly takeTurn: TakeTurn;
  readonly admit: AdmitPage;
  readonly lag?: ReplicaLag | undefined;
}

/**
 * Makes every route that is registered from now on with `config.immutable` answer below `/v/{version}` too: without a
 * key, with the grants of the package `public`, and for the version of the data that the address names, so that any
 * cache may keep the response for ever.
 *
 * The version is read before the response is created and again before it is sent. Data versions are never the same twice, so
 * if both are the one of the address, everything in between was read from it; otherwise the address is gone.
 */
export function serveImmutable(app: FastifyInstance, options: ImmutableOptions): void {
  const { versions, publicGrants, takeTurn, admit, lag } = options;

  async function grantsOfAll(): Promise<ReadonlySet<AccessGrant>> {
    const grants = await publicGrants();
    if (!grants) throw notPublishedError();
    return grants;
  }

  async function currentVersion(grants: ReadonlySet<AccessGrant>): Promise<RequestedVersion> {
    const version = await versions.read();
    if (!versions.isSettled(version)) {
      throw new ServiceError('OVERLOADED', 'The data are being replaced. Try again in a few seconds.');
    }
    return { state: version.state, name: nameOf(version.state, grants) };
  }

  async function admitWithoutKey(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    rejectOutdatedData(lag);
    // A request with a key did not wait for its turn yet.
    if (request.headers['x-api-key'] !== undefined) await takeTurn(request);
    await admit(request, reply);
  }

  async function admitVersion(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await admitWithoutKey(request, reply);
    const { version = '' } = request.params as { version?: string };
    if (!VERSION.test(version)) {
      const problem = { name: 'version', reason: `must be one that GET ${PREFIX} returns` };
      throw new ServiceError('INVALID_PARAMETER', `${problem.name} ${problem.reason}.`, [problem]);
    }
    const grants = await grantsOfAll();
    request.caller = { keyId: NO_KEY_ID, packageName: PUBLIC_PACKAGE, grants };
    checkGrants(request.caller, request.routeOptions.config.immutable);
    const current = await currentVersion(grants);
    if (current.name !== version) throw goneError();
    request.version = current;
  }

  /** Marks a response as one that any cache may keep, if the data still have the version of its address. */
  async function publish({ version }: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.removeHeader('vary');
    if (version === null || reply.statusCode !== 200) return;
    if ((await versions.read()).state !== version.state) throw goneError();
    reply.header('cache-control', FOR_EVER);
  }

  // Before the response is compressed. All other responses take no promise.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isBelowPrefix(request)) return done(null, payload);
    publish(request, reply).then(() => done(null, payload), done);
  });

  app.addHook('onRoute', function (this: FastifyInstance, route: RouteOptions) {
    if (!route.config?.immutable || route.method !== 'GET' || isVersioned(route.url)) return;
    this.route({ ...route, url: `${PREFIX}/:version${route.url}`, onRequest: admitVersion });
  });

  app.get(PREFIX, { onRequest: admitWithoutKey }, async (_request, reply) => {
    const { name } = await currentVersion(await grantsOfAll());
    const body = JSON.stringify({ version: name });
    return reply
      .headers({ 'cache-control': REVALIDATED, etag: tagOf(body) })
      .type('application/json; charset=utf-8')
      .send(body);
  });
}

/** Returns the beginning of the addresses in a response: that of the version, if the address of the request has one. */
export function addressPrefix({ version }: Pick<FastifyRequest, 'version'>): string {
  return version === null ? '' : `${PREFIX}/${version.name}`;
}

/** Returns whether the response is one without a key: every page may read it, and it does not depend on the origin. */
export function isBelowPrefix({ routeOptions: { url = '' } }: Pick<FastifyRequest, 'routeOptions'>): boolean {
  return url === PREFIX || isVersioned(url);
}

const isVersioned = (url: string) => url.startsWith(`${PREFIX}/`);

/**
 * Returns the name of a version: it differs with the data, with the grants of responses without a key, and with the
 * release of the gateway, which may write the same data in another form.
 */
function nameOf(state: string, grants: ReadonlySet<AccessGrant>): string {
  return hash('sha256', [state, grantsKey(grants), RELEASE].join('\0'), 'base64url').slice(0, 22);
}

/**
 * A version that is gone is not redirected to the current one: a map would have tiles of both.
 */
export function goneError(): ServiceError {
  return new ServiceError(
    'NOT_FOUND',
    `The data have changed since this version: GET ${PREFIX} returns the present one.`,
  );
}

function checkGrants(caller: Caller, route: ImmutableRoute | undefined): void {
  try {
    route?.check(caller);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'FORBIDDEN') throw error;
    throw notPublishedError();
  }
}

/** Returns the error for what the package `public` does not include, or for all if there is no such package. */
export function notPublishedError(): ServiceError {
  return new ServiceError('NOT_FOUND', 'This gateway answers nothing without a key at this address.');
}
