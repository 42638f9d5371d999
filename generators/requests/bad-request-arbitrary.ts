/**
 * Draws requests that break exactly one rule of a contract. Faults are proposed freely and confirmed afterwards: a request in which the contract finds no
 * problem, or another one, is dropped.
 */

import { type Arbitrary, constant, constantFrom, oneof, tuple } from 'fast-check';
import { isArray, isObject, type Json } from '../../core/json.ts';
import type { Document } from '../../core/openapi/document.ts';
import type { Credential, Operation } from '../../core/openapi/operation.ts';
import type { Schema } from '../../core/openapi/schema-facts.ts';
import type { Parameter } from '../../core/parameters/parse-parameter.ts';
import { encodeText } from '../../core/parameters/query-string.ts';
import { Unsatisfiable, Unsupported, undefinedOn } from '../generation-errors.ts';
import { type InvalidExample, invalidExampleFor } from '../invalid/invalid-arbitrary.ts';
import { boundedFilter, hasAccepted } from './bounded-filter.ts';
import { type BadRequest, confirmFault } from './confirm-request-fault.ts';
import { textFaults } from './parameter-text-faults.ts';
import { isCursor, tryPrint } from './parameter-values.ts';
import { type CarriedKeys, carriedKeysFor, isOpenToAll } from './request-api-keys.ts';
import { bodyRuleOf, toBody } from './request-bodies.ts';
import type { BrokenRule, RequestFault } from './request-fault.ts';
import {
  createRequestPartsFactory,
  partsIfPossible,
  putOutOfOrder,
  type RequestOptions,
  type RequestParts,
  type RequestPartsFactory,
} from './request-parts.ts';

/**
 * Returns an arbitrary of requests to an operation that break exactly one rule. Each has the name of the rule and the documented responses: a rejection, or a
 * success where the contract ignores, clamps or accepts the fault (`x-invalid`).
 *
 * - A strict reader finds the named problem in each and no other. What the wire does not show is no fault: the text `5` is an integer.
 * - Values are invalid by their schema, or by their text: spaces, a leading plus, a broken escape, the same parameter twice.
 * - Parameters are invalid together: a required one is missing, exclusive ones are combined, ordered ones are out of order, one is unknown.
 * - Where a key is needed, it is missing, empty, unknown or misplaced; all other requests carry the caller's key.
 * - Bodies are invalid examples of their schema, not JSON, or missing.
 * - These kinds are equally likely, and so are the parameters and rules within each. Failures shrink within their rule.
 *
 * Not generated: keys that lack a scope, since only the caller knows one, and what `requestFor` does not generate.
 * @throws {UsageError} for a known value or a key that cannot be sent.
 * @throws {Unsatisfiable} when no rule of the operation can be broken.
 * @throws {Unsupported} when a parameter or a required body cannot be generated.
 * @example
 * ```ts
 * import fc from 'fast-check';
 * import { contractFile, loadContract } from 'touchstone';
 * import { badRequestFor, isExpected } from 'touchstone/generators';
 *
 * const [operation] = (await loadContract(contractFile('wiki'))).operations;
 * if (operation === undefined) throw new Error('the contract has no operation');
 * for (const { request, problem, expect } of fc.sample(badRequestFor(operation), 10)) {
 *   const { status } = await fetch(`http://127.0.0.1:4010${request.target}`, { headers: request.headers });
 *   if (!isExpected(expect, status)) console.log(problem, status);
 * }
 * ```
 */
export function badRequestFor(operation: Operation, options: RequestOptions = {}): Arbitrary<BadRequest> {
  const factory = createRequestPartsFactory(operation, options);
  const faultsByKind = [valueFaults(factory), textFaults(factory), ruleFaults(factory), keyFaults(factory), bodyFaults(factory)]
    .map((faults) => faults.flatMap((fault) => confirmedRequests(operation, fault)))
    .filter((faults) => faults.length > 0);
  if (faultsByKind.length === 0) throw new Unsatisfiable(operation.pointer, 'none of its rules can be broken');
  return oneof(...faultsByKind.map((faults) => oneof(...faults)));
}

