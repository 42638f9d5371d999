/** Turns the mismatches that Pact reports for a response into failures with a diagnosis. What Pact misses is not found here. */

import { headerOf } from '../../../core/http/exchange.ts';
import { isJsonType } from '../../../core/http/media-type.ts';
import { isObject, type Json, type JsonObject, printJson } from '../../../core/json.ts';
import { parseBodyPath, printBodyPath, valuesAlong } from '../../../core/pact/body-path.ts';
import type { BodyPath, Interaction } from '../../../core/pact/pact.ts';
import { toPointer } from '../../../core/pointer.ts';
import type { PactFailure } from '../../../core/results/pact-verify-result.ts';
import type { Reply } from '../../verify/evidence/call.ts';
import { acceptanceAt } from '../check/body-expectations.ts';
import { type Acceptance, acceptanceOf, nameOfType, pactTypeOf, shorten } from '../check/pact-matchers.ts';

/** A response, with the expectation of the consumer. */
interface ComparedReply {
  readonly interaction: Interaction;
  readonly reply: Reply;
  /** The body with personal data masked. */
  readonly masked: Json | undefined;
  /** The body as text, masked too. */
  readonly text: string;
  /** Keys of the error code, by the contract. */
  readonly code: readonly string[] | undefined;
}

/** Explains Pact's mismatches as failures, the most important first. Equal failures of several records become one. */
export function explainMismatches(compared: ComparedReply, mismatches: readonly JsonObject[]): readonly PactFailure[] {
  const failures = mismatches.flatMap((mismatch) => readMismatch(compared, mismatch));
  const groups = new Map<string, readonly PactFailure[]>();
  for (const failure of failures) {
    const key = printJson([failure.kind, failure.path.replaceAll(/\[\d+\]/g, '[]')]);
    groups.set(key, [...(groups.get(key) ?? []), failure]);
  }
  const ranked = [...groups.values()].toSorted(([left], [right]) => rankOfKind(left) - rankOfKind(right));
  return ranked.flatMap((group) => {
    // Pact reports mismatches in no order. The paths of a group differ only in their indices, so the length sorts 9 before 10.
    const [first] = group.toSorted(({ path: left }, { path: right }) => left.length - right.length || (left < right ? -1 : 1));
    const others = new Set(group.map(({ path }) => path)).size - 1;
    if (first === undefined || others < 1) return first ?? [];
    return [{ ...first, diagnosis: `${first.diagnosis ?? 'it differs'}; the same in ${others} more ${others === 1 ? 'place' : 'places'}` }];
  });
}

/** Kinds of failures, the most important first. */
const ranks: readonly PactFailure['kind'][] = ['other', 'status', 'header', 'body', 'identity'];

function rankOfKind(failure: PactFailure | undefined): number {
  return failure === undefined ? ranks.length : ranks.indexOf(failure.kind);
}

function readMismatch(compared: ComparedReply, mismatch: JsonObject): readonly PactFailure[] {
  const { interaction, reply } = compared;
  const type = String(mismatch['type']);
  if (type === 'StatusMismatch') {
    const [expected, actual] = [interaction.response.status, reply.response.status];
    return [{ kind: 'status', path: '', expected: String(expected), actual: String(actual), diagnosis: explainStatus(expected, reply) }];
  }
  if (type === 'HeaderMismatch') return [readHeaderMismatch(compared, String(mismatch['key'] ?? '').toLowerCase())];
  // Pact uses the path `/` for a body that cannot be parsed.
  const path = typeof mismatch['path'] === 'string' ? parseBodyPath(mismatch['path'].replace(/^\/$/, '$')) : undefined;
  if (type === 'BodyMismatch' && path !== undefined) return readBodyMismatch(compared, path, String(mismatch['mismatch'] ?? ''));
  const contentType = headerOf(reply.response.headers, 'content-type') ?? 'no content type';
  if (type === 'BodyTypeMismatch') {
    const expected = String(mismatch['expected'] ?? 'a body');
    return [{ kind: 'body', path: '', expected, actual: contentType, diagnosis: 'the body has another media type' }];
  }
  // If the path cannot be parsed, Pact's text is not printed: it may contain personal data.
  if (type === 'BodyMismatch')
    return [{ kind: 'body', path: String(mismatch['path'] ?? ''), expected: 'the example of the pact', actual: 'a different value' }];
  return [{ kind: 'other', path: '', expected: 'a response that Pact accepts', actual: String(mismatch['mismatch'] ?? type) }];
}

function readHeaderMismatch({ interaction, reply }: ComparedReply, name: string): PactFailure {
  const { headers, matching } = interaction.response;
  const rule = matching.headers.get(name);
  const actual = headerOf(reply.response.headers, name);
  const example = (headers.get(name) ?? []).join(', ');
  return {
    kind: 'header',
    path: name,
    expected: rule === undefined ? example : describeExpected(acceptanceOf(rule, example, 'text'), example),
    actual: actual ?? 'nothing',
    diagnosis: actual === undefined ? `the header ${name} is missing` : `the header ${name} does not match`,
  };
}

type Keys = readonly (string | number)[];

