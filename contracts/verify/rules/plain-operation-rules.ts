/** Rules of the group `requests` about operations without annotations. They demand only what the file states or HTTP requires. */

import { definedOf } from '../../../core/drop-undefined.ts';
import { isObject, type Json, type JsonObject, parseJson, printJson } from '../../../core/json.ts';
import { mutantOf } from '../../../core/mutants/mutant-catalogue.ts';
import { documentsStatus, isPlain, type Operation, schemaOfSuccess } from '../../../core/openapi/operation.ts';
import { mergedBranchKeywords, schemasAt } from '../../../core/openapi/schema-facts.ts';
import type { Parameter } from '../../../core/parameters/parse-parameter.ts';
import { showPointer, toPointer, valueAt } from '../../../core/pointer.ts';
import { createMask } from '../../../core/redaction/mask-personal-data.ts';
import { isReplyTo, isSuccess, type Reply } from '../evidence/call.ts';
import { type Disagreement, findDisagreements, isAlike, placeOf } from '../evidence/find-record-disagreements.ts';
import { isBelowSame, type ListedValue, memberOf, recordsAbove } from '../evidence/find-values.ts';
import {
  cursorOf,
  dependsOnRequest,
  guessedFilters,
  identifyingParameter,
  isFirstPage,
  limitOf,
  listIn,
  namingParameter,
  nextShownBy,
  pagesFrom,
  pagesOf,
  positionParameter,
  readKnown,
  shownFilterValues,
} from '../evidence/reads-without-annotations.ts';
import type { ParameterValues } from '../evidence/record-keys-and-filters.ts';
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
  const named = { ...values, [parameter.key]: absent };
  const reply = await context.ask({ operation, values: named, mayBeRefused: !isDocumented });
  const isLast = operation.path.endsWith(`{${parameter.name}}`);
  const parent = isDocumented && !isLast ? await askParent(context, operation, parameter, named) : undefined;
  const mutants = isDocumented && (isLast || parent !== undefined) ? [absentAsFirst, absentAsEmpty] : [absentAsFirst];
  return { mutants, judge: () => judgeAbsence({ reply, known, parameter, parent, mayNotSucceed: mutants.length > 1 }) };
}

/**
 * The 404 to the read of the record above an operation, which then has nothing below it either. The documented 404 may also be that of a page behind the last
 * one, or of a record that the query names.
 */
async function askParent(
  context: RoundContext,
  operation: Operation,
  { name }: Parameter,
  values: ParameterValues,
): Promise<Reply | undefined> {
  const path = `${operation.path.split(`{${name}}`, 1)[0]}{${name}}`;
  const above = context.contract.operations.find((each) => each.method === 'GET' && each.path === path);
  const mayNameOther = operation.parameters.some(
    (each) => each.in === 'query' && each.allowed.length === 0 && each.kinds.includes('string'),
  );
  if (above === undefined || mayNameOther || positionParameter(operation) !== undefined) return undefined;
  const own = above.parameters.flatMap(({ key }) => definedOf(values[key]).map((value) => [key, value] as const));
  const reply = await context.ask({ operation: above, values: Object.fromEntries(own), mayBeRefused: true });
  return reply.response.status === 404 ? reply : undefined;
}

/** A read by an identifier that nothing has, and reads by known ones. */
interface AbsentRead {
  readonly reply: Reply;
  readonly known: readonly Reply[];
  readonly parameter: Parameter;
  /** The 404 to the read of the record above. */
  readonly parent: Reply | undefined;
  /** True if the contract says what an absent record gets, so that a success is wrong. */
  readonly mayNotSucceed: boolean;
}

function judgeAbsence({ reply, known, parameter, parent, mayNotSucceed }: AbsentRead): Judgement | undefined {
  const { operation } = reply.call;
  const { status, body } = reply.response;
  if (status >= 500) return reportedBy('response/no-server-error');
  if (status >= 400) return agrees(absentAsFirst, absentAsEmpty);
  // A mock of the file shows the same example to every identifier.
  const differs = new Set(known.map(({ response }) => response.body)).size > 1;
  if (!isSuccess(reply) || !differs) return undefined;
  const isEmpty = body.trim().length < 3 || listIn(reply.body)?.length === 0;
  const same = isEmpty ? undefined : known.find(({ response }) => response.body === body);
  if (same === undefined && !mayNotSucceed) return isEmpty ? agrees(absentAsFirst) : undefined;
  const nameOf = ({ call }: Reply): string => `${parameter.name}=${printParameterValue(call.values?.[parameter.key] ?? null)}`;
  return contradicts({
    replies: [...definedOf(parent, same), reply],
    expected: `${operation.id} with ${nameOf(reply)}, which names nothing${parent === undefined ? '' : ` at ${parent.call.operation.id}`}, must ${mayNotSucceed ? 'respond with 404' : 'return nothing of another record'}`,
    actual: `the status is ${status}${same === undefined ? '' : `, with the content of ${nameOf(same)}`}`,
    mutant: same === undefined ? absentAsEmpty : absentAsFirst,
  });
}

