/** Checks the response body that a pact expects: every body that the contract allows must meet each expectation, and at least one must equal the example. */

import { type Question, questionsBelow } from '../../../core/annotations/open-questions.ts';
import { type PlaceBranch, placeQuestionOf, recordPlacesOf, schemaBranchAt } from '../../../core/annotations/record-place.ts';
import { documentedTypeOf, formatOf, isJsonType } from '../../../core/http/media-type.ts';
import { readBody } from '../../../core/http/read-body-value.ts';
import { arrayOrEmpty, isArray, isObject, type Json, type JsonObject, objectOrEmpty } from '../../../core/json.ts';
import type { Document } from '../../../core/openapi/document.ts';
import { type ResponseRule, responseFor } from '../../../core/openapi/operation.ts';
import { type Schema, schemasAt, schemasWithin } from '../../../core/openapi/schema-facts.ts';
import { parseBodyPath, printBodyPath } from '../../../core/pact/body-path.ts';
import { fromPointer, toPointer, valueAt } from '../../../core/pointer.ts';
import type { PactFinding, PactRemark } from '../../../core/results/pact-check-result.ts';
import {
  type BodyExpectation,
  combinedSchema,
  exampleSchema,
  pointerOf,
  readBodyExpectations,
  schemaIfRequired,
} from './body-expectations.ts';
import { bodyKeys, createFinding, type FindingMessage, notCompared, remarkAt } from './create-finding.ts';
import { type BodyContext, explainFinding, explainImpossible, propertyNames } from './explain-body-finding.ts';
import { type CheckContext, nothingChecked, type PartCheck } from './interaction-context.ts';
import { judgeAcceptance, limitOpen, listRefused } from './judge-accepted-values.ts';
import type { ValueKind } from './pact-matchers.ts';
import { dateTimeSchemas, schemasImpliedByRequest } from './schemas-implied-by-request.ts';

/** Checks the body that an interaction expects. */
export function checkExpectedBody(unlimited: CheckContext): PartCheck {
  const context = { ...unlimited, inclusions: limitOpen(unlimited.inclusions) };
  const { interaction, operation } = context;
  const { body, status } = interaction.response;
  const rule = responseFor(operation, status);
  if (body === undefined || rule === undefined) return nothingChecked;
  const keys = bodyKeys(context, 'response');
  const plugins = pluginsOf(context).join(' and ');
  const expected: ExpectedContent =
    plugins === '' ? expectedContent(context, rule, body) : { kind: 'other', reason: `the plugin ${plugins} compares it` };
  if ('schema' in expected) return checkContent(context, keys, body, expected);
  if (expected.kind === 'other') {
    return { findings: [], remarks: [notCompared(context, keys, 'the body', expected.reason)], count: 1 };
  }
  return { ...nothingChecked, findings: checkPresence(context, rule, keys, expected.kind), count: 1 };
}

function checkContent(
  context: CheckContext,
  keys: readonly string[],
  body: Json,
  { kind, schema }: { readonly kind: ValueKind; readonly schema: Schema },
): PartCheck {
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
  const named = expectations.some(({ accepts }) => accepts !== undefined) ? listNamedValues(operation.document, schema) : [];
  const judged = (bodies.length === 0 ? [whole] : bodies).map((each) => judgeBody(each, expectations, body, named));
  const open = expectations.flatMap((each) => (each.notCompared === undefined ? [] : [{ keys: each.keys, reason: each.notCompared }]));
  const remarks = [...open, ...judged.flatMap((each) => each.notCompared)].map((each) =>
    notCompared(context, [...keys, ...each.keys], printBodyPath(each.keys), each.reason),
  );
  const question = placeQuestionOf(context.contract, operation);
  const notes = question === undefined ? [] : branches.map(({ place }) => notePlace(context, question, keys, fromPointer(place)));
  return {
    findings: keepWorst(judged.flatMap(({ found }) => found)).map(({ finding }) => finding),
    remarks: [...notes, ...remarks],
    count: expectations.filter(({ requiredProperty }) => requiredProperty === undefined).length,
  };
}

/** Lists the scalars in the `enum` and `const` of a schema and of those below it. */
function listNamedValues(document: Document, schema: Schema): readonly Json[] {
  const scalarsIn = (value: Json): readonly Json[] =>
    isArray(value) ? value.flatMap(scalarsIn) : isObject(value) ? Object.values(value).flatMap(scalarsIn) : [value];
  const listed = [...schemasWithin(document, schema)].flatMap((each) => [...arrayOrEmpty(each['enum']), each['const'] ?? []]);
  return [...new Set(listed.flatMap(scalarsIn))];
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
  const message = `the contract leaves this open (${question.id}): ${question.question} The check assumes ${printBodyPath(below)}`;
  return remarkAt(context, [...keys, ...below], { kind: 'open-question', subject: printBodyPath(below), message });
}

