/** Rules of the group `conditional` about the ETag itself: there is one, each content has its own, and it stays. */

import { printJson } from '../../../core/json.ts';
import { getOrCompute } from '../../../core/memo.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { isReplyTo, isSuccess, type Reply } from '../evidence/call.ts';
import { tagPlace } from '../evidence/clause-places.ts';
import { foreignTag, opaqueTag, tagOf, usableTag, withTag } from '../evidence/entity-tag.ts';
import { locateRecord } from '../evidence/locate-record-in-reply.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import { conditionalCalls, sampleWithTie } from '../evidence/single-reads.ts';
import { callForRecord, isRecordRead, recordListOf } from '../evidence/single-record-calls.ts';
import { taggedSuccess } from './conditional-request-rules.ts';
import { examineEveryReply, isCovered } from './examinations/examine-every-reply.ts';
import { agrees, type Candidate, candidate, contradicts, dataMoved, type Judgement, type Rule, roomInQuickRun, ruleAbout } from './rule.ts';

const tagMissing = candidate('tag-missing', 'a successful response');

const tagPresentRule: Rule = {
  id: 'conditional/tag',
  title: 'Every successful response of a conditional read has an ETag',
  why: 'Without a tag, a client cannot ask whether its copy is current, and downloads everything each time.',
  strength: 'stated',
  clause: tagPlace,
  examine: async (context, operation) => {
    for (const call of await conditionalCalls(context, operation, 1)) await context.ask(call);
    return examineEveryReply(context, operation, [tagMissing], (reply) => {
      if (!isSuccess(reply) || !isCovered(context, reply)) return undefined;
      if (tagOf(reply) !== undefined) return agrees(tagMissing);
      return contradicts({
        replies: [reply],
        expected: `a successful response of ${operation.id} must have the header ETag`,
        actual: 'the header ETag is missing',
        part: 'header etag',
        mutant: tagMissing,
      });
    });
  },
};

/** A successful response with its tag and its record. */
interface TaggedRecord {
  readonly reply: Reply;
  readonly tag: string;
  readonly record: DataRecord;
}

/** The records and tags that an operation returned to the full key. */
function taggedRecords(context: RoundContext, operation: Operation): readonly TaggedRecord[] {
  return context.replies.flatMap((reply) => {
    if (!isReplyTo(reply, operation)) return [];
    const [tag, record] = [usableTag(reply), locateRecord(context.contract, reply)?.record];
    return tag === undefined || record === undefined ? [] : [{ reply, tag, record }];
  });
}

const tagConstant: Candidate = candidate('tag-constant', 'two records with different times of change');
const tagByVersion: Candidate = candidate('tag-by-version', 'two records with equal times of change');

const perContentRule = ruleAbout(isRecordRead, {
  id: 'conditional/per-content',
  title: 'Different contents have different tags',
  why: 'If two contents share a tag, a client mistakes one for the other.',
  strength: 'implied',
  slow: true,
  place: tagPlace,
  examine: async (context, operation) => {
    const list = recordListOf(context, operation);
    const { version } = list.collection;
    for (const record of await sampleWithTie(context, list, operation)) {
      const call = callForRecord(operation, record);
      if (call !== undefined) await context.ask(call);
    }
    const mutants =
      version === undefined
        ? [{ ...tagConstant, missing: 'two records' }]
        : [tagConstant, context.quick ? { ...tagByVersion, missing: roomInQuickRun } : tagByVersion];
    return { mutants, judge: () => undefined };
  },
  judgeReplies: (context, operation) => judgeTags(context, operation, recordListOf(context, operation).collection.version),
});

