/**
 * Whether an answer that the contract allows can fail what a pact expects of its body, whether any can meet it, and what is said of that.
 */

import { nearest, type Place } from '../../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { type ResponseRule, responseFor } from '../../../core/operation.ts';
import type { PactFinding, PactRemark } from '../../../core/pact/check-result.ts';
import { printBodyPath } from '../../../core/pact/body-path.ts';
import { toPointer, valueAt } from '../../../core/pointer.ts';
import { askedMembers, type Question } from '../../../core/profile.ts';
import { isJsonType } from '../../../core/response.ts';
import { type Schema, schemasAt, typesOf } from '../../../core/schema.ts';
import { questionsBelow } from '../../openness.ts';
import { placesOf } from '../../place.ts';
import { type BodyExpectation, exampleSchema, readBodyExpectations, type BodyStep, schemaIfRequired, schemaIfPresent, combinedSchema } from './body-expectations.ts';
import { impliedSchemas, pointerOf, dateTimeSchemas } from './implied-schemas.ts';
import { type BodyContext, bodyKeys, createFinding, placeInPact, type CheckContext } from './check-context.ts';

/** What came of looking at a body. */
interface BodyCheck {
  readonly findings: readonly PactFinding[];
  readonly remarks: readonly PactRemark[];
}

/** Judges what an interaction expects of the body. */
export function checkBody(subject: CheckContext): BodyCheck {
  const { interaction, operation } = subject;
  const { body, status, matching } = interaction.response;
  const rule = responseFor(operation, status);
  if (body === undefined || rule === undefined) return { findings: [], remarks: [] };
  const keys = bodyKeys(subject);
  const schema = schemaFor(subject, rule);
  if (schema === undefined) return { findings: checkEmpty(subject, rule, keys), remarks: [] };
  const { demands, unknown } = readBodyExpectations(body, matching);
  const known = status >= 200 && status < 300 ? impliedSchemas(subject) : [];
  const allowed = [schema, ...known, ...dateTimeSchemas(operation.document, schema, demands)];
  const findings = judgeBody({ subject, schema, allowed, keys }, demands, body);
  const remarks = [...unknown, ...findings.open].map(({ keys: below, why }) => {
    const pointer = `${interaction.pointer}${toPointer([...keys, ...below])}`;
    return { message: `${printBodyPath(below)} is judged in part only: ${why}`, pointer, place: placeInPact(subject.pact, pointer) };
  });
  return { findings: findings.found, remarks };
}

function schemaFor({ interaction }: CheckContext, { content }: ResponseRule): Schema | undefined {
  const { contentType, body } = interaction.response;
  const types = [...content.keys()];
  const wanted = types.find((type) => contentType !== undefined && type.toLowerCase().startsWith(contentType)) ?? types.find(isJsonType);
  // Only JSON has a schema that can be compared; a text of another type is nobody's JSON.
  const isText = contentType !== undefined && !isJsonType(contentType) && typeof body === 'string';
  return wanted === undefined || isText || !isJsonType(wanted) ? undefined : content.get(wanted)?.schema;
}

function checkEmpty(subject: CheckContext, rule: ResponseRule, keys: readonly string[]): readonly PactFinding[] {
  const { body, status } = subject.interaction.response;
  if (rule.content.size > 0 || body === null || body === '') return [];
  const message = `a ${status} of ${subject.operation.id} has no body, and the pact expects one; expect the status and the headers alone`;
  return [createFinding(subject, keys, { id: 'response/body', grade: 'impossible', message, clause: rule.place })];
}

interface JudgedBody {
  readonly found: readonly PactFinding[];
  readonly open: readonly { readonly keys: readonly (string | number)[]; readonly why: string }[];
}

function judgeBody(about: BodyContext, demands: readonly BodyExpectation[], example: Json): JudgedBody {
  const wrong = impossibleExamples(about, example);
  const each = listUnproven(about, demands).map((demand) => ({ demand, ...judgeExpectation(about, demand) }));
  const found = keepWorst([...wrong, ...each.flatMap(({ finding }) => (finding === undefined ? [] : [finding]))]);
  const open = each.flatMap(({ demand, why }) => (why === undefined ? [] : [{ keys: demand.keys, why }]));
  return { found: withoutNested(about, demands, found), open };
}

