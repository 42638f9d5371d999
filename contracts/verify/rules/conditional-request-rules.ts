/** Rules of the group `conditional` (RFC 9110 §13) about the response to a client that sends an ETag back. */

import { isDeepStrictEqual } from 'node:util';
import { countNoun } from '../../../core/count-noun.ts';
import { headerOf } from '../../../core/http/exchange.ts';
import { type Json, printJson } from '../../../core/json.ts';
import { equal } from '../../../core/json-equality.ts';
import type { MutantIdentity } from '../../../core/mutants/mutant-catalogue.ts';
import { isConditional, isPlain, type Operation, responseFor, statusOf } from '../../../core/openapi/operation.ts';
import { type Call, isReplyTo, isSuccess, type Reply } from '../evidence/call.ts';
import { rolesOfOtherTenants } from '../evidence/callers.ts';
import { tagPlace } from '../evidence/clause-places.ts';
import { foreignTag, opaqueTag, tagOf, usableTag, withTag } from '../evidence/entity-tag.ts';
import { locateRecord } from '../evidence/locate-record-in-reply.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import { conditionalCalls } from '../evidence/single-reads.ts';
import { unknownIdentity } from '../evidence/single-record-calls.ts';
import { examineEveryReply } from './examinations/examine-every-reply.ts';
import { examineRequests, type RequestExpectation } from './examinations/examine-requests.ts';
import { refusedTexts } from './examinations/invalid-parameter-texts.ts';
import {
  agrees,
  type Candidate,
  candidate,
  contradicts,
  dataMoved,
  type Judgement,
  type Rule,
  reportedBy,
  roomInQuickRun,
  type Untestable,
} from './rule.ts';

/** Missing evidence if no success has a usable entity tag. */
export const taggedSuccess = 'a resource that can be read, with a well-formed tag';

/** A read, and the same read with a tag. */
interface ConditionalRead {
  readonly plain: Reply;
  readonly tag: string;
  readonly reply: Reply;
  /** The plain read again, if the conditional one failed. */
  readonly after: Reply | undefined;
}

/** Repeats a read with a tag. */
async function readWithTag(context: RoundContext, plain: Reply, tag: string): Promise<ConditionalRead> {
  const call = { ...plain.call, headers: {} };
  const reply = await context.ask(withTag(call, tag));
  return { plain, tag, reply, after: reply.response.status >= 400 ? await context.askAgain(call) : undefined };
}

/** Judges a failed conditional read: a server error, or a record that was deleted; `undefined` for neither. */
function judgeFailure({ plain, reply, after }: ConditionalRead): Judgement | undefined {
  if (reply.response.status >= 500) return reportedBy('response/no-server-error');
  return after !== undefined && !isSuccess(after) ? dataMoved(`${plain.call.operation.id} stopped succeeding`) : undefined;
}

const unchangedNever: Candidate = candidate('unchanged-never', taggedSuccess);
const tagChangesPerResponse: Candidate = candidate('tag-per-answer', taggedSuccess);

const unchangedRule: Rule = {
  id: 'conditional/unchanged',
  title: 'A request with the current tag returns 304',
  why: 'Polling clients rely on a cheap response when nothing has changed.',
  strength: 'stated',
  clause: (operation) => (isConditional(operation) ? (operation.responses.get('304')?.place ?? tagPlace(operation)) : undefined),
  examine: async (context, operation) => {
    const reads: ConditionalRead[] = [];
    for (const call of await conditionalCalls(context, operation, 1))
      reads.push(...(await readCurrent(context, await context.ask(call), 2)));
    return { mutants: [unchangedNever, tagChangesPerResponse], judge: () => reads.map(judgeCurrent) };
  },
  judgeReplies: (context, operation) =>
    conditionalReads(context, operation)
      .filter(({ plain, tag, reply }) => usableTag(plain) === tag && (isSuccess(reply) || reply.response.status === 304))
      .map(judgeCurrent),
};

/** Every read with a tag, whatever it was sent for, with an earlier read without one. */
function conditionalReads({ replies }: RoundContext, operation: Operation): readonly ConditionalRead[] {
  return replies.flatMap((reply) => {
    const tag = isReplyTo(reply, operation) ? headerOf(reply.request.headers, 'if-none-match') : undefined;
    const plain = tag === undefined ? undefined : replies.find((each) => isSuccess(each) && isPlainReadOf(each, reply));
    return tag === undefined || plain === undefined ? [] : [{ plain, tag, reply, after: undefined }];
  });
}