/** Keeps the faults that the contract refuses. Many do not exist for a parameter, such as a text that is shorter than empty. */
function confirmedRequests(operation: Operation, faults: Arbitrary<RequestFault | undefined>): readonly Arbitrary<BadRequest>[] {
  const requests = faults.map((fault) => (fault === undefined ? undefined : confirmFault(operation, fault)));
  return hasAccepted(requests, isFaulty)
    ? [boundedFilter(requests, isFaulty, `a request that ${operation.id} rejects`) as Arbitrary<BadRequest>]
    : [];
}

function isFaulty(bad: BadRequest | undefined): boolean {
  return bad !== undefined;
}

function ruleOf(keyword: string): BrokenRule {
  return keywordsByRule.find(([, keywords]) => keywords.includes(keyword))?.[0] ?? 'schema';
}

/** The invalid examples of a schema; `undefined` when there are none, or none can be generated. */
function invalidExamplesOf(schema: Schema, document: Document): Arbitrary<InvalidExample> | undefined {
  // Other faults remain: only invalid examples of the schema cannot be generated.
  return undefinedOn(() => invalidExampleFor(schema, { document }), Unsatisfiable, Unsupported);
}

/** A fault, and the parts that differ from a valid request. */
interface BrokenParts extends Omit<RequestFault, 'parts' | 'parameters'> {
  /** Absent for a key or a body. */
  readonly parameters?: readonly string[];
  readonly changedParts: Partial<RequestParts>;
}

/** Changes the parts of valid requests; `randomValues` supplies a value for the change. */
function breakRequest<T>(
  valid: Arbitrary<RequestParts>,
  randomValues: Arbitrary<T>,
  change: (parts: RequestParts, randomValue: T) => BrokenParts | undefined,
): Arbitrary<RequestFault | undefined> {
  return tuple(valid, randomValues).map(([parts, value]) => {
    const brokenParts = change(parts, value);
    if (brokenParts === undefined) return undefined;
    const { changedParts, ...fault } = brokenParts;
    return { parameters: [], ...fault, parts: { ...parts, ...changedParts } };
  });
}

type Faults = readonly Arbitrary<RequestFault | undefined>[];

const noValue = constant(undefined);

/** Requests with a value that the schema of its parameter rejects. */
function valueFaults(factory: RequestPartsFactory): Faults {
  const { operation, sendable } = factory;
  return sendable.flatMap(({ parameter }) => {
    const invalidExamples = isCursor(operation, parameter) ? undefined : invalidExamplesOf(parameter.declared, operation.document);
    if (invalidExamples === undefined) return [];
    return partsIfPossible(factory, { with: [parameter.key] }).map((valid) =>
      breakRequest(valid, invalidExamples, (_, example) => {
        const text = isVisible(parameter, example.value) ? tryPrint(parameter, example.value) : undefined;
        if (text === undefined) return undefined;
        const texts = new Map([[parameter.key, text]]);
        return { rule: ruleOf(example.keyword), parameters: [parameter.name], problem: problemOf(example), changedParts: { texts } };
      }),
    );
  });
}

function problemOf({ problem, path }: InvalidExample): string {
  return path === '' ? problem : `${problem} at ${path}`;
}

