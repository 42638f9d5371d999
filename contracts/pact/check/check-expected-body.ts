/** Checks the response body that a pact expects: every body that the contract allows must meet each expectation, and at least one must equal the example. */

import { askedMembers, type Question, questionsBelow } from '../../../core/annotations/open-questions.ts';
import { type PlaceBranch, placeQuestionOf, recordPlacesOf, schemaBranchAt } from '../../../core/annotations/record-place.ts';
import { didYouMean } from '../../../core/did-you-mean.ts';
import type { SourceLocation } from '../../../core/errors.ts';
import { isJsonType } from '../../../core/http/media-type.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { type ResponseRule, responseFor } from '../../../core/openapi/operation.ts';
import { type Schema, schemasAt, typesOf } from '../../../core/openapi/schema-facts.ts';
import { printBodyPath } from '../../../core/pact/body-path.ts';
import type { BodyPath } from '../../../core/pact/pact.ts';
import { fromPointer, toPointer, valueAt } from '../../../core/pointer.ts';
import type { PactFinding, PactRemark } from '../../../core/results/pact-check-result.ts';
import {
  type BodyExpectation,
  combinedSchema,
  exampleSchema,
  pointerOf,
  readBodyExpectations,
  schemaIfPresent,
  schemaIfRequired,
} from './body-expectations.ts';
import { bodyKeys, createFinding, placeInPact } from './create-finding.ts';
import { dateTimeSchemas, schemasImpliedByRequest } from './implied-schemas.ts';
import type { CheckContext } from './interaction-context.ts';

/** Result of checking one body. */
interface BodyCheck {
  readonly findings: readonly PactFinding[];
  readonly remarks: readonly PactRemark[];
}

/** The expected body of a response and the schemas that document it. */
interface BodyContext {
  readonly context: CheckContext;
  /** Lists the schemas that may apply at a pointer. */
  readonly schemasAt: (pointer: string) => readonly Schema[];
  /** Schemas that every response satisfies: the documented one and the implied ones. */
  readonly allowed: readonly Schema[];
  /** Keys from the interaction to the body. */
  readonly keys: readonly string[];
}

/** Checks the body that an interaction expects. */
export function checkExpectedBody(context: CheckContext): BodyCheck {
  const { interaction, operation } = context;
  const { body, status, matching } = interaction.response;
  const rule = responseFor(operation, status);
  if (body === undefined || rule === undefined) return { findings: [], remarks: [] };
  const keys = bodyKeys(context, 'response');
  const schema = schemaFor(context, rule);
  if (schema === undefined) return { findings: checkExpectedEmpty(context, rule, keys), remarks: [] };
  const { expectations, notCompared } = readBodyExpectations(body, matching);
  const implied = status >= 200 && status < 300 ? schemasImpliedByRequest(context) : [];
  const allowed = [schema, ...implied, ...dateTimeSchemas(operation.document, schema, expectations)];
  const whole: BodyContext = { context, schemasAt: (pointer) => schemasAt(operation.document, schema, pointer), allowed, keys };
  const branches = placeBranches(context, schema, body);
  const bodies = branches.map((branch) => ({ ...whole, schemasAt: branch.schemasAt, allowed: [...allowed, branch.schema] }));
  const judged = (bodies.length === 0 ? [whole] : bodies).map((each) => judgeBody(each, expectations, body));
  const remarks = [...notCompared, ...judged.flatMap((each) => each.partlyChecked)].map(({ keys: below, reason }) =>
    remarkAt(context, [...keys, ...below], `${printBodyPath(below)} is only partly checked: ${reason}`),
  );
  const question = placeQuestionOf(context.contract, operation);
  const notes = question === undefined ? [] : branches.map(({ place }) => notePlace(context, question, keys, fromPointer(place)));
  return { findings: keepWorst(judged.flatMap(({ findings }) => findings)), remarks: [...notes, ...remarks] };
}

function remarkAt({ pact, interaction }: CheckContext, keys: readonly (string | number)[], message: string): PactRemark {
  const pointer = `${interaction.pointer}${toPointer(keys)}`;
  return { message, pointer, place: placeInPact(pact, pointer) };
}

/**
 * Lists the branches of the schema in which the record stands where the example has it, or where a profile puts it. The list is empty if the schema has no
 * branches, or if the example has no record.
 */