const valueError = withoutData(mutantOf('documented-value-error'));
const parameterIgnored = candidate('parameter-ignored', 'responses that differ by a parameter, and show it in their records', {
  parameter: 'a parameter',
});

/** Maximum number of requests with optional parameters of an operation, and of listed values of one of them. */
const [triedMax, valuesMax] = [20, 3];

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
    for (const more of [...pages, ...definedOf(known[0] && nextShownBy(known[0]))]) await ask(more);
    const untried = operation.parameters.filter(
      (each) => each.in === 'query' && isTried(each) && !isInPages(each) && values[each.key] === undefined,
    );
    const attempts: ParameterValues[] = [
      ...shownFilterValues(
        operation,
        known.flatMap(({ body }) => listIn(body) ?? []),
      ),
    ];
    for (const parameter of untried) {
      const { key, allowed, style } = parameter;
      const usual =
        allowed.length > 0 && style.shape === 'one' ? allowed.slice(0, valuesMax) : [await context.valueFor(operation, parameter)];
      attempts.push(...definedOf(...usual).map((value) => ({ [key]: value })));
    }
    for (const { parameter, absent } of guessedFilters(operation))
      attempts.push(...(absent === undefined ? [true, false] : [absent]).map((value) => ({ [parameter.key]: value })));
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
  const isAnswered = dependsOnRequest(context.session, operation);
  const ofPages = isAnswered ? [judgePages(operation, own), judgeLost(operation, own)] : [];
  return [...own.map((reply) => judgeReply(reply, isAnswered ? own : [])), ...ofPages];
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
  const size = Number((limit && (values[limit.key] ?? limit.fallback)) ?? Number.NaN);
  const tooMany = `the response has ${records?.length} records`;
  const ofLimit: readonly ShownParameter[] =
    limit === undefined || records === undefined || Number.isNaN(size)
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

/** Compares pages that follow each other: the first two by number, and each page with the one behind its cursor or link. */
function judgePages(operation: Operation, own: readonly Reply[]): Judgements {
  const replyTo = (page: ParameterValues | undefined): Reply | undefined =>
    page && own.find(({ call }) => Object.entries(page).every(([key, value]) => call.values?.[key] === value));
  const replyBehind = (reply: Reply): Reply | undefined => {
    const next = nextShownBy(reply);
    return next === undefined ? undefined : replyTo({ ...reply.call.values, ...next });
  };
  const [smallest = {}, one = {}, two] = pagesOf(operation);
  const [size] = Object.values(smallest);
  const position = operation.parameters.find(({ key }) => one[key] !== undefined && smallest[key] === undefined);
  const first = replyTo(one);
  const all = Math.max(...own.map(({ body }) => listIn(body)?.length ?? 0));
  // If the size is ignored, both pages have every record. If there is no second page, a server may show the first.
  const isFull = listIn(first?.body)?.length === size && all > 2 * Number(size);
  return [
    ...(isFull ? [comparePages(position, first, replyTo(two))] : []),
    ...own.map((reply) => comparePages(cursorOf(operation) ?? positionParameter(operation), reply, replyBehind(reply))),
  ];
}

function comparePages(position: Parameter | undefined, first: Reply | undefined, second: Reply | undefined): Judgement | undefined {
  const [records, next] = [listIn(first?.body), listIn(second?.body)];
  if (position === undefined || first === undefined || second === undefined || records === undefined || records.length === 0)
    return undefined;
  if (printJson(records) !== printJson(next)) return next === undefined ? undefined : agrees(parameterIgnored);
  return contradictIgnored([first, second], position, 'two pages have the same records');
}