/** True when the wire shows the type of every value. Where text is allowed, a number is read as text. */
function isVisible({ json, kinds, memberKinds }: Parameter, value: Json): boolean {
  if (json) return true;
  const isText = (each: Json, expectedKinds: typeof kinds): boolean =>
    typeof each === 'string' || !(expectedKinds.includes('string') || expectedKinds.includes('date-time'));
  if (isArray(value)) return value.every((each) => isScalar(each) && isText(each, kinds));
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

/** Requests that lack a parameter, break a rule about several, have an unknown one, or continue from a damaged cursor. */
function ruleFaults(factory: RequestPartsFactory): Faults {
  return [
    ...missingParameters(factory),
    ...combinedParameters(factory),
    ...misorderedParameters(factory),
    undeclaredParameter(factory),
    ...damagedCursors(factory),
  ];
}

function withoutValues({ values }: RequestParts, keys: readonly string[]): Partial<RequestParts> {
  return { values: new Map([...values].filter(([key]) => !keys.includes(key))) };
}

function missingParameters(factory: RequestPartsFactory): Faults {
  const required = factory.operation.parameters.filter((parameter) => parameter.required && parameter.in !== 'path');
  return required.map(({ key, name }) =>
    breakRequest(factory.parts(), noValue, (parts) => ({
      rule: 'required',
      parameters: [name],
      problem: 'is missing',
      changedParts: withoutValues(parts, [key]),
    })),
  );
}

function combinedParameters(factory: RequestPartsFactory): Faults {
  return factory.operation.rules.flatMap(({ rule, parameters }) => {
    if (rule !== 'exactly-one-of') return [];
    const noneSent = breakRequest(factory.parts(), noValue, (parts) => ({
      rule,
      parameters,
      problem: 'are all missing',
      changedParts: withoutValues(parts, parameters),
    }));
    const members = factory.sendable.filter(({ parameter }) => parameters.includes(parameter.key));
    const pairsSent = members.flatMap(({ parameter: { key: first } }, index) =>
      members.slice(index + 1).flatMap(({ parameter: { key: second }, values: secondValues }) =>
        partsIfPossible(factory, { with: [first] }).map((valid) =>
          breakRequest(valid, secondValues, (parts, value) => {
            const values = new Map<string, Json>([...parts.values, [second, value]]);
            return { rule, parameters, problem: `must not be combined: ${first} and ${second}`, changedParts: { values } };
          }),
        ),
      ),
    );
    return [noneSent, ...pairsSent];
  });
}

function misorderedParameters(factory: RequestPartsFactory): Faults {
  return factory.operation.rules.flatMap(({ rule, parameters }) => {
    if (rule !== 'ordered') return [];
    const pairs = parameters.slice(1).map((high, index) => [parameters[index] ?? '', high] as const);
    return pairs.flatMap(([low, high]) =>
      partsIfPossible(factory, { with: [low, high] }).map((valid) =>
        breakRequest(valid, noValue, (parts) => {
          const values = putOutOfOrder(factory.operation, parts.values, [low, high]);
          return values && { rule, parameters, problem: `has ${high} before ${low}`, changedParts: { values } };
        }),
      ),
    );
  });
}

function undeclaredParameter(factory: RequestPartsFactory): Arbitrary<RequestFault | undefined> {
  const pair = tuple(constantFrom('unknown', 'debug', 'x-unknown', 'Unknown', '_'), constantFrom('1', 'true', ''));
  return breakRequest(factory.parts(), pair, (_, [name, value]) => ({
    rule: 'undeclared',
    parameters: [name],
    problem: 'is not a parameter of the operation',
    changedParts: { pairs: [`${encodeText(name)}=${value}`] },
  }));
}

/** Invented cursors, and known ones that were changed. No encoding of cursors contains tildes. */
function damagedCursors(factory: RequestPartsFactory): Faults {
  const { operation, options } = factory;
  const page = operation.collection?.page;
  const parameter = page?.style === 'cursor' ? operation.parameters.find(({ key }) => key === page.cursor) : undefined;
  if (parameter === undefined) return [];
  const knownCursors = (options.known?.[parameter.key] ?? []).filter((value) => typeof value === 'string');
  const damagedTexts = knownCursors.flatMap((text) => [`${text.slice(0, text.length >> 1)}~`, `${text}~`, `~${text}`]);
  const cursors = constantFrom('not~a~cursor', '~', ...damagedTexts);
  return [
    breakRequest(factory.parts({ without: [parameter.key] }), cursors, (_, cursor) => {
      const text = tryPrint(parameter, cursor);
      const parameters = [parameter.name];
      const texts = new Map([[parameter.key, text ?? '']]);
      const problem = 'was not issued by the server';
      return text === undefined
        ? undefined
        : { rule: 'cursor', parameters, problem, changedParts: { texts }, classOutsideParameters: 'damaged-cursor' };
    }),
  ];
}

/** A key that no server issues. */
const unknownKey = 'not-a-key';

/** Requests without a valid key; none where the contract needs no key. */
function keyFaults(factory: RequestPartsFactory): Faults {
  const { operation, options } = factory;
  if (isOpenToAll(operation)) return [];
  const keysWith = (secret: string): readonly CarriedKeys[] =>
    operation.security.map((alternative) => alternative.map((credential) => ({ credential, secret, shown: secret })));
  const fault = (rule: BrokenRule, problem: string, keyChoices: readonly CarriedKeys[]): Faults =>
    keyChoices.length === 0
      ? []
      : [breakRequest(factory.parts(), constantFrom(...keyChoices), (_, keys) => ({ rule, problem, changedParts: { keys } }))];
  const [first] = carriedKeysFor(operation, options)[0] ?? [];
  return [
    ...fault('missing-key', 'has no key', [[]]),
    ...fault('empty-key', 'has an empty key', keysWith('')),
    ...fault('unknown-key', 'has an unknown key', keysWith(unknownKey)),
    ...fault(
      'wrong-carrier',
      'has its key where the server does not read it',
      misplacedKeys(factory, first?.secret ?? unknownKey, first?.shown ?? unknownKey),
    ),
  ];
}

/** The key in places that other APIs use. */
function misplacedKeys({ operation }: RequestPartsFactory, secret: string, shown: string): readonly CarriedKeys[] {
  const credentials = operation.security.flat();
  const [credential] = credentials;
  if (credential === undefined) return [];
  const carriersInUse = [
    ...credentials.map(({ carrier }) => carrierText(carrier)),
    ...operation.parameters.map((each) => carrierText(each)),
  ];
  return otherCarriers
    .filter((carrier) => !carriersInUse.includes(carrierText(carrier)))
    .map((carrier) => [{ credential: { ...credential, carrier }, secret, shown }]);
}

type Carrier = Credential['carrier'];

const otherCarriers: readonly Carrier[] = [
  { in: 'authorization', word: 'Token' },
  { in: 'authorization', word: 'Bearer' },
  { in: 'header', name: 'X-Api-Key' },
  { in: 'header', name: 'X-Access-Token' },
  { in: 'cookie', name: 'api_key' },
];

function carrierText(carrier: { readonly in: string; readonly name?: string; readonly word?: string }): string {
  return `${carrier.in} ${carrier.word ?? carrier.name ?? ''}`.toLowerCase();
}

/** Requests with a body that the contract rejects. */
function bodyFaults(factory: RequestPartsFactory): Faults {
  const rule = bodyRuleOf(factory.operation);
  if (rule === undefined) return [];
  const brokenJson = breakRequest(factory.parts(), constantFrom('{', '{]', 'body=1', '"'), (_, text) => {
    const body = { text, type: rule.type, content: undefined };
    return { rule: 'json', problem: 'has a body that is not JSON', changedParts: { body }, classOutsideParameters: 'malformed' };
  });
  const missingBody = breakRequest(factory.parts(), noValue, () => ({
    rule: 'required',
    problem: 'has no body',
    changedParts: { body: undefined },
    classOutsideParameters: 'broken-rule',
  }));
  const invalidExamples = invalidExamplesOf(rule.schema, factory.operation.document);
  const invalidBodies = invalidExamples && [
    breakRequest(factory.parts(), invalidExamples, (_, example) => {
      const body = toBody(rule, example.value);
      return {
        rule: ruleOf(example.keyword),
        problem: `has a body that ${problemOf(example)}`,
        changedParts: { body },
        classOutsideParameters: 'malformed',
      };
    }),
  ];
  return [brokenJson, ...(rule.required ? [missingBody] : []), ...(invalidBodies ?? [])];
}