/** True for an earlier reply to the same request without a tag. */
function isPlainReadOf(earlier: Reply, { request: { target, headers }, number }: Reply): boolean {
  const { 'if-none-match': _, ...plainHeaders } = headers;
  return earlier.number < number && earlier.request.target === target && isDeepStrictEqual(earlier.request.headers, plainHeaders);
}

/** Repeats a read with its tag. If the content changed in between, it repeats the read with the new tag. */
async function readCurrent(context: RoundContext, plain: Reply, times: number): Promise<readonly ConditionalRead[]> {
  const currentTag = usableTag(plain);
  if (currentTag === undefined || times === 0) return [];
  const conditionalRead = await readWithTag(context, plain, currentTag);
  return isSuccess(conditionalRead.reply) && !hasSameContent(conditionalRead)
    ? [conditionalRead, ...(await readCurrent(context, conditionalRead.reply, times - 1))]
    : [conditionalRead];
}

/** True if a response has the earlier content, by its body or its tag. */
function hasSameContent({ plain, tag: currentTag, reply }: ConditionalRead): boolean {
  return plain.response.body === reply.response.body || opaqueTag(usableTag(reply) ?? '') === opaqueTag(currentTag);
}

function judgeCurrent(conditionalRead: ConditionalRead): Judgement {
  const { plain, tag: currentTag, reply } = conditionalRead;
  const { status } = reply.response;
  const { id } = plain.call.operation;
  if (status === 304) return agrees(unchangedNever, tagChangesPerResponse);
  if (isSuccess(reply) && !hasSameContent(conditionalRead)) return dataMoved(`the content of ${id} changed between two reads`);
  const isTagNew = opaqueTag(usableTag(reply) ?? currentTag) !== opaqueTag(currentTag);
  return (
    judgeFailure(conditionalRead) ??
    contradicts({
      replies: [plain, reply],
      expected: `${id} with its current tag ${currentTag} must respond with 304`,
      actual: `the status is ${status}${isSuccess(reply) ? ', with the same content' : ''}`,
      mutant: isSuccess(reply) ? (isTagNew ? tagChangesPerResponse : unchangedNever) : undefined,
    })
  );
}

const unchangedWithBody: Candidate = candidate('unchanged-with-body', 'a 304 to a current tag');
const unchangedOtherTag: Candidate = candidate('unchanged-other-tag', 'a 304 with an ETag');

const bareUnchangedRule: Rule = {
  id: 'conditional/bare',
  title: 'A 304 has no body, and no tag other than the current one',
  why: 'Clients read a body after a 304 as the start of the next response. With another tag, a client mislabels its copy.',
  strength: 'stated',
  rfc: 'RFC 9110 §15.4.5',
  clause: (operation) => (isConditional(operation) ? operation.responses.get('304')?.place : undefined),
  examine: async (context, operation) => {
    for (const call of await conditionalCalls(context, operation, 1)) {
      const currentTag = usableTag(await context.ask(call));
      if (currentTag !== undefined) await context.ask(withTag(call, currentTag));
    }
    return examineEveryReply(context, operation, [unchangedWithBody, unchangedOtherTag], (reply) => judgeUnchangedResponse(context, reply));
  },
};

function judgeUnchangedResponse(context: RoundContext, reply: Reply): Judgement | undefined {
  const { status, body } = reply.response;
  const { id } = reply.call.operation;
  if (status !== 304) return undefined;
  if (body.length > 0)
    return contradicts({
      replies: [reply],
      expected: `a 304 of ${id} must have no body`,
      actual: `the body has ${countNoun(body.length, 'character')}`,
      mutant: unchangedWithBody,
    });
  const [shownTag, sentTag] = [tagOf(reply), headerOf(reply.request.headers, 'if-none-match')];
  // Only a tag from a response to the same request is known to be current.
  const source = context.replies.find((each) => each.request.target === reply.request.target && usableTag(each) === sentTag);
  if (shownTag === undefined || sentTag === undefined || source === undefined) return agrees(unchangedWithBody);
  if (opaqueTag(shownTag) === opaqueTag(sentTag)) return agrees(unchangedWithBody, unchangedOtherTag);
  return contradicts({
    replies: [source, reply],
    expected: `the tag of a 304 of ${id} must be ${sentTag}, as sent, or missing`,
    actual: `the tag is ${shownTag}`,
    mutant: unchangedOtherTag,
  });
}

