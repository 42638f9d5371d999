/** `/__mock/client` reports what the clients of the mock do wrong. `control-handler.ts` includes the endpoint once; its methods run per request. */

import { didYouMean } from '../../core/errors.ts';
import type { ClientJudge, ClientQuery } from '../client/client-judge.ts';
import { excerpt } from './body-members.ts';
import { ControlError, type Endpoint, toJsonAnswer } from './control-endpoint.ts';

/** Creates the endpoint. `roles` returns the roles of clients. */
export function clientEndpoints(judge: ClientJudge, roles: () => readonly string[]): readonly Endpoint[] {
  return [{ path: 'client', methods: { GET: ({ query }) => toJsonAnswer(judge.report(readQuery(query, roles()))) } }];
}

function readQuery(query: URLSearchParams, roles: readonly string[]): ClientQuery {
  for (const name of query.keys()) {
    if (name !== 'role') throw new ControlError(400, `A client report has no parameter ${excerpt(name)}; the parameter is role.`);
    if (query.getAll(name).length > 1) throw new ControlError(400, `${name} was given more than once; give it once.`);
  }
  const role = query.get('role');
  if (role === null) return {};
  if (roles.includes(role)) return { role };
  const advice = didYouMean(role, roles, `the roles are ${roles.join(', ')}`);
  throw new ControlError(400, `The mock has no key role ${excerpt(role)}; ${advice}`);
}
