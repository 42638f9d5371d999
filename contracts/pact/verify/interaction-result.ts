/** The result of an interaction, from what came of it: what Pact says in words, what the contract says, and all of it fit to be printed. */

import { printPlace } from '../../../core/errors.ts';
import { headerOf } from '../../../core/exchange.ts';
import { isObject, type Json, type JsonObject, readJson } from '../../../core/json.ts';
import type { BodyPath, Interaction, MatchingRule } from '../../../core/pact/pact.ts';
import { isPathPrefix, matchesPath, parseBodyPath, printBodyPath, valuesAlong, pathWeight } from '../../../core/pact/body-path.ts';
import type { InteractionResult, PactFailure } from '../../../core/pact/verify-result.ts';
import { personal } from '../../../core/personal-text.ts';
import { fromPointer, toPointer, valueAt } from '../../../core/pointer.ts';
import { checkResponse } from '../../../core/response.ts';
import { type Printing, printCounterexample } from '../../counterexample.ts';
import type { Reply } from '../../reply.ts';
import { checkIdentity } from './check-identity.ts';
import type { InteractionTask, PreparedRequest } from './prepare-request.ts';

/** What came of an interaction: nothing was sent, or there is an answer, what Pact says of it, and what other answers say. */
export type InteractionOutcome = NotExercised | AnsweredInteraction;

/** Nothing was sent, or nothing was answered that could be judged. */
export interface NotExercised {
  readonly kind: 'not-exercised';
  readonly reason: string;
  readonly isBlocked: boolean;
}

/** There is an answer. */
export interface AnsweredInteraction {
  readonly kind: 'answered';
  readonly reply: Reply;
  readonly prepared: PreparedRequest;
  readonly mismatches: readonly JsonObject[];
  readonly confirmed: readonly PactFailure[];
}

/** Judges what came of an interaction; without a printing only the verdict counts, and nothing of it may be shown. */
export function judgeOutcome(
  item: InteractionTask,
  outcome: InteractionOutcome | undefined,
  isHealed: boolean,
  printing: Printing | undefined,
): InteractionResult {
  const { pact, contract, interaction } = item;
  const result = {
    consumer: pact.consumer,
    provider: pact.provider,
    contract: contract.name,
    description: interaction.description,
    states: interaction.states.map(({ name }) => name),
    place: interaction.place,
    isPending: interaction.isPending,
  };
  if (outcome?.kind !== 'answered') {
    const reason = outcome?.reason ?? 'the target could not be judged by the contract';
    return { ...result, verdict: 'not-exercised', reason: printing?.clean(reason) ?? reason, failures: [], notes: [] };
  }
  const failures = failuresOf(item, outcome, printing);
  const verdict = failures.length === 0 ? 'passed' : 'failed';
  if (printing === undefined) return { ...result, verdict, failures, notes: [] };
  const notes = isHealed ? ['it failed at first and passed at the second look: the data had moved'] : [];
  const { exchanges, curl } = printCounterexample(
    printing,
    { kind: 'contradicts', replies: [outcome.reply], expected: '', actual: '', witnesses: [] },
    interaction.place,
  );
  const [exchange] = exchanges;
  const [line] = curl;
  return {
    ...result,
    verdict,
    failures: failures.map((failure) => cleanFailure(printing, failure)),
    notes: [...notes, ...contractNotes(item, outcome, failures.length > 0)].map(printing.clean),
    ...(exchange === undefined ? {} : { exchange }),
    ...(line === undefined ? {} : { curl: line }),
  };
}

function failuresOf({ contract, pact, interaction }: InteractionTask, outcome: AnsweredInteraction, printing: Printing | undefined): readonly PactFailure[] {
  const { reply, prepared, mismatches, confirmed } = outcome;
  const shown = printing === undefined ? reply.body : readJson(printing.mask(reply).response.body);
  const code = contract.error === undefined || reply.response.status < 400 ? undefined : fromPointer(contract.error.code);
  const generators: Json | undefined = valueAt(pact.value, `${interaction.pointer}/response/generators`);
  const identity = [...checkIdentity({ contract, interaction, prepared, reply, generators }), ...confirmed];
  return [...readMismatches({ interaction, reply, shown, code }, mismatches), ...identity.map((each) => maskFailure(each, reply.body, shown))];
}

