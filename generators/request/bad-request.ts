/** Requests that break one rule of a contract: wrong values, rules about several parameters, keys and bodies. */

import { type Arbitrary, constant, constantFrom, oneof, tuple } from 'fast-check';
import type { Document } from '../../core/document.ts';
import { isObject, type Json } from '../../core/json.ts';
import type { Credential, Operation } from '../../core/operation.ts';
import type { Parameter } from '../../core/parameter.ts';
import type { Schema } from '../../core/schema.ts';
import { encodeText } from '../../core/style.ts';
import { type NearMiss, nearMissesFor } from '../near-miss.ts';
import { Unsatisfiable, Unsupported, unless } from '../outcome.ts';
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
  return keywordsByRule.find(([, keywords]) => keywords.includes(keyword))?.[0] ?? 'schema';
}

/** The near misses of a schema; `undefined` when it refuses nothing, or nothing that can be generated. */
function missesOf(schema: Schema, document: Document): Arbitrary<NearMiss> | undefined {
  // Other faults remain: what cannot be generated is a near miss, and not the schema itself.
  return unless(() => nearMissesFor(schema, { document }), Unsatisfiable, Unsupported);
}

/** What is wrong with a request: the fault, and the parts that are other than in a sound one. */
interface Spoiled extends Omit<Fault, 'parts' | 'parameters'> {
  /** None for a key or a body. */
  readonly parameters?: readonly string[];
  readonly changed: Partial<RequestParts>;
}

/** Sound parts of requests, spoiled; `drawn` is what that takes. */
function spoil<T>(
  sound: Arbitrary<RequestParts>,
  drawn: Arbitrary<T>,
  change: (parts: RequestParts, drawn: T) => Spoiled | undefined,
): Arbitrary<Fault | undefined> {
  return tuple(sound, drawn).map(([parts, value]) => {
    const spoiled = change(parts, value);
    if (spoiled === undefined) return undefined;
    const { changed, ...fault } = spoiled;
    return { parameters: [], ...fault, parts: { ...parts, ...changed } };
  });
}

type Faults = readonly Arbitrary<Fault | undefined>[];

const nothing = constant(undefined);

/** Requests with a value that the schema of its parameter refuses. */
function valueFaults(desk: Desk): Faults {
  const { operation, sendable } = desk;
  return sendable.flatMap(({ parameter }) => {
    const misses = isCursor(operation, parameter) ? undefined : missesOf(declaredSchema(operation, parameter), operation.document);
    if (misses === undefined) return [];
    return partsOrNone(desk, { with: [parameter.key] }).map((sound) =>
      spoil(sound, misses, (_, miss) => {
        const text = isSeen(parameter, miss.value) ? tryPrint(parameter, miss.value) : undefined;
        if (text === undefined) return undefined;
        const texts = new Map([[parameter.key, text]]);
        return { rule: ruleOf(miss.keyword), parameters: [parameter.name], change: changeOf(miss), changed: { texts } };
      }),
    );
  });
}