/** The demands that are not proved together with others: most are promised, so halves are tried as wholes first. */
function listUnproven(about: BodyContext, demands: readonly BodyExpectation[]): readonly BodyExpectation[] {
  if (demands.length === 0 || about.subject.inclusions.separate(about.allowed, combinedSchema(demands)).kind === 'none') return [];
  if (demands.length === 1) return demands;
  const middle = demands.length >> 1;
  return [...listUnproven(about, demands.slice(0, middle)), ...listUnproven(about, demands.slice(middle))];
}

/** Each value of the example must be one that the contract allows there: a consumer was tested with an answer that it may get. */
function impossibleExamples(about: BodyContext, example: Json): readonly PactFinding[] {
  const { inclusions } = about.subject;
  const isImpossible = (schema: Schema): boolean => inclusions.separate([...about.allowed, schema], false).kind === 'none';
  if (!isImpossible(exampleSchema(example))) return [];
  const wrong = leavesOf(example, []).filter(({ keys, value }) => isImpossible(schemaIfRequired(keys, exampleSchema(value))));
  const leaves = wrong.length > 0 ? wrong : [{ keys: [], value: example }];
  return leaves.map(({ keys, value }) => {
    const { message, clause } = explainImpossible(about, keys, value);
    return createFinding(about.subject, [...about.keys, ...keys], { id: 'response/example', grade: 'impossible', message, clause });
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

function judgeExpectation(about: BodyContext, demand: BodyExpectation): { readonly finding?: PactFinding; readonly why?: string } {
  const { inclusions } = about.subject;
  const separation = inclusions.separate(about.allowed, schemaIfPresent(demand.at, demand.schema));
  if (separation.kind === 'none') return {};
  if (separation.kind === 'open') return { why: separation.why };
  const met = schemaIfRequired(demand.at, demand.member === undefined ? demand.schema : { type: 'object', ...asObject(demand.schema) });
  const isPossible = inclusions.separate([...about.allowed, met], false).kind !== 'none';
  const explained = explainFinding(about, demand, separation.value, isPossible);
  const grade = isPossible ? 'unpromised' : 'impossible';
  const witness = { value: separation.value, pointer: failingPointer(about, demand, separation.value) };
  return { finding: createFinding(about.subject, [...about.keys, ...demand.keys], { id: 'response/body', grade, ...explained, witness }) };
}

function asObject(schema: Schema): { readonly [key: string]: Json } {
  return isObject(schema) ? schema : {};
}

/** Of several findings at one place the gravest is told, and of equals the first. */
function keepWorst(findings: readonly PactFinding[]): readonly PactFinding[] {
  const best = new Map<string, PactFinding>();
  for (const finding of findings) {
    const known = best.get(finding.pointer);
    if (known === undefined || (known.grade === 'unpromised' && finding.grade === 'impossible')) best.set(finding.pointer, finding);
  }
  return [...best.values()];
}

/**
 * What stands inside of a member that the contract does not know is unknown with it, and where a record may stand elsewhere nothing inside of it is
 * promised: each is one finding.
 */
function withoutNested(about: BodyContext, demands: readonly BodyExpectation[], findings: readonly PactFinding[]): readonly PactFinding[] {
  const base = `${about.subject.interaction.pointer}${toPointer(about.keys)}`;
  const unknown = new Set(demands.filter((demand) => isUnknownMember(about, demand)).map(({ keys }) => `${base}${toPointer(keys)}`));
  const outer = findings.filter(({ pointer, question }) => unknown.has(pointer) || question !== undefined);
  return findings.filter(({ pointer, grade }) => grade === 'impossible' || !outer.some((each) => pointer.startsWith(`${each.pointer}/`)));
}

/** What is said of a finding. */
interface FindingText {
  readonly message: string;
  readonly clause: Place | undefined;
  readonly question?: Question | undefined;
}

/** Whether a demand is about a member that no schema of the contract names. */
function isUnknownMember({ subject, schema }: Pick<BodyContext, 'subject' | 'schema'>, { at, member }: BodyExpectation): boolean {
  return member !== undefined && schemasAt(subject.operation.document, schema, pointerOf([...at, member])).length === 0;
}

/** Says why an expectation is not promised, or can never be met. */
function explainFinding(about: BodyContext, demand: BodyExpectation, witness: Json, isPossible: boolean): FindingText {
  return demand.member === undefined
    ? explainValue(about, demand, witness, isPossible)
    : explainMember(about, demand, demand.member, isPossible);
}

/** Says why a value of an example can never come. */
function explainImpossible(about: BodyContext, keys: readonly (string | number)[], value: Json): FindingText {
  const { operation, interaction } = about.subject;
  const at = printBodyPath(keys);
  const schemas = schemasAt(operation.document, about.schema, toPointer(keys));
  const who = `a ${interaction.response.status} of ${operation.id}`;
  if (keys.length === 0) {
    return {
      message: `${who} never looks like this example; compare it with the contract, and with what the request asks for`,
      clause: placeOf(about, schemas),
    };
  }
  const allowed = describeAllowed(schemas);
  const expected = allowed === undefined ? 'the contract and the request leave no room for it' : `the contract says ${allowed}`;
  return { message: `${at} is never ${show(value)} in ${who}: ${expected}; correct the example`, clause: placeOf(about, schemas) };
}

function explainMember(about: BodyContext, demand: BodyExpectation, member: string, isPossible: boolean): FindingText {
  const { document, id } = about.subject.operation;
  const at = printBodyPath(demand.keys);
  const own = schemasAt(document, about.schema, pointerOf([...demand.at, member]));
  const holders = schemasAt(document, about.schema, pointerOf(demand.at));
  if (own.length === 0) {
    const meant = nearest(member, namesIn(holders));
    const way = meant === undefined ? 'leave it out of the pact, or have it added to the contract' : `is ${meant} meant?`;
    const said = isPossible
      ? `the contract of ${id} does not know ${at}, so no answer has to hold it`
      : `the contract of ${id} allows no ${at}`;
    return { message: `${said}; ${way}`, clause: placeOfMembers(about, holders) };
  }
  if (!isPossible)
    return { message: `${at} is never in this answer of ${id}, and the pact expects it; leave it out`, clause: placeOf(about, own) };
  const question = questionAt(about, [...demand.at, member], own);
  const why = question === undefined ? 'the contract does not require it' : `that is an open question (${question.question})`;
  return {
    message: `${at} may be missing: ${why}; do not rely on it, and leave it out of the pact`,
    clause: placeOf(about, own),
    question,
  };
}

function explainValue(about: BodyContext, demand: BodyExpectation, witness: Json, isPossible: boolean): FindingText {
  const { document, id } = about.subject.operation;
  const at = printBodyPath(demand.keys);
  const schemas = schemasAt(document, about.schema, pointerOf(demand.at));
  const found = valueAt(witness, failingPointer(about, demand, witness));
  const clause = placeOf(about, schemas);
  if (!isPossible) {
    const allowed = describeAllowed(schemas);
    const says =
      allowed === undefined ? 'and the contract and the request leave no room for that' : `and the contract of ${id} says ${allowed}`;
    return { message: `the pact expects ${demand.said} at ${at}, ${says}; correct the expectation`, clause };
  }
  const question = questionAt(about, demand.at, schemas);
  const why = question === undefined ? '' : `, an open question (${question.question}),`;
  return {
    message: `${at} may be ${show(found ?? null)}${why}${question === undefined ? ',' : ''} and the pact expects ${demand.said}; ${adviceFor(demand, found)}`,
    clause,
    question,
  };
}

function adviceFor({ schema }: BodyExpectation, found: Json | undefined): string {
  const rule = isObject(schema) ? schema : {};
  if (found === null) return 'accept null as well, or leave it out';
  if (Array.isArray(found)) {
    return found.length === 0
      ? 'say in a state that there is one, or accept an empty list'
      : 'match each element by its type, whatever their number';
  }
  if (rule['const'] !== undefined) return 'match it by its type, or let the request or a state fix the value';
  return rule['pattern'] === undefined ? 'accept what the contract allows' : 'widen the expression to what the contract allows';
}

/** Where in an answer the demand is not met. */
function failingPointer({ subject }: Pick<BodyContext, 'subject'>, demand: BodyExpectation, witness: Json): string {
  const places = pointersAlong(witness, demand.at, '');
  return places.find((place) => !subject.inclusions.allows(demand.schema, valueAt(witness, place) ?? null)) ?? '';
}

/** Every place of an instance that a path leads to. */
function pointersAlong(value: Json | undefined, at: readonly BodyStep[], pointer: string): readonly string[] {
  const [step, ...rest] = at;
  if (value === undefined) return [];
  if (step === undefined) return [pointer];
  const list = Array.isArray(value) ? (value as readonly Json[]) : undefined;
  if (step === null) return (list ?? []).flatMap((each, index) => pointersAlong(each, rest, `${pointer}/${index}`));
  if (typeof step === 'number') return pointersAlong(list?.[step], rest, `${pointer}/${step}`);
  const key = toPointer([step]);
  return isObject(value) ? pointersAlong(valueAt(value, key), rest, `${pointer}${key}`) : [];
}

function namesIn(schemas: readonly Schema[]): readonly string[] {
  return schemas.flatMap((schema) => (isObject(schema) && isObject(schema['properties']) ? Object.keys(schema['properties']) : []));
}

/** The line of the most telling schema at a place: the one that lists values or types, or the one that stands there. */
function placeOf(about: BodyContext, schemas: readonly Schema[]): Place | undefined {
  const objects = schemas.filter(isObject);
  const telling = ['const', 'enum', 'pattern', 'format', 'type'].flatMap((keyword) =>
    objects.filter((schema) => schema[keyword] !== undefined).map((schema) => ({ schema, keyword })),
  )[0];
  const { place } = about.subject.operation.document;
  if (telling !== undefined) return place(telling.schema, telling.keyword);
  const [first] = objects;
  return first === undefined ? about.subject.operation.place : place(first);
}

/** The line where a member would be named. */
function placeOfMembers(about: BodyContext, holders: readonly Schema[]): Place | undefined {
  const holder = holders.filter(isObject).find((schema) => isObject(schema['properties']));
  return holder === undefined ? placeOf(about, holders) : about.subject.operation.document.place(holder, 'properties');
}

function describeAllowed(schemas: readonly Schema[]): string | undefined {
  const objects = schemas.filter(isObject);
  const listed = objects.find((schema) => Array.isArray(schema['enum']) || schema['const'] !== undefined);
  if (listed !== undefined) return listOf(listed);
  const typed = objects.find((schema) => typesOf(schema).length > 0);
  if (typed === undefined) return schemas.includes(false) ? 'that it is never there' : undefined;
  const detail =
    typeof typed['format'] === 'string' ? ` (${typed['format']})` : typeof typed['pattern'] === 'string' ? ` (${typed['pattern']})` : '';
  return `${typesOf(typed).join(' or ')}${detail}`;
}

function listOf(schema: JsonObject): string {
  const values = schema['const'] === undefined ? (schema['enum'] as readonly Json[]) : [schema['const']];
  return values.length === 1 ? show(values[0] ?? null) : `one of ${values.map((each) => show(each)).join(', ')}`;
}

function show(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** The question that leaves a place open: one about its value or about this member of its holder, or the one that asks where a record or its head stands. */
function questionAt(about: BodyContext, at: readonly BodyStep[], schemas: readonly Schema[]): Question | undefined {
  const [member] = at.slice(-1);
  const holders = schemasAt(about.subject.operation.document, about.schema, pointerOf(at.slice(0, -1)));
  const question =
    questionsBeside(about, schemas).find((each) => askedMembers(each).length === 0) ??
    questionsBeside(about, holders).find((each) => typeof member === 'string' && askedMembers(each).includes(member)) ??
    placeQuestion(about, at);
  return question;
}

function questionsBeside({ subject: { contract } }: BodyContext, schemas: readonly Schema[]): readonly Question[] {
  const asked = schemas.filter(isObject).map((schema) => contract.questions.get(String(schema['x-unspecified'])));
  return asked.filter((question) => question !== undefined);
}

function placeQuestion({ subject: { contract, operation } }: BodyContext, at: readonly BodyStep[]): Question | undefined {
  const pointer = pointerOf(at);
  const leads = (place: string): boolean => place === pointer || place.startsWith(`${pointer}/`);
  const [record] = questionsBelow(contract, `${operation.pointer}/x-resource/at`);
  if (record !== undefined && placesOf(contract, operation).some(leads)) return record;
  const [head] = questionsBelow(contract, `${operation.pointer}/x-collection/head`);
  const heads = head === undefined ? [] : [...head.choices.values()].filter((each) => typeof each === 'string');
  return heads.some((place) => leads(place) || place === pointerOf(at.slice(0, -1))) ? head : undefined;
}