const unchangedAlways = candidate('unchanged-always', 'a successful response');
const tagFrozen = candidate('tag-frozen', 'a record that changes during the run');
const unchangedAnyRecord = candidate('unchanged-any-record', 'two records with tags of their own');

const changedRule: Rule = {
  id: 'conditional/changed',
  title: 'A request with an outdated tag returns the content',
  why: 'A wrong 304 makes a client keep an old copy, and nobody notices.',
  strength: 'stated',
  rfc: 'RFC 9110 §13.1.2',
  clause: (operation) => (isConditional(operation) ? operation.responses.get('200')?.place : undefined),
  examine: async (context, operation) => {
    const [first, second] = await conditionalCalls(context, operation, 2);
    const reads: (ConditionalRead & { readonly mutant: MutantIdentity })[] = [];
    if (first !== undefined) {
      const plain = await context.ask(first);
      reads.push({ mutant: unchangedAlways, ...(await readWithTag(context, plain, foreignTag)) });
      const tagOfSecond = context.quick || second === undefined ? undefined : usableTag(await context.ask(second));
      const tagOfFirst = usableTag(plain);
      if (tagOfFirst !== undefined && tagOfSecond !== undefined && opaqueTag(tagOfFirst) !== opaqueTag(tagOfSecond))
        reads.push({ mutant: unchangedAnyRecord, ...(await readWithTag(context, plain, tagOfSecond)) });
    }
    const recordMutants = [context.quick ? { ...unchangedAnyRecord, missing: roomInQuickRun } : unchangedAnyRecord, tagFrozen];
    return {
      mutants: [unchangedAlways, ...((operation.resource?.by.size ?? 0) > 0 ? recordMutants : isPlain(operation) ? [tagFrozen] : [])],
      judge: () => reads.map(judgeOutdatedTag),
    };
  },
  judgeReplies: (context, operation) => [
    judgeOverTime(context, operation),
    conditionalReads(context, operation)
      .filter(({ tag, reply }) => tag === foreignTag && reply.response.status === 304)
      .map((read) => judgeOutdatedTag({ ...read, mutant: unchangedAlways })),
  ],
};

function judgeOutdatedTag(conditionalRead: ConditionalRead & { readonly mutant: MutantIdentity }): Judgement | undefined {
  const { mutant, plain, tag: sentTag, reply } = conditionalRead;
  const { status, body } = reply.response;
  if (!isSuccess(plain)) return undefined;
  if (isSuccess(reply) && body !== '') return agrees(mutant);
  return (
    judgeFailure(conditionalRead) ??
    contradicts({
      replies: [plain, reply],
      expected: `${plain.call.operation.id} with the tag ${sentTag}, which is not current, must respond with the content`,
      actual: `the status is ${status}${isSuccess(reply) ? ', with an empty body' : ''}`,
      mutant: status === 304 ? mutant : undefined,
    })
  );
}

/** Judges what was read twice, anywhere in the run: if the record or, without one, the body changed, its tag must have changed too. */
function judgeOverTime(context: RoundContext, operation: Operation): readonly Judgement[] {
  const lastByRequest = new Map<string, TaggedContent>();
  return taggedContents(context, operation).flatMap((current) => {
    const { 'if-none-match': _, ...headers } = current.reply.request.headers;
    const request = printJson([current.reply.request.target, headers]);
    const before = lastByRequest.get(request);
    lastByRequest.set(request, current);
    const isChange = before !== undefined && !equal(before.content, current.content);
    return isChange ? (judgeTagOfChange(before, current) ?? []) : [];
  });
}

/** A successful response with its tag, and the content that this stands for. */
interface TaggedContent {
  readonly reply: Reply;
  readonly tag: string;
  readonly content: Json;
}

function taggedContents({ contract, session }: RoundContext, operation: Operation): readonly TaggedContent[] {
  return session.replies.flatMap((reply) => {
    const tag = isReplyTo(reply, operation) && isSuccess(reply) ? usableTag(reply) : undefined;
    const content = isPlain(operation) ? reply.response.body : locateRecord(contract, reply)?.record;
    return tag === undefined || content === undefined || content === '' ? [] : [{ reply, tag, content }];
  });
}

