/**
 * Endpoints of the clients: `/__mock/client` reports their mistakes, `/__mock/client/compare` compares their records with those of the mock.
 * `control-handler.ts` includes them once per mock, and by `comparePath` allows larger bodies; their methods run per request. `mocks/client/` judges.
 */

import { didYouMean } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import type { ClientRecords } from '../../core/results/client-result.ts';
import type { ClientJudge, ClientQuery } from '../client/client-judge.ts';
import { ControlError, type Endpoint, excerpt, toJsonAnswer } from './control-endpoint.ts';
import { readMembers, textMember } from './read-body-members.ts';

/** Path below `/__mock/` that takes the records of a client. */
export const comparePath = 'client/compare';

/** Creates the endpoints. `roles` returns the roles of clients. */
export function clientEndpoints(judge: ClientJudge, roles: () => readonly string[]): readonly Endpoint[] {
  return [
    { path: 'client', methods: { GET: ({ query }) => toJsonAnswer(judge.report(readQuery(query, roles()))) } },
    { path: comparePath, methods: { POST: ({ body }) => toJsonAnswer(judge.compare(readRecords(body(), roles()))) } },
  ];
}

const example = '{"collection": "NAME", "records": [{"id": 1}]}';

function readRecords(text: string, roles: readonly string[]): ClientRecords {
  const body = readMembers(text, ['collection', 'role', 'records'], example);
  const { records } = body;
  const role = textMember(body, 'role', 'full');
  if (role !== undefined) checkRole(role, roles);
  if (Array.isArray(records)) return { collection: textMember(body, 'collection', 'NAME'), role, records: records as readonly Json[] };
  throw new ControlError(
    400,
    `records is ${excerpt(JSON.stringify(records) ?? 'missing')}, which is not a list; send a body such as ${example}.`,
  );
}

function readQuery(query: URLSearchParams, roles: readonly string[]): ClientQuery {
  for (const name of query.keys()) {
    if (name !== 'role') throw new ControlError(400, `A client report has no parameter ${excerpt(name)}; the parameter is role.`);
    if (query.getAll(name).length > 1) throw new ControlError(400, `${name} was given more than once; give it once.`);
  }
  const role = query.get('role');
  if (role === null) return {};
  checkRole(role, roles);
  return { role };
}

function checkRole(role: string, roles: readonly string[]): void {
  if (roles.includes(role)) return;
  const advice = didYouMean(role, roles, `the roles are ${roles.join(', ')}`);
  throw new ControlError(400, `The mock has no key role ${excerpt(role)}; ${advice}`);
}
