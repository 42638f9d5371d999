/** Rules of the group `requests` about reads that must be alike, at any operation: HEAD and GET, and the same request again. */

import { definedOf } from '../../../core/drop-undefined.ts';
import { headerOf } from '../../../core/http/exchange.ts';
import { mediaTypeOf } from '../../../core/http/media-type.ts';
import { printJson } from '../../../core/json.ts';
import { isList } from '../../../core/openapi/list-operation.ts';
import { documentsStatus, type Operation, responseFor } from '../../../core/openapi/operation.ts';
import { isSuccess, type Reply, recordsIn } from '../evidence/call.ts';
import { firstPageCall } from '../evidence/pagination/pagination.ts';
import { listIn } from '../evidence/reads-without-annotations.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import { exampleCall } from '../evidence/single-record-calls.ts';
import { agrees, type Contradiction, candidate, contradicts, type Judgement, type Rule, reportedBy } from './rule.ts';

const success = 'something that can be read';
const headOther = candidate('head-other', `${success}, also with HEAD`);

const sameHead: Rule = {
  id: 'requests/head',
  title: 'HEAD gets the status, media type and required headers of GET',
  why: 'Caches, link checkers and download managers send HEAD before they read, and expect GET to respond alike.',
  strength: 'required',
  rfc: 'RFC 9110 §9.3.2',
  slow: true,
  clause: ({ place }) => place,
  examine: async (context, operation) => {
    const plain = await context.ask(await exampleCall(context, operation));
    const head = isSuccess(plain) ? await context.ask({ ...plain.call, method: 'HEAD' }) : undefined;
    return { mutants: [headOther], judge: () => (head === undefined ? [] : judgeHead(context, plain, head)) };
  },
};

/** True for the answer of a server that may route no HEAD, as many servers and gateways. The file leaves that open, unless this server routes HEAD elsewhere. */
function isHeadUnrouted({ replies }: RoundContext['session'], status: number): boolean {
  const isRefusal = (status >= 300 && status < 500) || status === 501;
  const isMissing = [404, 405, 501].includes(status);
  return isRefusal && !(isMissing && replies.some(({ call, response }) => call.method === 'HEAD' && response.status < 300));
}

/** True if a file documents HEAD with other statuses than GET. They count then, and the rule for statuses judges them. */
function statesOther(head: Operation, status: number, statusOfGet: number): boolean {
  return documentsStatus(head, status) && !documentsStatus(head, statusOfGet);
}

function judgeHead({ contract, session }: RoundContext, plain: Reply, head: Reply): Judgement | undefined {
  const { operation } = plain.call;
  const { status } = head.response;
  const stated = contract.operations.find(({ method, path }) => method === 'HEAD' && path === operation.path);
  const isOpen = stated === undefined ? isHeadUnrouted(session, status) : statesOther(stated, status, plain.response.status);
  if (isOpen) return undefined;
  const [type, expectedType] = [head, plain].map(({ response }) => mediaTypeOf(String(headerOf(response.headers, 'content-type') ?? '')));
  const isOtherType = type !== '' && type !== expectedType;
  const required = responseFor(operation, status)?.headers.filter(({ parameter }) => parameter.required) ?? [];
  const lacking = required.find(({ name }) => {
    const [ofHead, ofGet] = [head, plain].map(({ response }) => headerOf(response.headers, name));
    return ofHead === undefined && ofGet !== undefined;
  });
  if (status === plain.response.status && !isOtherType && lacking === undefined) return agrees(headOther);
  const part = isOtherType ? ` and ${expectedType}` : lacking === undefined ? '' : ` and the header ${lacking.name}`;
  return contradicts({
    replies: [plain, head],
    expected: `HEAD for ${operation.id} must return ${plain.response.status}${part}, like GET`,
    actual: `it returns ${status}${isOtherType ? ` and ${type}` : lacking === undefined ? '' : ' without it'}`,
    mutant: headOther,
  });
}

const readsDiffer = candidate('reads-differ', `${success}, with a list or a status that stays the same`);

const orderAlternates = candidate('order-alternates', 'a list with two records');

