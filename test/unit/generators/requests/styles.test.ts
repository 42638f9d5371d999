/** In every style and encoding, a generated request is read back to the intended values. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../../core/openapi/operation.ts';
import { readRequest } from '../../../../core/parameters/read-request.ts';
import { asReceived } from '../../../../generators/requests/generated-request.ts';
import { requestFor } from '../../../../generators/requests/request-arbitrary.ts';
import { operationOf } from '../../../helpers/contracts/contract-text.ts';
import { segmentsOf } from '../../../helpers/generated.ts';

const shapes: Readonly<Record<string, string>> = {
  'a text': '{ type: string }',
  'an integer': '{ type: integer }',
  'a number': '{ type: number }',
  'a boolean': '{ type: boolean }',
  'a moment': '{ type: string, format: date-time }',
  'a text or a number': '{ type: [integer, string, "null"], maxLength: 5 }',
  'a list of texts': '{ type: array, items: { type: string } }',
  'a list of numbers': '{ type: array, items: { type: number } }',
  'a list of listed values': '{ type: array, items: { type: string, enum: [ready, no_show, "a b", "d"] } }',
  'an object': '{ type: object, required: [b], properties: { a: { type: integer }, b: { type: string }, c.d: { type: boolean } } }',
};

/** Shapes that a style is not for. */
const lists = ['a list of texts', 'a list of numbers', 'a list of listed values', 'an object'];

const styles: readonly (readonly [members: string, shapes: readonly string[]])[] = [
  ...[true, false].flatMap((explode) =>
    [
      'in: query, style: form',
      'in: path, style: simple',
      'in: path, style: label',
      'in: path, style: matrix',
      'in: header',
      'in: cookie',
    ].map((members) => [`${members}, explode: ${explode}`, Object.keys(shapes)] as const),
  ),
  ['in: query, style: spaceDelimited, explode: false', lists],
  ['in: query, style: pipeDelimited, explode: false', lists],
  ['in: query, style: deepObject, explode: true', ['an object']],
];

const cases = styles.flatMap(([members, names]) => names.map((shape) => [members, shape] as const));

async function open(members: string, content: string): Promise<Operation> {
  const isPath = members.startsWith('in: path');
  const parameters = `parameters: [{ name: p, required: true, ${members}, ${content} }, { name: before, in: query, schema: { type: integer } }]`;
  return operationOf(parameters, isPath ? '/x/{p}' : '/x');
}

/** The property: the contract reads exactly the intended values and finds no problem. Returns how the parameter was sent. */
function expectReadBack(operation: Operation): ReadonlySet<string> {
  const sent = new Set<string>();
  fc.assert(
    fc.property(requestFor(operation), (request) => {
      const { values, problems } = readRequest(operation, asReceived(request), segmentsOf(operation, request));
      expect([problems, Object.fromEntries(values)]).toEqual([[], Object.fromEntries(request.values)]);
      const isPlain = Object.values(request.headers).every((value) => /^[!-~]([ -~]*[!-~])?$/.test(value));
      expect([request.target, isPlain]).toEqual([expect.stringMatching(/^[!-~]+$/), true]);
      sent.add(`${request.target} ${JSON.stringify(request.headers)}`);
    }),
    { seed: 3, numRuns: 10 },
  );
  return sent;
}

describe('a generated request', () => {
  it.each(cases)('with a parameter %s and %s is read back as it is meant', async (members, shape) => {
    const sent = expectReadBack(await open(members, `schema: ${shapes[shape]}`));
    expect(sent.size).toBeGreaterThan(3);
  });

  it.each(['query', 'path', 'header', 'cookie'])('with JSON in the %s is read back as it is meant', async (place) => {
    const schema = '{ type: object, required: [a], properties: { a: { type: integer }, b: { type: array, items: { type: boolean } } } }';
    const sent = expectReadBack(await open(`in: ${place}`, `content: { application/json: { schema: ${schema} } }`));
    expect(sent.size).toBeGreaterThan(5);
  });
});
