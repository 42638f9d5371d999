/** Each witness shows its own edit, however many other edits the body has. */

import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../../core/json.ts';
import type { Change, HalfOfExchange } from '../../../../../core/results/diff-result.ts';
import { bodyOf, compareDocuments } from '../small-documents.ts';

/** Schemas of one property on both sides; the first one allows more. */
const edits: Readonly<Record<string, readonly [wide: Json, narrow: Json, keyword: string]>> = {
  value: [{ enum: ['a', 'b', 'c'] }, { enum: ['a', 'b'] }, 'enum'],
  maximum: [{ type: 'integer', maximum: 9 }, { type: 'integer', maximum: 5 }, 'maximum'],
  length: [{ type: 'string' }, { type: 'string', maxLength: 3 }, 'maxLength'],
  pattern: [{ type: 'string', pattern: '^[a-z]+$' }, { type: 'string', pattern: '^[a-f]+$' }, 'pattern'],
  nullable: [{ type: ['string', 'null'] }, { type: 'string' }, 'type'],
  type: [{ type: ['string', 'integer'] }, { type: 'integer' }, 'type'],
  size: [{ type: 'array', items: { type: 'string' } }, { type: 'array', items: { type: 'string' }, maxItems: 2 }, 'maxItems'],
  nested: [
    { type: 'object', properties: { x: { type: 'string' } } },
    { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] },
    'required',
  ],
  list: [
    { type: 'array', items: { type: 'object', properties: { y: { type: 'number' } } } },
    { type: 'array', items: { type: 'object', properties: { y: { type: 'number', minimum: 0 } } } },
    'minimum',
  ],
  branch: [{ oneOf: ['p', 'q', 'r'].map((kind) => branchOf(kind)) }, { oneOf: ['p', 'q'].map((kind) => branchOf(kind)) }, 'enum'],
};

function branchOf(kind: string): JsonObject {
  return { title: kind, type: 'object', properties: { kind: { const: kind }, note: { type: 'string' } }, required: ['kind'] };
}

/** Thirty further edits, which a borrowed witness could show. */
const others = Array.from({ length: 30 }, (_, index) => `other${index}`);

function bodyWith(side: 0 | 1): JsonObject {
  const properties: Record<string, Json> = {};
  for (const [name, sides] of Object.entries(edits)) properties[name] = sides[side];
  // Another limit for each, since edits of one kind would be one change.
  for (const [index, name] of others.entries())
    properties[name] = side === 0 ? { type: 'string' } : { type: 'string', maxLength: 4 + index };
  return { type: 'object', properties, required: [...Object.keys(edits).slice(0, 3), ...others.slice(0, 5)] };
}

const isAt = ({ witness, location }: Change): boolean => {
  const keys = location
    .replace(/^[^,]*, /, '')
    .replaceAll('[]', '.0')
    .replaceAll(/ \([^)]*\)/g, '')
    .split('.');
  const pointer = witness?.pointer.split('/').slice(1) ?? [];
  return keys.every((key, index) => pointer[index] === key) && pointer.length - keys.length <= 1;
};

describe.each<HalfOfExchange>(['request', 'response'])('the witnesses of forty edits of one %s body', (half) => {
  it('are there, and each is refused at its own place by its own keyword', async () => {
    const [wide, narrow] = [bodyOf(half, bodyWith(0)), bodyOf(half, bodyWith(1))];
    const { changes } = await (half === 'request' ? compareDocuments(wide, narrow) : compareDocuments(narrow, wide));
    // In responses, a wider pattern is only risky.
    const breaking = changes.filter(({ level }) => level === 'breaking' || level === 'risky');
    expect(breaking).toHaveLength(40);
    expect(breaking.filter(({ witness }) => witness === undefined).map(({ text }) => text)).toEqual([]);
    expect(breaking.filter((change) => !isAt(change)).map(({ text, witness }) => [text, witness?.pointer])).toEqual([]);
    const keywordOf = ({ location }: Change): string => edits[/, (\w+)/.exec(location)?.[1] ?? '']?.[2] ?? 'maxLength';
    expect(
      breaking.filter((change) => change.witness?.keyword !== keywordOf(change)).map(({ text, witness }) => [text, witness?.keyword]),
    ).toEqual([]);
  });
});

it('shows nothing rather than another edit', async () => {
  // Both members are required in the old response and gone in the new one, which forbids others: each response lacks both, and may have the new one.
  const of = (properties: JsonObject): JsonObject =>
    bodyOf('response', { type: 'object', properties, required: Object.keys(properties), additionalProperties: false });
  const { changes } = await compareDocuments(of({ a: { type: 'string' }, b: { type: 'string' } }), of({ c: { type: 'string' } }));
  const witnessed = changes.filter(({ witness }) => witness !== undefined);
  expect(witnessed.map(({ id, witness }) => [id, witness?.keyword])).toEqual([
    ['response-body/required-property-added', 'additionalProperties'],
  ]);
});

it('has a witness where the same value breaks another keyword of its schema too', async () => {
  const of = (values: readonly number[]): JsonObject => {
    const Kind = { type: 'integer', oneOf: values.map((value) => ({ title: `k${value}`, const: value })) };
    return bodyOf('response', { allOf: [{ $ref: '#/components/schemas/Kind' }], enum: values }, { components: { schemas: { Kind } } });
  };
  const { changes } = await compareDocuments(of([1, 2]), of([1, 2, 6]));
  expect(changes.map(({ id, witness }) => [id, witness?.value, witness?.keyword]).toSorted()).toEqual([
    ['response-body/enum-value-added', 6, 'enum'],
    ['response-body/one-of-added', 6, 'oneOf'],
  ]);
});

describe.each([2, 25])('beside %i other edits, an edit that another keyword makes harmless', (count) => {
  const stateOf = (names: readonly string[], alone: JsonObject): JsonObject => ({
    ...alone,
    allOf: [{ type: 'string', oneOf: names.map((name) => ({ title: name, const: name })) }],
  });
  const of = (names: readonly string[], alone: JsonObject, isShort: boolean): JsonObject => {
    const others = Array.from({ length: count }, (_, index) => {
      return [`text${index}`, { type: 'string', ...(isShort ? { maxLength: 5 + index } : {}) }] as const;
    });
    return bodyOf('response', { type: 'object', properties: { state: stateOf(names, alone), ...Object.fromEntries(others) } });
  };
  it.each<[string, JsonObject]>([
    ['a list of one value', { enum: ['open'] }],
    ['a pattern', { pattern: '^o' }],
    ['a length', { maxLength: 4 }],
  ])('borrows no witness: %s', async (_, alone) => {
    const { changes } = await compareDocuments(of(['open', 'over'], alone, true), of(['open', 'over', 'closed'], alone, false));
    const witnessed = changes.filter(({ witness }) => witness !== undefined);
    expect(witnessed).toHaveLength(count);
    expect(witnessed.filter((change) => !isAt(change))).toEqual([]);
  });
});
