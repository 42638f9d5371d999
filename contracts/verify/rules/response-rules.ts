/**
 * Rules of the groups `response` and `availability`: status, headers, media type and schema of every reply, and the shape of 429 and 503. They mostly
 * check the replies to other rules.
 */

import { printJson } from '../../../core/json.ts';
import { requestMutant } from '../../../core/mutants/mutant-catalogue.ts';
import { placeOfClause } from '../../../core/openapi/clauses.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import {
  describesFailure,
  documentsCondition,
  isPlain,
  type Operation,
  type ResponseRule,
  responseFor,
  schemaOfSuccess,
  statusOf,
} from '../../../core/openapi/operation.ts';
import { placeOfOtherDirection } from '../../../core/openapi/schema-direction.ts';
import { showPointer, withValueAt } from '../../../core/pointer.ts';
import { isReplyTo, isSuccess, type Reply, requestIdOf } from '../evidence/call.ts';
import { predictableFilters } from '../evidence/filter-values.ts';
import { defaultLimit, limitRange } from '../evidence/pagination/pagination.ts';
import { checkpointOf } from '../evidence/record-keys-and-filters.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import { searchCall, searchParameter } from '../evidence/search-requests.ts';
import { describeValues } from './describe-values.ts';
import {
  contradictViolations,
  type ExaminedPart,
  examineEveryReply,
  examinePart,
  isCovered,
  judgeViolations,
  violationsOf,
} from './examinations/examine-every-reply.ts';
import { findUndeclaredMembers } from './examinations/find-undeclared-members.ts';
import { isRefused, problemsOf, statesReactions } from './examinations/invalid-parameter-texts.ts';
import {
  agrees,
  type Candidate,
  candidate,
  contradicts,
  type Examination,
  type Judgement,
  type Judgements,
  type Rule,
  type Untestable,
} from './rule.ts';

/** Creates a rule about one part of each documented response. */
function partRule({
  part,
  ...rule
}: Omit<Rule, 'examine'> & { readonly part: (context: RoundContext, operation: Operation) => ExaminedPart }): Rule {
  return { ...rule, examine: async (context, operation) => examinePart(context, operation, part(context, operation)) };
}

const aSuccess = 'a successful response, such as other rules get';

/** True for a documented response of a success or a redirect that has a body. */
function isOtherWithBody(operation: Operation, rule: ResponseRule | undefined): boolean {
  return rule !== undefined && rule.content.size > 0 && !describesFailure(operation, rule);
}

/** True for a documented response of a refused request that has a body. */
function isErrorWithBody(operation: Operation, rule: ResponseRule | undefined): boolean {
  return rule !== undefined && rule.content.size > 0 && describesFailure(operation, rule) && !rule.status.startsWith('5');
}

const bodySchema = partRule({
  id: 'response/schema',
  title: 'The response body matches its schema',
  why: 'Clients are written against the schema. A missing field, or one of another type, breaks them unexpectedly.',
  strength: 'stated',
  clause: (operation) => ([...operation.responses.values()].some((rule) => isOtherWithBody(operation, rule)) ? operation.place : undefined),
  part: (_, operation) => ({
    concerns: ({ response: { status } }) => status < 400 && isOtherWithBody(operation, responseFor(operation, status)),
    violations: ({ part }) => part === 'body',
    isBody: true,
    mutant: candidate('body-other', aSuccess),
  }),
});

const undeclaredMembers: Rule = {
  id: 'response/undeclared',
  title: 'A response has only declared members (--strict-members)',
  why: 'A member that nobody documented may be private, and a client that reads it breaks when it disappears.',
  strength: 'implied',
  clause: (operation) => (schemaOfSuccess(operation.responses) === undefined ? undefined : operation.place),
  examine: async (context, operation) =>
    examineEveryReply(context, operation, [candidate('undeclared-shown', aSuccess)], (reply) =>
      isCovered(context, reply) && isSuccess(reply) && reply.body !== undefined ? judgeMembers(reply) : undefined,
    ),
};

