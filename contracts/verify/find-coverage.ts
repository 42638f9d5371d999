/** At the end of a run, says of each operation of the contract what was judged of it, or why nothing was. Sends nothing. */

import { withoutUndefined } from '../../core/drop-undefined.ts';
import { splitTarget } from '../../core/http/exchange.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { type Operation, responseFor } from '../../core/openapi/operation.ts';
import type { CheckResult, OperationCoverage } from '../../core/results/run-result.ts';
import type { Reply } from './evidence/call.ts';
import { judgeByContract } from './evidence/judge-reply-by-contract.ts';
import type { Session } from './evidence/request-session.ts';
import type { NotSentReason } from './sendable-operations.ts';

/** Statuses that say nothing of the operation: the key, the rate or the readiness of the server came first. */
const undecided: ReadonlySet<number> = new Set([401, 403, 429, 503]);

/** The coverage of every operation, in the order of the contract. */
export function findCoverage(
  contract: Contract,
  unsent: ReadonlyMap<Operation, NotSentReason>,
  { replies, lacking }: Pick<Session, 'replies' | 'lacking'>,
  checks: readonly CheckResult[],
): readonly OperationCoverage[] {
  const blocked = new Set(checks.filter(({ verdict }) => verdict === 'blocked').map(({ operation }) => operation));
  return contract.operations.map((operation): OperationCoverage => {
    const own = replies.filter(({ call, request }) => call.operation.id === operation.id && request.method === operation.method);
    const isJudged = own.some(({ response }) => !undecided.has(response.status));
    const lacks = own.length > 0 ? [] : (lacking.get(operation.id) ?? []);
    const notJudged = isJudged ? undefined : reasonOf(unsent.get(operation), own, lacks, blocked.has(operation.id));
    return {
      operation: operation.id,
      method: operation.method,
      path: operation.path,
      requests: own.length,
      ...withoutUndefined({ notJudged, lacks: notJudged === 'value' ? lacks : undefined }),
      statuses: statusesOf(contract, operation, own),
      parameters: [
        ...operation.parameters.map((parameter) => ({
          name: parameter.name,
          in: parameter.in,
          isSent: own.some(({ call, request }) => {
            const isQuery = splitTarget(request.target).query.includes(`${encodeURIComponent(parameter.name)}=`);
            return (
              call.values?.[parameter.key] !== undefined ||
              (parameter.in === 'query' && isQuery) ||
              call.segments?.[parameter.name] !== undefined
            );
          }),
        })),
        ...(operation.requestBody === undefined ? [] : [{ name: 'body', in: 'body', isSent: false } as const]),
      ],
    };
  });
}

function reasonOf(
  unsent: NotSentReason | undefined,
  own: readonly Reply[],
  lacks: readonly string[],
  isBlocked: boolean,
): NonNullable<OperationCoverage['notJudged']> {
  if (unsent !== undefined) return unsent;
  if (own.length > 0) return own.every(({ response: { status } }) => status === 401 || status === 403) ? 'refused' : 'unavailable';
  if (isBlocked) return 'unavailable';
  return lacks.length > 0 ? 'value' : 'not-asked';
}

/** The documented statuses, with those that came, and whether their bodies were compared. */
function statusesOf(contract: Contract, operation: Operation, own: readonly Reply[]): OperationCoverage['statuses'] {
  return [...operation.responses.values()].map((rule) => {
    const received = own.filter(({ response }) => responseFor(operation, response.status) === rule);
    const reasons = received.map((reply) => judgeByContract(contract, reply).notCompared);
    const notCompared = received.length > 0 && reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined;
    return { status: rule.status, responses: received.length, ...withoutUndefined({ notCompared }) };
  });
}
