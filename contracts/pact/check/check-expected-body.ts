/** Checks the response body that a pact expects: every body that the contract allows must meet each expectation, and at least one must equal the example. */

import { askedMembers, type Question, questionsBelow } from '../../../core/annotations/open-questions.ts';
import { type PlaceBranch, placeQuestionOf, recordPlacesOf, schemaBranchAt } from '../../../core/annotations/record-place.ts';
import { didYouMean } from '../../../core/did-you-mean.ts';
import type { SourceLocation } from '../../../core/errors.ts';
import { documentedTypeOf, isJsonType } from '../../../core/http/media-type.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { type ResponseRule, responseFor } from '../../../core/openapi/operation.ts';
import { type Schema, schemasAt, typesOf } from '../../../core/openapi/schema-facts.ts';
import { printBodyPath } from '../../../core/pact/body-path.ts';
import { fromPointer, toPointer, valueAt } from '../../../core/pointer.ts';
import type { PactFinding, PactRemark } from '../../../core/results/pact-check-result.ts';
import {
  type BodyExpectation,
  combinedSchema,
  exampleSchema,
  pointerOf,
  readBodyExpectations,
  type Step,
  schemaIfRequired,
} from './body-expectations.ts';
import { bodyKeys, createFinding, notCompared, remarkAt } from './create-finding.ts';
import { dateTimeSchemas, schemasImpliedByRequest } from './implied-schemas.ts';
import type { CheckContext } from './interaction-context.ts';
import { judgeAcceptance } from './judge-acceptance.ts';
import type { ValueKind } from './pact-matchers.ts';

/** Result of checking one body. */
interface BodyCheck {
  readonly findings: readonly PactFinding[];
  readonly remarks: readonly PactRemark[];
  /** Number of expected values. */
  readonly count: number;
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
  const { body, status } = interaction.response;
  const rule = responseFor(operation, status);
  if (body === undefined || rule === undefined) return nothingChecked;
  const keys = bodyKeys(context, 'response');
  const expected = expectedContent(context, rule, body);
  if ('schema' in expected) return checkContent(context, keys, body, expected);
  if (expected.kind === 'other') {
    const reason = `a body of the type ${expected.type} is not compared`;
    return { findings: [], remarks: [notCompared(context, keys, 'the body', reason)], count: 1 };
  }
  return { ...nothingChecked, findings: checkPresence(context, rule, keys, expected.kind), count: 1 };
}

const nothingChecked: BodyCheck = { findings: [], remarks: [], count: 0 };

function checkContent(
  context: CheckContext,
  keys: readonly string[],
  body: Json,
  { kind, schema }: { readonly kind: ValueKind; readonly schema: Schema },
): BodyCheck {
  const { interaction, operation } = context;
  const { status, matching } = interaction.response;
  const expectations = readBodyExpectations(body, matching.body, kind);
  const implied = status >= 200 && status < 300 ? schemasImpliedByRequest(context) : [];
  const allowed = [
    schema,
    ...(kind === 'text' ? [{ type: 'string' }] : []),
    ...implied,
    ...dateTimeSchemas(operation.document, schema, expectations),
  ];
  const whole: BodyContext = { context, schemasAt: (pointer) => schemasAt(operation.document, schema, pointer), allowed, keys };
  const branches = placeBranches(context, schema, body);
  const bodies = branches.map((branch) => ({ ...whole, schemasAt: branch.schemasAt, allowed: [...allowed, branch.schema] }));
  const judged = (bodies.length === 0 ? [whole] : bodies).map((each) => judgeBody(each, expectations, body));
  const open = expectations.flatMap((each) => (each.notCompared === undefined ? [] : [{ keys: each.keys, reason: each.notCompared }]));
  const remarks = [...open, ...judged.flatMap((each) => each.notCompared)].map((each) =>
    notCompared(context, [...keys, ...each.keys], printBodyPath(each.keys), each.reason),
  );
  const question = placeQuestionOf(context.contract, operation);
  const notes = question === undefined ? [] : branches.map(({ place }) => notePlace(context, question, keys, fromPointer(place)));
  return {
    findings: keepWorst(judged.flatMap(({ findings }) => findings)),
    remarks: [...notes, ...remarks],
    count: expectations.filter(({ requiredProperty }) => requiredProperty === undefined).length,
  };
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
  return remarkAt(context, [...keys, ...below], { kind: 'open-question', subject: printBodyPath(below), message });
}

/** What an expected body is compared with. */
type ExpectedContent =
  | { readonly kind: ValueKind; readonly schema: Schema }
  | { readonly kind: 'empty' | 'undocumented' }
  /** Pact compares these types by their parts. */
  | { readonly kind: 'other'; readonly type: string };

function expectedContent({ interaction }: CheckContext, { content }: ResponseRule, body: Json): ExpectedContent {
  const { contentType } = interaction.response;
  const types = [...content.keys()];
  const documented = contentType === undefined ? undefined : documentedTypeOf(types, contentType);
  const type = contentType ?? types.find(isJsonType) ?? types[0] ?? '';
  const isJson = isJsonType(type);
  if (body === null || (body === '' && (isJson || types.length === 0))) return { kind: 'empty' };
  const documentedType = documented ?? (isJson ? types.find(isJsonType) : undefined);
  if (documentedType === undefined) return { kind: 'undocumented' };
  if (/xml|x-www-form-urlencoded|multipart/.test(type)) return { kind: 'other', type };
  const schema = content.get(documentedType)?.schema ?? true;
  return { kind: isJson || typeof body !== 'string' ? 'json' : 'text', schema };
}