function judgeMembers(reply: Reply): Judgements {
  const pointers = undeclaredIn(reply);
  if (pointers.length === 0) return agrees('undeclared-shown');
  return pointers.map((pointer) =>
    contradicts({
      replies: [reply],
      expected: `${reply.call.operation.id} must return only members that its schema declares`,
      actual: `the body has ${showPointer(pointer)}`,
      pointer,
      stableName: `${pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')} undeclared`,
      part: `body ${pointer}`,
    }),
  );
}

function undeclaredIn({ call: { operation }, response: { status }, body }: Reply): readonly string[] {
  const content = [...(responseFor(operation, status)?.content.values() ?? [])];
  const [first] = content.map(({ schema }) => (body === undefined ? [] : findUndeclaredMembers(operation.document, schema, body)));
  return content.length === 1 ? (first ?? []) : [];
}

/**
 * Notes undeclared members in successes, which break nothing; `--strict-members` makes them violations. Whoever annotates a file leaves members open on
 * purpose, so nothing is noted there.
 */
export function noteUndeclaredMembers(replies: readonly Reply[]): readonly string[] {
  const successes = replies.filter((reply) => isSuccess(reply) && isPlain(reply.call.operation));
  const found = new Map(successes.flatMap((reply) => undeclaredIn(reply).map((pointer) => [pointer, reply.call.operation.id] as const)));
  const [first, ...others] = [...found].map(([pointer, operation]) => `${showPointer(pointer)} in ${operation}`);
  if (first === undefined) return [];
  return [
    `Responses have members that no schema declares: ${[first, ...others.slice(0, 2)].join(', ')}${others.length > 2 ? ` and ${others.length - 2} more` : ''}; --strict-members reports them as violations`,
  ];
}

const statusMutants = [
  candidate('status-undocumented', aSuccess),
  candidate('failure-status-undocumented', 'an error response, such as other rules provoke'),
];

const documentedStatus: Rule = {
  id: 'response/status',
  title: 'Every response has a documented status',
  why: 'Clients branch on the status. An undocumented one has no branch.',
  strength: 'stated',
  clause: ({ responses, place }) => (responses.size === 0 ? undefined : place),
  examine: async (context, operation) => examineEveryReply(context, operation, statusMutants, (reply) => judgeStatus(context, reply)),
};

function judgeStatus(context: RoundContext, reply: Reply): readonly Judgement[] | undefined {
  const { status } = reply.response;
  // A proxy may throttle instead of the API. Server errors have a rule of their own.
  if (status === 429 || status >= 500 || !isCovered(context, reply)) return undefined;
  if (status >= 400 && isRefusalOpen(reply)) return undefined;
  const wrongDecision = judgeDecision(context, reply);
  if (wrongDecision !== undefined) return [wrongDecision];
  return judgeViolations(context, reply, ({ part }) => part === 'status', [
    isSuccess(reply) ? 'status-undocumented' : 'failure-status-undocumented',
  ]);
}

/** True if the contract leaves open how a request is refused: a damaged cursor, a malformed value without documented refusals, a key in a plain file. */
function isRefusalOpen({ call: { operation, mayBeRefused, raw, as = 'full' } }: Reply): boolean {
  if (mayBeRefused === true || (raw !== undefined && !documentsCondition(operation, 'invalid'))) return true;
  return isPlain(operation) && as !== 'full' && !documentsCondition(operation, 'unauthenticated');
}