function placeBranches({ contract, operation }: CheckContext, schema: Schema, body: Json): readonly PlaceBranch[] {
  const branches = recordPlacesOf(contract, operation).flatMap(
    (place) => schemaBranchAt(operation.document, schema, operation, place) ?? [],
  );
  if (placeQuestionOf(contract, operation) === undefined) return branches;
  const objects = branches.filter(({ place }) => isObject(valueAt(body, place)));
  const fitting = objects.filter(({ place, schemasAt: below }) => {
    const expected = Object.keys(valueAt(body, place) as JsonObject);
    return propertyNames(below(place)).some((name) => expected.includes(name));
  });
  const [deepest] = objects.toSorted((left, right) => right.place.length - left.place.length);
  return fitting.length > 0 ? fitting : deepest === undefined || deepest.place === '' ? [] : [deepest];
}

/** Notes that the contract leaves the place of the record open, and which answer the check assumed. */
function notePlace(context: CheckContext, question: Question, keys: readonly string[], below: readonly string[]): PactRemark {
  const message = `the contract leaves open (${question.id}): ${question.question} The record is checked at ${printBodyPath(below)}`;
  return remarkAt(context, [...keys, ...below], message);
}

function schemaFor({ interaction }: CheckContext, { content }: ResponseRule): Schema | undefined {
  const { contentType, body } = interaction.response;
  const types = [...content.keys()];
  const mediaType = types.find((type) => contentType !== undefined && type.toLowerCase().startsWith(contentType)) ?? types.find(isJsonType);
  // Only JSON has a schema to compare with; a string of another media type is not JSON.
  const isText = contentType !== undefined && !isJsonType(contentType) && typeof body === 'string';
  return mediaType === undefined || isText || !isJsonType(mediaType) ? undefined : content.get(mediaType)?.schema;
}

function checkExpectedEmpty(context: CheckContext, rule: ResponseRule, keys: readonly string[]): readonly PactFinding[] {
  const { body, status } = context.interaction.response;
  if (rule.content.size > 0 || body === null || body === '') return [];
  const message = `a ${status} of ${context.operation.id} has no body, but the pact expects one; expect only the status and the headers`;
  return [createFinding(context, keys, { id: 'response/body', grade: 'impossible', message, clause: rule.place })];
}

interface JudgedBody {
  readonly findings: readonly PactFinding[];
  readonly partlyChecked: readonly { readonly keys: readonly (string | number)[]; readonly reason: string }[];
}

function judgeBody(body: BodyContext, expectations: readonly BodyExpectation[], example: Json): JudgedBody {
  const impossible = impossibleExamples(body, example);
  const judged = listUnproven(body, expectations).map((expectation) => ({ expectation, ...judgeExpectation(body, expectation) }));
  const findings = keepWorst([...impossible, ...judged.flatMap(({ finding }) => (finding === undefined ? [] : [finding]))]);
  const partlyChecked = judged.flatMap(({ expectation, reason }) => (reason === undefined ? [] : [{ keys: expectation.keys, reason }]));
  return { findings: withoutNested(body, expectations, findings), partlyChecked };
}

/** Lists the expectations without a proof that they hold. Most hold, so all are tried together first, then in halves. */
function listUnproven(body: BodyContext, expectations: readonly BodyExpectation[]): readonly BodyExpectation[] {
  if (expectations.length === 0 || body.context.inclusions.separate(body.allowed, combinedSchema(expectations)).kind === 'none') return [];
  if (expectations.length === 1) return expectations;
  const middle = expectations.length >> 1;
  return [...listUnproven(body, expectations.slice(0, middle)), ...listUnproven(body, expectations.slice(middle))];
}

/** Finds the values of the example that the contract never allows. */
function impossibleExamples(body: BodyContext, example: Json): readonly PactFinding[] {
  const { inclusions } = body.context;
  const isImpossible = (schema: Schema): boolean => inclusions.separate([...body.allowed, schema], false).kind === 'none';
  if (!isImpossible(exampleSchema(example))) return [];
  const impossibleValues = leavesOf(example, []).filter(({ keys, value }) => isImpossible(schemaIfRequired(keys, exampleSchema(value))));
  const leaves = impossibleValues.length > 0 ? impossibleValues : [{ keys: [], value: example }];
  return leaves.map(({ keys, value }) => {
    const { message, clause } = explainImpossible(body, keys, value);
    return createFinding(body.context, [...body.keys, ...keys], { id: 'response/example', grade: 'impossible', message, clause });
  });
}

function leavesOf(
  value: Json,
  keys: readonly (string | number)[],
): readonly { readonly keys: readonly (string | number)[]; readonly value: Json }[] {
  const entries = Array.isArray(value) ? [...(value as readonly Json[]).entries()] : isObject(value) ? Object.entries(value) : [];
  if (entries.length === 0) return [{ keys, value }];
  return entries.flatMap(([key, member]) => leavesOf(member, [...keys, key]));
}

