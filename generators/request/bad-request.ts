/** Requests that break one rule of a contract: wrong values, rules about several parameters, keys and bodies. */

import { type Arbitrary, constantFrom, oneof, tuple } from 'fast-check';
import type { Document } from '../../core/document.ts';
import { isObject, type Json } from '../../core/json.ts';
import type { Credential, Operation } from '../../core/operation.ts';
import type { Parameter } from '../../core/parameter.ts';
import type { Schema } from '../../core/schema.ts';
import { encodeText } from '../../core/style.ts';
import { type NearMiss, nearMissesFor } from '../near-miss.ts';
import { Unsatisfiable, Unsupported } from '../outcome.ts';
import { type BadRequest, type BrokenRule, confirm, type Fault } from './fault.ts';
import { type Desk, openDesk, partsOrNone, putOutOfOrder } from './request.ts';
import { textFaults } from './text-fault.ts';
import { bodyRuleOf, declaredSchema, hasFitting, isCursor, sieve, toBody, tryPrint } from './values.ts';
import { isOpenToAll, type Proof, proofsFor, type RequestOptions, type RequestParts } from './wire.ts';

/**
 * Requests to an operation that break one rule and are right in all else, each with the rule's name and the answers that the contract documents: a
 * refusal, or a success where it says that such a fault is ignored, clamped or accepted (`x-invalid`).
 *
 * - A strict reader finds in each the named problem and no other; what the wire does not show is no fault: the text `5` is an integer.
 * - Values are wrong by the schema (near misses) or by their text: spaces, a leading plus, a broken escape, the same parameter twice.
 * - Parameters are wrong together: a required one is missing, exclusive ones are there together, ordered ones are not in order, one is unknown.
 * - Where a key is needed, it is missing, empty, unknown, or in a place where none is read; all other requests carry the caller's.
 * - Bodies are near misses of their schema, no JSON, or missing.
 * - These kinds come up equally often, and so do the parameters and rules within each. Failures shrink within their rule, to what else is plainest.
 *
 * Not generated: keys that lack a scope, since only the caller knows one, and what `requestFor` does not generate.
 * @throws {UsageError} for a known value or a key that cannot be sent.
 * @throws {Unsatisfiable} when there is no request to spoil.
 * @throws {Unsupported} when a parameter or a required body cannot be generated.
 */
export function badRequestFor(operation: Operation, options: RequestOptions = {}): Arbitrary<BadRequest> {
  const desk = openDesk(operation, options);
  const kinds = [valueFaults(desk), textFaults(desk), ruleFaults(desk), keyFaults(desk), bodyFaults(desk)]
    .map((faults) => faults.flatMap((fault) => confirmed(operation, fault)))
    .filter((faults) => faults.length > 0);
  if (kinds.length === 0) throw new Unsatisfiable(operation.pointer, 'there is no way to break a request to it');
  return oneof(...kinds.map((faults) => oneof(...faults)));
}

/** Many faults are none for the parameter at hand: no text is too short for one that may be empty. */
function confirmed(operation: Operation, faults: Arbitrary<Fault | undefined>): readonly Arbitrary<BadRequest>[] {
  const requests = faults.map((fault) => (fault === undefined ? undefined : confirm(operation, fault)));
  return hasFitting(requests, isBad) ? [sieve(requests, isBad, `a request that ${operation.id} refuses`) as Arbitrary<BadRequest>] : [];
}

function isBad(bad: BadRequest | undefined): boolean {
  return bad !== undefined;
}

/** The rule that a keyword belongs to. */
function ruleOf(keyword: string): BrokenRule {
  return rulesByKeyword.get(keyword) ?? 'schema';
}

/** The near misses of a schema; `undefined` when it refuses nothing, or nothing that can be generated. */
function missesOf(schema: Schema, document: Document): Arbitrary<NearMiss> | undefined {
  try {
    return nearMissesFor(schema, { document });
  } catch (error) {
    // Other faults remain: what cannot be generated is a near miss, and not the schema itself.
    if (error instanceof Unsatisfiable || error instanceof Unsupported) return undefined;
    throw error;
  }
}

/** Requests with a value that the schema of its parameter refuses. */
function valueFaults(desk: Desk): readonly Arbitrary<Fault | undefined>[] {
  const { operation, sendable } = desk;
  return sendable.flatMap(({ parameter }) => {
    const misses = isCursor(operation, parameter) ? undefined : missesOf(declaredSchema(operation, parameter), operation.document);
    if (misses === undefined) return [];
    return partsOrNone(desk, { with: [parameter.key] }).map((sound) =>
      tuple(sound, misses).map(([parts, miss]) => withValue(parameter, parts, miss)),
    );
  });
}

