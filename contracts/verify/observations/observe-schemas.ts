/**
 * Observes open questions in the schemas of bodies and headers. An open place is a place in a reply whose schema depends on a question (`x-unspecified`); its
 * values are counted over all replies. `observe-open-questions.ts` calls `observeSchemas` once, after all requests, and before that `readAbsentResource`, which
 * sends requests until one gives the body of an error. No personal value is shown.
 */

import { askedMembers, type Question } from '../../../core/annotations/open-questions.ts';
import { headerOf } from '../../../core/http/exchange.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { getOrCompute } from '../../../core/memo.ts';
import type { Schema } from '../../../core/openapi/applicable-schemas-and-types.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { followOnce } from '../../../core/openapi/document.ts';
import { type MemberMeaning, meaningOf } from '../../../core/openapi/document-members.ts';
import { responseFor, statusOf } from '../../../core/openapi/operation.ts';
import { parseSegmentParameter } from '../../../core/parameters/parse-and-print-parameter.ts';
import type { Reply } from '../evidence/call-and-reply.ts';
import { rolesOfOtherTenants } from '../evidence/callers-and-keys.ts';
import type { ObserverContext } from './observer-context.ts';
import { choicesWhere, type QuestionEvidence } from './question-evidence.ts';

/** Collects evidence from every open place of every reply. */
export function observeSchemas(contract: Contract, replies: readonly Reply[]): readonly QuestionEvidence[] {
  const places = new OpenPlaces(contract);
  const counter = new EvidenceCounter(contract);
  for (const reply of replies) visitReply(places, reply, (place) => counter.add(place));
  return counter.evidence();
}

function visitReply(places: OpenPlaces, { call, response, body }: Reply, report: (place: OpenPlace) => void): void {
  const rule = responseFor(call.operation, response.status);
  if (rule === undefined || call.operation.method === 'HEAD') return;
  for (const { name, parameter } of rule.headers) {
    const parsedHeader = parseSegmentParameter(parameter, headerOf(response.headers, name));
    if (parsedHeader.kind === 'value') places.visitorOf(parameter.schema)?.(parsedHeader.value, name, report);
  }
  const [content] = [...rule.content.values()];
  if (body !== undefined && content !== undefined) places.visitorOf(content.schema)?.(body, 'the body', report);
}

/** Presence of a value at a place. */
type Presence = 'absent' | 'null' | 'empty' | 'value';

/** Equal values at one place, counted. */
interface CountedValue {
  readonly question: Question;
  readonly fittingChoices: readonly string[];
  readonly what: string;
  readonly presence: Presence;
  times: number;
}

/** Counts the values at open places. */
class EvidenceCounter {
  private readonly contract: Contract;
  private readonly countedValues = new Map<string, CountedValue>();
  /** Evidence of each value by schema: values repeat across records. */
  private readonly countedBySchema = new Map<JsonObject, Map<string, CountedValue | undefined>>();
  private readonly absenceChoices = new Map<JsonObject, readonly string[] | undefined>();

  constructor(contract: Contract) {
    this.contract = contract;
  }

  add(place: OpenPlace): void {
    const countedByText = getOrCompute(this.countedBySchema, place.schema, () => new Map<string, CountedValue | undefined>());
    const text = `${place.name} ${place.value === undefined ? '' : JSON.stringify(place.value)}`;
    if (!countedByText.has(text)) countedByText.set(text, this.toEntry(place));
    const entry = countedByText.get(text);
    if (entry !== undefined) entry.times += 1;
  }

  /**
   * Makes the evidence. An empty text is neither null nor absent. If a question asks which of the two means "no value", and the server only ever sends an
   * empty text, no choice fits.
   */
  evidence(): readonly QuestionEvidence[] {
    const countedValues = [...this.countedValues.values()];
    const hasAbsence = (id: string): boolean =>
      countedValues.some(({ question, presence }) => question.id === id && (presence === 'null' || presence === 'absent'));
    return countedValues.map(({ question, fittingChoices, what, presence, times }) => ({
      question,
      fittingChoices: presence === 'empty' && !hasAbsence(question.id) ? [] : fittingChoices,
      what: times === 1 ? `${what} once` : `${what} ${times} times`,
    }));
  }