function judgeExpectation(body: BodyContext, expectation: BodyExpectation): { readonly finding?: PactFinding; readonly reason?: string } {
  const { inclusions } = body.context;
  const separation = inclusions.separate(body.allowed, schemaIfPresent(expectation.path, expectation.schema));
  if (separation.kind === 'none') return {};
  if (separation.kind === 'open') return { reason: separation.why };
  const met = schemaIfRequired(
    expectation.path,
    expectation.requiredProperty === undefined ? expectation.schema : { type: 'object', ...asObject(expectation.schema) },
  );
  const isPossible = inclusions.separate([...body.allowed, met], false).kind !== 'none';
  const explained = explainFinding(body, expectation, separation.value, isPossible);
  const grade = isPossible ? 'not-guaranteed' : 'impossible';
  const witness = { value: separation.value, pointer: failingPointer(body, expectation, separation.value) };
  return {
    finding: createFinding(body.context, [...body.keys, ...expectation.keys], { id: 'response/body', grade, ...explained, witness }),
  };
}

function asObject(schema: Schema): { readonly [key: string]: Json } {
  return isObject(schema) ? schema : {};
}

/** Keeps the first finding of the worst grade for each pointer, and others of the grade `not-guaranteed` that say something else. */
function keepWorst(findings: readonly PactFinding[]): readonly PactFinding[] {
  const impossible = new Map(
    findings
      .filter(({ grade }) => grade === 'impossible')
      .toReversed()
      .map((each) => [each.pointer, each]),
  );
  const worst = findings.filter((each) => (impossible.get(each.pointer) ?? each) === each);
  return worst.filter(
    ({ pointer, message }, index) => worst.findIndex((each) => each.pointer === pointer && each.message === message) === index,
  );
}

/**
 * Removes findings that follow from an earlier one: those below a property that the contract does not define, or below a record or head whose place it leaves
 * open, and a second one about the same question at the same pointer.
 */
function withoutNested(
  body: BodyContext,
  expectations: readonly BodyExpectation[],
  findings: readonly PactFinding[],
): readonly PactFinding[] {
  const base = `${body.context.interaction.pointer}${toPointer(body.keys)}`;
  const unknown = new Set(
    expectations.filter((expectation) => isUnknownMember(body, expectation)).map(({ keys }) => `${base}${toPointer(keys)}`),
  );
  const { contract, operation } = body.context;
  const places = [placeQuestionOf(contract, operation), ...questionsBelow(contract, `${operation.pointer}/x-collection/head`)];
  const isOuter = ({ pointer, question }: PactFinding): boolean =>
    unknown.has(pointer) || (question !== undefined && places.some((each) => each?.id === question.id));
  const follows = (finding: PactFinding, earlier: PactFinding): boolean =>
    finding.pointer === earlier.pointer
      ? isOuter(earlier) || (earlier.question !== undefined && earlier.question.id === finding.question?.id)
      : isOuter(earlier) && finding.pointer.startsWith(`${earlier.pointer}/`);
  return findings.filter(
    (finding, index) => finding.grade === 'impossible' || !findings.slice(0, index).some((earlier) => follows(finding, earlier)),
  );
}

/** The text of a finding, and the clause of the contract that it follows from. */
interface FindingText {
  readonly message: string;
  readonly clause: SourceLocation | undefined;
  readonly question?: Question | undefined;
}

/** True if no schema of the contract defines the property. */
function isUnknownMember({ schemasAt: schemasOf }: Pick<BodyContext, 'schemasAt'>, { path, requiredProperty }: BodyExpectation): boolean {
  return requiredProperty !== undefined && schemasOf(pointerOf([...path, requiredProperty])).length === 0;
}

/** Explains an expectation that is not guaranteed, or impossible. */
function explainFinding(body: BodyContext, expectation: BodyExpectation, witness: Json, isPossible: boolean): FindingText {
  return expectation.requiredProperty === undefined
    ? explainValue(body, expectation, witness, isPossible)
    : explainMember(body, expectation, expectation.requiredProperty, isPossible);
}

/** Explains an example value that the contract does not allow. */
function explainImpossible(body: BodyContext, keys: readonly (string | number)[], value: Json): FindingText {
  const { operation, interaction } = body.context;
  const at = printBodyPath(keys);
  const schemas = body.schemasAt(toPointer(keys));
  const who = `a ${interaction.response.status} of ${operation.id}`;
  if (keys.length === 0) {
    return {
      message: `${who} can never look like this example; compare it with the contract and the request`,
      clause: clearestPlace(body, schemas),
    };
  }
  const allowed = describeAllowed(schemas);
  const expected = allowed === undefined ? 'the contract and the request do not allow it' : `the contract says ${allowed}`;
  return {
    message: `${at} is never ${printShort(value)} in ${who}: ${expected}; correct the example`,
    clause: clearestPlace(body, schemas),
  };
}

