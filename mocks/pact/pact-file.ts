/** A recorded pact as a file of Pact (specification 4), the same bytes for the same interactions. */

import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Recorded } from './recorder.ts';

/** The pact of a consumer with a provider. */
export function toPactFile(consumer: string, { provider, interactions }: Recorded): JsonObject {
  return {
    consumer: { name: consumer },
    interactions: nameApart(interactions.map(({ interaction }) => interaction)),
    metadata: { pactSpecification: { version: '4.0' } },
    provider: { name: provider },
  };
}

/** The text of a pact: members in the order of their names, as the libraries of Pact write them. */
export function printPact(pact: JsonObject): string {
  return `${JSON.stringify(sorted(pact), undefined, 2)}\n`;
}

/** An interaction is known by its description and its states; two that share them are told apart by a number. */
function nameApart(interactions: readonly JsonObject[]): readonly JsonObject[] {
  const times = new Map<string, number>();
  return interactions.map((interaction) => {
    const name = JSON.stringify([interaction['description'], interaction['providerStates'] ?? []]);
    const count = (times.get(name) ?? 0) + 1;
    times.set(name, count);
    return count === 1 ? interaction : { ...interaction, description: `${String(interaction['description'])} (${count})` };
  });
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sorted);
  if (!isObject(value)) return value;
  const names = Object.keys(value).toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] ?? null)]));
}
