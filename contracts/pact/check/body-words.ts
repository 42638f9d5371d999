/** What is said of an expected body that the contract does not hold: what may come instead, why, and the way out. */

import { nearest, type Place } from '../../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { OpenQuestion } from '../../../core/pact-check.ts';
import { printPath } from '../../../core/pact-path.ts';
import { toPointer, valueAt } from '../../../core/pointer.ts';
import { askedMembers, type Question } from '../../../core/profile.ts';
import { type Schema, schemasAt, typesOf } from '../../../core/schema.ts';
import type { Demand, Step } from './demand.ts';
import { openPlace, placesOf, pointerOf } from './known.ts';
import { toOpenQuestion } from './question.ts';
import type { BodyCase } from './subject.ts';

/** What is said of a finding. */
export interface Explained {
  readonly message: string;
  readonly clause: Place | undefined;
  readonly question?: OpenQuestion | undefined;
}

/** Whether a demand is about a member that no schema of the contract names. */
export function isUnknownMember({ subject, schema }: Pick<BodyCase, 'subject' | 'schema'>, { at, member }: Demand): boolean {
  return member !== undefined && schemasAt(subject.operation.document, schema, pointerOf([...at, member])).length === 0;
}

/** Says why an expectation is not promised, or can never be met. */
export function explainUnpromised(about: BodyCase, demand: Demand, witness: Json, isPossible: boolean): Explained {
  return demand.member === undefined
    ? explainValue(about, demand, witness, isPossible)
    : explainMember(about, demand, demand.member, isPossible);
}

/** Says why a value of an example can never come. */
export function explainImpossible(about: BodyCase, keys: readonly (string | number)[], value: Json): Explained {
  const { operation, interaction } = about.subject;
  const at = printPath(keys);
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

function explainMember(about: BodyCase, demand: Demand, member: string, isPossible: boolean): Explained {
  const { document, id } = about.subject.operation;
  const at = printPath(demand.keys);
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

function explainValue(about: BodyCase, demand: Demand, witness: Json, isPossible: boolean): Explained {
  const { document, id } = about.subject.operation;
  const at = printPath(demand.keys);
  const schemas = schemasAt(document, about.schema, pointerOf(demand.at));
  const found = valueAt(witness, refusedIn(about, demand, witness));
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
    message: `${at} may be ${show(found ?? null)}${why}${question === undefined ? ',' : ''} and the pact expects ${demand.said}; ${wayOut(demand, found)}`,
    clause,
    question,
  };
}

function wayOut({ schema }: Demand, found: Json | undefined): string {
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
export function refusedIn({ subject }: Pick<BodyCase, 'subject'>, demand: Demand, witness: Json): string {
  const places = locate(witness, demand.at, '');
  return places.find((place) => !subject.inclusions.allows(demand.schema, valueAt(witness, place) ?? null)) ?? '';
}

/** Every place of an instance that a path leads to. */
function locate(value: Json | undefined, at: readonly Step[], pointer: string): readonly string[] {
  const [step, ...rest] = at;
  if (value === undefined) return [];
  if (step === undefined) return [pointer];
  const list = Array.isArray(value) ? (value as readonly Json[]) : undefined;
  if (step === null) return (list ?? []).flatMap((each, index) => locate(each, rest, `${pointer}/${index}`));
  if (typeof step === 'number') return locate(list?.[step], rest, `${pointer}/${step}`);
  const key = toPointer([step]);
  return isObject(value) ? locate(valueAt(value, key), rest, `${pointer}${key}`) : [];
}

function namesIn(schemas: readonly Schema[]): readonly string[] {
  return schemas.flatMap((schema) => (isObject(schema) && isObject(schema['properties']) ? Object.keys(schema['properties']) : []));
}

/** The line of the most telling schema at a place: the one that lists values or types, or the one that stands there. */
function placeOf(about: BodyCase, schemas: readonly Schema[]): Place | undefined {
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
function placeOfMembers(about: BodyCase, holders: readonly Schema[]): Place | undefined {
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
function questionAt(about: BodyCase, at: readonly Step[], schemas: readonly Schema[]): OpenQuestion | undefined {
  const [member] = at.slice(-1);
  const holders = schemasAt(about.subject.operation.document, about.schema, pointerOf(at.slice(0, -1)));
  const question =
    questionsBeside(about, schemas).find((each) => askedMembers(each).length === 0) ??
    questionsBeside(about, holders).find((each) => typeof member === 'string' && askedMembers(each).includes(member)) ??
    placeQuestion(about, at);
  return question === undefined ? undefined : toOpenQuestion(question);
}

function questionsBeside({ subject: { contract } }: BodyCase, schemas: readonly Schema[]): readonly Question[] {
  const asked = schemas.filter(isObject).map((schema) => contract.questions.get(String(schema['x-unspecified'])));
  return asked.filter((question) => question !== undefined);
}

function placeQuestion({ subject: { contract, operation } }: BodyCase, at: readonly Step[]): ReturnType<typeof openPlace> {
  const pointer = pointerOf(at);
  const leads = (place: string): boolean => place === pointer || place.startsWith(`${pointer}/`);
  const record = openPlace(contract, operation, '/x-resource/at');
  if (record !== undefined && placesOf(contract, operation).some(leads)) return record;
  const head = openPlace(contract, operation, '/x-collection/head');
  const heads = head === undefined ? [] : [...head.choices.values()].filter((each) => typeof each === 'string');
  return heads.some((place) => leads(place) || place === pointerOf(at.slice(0, -1))) ? head : undefined;
}