function withValue(parameter: Parameter, parts: RequestParts, miss: NearMiss): Fault | undefined {
  const text = isSeen(parameter, miss.value) ? tryPrint(parameter, miss.value) : undefined;
  if (text === undefined) return undefined;
  const change = miss.path === '' ? miss.change : `${miss.change} at ${miss.path}`;
  return {
    rule: ruleOf(miss.keyword),
    parameters: [parameter.name],
    change,
    parts: { ...parts, texts: new Map([[parameter.key, text]]) },
  };
}

/** Whether the wire shows the type of every value: where texts are allowed, a number is read as one. */
function isSeen({ json, kinds, memberKinds }: Parameter, value: Json): boolean {
  if (json) return true;
  const isText = (each: Json, wanted: typeof kinds): boolean =>
    typeof each === 'string' || !(wanted.includes('string') || wanted.includes('date-time'));
  if (Array.isArray(value)) return (value as readonly Json[]).every((each) => isScalar(each) && isText(each, kinds));
  if (isObject(value))
    return Object.entries(value).every(([name, each]) => isScalar(each) && isText(each, memberKinds.get(name) ?? ['string']));
  return isText(value, kinds);
}

function isScalar(value: Json): boolean {
  return typeof value !== 'object' || value === null;
}

const rulesByKeyword: ReadonlyMap<string, BrokenRule> = new Map([
  ['type', 'type'],
  ...['enum', 'const'].map((keyword) => [keyword, 'enum'] as const),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].map((keyword) => [keyword, 'bound'] as const),
  ...['minLength', 'maxLength'].map((keyword) => [keyword, 'length'] as const),
  ['pattern', 'pattern'],
  ['format', 'format'],
  ...['minItems', 'maxItems', 'uniqueItems', 'contains', 'minContains', 'maxContains', 'unevaluatedItems'].map(
    (keyword) => [keyword, 'items'] as const,
  ),
  ...[
    'required',
    'minProperties',
    'maxProperties',
    'additionalProperties',
    'propertyNames',
    'dependentRequired',
    'unevaluatedProperties',
  ].map((keyword) => [keyword, 'members'] as const),
]);

/** Requests that lack a parameter, break a rule about several, have one too many, or go on from a cursor that was damaged. */
function ruleFaults(desk: Desk): readonly Arbitrary<Fault | undefined>[] {
  return [...missing(desk), ...exclusive(desk), ...disordered(desk), undeclared(desk), ...damagedCursors(desk)];
}

function without(parts: RequestParts, keys: readonly string[]): RequestParts {
  return { ...parts, values: new Map([...parts.values].filter(([key]) => !keys.includes(key))) };
}

function missing(desk: Desk): readonly Arbitrary<Fault>[] {
  const required = desk.operation.parameters.filter((parameter) => parameter.required && parameter.in !== 'path');
  return required.map(({ key, name }) =>
    desk.parts().map((parts): Fault => ({ rule: 'required', parameters: [name], change: 'is missing', parts: without(parts, [key]) })),
  );
}

function exclusive(desk: Desk): readonly Arbitrary<Fault>[] {
  return desk.operation.rules.flatMap(({ rule, parameters }) => {
    if (rule !== 'exactly-one-of') return [];
    const none = desk.parts().map((parts): Fault => ({ rule, parameters, change: 'are all missing', parts: without(parts, parameters) }));
    const members = desk.sendable.filter(({ parameter }) => parameters.includes(parameter.key));
    const two = members.flatMap(({ parameter: { key: first } }, index) =>
      members.slice(index + 1).flatMap(({ parameter: { key: second }, values }) =>
        partsOrNone(desk, { with: [first] }).map((sound) =>
          tuple(sound, values).map(([parts, value]): Fault => {
            const both = new Map<string, Json>([...parts.values, [second, value]]);
            return { rule, parameters, change: `are there together: ${first} and ${second}`, parts: { ...parts, values: both } };
          }),
        ),
      ),
    );
    return [none, ...two];
  });
}

function disordered(desk: Desk): readonly Arbitrary<Fault | undefined>[] {
  return desk.operation.rules.flatMap(({ rule, parameters }) => {
    if (rule !== 'ordered') return [];
    const pairs = parameters.slice(1).map((high, index) => [parameters[index] ?? '', high] as const);
    return pairs.flatMap(([low, high]) =>
      partsOrNone(desk, { with: [low, high] }).map((sound) =>
        sound.map((parts): Fault | undefined => {
          const values = putOutOfOrder(desk.operation, parts.values, [low, high]);
          return values && { rule, parameters, change: `has ${high} before ${low}`, parts: { ...parts, values } };
        }),
      ),
    );
  });
}

function undeclared(desk: Desk): Arbitrary<Fault> {
  const pair = tuple(constantFrom('unknown', 'debug', 'x-unknown', 'Unknown', '_'), constantFrom('1', 'true', ''));
  return tuple(desk.parts(), pair).map(
    ([parts, [name, value]]): Fault => ({
      rule: 'undeclared',
      parameters: [name],
      change: 'is no parameter of the operation',
      parts: { ...parts, pairs: [`${encodeText(name)}=${value}`] },
    }),
  );
}