function explainMember(body: BodyContext, expectation: BodyExpectation, member: string, isPossible: boolean): FindingText {
  const { id } = body.context.operation;
  const at = printBodyPath(expectation.keys);
  const schemas = body.schemasAt(pointerOf([...expectation.path, member]));
  const holders = body.schemasAt(pointerOf(expectation.path));
  if (schemas.length === 0) {
    const place = placeOfRecordIn(body, expectation.keys);
    if (place !== undefined)
      return {
        message: `the record of ${id} stands at ${printBodyPath(fromPointer(place))} in this contract, not in ${at}; expect it there`,
        clause: placeOfMembers(body, holders),
      };
    const advice = didYouMean(member, propertyNames(holders), 'remove it from the pact, or add it to the contract');
    const problem = isPossible
      ? `the contract of ${id} does not define ${at}, so no response needs to have it`
      : `the contract of ${id} does not allow ${at}`;
    return { message: `${problem}; ${advice}`, clause: placeOfMembers(body, holders) };
  }
  if (!isPossible)
    return {
      message: `${at} is never present in this response of ${id}, but the pact expects it; remove it`,
      clause: clearestPlace(body, schemas),
    };
  const question = questionAt(body, [...expectation.path, member], schemas);
  const reason =
    question === undefined ? 'the contract does not require it' : `the contract leaves this unspecified (${question.question})`;
  return {
    message: `${at} may be missing: ${reason}; remove it from the pact`,
    clause: clearestPlace(body, schemas),
    question,
  };
}

/** The place of the record in the contract, if the pact expects the record in an undefined member at the keys. */
function placeOfRecordIn({ context, schemasAt: schemasOf }: BodyContext, keys: BodyExpectation['keys']): string | undefined {
  const [place, ...others] = recordPlacesOf(context.contract, context.operation);
  if (place === undefined || others.length > 0) return undefined;
  const fields = propertyNames(schemasOf(place));
  const isRecord = (value: Json | undefined): boolean => {
    if (!isObject(value)) return false;
    const names = Object.keys(value);
    return (names.length > 1 && names.every((name) => fields.includes(name))) || Object.values(value).some(isRecord);
  };
  return isRecord(valueAt(context.interaction.response.body ?? null, toPointer(keys))) ? place : undefined;
}

function explainValue(body: BodyContext, expectation: BodyExpectation, witness: Json, isPossible: boolean): FindingText {
  const { id } = body.context.operation;
  const at = printBodyPath(expectation.keys);
  const schemas = body.schemasAt(pointerOf(expectation.path));
  const actual = valueAt(witness, failingPointer(body, expectation, witness));
  const clause = clearestPlace(body, schemas);
  if (!isPossible) {
    const allowed = describeAllowed(schemas);
    const says = allowed === undefined ? 'but the contract and the request do not allow that' : `but the contract of ${id} says ${allowed}`;
    return { message: `the pact expects ${expectation.description} at ${at}, ${says}; correct the pact`, clause };
  }
  const question = questionAt(body, expectation.path, schemas);
  const reason = question === undefined ? '' : ` (unspecified in the contract: ${question.question})`;
  return {
    message: `${at} may be ${printShort(actual ?? null)}${reason}, but the pact expects ${expectation.description}; ${adviceFor(expectation, actual)}`,
    clause,
    question,
  };
}

function adviceFor({ schema }: BodyExpectation, actual: Json | undefined): string {
  const rule = isObject(schema) ? schema : {};
  if (actual === null) return 'accept null too, or remove it from the pact';
  if (Array.isArray(actual)) {
    return actual.length === 0
      ? 'add a state that fills the list, or accept an empty list'
      : 'match each element by type, whatever their number';
  }
  if (rule['const'] !== undefined) return 'match it by type, or fix the value with a state or a parameter';
  return rule['pattern'] === undefined ? 'accept every value that the contract allows' : 'widen the pattern to every allowed value';
}

/** Returns the pointer in the witness where the expectation is not met. */
function failingPointer({ context }: Pick<BodyContext, 'context'>, expectation: BodyExpectation, witness: Json): string {
  const places = pointersAlong(witness, expectation.path, '');
  return places.find((place) => !context.inclusions.allows(expectation.schema, valueAt(witness, place) ?? null)) ?? '';
}

