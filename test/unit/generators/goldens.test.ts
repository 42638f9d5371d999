/**
 * Values of seed 42. A change here changes every generated value. If it is intended, write the file anew (`npx vitest run -u`) and note it in the list of
 * changes, since seeds that users have noted then stand for other values.
 */

import { expect, it } from 'vitest';
import type { Json } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { contractFile } from '../../../core/shipped-files.ts';
import { invalidExampleFor } from '../../../generators/invalid/invalid-arbitrary.ts';
import type { SchemaSources } from '../../../generators/schema/located-schema.ts';
import { arbitraryFor } from '../../../generators/schema-arbitrary.ts';
import { openContract } from '../../helpers/exchange-judge.ts';
import { conditional } from './conditional.ts';
import { schemasOf } from './contract-schemas.ts';
import { draw } from './drawing.ts';

const drawing = { seed: 42, count: 5 };

const plain: Readonly<Record<string, Schema>> = {
  'any value': true,
  'a number': { type: 'number' },
  'a price': { type: 'number', minimum: 0, multipleOf: 0.01 },
  'a text': { type: 'string' },
  'a code': { type: 'string', pattern: '^[A-Z]{2}-[0-9]{4,6}$' },
  'an instant': { type: 'string', format: 'date-time' },
  'a list of distinct things': { type: 'array', items: { enum: ['a', 'b', 'c', 'd'] }, uniqueItems: true, minItems: 2 },
  'a tree': {
    type: 'object',
    properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
    required: ['name'],
  },
  'a map': { type: 'object', additionalProperties: { type: 'integer' }, propertyNames: { pattern: '^[a-z]+$' } },
  'a choice': {
    oneOf: [{ type: 'integer' }, { type: 'object', properties: { a: { type: ['boolean', 'null'] } }, required: ['a'] }, { minLength: 3 }],
  },
  'a condition': { type: 'integer', ...conditional({ minimum: 10 }, { multipleOf: 10 }, { multipleOf: 3 }) },
};

/** By contract, the named schemas that are looked at. */
const named: Readonly<Record<string, readonly string[]>> = {
  business: ['Page', 'Error', 'OrderSummary'],
  wiki: ['EntrySummary', 'EntryPage'],
};

async function contractSchemas(): Promise<readonly (readonly [string, Schema, SchemaSources])[]> {
  const found = Object.entries(named).map(async ([name, wanted]) => {
    const contract = await openContract(contractFile(name));
    const known = schemasOf(contract).filter(({ title }) => wanted.some((each) => title === `components/schemas/${each}`));
    expect(known).toHaveLength(wanted.length);
    return known.map(({ title, schema }) => [`${name} ${title}`, schema, { document: contract.closed }] as const);
  });
  return (await Promise.all(found)).flat();
}

it('draws from seed 42 what it always drew', async () => {
  const schemas = [...Object.entries(plain).map(([title, schema]) => [title, schema, {}] as const), ...(await contractSchemas())];
  const goldens = schemas.map(([title, schema, sources]): [string, Json] => {
    const instances = draw(arbitraryFor(schema, sources), drawing);
    const invalidExamples = schema === true ? [] : draw(invalidExampleFor(schema, sources), drawing).map((example) => ({ ...example }));
    return [title, { instances, invalidExamples }];
  });
  await expect(`${JSON.stringify(Object.fromEntries(goldens), null, 2)}\n`).toMatchFileSnapshot('goldens.json');
});