/** Cursors that were made up, or known ones that were tampered with: tildes are in no encoding that cursors come in. */
function damagedCursors(desk: Desk): readonly Arbitrary<Fault | undefined>[] {
  const { operation, options } = desk;
  const page = operation.collection?.page;
  const parameter = page?.style === 'cursor' ? operation.parameters.find(({ key }) => key === page.cursor) : undefined;
  if (parameter === undefined) return [];
  const known = (options.known?.[parameter.key] ?? []).filter((value) => typeof value === 'string');
  const damaged = known.flatMap((text) => [`${text.slice(0, text.length >> 1)}~`, `${text}~`, `~${text}`]);
  return [
    tuple(desk.parts({ without: [parameter.key] }), constantFrom('not~a~cursor', '~', ...damaged)).map(([parts, cursor]) => {
      const text = tryPrint(parameter, cursor);
      if (text === undefined) return undefined;
      const texts = new Map([[parameter.key, text]]);
      return {
        rule: 'cursor',
        parameters: [parameter.name],
        change: 'was not given by the server',
        parts: { ...parts, texts },
        unseen: 'damaged-cursor',
      } satisfies Fault;
    }),
  ];
}

/** A key that no server gives out. */
const unknownKey = 'not-a-key';

/** Requests without a valid key. There are none where the contract asks for no key. */
function keyFaults(desk: Desk): readonly Arbitrary<Fault>[] {
  const { operation, options } = desk;
  if (isOpenToAll(operation)) return [];
  const proofsWith = (secret: string): readonly Proof[] =>
    operation.security.map((alternative) => alternative.map((credential) => ({ credential, secret, shown: secret })));
  const fault = (rule: BrokenRule, change: string, proofs: readonly Proof[]): readonly Arbitrary<Fault>[] =>
    proofs.length === 0
      ? []
      : [
          tuple(desk.parts(), constantFrom(...proofs)).map(
            ([parts, proof]): Fault => ({ rule, parameters: [], change, parts: { ...parts, proof } }),
          ),
        ];
  const [first] = proofsFor(operation, options)[0] ?? [];
  return [
    ...fault('missing-key', 'has no key', [[]]),
    ...fault('empty-key', 'has an empty key', proofsWith('')),
    ...fault('unknown-key', 'has a key that nobody gave out', proofsWith(unknownKey)),
    ...fault('wrong-carrier', 'has its key where none is read', misplaced(desk, first?.secret ?? unknownKey, first?.shown ?? unknownKey)),
  ];
}

/** The key in carriers that other APIs read. */
function misplaced({ operation }: Desk, secret: string, shown: string): readonly Proof[] {
  const credentials = operation.security.flat();
  const [credential] = credentials;
  if (credential === undefined) return [];
  const read = [...credentials.map(({ carrier }) => spell(carrier)), ...operation.parameters.map((each) => spell(each))];
  return elsewhere
    .filter((carrier) => !read.includes(spell(carrier)))
    .map((carrier) => [{ credential: { ...credential, carrier }, secret, shown }]);
}

type Carrier = Credential['carrier'];

const elsewhere: readonly Carrier[] = [
  { in: 'authorization', word: 'Token' },
  { in: 'authorization', word: 'Bearer' },
  { in: 'header', name: 'X-Api-Key' },
  { in: 'header', name: 'X-Access-Token' },
  { in: 'cookie', name: 'api_key' },
];

function spell(carrier: { readonly in: string; readonly name?: string; readonly word?: string }): string {
  return `${carrier.in} ${carrier.word ?? carrier.name ?? ''}`.toLowerCase();
}

/** Requests with a body that the contract refuses. */
function bodyFaults(desk: Desk): readonly Arbitrary<Fault>[] {
  const rule = bodyRuleOf(desk.operation);
  if (rule === undefined) return [];
  const broken = tuple(desk.parts(), constantFrom('{', '{]', 'body=1', '"')).map(([parts, text]): Fault => {
    const body = { text, type: rule.type, content: undefined };
    return { rule: 'json', parameters: [], change: 'has a body that is not JSON', parts: { ...parts, body }, unseen: 'malformed' };
  });
  const none = desk.parts().map(
    (parts): Fault => ({
      rule: 'required',
      parameters: [],
      change: 'has no body',
      parts: { ...parts, body: undefined },
      unseen: 'broken-rule',
    }),
  );
  const misses = missesOf(rule.schema, desk.operation.document);
  const wrong =
    misses === undefined
      ? []
      : [
          tuple(desk.parts(), misses).map(([parts, miss]): Fault => {
            const change = `has a body that ${miss.change}${miss.path === '' ? '' : ` at ${miss.path}`}`;
            return {
              rule: ruleOf(miss.keyword),
              parameters: [],
              change,
              parts: { ...parts, body: toBody(rule, miss.value) },
              unseen: 'malformed',
            };
          }),
        ];
  return [broken, ...(rule.required ? [none] : []), ...wrong];
}
