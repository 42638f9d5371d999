/** Rules of the group `requests` about operations without annotations. They demand only what the file states or HTTP requires. */

import { definedOf } from '../../../core/drop-undefined.ts';
import { headerOf } from '../../../core/http/exchange.ts';
import { mediaTypeOf } from '../../../core/http/media-type.ts';
import { isObject, type Json, type JsonObject, printJson } from '../../../core/json.ts';
import { mutantOf } from '../../../core/mutants/mutant-catalogue.ts';
import { documentsStatus, isPlain, type Operation, responseFor } from '../../../core/openapi/operation.ts';
import type { Parameter } from '../../../core/parameters/parameter.ts';
import { isReplyTo, isSuccess, type Reply } from '../evidence/call.ts';
import { memberOf, recordsAbove } from '../evidence/find-values.ts';
import type { ParameterValues } from '../evidence/list-records.ts';
import {
  cursorOf,
  dependsOnRequest,
  identifyingParameter,
  limitOf,
  listIn,
  nextCursorOf,
  pagesOf,
  readKnown,
} from '../evidence/plain-reads.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import { absentIdentity } from '../evidence/single-record-calls.ts';
import { speaksOfChange } from '../sendable-operations.ts';
import { printParameterValue } from './describe-values.ts';
import {
  agrees,
  type Contradiction,
  candidate,
  contradicts,
  type Examination,
  type Judgement,
  type Judgements,
  type Rule,
  reportedBy,
  withoutData,
} from './rule.ts';

const success = 'a resource that can be read';
const absentAsFirst = candidate('absent-as-first', 'two records that can be read, and that differ');
const absentAsEmpty = candidate('absent-as-empty', 'two records that can be read, and that differ');

/** Reads a plain operation by an identifier that nothing has. */
export async function examinePlainAbsence(context: RoundContext, operation: Operation, parameter: Parameter): Promise<Examination> {
  const known = await readKnown(context, operation, parameter);
  const values = known[0]?.call.values;
  if (values === undefined) return { mutants: [{ ...absentAsFirst, missing: success }], judge: () => [] };
  const absent = absentIdentity(operation, parameter.key);
  const isDocumented = documentsStatus(operation, 404);
  const reply = await context.ask({ operation, values: { ...values, [parameter.key]: absent }, mayBeRefused: !isDocumented });
  const isLast = operation.path.endsWith(`{${parameter.name}}`);
  const mutants = isDocumented && isLast ? [absentAsFirst, absentAsEmpty] : [absentAsFirst];
  return { mutants, judge: () => judgeAbsence(context, { reply, known, parameter, mayNotSucceed: mutants.length > 1 }) };
}

/** A read by an identifier that nothing has, and reads by known ones. */
interface AbsentRead {
  readonly reply: Reply;
  readonly known: readonly Reply[];
  readonly parameter: Parameter;
  /** True if the contract says what an absent record gets, so that a success is wrong. */
  readonly mayNotSucceed: boolean;
}

function judgeAbsence(context: RoundContext, { reply, known, parameter, mayNotSucceed }: AbsentRead): Judgement | undefined {
  const { operation } = reply.call;
  const { status, body } = reply.response;
  if (status >= 500) return reportedBy('response/no-server-error');
  if (status >= 400) return agrees(absentAsFirst, absentAsEmpty);
  // A mock of the file shows the same example to every identifier.
  if (!isSuccess(reply) || known.length < 2 || !dependsOnRequest(context, operation)) return undefined;
  const isEmpty = body.trim().length < 3 || listIn(reply.body)?.length === 0;
  const same = isEmpty ? undefined : known.find(({ response }) => response.body === body);
  if (same === undefined && !mayNotSucceed) return isEmpty ? agrees(absentAsFirst) : undefined;
  const nameOf = ({ call }: Reply): string => `${parameter.name}=${printParameterValue(call.values?.[parameter.key] ?? null)}`;
  return contradicts({
    replies: same === undefined ? [reply] : [same, reply],
    expected: `${operation.id} with ${nameOf(reply)}, which names nothing, must ${mayNotSucceed ? 'respond with 404' : 'return nothing of another record'}`,
    actual: `the status is ${status}${same === undefined ? '' : `, with the content of ${nameOf(same)}`}`,
    mutant: same === undefined ? absentAsEmpty : absentAsFirst,
  });
}

const valueError = withoutData(mutantOf('documented-value-error'));
const parameterIgnored = candidate('parameter-ignored', 'responses that differ by a parameter, and show it in their records', {
  parameter: 'a parameter',
});

/** Maximum number of requests with optional parameters of an operation, and of listed values of one of them. */
const [triedMax, valuesMax] = [10, 3];

