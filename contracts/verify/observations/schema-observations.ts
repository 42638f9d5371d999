/** Open questions beside schemas of bodies and headers: what stands at their places in every answer. */

import { askedMembers, type Question } from '../../../core/annotations/profile.ts';
import { headerOf } from '../../../core/http/exchange.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { referred } from '../../../core/openapi/document.ts';
import { type Position, positionOf } from '../../../core/openapi/document-positions.ts';
import { responseFor, statusOf } from '../../../core/openapi/operation.ts';
import type { Schema } from '../../../core/openapi/schema.ts';
import { parseSegmentParameter } from '../../../core/parameters/parameter.ts';
import { otherTenants, type Reply } from '../engine/call.ts';
import { choicesWhere, type Inquiry, type QuestionEvidence } from './inquiry.ts';

/** Looks at every open place of every answer. */
export function observeSchemas(contract: Contract, replies: readonly Reply[]): readonly QuestionEvidence[] {
  const places = new OpenPlaces(contract);
  const history = new EvidenceCounter(contract);
  for (const reply of replies) visitReply(places, reply, (place) => history.note(place));
  return history.evidence();
}

function visitReply(places: OpenPlaces, { call, response, body }: Reply, tell: (place: OpenPlace) => void): void {
  const rule = responseFor(call.operation, response.status);
  if (rule === undefined || call.operation.method === 'HEAD') return;
  for (const { name, parameter } of rule.headers) {
    const reading = parseSegmentParameter(parameter, headerOf(response.headers, name));
    if (reading.kind === 'value') places.visitorOf(parameter.schema)?.(reading.value, name, tell);
  }
  const [content] = [...rule.content.values()];
  if (body !== undefined && content !== undefined) places.visitorOf(content.schema)?.(body, 'the body', tell);
}

/** Content of a place. */
type Filling = 'absent' | 'null' | 'empty' | 'value';

/** Equal fillings of one place are one entry. */
interface Entry {
  readonly question: Question;
  readonly suits: readonly string[];
  readonly what: string;
  readonly filling: Filling;
  times: number;
}

/** Counts what stands at open places. */
class EvidenceCounter {
  private readonly contract: Contract;
  private readonly entries = new Map<string, Entry>();
  /** Evidence of each value by schema: values repeat across records. */
  private readonly judged = new Map<JsonObject, Map<string, Entry | undefined>>();
  private readonly absence = new Map<JsonObject, readonly string[] | undefined>();

  constructor(contract: Contract) {
    this.contract = contract;
  }

  note(place: OpenPlace): void {
    const known = this.judged.get(place.schema) ?? new Map<string, Entry | undefined>();
    this.judged.set(place.schema, known);
    const text = `${place.name} ${place.value === undefined ? '' : JSON.stringify(place.value)}`;
    if (!known.has(text)) known.set(text, this.judge(place));
    const entry = known.get(text);
    if (entry !== undefined) entry.times += 1;
  }

  /**
   * An empty text is neither null nor absent. Where a question asks which of them says that there is nothing, and nothing but an empty text ever says
   * so, none of the answers is right.
   */
  evidence(): readonly QuestionEvidence[] {
    const all = [...this.entries.values()];
    const saysNothing = (id: string): boolean =>
      all.some(({ question, filling }) => question.id === id && (filling === 'null' || filling === 'absent'));
    return all.map(({ question, suits, what, filling, times }) => ({
      question,
      suits: filling === 'empty' && !saysNothing(question.id) ? [] : suits,
      what: times === 1 ? `${what} once` : `${what} ${times} times`,
    }));
  }