function judgeTagOfChange(before: TaggedContent, after: TaggedContent): Judgement | undefined {
  if (opaqueTag(before.tag) !== opaqueTag(after.tag)) return agrees(tagFrozen);
  // Equivalent contents may share a weak tag (RFC 9110 §8.8.1).
  if (after.tag.startsWith('W/')) return undefined;
  return contradicts({
    replies: [before.reply, after.reply],
    expected: `the tag of ${after.reply.call.operation.id} must change with the content`,
    actual: `the content changed, and the tag is still ${after.tag}`,
    mutant: tagFrozen,
  });
}

const absentAsUnchanged: Candidate = candidate('absent-as-unchanged', 'an identifier without a record');
const invalidAsUnchanged: Candidate = candidate('invalid-as-unchanged', 'an identifier that the contract rejects');

/** A request that fails, and the mutant that responds with 304 instead. */
interface FailingRequest {
  readonly mutant: Candidate;
  readonly call: Call;
}

const failuresRule: Rule = {
  id: 'conditional/failures',
  title: 'An error stays an error when a tag is sent',
  why: 'If a request for a deleted record returns 304, the client keeps the record forever.',
  strength: 'implied',
  slow: true,
  rfc: 'RFC 9110 §13.2.1',
  clause: (operation) => (isConditional(operation) && operation.resource !== undefined ? responseFor(operation, 404)?.place : undefined),
  examine: async (context, operation) => {
    const [example] = await conditionalCalls(context, operation, 1);
    const sentTag = (example === undefined ? undefined : usableTag(await context.ask(example))) ?? foreignTag;
    const isSingleton = (operation.resource?.by.size ?? 0) === 0;
    const missing = isSingleton
      ? `a key of a tenant for which ${operation.id} finds nothing: --key ROLE=VARIABLE`
      : absentAsUnchanged.missing;
    const calls: readonly FailingRequest[] | Untestable = isSingleton
      ? await findAbsentRequests(context, operation, missing)
      : [{ mutant: absentAsUnchanged, call: { operation, values: unknownIdentity(operation) } }, ...invalidCalls(context, operation)];
    if ('untestable' in calls) return calls;
    const expectations: RequestExpectation[] = [];
    for (const { mutant, call } of calls) {
      const plain = await context.ask(call);
      expectations.push({
        call: withTag(call, sentTag),
        what: 'a tag',
        must: `fail, as without a tag (${plain.response.status})`,
        isRight: ({ response }) => response.status >= 400,
        mutants: [mutant],
        doubt: () => (isSuccess(plain) ? reportedBy(mutant === absentAsUnchanged ? 'details/absent' : 'details/identifier') : undefined),
        before: plain,
      });
    }
    const mutants = [{ ...absentAsUnchanged, missing }, ...(isSingleton || context.quick ? [] : [invalidAsUnchanged])];
    return { ...(await examineRequests(context, expectations)), mutants };
  },
};

/** Finds a tenant for which a resource without an identifier is absent. */
async function findAbsentRequests(
  context: RoundContext,
  operation: Operation,
  missing: string,
): Promise<readonly FailingRequest[] | Untestable> {
  const roles = rolesOfOtherTenants(context.keys).toSorted((left, right) => Number(left === 'other') - Number(right === 'other'));
  if (roles.length === 0) return { untestable: missing, option: { name: 'key', role: 'ROLE' } };
  for (const role of context.quick ? roles.slice(0, 1) : roles) {
    const call: Call = { operation, as: role };
    if ((await context.ask(call)).response.status === statusOf(operation, 'absent')) return [{ mutant: absentAsUnchanged, call }];
  }
  return [];
}

/** A request with an invalid identifier. */
function invalidCalls({ contract, quick }: RoundContext, operation: Operation): readonly FailingRequest[] {
  const [name] = [...(operation.resource?.by.keys() ?? [])];
  const parameter = operation.parameters.find((each) => each.key === name);
  if (name === undefined || parameter?.in !== 'query' || quick) return [];
  const [refusedText] = refusedTexts(contract, operation, name, ['out-of-range', 'malformed'], ['0', '-1', 'abc']);
  return refusedText === undefined ? [] : [{ mutant: invalidAsUnchanged, call: refusedText.call }];
}

/** The rules, in the order of a run. */
export const conditionalRequestRules: readonly Rule[] = [unchangedRule, bareUnchangedRule, changedRule, failuresRule];