/** What an expected body is compared with. */
type ExpectedContent =
  | { readonly kind: ValueKind; readonly schema: Schema }
  | { readonly kind: 'empty' | 'undocumented' }
  | { readonly kind: 'other'; readonly reason: string };

/** The plugins of Pact that compare the body. */
function pluginsOf({ pact, interaction }: CheckContext): readonly string[] {
  return Object.keys(objectOrEmpty(valueAt(pact.value, `${interaction.pointer}/pluginConfiguration`)));
}

function expectedContent({ interaction }: CheckContext, { content }: ResponseRule, body: Json): ExpectedContent {
  const { contentType } = interaction.response;
  const types = [...content.keys()];
  const documented = contentType === undefined ? undefined : documentedTypeOf(types, contentType);
  const type = contentType ?? types.find(isJsonType) ?? types[0] ?? '';
  const isJson = isJsonType(type);
  if (body === null || (body === '' && (isJson || types.length === 0))) return { kind: 'empty' };
  const documentedType = documented ?? (isJson ? types.find(isJsonType) : undefined);
  const media = documentedType === undefined ? undefined : content.get(documentedType);
  if (media === undefined) return { kind: 'undocumented' };
  const format = formatOf(type);
  if (format === 'form' || format === 'multipart') return { kind: 'other', reason: `${type} is compared by its parts` };
  if (isJson || typeof body !== 'string') return { kind: 'json', schema: media.schema };
  const reading = readBody(media, type, body);
  return reading.kind === 'not-compared' ? { kind: 'other', reason: reading.reason } : { kind: 'text', schema: media.schema };
}

/** Checks that a response has a body, and that it has the type of the example. */
function checkPresence(
  context: CheckContext,
  rule: ResponseRule,
  keys: readonly string[],
  kind: 'empty' | 'undocumented',
): readonly PactFinding[] {
  const { status, contentType, headers } = context.interaction.response;
  const who = `a ${status} from ${context.operation.id}`;
  const types = [...rule.content.keys()];
  const found = (grade: PactFinding['grade'], message: FindingMessage): readonly PactFinding[] => [
    createFinding(context, keys, { id: 'response/body', grade, message, clause: rule.place }),
  ];
  if (kind === 'empty')
    return types.length === 0
      ? []
      : found('not-guaranteed', [
          `the pact expects an empty body, but ${who} has one`,
          'expect that body, or leave the body out of the pact',
        ]);
  if (types.length === 0)
    return found('impossible', [`${who} has no body, but the pact expects one`, 'expect only the status and the headers']);
  // A header with another type has a finding of its own.
  if (headers.has('content-type')) return [];
  return found('impossible', [
    `the pact expects a body of the type ${contentType}, but ${who} has ${types.join(', ')}`,
    'expect what is documented',
  ]);
}

/** A finding, and whether it is about the presence of a property rather than its value. */
interface Found {
  readonly finding: PactFinding;
  readonly isPresence: boolean;
}

interface JudgedBody {
  readonly found: readonly Found[];
  readonly notCompared: readonly { readonly keys: readonly (string | number)[]; readonly reason: string }[];
}

function judgeBody(body: BodyContext, expectations: readonly BodyExpectation[], example: Json, named: readonly Json[]): JudgedBody {
  const impossible = body.context.hasExample ? impossibleExamples(body, example) : [];
  const unproven = new Set(listUnproven(body, expectations));
  const doubtful = expectations.filter((each) => unproven.has(each) || listRefused(body.context.inclusions, each, named).length > 0);
  const judged = doubtful.map((expectation) => ({ expectation, ...judgeExpectation(body, expectation, named) }));
  const found = judged.flatMap(({ finding, expectation }): readonly Found[] =>
    finding === undefined ? [] : [{ finding, isPresence: expectation.requiredProperty !== undefined }],
  );
  const open = judged.flatMap(({ expectation, reason }) => (reason === undefined ? [] : [{ keys: expectation.keys, reason }]));
  return { found: withoutNested(body, expectations, keepWorst([...impossible, ...found])), notCompared: open };
}