/** Compares the tags of all pairs of records. A pair is tied if both have the same version. */
function judgeTags(context: RoundContext, operation: Operation, versionField: string | undefined): readonly Judgement[] {
  const fields = [...(operation.resource?.by.values() ?? [])];
  const identityOf = ({ record }: TaggedRecord): string => printJson(fields.map((field) => valueAt(record, field)));
  const versionOf = ({ record }: TaggedRecord): string => printJson(valueAt(record, versionField ?? ''));
  const distinct = [...new Map(taggedRecords(context, operation).map((each) => [identityOf(each), each])).values()];
  const pairs = distinct.slice(1).flatMap((other, index) =>
    distinct.slice(0, index + 1).map((one) => ({
      one,
      other,
      isTied: versionField !== undefined && versionOf(one) === versionOf(other),
      isShared: opaqueTag(one.tag) === opaqueTag(other.tag),
    })),
  );
  const mutant = pairs.some(({ isTied, isShared }) => !isTied && isShared) ? tagConstant : tagByVersion;
  return pairs.map(({ one, other, isTied, isShared }) =>
    isShared
      ? contradicts({
          replies: [one.reply, other.reply],
          expected: `two records of ${operation.id} must have different tags`,
          actual: `both have the tag ${opaqueTag(one.tag)}`,
          records: [one.record, other.record],
          part: 'header etag',
          mutant,
          recordKeys: [identityOf(one), identityOf(other)],
        })
      : agrees(tagConstant, ...(isTied ? [tagByVersion] : [])),
  );
}

const tagPerResponse: Candidate = candidate('tag-per-answer', `${taggedSuccess}, and the same again`);

const stableRule: Rule = {
  id: 'conditional/stable',
  title: 'Unchanged content keeps its tag',
  why: 'A tag that changes by itself makes clients download unchanged content again.',
  strength: 'implied',
  clause: tagPlace,
  examine: async (context, operation) => {
    const readings: Reply[] = [];
    for (const call of await conditionalCalls(context, operation, 1)) {
      // A request with an outdated tag returns the content too, and `conditional/changed` sends it anyway.
      readings.push(await context.ask(call), await context.ask(withTag(call, foreignTag)));
      // If the record changed between two reads, a third may equal the second.
      if (readings[0]?.response.body !== readings[1]?.response.body) readings.push(await context.askAgain(call));
    }
    return { mutants: [tagPerResponse], judge: () => judgeReadings(operation, readings) };
  },
  // The same body under another tag is wrong whenever it is seen in the run.
  judgeReplies: ({ session }, operation) => {
    const readings = session.replies.filter((reply) => isReplyTo(reply, operation) && isSuccess(reply) && reply.response.body !== '');
    const byRequest = new Map<string, Reply[]>();
    for (const reply of readings) {
      const { 'if-none-match': _, ...headers } = reply.request.headers;
      getOrCompute(byRequest, printJson([reply.request.target, headers]), () => []).push(reply);
    }
    return [...byRequest.values()].map((ofTarget) => judgeReadings(operation, ofTarget).filter(({ kind }) => kind === 'contradicts'));
  },
};

function judgeReadings({ id }: Operation, readings: readonly Reply[]): readonly Judgement[] {
  const tagged = readings.flatMap((reply) => {
    const tag = usableTag(reply);
    return tag === undefined ? [] : [{ reply, tag }];
  });
  const pairs = tagged.slice(1).map((second, index) => ({ first: tagged[index] ?? second, second }));
  const unchangedPairs = pairs.filter(({ first, second }) => first.reply.response.body === second.reply.response.body);
  if (unchangedPairs.length === 0) return pairs.length === 0 ? [] : [dataMoved(`the content of ${id} changed between all reads`)];
  return unchangedPairs.map(({ first, second }) =>
    opaqueTag(first.tag) === opaqueTag(second.tag)
      ? agrees(tagPerResponse)
      : contradicts({
          replies: [first.reply, second.reply],
          expected: `${id} must have the same tag for the same content`,
          actual: `two reads of the same body have the tags ${first.tag} and ${second.tag}`,
          part: 'header etag',
          mutant: tagPerResponse,
        }),
  );
}

/** The rules, in the order of a run. */
export const entityTagRules: readonly Rule[] = [tagPresentRule, perContentRule, stableRule];
