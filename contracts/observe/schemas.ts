/** What answers say about the questions that stand beside schemas of bodies and headers. */

import type { Contract } from '../../core/contract.ts';
import { headerOf } from '../../core/exchange.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { responseFor } from '../../core/operation.ts';
import { parseSegmentParameter } from '../../core/parameter.ts';
import { askedMembers, type Question } from '../../core/profile.ts';
import type { Schema } from '../../core/schema.ts';
import type { Reply } from '../reply.ts';
import { type OpenPlace, OpenPlaces } from './open-places.ts';
import { choicesWhere, type Sight } from './sight.ts';

/** Looks at every open place of every answer. */
export function observeSchemas(contract: Contract, replies: readonly Reply[]): readonly Sight[] {
  const places = new OpenPlaces(contract);
  const ledger = new Ledger(contract);
  for (const reply of replies) visitReply(places, reply, (place) => ledger.note(place));
  return ledger.sights();
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

/** How a place is filled. */
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
class Ledger {
  private readonly contract: Contract;
  private readonly entries = new Map<string, Entry>();
  /** What each value says, by schema: values repeat, since records do. */
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
  sights(): readonly Sight[] {
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
    // What breaks the contract however the question is answered says nothing about it.
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

/** Whether the answers of a question list values, so that there are only a few of them to name. */
function isListing({ choices }: Question): boolean {
  return [...choices.values()].some((choice) => isObject(choice) && (choice['const'] !== undefined || choice['enum'] !== undefined));
}

/** How the members are filled that a question is about, of which no value is told; `undefined` for a question about the value itself. */
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