/** What is hidden in the answer is hidden in what is said of it, the value that was asked for included. */
function maskFailure(failure: PactFailure, raw: Json | undefined, shown: Json | undefined): PactFailure {
  const { steps } = parseBodyPath(failure.path) ?? { steps: [] };
  // Of lists and objects only the size and the keys are told.
  const valuesIn = (body: Json | undefined): string =>
    valuesAlong(body, steps)
      .map((value) => (typeof value === 'object' ? '' : String(value)))
      .join();
  return valuesIn(raw) === valuesIn(shown) ? failure : { ...failure, expected: personal, actual: personal };
}

function cleanFailure({ clean }: Printing, failure: PactFailure): PactFailure {
  const { kind, path, expected, actual, diagnosis } = failure;
  return {
    kind,
    path: clean(path),
    expected: clean(expected),
    actual: clean(actual),
    ...(diagnosis === undefined ? {} : { diagnosis: clean(diagnosis) }),
  };
}

/** So many findings of the contract are told of one answer. */
const maxNotes = 3;

/** What the contract says of the answer: whether it agrees with the consumer that something is wrong, or finds what the consumer does not look at. */
function contractNotes({ contract }: InteractionTask, { reply }: AnsweredInteraction, isFailed: boolean): readonly string[] {
  const violations = checkResponse(contract, reply);
  if (violations.length === 0) return isFailed ? ['the contract allows this answer'] : [];
  const told = violations
    .slice(0, maxNotes)
    .map(({ message, place }) => `the contract does not allow it: ${message} (${printPlace(place)})`);
  return violations.length > maxNotes ? [...told, `and ${violations.length - maxNotes} more`] : told;
}

/** An answer beside what the consumer expects of it. */
interface ComparedReply {
  readonly interaction: Interaction;
  readonly reply: Reply;
  /** The body as it may be shown. */
  readonly shown: Json | undefined;
  /** Where the contract says that failures have their code, as the keys of its pointer. */
  readonly code: readonly string[] | undefined;
}

/** The failures of an interaction, from Pact's mismatches: the gravest first, and what is the same in many records once. */
function readMismatches(compared: ComparedReply, mismatches: readonly JsonObject[]): readonly PactFailure[] {
  const failures = mismatches.flatMap((mismatch) => readMismatch(compared, mismatch));
  const alike = new Map<string, readonly PactFailure[]>();
  for (const failure of failures) {
    const key = JSON.stringify([failure.kind, failure.path.replaceAll(/\[\d+\]/g, '[]')]);
    alike.set(key, [...(alike.get(key) ?? []), failure]);
  }
  const ranked = [...alike.values()].toSorted(([left], [right]) => rankOf(left) - rankOf(right));
  return ranked.flatMap((group) => {
    const [first] = group.toSorted((left, right) => comparePaths(left.path, right.path));
    const others = new Set(group.map(({ path }) => path)).size - 1;
    if (first === undefined || others < 1) return first ?? [];
    return [{ ...first, diagnosis: `${first.diagnosis ?? 'it differs'}, and so in ${others} ${others === 1 ? 'place' : 'places'} more` }];
  });
}

const ranks: readonly PactFailure['kind'][] = ['other', 'status', 'header', 'body', 'identity'];

function rankOf(failure: PactFailure | undefined): number {
  return failure === undefined ? ranks.length : ranks.indexOf(failure.kind);
}

/** Pact tells of places in no order. */
function comparePaths(left: string, right: string): number {
  const padded = (path: string): string => path.replaceAll(/\d+/g, (digits) => digits.padStart(8, '0'));
  return padded(left) < padded(right) ? -1 : padded(left) > padded(right) ? 1 : 0;
}