const documentedParameters: Rule = {
  id: 'requests/parameters',
  title: 'Documented parameters are understood',
  why: 'If a parameter fails or is ignored, the client gets records that it did not ask for, and nothing says so.',
  strength: 'implied',
  slow: true,
  clause: (operation) => (isPlain(operation) ? operation.parameters.find(isTried)?.place : undefined),
  examine: async (context, operation) => {
    const identifier = identifyingParameter(operation);
    const known = identifier === undefined ? [await context.ask({ operation })] : await readKnown(context, operation, identifier);
    const values = known[0]?.call.values ?? {};
    const ask = (more: ParameterValues): Promise<Reply> => context.ask({ operation, values: { ...values, ...more }, mayBeRefused: true });
    const pages = pagesOf(operation);
    const isInPages = ({ key }: Parameter): boolean => key === cursorOf(operation)?.key || pages.some((page) => page[key] !== undefined);
    for (const more of [...pages, ...definedOf(known[0] && nextCursorOf(known[0]))]) await ask(more);
    const untried = operation.parameters.filter(
      (each) => each.in === 'query' && isTried(each) && !isInPages(each) && values[each.key] === undefined,
    );
    const attempts: ParameterValues[] = [];
    for (const parameter of untried) {
      const { key, allowed, style } = parameter;
      const usual =
        allowed.length > 0 && style.shape === 'one' ? allowed.slice(0, valuesMax) : [await context.valueFor(operation, parameter)];
      attempts.push(...definedOf(...usual).map((value) => ({ [key]: value })));
    }
    for (const more of attempts.slice(0, triedMax)) await ask(more);
    return { mutants: [valueError, parameterIgnored], judge: () => undefined };
  },
  judgeReplies: judgeParameters,
};

function isTried({ in: place, name }: Parameter): boolean {
  return place === 'path' || (place === 'query' && !speaksOfChange(name));
}

function judgeParameters(context: RoundContext, operation: Operation): Judgements {
  const own = context.replies.filter(
    (reply) => isReplyTo(reply, operation) && reply.call.raw === undefined && reply.call.method === undefined,
  );
  const isAnswered = dependsOnRequest(context, operation);
  return [...own.map((reply) => judgeReply(reply, isAnswered ? own : [])), ...(isAnswered ? [judgePages(operation, own)] : [])];
}

function judgeReply(reply: Reply, own: readonly Reply[]): Judgements {
  if (reply.response.status >= 500) return reportedBy('response/no-server-error');
  const shown = isSuccess(reply) && own.length > 0 ? shownParameters(reply, own) : [];
  const ignored = shown.flatMap(({ parameter, wrong }) => (wrong === undefined ? [] : [contradictIgnored([reply], parameter, wrong)]));
  if (ignored.length > 0) return ignored;
  return agrees(valueError, ...(shown.length === 0 ? [] : [parameterIgnored]));
}

function contradictIgnored(replies: readonly Reply[], { name }: Parameter, actual: string): Contradiction {
  const { operation, values = {} } = replies.at(-1)?.call ?? {};
  const sent = Object.entries(values).map(([key, value]) => `${key}=${printParameterValue(value)}`);
  return contradicts({
    replies,
    expected: `${operation?.id}${sent.length === 0 ? '' : ` with ${sent.join(' and ')}`} must return what ${name} asks for`,
    actual,
    mutant: mutantOf('parameter-ignored', { parameter: name }, name),
  });
}

/** A parameter whose effect a reply shows. */
interface ShownParameter {
  readonly parameter: Parameter;
  /** What shows that it is ignored, as a clause; absent if it is obeyed. */
  readonly wrong?: string | undefined;
}

function shownParameters(reply: Reply, own: readonly Reply[]): readonly ShownParameter[] {
  const { operation, values = {} } = reply.call;
  const records = listIn(reply.body);
  const limit = limitOf(operation);
  const size = limit === undefined ? undefined : (values[limit.key] ?? limit.fallback);
  const tooMany = `the response has ${records?.length} records`;
  const ofLimit: readonly ShownParameter[] =
    limit === undefined || records === undefined || typeof size !== 'number'
      ? []
      : [{ parameter: limit, wrong: records.length > size ? tooMany : undefined }];
  return [
    ...ofLimit,
    ...operation.parameters.flatMap((parameter): readonly ShownParameter[] => {
      const value = values[parameter.key];
      if (records === undefined || value === undefined || typeof value === 'object' || !isShownByRecords(operation, parameter)) return [];
      const comparable = membersOf(parameter, records);
      const isValue = (member: Json): boolean => String(member).toLowerCase() === String(value).toLowerCase();
      const other = comparable.find((member) => !isValue(member));
      // A listed value that no record has may mean something else, such as `all`.
      if (parameter.in === 'query' && !own.some(({ body }) => membersOf(parameter, listIn(body) ?? []).some(isValue))) return [];
      const wrong = other === undefined ? undefined : `a record has ${parameter.name} ${printJson(other)}`;
      return comparable.length === 0 ? [] : [{ parameter, wrong }];
    }),
  ];
}

