import { type Caller, requireGrant } from '../../graph/builder/caller.ts';
import type { Routes } from '../graphql/surface.ts';
import type { Query } from '../http/read-parameters.ts';
import { sendTagged } from '../http/representation.ts';
import { endpoints } from './endpoints.ts';
import { LONGEST_WAIT_S } from './parameters.ts';

const TYPE = 'application/json; charset=utf-8';

/** The legacy REST paths. The key is checked first, then the package, then the parameters. */
export const restRoutes: Routes = async (app, { config: { limits }, execute, responseCache }) => {
  for (const { paths, grant, addedGrants, isPublic, parameters, isLasting, respond } of endpoints) {
    const check = (caller: Caller) => (grant ? requireGrant(caller, grant, grant) : undefined);
    const onRequest = app.authenticate(check);
    const vary = 'language' in parameters.shape ? 'X-API-Key, Accept-Language' : 'X-API-Key';
    // Clients copy addresses with a slash at the end.
    for (const path of paths.flatMap((each) => [each, `${each}/`])) {
      const names = Object.keys(parameters.shape);
      const config = {
        ...(isPublic && grant && path === paths[0] && { withoutKey: { grants: [grant], parameters: names } }),
        ...(names.includes('wait') && { deadlineMs: limits.http.handlerTimeout + LONGEST_WAIT_S * 1_000 }),
      };
      app.get(path, { onRequest, config }, (request, reply) => {
        const send = (body: Buffer | string) => sendTagged(reply, TYPE, body, vary, isLasting?.(body));
        const body = respond(request.query as Query, app.contextOf(request, addedGrants), execute, responseCache);
        if (body instanceof Promise) return body.then(send);
        // Fastify would wait for a reply that is returned.
        send(body);
      });
    }
  }
};