/** Compares all pages together with a larger page that was the same before and after they were read. */
function judgeLost(operation: Operation, own: readonly Reply[]): Judgements {
  const limit = limitOf(operation);
  if (limit === undefined) return undefined;
  const othersOf = ({ call }: Reply): string => printJson({ ...call.values, [limit.key]: null });
  return own.filter(isFirstPage).map((first): Judgement | undefined => {
    const pages = pagesFrom(first, own);
    const last = pages.at(-1);
    if (last === undefined || pages.length < 2) return undefined;
    const larger = own.filter((each) => othersOf(each) === othersOf(first) && listIn(each.body) !== undefined && !pages.includes(each));
    const before = larger.findLast(({ number }) => number < first.number);
    const after = larger.find((each) => each.number > last.number && each.request.target === before?.request.target);
    const records = listIn(after?.body) ?? [];
    if (before === undefined || after === undefined || printJson(listIn(before.body) ?? null) !== printJson(records)) return undefined;
    const shown = new Set(pages.flatMap((page) => (listIn(page.body) ?? []).map((record) => printJson(record))));
    const lost = records.filter((record) => !shown.has(printJson(record)));
    const [one] = lost;
    if (one === undefined) return agrees(parameterIgnored);
    const sizeOf = ({ call }: Reply): string => `${limit.name}=${printParameterValue(call.values?.[limit.key] ?? limit.fallback ?? null)}`;
    return contradicts({
      replies: [before, ...pages, after],
      expected: `the ${pages.length} pages of ${operation.id} with ${sizeOf(first)} must have every record that ${sizeOf(after)} shows before and after`,
      actual: `${lost.length} of ${records.length} are on none of them`,
      pointer: placeOf(after.body, one),
      stableName: 'pages lose records',
    });
  });
}

/** A record of a list, and a reply to the read by its identifier. */
interface ListedRead {
  readonly listed: ListedValue;
  readonly reply: Reply;
  /** The record of the reply that looks like the listed one, and its place in the body. */
  readonly record: JsonObject;
  readonly at: string;
}

/** Every read by an identifier that a list above it has shown, with a record that looks like the listed one. */
function listedReads(context: RoundContext, operation: Operation): readonly ListedRead[] {
  const parameter = namingParameter(operation);
  // A mock of the file shows the same example to every identifier.
  if (parameter === undefined || !dependsOnRequest(context.session, operation)) return [];
  const allListed = recordsAbove(context, operation, parameter);
  return context.replies.flatMap((reply): readonly ListedRead[] => {
    const { body } = reply;
    if (!isReplyTo(reply, operation) || !isSuccess(reply) || !isObject(body)) return [];
    const asked = String(reply.call.values?.[parameter.key]);
    const listed = allListed.find((each) => String(each.value) === asked && isBelowSame(each.reply, reply.call.values ?? {}));
    const places = ['', ...Object.keys(body).map((name) => toPointer([name]))];
    const at = listed && places.find((place) => isAlike(valueAt(body, place), listed.record));
    return listed === undefined || at === undefined ? [] : [{ listed, reply, at, record: valueAt(body, at) as JsonObject }];
  });
}

const detailOther = candidate('detail-other', 'two records of a list that can be read singly, and name themselves there as in the list');

const requestedRecord: Rule = {
  id: 'requests/identifier',
  title: 'A read by an identifier returns its record',
  why: 'A client stores the content under the identifier that it requested, which is then the wrong one.',
  strength: 'implied',
  slow: true,
  clause: (operation) => namingParameter(operation)?.place,
  examine: async (context, operation) => {
    const parameter = namingParameter(operation);
    if (parameter !== undefined) await readKnown(context, operation, parameter);
    return { mutants: [detailOther], judge: () => undefined };
  },
  judgeReplies: (context, operation) => listedReads(context, operation).map(judgeIdentity),
};

/** Compares the identifier that was sent with that of the returned record. */
function judgeIdentity({ listed, reply, record }: ListedRead): Judgement | undefined {
  const value = record[listed.member];
  if (value === undefined || value === null || typeof value === 'object') return undefined;
  if (isAsked(listed, value)) return agrees(detailOther);
  const { id } = reply.call.operation;
  return contradicts({
    replies: [listed.reply, reply],
    expected: `${id} with ${namingParameter(reply.call.operation)?.name}=${listed.value} must return the record with this ${listed.member}`,
    actual: `${listed.member} is ${printJson(value)}`,
    mutant: detailOther,
  });
}