/** True for a filter by a listed value, and for a parameter that names the record above the listed ones, as `shopId` does. */
function isShownByRecords({ path }: Operation, { in: place, name, allowed }: Parameter): boolean {
  const isReference = /.(?:Id|_id|-id|ID)$/.test(name);
  return place === 'path' ? isReference && !path.endsWith(`{${name}}`) : place === 'query' && (allowed.length > 0 || isReference);
}

/** The members of records by the name of a parameter. The `userId` of a user, who may be listed below another one, is none: the record has no other identifier. */
function membersOf({ in: place, name }: Parameter, records: readonly JsonObject[]): readonly Json[] {
  const members = records.filter((record) => place === 'query' || record['id'] !== undefined).map((record) => memberOf(record, name));
  return members.filter((member) => member !== undefined && member !== null && typeof member !== 'object');
}

/** Compares pages that follow each other: the first two by number, and each page with the one behind its cursor. */
function judgePages(operation: Operation, own: readonly Reply[]): Judgements {
  const replyTo = (page: ParameterValues | undefined): Reply | undefined =>
    page && own.find(({ call }) => Object.entries(page).every(([key, value]) => call.values?.[key] === value));
  const [smallest = {}, one = {}, two] = pagesOf(operation);
  const [size] = Object.values(smallest);
  const position = operation.parameters.find(({ key }) => one[key] !== undefined && smallest[key] === undefined);
  const first = replyTo(one);
  const all = Math.max(...own.map(({ body }) => listIn(body)?.length ?? 0));
  // If the size is ignored, both pages have every record. If there is no second page, a server may show the first.
  const isFull = listIn(first?.body)?.length === size && all > 2 * Number(size);
  return [
    ...(isFull ? [comparePages(position, first, replyTo(two))] : []),
    ...own.map((reply) => comparePages(cursorOf(operation), reply, replyTo(nextCursorOf(reply)))),
  ];
}

function comparePages(position: Parameter | undefined, first: Reply | undefined, second: Reply | undefined): Judgement | undefined {
  const [records, next] = [listIn(first?.body), listIn(second?.body)];
  if (position === undefined || first === undefined || second === undefined || records === undefined || records.length === 0)
    return undefined;
  if (printJson(records) !== printJson(next)) return next === undefined ? undefined : agrees(parameterIgnored);
  return contradictIgnored([first, second], position, 'two pages have the same records');
}

const detailOther = candidate('detail-other', 'two records of a list that can be read singly, and name themselves there as in the list');

const requestedRecord: Rule = {
  id: 'requests/identifier',
  title: 'A read by an identifier returns its record',
  why: 'A client stores the content under the identifier that it requested, which is then the wrong one.',
  strength: 'implied',
  slow: true,
  clause: (operation) => {
    const parameter = isPlain(operation) ? identifyingParameter(operation) : undefined;
    return parameter !== undefined && operation.path.endsWith(`{${parameter.name}}`) ? parameter.place : undefined;
  },
  examine: async (context, operation) => {
    const parameter = identifyingParameter(operation);
    if (parameter !== undefined) await readKnown(context, operation, parameter);
    return { mutants: [detailOther], judge: () => undefined };
  },
  judgeReplies: (context, operation) => {
    const parameter = identifyingParameter(operation);
    // A mock of the file shows the same example to every identifier.
    if (parameter === undefined || !dependsOnRequest(context, operation)) return undefined;
    const listed = recordsAbove(context, operation, parameter);
    return context.replies.map((reply) =>
      isReplyTo(reply, operation) && isSuccess(reply) && isObject(reply.body) ? judgeIdentity(reply, parameter, listed) : undefined,
    );
  },
};

/** Compares the identifier that was sent with that of the returned record, where this looks like the listed one. */
function judgeIdentity(reply: Reply, parameter: Parameter, listed: ReturnType<typeof recordsAbove>): Judgement | undefined {
  const { operation, values = {} } = reply.call;
  const asked = String(values[parameter.key]);
  const known = listed.find((each) => String(each.value) === asked);
  const bodies = [reply.body, ...Object.values(reply.body as JsonObject)].filter(isObject);
  const record = known && bodies.find((each) => isAlike(each, known.record));
  const value = record?.[known?.member ?? ''];
  if (known === undefined || value === undefined || value === null || typeof value === 'object') return undefined;
  if (String(value).toLowerCase() === asked.toLowerCase()) return agrees(detailOther);
  return contradicts({
    replies: [known.reply, reply],
    expected: `${operation.id} with ${parameter.name}=${asked} must return the record with this ${known.member}`,
    actual: `${known.member} is ${printJson(value)}`,
    mutant: detailOther,
  });
}

