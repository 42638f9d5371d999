/** Explains findings about expected bodies in a sentence each, with the clause of the contract that they follow from. */

import { askedMembers, type Question, questionsBelow } from '../../../core/annotations/open-questions.ts';
import { placeQuestionOf, recordPlacesOf } from '../../../core/annotations/record-place.ts';
import { didYouMean } from '../../../core/did-you-mean.ts';
import type { SourceLocation } from '../../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { propertiesOf, type Schema, typesOf } from '../../../core/openapi/schema-facts.ts';
import { printBodyPath } from '../../../core/pact/body-path.ts';
import { fromPointer, toPointer, valueAt } from '../../../core/pointer.ts';
import type { PactFinding } from '../../../core/results/pact-check-result.ts';
import { type BodyExpectation, pointerOf, type Step } from './body-expectations.ts';
import type { FindingMessage } from './create-finding.ts';
import type { CheckContext } from './interaction-context.ts';
import { shorten } from './pact-matchers.ts';

/** The expected body of a response and the schemas that document it. */
export interface BodyContext {
  readonly context: CheckContext;
  /** Lists the schemas that may apply at a pointer. */
  readonly schemasAt: (pointer: string) => readonly Schema[];
  /** Schemas that every response satisfies: the documented one and the implied ones. */
  readonly allowed: readonly Schema[];
  /** Keys from the interaction to the body. */
  readonly keys: readonly string[];
}

/** The text of a finding, and the clause of the contract that it follows from. */
export interface FindingText {
  readonly message: FindingMessage;
  readonly clause: SourceLocation | undefined;
  readonly question?: Question | undefined;
}

/** Explains an expectation that is not guaranteed, or impossible. */
export function explainFinding(
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
export function explainImpossible(body: BodyContext, keys: readonly (string | number)[], value: Json): FindingText {
  const { operation, interaction } = body.context;
  const at = printBodyPath(keys);
  const schemas = body.schemasAt(toPointer(keys));
  const who = `a ${interaction.response.status} from ${operation.id}`;
  if (keys.length === 0 && typeof value === 'object') {
    return {
      message: [`${who} can never look like this example`, 'compare it with the contract and the request'],
      clause: clearestPlace(body, schemas),
    };
  }
  const allowed = describeAllowed(schemas);
  const expected = allowed === undefined ? 'the contract and the request do not allow it' : `the contract says ${allowed}`;
  return {
    message: [`${at} is never ${shorten(value)} in ${who}: ${expected}`, 'correct the example'],
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
        message: [`the record of ${id} is at ${printBodyPath(fromPointer(place))} in this contract, not in ${at}`, 'expect it there'],
        clause: placeOfMembers(body, holders),
      };
    const advice = didYouMean(member, propertyNames(holders), 'remove it from the pact, or add it to the contract');
    const problem = isPossible
      ? `the contract of ${id} does not define ${at}, so no response needs to have it`
      : `the contract of ${id} does not allow ${at}`;
    return { message: [problem, advice], clause: placeOfMembers(body, holders) };
  }
  if (!isPossible)
    return {
      message: [`${at} is never present in this response of ${id}, but the pact expects it`, 'remove it'],
      clause: clearestPlace(body, schemas),
    };
  const question = questionAt(body, [...expectation.path, member], schemas);
  const reason =
    question === undefined ? 'the contract does not require it' : `the contract leaves this unspecified (${question.question})`;
  return {
    message: [`${at} may be missing: ${reason}`, 'remove it from the pact'],
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
    return { message: [`the pact expects ${expectation.description} at ${at}, ${says}`, 'correct the pact'], clause };
  }
  const question = questionAt(body, expectation.path, schemas);
  const reason = question === undefined ? '' : ` (unspecified in the contract: ${question.question})`;
  return {
    message: [
      `${at} may be ${shorten(actual ?? null)}${reason}, but the pact expects ${expectation.description}`,
      adviceFor(expectation, actual),
    ],
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
      : 'match each element by type, however many there are';
  }
  if (rule['const'] !== undefined) return 'match it by type, or fix the value with a state or a parameter';
  return rule['pattern'] === undefined ? 'accept every value that the contract allows' : 'widen the pattern to every allowed value';
}

export function propertyNames(schemas: readonly Schema[]): readonly string[] {
  return [...propertiesOf(schemas.filter(isObject)).keys()];
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

/** Says what schemas allow; `undefined` if they do not say it in one of them. */
export function describeAllowed(schemas: readonly Schema[]): string | undefined {
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
  return values.length === 1 ? shorten(values[0] ?? null) : `one of ${values.map((each) => shorten(each)).join(', ')}`;
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