function readMismatch(compared: ComparedReply, mismatch: JsonObject): readonly PactFailure[] {
  const { interaction, reply } = compared;
  const type = String(mismatch['type']);
  if (type === 'StatusMismatch') {
    const [expected, actual] = [interaction.response.status, reply.response.status];
    return [{ kind: 'status', path: '', expected: String(expected), actual: String(actual), diagnosis: explainStatus(expected, reply) }];
  }
  if (type === 'HeaderMismatch') return [readHeader(compared, String(mismatch['key'] ?? '').toLowerCase())];
  // Of a body that cannot be read, Pact says that it is at `/`.
  const path = typeof mismatch['path'] === 'string' ? parseBodyPath(mismatch['path'].replace(/^\/$/, '$')) : undefined;
  if (type === 'BodyMismatch' && path !== undefined) return readBody(compared, path.steps, String(mismatch['mismatch'] ?? ''));
  const contentType = headerOf(reply.response.headers, 'content-type') ?? 'no content type';
  if (type === 'BodyTypeMismatch') {
    const expected = String(mismatch['expected'] ?? 'a body');
    return [{ kind: 'body', path: '', expected, actual: contentType, diagnosis: 'the body has another media type' }];
  }
  // What Pact says of values is not repeated where it cannot be told which they are: they may be personal.
  if (type === 'BodyMismatch')
    return [{ kind: 'body', path: String(mismatch['path'] ?? ''), expected: 'what the consumer expects', actual: 'something else' }];
  return [{ kind: 'other', path: '', expected: 'an answer that Pact accepts', actual: String(mismatch['mismatch'] ?? type) }];
}

function readHeader({ interaction, reply }: ComparedReply, name: string): PactFailure {
  const { headers, matching } = interaction.response;
  const rule = matching.headers.get(name);
  const actual = headerOf(reply.response.headers, name);
  return {
    kind: 'header',
    path: name,
    expected: rule === undefined ? (headers.get(name) ?? []).join(', ') : describeRule(rule, (headers.get(name) ?? []).join(', ')),
    actual: actual ?? 'nothing',
    diagnosis: actual === undefined ? `the answer lacks the header ${name}` : `the header ${name} has another form or value`,
  };
}

type Keys = readonly (string | number)[];

function readBody(compared: ComparedReply, steps: BodyPath['steps'], text: string): readonly PactFailure[] {
  const lost = /missing the following keys: (.+)$/.exec(text)?.[1]?.split(/, /) ?? [];
  if (lost.length > 0) return lost.map((name) => describeMember(compared, [...steps, name]));
  return [describeMember(compared, steps)];
}

function describeMember({ interaction, reply, shown, code }: ComparedReply, keys: Keys): PactFailure {
  const example = exampleAt(interaction.response.body, keys);
  const [raw] = valuesAlong(reply.body, keys);
  const [actual] = valuesAlong(shown, keys);
  const isCode = code !== undefined && code.length === keys.length && code.every((key, at) => key === String(keys[at]));
  return {
    kind: 'body',
    path: printBodyPath(keys.map((key) => (/^\d+$/.test(String(key)) ? Number(key) : key))),
    expected: describeRule(ruleAt(interaction, keys), example),
    actual: actual === undefined ? 'nothing' : excerpt(actual),
    diagnosis: explainMember({ keys, example, actual: raw, isCode, hasBody: reply.body !== undefined }),
  };
}

