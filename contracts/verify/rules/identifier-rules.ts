/** Rules of the group `details` about identifiers: each identifier finds its record, only as a whole, and in any percent-encoding. */

import type { SourceLocation } from '../../../core/errors.ts';
import type { Json } from '../../../core/json.ts';
import { placeBelow } from '../../../core/openapi/document.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import type { Parameter } from '../../../core/parameters/parameter.ts';
import { showPointer, valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { encodeText, isSuccess, type Reply } from '../engine/call.ts';
import { resourcePlace } from '../engine/clauses.ts';
import { disagreements } from '../engine/compare-records.ts';
import { keyOf } from '../engine/paginate.ts';
import { isRecordRead, listOf, mostUnusual, readSample } from '../engine/record-reads.ts';
import type { RunContext } from '../engine/run-context.ts';
import {
  callByText,
  callForRecord,
  encodeEveryByte,
  encodeName,
  locate,
  nameIn,
  type RecordRead,
  spreadSample,
  textNames,
} from '../engine/single-read.ts';
import { documents, examineRefusals, isRefused, type RefusalAttempt } from './refusal.ts';
import {
  agrees,
  type Candidate,
  candidate,
  contradicts,
  dataMoved,
  describeRecords,
  examineInTurn,
  type Judgement,
  type Rule,
  reportedBy,
  ruleAbout,
} from './rule.ts';

const alternatives = ruleAbout(isRecordRead, {
  id: 'details/alternatives',
  title: 'Each parameter that identifies a record finds the same record',
  why: 'People use one identifier and programs another. Both must mean the same record.',
  strength: 'stated',
  place: (operation) => (operation.resource.by.size > 1 ? resourcePlace(operation, 'by') : undefined),
  examine: async (context, operation) => {
    const [, ...others] = operation.resource.by.keys();
    const list = listOf(context, operation);
    const pairs: { readonly parameter: string; readonly record: DataRecord }[] = [];
    for (const parameter of others)
      for (const record of await namedRecords(context, operation, parameter)) pairs.push({ parameter, record });
    return examineInTurn(
      others.flatMap((parameter) => Object.values(mutantsOf(parameter))),
      pairs,
      async ({ parameter, record }) => {
        const by = { operation, values: {} };
        const firstCall = callForRecord(operation, record) ?? by;
        const first = await context.ask(firstCall);
        const other = await context.ask(callForRecord(operation, record, parameter) ?? by);
        const isSame = first.response.status === other.response.status && textOf(context, first) === textOf(context, other);
        const again = isSame ? first : await context.askAgain(firstCall);
        return () => judgeNames(context, list, { record, parameter, first, other, again });
      },
    );
  },
});

/** Number of records read by a second identifier. */
const sampled = 2;

/** Records of the sample that no other record shares its name with: whether names are unique may be open. */
async function namedRecords(context: RunContext, operation: RecordRead, parameter: string): Promise<readonly DataRecord[]> {
  const nameOf = (record: DataRecord): string => String(valueAt(record, operation.resource.by.get(parameter) ?? ''));
  const { records } = await context.snapshot(listOf(context, operation));
  const sample = (await readSample(context, operation)).map(({ record }) => record);
  const unusual = mostUnusual(sample, operation, parameter);
  const ordered = [...new Set([...(unusual === undefined ? [] : [unusual]), ...sample])];
  const isUnique = (record: DataRecord): boolean => records.filter((each) => nameOf(each) === nameOf(record)).length === 1;
  const named = ordered.filter((record) => callForRecord(operation, record, parameter) !== undefined && isUnique(record));
  return named.slice(0, context.quick ? 1 : sampled);
}

function textOf({ contract }: RunContext, reply: Reply): string {
  return JSON.stringify(locate(contract, reply)?.record ?? null);
}

function mutantsOf(parameter: string): { readonly nothing: Candidate; readonly other: Candidate } {
  const missing = `a record whose ${parameter} no other record has`;
  return {
    nothing: candidate('details/alternatives', 'alternative-absent', missing, { parameter }, parameter),
    other: candidate('details/alternatives', 'alternative-other-record', missing, { parameter }, parameter),
  };
}

/** A record that was read by its first name and by another one; the first reading is repeated where the two differ. */
interface ReadByTwoNames {
  readonly record: DataRecord;
  readonly parameter: string;
  readonly first: Reply;
  readonly other: Reply;
  readonly again: Reply;
}

function judgeNames(context: RunContext, list: ListOperation, { record, parameter, first, other, again }: ReadByTwoNames): Judgement {
  const [one, two] = [first, other].map((reply) => locate(context.contract, reply)?.record);
  const key = keyOf(list, record);
  const named = describeRecords(list, [key]);
  const mutants = mutantsOf(parameter);
  if (one === undefined) return reportedBy('details/reachable');
  if (textOf(context, first) !== textOf(context, again)) return dataMoved(`${named} did not stay as it was`);
  if (other.response.status >= 500) return reportedBy('response/no-server-error');
  const { id, resource } = other.call.operation;
  const nameOf = (each: DataRecord): string => String(valueAt(each, resource?.by.get(parameter) ?? ''));
  const common = { replies: [first, other], witnesses: [key] };
  if (two === undefined)
    return contradicts({
      ...common,
      expected: `${id} must find ${named} by ${parameter} too`,
      actual: `the status is ${other.response.status}${isSuccess(other) ? ', without a record' : ''}`,
      records: [one],
      mutant: mutants.nothing,
    });
  const isOther = keyOf(list, two) !== key;
  // Another record of the very same name is legal where names need not be unique.
  if (isOther && nameOf(two) === nameOf(record)) return dataMoved(`the ${parameter} of ${named} has another owner`);
  const [difference] = [...disagreements(one, two), ...disagreements(two, one)];
  if (difference === undefined) return agrees(mutants.nothing, mutants.other);
  return contradicts({
    ...common,
    expected: `${id} must return ${named} by ${parameter}, with the same content as by its first identifier`,
    actual: isOther ? `the response contains ${describeRecords(list, [keyOf(list, two)])}` : `${showPointer(difference.at)} differs`,
    records: [one, two],
    mutant: mutants.other,
  });
}

const exactlyOne = ruleAbout(isRecordRead, {
  id: 'details/exactly-one',
  title: 'Two identifiers of one thing together are refused, and so is none',
  why: 'One of two identifiers that disagree is a mistake. A server that picks one hides it.',
  strength: 'stated',
  place: (operation) => {
    const [first] = documents(operation, 'invalid') ? choicesOf(operation) : [];
    return first?.clause;
  },
  examine: async (context, operation) => {
    const attempts = await attemptsFor(context, operation);
    return examineRefusals(context, operation, 'invalid', context.quick ? attempts.slice(0, 1) : attempts);
  },
});

/** Parameters of which exactly one is to be given, and where that is stated. */
interface Choice {
  readonly names: readonly string[];
  readonly clause: SourceLocation;
}

function choicesOf({ rules, document, value }: Operation): readonly Choice[] {
  return rules.flatMap(({ rule, parameters }, index) =>
    rule === 'exactly-one-of' ? [{ names: parameters, clause: placeBelow(document, value, ['x-parameter-rules', index]) }] : [],
  );
}

/** Both with the values of one record, which tempts most to accept them, and none. */
async function attemptsFor(context: RunContext, operation: RecordRead): Promise<readonly RefusalAttempt[]> {
  const list = listOf(context, operation);
  const [record] = (await context.snapshot(list)).records;
  const valueIfNone = (name: string): Json =>
    operation.parameters.find((each) => each.key === name)?.kinds.includes('string') === true ? 'none' : 1;
  const attempts = choicesOf(operation).flatMap(({ names, clause }): readonly RefusalAttempt[] => {
    const none = { call: { operation, values: {} }, what: `neither ${names.join(' nor ')}`, clause };
    if (record === undefined) return [none];
    const valueFor = (name: string): Json => valueAt(record, operation.resource.by.get(name) ?? '') ?? valueIfNone(name);
    const both = {
      call: { operation, values: Object.fromEntries(names.map((name) => [name, valueFor(name)])) },
      what: `${names.join(' and ')} of one record`,
      clause,
      // A server may report an unknown record as absent before it checks the rule.
      named: { list, key: keyOf(list, record) },
    };
    return [both, none];
  });
  return attempts.filter(({ call }) => isRefused(context.contract, call));
}

/** False for a text that may be changed on its way through no fault of the server: with spaces at an end, or dots only. */
function isKept(text: string): boolean {
  return text === text.trim() && !/^\.+$/.test(text);
}

const beginning = candidate('details/whole-key', 'identifier-beginning', 'a record whose identifier is longer than one letter', {
  parameter: 'an identifier',
});
const continued = candidate('details/whole-key', 'identifier-continued', 'a record with a text that identifies it', {
  parameter: 'an identifier',
});

const wholeKey = ruleAbout(isRecordRead, {
  id: 'details/whole-key',
  title: 'Only a whole identifier finds its record',
  why: 'A truncated identifier must not lead to another record with the same beginning.',
  strength: 'implied',
  slow: true,
  place: (operation) => textNames(operation)[0]?.place,
  examine: async (context, operation) => {
    return examineInTurn([beginning, continued], await partialNames(context, operation), async (piece) => {
      const reply = await context.ask(callByText(operation, piece.parameter, encodeName(piece.text)));
      return () => judgePartialName(context, piece, reply);
    });
  },
});

/** A text that is nearly the name of a record. */
interface PartialName {
  readonly parameter: Parameter;
  readonly text: string;
  readonly whole: string;
  readonly mutant: Candidate;
}

async function partialNames(context: RunContext, operation: RecordRead): Promise<readonly PartialName[]> {
  const snapshot = await context.snapshot(listOf(context, operation));
  return textNames(operation).flatMap((parameter) => {
    const nameOf = (record: DataRecord): string => String(valueAt(record, operation.resource.by.get(parameter.key) ?? ''));
    const names = new Set(snapshot.records.map(nameOf));
    const [whole] = spreadSample(snapshot, 1).map(nameOf);
    if (whole === undefined) return [];
    const cut = { text: [...whole].slice(0, -1).join(''), mutant: beginning };
    const pieces = context.quick ? [cut] : [cut, { text: `${whole}x`, mutant: continued }];
    return pieces
      .filter(({ text }) => text !== '' && !names.has(text) && isKept(text))
      .map((piece): PartialName => ({ parameter, whole, ...piece }));
  });
}

function judgePartialName(context: RunContext, { parameter, text, whole, mutant }: PartialName, reply: Reply): Judgement | undefined {
  const { status } = reply.response;
  const name = nameIn(context, parameter, reply);
  if (status >= 500) return reportedBy('response/no-server-error');
  if (name === undefined) return agrees(mutant);
  if (name === null) return reportedBy('details/absent');
  // A record of exactly that name shows nothing; another case of it is open.
  if (name.toLowerCase() === text.toLowerCase()) return undefined;
  return contradicts({
    replies: [reply],
    expected: `${reply.call.operation.id} with ${parameter.name}=${text} must not find ${whole}`,
    actual: `the status is ${status}, with ${parameter.name} ${name}`,
    mutant,
  });
}

const stillEncoded = candidate(
  'details/encoded',
  'identifier-still-encoded',
  'a record with a text that identifies it and that can be read',
  { parameter: 'an identifier' },
);

const encoded = ruleAbout(isRecordRead, {
  id: 'details/encoded',
  title: 'A percent-encoded identifier is the same identifier',
  why: 'Clients differ in the characters that they escape. One record must not have two names.',
  strength: 'required',
  slow: true,
  rfc: 'RFC 3986 §6.2.2.2',
  place: (operation) => textNames(operation)[0]?.place,
  examine: async (context, operation) => {
    return examineInTurn([stillEncoded], textNames(operation), (parameter) => readEncoded(context, operation, parameter));
  },
});

/** Reads a record by its name, and by each byte of its name. */
async function readEncoded(context: RunContext, operation: RecordRead, parameter: Parameter): Promise<(() => Judgement) | undefined> {
  const snapshot = await context.snapshot(listOf(context, operation));
  const nameOf = (record: DataRecord): string => String(valueAt(record, operation.resource.by.get(parameter.key) ?? ''));
  // A name that is sent as it stands tells most: one that needs escapes is not even found plainly where escapes are not read.
  const plainest = [...spreadSample(snapshot, 1), ...snapshot.records].find((each) => encodeText(nameOf(each)) === nameOf(each));
  const record = plainest ?? mostUnusual(snapshot.records, operation, parameter.key);
  const call = record && callForRecord(operation, record, parameter.key);
  // Dots alone mean something else in a path, however they are written (RFC 3986 §6.2.2.3).
  if (record === undefined || call === undefined || /^\.*$/.test(nameOf(record))) return undefined;
  const name = nameOf(record);
  const plain = await context.ask(call);
  const escaped = await context.ask(callByText(operation, parameter, encodeEveryByte(name)));
  const [wanted, given] = [plain, escaped].map((reply) => nameIn(context, parameter, reply));
  // The plain reading is repeated when the other one did not find it.
  const again = isSuccess(plain) && given !== wanted ? await context.askAgain(call) : plain;
  const { status } = escaped.response;
  return () => {
    if (!isSuccess(plain)) return reportedBy('details/reachable');
    if (!isSuccess(again)) return dataMoved(`${parameter.name} ${name} is not there any more`);
    if (status >= 500) return reportedBy('response/no-server-error');
    if (given === wanted) return agrees(stillEncoded);
    return contradicts({
      replies: [plain, escaped],
      expected: `${operation.id} must find ${parameter.name} ${name} also with every byte percent-encoded`,
      actual: `the status is ${status}${typeof given === 'string' ? `, with ${parameter.name} ${given}` : ''}`,
      mutant: stillEncoded,
    });
  };
}

/** The rules. */
export const names: readonly Rule[] = [alternatives, exactlyOne, wholeKey, encoded];