function readBodyMismatch(compared: ComparedReply, path: BodyPath, text: string): readonly PactFailure[] {
  // A mismatch is about one value, and Pact prints a property named `*` as a wildcard.
  const keys = path.map((step) => step ?? '*');
  const missingNames = /missing the following keys: (.+)$/.exec(text)?.[1]?.split(/, /) ?? [];
  if (missingNames.length > 0) return missingNames.map((name) => describeMember(compared, [...keys, name]));
  return [describeMember(compared, keys)];
}

/** Describes a body that is compared as a text, or that is a text although JSON is expected. */
function describeText({ interaction, text }: ComparedReply): PactFailure {
  const { body, matching } = interaction.response;
  const isTextExpected = typeof body === 'string';
  const rule = matching.body.find(({ path }) => path.length === 0)?.rule;
  const acceptance = isTextExpected ? acceptanceOf(rule, body, 'text') : acceptanceAt(matching.body, [], body ?? null);
  return {
    kind: 'body',
    path: '$',
    expected: describeExpected(acceptance, body),
    actual: text === '' ? 'nothing' : cutValue(text),
    diagnosis: isTextExpected ? 'the text of the body does not match' : 'the body is not JSON',
  };
}

function describeMember(compared: ComparedReply, keys: Keys): PactFailure {
  const { interaction, reply, masked, code } = compared;
  const { contentType } = interaction.response;
  const isText = reply.body === undefined || (contentType !== undefined && !isJsonType(contentType));
  if (keys.length === 0 && isText) return describeText(compared);
  const example = exampleAt(interaction.response.body, keys);
  const [raw] = valuesAlong(reply.body, keys);
  const [actual] = valuesAlong(masked, keys);
  const isCode = code !== undefined && code.length === keys.length && code.every((key, at) => key === String(keys[at]));
  return {
    kind: 'body',
    path: printBodyPath(keys.map((key) => (/^\d+$/.test(String(key)) ? Number(key) : key))),
    expected: describeExpected(acceptanceAt(interaction.response.matching.body, keys, example ?? null), example),
    actual: actual === undefined ? 'nothing' : cutValue(actual),
    diagnosis: diagnoseMember({ keys, example, actual: raw, isCode }),
  };
}

/** Returns the example at a path; for an element beyond the example, its first element. */
function exampleAt(body: Json | undefined, keys: Keys): Json | undefined {
  return keys.reduce<Json | undefined>((value, key) => {
    if (Array.isArray(value)) return (value as readonly Json[])[Number(key)] ?? (value as readonly Json[])[0];
    return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, body);
}

/** Describes an expected value in words, with its example. */
function describeExpected({ schema, description }: Acceptance, example: Json | undefined): string {
  if (example === undefined) return 'a value';
  return isObject(schema) && 'const' in schema ? cutValue(example) : `${description} such as ${cutValue(example)}`;
}

function cutValue(value: Json): string {
  return shorten(value, 200);
}

/** Explains an unexpected status. */
function explainStatus(expected: number, { request, response: { status } }: Reply): string {
  const text = `expected ${expected}, got ${status}`;
  if (expected === 304 && status === 200) {
    const isConditional = headerOf(request.headers, 'if-none-match') !== undefined;
    return `${text}: ${isConditional ? 'the target ignores its own ETag' : 'the request has no If-None-Match'}`;
  }
  const why =
    status >= 500 && status !== 503 ? 'server error' : expected >= 400 ? describeUnexpectedSuccess(status) : statusExplanations[status];
  return why === undefined ? text : `${text}: ${why}`;
}

/** Explanations by status, for an interaction that expects another success. */
const statusExplanations: Readonly<Record<number, string>> = {
  304: 'the target says that an outdated copy is current',
  400: 'the target rejects a request that the consumer needs',
  401: 'the target rejects the key',
  403: 'the key lacks a permission',
  404: 'the target does not find a record that it returned before',
  422: 'the target rejects a request that the consumer needs',
};

function describeUnexpectedSuccess(status: number): string | undefined {
  return status < 300 ? 'the target accepts a request that the consumer expects to fail' : undefined;
}

/** A mismatching member of a body. */
interface BodyMember {
  readonly keys: readonly (string | number)[];
  readonly example: Json | undefined;
  readonly actual: Json | undefined;
  /** True for the error code. */
  readonly isCode: boolean;
}

/** Returns the diagnosis of a mismatching member. */
function diagnoseMember({ keys, example, actual, isCode }: BodyMember): string {
  const place = keys.length === 0 ? 'the body' : toPointer(keys);
  if (actual === undefined) return isCode ? `the error code ${place} is missing` : `${place} is missing`;
  if (isCode) return `the error code at ${place} is wrong`;
  if (actual === null && example !== null) return `${place} is null`;
  if (example !== undefined && pactTypeOf(example) !== pactTypeOf(actual))
    return `the type changed: ${place} is ${nameOfType(pactTypeOf(actual))}, expected ${nameOfType(pactTypeOf(example))}`;
  if (Array.isArray(actual))
    return actual.length === 0 ? `the list at ${place} is empty` : `the list at ${place} has ${actual.length} elements`;
  if (isObject(actual)) return `${place} has other properties`;
  return `${place} does not match`;
}