  private toEntry(place: OpenPlace): CountedValue | undefined {
    const question = this.contract.questions.get(place.id);
    if (question === undefined) return undefined;
    const choicesForAbsence = this.choicesOfAbsence(place, question);
    const { value } = place;
    // An absent value is evidence only for a question about absence.
    if (value === undefined && choicesForAbsence === undefined) return undefined;
    const fittingChoices =
      value === undefined ? (choicesForAbsence ?? []) : choicesWhere(question, (name) => this.accepts(question, name, value));
    // A value that violates the contract under every choice is no evidence.
    if (value !== undefined && fittingChoices.length < question.choices.size && !this.isLegal(place, value)) return undefined;
    const presence = presenceOf(value, choicesForAbsence !== undefined);
    const showsValue = fittingChoices.length === 0 || (fittingChoices.length < question.choices.size && listsValues(question));
    const what = describeMembers(question, value) ?? `${place.name} ${describeValue(place, presence, showsValue)}`;
    const key = JSON.stringify([question.id, fittingChoices, what]);
    return getOrCompute(this.countedValues, key, () => ({ question, fittingChoices, what, presence, times: 0 }));
  }

  private accepts(question: Question, name: string, value: Json): boolean {
    return this.contract.validators.compile((question.choices.get(name) ?? null) as Schema)(value).length === 0;
  }

  private isLegal({ schema }: OpenPlace, value: Json): boolean {
    return this.contract.validators.compile(schema)(value).length === 0;
  }

  /**
   * The choices that mean absence: `false` if there is one, else those that refuse null while others allow it. `undefined` for a question that is not
   * about absence.
   */
  private choicesOfAbsence({ schema }: OpenPlace, question: Question): readonly string[] | undefined {
    if (this.absenceChoices.has(schema)) return this.absenceChoices.get(schema);
    const forbiddingChoices = choicesWhere(question, (name) => question.choices.get(name) === false);
    const nullRefusingChoices = choicesWhere(question, (name) => !this.accepts(question, name, null));
    const isAboutNull =
      nullRefusingChoices.length > 0 &&
      nullRefusingChoices.length < question.choices.size &&
      this.contract.validators.compile(schema)(null).length === 0;
    const choices = forbiddingChoices.length > 0 ? forbiddingChoices : isAboutNull ? nullRefusingChoices : undefined;
    this.absenceChoices.set(schema, choices);
    return choices;
  }
}

function presenceOf(value: Json | undefined, isAboutAbsence: boolean): Presence {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  return value === '' && isAboutAbsence ? 'empty' : 'value';
}

/** True if the choices of a question list values, so that naming a value helps. */
function listsValues({ choices }: Question): boolean {
  return [...choices.values()].some((choice) => isObject(choice) && (choice['const'] !== undefined || choice['enum'] !== undefined));
}

/** Presence of the members that a question is about; `undefined` for a question about the value itself. */
function describeMembers(question: Question, value: Json | undefined): string | undefined {
  const members = isObject(value) ? askedMembers(question) : [];
  if (!isObject(value) || members.length === 0) return undefined;
  return members.map((member) => `${member} ${describePresence(presenceOf(value[member], true))}`).join(' and ');
}

function describePresence(presence: Presence): string {
  if (presence === 'value') return 'had a value';
  return presence === 'empty' ? 'was an empty text' : `was ${presence}`;
}

/** Length of the longest value that is shown. A longer one is described and never cut, because redaction does not recognise half a secret. */
const maxLength = 40;

function describeValue({ schema, value }: OpenPlace, presence: Presence, showsValue: boolean): string {
  if (presence !== 'value') return describePresence(presence);
  if (!showsValue || schema['x-personal'] === true || typeof value === 'object') return 'had a value';
  const text = String(value);
  return text.length > maxLength ? `was a text of ${text.length} characters` : `was ${text}`;
}

/** A place of a value whose schema has an open question. */
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

/** Reports every open place of a value. */
type PlaceVisitor = (value: Json | undefined, name: string, report: (place: OpenPlace) => void) => void;

/** Finds the open places of values by the schemas of one contract. Each schema is compiled once. */
class OpenPlaces {
  private readonly contract: Contract;
  private readonly visitors = new Map<JsonObject, PlaceVisitor | undefined>();

  constructor(contract: Contract) {
    this.contract = contract;
  }

