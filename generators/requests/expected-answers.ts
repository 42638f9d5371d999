/** The responses that a contract allows to one generated request. They follow from the contract alone; no server is asked. */

import type { Condition, InvalidAnswer } from '../../core/annotations/annotations.ts';
import { type Operation, responseFor } from '../../core/openapi/operation.ts';
import type { GeneratedRequest } from './generated-request.ts';

/** The responses that a contract allows to one request. */
export interface ExpectedAnswers {
  /** The reason why the request cannot succeed; `undefined` when it can. */
  readonly condition: Condition | undefined;
  /** Statuses as in a contract: `422`, or `4XX` for any of them. */
  readonly statuses: readonly string[];
}

/**
 * True when a status is one of those expected.
 * @example
 * ```ts
 * import { isExpected } from 'touchstone/generators';
 *
 * console.log(isExpected({ condition: 'invalid', statuses: ['4XX'] }, 422));
 * ```
 */
export function isExpected({ statuses }: ExpectedAnswers, status: number): boolean {
  return statuses.some((each) => each === String(status) || each === `${Math.floor(status / 100)}XX`);
}

/**
 * The responses to a valid request: a documented success, or 404 for an unknown record.
 * @example
 * ```ts
 * import fc from 'fast-check';
 * import { contractFile, loadContract } from 'touchstone';
 * import { expectSuccess, requestFor } from 'touchstone/generators';
 *
 * const [operation] = (await loadContract(contractFile('wiki'))).operations;
 * if (operation === undefined) throw new Error('the contract has no operation');
 * for (const request of fc.sample(requestFor(operation), 10)) console.log(expectSuccess(operation, request).statuses);
 * ```
 */
export function expectSuccess(operation: Operation, request: GeneratedRequest): ExpectedAnswers {
  if (request.lacksKey) return expectUnauthenticated(operation);
  const refusals = mayBePastTheEnd(operation, request) ? refusalsOf(operation) : [];
  return { condition: undefined, statuses: [...successesOf(operation, request), ...refusals] };
}

/** The responses to a request without a valid key. */
export function expectUnauthenticated({ responses }: Operation): ExpectedAnswers {
  const isRange = !responses.has('401') && (responses.has('4XX') || responses.has('default'));
  return { condition: 'unauthenticated', statuses: [isRange ? '4XX' : '401'] };
}

/** The responses to a request with a fault. Where the contract documents no refusal, any success or 4XX is expected. */
export function expectAnswer(
  operation: Operation,
  request: GeneratedRequest,
  parameters: readonly string[],
  answer: InvalidAnswer,
): ExpectedAnswers {
  if (answer !== 'refused') return expectSuccess(operation, request);
  const refusals = refusalsOf(operation);
  const documentedStatuses = refusals.length > 0 ? refusals : [...successesOf(operation, request), '4XX'];
  const absentStatuses = mayBeAbsent(operation, request, parameters) && !documentedStatuses.includes('4XX') ? ['404'] : [];
  const unauthenticatedStatuses = request.lacksKey ? expectUnauthenticated(operation).statuses : [];
  return { condition: 'invalid', statuses: [...new Set([...documentedStatuses, ...absentStatuses, ...unauthenticatedStatuses])] };
}

/** The documented statuses of invalid requests. */
function refusalsOf({ responses }: Operation): readonly string[] {
  const exactStatuses = ['400', '422'].filter((status) => responses.has(status));
  if (exactStatuses.length > 0) return exactStatuses;
  return responses.has('4XX') || responses.has('default') ? ['4XX'] : [];
}

function successesOf(operation: Operation, { headers }: GeneratedRequest): readonly string[] {
  const { responses } = operation;
  // Only a conditional request can get a 304 (RFC 9110 §15.4.5).
  const isConditional = Object.keys(headers).some((name) => /^if-/i.test(name));
  const documentedSuccesses = [...responses.keys()].filter((status) => status.startsWith('2') || (status === '304' && isConditional));
  const successes = documentedSuccesses.length === 0 && responses.has('default') ? ['2XX'] : documentedSuccesses;
  return responseFor(operation, 404) === undefined ? successes : [...successes, '404'];
}

/** True when valid parameters identify a record: the server may report first that it does not exist. */
function mayBeAbsent(operation: Operation, request: GeneratedRequest, faultyKeys: readonly string[]): boolean {
  const { resource, parameters } = operation;
  const identifyingKeys =
    resource === undefined ? parameters.filter((each) => each.in === 'path').map((each) => each.key) : [...resource.by.keys()];
  const isIdentified =
    identifyingKeys.some((name) => request.values.has(name)) && !identifyingKeys.some((name) => faultyKeys.includes(name));
  return isIdentified && responseFor(operation, 404) !== undefined;
}

/** True when the requested page may be past the end, which some contracts call invalid. */
function mayBePastTheEnd({ collection }: Operation, { values }: GeneratedRequest): boolean {
  const page = collection?.page;
  return page?.style === 'page' && page.beyond === 'invalid' && values.get(page.page) !== undefined;
}
