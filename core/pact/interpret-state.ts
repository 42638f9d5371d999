/**
 * Interprets the provider states of pacts before they are checked or verified: by a meaning from the configuration, by a known form, or by a guess if the
 * wording is plain. No server is asked.
 */

import { type SourceLocation, UsageError } from '../errors.ts';
import { type Json, type JsonObject, printJson } from '../json.ts';
import type { Contract } from '../openapi/contract.ts';
import type { Interaction, ProviderState } from './pact.ts';
import { isNamed, normalizeStateName, parseProviderState, type StateCondition, toProviderState } from './state-condition.ts';

/**
 * The meaning of a provider state: the name of a known state, or a fact such as `{ absent: 'things', id: 5 }` or `{ exists: 'things', status: 'ready' }`.
 * The further members of a fact are fields of the record.
 */
export type StateMeaning = string | Readonly<Record<string, Json>>;

/** Meanings by the name of the state. */
export type StateMeanings = Readonly<Record<string, StateMeaning>>;

/** A provider state without a known form or a meaning. */
export interface UnrecognisedState {
  /** The name in the pact. */
  readonly name: string;
  /** The guessed meaning, as the name of a known state; `undefined` if the wording is not plain. */
  readonly guess: string | undefined;
  /** Number of interactions that need the state. */
  readonly interactions: number;
  /** Place of the first of them. */
  readonly place: SourceLocation;
}

/** Settings for interpreting states. */
export interface StateInterpretation {
  /** Meanings from the configuration. They win over the form of the name. */
  readonly meanings: StateMeanings;
  /** False if the provider sets up its own states, so that a guess is not needed. */
  readonly canGuess: boolean;
}

/** Returns the condition of a state; `undefined` if it is unknown. */
export function interpretState(
  contract: Contract,
  state: ProviderState,
  { meanings, canGuess }: StateInterpretation,
): StateCondition | undefined {
  const meaning = meaningOf(state.name, meanings);
  if (meaning !== undefined) return readMeaning(contract, meaning);
  return parseProviderState(contract, state) ?? (canGuess ? guessCondition(contract, state) : undefined);
}

/**
 * Lists each guessed or unknown state once, in the order of the pacts. Without guesses, the list is empty.
 * @throws {UsageError} for a meaning that the contract does not know.
 */
export function listUnrecognisedStates(
  uses: readonly { readonly contract: Contract; readonly interaction: Interaction }[],
  { meanings, canGuess }: StateInterpretation,
): readonly UnrecognisedState[] {
  const states = new Map<string, UnrecognisedState>();
  for (const { contract, interaction } of uses) {
    for (const state of interaction.states) {
      const meaning = meaningOf(state.name, meanings);
      if (meaning !== undefined) requireMeaning(contract, state.name, meaning);
      else if (canGuess && parseProviderState(contract, state) === undefined) {
        const condition = guessCondition(contract, state);
        const guess = condition && toProviderState(condition).name;
        const key = printJson([contract.name, state.name, guess]);
        const listedState = states.get(key);
        const { place } = listedState ?? interaction;
        states.set(key, { name: state.name, guess, interactions: (listedState?.interactions ?? 0) + 1, place });
      }
    }
  }
  return [...states.values()];
}

function meaningOf(name: string, meanings: StateMeanings): StateMeaning | undefined {
  const [, meaning] =
    Object.entries(meanings).find(([each]) => normalizeStateName(each).toLowerCase() === normalizeStateName(name).toLowerCase()) ?? [];
  return meaning;
}

function requireMeaning(contract: Contract, name: string, meaning: StateMeaning): void {
  if (readMeaning(contract, meaning) !== undefined) return;
  const { collections, resources } = contract;
  const singleNames = resources.filter(({ by }) => by.size === 0).map((each) => each.name);
  const nouns = [...new Set([...collections.map((each) => each.name), ...singleNames])];
  throw new UsageError(
    `the state "${name}" has the meaning ${printJson(meaning)}, which ${contract.name} does not know; write the name of a known state, { exists: NOUN } or { absent: NOUN, FIELD: VALUE }, with one of the nouns ${nouns.join(', ')}`,
  );
}

