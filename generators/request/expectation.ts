/** What a contract documents as the answer to a request, by its status. */

import { type Operation, responseFor } from '../../core/operation.ts';
import type { Condition, InvalidAnswer } from '../../core/rules.ts';
import type { GeneratedRequest } from './generated-request.ts';

/** The answers that a contract allows to one request. */
export interface Expectation {
  /** What keeps the request from a success; `undefined` when nothing does. */
  readonly condition: Condition | undefined;
  /** The statuses, as a contract writes them: `422`, or `4XX` for any of them. */
  readonly statuses: readonly string[];
}

/** Whether a status is one of those expected. */
export function isExpected({ statuses }: Expectation, status: number): boolean {
  return statuses.some((each) => each === String(status) || each === `${Math.floor(status / 100)}XX`);
}

/** The answers to a request that the contract allows: a documented success, or 404 for what is not there. */
export function expectSuccess(operation: Operation, request: GeneratedRequest): Expectation {
  if (request.lacksKey) return expectUnauthenticated(operation);
  const refusals = mayBePastTheEnd(operation, request) ? refusalsOf(operation) : [];
  return { condition: undefined, statuses: [...successesOf(operation, request), ...refusals] };
}

/** The answers to a request without a valid key. */
export function expectUnauthenticated({ responses }: Operation): Expectation {
  const isRange = !responses.has('401') && (responses.has('4XX') || responses.has('default'));
  return { condition: 'unauthenticated', statuses: [isRange ? '4XX' : '401'] };
}

/**
 * The answers to a request with a fault in some parameters, when the contract says that a server does this about it.
 * Where the contract does not document a refusal, there is either none or one that it does not know.
 */
export function expectAnswer(
  operation: Operation,
  request: GeneratedRequest,
  parameters: readonly string[],
  answer: InvalidAnswer,
): Expectation {
  if (answer !== 'refused') return expectSuccess(operation, request);
  const refusals = refusalsOf(operation);
  const documented = refusals.length > 0 ? refusals : [...successesOf(operation, request), '4XX'];
  const absent = mayBeAbsent(operation, request, parameters) && !documented.includes('4XX') ? ['404'] : [];
  const unauthenticated = request.lacksKey ? expectUnauthenticated(operation).statuses : [];
  return { condition: 'invalid', statuses: [...new Set([...documented, ...absent, ...unauthenticated])] };
}

/** The documented statuses of invalid requests. */
function refusalsOf({ responses }: Operation): readonly string[] {
  const exact = ['400', '422'].filter((status) => responses.has(status));
  if (exact.length > 0) return exact;
  return responses.has('4XX') || responses.has('default') ? ['4XX'] : [];
}

function successesOf(operation: Operation, { headers }: GeneratedRequest): readonly string[] {
  const { responses } = operation;
  // Only a request with a condition can be answered with 304 (RFC 9110 §15.4.5).
  const isConditional = Object.keys(headers).some((name) => /^if-/i.test(name));
  const documented = [...responses.keys()].filter((status) => status.startsWith('2') || (status === '304' && isConditional));
  const successes = documented.length === 0 && responses.has('default') ? ['2XX'] : documented;
  return responseFor(operation, 404) === undefined ? successes : [...successes, '404'];
}

/** Whether the request names something by parameters that are not those with the fault: that it is absent may be told first. */
function mayBeAbsent(operation: Operation, request: GeneratedRequest, faulty: readonly string[]): boolean {
  const { resource, parameters } = operation;
  const naming = resource === undefined ? parameters.filter((each) => each.in === 'path').map((each) => each.key) : [...resource.by.keys()];
  const isSound = naming.some((name) => request.values.has(name)) && !naming.some((name) => faulty.includes(name));
  return isSound && responseFor(operation, 404) !== undefined;
}

/** Whether a page may be asked for that is past the end, which some contracts call invalid. */
function mayBePastTheEnd({ collection }: Operation, { values }: GeneratedRequest): boolean {
  const page = collection?.page;
  return page?.style === 'page' && page.beyond === 'invalid' && values.get(page.page) !== undefined;
}