function changeOf({ change, path }: NearMiss): string {
  return path === '' ? change : `${change} at ${path}`;
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

const keywordsByRule: readonly (readonly [BrokenRule, readonly string[]])[] = [
  ['type', ['type']],
  ['enum', ['enum', 'const']],
  ['bound', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
  ['length', ['minLength', 'maxLength']],
  ['pattern', ['pattern']],
  ['format', ['format']],
  ['items', ['minItems', 'maxItems', 'uniqueItems', 'contains', 'minContains', 'maxContains', 'unevaluatedItems']],
  ['members', ['required', 'minProperties', 'maxProperties', 'propertyNames', 'dependentRequired']],
  ['members', ['additionalProperties', 'unevaluatedProperties']],
];

/** Requests that lack a parameter, break a rule about several, have one too many, or go on from a cursor that was damaged. */
function ruleFaults(desk: Desk): Faults {
  return [...missing(desk), ...exclusive(desk), ...disordered(desk), undeclared(desk), ...damagedCursors(desk)];
}

function without({ values }: RequestParts, keys: readonly string[]): Partial<RequestParts> {
  return { values: new Map([...values].filter(([key]) => !keys.includes(key))) };
}

function missing(desk: Desk): Faults {
  const required = desk.operation.parameters.filter((parameter) => parameter.required && parameter.in !== 'path');
  return required.map(({ key, name }) =>
    spoil(desk.parts(), nothing, (parts) => ({
      rule: 'required',
      parameters: [name],
      change: 'is missing',
      changed: without(parts, [key]),
    })),
  );
}

function exclusive(desk: Desk): Faults {
  return desk.operation.rules.flatMap(({ rule, parameters }) => {
    if (rule !== 'exactly-one-of') return [];
    const none = spoil(desk.parts(), nothing, (parts) => ({
      rule,
      parameters,
      change: 'are all missing',
      changed: without(parts, parameters),
    }));
    const members = desk.sendable.filter(({ parameter }) => parameters.includes(parameter.key));
    const two = members.flatMap(({ parameter: { key: first } }, index) =>
      members.slice(index + 1).flatMap(({ parameter: { key: second }, values: drawn }) =>
        partsOrNone(desk, { with: [first] }).map((sound) =>
          spoil(sound, drawn, (parts, value) => {
            const values = new Map<string, Json>([...parts.values, [second, value]]);
            return { rule, parameters, change: `are there together: ${first} and ${second}`, changed: { values } };
          }),
        ),
      ),
    );
    return [none, ...two];
  });
}

function disordered(desk: Desk): Faults {
  return desk.operation.rules.flatMap(({ rule, parameters }) => {
    if (rule !== 'ordered') return [];
    const pairs = parameters.slice(1).map((high, index) => [parameters[index] ?? '', high] as const);
    return pairs.flatMap(([low, high]) =>
      partsOrNone(desk, { with: [low, high] }).map((sound) =>
        spoil(sound, nothing, (parts) => {
          const values = putOutOfOrder(desk.operation, parts.values, [low, high]);
          return values && { rule, parameters, change: `has ${high} before ${low}`, changed: { values } };
        }),
      ),
    );
  });
}

function undeclared(desk: Desk): Arbitrary<Fault | undefined> {
  const pair = tuple(constantFrom('unknown', 'debug', 'x-unknown', 'Unknown', '_'), constantFrom('1', 'true', ''));
  return spoil(desk.parts(), pair, (_, [name, value]) => ({
    rule: 'undeclared',
    parameters: [name],
    change: 'is no parameter of the operation',
    changed: { pairs: [`${encodeText(name)}=${value}`] },
  }));
}

/** Cursors that were made up, or known ones that were tampered with: tildes are in no encoding that cursors come in. */
function damagedCursors(desk: Desk): Faults {
  const { operation, options } = desk;
  const page = operation.collection?.page;
  const parameter = page?.style === 'cursor' ? operation.parameters.find(({ key }) => key === page.cursor) : undefined;
  if (parameter === undefined) return [];
  const known = (options.known?.[parameter.key] ?? []).filter((value) => typeof value === 'string');
  const damaged = known.flatMap((text) => [`${text.slice(0, text.length >> 1)}~`, `${text}~`, `~${text}`]);
  const cursors = constantFrom('not~a~cursor', '~', ...damaged);
  return [
    spoil(desk.parts({ without: [parameter.key] }), cursors, (_, cursor) => {
      const text = tryPrint(parameter, cursor);
      const parameters = [parameter.name];
      const texts = new Map([[parameter.key, text ?? '']]);
      const change = 'was not given by the server';
      return text === undefined ? undefined : { rule: 'cursor', parameters, change, changed: { texts }, unseen: 'damaged-cursor' };
    }),
  ];
}

/** A key that no server gives out. */
const unknownKey = 'not-a-key';

/** Requests without a valid key. There are none where the contract asks for no key. */
function keyFaults(desk: Desk): Faults {
  const { operation, options } = desk;
  if (isOpenToAll(operation)) return [];
  const proofsWith = (secret: string): readonly Proof[] =>
    operation.security.map((alternative) => alternative.map((credential) => ({ credential, secret, shown: secret })));
  const fault = (rule: BrokenRule, change: string, proofs: readonly Proof[]): Faults =>
    proofs.length === 0 ? [] : [spoil(desk.parts(), constantFrom(...proofs), (_, proof) => ({ rule, change, changed: { proof } }))];
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
function bodyFaults(desk: Desk): Faults {
  const rule = bodyRuleOf(desk.operation);
  if (rule === undefined) return [];
  const broken = spoil(desk.parts(), constantFrom('{', '{]', 'body=1', '"'), (_, text) => {
    const body = { text, type: rule.type, content: undefined };
    return { rule: 'json', change: 'has a body that is not JSON', changed: { body }, unseen: 'malformed' };
  });
  const none = spoil(desk.parts(), nothing, () => ({
    rule: 'required',
    change: 'has no body',
    changed: { body: undefined },
    unseen: 'broken-rule',
  }));
  const misses = missesOf(rule.schema, desk.operation.document);
  const wrong = misses && [
    spoil(desk.parts(), misses, (_, miss) => {
      const body = toBody(rule, miss.value);
      return { rule: ruleOf(miss.keyword), change: `has a body that ${changeOf(miss)}`, changed: { body }, unseen: 'malformed' };
    }),
  ];
  return [broken, ...(rule.required ? [none] : []), ...(wrong ?? [])];
}
