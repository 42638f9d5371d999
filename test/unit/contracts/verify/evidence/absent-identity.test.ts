/** The identifier that no record has is of the type and format of its parameter, so that a right server answers 404 to it and not 400. */

import { expect, it } from 'vitest';
import { absentIdentity } from '../../../../../contracts/verify/evidence/single-record-calls.ts';
import { operationOf } from '../../../../helpers/contracts/contract-text.ts';

it.each([
  ['{ type: integer }', /^987654321$/],
  ['{ type: integer, maximum: 500 }', /^\d{1,3}$/],
  ['{ type: string }', /^no-such-record-4711$/],
  ['{ type: string, format: uuid }', /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/],
  ['{ type: string, format: date }', /^\d{4}-\d\d-\d\d$/],
  ['{ type: string, format: date-time }', /T/],
  ['{ type: string, pattern: "^ORD-[0-9]{6}$" }', /^ORD-\d{6}$/],
  ['{ type: string, maxLength: 4 }', /^.{0,4}$/],
])('%s', async (schema, expected) => {
  const operation = await operationOf(`parameters: [{ name: id, in: path, required: true, schema: ${schema} }]`, '/x/{id}');
  expect(String(absentIdentity(operation, 'id'))).toMatch(expected);
});
