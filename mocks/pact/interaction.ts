/** Interactions of a recorded pact: what was seen of one shape, by its simplest example. */

import type { Json, JsonObject } from '../../core/json.ts';
import { describeFact } from '../../core/pact-fact.ts';
import { valueAt } from '../../core/pointer.ts';
import { type Circumstances, readCircumstances } from './circumstances.ts';
import { describeInteraction } from './description.ts';
import { type Anonymous, createAnonymizer } from './personal-example.ts';
import { isSayable, writeRequest } from './request-example.ts';
import { writeResponse } from './response-example.ts';
import type { Sighting } from './sighting.ts';

/** An exchange as an interaction, with what decides whether it stands for its shape. */
export interface Candidate {
  /** The place in the file: by operation, status and words. */
  readonly order: readonly [number, number, string];
  /** A list without records shows less than one with some. */
  readonly isEmpty: boolean;
  readonly length: number;
  readonly interaction: JsonObject;
  readonly text: string;
}

/** What is known of an exchange before it is written down. */
export interface Draft {
  readonly shape: string;
  readonly isEmpty: boolean;
  readonly length: number;
  /** Why it cannot be written down, as a clause about the request. */
  readonly gap: string | undefined;
  readonly write: () => Candidate;
}

/** Drafts interactions of one contract. */
export function createDrafter(contract: Sighting['api']['contract']): (sighting: Sighting) => Draft {
  const anonymize = createAnonymizer(contract);
  return (sighting) => {
    const anonymous = anonymize(sighting);
    const circumstances = readCircumstances(sighting, (name) => anonymous.parameters.has(name));
    const isEmpty = isWithoutRecords(sighting);
    const { length } = sighting.request.target;
    return {
      shape: shapeOf(sighting, circumstances),
      isEmpty,
      length,
      gap:
        circumstances.gap ??
        (isSayable(sighting) ? undefined : 'only the wire shows what is wrong with it, and a pact holds decoded texts'),
      write: () => {
        const interaction = writeInteraction(sighting, circumstances, anonymous);
        const number = contract.operations.findIndex(({ id }) => id === sighting.open.operation.id);
        const order = [number, sighting.response.status, String(interaction['description'])] as const;
        return { order, isEmpty, length, interaction, text: JSON.stringify(interaction) };
      },
    };
  };
}

/** Whether one candidate stands for its shape rather than another: what shows more, then what is shorter, then what comes first as text. */
export function isSimpler(left: Omit<Candidate, 'order' | 'interaction'>, right: Omit<Candidate, 'order' | 'interaction'>): boolean {
  if (left.isEmpty !== right.isEmpty) return right.isEmpty;
  if (left.length !== right.length) return left.length < right.length;
  return left.text.length === right.text.length ? left.text < right.text : left.text.length < right.text.length;
}

/** Exchanges of one shape differ in nothing that a pact tells apart. */
function shapeOf({ open, response, code, given, key, isConditional }: Sighting, { isMore }: Circumstances): string {
  return JSON.stringify([open.operation.id, response.status, code ?? null, [...given].toSorted(), key, isConditional, isMore]);
}

function isWithoutRecords({ open, body }: Sighting): boolean {
  const { collection } = open.operation;
  const items = collection === undefined ? undefined : valueAt(body, collection.items);
  return Array.isArray(items) && items.length === 0;
}

function writeInteraction(sighting: Sighting, circumstances: Circumstances, { body, parameters }: Anonymous): JsonObject {
  const states = circumstances.facts
    .map(describeFact)
    .map(({ name, params }): Json => (Object.keys(params).length === 0 ? { name } : { name, params }));
  return {
    type: 'Synchronous/HTTP',
    description: describeInteraction(sighting, circumstances),
    pending: false,
    ...(states.length === 0 ? {} : { providerStates: states }),
    request: writeRequest(sighting, circumstances, parameters),
    response: writeResponse(sighting, body(), circumstances.knowledge),
  };
}
