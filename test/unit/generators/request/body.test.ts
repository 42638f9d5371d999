/** Bodies: instances of their schema as JSON, and near misses of it. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Contract } from '../../../../core/contract.ts';
import type { Operation } from '../../../../core/operation.ts';
import type { Schema } from '../../../../core/schema.ts';
import { badRequestFor } from '../../../../generators/request/bad-request.ts';
import { requestFor } from '../../../../generators/request/request.ts';
import { contractText, loadText } from '../../../helpers/contract-text.ts';

async function posting(body: string, method = 'post'): Promise<readonly [Operation, Contract]> {
  const contract = await loadText(
    contractText(`paths:
  /x:
    ${method}:
      requestBody: ${body}
      responses: { '201': { description: '' }, '400': { description: '' } }
components:
  schemas:
    Note: { type: object, required: [text], properties: { text: { type: string, minLength: 1 }, pages: { type: integer, minimum: 1 } }, additionalProperties: false }
`),
  );
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('the contract has no operation');
  return [operation, contract];
}

const note = "content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } }";

describe('a body', () => {
  it('is an instance of its schema, with its type', async () => {
    const [operation, contract] = await posting(`{ required: true, ${note} }`);
    const judge = contract.validators.compile(noteSchema(contract));
    for (const { body = '', content, headers, method } of fc.sample(requestFor(operation), { seed: 1, numRuns: 100 })) {
      expect([method, headers]).toEqual(['POST', { 'Content-Type': 'application/json' }]);
      expect(JSON.parse(body)).toEqual(content);
      expect(judge(JSON.parse(body))).toEqual([]);
    }
  });

  it('comes and goes where it is optional', async () => {
    const [operation] = await posting(`{ ${note} }`);
    const kinds = fc
      .sample(requestFor(operation), { seed: 1, numRuns: 100 })
      .map(({ body, headers }) => `${typeof body} ${'Content-Type' in headers}`);
    expect(new Set(kinds)).toEqual(new Set(['undefined false', 'string true']));
  });

  it.each([
    ['application/vnd.api+json', 'application/vnd.api+json'],
    ["'*/*'", 'application/json'],
  ])('may be %s', async (range, type) => {
    const [operation] = await posting(`{ required: true, content: { text/plain: {}, ${range}: { schema: { type: integer } } } }`);
    const [request] = fc.sample(requestFor(operation), { seed: 1, numRuns: 1 });
    expect(request?.headers['Content-Type']).toBe(type);
  });

  it('that is not JSON is left out, or refused by name where it is needed', async () => {
    const [optional] = await posting('{ content: { text/plain: {} } }');
    expect(fc.sample(requestFor(optional), { seed: 1, numRuns: 20 }).every(({ body }) => body === undefined)).toBe(true);
    const [needed] = await posting('{ required: true, content: { text/plain: {}, image/png: {} } }');
    expect(() => requestFor(needed)).toThrow(
      'requestBody cannot be generated from, because it must be text/plain or image/png, and only JSON is written',
    );
  });

  it('is none with GET, whatever the contract says', async () => {
    const [operation] = await posting(`{ required: true, ${note} }`, 'get');
    expect(fc.sample(requestFor(operation), { seed: 1, numRuns: 20 }).every(({ body }) => body === undefined)).toBe(true);
  });
});

describe('a bad body', () => {
  it('is missing, no JSON, or a near miss, and refused as malformed', async () => {
    const [operation, contract] = await posting(`{ required: true, ${note} }`);
    const judge = contract.validators.compile(noteSchema(contract));
    const found = fc.sample(badRequestFor(operation), { seed: 1, numRuns: 200 }).filter(({ rule }) => rule !== 'undeclared');
    expect([...new Set(found.map(({ rule }) => rule))].sort()).toEqual(['bound', 'json', 'length', 'members', 'required', 'type']);
    for (const { rule, request, expect: expected, change } of found) {
      expect(expected).toEqual({ condition: 'invalid', statuses: ['400'] });
      expect(change).toMatch(/^has (no|a) body/);
      if (rule === 'required') expect(request.body).toBeUndefined();
      else if (rule === 'json') expect(() => JSON.parse(request.body ?? '')).toThrow(SyntaxError);
      else expect(judge(JSON.parse(request.body ?? ''))).not.toEqual([]);
    }
  });
});

function noteSchema({ closed }: Contract): Schema {
  const components = closed.root['components'] as { readonly schemas: { readonly Note: Schema } };
  return components.schemas.Note;
}