/** True for a record with most of the members of another one. */
function isAlike(record: JsonObject, other: JsonObject): boolean {
  const names = Object.keys(other);
  return names.length > 1 && names.filter((name) => record[name] !== undefined).length * 2 > names.length;
}

const headOther = candidate('head-other', `${success}, also with HEAD`);

const sameHead: Rule = {
  id: 'requests/head',
  title: 'HEAD gets the status, media type and required headers of GET',
  why: 'Caches, link checkers and downloads ask with HEAD before they read. They take its answer for that of GET.',
  strength: 'required',
  rfc: 'RFC 9110 §9.3.2',
  slow: true,
  clause: (operation) => (isPlain(operation) ? operation.place : undefined),
  examine: async (context, operation) => {
    const plain = await context.ask({ operation });
    const head = isSuccess(plain) ? await context.ask({ ...plain.call, method: 'HEAD' }) : undefined;
    return { mutants: [headOther], judge: () => (head === undefined ? [] : judgeHead(context, plain, head)) };
  },
};

function judgeHead({ contract }: RoundContext, plain: Reply, head: Reply): Judgement | undefined {
  const { operation } = plain.call;
  const { status } = head.response;
  const isStated = contract.operations.some(({ method, path }) => method === 'HEAD' && path === operation.path);
  // Many servers and gateways route no HEAD. The file leaves that open.
  if (!isStated && ((status >= 300 && status < 500) || status === 501)) return undefined;
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
    expected: `HEAD at ${operation.id} must get ${plain.response.status}${part}, like GET`,
    actual: `it gets ${status}${isOtherType ? ` and ${type}` : lacking === undefined ? '' : ' without it'}`,
    mutant: headOther,
  });
}

const readsDiffer = candidate('reads-differ', `${success}, with a list or a status that stays the same`);

const sameRead: Rule = {
  id: 'requests/repeated',
  title: 'The same request gets the same records in the same order',
  why: 'Users who reload a page, and clients that read page by page, miss records that appear and disappear by chance.',
  strength: 'implied',
  slow: true,
  clause: (operation) => (isPlain(operation) ? operation.place : undefined),
  examine: async (context, operation) => {
    const first = await context.ask({ operation });
    const replies = [first, await context.askAgain(first.call), await context.askAgain(first.call)];
    // A difference at the end needs one more read.
    if (replies[1]?.response.body !== replies[2]?.response.body) replies.push(await context.askAgain(first.call));
    return { mutants: [readsDiffer], judge: () => judgeReads(replies) };
  },
};

/** Data that changes between two reads stays changed. What is back at the third read, or in a new order each time, changes by itself. */
function judgeReads(replies: readonly Reply[]): Judgement | undefined {
  if (replies.some(({ response }) => response.status >= 500)) return reportedBy('response/no-server-error');
  if (replies.every(({ response }) => response.status === replies[0]?.response.status && response.body === replies[0].response.body))
    return agrees(readsDiffer);
  const [first, ...others] = replies;
  const differences = [replies.slice(0, 3), others].flatMap((reads) => {
    const actual = differenceOf(reads);
    const expected = `${first?.call.operation.id} must give the same response to the same request`;
    return actual === undefined ? [] : [contradicts({ replies: reads, expected, actual, mutant: readsDiffer })];
  });
  return differences[0];
}

/** What three reads show to change by itself, as a clause. */
function differenceOf(reads: readonly Reply[]): string | undefined {
  const [one, two, three] = reads.map(({ response }) => response.status);
  if (one === two) return three === two ? differenceOfLists(reads) : undefined;
  return one === three ? `the statuses are ${one}, ${two} and ${three}` : undefined;
}

function differenceOfLists(replies: readonly Reply[]): string | undefined {
  const lists = replies.map(({ body }) => listIn(body)?.map((record) => printJson(record)));
  const [before, between, after] = lists;
  if (before === undefined || between === undefined || after === undefined || isSame(before, between)) return undefined;
  const areSameRecords = lists.every((list) => isSame(list?.toSorted(), before.toSorted()));
  if (areSameRecords) return isSame(before, after) || !isSame(between, after) ? 'the same records are in another order' : undefined;
  return isSame(before, after)
    ? `there are ${before.length} records, then ${between.length} others, and then the first ${after.length} again`
    : undefined;
}

function isSame(left: readonly string[] | undefined, right: readonly string[]): boolean {
  return left?.join() === right.join();
}

/** The rules, in the order of a run. */
export const plainOperationRules: readonly Rule[] = [documentedParameters, requestedRecord, sameHead, sameRead];