  private judge(place: OpenPlace): Entry | undefined {
    const question = this.contract.questions.get(place.id);
    if (question === undefined) return undefined;
    const sayingAbsent = this.choicesOfAbsence(place, question);
    const { value } = place;
    // Absence says something only where one of the answers is that there is nothing.
    if (value === undefined && sayingAbsent === undefined) return undefined;
    const suits = value === undefined ? (sayingAbsent ?? []) : choicesWhere(question, (name) => this.accepts(question, name, value));
    // A value that breaks the contract under every answer is no evidence.
    if (value !== undefined && suits.length < question.choices.size && !this.isLegal(place, value)) return undefined;
    const filling = fillingOf(value, sayingAbsent !== undefined);
    const isTold = suits.length === 0 || (suits.length < question.choices.size && isListing(question));
    const what = describeMembers(question, value) ?? `${place.name} ${describe(place, filling, isTold)}`;
    const key = JSON.stringify([question.id, suits, what]);
    const entry = this.entries.get(key) ?? { question, suits, what, filling, times: 0 };
    this.entries.set(key, entry);
    return entry;
  }

  private accepts(question: Question, name: string, value: Json): boolean {
    return this.contract.validators.compile((question.choices.get(name) ?? null) as Schema)(value).length === 0;
  }

  private isLegal({ schema }: OpenPlace, value: Json): boolean {
    return this.contract.validators.compile(schema)(value).length === 0;
  }

  /**
   * The choices by which a place is left out: `false` where there is one, and otherwise those that refuse null where others let it through.
   * `undefined` when a question is not about that at all.
   */
  private choicesOfAbsence({ schema }: OpenPlace, question: Question): readonly string[] | undefined {
    if (this.absence.has(schema)) return this.absence.get(schema);
    const forbidding = choicesWhere(question, (name) => question.choices.get(name) === false);
    const refusing = choicesWhere(question, (name) => !this.accepts(question, name, null));
    const isAboutNull =
      refusing.length > 0 && refusing.length < question.choices.size && this.contract.validators.compile(schema)(null).length === 0;
    const found = forbidding.length > 0 ? forbidding : isAboutNull ? refusing : undefined;
    this.absence.set(schema, found);
    return found;
  }
}

function fillingOf(value: Json | undefined, isAboutAbsence: boolean): Filling {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  return value === '' && isAboutAbsence ? 'empty' : 'value';
}

/** True when the choices of a question list values, so that few need naming. */
function isListing({ choices }: Question): boolean {
  return [...choices.values()].some((choice) => isObject(choice) && (choice['const'] !== undefined || choice['enum'] !== undefined));
}

/** Form of the members that a question is about, without their values; `undefined` for a question about the value itself. */
function describeMembers(question: Question, value: Json | undefined): string | undefined {
  const members = isObject(value) ? askedMembers(question) : [];
  if (!isObject(value) || members.length === 0) return undefined;
  return members.map((member) => `${member} ${sayFilling(fillingOf(value[member], true))}`).join(' and ');
}

function sayFilling(filling: Filling): string {
  if (filling === 'value') return 'had a value';
  return filling === 'empty' ? 'was an empty text' : `was ${filling}`;
}

/** No more of a value is told than this, and nothing of a personal one. */
const longest = 40;

function describe({ schema, value }: OpenPlace, filling: Filling, isTold: boolean): string {
  if (filling !== 'value') return sayFilling(filling);
  if (!isTold || schema['x-personal'] === true || typeof value === 'object') return 'had a value';
  return `was ${String(value).slice(0, longest)}`;
}

/** An open place that an instance has. */
interface OpenPlace {
  /** The question's identifier. */
  readonly id: string;
  /** The schema that the question stands beside. */
  readonly schema: JsonObject;
  /** Name of the place: that of the member. */
  readonly name: string;
  /** Value at the place; `undefined` for an absent one. */
  readonly value: Json | undefined;
}

/** Tells of every open place of a value. */
type Visit = (value: Json | undefined, name: string, tell: (place: OpenPlace) => void) => void;

/** Finds the open places of values, by the schemas of one contract; each schema is looked through once. */
class OpenPlaces {
  private readonly contract: Contract;
  private readonly known = new Map<JsonObject, Visit | undefined>();

  constructor(contract: Contract) {
    this.contract = contract;
  }

  /** Visitor of the values of a schema; `undefined` when nothing in it is open. */
  visitorOf(schema: Schema | Json | undefined): Visit | undefined {
    if (!isObject(schema)) return undefined;
    if (this.known.has(schema)) return this.known.get(schema);
    const visitor = this.isTelling(schema) ? this.compile(schema) : undefined;
    this.known.set(schema, visitor);
    return visitor;
  }

