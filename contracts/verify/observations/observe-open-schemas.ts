/**
 * Observes open questions in the schemas of bodies and headers, after the other observations, in all replies: each different value at a place whose schema
 * depends on a question (`x-unspecified`) is evidence. No personal value is shown.
 */

import { askedMembers, type Question } from '../../../core/annotations/open-questions.ts';
import { headerOf } from '../../../core/http/exchange.ts';
import { isObject, type Json, type JsonObject, objectOrEmpty, printJson } from '../../../core/json.ts';
import { getOrCompute } from '../../../core/memo.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { responseFor, statusOf } from '../../../core/openapi/operation.ts';
import { referenceTarget, type Schema, schemasWithin } from '../../../core/openapi/schema-facts.ts';
import { parseSegmentParameter } from '../../../core/parameters/parse-parameter.ts';
import type { Reply } from '../evidence/call.ts';
import { rolesOfOtherTenants } from '../evidence/callers.ts';
import type { ObserverContext } from './observer-context.ts';
import { choicesWhere, type QuestionEvidence } from './question-evidence.ts';

/** Collects evidence from every open place of every reply: one for each different value, since values repeat across records. */
export function observeSchemas(contract: Contract, replies: readonly Reply[]): readonly QuestionEvidence[] {
  const places = new OpenPlaces(contract);
  const collector = new EvidenceCollector(contract);
  for (const reply of replies) visitReply(places, reply, (place) => collector.add(place));
  return collector.evidence();
}

function visitReply(places: OpenPlaces, { call, response, body }: Reply, report: ReportPlace): void {
  const rule = responseFor(call.operation, response.status);
  if (rule === undefined || call.operation.method === 'HEAD') return;
  for (const { name, parameter } of rule.headers) {
    const parsedHeader = parseSegmentParameter(parameter, headerOf(response.headers, name));
    if (parsedHeader.kind === 'value') places.visit(parameter.schema, parsedHeader.value, name, report);
  }
  const [content] = [...rule.content.values()];
  if (body !== undefined && content !== undefined) places.visit(content.schema, body, 'the body', report);
}

/** Presence of a value at a place. */
type Presence = 'absent' | 'null' | 'empty' | 'value';

/** Evidence of a value, with its presence. */
interface ValueEvidence extends QuestionEvidence {
  readonly presence: Presence;
}

/** Makes evidence of the values at open places. */
class EvidenceCollector {
  private readonly contract: Contract;
  private readonly evidenceByText = new Map<string, ValueEvidence>();
  private readonly judgedTexts = new Map<JsonObject, Set<string>>();
  private readonly absenceChoices = new Map<JsonObject, readonly string[] | undefined>();

  constructor(contract: Contract) {
    this.contract = contract;
  }

  add(place: OpenPlace): void {
    const judged = getOrCompute(this.judgedTexts, place.schema, () => new Set<string>());
    const text = `${place.name} ${place.value === undefined ? '' : printJson(place.value)}`;
    if (judged.has(text)) return;
    judged.add(text);
    const evidence = this.judge(place);
    if (evidence !== undefined)
      this.evidenceByText.set(printJson([evidence.question.id, evidence.fittingChoices, evidence.what]), evidence);
  }

  /**
   * The evidence so far. An empty text is neither null nor absent. If a question asks which of the two means "no value", and the server only ever sends an
   * empty text, no choice fits.
   */
  evidence(): readonly QuestionEvidence[] {
    const all = [...this.evidenceByText.values()];
    const hasAbsence = (id: string): boolean =>
      all.some(({ question, presence }) => question.id === id && (presence === 'null' || presence === 'absent'));
    return all.map((each) => (each.presence === 'empty' && !hasAbsence(each.question.id) ? { ...each, fittingChoices: [] } : each));
  }

  private judge(place: OpenPlace): ValueEvidence | undefined {
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
    return { question, fittingChoices, what, presence };
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
  return presence === 'empty' ? 'was an empty string' : `was ${presence}`;
}

/** Length of the longest value that is shown. A longer one is described and never cut, because redaction does not recognise half a secret. */
const maxLength = 40;

function describeValue({ schema, value }: OpenPlace, presence: Presence, showsValue: boolean): string {
  if (presence !== 'value') return describePresence(presence);
  if (!showsValue || schema['x-personal'] === true || typeof value === 'object') return 'had a value';
  const text = String(value);
  return text.length > maxLength ? `was a string of ${text.length} characters` : `was ${text}`;
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

/** Called for each open place. */
type ReportPlace = (place: OpenPlace) => void;

/** Finds the open places of values by the schemas of one contract. */
class OpenPlaces {
  private readonly contract: Contract;
  private readonly openSchemas = new Map<JsonObject, boolean>();

  constructor(contract: Contract) {
    this.contract = contract;
  }

  /** Reports every open place of a value. */
  visit(schema: Schema | Json | undefined, value: Json | undefined, name: string, report: ReportPlace): void {
    if (!isObject(schema) || !this.hasQuestion(schema)) return;
    const id = schema['x-unspecified'];
    if (typeof id === 'string') report({ id, schema, name, value });
    for (const each of this.schemasFor(schema, value)) this.visit(each, value, name, report);
    for (const element of listOf(value)) this.visit(schema['items'], element, name, report);
    if (!isObject(value)) return;
    const required = listOf(schema['required']);
    for (const [key, member] of Object.entries(objectOrEmpty(schema['properties']))) {
      // A missing required property is a violation, not an observation.
      if (Object.hasOwn(value, key)) this.visit(member, value[key], key, report);
      else if (!required.includes(key)) this.visit(member, undefined, key, report);
    }
  }

  /** True if a schema or one inside it has an open question. Most schemas have none, and their values need no visit. */
  hasQuestion(schema: JsonObject): boolean {
    return getOrCompute(this.openSchemas, schema, () =>
      [...schemasWithin(this.contract.closed, schema)].some((each) => typeof each['x-unspecified'] === 'string'),
    );
  }

  /** The other schemas of the same value: its reference, all of `allOf`, and the branches of `anyOf`, `oneOf` and `if` that it satisfies. */
  private schemasFor(schema: JsonObject, value: Json | undefined): readonly Json[] {
    const unconditional = [referenceTarget(this.contract.closed, schema) ?? true, ...listOf(schema['allOf'])];
    if (value === undefined) return unconditional;
    const alternatives = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])];
    const matching = alternatives.filter((each) => isObject(each) && this.hasQuestion(each) && this.holds(each, value));
    const condition = schema['if'];
    const branch = condition === undefined ? undefined : schema[this.holds(condition, value) ? 'then' : 'else'];
    return [...unconditional, ...matching, ...(branch === undefined ? [] : [branch])];
  }

  private holds(schema: Json, value: Json): boolean {
    return this.contract.validators.compile(schema as Schema)(value).length === 0;
  }
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** Reads a single resource with the keys of other tenants until one responds that it is absent, so that `observeSchemas` sees the error body. */
export async function readAbsentResource(context: ObserverContext): Promise<void> {
  const { round } = context;
  const places = new OpenPlaces(round.contract);
  const operation = round.contract.operations.find(
    (each) =>
      each.method === 'GET' &&
      each.resource?.by.size === 0 &&
      [...(responseFor(each, statusOf(each, 'absent'))?.content.values() ?? [])].some(
        ({ schema }) => isObject(schema) && places.hasQuestion(schema),
      ),
  );
  if (operation === undefined) return;
  for (const as of rolesOfOtherTenants(round.keys)) {
    const reply = await context.ask({ operation, as });
    if (reply?.response.status === statusOf(operation, 'absent')) return;
  }
}