  /** The visitor for values of a schema; `undefined` if the schema has no open question. */
  visitorOf(schema: Schema | Json | undefined): PlaceVisitor | undefined {
    if (!isObject(schema)) return undefined;
    if (this.visitors.has(schema)) return this.visitors.get(schema);
    const visitor = this.hasQuestion(schema) ? this.compile(schema) : undefined;
    this.visitors.set(schema, visitor);
    return visitor;
  }

  /** Compiles a schema. Its subschemas are compiled at the first value, because schemas may be recursive. */
  private compile(schema: JsonObject): PlaceVisitor {
    const id = schema['x-unspecified'];
    const target = followOnce(this.contract.closed, schema);
    const unconditional = [...(target === undefined ? [] : [target]), ...listOf(schema['allOf'])];
    const visitMembers = this.memberVisitor(schema);
    return (value, name, report) => {
      if (typeof id === 'string') report({ id, schema, name, value });
      for (const subschema of unconditional) this.visitorOf(subschema)?.(value, name, report);
      if (value === undefined) return;
      for (const branch of this.branchesFor(schema, value)) this.visitorOf(branch)?.(value, name, report);
      visitMembers(value, name, report);
    };
  }

  private memberVisitor(schema: JsonObject): PlaceVisitor {
    const members = Object.entries(isObject(schema['properties']) ? schema['properties'] : {});
    const required = listOf(schema['required']);
    return (value, name, report) => {
      for (const element of listOf(value)) this.visitorOf(schema['items'])?.(element, name, report);
      if (!isObject(value)) return;
      for (const [key, member] of members) {
        // A missing required property is a violation, not an observation.
        const isPresent = Object.hasOwn(value, key);
        if (isPresent || !required.includes(key)) this.visitorOf(member)?.(isPresent ? value[key] : undefined, key, report);
      }
    };
  }

  /** The branches of `anyOf`, `oneOf` and `if` that a value satisfies. */
  private branchesFor(schema: JsonObject, value: Json): readonly Json[] {
    const alternatives = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])];
    const matching = alternatives.filter((alternative) => this.visitorOf(alternative) !== undefined && this.holds(alternative, value));
    const condition = schema['if'];
    if (condition === undefined) return matching;
    const branch = schema[this.holds(condition, value) ? 'then' : 'else'];
    return branch === undefined ? matching : [...matching, branch];
  }

  private holds(schema: Json, value: Json): boolean {
    return this.contract.validators.compile(schema as Schema)(value).length === 0;
  }

  /** True if a schema has an open question, directly or by reference. */
  private hasQuestion(schema: JsonObject): boolean {
    const visited = new Set<Json>();
    const queue: (readonly [Json, MemberMeaning])[] = [[schema, 'keywords']];
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) {
      const [value, meaning] = item;
      if (meaning === 'data' || meaning === 'extension' || visited.has(value)) continue;
      visited.add(value);
      if (meaning === 'keywords' && isObject(value) && typeof value['x-unspecified'] === 'string') return true;
      queue.push(...this.membersWithMeaning(value, meaning));
    }
    return false;
  }

  private membersWithMeaning(value: Json, meaning: MemberMeaning): readonly (readonly [Json, MemberMeaning])[] {
    if (typeof value !== 'object' || value === null) return [];
    const target = meaning === 'keywords' && isObject(value) ? followOnce(this.contract.closed, value) : undefined;
    const members = Array.isArray(value) ? [...(value as readonly Json[]).entries()] : Object.entries(value as JsonObject);
    const parts = members.map(([key, member]) => [member, meaningOf(meaning, key, member)] as const);
    return target === undefined ? parts : [...parts, [target, 'keywords']];
  }
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** Reads a single resource with the keys of other tenants until one responds that it is absent. `observeSchemas` then reads the error body. */
export async function readAbsentResource(context: ObserverContext): Promise<readonly QuestionEvidence[]> {
  const { round } = context;
  const places = new OpenPlaces(round.contract);
  const operation = round.contract.operations.find(
    (each) =>
      each.method === 'GET' &&
      each.resource?.by.size === 0 &&
      [...(responseFor(each, statusOf(each, 'absent'))?.content.values() ?? [])].some(
        ({ schema }) => places.visitorOf(schema) !== undefined,
      ),
  );
  if (operation === undefined) return [];
  for (const as of rolesOfOtherTenants(round.keys)) {
    const reply = await context.ask({ operation, as });
    if (reply?.response.status === statusOf(operation, 'absent')) break;
  }
  return [];
}