  /** Parts are looked through when a value first comes to them, so that a schema may lead back to itself. */
  private compile(schema: JsonObject): Visit {
    const id = schema['x-unspecified'];
    const target = referred(this.contract.closed, schema);
    const always = [...(target === undefined ? [] : [target]), ...listOf(schema['allOf'])];
    const visitMembers = this.memberVisitor(schema);
    return (value, name, tell) => {
      if (typeof id === 'string') tell({ id, schema, name, value });
      for (const part of always) this.visitorOf(part)?.(value, name, tell);
      if (value === undefined) return;
      for (const branch of this.branchesFor(schema, value)) this.visitorOf(branch)?.(value, name, tell);
      visitMembers(value, name, tell);
    };
  }

  private memberVisitor(schema: JsonObject): Visit {
    const members = Object.entries(isObject(schema['properties']) ? schema['properties'] : {});
    const required = listOf(schema['required']);
    return (value, name, tell) => {
      for (const element of listOf(value)) this.visitorOf(schema['items'])?.(element, name, tell);
      if (!isObject(value)) return;
      for (const [key, member] of members) {
        // A missing required property is a violation, not an observation.
        const isThere = Object.hasOwn(value, key);
        if (isThere || !required.includes(key)) this.visitorOf(member)?.(isThere ? value[key] : undefined, key, tell);
      }
    };
  }

  /** The branches of a schema that hold for a value: of alternatives those that it satisfies. */
  private branchesFor(schema: JsonObject, value: Json): readonly Json[] {
    const alternatives = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])];
    const telling = alternatives.filter((branch) => this.visitorOf(branch) !== undefined && this.holds(branch, value));
    const condition = schema['if'];
    if (condition === undefined) return telling;
    const branch = schema[this.holds(condition, value) ? 'then' : 'else'];
    return branch === undefined ? telling : [...telling, branch];
  }

  private holds(schema: Json, value: Json): boolean {
    return this.contract.validators.compile(schema as Schema)(value).length === 0;
  }

  /** True when a schema, or one that it refers to, has an open question. */
  private isTelling(schema: JsonObject): boolean {
    const seen = new Set<Json>();
    const waiting: (readonly [Json, Position])[] = [[schema, 'keywords']];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [value, position] = next;
      if (position === 'data' || position === 'extension' || seen.has(value)) continue;
      seen.add(value);
      if (position === 'keywords' && isObject(value) && typeof value['x-unspecified'] === 'string') return true;
      waiting.push(...this.partsOf(value, position));
    }
    return false;
  }

  private partsOf(value: Json, position: Position): readonly (readonly [Json, Position])[] {
    if (typeof value !== 'object' || value === null) return [];
    const target = position === 'keywords' && isObject(value) ? referred(this.contract.closed, value) : undefined;
    const members = Array.isArray(value) ? [...(value as readonly Json[]).entries()] : Object.entries(value as JsonObject);
    const parts = members.map(([key, member]) => [member, positionOf(position, key, member)] as const);
    return target === undefined ? parts : [...parts, [target, 'keywords']];
  }
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** Reads what exists once for each tenant with the keys of the other tenants, until one of them has none. What it answers is judged with all bodies. */
export async function seekAbsence(inquiry: Inquiry): Promise<readonly QuestionEvidence[]> {
  const { context } = inquiry;
  const places = new OpenPlaces(context.contract);
  const operation = context.contract.operations.find(
    (each) =>
      each.method === 'GET' &&
      each.resource?.by.size === 0 &&
      [...(responseFor(each, statusOf(each, 'absent'))?.content.values() ?? [])].some(
        ({ schema }) => places.visitorOf(schema) !== undefined,
      ),
  );
  if (operation === undefined) return [];
  for (const as of otherTenants(context.keys)) {
    const reply = await inquiry.ask({ operation, as });
    if (reply?.response.status === statusOf(operation, 'absent')) break;
  }
  return [];
}
