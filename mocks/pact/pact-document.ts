/**
 * When a recording is asked for, or its mock stops, assembles and prints the file of the pact. Changes nothing in the interactions but descriptions that occur
 * twice.
 */

import { isObject, type Json, type JsonObject, printJson } from '../../core/json.ts';

/** Creates the pact of a consumer with a provider, in version 4 of the Pact specification. */
export function toPactFile(
  consumer: string,
  { provider, interactions }: { readonly provider: string; readonly interactions: readonly { readonly interaction: JsonObject }[] },
): JsonObject {
  return {
    consumer: { name: consumer },
    interactions: makeDescriptionsUnique(interactions.map(({ interaction }) => interaction)),
    metadata: { pactSpecification: { version: '4.0' } },
    provider: { name: provider },
  };
}

/** Prints a pact with sorted members, as Pact's libraries do. */
export function printPact(pact: JsonObject): string {
  return `${printJson(sortMembers(pact), 2)}\n`;
}

/** Pact identifies an interaction by description and states, so equal ones get a number. */
function makeDescriptionsUnique(interactions: readonly JsonObject[]): readonly JsonObject[] {
  const times = new Map<string, number>();
  return interactions.map((interaction) => {
    const name = printJson([interaction['description'], interaction['providerStates'] ?? []]);
    const count = (times.get(name) ?? 0) + 1;
    times.set(name, count);
    return count === 1 ? interaction : { ...interaction, description: `${String(interaction['description'])} (${count})` };
  });
}

function sortMembers(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sortMembers);
  if (!isObject(value)) return value;
  const names = Object.keys(value).toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  return Object.fromEntries(names.map((name) => [name, sortMembers(value[name] ?? null)]));
}
