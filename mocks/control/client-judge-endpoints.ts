/**
 * Endpoints of the client judge: `/__mock/client` reports the mistakes of clients, `/__mock/client/compare` compares a client's records with those of the mock.
 * `control-handler.ts` includes both once per mock, and for each request to `comparePath` allows larger bodies; their methods run per request. The judgement is
 * in `mocks/client/`.
 */

import { didYouMean } from '../../core/did-you-mean.ts';
import { isArray } from '../../core/json.ts';
import type { ClientRecords } from '../../core/results/client-result.ts';
import type { ClientJudge, ClientQuery } from '../client/client-judge.ts';
import { ControlError, type Endpoint, excerpt, requireParameters, toJsonResponse } from './endpoint-interface.ts';
import { readMembers, textMember } from './read-body-members.ts';

/** Path below `/__mock/` that takes the records of a client. */
export const comparePath = 'client/compare';

/** Creates the endpoints. `roles` returns the roles of clients. */
export function clientJudgeEndpoints(judge: ClientJudge, roles: () => readonly string[]): readonly Endpoint[] {
  return [
    { path: 'client', methods: { GET: ({ query }) => toJsonResponse(judge.report(readQuery(query, roles()))) } },
    { path: comparePath, methods: { POST: ({ body }) => toJsonResponse(judge.compare(readRecords(body(), roles()))) } },
  ];
}

const example = '{"collection": "NAME", "records": [{"id": 1}]}';

function readRecords(text: string, roles: readonly string[]): ClientRecords {
  const body = readMembers(text, ['collection', 'role', 'records'], example);
  const { records } = body;
  const role = textMember(body, 'role', 'full');
  if (role !== undefined) checkRole(role, roles);
  if (isArray(records)) return { collection: textMember(body, 'collection', 'NAME'), role, records };
  throw new ControlError(
    400,
    `records is ${excerpt(JSON.stringify(records) ?? 'missing')}, which is not a list; send a body such as ${example}.`,
  );
}

function readQuery(query: URLSearchParams, roles: readonly string[]): ClientQuery {
  requireParameters(query, 'A client report', ['role']);
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