/** Judges whether a request was accepted or refused as the contract says, where that follows from the request alone. */
function judgeDecision(context: RoundContext, reply: Reply): Judgement | undefined {
  const { operation, raw = [], values = {}, headers } = reply.call;
  const { status } = reply.response;
  if (!isReplyTo(reply, operation) || headers !== undefined || [401, 403].includes(status)) return undefined;
  const isStated = raw.length > 0 && documentsCondition(operation, 'invalid') && statesReactions(operation);
  if (isStated && isSuccess(reply) && isRefused(context.contract, reply.call)) {
    const others = Object.keys(values).length === 0 ? '' : ` beside ${describeValues(values)}`;
    const request = `${raw.map(decodeText).join('&')}${others}`;
    return contradicts({
      replies: [reply],
      expected: `${operation.id} with ${request} must respond with ${statusOf(operation, 'invalid')}`,
      actual: `the status is ${status}`,
      mutant: requestMutant('accepted', request),
    });
  }
  if (![400, 404, 422].includes(status) || !isList(operation) || !isOrdinaryFirstPage(context, operation, reply)) return undefined;
  const what = describeValues(values);
  return contradicts({
    replies: [reply],
    expected: `${operation.id} with ${what} must succeed`,
    actual: `the status is ${status}`,
    mutant: requestMutant('refused', what),
  });
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** True for a request for the first page of a list, with values that the documents leave no doubt about. */
function isOrdinaryFirstPage({ contract }: RoundContext, list: ListOperation, { call }: Reply): boolean {
  const { values = {}, raw, segments, mayBeRefused } = call;
  const { page } = list.collection;
  const isOrdinary = [raw, segments, mayBeRefused].every((part) => part === undefined) && problemsOf(call).length === 0;
  const limit = values[page.limit] ?? 1;
  const isUsualLimit = typeof limit === 'number' && (limitRange(list).most !== undefined || limit <= (defaultLimit(list) ?? 1));
  const checkpoint = checkpointOf(list);
  const filters = Object.keys(values).filter((name) => name !== page.limit);
  const areKnown = filters.every((name) => name !== checkpoint && predictableFilters(contract, list).includes(name));
  return isOrdinary && isUsualLimit && areKnown;
}

const serverErrorMutants = [
  candidate('usual-request-error', 'a response to an ordinary request, such as other rules send'),
  candidate('unusual-request-error', 'a rejected request, such as other rules send'),
];

/** Search texts on which careless servers fail: special characters of databases, and a single letter. */
const unusualTexts = [`100% d'"Oro"_\\ 💥`, 'a'];

const noServerError: Rule = {
  id: 'response/no-server-error',
  title: 'No request causes a server error',
  why: 'An internal error is an unhandled mistake. A client cannot tell whether to retry, or what else broke.',
  strength: 'implied',
  clause: (operation) => operation.place,
  examine: async (context, operation) => {
    if (isList(operation) && searchParameter(operation) !== undefined)
      for (const text of context.quick ? unusualTexts.slice(0, 1) : unusualTexts) await context.ask(searchCall(context, operation, text));
    return examineEveryReply(context, operation, serverErrorMutants, judgeServerError);
  },
};

function judgeServerError(reply: Reply): Judgement | undefined {
  const { operation } = reply.call;
  const { status } = reply.response;
  if (status < 500) return agrees(isSuccess(reply) ? 'usual-request-error' : 'unusual-request-error');
  // A temporary 503 is not a bug, and may come from a proxy.
  if (status === 503) return undefined;
  return contradicts({
    replies: [reply],
    expected: `${operation.id} must not respond with a server error`,
    actual: `the status is ${status}`,
  });
}

const documentedHeaders = partRule({
  id: 'response/headers',
  title: 'Documented headers are present and well formed',
  why: 'Proxies drop malformed headers. The feature that depends on a header then silently stops working.',
  strength: 'stated',
  clause: ({ responses }) =>
    [...responses.values()]
      .filter(({ status: documented }) => hasOwnHeaderRule(Number(documented)))
      .flatMap((response) => response.headers.map((header) => header.parameter.place))[0],
  part: (_, operation) => ({
    concerns: ({ response }) => hasOwnHeaderRule(response.status) && (responseFor(operation, response.status)?.headers.length ?? 0) > 0,
    violations: ({ part }) => part === 'header',
    mutant: candidate('headers-other', 'a response with documented headers, such as other rules get'),
  }),
});

/** False for 429 and 503, whose headers the availability rules check. */
function hasOwnHeaderRule(status: number): boolean {
  return status !== 429 && status !== 503;
}

const contentType = partRule({
  id: 'response/content-type',
  title: 'Every body has the documented media type',
  why: 'Clients and proxies parse a body by its media type. JSON labelled as HTML is not parsed at all.',
  strength: 'stated',
  clause: (operation) => ([...operation.responses.values()].some(({ content }) => content.size > 0) ? operation.place : undefined),
  part: () => ({
    // A 304 has no body. A 503 may come from a proxy, and has a rule of its own.
    concerns: ({ response }) => response.status !== 304 && response.status < 500,
    violations: ({ part }) => part === 'content-type',
    mutant: candidate('content-type-other', 'a response with a body, such as other rules get'),
  }),
});

const errorEnvelope = partRule({
  id: 'response/error-envelope',
  title: 'The body of an error has the documented shape',
  why: 'Clients read the cause and the support reference from it. In a body of another shape, they find neither.',
  strength: 'stated',
  clause: (operation) => [...operation.responses.values()].find((rule) => isErrorWithBody(operation, rule))?.place,
  part: (context, operation) => ({
    // A status without content promises no shape. Many files name only some of their errors in full.
    concerns: ({ response: { status } }) => status >= 400 && status < 500 && isErrorWithBody(operation, responseFor(operation, status)),
    // An HTML page as an error has neither the media type nor the shape.
    violations: ({ part, path }, { body }) =>
      (part === 'body' && path !== context.contract.error?.code) || (part === 'content-type' && body === undefined),
    mutant: candidate('envelope-other', 'an error response, such as other rules provoke'),
  }),
});

/** An error code that no API has. */
const impossibleCode = 'TOUCHSTONE_NO_SUCH_CODE';

/** True for a documented failure that allows some codes only. */
function fixesCode({ error }: Contract, operation: Operation, rule: ResponseRule): boolean {
  if (error === undefined || !isErrorWithBody(operation, rule)) return false;
  const body = withValueAt({}, error.code, impossibleCode);
  return [...rule.content.values()].some(({ validate }) => validate(body).some(({ path }) => path === error.code));
}

const errorCode = partRule({
  id: 'response/error-code',
  title: 'Each status has its documented error codes',
  why: 'Programs tell errors apart by their code. With another code, they handle the error wrongly.',
  strength: 'stated',
  clause: (operation, contract) => [...operation.responses.values()].find((response) => fixesCode(contract, operation, response))?.place,
  part: (context, operation) => ({
    concerns: ({ response }) => {
      const rule = response.status < 500 ? responseFor(operation, response.status) : undefined;
      return rule !== undefined && fixesCode(context.contract, operation, rule);
    },
    violations: ({ part, path }) => part === 'body' && path === context.contract.error?.code,
    mutant: candidate('code-other', 'an error response with a documented code, such as other rules provoke', {
      failure: 'a failure',
    }),
  }),
});

const requestIdConstant = candidate('request-id-constant', 'two error responses, such as other rules provoke');

const requestId: Rule = {
  id: 'response/request-id',
  title: 'Every error has its own identifier',
  why: 'Support finds a failed request by the identifier that the client quotes. A shared one finds the wrong request.',
  strength: 'stated',
  clause: (operation, { error, document }) =>
    error?.request !== undefined && [...operation.responses.values()].some((rule) => isErrorWithBody(operation, rule))
      ? placeOfClause(document, '/x-api/error/request')
      : undefined,
  examine: async (context, operation) =>
    examineEveryReply(context, operation, [requestIdConstant], (reply) => judgeRequestId(context, reply)),
};

function judgeRequestId(context: RoundContext, reply: Reply): Judgement | undefined {
  const id = requestIdOf(context.contract, reply);
  if (id === undefined) return undefined;
  // A cache may repeat a failure for the same request, so only different requests are compared.
  const otherFailures = context.replies.filter((each) => requestIdOf(context.contract, each) !== undefined && !isSameRequest(each, reply));
  const sameId = otherFailures.find((each) => requestIdOf(context.contract, each) === id);
  if (sameId === undefined) return otherFailures.length === 0 ? undefined : agrees(requestIdConstant);
  return contradicts({
    replies: [sameId, reply],
    expected: 'each failed request must have its own identifier',
    actual: `two requests have the identifier ${id}`,
    ...(otherFailures.every((each) => requestIdOf(context.contract, each) === id) ? { mutant: requestIdConstant } : {}),
  });
}

function isSameRequest({ request: first }: Reply, { request: second }: Reply): boolean {
  return first.target === second.target && printJson(first.headers) === printJson(second.headers);
}

const writeOnly = partRule({
  id: 'response/write-only',
  title: 'No response shows a writeOnly member',
  why: 'Such a member is often a secret, such as a password, and responses are kept in logs and caches.',
  strength: 'implied',
  clause: ({ document, responses }) => {
    const schemas = [...responses.values()].flatMap(({ content }) => [...content.values()].map(({ schema }) => schema));
    return schemas.map((schema) => placeOfOtherDirection(document, schema)).find((place) => place !== undefined);
  },
  part: () => ({
    concerns: (reply) => isSuccess(reply) && reply.body !== undefined,
    violations: ({ part }) => part === 'write-only',
    mutant: candidate('write-only-shown', aSuccess),
  }),
});

/** The status that a rule checks, and its mutant. */
interface UnavailableStatus {
  readonly status: number;
  readonly mutant: Candidate;
  /** The target that a run needs to receive this status. */
  readonly untestable: string;
}

/**
 * Judges all replies of the run with the status, also those of earlier rounds. Each reply shows its mistake alone. The rule cannot be tested if no rule
 * before it received the status.
 */
function examineUnavailability(
  context: RoundContext,
  operation: Operation,
  { status, mutant, untestable }: UnavailableStatus,
): Examination | Untestable {
  const listReplies = (): readonly Reply[] =>
    context.session.replies.filter(({ call, response }) => call.operation.id === operation.id && response.status === status);
  if (listReplies().length === 0) return { untestable };
  return { mutants: [mutant], judge: () => listReplies().flatMap((reply) => judgeUnavailable(context, reply, mutant)) };
}

function judgeUnavailable(context: RoundContext, reply: Reply, mutant: Candidate): readonly Judgement[] {
  const violations = violationsOf(context, reply);
  return violations.length === 0 ? [agrees(mutant)] : contradictViolations(reply, violations, mutant);
}

const retryAfter: Rule = {
  id: 'availability/retry-after',
  title: 'A 429 has its documented shape and a Retry-After',
  why: 'Clients without Retry-After guess, retry too early and keep a busy service busy.',
  strength: 'stated',
  clause: (operation) => {
    const response = responseFor(operation, 429);
    return response?.headers.find(({ name }) => name.toLowerCase() === 'retry-after')?.parameter.place;
  },
  examine: async (context, operation) =>
    examineUnavailability(context, operation, {
      status: 429,
      mutant: candidate('retry-after-missing', 'a 429'),
      untestable: 'a target that throttles this run',
    }),
};

const notReady: Rule = {
  id: 'availability/not-ready',
  title: 'A 503 has its documented shape',
  why: 'A client that cannot read the reason takes the service for broken or empty.',
  strength: 'stated',
  clause: (operation) => responseFor(operation, 503)?.place,
  examine: async (context, operation) =>
    examineUnavailability(context, operation, {
      status: 503,
      mutant: candidate('not-ready-other', 'a 503'),
      untestable: 'a target that is not ready for a while',
    }),
};

/** The rules, in the order of a run. */
export const responseRules: readonly Rule[] = [
  bodySchema,
  undeclaredMembers,
  documentedStatus,
  noServerError,
  documentedHeaders,
  contentType,
  errorEnvelope,
  errorCode,
  requestId,
  writeOnly,
  retryAfter,
  notReady,
];