/** Checks that a response has a body, and that it has the type of the example. */
function checkPresence(
  context: CheckContext,
  rule: ResponseRule,
  keys: readonly string[],
  kind: 'empty' | 'undocumented',
): readonly PactFinding[] {
  const { status, contentType, headers } = context.interaction.response;
  const who = `a ${status} of ${context.operation.id}`;
  const types = [...rule.content.keys()];
  const found = (grade: PactFinding['grade'], message: string): readonly PactFinding[] => [
    createFinding(context, keys, { id: 'response/body', grade, message, clause: rule.place }),
  ];
  if (kind === 'empty')
    return types.length === 0 ? [] : found('not-guaranteed', `the pact expects an empty body, and ${who} has one; expect it, or no body`);
  if (types.length === 0)
    return found('impossible', `${who} has no body, but the pact expects one; expect only the status and the headers`);
  // A header with another type has a finding of its own.
  if (headers.has('content-type')) return [];
  return found(
    'impossible',
    `the pact expects a body of the type ${contentType}, but ${who} has ${types.join(', ')}; expect what is documented`,
  );
}

interface JudgedBody {
  readonly findings: readonly PactFinding[];
  readonly notCompared: readonly { readonly keys: readonly (string | number)[]; readonly reason: string }[];
}

function judgeBody(body: BodyContext, expectations: readonly BodyExpectation[], example: Json): JudgedBody {
  const impossible = impossibleExamples(body, example);
  const judged = listUnproven(body, expectations).map((expectation) => ({ expectation, ...judgeExpectation(body, expectation) }));
  const findings = keepWorst([...impossible, ...judged.flatMap(({ finding }) => (finding === undefined ? [] : [finding]))]);
  const open = judged.flatMap(({ expectation, reason }) => (reason === undefined ? [] : [{ keys: expectation.keys, reason }]));
  return { findings: withoutNested(body, expectations, findings), notCompared: open };
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
  const { body: rules } = body.context.interaction.response.matching;
  if (!isImpossible(exampleSchema(example, rules))) return [];
  const impossibleValues = leavesOf(example, []).filter(({ keys, value }) =>
    isImpossible(schemaIfRequired(keys, exampleSchema(value, rules, keys))),
  );
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
  const judgement = judgeAcceptance(body.context.inclusions, body.allowed, expectation, expectation.path);
  if (judgement.kind === 'guaranteed') return {};
  if (judgement.kind === 'open') return { reason: judgement.reason };
  return { finding: findingOf(body, expectation, { value: judgement.body, pointer: judgement.pointer }) };
}

function findingOf(body: BodyContext, expectation: BodyExpectation, witness: NonNullable<PactFinding['witness']>): PactFinding {
  const { schema, accepts, requiredProperty, path } = expectation;
  // A schema that says less than Pact accepts proves no impossibility.
  const met = schemaIfRequired(path, requiredProperty === undefined ? schema : { type: 'object', ...asObject(schema) });
  const isPossible =
    (accepts !== undefined && schema === false) || body.context.inclusions.separate([...body.allowed, met], false).kind !== 'none';
  const explained = explainFinding(body, expectation, witness, isPossible);
  const grade = isPossible ? 'not-guaranteed' : 'impossible';
  return createFinding(body.context, [...body.keys, ...expectation.keys], { id: 'response/body', grade, ...explained, witness });
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
function explainFinding(
  body: BodyContext,
  expectation: BodyExpectation,
  witness: NonNullable<PactFinding['witness']>,
  isPossible: boolean,
): FindingText {
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
  if (keys.length === 0 && typeof value === 'object') {
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

function explainValue(
  body: BodyContext,
  expectation: BodyExpectation,
  witness: NonNullable<PactFinding['witness']>,
  isPossible: boolean,
): FindingText {
  const { id } = body.context.operation;
  const at = printBodyPath(expectation.keys);
  const schemas = body.schemasAt(pointerOf(expectation.path));
  const actual = valueAt(witness.value, witness.pointer);
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
function questionAt(body: BodyContext, at: readonly Step[], schemas: readonly Schema[]): Question | undefined {
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

function placeQuestion({ context: { contract, operation } }: BodyContext, at: readonly Step[]): Question | undefined {
  const pointer = pointerOf(at);
  const containsPlace = (place: string): boolean => place === pointer || place.startsWith(`${pointer}/`);
  const record = placeQuestionOf(contract, operation);
  if (record !== undefined && recordPlacesOf(contract, operation).some(containsPlace)) return record;
  const [head] = questionsBelow(contract, `${operation.pointer}/x-collection/head`);
  const heads = head === undefined ? [] : [...head.choices.values()].filter((each) => typeof each === 'string');
  return heads.some((place) => containsPlace(place) || place === pointerOf(at.slice(0, -1))) ? head : undefined;
}
