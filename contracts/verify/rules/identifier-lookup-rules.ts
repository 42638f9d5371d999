/** Rules of the group `details` about identifiers: each finds its record, only as a whole, and in any percent-encoding. */

import { definedOf } from '../../../core/drop-undefined.ts';
import type { SourceLocation } from '../../../core/errors.ts';
import type { Json } from '../../../core/json.ts';
import { canonicalText } from '../../../core/json-equality.ts';
import { placeInOperation } from '../../../core/openapi/clauses.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { documentsCondition, type Operation, statusOf } from '../../../core/openapi/operation.ts';
import type { Parameter } from '../../../core/parameters/parse-parameter.ts';
import { encodeText } from '../../../core/parameters/query-string.ts';
import { showPointer, valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { encodeAnyText, isSuccess, type Reply } from '../evidence/call.ts';
import { resourcePlace } from '../evidence/clause-places.ts';
import { findDisagreements } from '../evidence/find-record-disagreements.ts';
import { identifierIn, locateRecord } from '../evidence/locate-record-in-reply.ts';
import { recordKeyOf } from '../evidence/record-keys-and-filters.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import { mostUnusual, readSampledRecords } from '../evidence/single-reads.ts';
import {
  callByText,
  callForRecord,
  encodeEveryByte,
  isRecordRead,
  type RecordRead,
  recordListOf,
  textIdentifiers,
} from '../evidence/single-record-calls.ts';
import { describeRecords } from './describe-values.ts';
import { examineRequests, mustBeRefused, type RequestExpectation } from './examinations/examine-requests.ts';
import { isRefused } from './examinations/invalid-parameter-texts.ts';
import {
  agrees,
  type Candidate,
  candidate,
  contradicts,
  dataMoved,
  examineInTurn,
  type Judgement,
  type Rule,
  reportedBy,
  ruleAbout,
} from './rule.ts';

const alternativesRule = ruleAbout(isRecordRead, {
  id: 'details/alternatives',
  title: 'Each parameter that identifies a record finds the same record',
  why: 'People use one identifier and programs another. Both must mean the same record.',
  strength: 'stated',
  place: (operation) => (operation.resource.by.size > 1 ? resourcePlace(operation, 'by') : undefined),
  examine: async (context, operation) => {
    const [, ...otherParameters] = operation.resource.by.keys();
    const list = recordListOf(context, operation);
    const pairs: { readonly parameter: string; readonly record: DataRecord }[] = [];
    for (const parameter of otherParameters)
      for (const record of await recordsToRead(context, operation, parameter)) pairs.push({ parameter, record });
    return examineInTurn(
      context,
      otherParameters.flatMap((parameter) => Object.values(mutantsOf(parameter))),
      pairs,
      async ({ parameter, record }) => {
        const withoutValue = { operation, values: {} };
        const firstCall = callForRecord(operation, record) ?? withoutValue;
        const first = await context.ask(firstCall);
        const other = await context.ask(callForRecord(operation, record, parameter) ?? withoutValue);
        const isSame = first.response.status === other.response.status && recordText(context, first) === recordText(context, other);
        const again = isSame ? first : await context.askAgain(firstCall);
        return () => judgeTwoIdentifiers(context, list, { record, parameter, first, other, again });
      },
    );
  },
});

/** Number of records read by a second identifier. */
const maxSamples = 2;

/** The text by which a parameter identifies a record; empty for a record without the field. */
function identifierOf({ resource }: Operation, parameter: string, record: DataRecord): string {
  return String(valueAt(record, resource?.by.get(parameter) ?? ''));
}

/** Records of the sample whose identifier is unique. The contract may leave open if all are. */
async function recordsToRead(context: RoundContext, operation: RecordRead, parameter: string): Promise<readonly DataRecord[]> {
  const { records } = await context.snapshot(recordListOf(context, operation));
  const sample = (await readSampledRecords(context, operation)).map(({ record }) => record);
  const unusualRecord = mostUnusual(sample, operation, parameter);
  const ordered = [...new Set([...definedOf(unusualRecord), ...sample])];
  const isUnique = (record: DataRecord): boolean =>
    records.filter((each) => identifierOf(operation, parameter, each) === identifierOf(operation, parameter, record)).length === 1;
  const readable = ordered.filter((record) => callForRecord(operation, record, parameter) !== undefined && isUnique(record));
  return readable.slice(0, context.quick ? 1 : maxSamples);
}

function recordText({ contract }: RoundContext, reply: Reply): string {
  return canonicalText(locateRecord(contract, reply)?.record ?? null);
}

function mutantsOf(parameter: string): { readonly absent: Candidate; readonly other: Candidate } {
  const missing = `a record whose ${parameter} no other record has`;
  return {
    absent: candidate('alternative-absent', missing, { parameter }, parameter),
    other: candidate('alternative-other-record', missing, { parameter }, parameter),
  };
}

/** Reads of one record by its first identifier and by another. If they differ, `again` repeats the first; otherwise it is the first. */
interface TwoIdentifierReads {
  readonly record: DataRecord;
  readonly parameter: string;
  readonly first: Reply;
  readonly other: Reply;
  readonly again: Reply;
}

function judgeTwoIdentifiers(
  context: RoundContext,
  list: ListOperation,
  { record, parameter, first, other, again }: TwoIdentifierReads,
): Judgement {
  const [firstRecord, otherRecord] = [first, other].map((reply) => locateRecord(context.contract, reply)?.record);
  const key = recordKeyOf(list, record);
  const recordName = describeRecords(list, [key]);
  const mutants = mutantsOf(parameter);
  if (firstRecord === undefined) return reportedBy('details/reachable');
  if (recordText(context, first) !== recordText(context, again)) return dataMoved(`${recordName} did not stay unchanged`);
  if (other.response.status >= 500) return reportedBy('response/no-server-error');
  const { id } = other.call.operation;
  const sharedMembers = { replies: [first, other], recordKeys: [key] };
  if (otherRecord === undefined)
    return contradicts({
      ...sharedMembers,
      expected: `${id} must find ${recordName} by ${parameter} too`,
      actual: `the status is ${other.response.status}${isSuccess(other) ? ', without a record' : ''}`,
      records: [firstRecord],
      mutant: mutants.absent,
    });
  const isOther = recordKeyOf(list, otherRecord) !== key;
  // Another record with the same identifier is allowed if identifiers need not be unique.
  if (isOther && identifierOf(other.call.operation, parameter, otherRecord) === identifierOf(other.call.operation, parameter, record))
    return dataMoved(`the ${parameter} of ${recordName} belongs to another record too`);
  const [difference] = [...findDisagreements(firstRecord, otherRecord), ...findDisagreements(otherRecord, firstRecord)];
  if (difference === undefined) return agrees(mutants.absent, mutants.other);
  return contradicts({
    ...sharedMembers,
    expected: `${id} must return ${recordName} by ${parameter}, with the same content as for its first identifier`,
    actual: isOther
      ? `the response contains ${describeRecords(list, [recordKeyOf(list, otherRecord)])}`
      : `${showPointer(difference.at)} differs`,
    records: [firstRecord, otherRecord],
    mutant: mutants.other,
  });
}

const exactlyOneRule = ruleAbout(isRecordRead, {
  id: 'details/exactly-one',
  title: 'Two identifiers of one record together are rejected, and so is a request without any',
  why: 'If two identifiers disagree, one of them is a mistake. A server that picks one hides it.',
  strength: 'stated',
  place: (operation) => {
    const [first] = documentsCondition(operation, 'invalid') ? exactlyOneRules(operation) : [];
    return first?.clause;
  },
  examine: async (context, operation) => {
    const attempts = await identifierCombinations(context, operation);
    return examineRequests(context, context.quick ? attempts.slice(0, 1) : attempts);
  },
});

/** Parameters of which a request must have exactly one, and the place of that rule. */
interface ExactlyOneRule {
  readonly names: readonly string[];
  readonly clause: SourceLocation;
}

function exactlyOneRules(operation: Operation): readonly ExactlyOneRule[] {
  return operation.rules.flatMap(({ rule, parameters }, index) =>
    rule === 'exactly-one-of' ? [{ names: parameters, clause: placeInOperation(operation, 'x-parameter-rules', index) }] : [],
  );
}

/** Requests with both identifiers of one record, and without any. */
async function identifierCombinations(context: RoundContext, operation: RecordRead): Promise<readonly RequestExpectation[]> {
  const list = recordListOf(context, operation);
  const [record] = (await context.snapshot(list)).records;
  const valueIfNone = (name: string): Json =>
    operation.parameters.find((each) => each.key === name)?.kinds.includes('string') === true ? 'none' : 1;
  const attempts = exactlyOneRules(operation).flatMap(({ names, clause }): readonly RequestExpectation[] => {
    const none = mustBeRefused({ call: { operation, values: {} }, what: `neither ${names.join(' nor ')}`, clause });
    if (record === undefined) return [none];
    const valueFor = (name: string): Json => valueAt(record, operation.resource.by.get(name) ?? '') ?? valueIfNone(name);
    const call = { operation, values: Object.fromEntries(names.map((name) => [name, valueFor(name)])) };
    const both = mustBeRefused({ call, what: `${names.join(' and ')} of one record`, clause });
    // A server may report a deleted record as absent before it checks the rule.
    const doubt = (reply: Reply): Judgement | undefined =>
      reply.response.status === statusOf(operation, 'absent') && !isListedDuring(context, list, record, reply)
        ? dataMoved(`the record of ${both.what} was deleted from ${list.id}`)
        : undefined;
    return [{ ...both, doubt }, none];
  });
  return attempts.filter(({ call }) => isRefused(context.contract, call));
}

/** True if a list shows a record unchanged before and after a reply. */
function isListedDuring(context: RoundContext, list: ListOperation, record: DataRecord, { startedMs, endedMs }: Reply): boolean {
  return context.readings(list).unchangedDuring(recordKeyOf(list, record), startedMs, endedMs) !== undefined;
}

/** False for a text that clients or proxies may change: with spaces at an end, or dots only. */
function survivesTransport(text: string): boolean {
  return text === text.trim() && !/^\.+$/.test(text);
}

const identifierBeginning = candidate('identifier-beginning', 'a record whose identifier has at least two characters', {
  parameter: 'an identifier',
});
const identifierContinued = candidate('identifier-continued', 'a record whose identifier is a string', {
  parameter: 'an identifier',
});

const wholeKeyRule = ruleAbout(isRecordRead, {
  id: 'details/whole-key',
  title: 'Only a whole identifier finds its record',
  why: 'A truncated identifier must not lead to another record with the same beginning.',
  strength: 'implied',
  slow: true,
  place: (operation) => textIdentifiers(operation)[0]?.place,
  examine: async (context, operation) => {
    return examineInTurn(
      context,
      [identifierBeginning, identifierContinued],
      await partialIdentifiers(context, operation),
      async (partial) => {
        const reply = await context.ask(callByText(operation, partial.parameter, encodeText(partial.text)));
        return () => judgePartialIdentifier(context, partial, reply);
      },
    );
  },
});

/** A text that differs from an identifier only at its end. */
interface PartialIdentifier {
  readonly parameter: Parameter;
  readonly text: string;
  readonly complete: string;
  readonly mutant: Candidate;
}

async function partialIdentifiers(context: RoundContext, operation: RecordRead): Promise<readonly PartialIdentifier[]> {
  const snapshot = await context.snapshot(recordListOf(context, operation));
  return textIdentifiers(operation).flatMap((parameter) => {
    const identifiers = new Set(snapshot.records.map((record) => identifierOf(operation, parameter.key, record)));
    const [wholeIdentifier] = snapshot.records.slice(0, 1).map((record) => identifierOf(operation, parameter.key, record));
    if (wholeIdentifier === undefined) return [];
    const truncated = { text: [...wholeIdentifier].slice(0, -1).join(''), mutant: identifierBeginning };
    const partials = context.quick ? [truncated] : [truncated, { text: `${wholeIdentifier}x`, mutant: identifierContinued }];
    return partials
      .filter(({ text }) => text !== '' && !identifiers.has(text) && survivesTransport(text))
      .map((partial): PartialIdentifier => ({ parameter, complete: wholeIdentifier, ...partial }));
  });
}

function judgePartialIdentifier(
  context: RoundContext,
  { parameter, text, complete, mutant }: PartialIdentifier,
  reply: Reply,
): Judgement | undefined {
  const { status } = reply.response;
  const returned = identifierIn(context, parameter, reply);
  if (status >= 500) return reportedBy('response/no-server-error');
  if (returned === undefined) return agrees(mutant);
  if (returned === null) return reportedBy('details/absent');
  // A record with exactly this identifier is no evidence, nor is one that differs only in case.
  if (returned.toLowerCase() === text.toLowerCase()) return undefined;
  return contradicts({
    replies: [reply],
    expected: `${reply.call.operation.id} with ${parameter.name}=${text} must not find ${complete}`,
    actual: `the status is ${status}, with ${parameter.name} ${returned}`,
    mutant,
  });
}

const identifierStillEncoded = candidate('identifier-still-encoded', 'a readable record whose identifier is a string', {
  parameter: 'an identifier',
});

const encodedRule = ruleAbout(isRecordRead, {
  id: 'details/encoded',
  title: 'A percent-encoded identifier is the same identifier',
  why: 'Clients differ in the characters that they escape. One record must not have two names.',
  strength: 'required',
  slow: true,
  rfc: 'RFC 3986 §6.2.2.2',
  place: (operation) => textIdentifiers(operation)[0]?.place,
  examine: async (context, operation) => {
    return examineInTurn(context, [identifierStillEncoded], textIdentifiers(operation), (parameter) =>
      readEncoded(context, operation, parameter),
    );
  },
});

/** Reads a record by its identifier, and again with every byte percent-encoded. */
async function readEncoded(context: RoundContext, operation: RecordRead, parameter: Parameter): Promise<(() => Judgement) | undefined> {
  const snapshot = await context.snapshot(recordListOf(context, operation));
  // Prefer an identifier that needs no escapes. A server that reads no escapes would not find any other even by the plain request.
  const plainRecord = snapshot.records.find(
    (each) => encodeAnyText(identifierOf(operation, parameter.key, each)) === identifierOf(operation, parameter.key, each),
  );
  const record = plainRecord ?? mostUnusual(snapshot.records, operation, parameter.key);
  const call = record && callForRecord(operation, record, parameter.key);
  // A path segment of dots has a special meaning, even if encoded (RFC 3986 §6.2.2.3).
  if (record === undefined || call === undefined || /^\.*$/.test(identifierOf(operation, parameter.key, record))) return undefined;
  const identifier = identifierOf(operation, parameter.key, record);
  const plainReply = await context.ask(call);
  const escapedReply = await context.ask(callByText(operation, parameter, encodeEveryByte(identifier)));
  const [expected, returned] = [plainReply, escapedReply].map((reply) => identifierIn(context, parameter, reply));
  // Repeat the plain read if the encoded one did not find the record.
  const again = isSuccess(plainReply) && returned !== expected ? await context.askAgain(call) : plainReply;
  const { status } = escapedReply.response;
  return () => {
    if (!isSuccess(plainReply)) return reportedBy('details/reachable');
    if (!isSuccess(again)) return dataMoved(`${parameter.name} ${identifier} was deleted`);
    if (status >= 500) return reportedBy('response/no-server-error');
    if (returned === expected) return agrees(identifierStillEncoded);
    return contradicts({
      replies: [plainReply, escapedReply],
      expected: `${operation.id} must find ${parameter.name} ${identifier} also with every byte percent-encoded`,
      actual: `the status is ${status}${typeof returned === 'string' ? `, with ${parameter.name} ${returned}` : ''}`,
      mutant: identifierStillEncoded,
    });
  };
}

/** The rules, in the order of a run. */
export const identifierLookupRules: readonly Rule[] = [alternativesRule, exactlyOneRule, wholeKeyRule, encodedRule];