function isAsked({ value }: ListedValue, shown: Json | undefined): boolean {
  return String(shown).toLowerCase() === String(value).toLowerCase();
}

const detailDiffers = candidate('detail-state-differs', 'a listed record that does not change while it is read', { field: 'content' });

/** Reads listed records of a plain operation, and then their list again. */
export async function examinePlainAgreement(context: RoundContext, operation: Operation): Promise<Examination> {
  const parameter = namingParameter(operation);
  if (parameter !== undefined) {
    await readKnown(context, operation, parameter);
    const [listed] = recordsAbove(context, operation, parameter);
    if (listed !== undefined) await context.askAgain(listed.reply.call);
  }
  return { mutants: [detailDiffers], judge: () => undefined };
}

/** Compares each read with the list before it, where the list after it still shows the same. */
export function judgePlainAgreement(context: RoundContext, operation: Operation): Judgements {
  const parameter = namingParameter(operation);
  const allListed = parameter === undefined ? [] : recordsAbove(context, operation, parameter);
  return listedReads(context, operation).map((read): Judgement | undefined => {
    const { reply, record, at } = read;
    const same = allListed.filter(
      (each) => String(each.value) === String(read.listed.value) && isBelowSame(each.reply, reply.call.values ?? {}),
    );
    const before = same.findLast((each) => each.reply.endedMs <= reply.startedMs);
    const after = same.find((each) => each.reply.startedMs >= reply.endedMs && each.reply.call.operation === before?.reply.call.operation);
    if (before === undefined || after === undefined || !isAsked(before, record[before.member])) return undefined;
    const unstable = new Set(findDisagreements(before.record, after.record).map((each) => each.at));
    const difference = findDisagreements(before.record, record).find(
      (each) => !unstable.has(each.at) && isComparable(each) && isDescribedAlike(before, reply, each.at, at),
    );
    if (difference === undefined) return agrees(detailDiffers);
    const [listedPlace, singlePlace] = [`${placeOf(before.reply.body, before.record)}${difference.at}`, `${at}${difference.at}`];
    const name = showPointer(difference.at);
    return contradicts({
      replies: [before.reply, reply, after.reply],
      expected: `${name} of the record with ${before.member} ${before.value} in ${operation.id} must be ${showMasked(context, before.reply, listedPlace)}, as in ${before.reply.call.operation.id} before and after`,
      actual: `${name} is ${showMasked(context, reply, singlePlace)}`,
      pointer: singlePlace,
      mutant: { id: detailDiffers.id, title: `the single read shows a different ${name} from the list` },
      suspects: [
        { reply, part: `body ${singlePlace}` },
        { reply: before.reply, part: 'records' },
      ],
    });
  });
}

function showMasked({ contract }: RoundContext, { request, response }: Reply, at: string): string {
  return printJson(valueAt(parseJson(createMask(contract).mask({ request, response }).response.body), at) ?? null);
}

/** False for a member that a list shortens, hides or leaves out, and for one that has another type there. */
function isComparable({ expected, actual }: Disagreement): boolean {
  if (typeof expected !== typeof actual || typeof expected === 'object') return false;
  if (typeof expected !== 'string' || typeof actual !== 'string') return true;
  const [shorter = '', longer = ''] = [expected, actual]
    .map((text) => text.replace(/(?:…|\.{3})$/, ''))
    .toSorted((left, right) => left.length - right.length);
  return !longer.startsWith(shorter) && ![expected, actual].some((text) => /\*{2}|•/.test(text));
}

/** True if the contract says the same of a member in the list and in the single read. */
function isDescribedAlike(listed: ListedValue, reply: Reply, at: string, recordAt: string): boolean {
  const described = ({ call: { operation } }: Reply, pointer: string): string => {
    const schemas = schemasAt(operation.document, schemaOfSuccess(operation.responses) ?? true, pointer);
    const keywords = mergedBranchKeywords(operation.document, { allOf: schemas });
    return printJson(schemas.length === 0 ? null : ['type', 'format', 'enum', 'const'].map((name) => keywords[name] ?? null));
  };
  const inList = described(listed.reply, `${placeOf(listed.reply.body, listed.record) ?? ''}${at}`);
  return inList !== 'null' && inList === described(reply, `${recordAt}${at}`);
}

/** The rules, in the order of a run. */
export const plainOperationRules: readonly Rule[] = [documentedParameters, requestedRecord];
