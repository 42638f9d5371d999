/** Printing and reading are inverse: whatever a parameter can carry comes back as it was, and what it cannot carry is not printed. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HttpHeaders } from '../../../core/exchange.ts';
import type { Json } from '../../../core/json.ts';
import type { Operation } from '../../../core/operation.ts';
import { type Parameter, printParameter } from '../../../core/parameter.ts';
import { operationOf, readTarget } from '../../helpers/contract-text.ts';

/** Text with everything in it that means something to some style. */
const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: fc.constantFrom(...',;=&|.+% /?#[]"a1é\u00A0') }));
const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);

/** Each shape of a value: its schema, and values of it. */
const shapes: Readonly<Record<string, readonly [schema: string, values: fc.Arbitrary<Json>]>> = {
  'a text': ['{ type: string }', text],
  'an integer': ['{ type: integer }', fc.maxSafeInteger()],
  'a number': ['{ type: number }', double],
  'a boolean': ['{ type: boolean }', fc.boolean()],
  'a list of texts': ['{ type: array, items: { type: string } }', fc.array(text, { minLength: 1, maxLength: 4 })],
  'a list of numbers': ['{ type: array, items: { type: number } }', fc.array(double, { minLength: 1, maxLength: 4 })],
  'a list of listed values': [
    '{ type: array, items: { type: string, enum: [ready, no_show, "a b", "c,d"] } }',
    fc.array(fc.constantFrom('ready', 'no_show', 'a b', 'c,d'), { minLength: 1, maxLength: 4 }),
  ],
  'an object': [
    '{ type: object, properties: { a: { type: integer }, b: { type: string }, c.d: { type: boolean } } }',
    fc.record({ a: fc.maxSafeInteger(), b: text, 'c.d': fc.boolean() }),
  ],
};

/** Shapes that a style is not for. */
const styles: readonly (readonly [members: string, ...shapes: readonly string[]])[] = [
  ...[true, false].flatMap((explode) =>
    [
      'in: query, style: form',
      'in: path, style: simple',
      'in: path, style: label',
      'in: path, style: matrix',
      'in: header',
      'in: cookie',
    ].map((members) => [`${members}, explode: ${explode}`, ...Object.keys(shapes)] as const),
  ),
  ...['spaceDelimited', 'pipeDelimited'].map(
    (style) =>
      [
        `in: query, style: ${style}, explode: false`,
        'a list of texts',
        'a list of numbers',
        'a list of listed values',
        'an object',
      ] as const,
  ),
  ['in: query, style: deepObject, explode: true', 'an object'],
];

/** Sends what is printed, and reads the whole request as a server does. */
function sendAndRead(operation: Operation, parameter: Parameter, printed: string): Json | undefined {
  const [target, headers]: readonly [string, HttpHeaders] = {
    query: [`/x?before=1&${printed}&after=2`, {}] as const,
    path: [`/x/${printed}`, {}] as const,
    header: ['/x', { p: printed }] as const,
    cookie: ['/x', { cookie: `before=1; p=${printed}; after=2` }] as const,
  }[parameter.in];
  const { values, problems } = readTarget(operation, target, headers);
  expect(problems.filter((problem) => problem.class !== 'undeclared')).toEqual([]);
  return values.get('p');
}

/** What is printed, or `undefined` when the parameter says that it cannot carry the value. */
function printOrRefuse(parameter: Parameter, value: Json): string | undefined {
  try {
    return printParameter(parameter, value);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

async function load(members: string, schema: string): Promise<readonly [Operation, Parameter]> {
  const isPath = members.startsWith('in: path');
  const lines = `parameters: [{ name: p, ${members}, ${isPath ? 'required: true, ' : ''}schema: ${schema} }]`;
  const operation = await operationOf(lines, isPath ? '/x/{p}' : '/x');
  const [parameter] = operation.parameters;
  if (parameter === undefined) throw new Error('the operation has no parameter');
  return [operation, parameter];
}

describe.each(styles)('the style %s', (members, ...names) => {
  it.each(names)('carries %s there and back, or says that it cannot', async (name) => {
    const [schema, values] = shapes[name] ?? ['', fc.constant(null)];
    const [operation, parameter] = await load(members, schema);
    let carried = 0;
    fc.assert(
      fc.property(values, (value) => {
        const printed = printOrRefuse(parameter, value);
        // An empty segment is no segment: the path is another one.
        if (printed === undefined || (parameter.in === 'path' && printed === '')) return;
        carried += 1;
        expect(sendAndRead(operation, parameter, printed)).toEqual(value);
      }),
      { seed: 1, numRuns: 100 },
    );
    expect(carried).toBeGreaterThan(20);
  });
});

describe('a parameter', () => {
  it.each<readonly [string, Json]>([
    ['{ type: integer }', [1]],
    ['{ type: integer }', { a: 1 }],
    ['{ type: array, items: {} }', 1],
    ['{ type: array, items: {} }', { a: 1 }],
    ['{ type: object }', 'a'],
    ['{ type: object }', ['a']],
  ])('of %s does not print %j, which has another shape', async (schema, value) => {
    const [, parameter] = await load('in: query', schema);
    expect(() => printParameter(parameter, value)).toThrow(TypeError);
    expect(() => printParameter(parameter, value)).toThrow(/cannot be printed as the parameter p/);
  });

  it('that is JSON carries every JSON value', async () => {
    const operation = await operationOf('parameters: [{ name: p, in: query, content: { application/json: { schema: {} } } }]');
    const [parameter] = operation.parameters;
    if (parameter === undefined) throw new Error('the operation has no parameter');
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.parse(JSON.stringify(value)) as Json;
        expect(sendAndRead(operation, parameter, printParameter(parameter, json))).toEqual(json);
      }),
      { seed: 1, numRuns: 200 },
    );
  });
});
