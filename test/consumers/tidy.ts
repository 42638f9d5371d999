/** A pact as it is committed: the same bytes for the same promises, and nothing promised that the documentation leaves open. */

type Json = null | boolean | number | string | readonly Json[] | JsonObject;
type JsonObject = { readonly [name: string]: Json };

/** The key of a comment that says why a pact promises nothing of a body but that it is a JSON object. */
export const openBody = 'openBody';

/**
 * The text of a pact without what changes from run to run: interactions are sorted by description and members by name, and the versions of libraries are left
 * out. A response with an open body loses the example that answered its test, since a verifier would ask for each of its members.
 */
export function tidyPact(text: string): string {
  const pact = JSON.parse(text) as JsonObject;
  const interactions = listOf(pact['interactions']).map((interaction) => sortMembers(tidyInteraction(interaction as JsonObject)));
  const sorted = interactions.sort((one, other) => compare(nameOf(one), nameOf(other)));
  const { consumer = null, provider = null } = pact;
  return `${print({ consumer, provider, interactions: sorted, metadata: { pactSpecification: { version: '4.0' } } })}\n`;
}

function tidyInteraction(interaction: JsonObject): JsonObject {
  // A key is made from the rest, and differs with the version of the library.
  const { key: _, ...kept } = interaction;
  const comments = objectOf(kept['comments']);
  if (!(openBody in comments)) return kept;
  const response = objectOf(kept['response']);
  const body = objectOf(response['body']);
  const { body: __, ...rules } = objectOf(response['matchingRules']);
  return {
    ...kept,
    comments: { text: [comments[openBody] ?? ''] },
    response: {
      ...response,
      body: { ...body, content: {} },
      matchingRules: { ...rules, body: { $: { combine: 'AND', matchers: [{ match: 'type' }] } } },
    },
  };
}

function sortMembers(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, sortMembers(member)] as const);
  return Object.fromEntries(members.sort(([one], [other]) => compare(one, other)));
}

function nameOf(interaction: Json): string {
  return String(objectOf(interaction)['description']);
}

/** Prints a value on one line where it fits, as the formatter of this repository does. */
function print(value: Json, indent = '', before = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const line = printLine(value);
  if (indent.length + before + line.length < lineWidth && !holdsSeveralThings(value)) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) return `[\n${value.map((item) => inner + print(item, inner, 1)).join(',\n')}\n${indent}]`;
  const members = Object.entries(value).map(([name, member]) => {
    const start = `${JSON.stringify(name)}: `;
    return inner + start + print(member, inner, start.length + 1);
  });
  return `{\n${members.join(',\n')}\n${indent}}`;
}

const lineWidth = 140;

function printLine(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(printLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${printLine(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** A list of objects has one line for each, somewhere inside a value. */
function holdsSeveralThings(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const items = Object.values(value) as readonly Json[];
  const isList = Array.isArray(value) && items.length > 1 && items.every((item) => Object.keys(objectOf(item)).length > 1);
  return isList || items.some(holdsSeveralThings);
}

/** By code units, so that every machine sorts alike. */
function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function objectOf(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