/** Returns the pointer of every value that a path leads to. */
function pointersAlong(value: Json | undefined, at: BodyPath, pointer: string): readonly string[] {
  const [step, ...rest] = at;
  if (value === undefined) return [];
  if (step === undefined) return [pointer];
  const list = Array.isArray(value) ? (value as readonly Json[]) : undefined;
  if (step === null) return (list ?? []).flatMap((each, index) => pointersAlong(each, rest, `${pointer}/${index}`));
  if (typeof step === 'number') return pointersAlong(list?.[step], rest, `${pointer}/${step}`);
  const key = toPointer([step]);
  return isObject(value) ? pointersAlong(valueAt(value, key), rest, `${pointer}${key}`) : [];
}

function propertyNames(schemas: readonly Schema[]): readonly string[] {
  return schemas.flatMap((schema) => (isObject(schema) && isObject(schema['properties']) ? Object.keys(schema['properties']) : []));
}

/** Returns the line of the schema that explains the finding best: its values, pattern, format or type. */
function clearestPlace(body: BodyContext, schemas: readonly Schema[]): SourceLocation | undefined {
  const objects = schemas.filter(isObject);
  const restricted = ['const', 'enum', 'pattern', 'format', 'type'].flatMap((keyword) =>
    objects.filter((schema) => schema[keyword] !== undefined).map((schema) => ({ schema, keyword })),
  )[0];
  const { place } = body.context.operation.document;
  if (restricted !== undefined) return place(restricted.schema, restricted.keyword);
  const [first] = objects;
  return first === undefined ? body.context.operation.place : place(first);
}

/** Returns the line of `properties`, where the missing property belongs. */
function placeOfMembers(body: BodyContext, holders: readonly Schema[]): SourceLocation | undefined {
  const holder = holders.filter(isObject).find((schema) => isObject(schema['properties']));
  return holder === undefined ? clearestPlace(body, holders) : body.context.operation.document.place(holder, 'properties');
}

function describeAllowed(schemas: readonly Schema[]): string | undefined {
  const objects = schemas.filter(isObject);
  const listed = objects.find((schema) => Array.isArray(schema['enum']) || schema['const'] !== undefined);
  if (listed !== undefined) return listAllowed(listed);
  const typed = objects.find((schema) => typesOf(schema).length > 0);
  if (typed === undefined) return schemas.includes(false) ? 'that it is never present' : undefined;
  const detail =
    typeof typed['format'] === 'string' ? ` (${typed['format']})` : typeof typed['pattern'] === 'string' ? ` (${typed['pattern']})` : '';
  return `${typesOf(typed).join(' or ')}${detail}`;
}

function listAllowed(schema: JsonObject): string {
  const values = schema['const'] === undefined ? (schema['enum'] as readonly Json[]) : [schema['const']];
  return values.length === 1 ? printShort(values[0] ?? null) : `one of ${values.map((each) => printShort(each)).join(', ')}`;
}

function printShort(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Returns the open question that covers a path: the value, the property of its object, or the location of the record. */
function questionAt(body: BodyContext, at: BodyPath, schemas: readonly Schema[]): Question | undefined {
  const [member] = at.slice(-1);
  const holders = body.schemasAt(pointerOf(at.slice(0, -1)));
  return (
    questionsBeside(body, schemas).find((each) => askedMembers(each).length === 0) ??
    questionsBeside(body, holders).find((each) => typeof member === 'string' && askedMembers(each).includes(member)) ??
    placeQuestion(body, at)
  );
}

function questionsBeside({ context: { contract } }: BodyContext, schemas: readonly Schema[]): readonly Question[] {
  const asked = schemas.filter(isObject).map((schema) => contract.questions.get(String(schema['x-unspecified'])));
  return asked.filter((question) => question !== undefined);
}

function placeQuestion({ context: { contract, operation } }: BodyContext, at: BodyPath): Question | undefined {
  const pointer = pointerOf(at);
  const containsPlace = (place: string): boolean => place === pointer || place.startsWith(`${pointer}/`);
  const record = placeQuestionOf(contract, operation);
  if (record !== undefined && recordPlacesOf(contract, operation).some(containsPlace)) return record;
  const [head] = questionsBelow(contract, `${operation.pointer}/x-collection/head`);
  const heads = head === undefined ? [] : [...head.choices.values()].filter((each) => typeof each === 'string');
  return heads.some((place) => containsPlace(place) || place === pointerOf(at.slice(0, -1))) ? head : undefined;
}
