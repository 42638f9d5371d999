/** What Pact says of an answer, put into words: where it is, what was expected, what came, and what that means. */

import { headerOf } from '../../../core/exchange.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { BodyPath, Interaction, MatchingRule } from '../../../core/pact.ts';
import { beginsAt, leadsTo, parseBodyPath, printPath, weightOf } from '../../../core/pact-path.ts';
import type { PactFailure } from '../../../core/pact-verdict.ts';
import type { Reply } from '../../reply.ts';
import { elementsAt } from './elements.ts';
import { explainMember, explainStatus } from './explain.ts';

/** An answer beside what the consumer expects of it. */
export interface Compared {
  readonly interaction: Interaction;
  readonly reply: Reply;
  /** The body as it may be shown. */
  readonly shown: Json | undefined;
  /** Where the contract says that failures have their code, as the keys of its pointer. */
  readonly code: readonly string[] | undefined;
}

/** The failures of an interaction, from Pact's mismatches: the gravest first, and what is the same in many records once. */
export function readMismatches(compared: Compared, mismatches: readonly JsonObject[]): readonly PactFailure[] {
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

function readMismatch(compared: Compared, mismatch: JsonObject): readonly PactFailure[] {
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

function readHeader({ interaction, reply }: Compared, name: string): PactFailure {
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

function readBody(compared: Compared, steps: BodyPath['steps'], text: string): readonly PactFailure[] {
  const lost = /missing the following keys: (.+)$/.exec(text)?.[1]?.split(/, /) ?? [];
  if (lost.length > 0) return lost.map((name) => describeMember(compared, [...steps, name]));
  return [describeMember(compared, steps)];
}

function describeMember({ interaction, reply, shown, code }: Compared, keys: Keys): PactFailure {
  const example = exampleAt(interaction.response.body, keys);
  const [raw] = reply.body === undefined ? [] : elementsAt(reply.body, keys);
  const [actual] = shown === undefined ? [] : elementsAt(shown, keys);
  const isCode = code !== undefined && code.length === keys.length && code.every((key, at) => key === String(keys[at]));
  return {
    kind: 'body',
    path: printPath(keys.map((key) => (/^\d+$/.test(String(key)) ? Number(key) : key))),
    expected: describeRule(ruleAt(interaction, keys), example),
    actual: actual === undefined ? 'nothing' : excerpt(actual.value),
    diagnosis: explainMember({ keys, example, actual: raw?.value, isCode, hasBody: reply.body !== undefined }),
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
  const candidates = matching.body.filter(({ path, rule }) => leadsTo(path, keys) || (cascades(rule) && beginsAt(path, keys)));
  return candidates.toSorted((left, right) => weightOf(right.path) - weightOf(left.path))[0]?.rule;
}

/** A rule in words. */
export function describeRule(rule: MatchingRule | undefined, example: Json | undefined): string {
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

const excerptMost = 200;

function excerpt(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > excerptMost ? `${text.slice(0, excerptMost)}…` : text;
}