/** Lists the expectations without a proof that they hold. Most hold, so all are tried together first, then in halves. */
function listUnproven(body: BodyContext, expectations: readonly BodyExpectation[]): readonly BodyExpectation[] {
  if (expectations.length === 0 || body.context.inclusions.separate(body.allowed, combinedSchema(expectations)).kind === 'none') return [];
  if (expectations.length === 1) return expectations;
  const middle = expectations.length >> 1;
  return [...listUnproven(body, expectations.slice(0, middle)), ...listUnproven(body, expectations.slice(middle))];
}

/** Finds the values of the example that the contract never allows. */
function impossibleExamples(body: BodyContext, example: Json): readonly Found[] {
  const { inclusions } = body.context;
  const isImpossible = (schema: Schema): boolean => inclusions.separate([...body.allowed, schema], false).kind === 'none';
  const { pact, interaction } = body.context;
  const { body: rules } = interaction.response.matching;
  const generators = objectOrEmpty(valueAt(pact.value, `${interaction.pointer}/response/generators/body`));
  const generated = Object.keys(generators).flatMap((path) => [parseBodyPath(path) ?? []].filter(({ length }) => length > 0));
  if (!isImpossible(exampleSchema(example, rules, generated))) return [];
  const impossibleValues = leavesOf(example, []).filter(({ keys, value }) =>
    isImpossible(schemaIfRequired(keys, exampleSchema(value, rules, generated, keys))),
  );
  const leaves = impossibleValues.length > 0 ? impossibleValues : [{ keys: [], value: example }];
  return leaves.map(({ keys, value }) => {
    const { message, clause } = explainImpossible(body, keys, value);
    const finding = createFinding(body.context, [...body.keys, ...keys], { id: 'response/example', grade: 'impossible', message, clause });
    return { finding, isPresence: false };
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

function judgeExpectation(
  body: BodyContext,
  expectation: BodyExpectation,
  named: readonly Json[],
): { readonly finding?: PactFinding; readonly reason?: string } {
  const judgement = judgeAcceptance(body.context.inclusions, body.allowed, expectation, expectation.path, named);
  if (judgement.kind === 'guaranteed') return {};
  if (judgement.kind === 'open') return { reason: judgement.reason };
  return { finding: findingOf(body, expectation, { value: judgement.body, pointer: judgement.pointer }) };
}

function findingOf(body: BodyContext, expectation: BodyExpectation, witness: NonNullable<PactFinding['witness']>): PactFinding {
  const { schema, accepts, requiredProperty, path } = expectation;
  const isAllowed = (each: Schema): boolean =>
    body.context.inclusions.separate([...body.allowed, schemaIfRequired(path, each)], false).kind !== 'none';
  // The schema of a matcher says nothing about the texts of other values than strings.
  const isPossible =
    isAllowed(requiredProperty === undefined ? schema : { type: 'object', ...objectOrEmpty(schema) }) ||
    (accepts !== undefined && isAllowed({ not: { type: 'string' } }));
  const explained = explainFinding(body, expectation, witness, isPossible);
  const grade = isPossible ? 'not-guaranteed' : 'impossible';
  return createFinding(body.context, [...body.keys, ...expectation.keys], { id: 'response/body', grade, ...explained, witness });
}

/** Keeps an impossibility alone at its pointer, and otherwise the first finding about the presence and the first about the value. */
function keepWorst(all: readonly Found[]): readonly Found[] {
  const impossible = new Set(all.flatMap(({ finding }) => (finding.grade === 'impossible' ? [finding.pointer] : [])));
  const kept = new Map<string, Found>();
  for (const each of all) {
    const { pointer, grade } = each.finding;
    if (impossible.has(pointer) && grade !== 'impossible') continue;
    const key = impossible.has(pointer) ? pointer : `${pointer} ${each.isPresence}`;
    if (!kept.has(key)) kept.set(key, each);
  }
  return [...kept.values()];
}

/**
 * Removes findings that follow from an earlier one: those below a property that the contract does not define, or below a record or head whose place it leaves
 * open, and a second one about the same question at the same pointer.
 */
function withoutNested(body: BodyContext, expectations: readonly BodyExpectation[], all: readonly Found[]): readonly Found[] {
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
  return all.filter(
    ({ finding }, index) =>
      finding.grade === 'impossible' || !all.slice(0, index).some(({ finding: earlier }) => follows(finding, earlier)),
  );
}

/** True if no schema of the contract defines the property. */
function isUnknownMember({ schemasAt: schemasOf }: Pick<BodyContext, 'schemasAt'>, { path, requiredProperty }: BodyExpectation): boolean {
  return requiredProperty !== undefined && schemasOf(pointerOf([...path, requiredProperty])).length === 0;
}
