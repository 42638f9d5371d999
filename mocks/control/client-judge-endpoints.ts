import { isArray, type Json, printJson } from '../../core/json.ts';
import type { ClientRecords } from '../../core/results/client-result.ts';
import type { ClientJudge } from '../client/client-judge.ts';
import { type Endpoint, toJsonResponse } from './endpoint.ts';
import { invalidMember, readBodyMembers, readQueryMembers, roleAmong, textLike } from './read-members.ts';

/** Path below `/__mock/` that takes the records of a client. */
export const comparePath = 'client/compare';

/**
 * Creates the endpoints: `/__mock/client` reports the mistakes of clients, `/__mock/client/compare` compares a client's records with those that it should have.
 * `roles` returns the roles of clients.
 */
export function clientJudgeEndpoints(judge: ClientJudge, roles: () => readonly string[]): readonly Endpoint[] {
  return [
    {
      path: 'client',
      methods: {
        GET: ({ query }) => toJsonResponse(judge.report(readQueryMembers(query, { role: roleAmong(roles()) }, 'A client report'))),
      },
    },
    { path: comparePath, methods: { POST: ({ body }) => toJsonResponse(judge.compare(readRecords(body, roles()))) } },
  ];
}

const example = '{"collection": "NAME", "records": [{"id": 1}]}';
const notAList = `, which is not a list; send a body such as ${example}`;

function readRecords(text: string, roles: readonly string[]): ClientRecords {
  const readers = { collection: textLike('NAME'), role: roleAmong(roles), records: readList };
  const { collection, role, records } = readBodyMembers(text, readers, example);
  if (records === undefined) throw invalidMember('records', 'missing', notAList);
  return { collection, role, records };
}

function readList(value: Json, name: string): readonly Json[] {
  if (isArray(value)) return value;
  throw invalidMember(name, printJson(value), notAList);
}