/** A fact is written as a known state. */
function readMeaning(contract: Contract, meaning: StateMeaning): StateCondition | undefined {
  if (typeof meaning === 'string') return parseProviderState(contract, { name: meaning, params: {} });
  const { exists, absent, ...fields } = meaning;
  if (typeof exists === 'string') return parseProviderState(contract, { name: `a ${exists} exists`, params: { where: fields } });
  const [field, ...others] = Object.keys(fields);
  if (typeof absent !== 'string' || others.length > 0) return undefined;
  const name = field === undefined ? `no ${absent} exists` : `no ${absent} has this ${field}`;
  return parseProviderState(contract, { name, params: fields });
}

/** An identifier in a name: it contains a digit, or is quoted. */
const identifier = String.raw`(#?[\w.:-]*\d[\w.:-]*|"[^"]+"|'[^']+')`;

/** Plain wordings, each with a known one. `KEY` stands for the identity of the records. */
const wordings: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`^(?:the |an? )?(\\S+) ${identifier} (?:does not|doesn't) exist$`, 'i'), 'no $1 has KEY $2'],
  [/^(?:the |an? )?(\S+) (?:with )?(\S+) (\S+) (?:does not|doesn't) exist$/i, 'no $1 has $2 $3'],
  [/^(?:the |an? )?(\S+) (?:does not|doesn't) exist$/i, 'no $1 exists'],
  [/^no (\S+) with (?:the )?(\S+) (\S+)(?: exists?)?$/i, 'no $1 has $2 $3'],
  [new RegExp(`^(?:the |an? )?(\\S+) ${identifier} exists$`, 'i'), 'the $1 with KEY $2 exists'],
  [new RegExp(`^(?:the |an? )?(\\S+) (\\S+) ${identifier} exists$`, 'i'), 'the $1 with $2 $3 exists'],
  [/^(?:there is )?no (?:api )?key(?: exists?| is sent)?$/i, 'the key is missing'],
  [/^(?:the |an? )?(?:user|client|caller|request) is (?:not authenticated|unauthenticated)$/i, 'the key is missing'],
  [/^(?:the |an? )?(?:api )?key (?:is not valid|is wrong)$/i, 'the key is unknown'],
  [/^(?:the |an? )?(?:api )?key (?:is|has) (?:out of date|run out)$/i, 'the key has expired'],
  [/^(?:the )?rate limit (?:is |has been )?(?:exceeded|reached)$/i, 'the service allows no more requests'],
  [/^(?:the )?(?:service|server|provider|api) is (?:unavailable|not available|down)$/i, 'the service is not ready'],
];

function guessCondition(contract: Contract, { name, params }: ProviderState): StateCondition | undefined {
  const text = normalizeStateName(name).replace(/^there (?:is|are|exists) (.+)$/i, '$1 exists');
  const candidates = wordings.flatMap(([wording, knownWording]) => {
    const noun = wording.exec(text)?.[1];
    return wording.test(text) ? [text.replace(wording, knownWording.replace('KEY', keyName(contract, noun)))] : [];
  });
  for (const candidate of [text, ...candidates]) {
    const condition = parseProviderState(contract, { name: candidate.replace(' #', ' '), params: paramsOf(params) });
    if (condition !== undefined) return condition;
  }
  return undefined;
}

/** Returns the name of the field that identifies the records of a collection. */
function keyName({ collections }: Contract, noun: string | undefined): string {
  const key = collections.find(({ name }) => noun !== undefined && isNamed(name, noun))?.key ?? '/id';
  return key.slice(1).replaceAll('/', '.');
}

/** A guess takes the type of a value from the parameters. Their conditions belong to a known state only. */
function paramsOf({ where: _, ...params }: JsonObject): JsonObject {
  return params;
}