/** The example at a place: elements of a list that the example does not have are like its first. */
function exampleAt(body: Json | undefined, keys: Keys): Json | undefined {
  return keys.reduce<Json | undefined>((value, key) => {
    if (Array.isArray(value)) return (value as readonly Json[])[Number(key)] ?? (value as readonly Json[])[0];
    return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, body);
}

/** The rule that decides at a place: the heaviest that leads to it, or one by type that leads above it. */
function ruleAt({ response: { matching } }: Interaction, keys: Keys): MatchingRule | undefined {
  const cascades = ({ matchers }: MatchingRule): boolean => matchers.every(({ match }) => match === 'type');
  const candidates = matching.body.filter(({ path, rule }) => matchesPath(path, keys) || (cascades(rule) && isPathPrefix(path, keys)));
  return candidates.toSorted((left, right) => pathWeight(right.path) - pathWeight(left.path))[0]?.rule;
}

/** A rule in words. */
function describeRule(rule: MatchingRule | undefined, example: Json | undefined): string {
  const like = example === undefined ? '' : ` such as ${excerpt(example)}`;
  if (rule === undefined || rule.matchers.length === 0) return example === undefined ? 'a value' : excerpt(example);
  const words = rule.matchers.map(({ match, value }) => {
    if (match === 'regex') return `text that matches ${String(value['regex'])}`;
    if (match === 'type') return `${typeof value['min'] === 'number' ? `at least ${value['min']} of ` : ''}the same type`;
    if (match === 'equality') return excerpt(example ?? null);
    return match === 'integer' || match === 'include' ? `an ${match}` : `a ${match}`;
  });
  return `${words.join(rule.combine === 'OR' ? ' or ' : ' and ')}${rule.matchers.some(({ match }) => match !== 'equality') ? like : ''}`;
}

const maxExcerpt = 200;

function excerpt(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > maxExcerpt ? `${text.slice(0, maxExcerpt)}…` : text;
}

/** What another status means. */
function explainStatus(expected: number, { request, response: { status } }: Reply): string {
  const asked = `${status} where ${expected} was expected`;
  if (expected === 304 && status === 200) {
    const isConditional = headerOf(request.headers, 'if-none-match') !== undefined;
    return `${asked}: ${isConditional ? 'the ETag that the target gave before was not honoured' : 'the request has no If-None-Match'}`;
  }
  const why = status >= 500 && status !== 503 ? 'the target failed itself' : expected >= 400 ? describeUnexpectedSuccess(status) : refusals[status];
  return why === undefined ? asked : `${asked}: ${why}`;
}

/** What comes in place of a success. */
const refusals: Readonly<Record<number, string>> = {
  304: 'the target takes what the client keeps for current',
  400: 'the target refuses a request that the consumer relies on',
  401: 'the key is refused',
  403: 'the key is not enough for it',
  404: 'the target does not find what it showed before',
  422: 'the target refuses a request that the consumer relies on',
};

function describeUnexpectedSuccess(status: number): string | undefined {
  return status < 300 ? 'the target accepts what the consumer expects to be refused' : undefined;
}

/** A member of a body that is not as it is expected. */
interface BodyMember {
  readonly keys: readonly (string | number)[];
  readonly example: Json | undefined;
  readonly actual: Json | undefined;
  /** Whether it is the code of a failure. */
  readonly isCode: boolean;
  /** Whether the answer has a body that is JSON at all. */
  readonly hasBody: boolean;
}

/** What it means that a member is as it is. */
function explainMember({ keys, example, actual, isCode, hasBody }: BodyMember): string {
  const place = keys.length === 0 ? 'the body' : toPointer(keys);
  if (!hasBody) return 'the body is not JSON';
  if (actual === undefined) return isCode ? `the error code is missing: the answer lacks ${place}` : `the answer lacks ${place}`;
  if (isCode) return `the error code at ${place} is another one`;
  if (actual === null && example !== null) return `${place} is null`;
  if (example !== undefined && kindOf(example) !== kindOf(actual))
    return `the type changed: ${place} is ${kindOf(actual)}, and was ${kindOf(example)}`;
  if (Array.isArray(actual))
    return actual.length === 0 ? `the list at ${place} is empty` : `the list at ${place} has ${actual.length} elements`;
  if (isObject(actual)) return `${place} has other members`;
  return `${place} has another value or form`;
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return { string: 'text', number: 'a number', boolean: 'true or false' }[typeof value as 'string' | 'number' | 'boolean'];
}