const sameRead: Rule = {
  id: 'requests/repeated',
  title: 'The same request gets the same records in the same order',
  why: 'Users who reload a page, and clients that read page by page, miss records that appear and disappear by chance.',
  strength: 'implied',
  slow: true,
  clause: ({ place }) => place,
  examine: async (context, operation) => {
    // A large page shows many records twice, also where each reading begins elsewhere.
    const first = await context.ask(isList(operation) ? firstPageCall(operation, {}) : await exampleCall(context, operation));
    const replies = [first, await context.askAgain(first.call), await context.askAgain(first.call)];
    // A difference at the end needs one more read.
    if (replies[1]?.response.body !== replies[2]?.response.body) replies.push(await context.askAgain(first.call));
    const others = isSuccess(first) ? otherReads(context, first) : [];
    const [beside] = await Promise.all([first, ...others].map(({ call }) => context.askAgain(call)));
    const reads = [first, ...definedOf(beside), await context.askAgain(first.call)];
    const mutants = [readsDiffer, ...(recordsOf(first) === undefined ? [] : [orderAlternates])];
    return { mutants, judge: () => [judgeReads(replies), judgeMixedUp(reads, others)] };
  },
};

/** Maximum number of other requests that are sent at the same time. */
const besideMax = 3;

/** The latest successful reads of anything else: of other operations, with other values, or by other callers. */
function otherReads({ session }: RoundContext, first: Reply): readonly Reply[] {
  const others = session.replies.filter((reply) => {
    const isPlainRead = reply.request.method === 'GET' && reply.request.headers['if-none-match'] === undefined;
    return isPlainRead && isSuccess(reply) && reply.response.body !== first.response.body;
  });
  return [...new Map(others.map((reply) => [reply.request.target, reply])).values()].slice(-besideMax);
}

/** Finds a request that got the answer to another one that was sent at the same time. */
function judgeMixedUp([before, beside, after]: readonly Reply[], others: readonly Reply[]): Judgement | undefined {
  if (before === undefined || beside === undefined || before.response.body !== after?.response.body) return undefined;
  const other = others.find(({ response }) => response.body === beside.response.body);
  if (other === undefined) return undefined;
  return contradicts({
    replies: [before, other, beside, after],
    expected: `${before.call.operation.id} must return the same response when another request is sent at the same time`,
    actual: `it returns the response to GET ${other.request.target}`,
    mutant: readsDiffer,
  });
}

/** Data that changes between two reads stays changed. What is back at the third read, or in a new order each time, changes by itself. */
function judgeReads(replies: readonly Reply[]): Judgement | undefined {
  if (replies.some(({ response }) => response.status >= 500)) return reportedBy('response/no-server-error');
  if (replies.every(({ response }) => response.status === replies[0]?.response.status && response.body === replies[0].response.body))
    return agrees(readsDiffer, ...((recordsOf(replies[0])?.length ?? 0) > 1 ? [orderAlternates] : []));
  const [first, ...others] = replies;
  const differences = [replies.slice(0, 3), others].flatMap((reads) => {
    const difference = differenceOf(reads);
    const expected = `${first?.call.operation.id} must give the same response to the same request`;
    return difference === undefined ? [] : [contradicts({ replies: reads, expected, ...difference })];
  });
  return differences[0];
}

/** What changes by itself, as a clause, and the mutant that behaves like this. */
type Difference = Pick<Contradiction, 'actual' | 'mutant'>;

/** What three reads show to change by itself. */
function differenceOf(reads: readonly Reply[]): Difference | undefined {
  const [one, two, three] = reads.map(({ response }) => response.status);
  if (one === two) return three === two ? differenceOfLists(reads) : undefined;
  return one === three ? { actual: `the statuses are ${one}, ${two} and ${three}`, mutant: readsDiffer } : undefined;
}

function recordsOf(reply: Reply | undefined): readonly string[] | undefined {
  return reply && (recordsIn(reply) ?? listIn(reply.body))?.map((record) => printJson(record));
}

function differenceOfLists(replies: readonly Reply[]): Difference | undefined {
  const lists = replies.map(recordsOf);
  const [before, between, after] = lists;
  if (before === undefined || between === undefined || after === undefined || isSame(before, between)) return undefined;
  // Records that did not change keep their order, also on data that changes.
  const common = new Set(before.filter((record) => lists.every((list) => list?.includes(record))));
  const [first, second, third] = [before, between, after].map((list) => list.filter((record) => common.has(record)).join());
  if (first !== second && (first === third || second !== third))
    return { actual: 'the same records are in another order', mutant: orderAlternates };
  const isBack = isSame(before, after);
  if (!isBack) return undefined;
  const actual = `there are ${before.length} records, then ${between.length} others, and then the first ${after.length} again`;
  return { actual, mutant: readsDiffer };
}

function isSame(left: readonly string[] | undefined, right: readonly string[]): boolean {
  return left?.join() === right.join();
}

/** The rules, in the order of a run. */
export const readAgainRules: readonly Rule[] = [sameHead, sameRead];
