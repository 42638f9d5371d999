/** Parameters are printed as in OpenAPI 3.1 (§4.8.12.3, "Style Examples") and RFC 6570, and parsed from equivalent spellings. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Json, parseJson } from '../../../../core/json.ts';
import type { Operation } from '../../../../core/openapi/operation.ts';
import {
  type Parameter,
  type ParameterReading,
  parseQueryParameter,
  parseSegmentParameter,
  printParameter,
} from '../../../../core/parameters/parse-parameter.ts';
import { decodeText, encodeText, splitQuery, UndecodableError } from '../../../../core/parameters/query-string.ts';
import { operationOf, parameterOf, readTarget } from '../../../helpers/contracts/contract-text.ts';

const text = '{ type: string }';
const texts = '{ type: array, items: { type: string } }';
const numbers = '{ type: array, items: { type: number } }';
const listed = '{ type: array, items: { enum: [blue, black, brown] } }';
const rgb = '{ type: object, properties: { R: { type: integer }, G: { type: integer }, B: { type: integer } } }';

const colors: Json = ['blue', 'black', 'brown'];
const mix: Json = { R: 100, G: 200, B: 150 };

/** Reads the parameter `color` from a query string, or from the text of a segment, header or cookie. */
async function read(members: string, schema: string, raw: string): Promise<ParameterReading> {
  const parameter = await parameterOf(members, schema);
  return parameter.in === 'query' ? parseQueryParameter(parameter, splitQuery(raw)) : parseSegmentParameter(parameter, raw);
}

describe('a query string', () => {
  it.each<readonly [string, readonly string[]]>([
    ['', []],
    ['a=1&b=2&a=3', ['a → 1', 'b → 2', 'a → 3']],
    ['a', ['a → ']],
    ['a=', ['a → ']],
    ['=1', [' → 1']],
    ['a=1=2', ['a → 1=2']],
    ['&a=1&&b=2&', ['a → 1', 'b → 2']],
    ['a%3D=%26', ['a= → %26']],
  ])('%j falls into %j', (query, pairs) => {
    expect(splitQuery(query).map(([name, value]) => `${name} → ${value}`)).toEqual(pairs);
  });
});

describe('decoding', () => {
  it.each([
    ['a%20b', 'a b'],
    ['%C3%A9%c3%a9', 'éé'],
    ['%F0%9F%8D%9D', '🍝'],
    ['a%2Bb', 'a+b'],
    ['%2541', '%41'],
  ])('%s gives %s', (raw, decoded) => {
    expect([decodeText(raw, true), decodeText(raw, false)]).toEqual([decoded, decoded]);
  });

  it('reads a plus as a space in a query only', () => {
    expect([decodeText('a+b', true), decodeText('a+b', false)]).toEqual(['a b', 'a+b']);
  });

  it.each(['%', '%2', '%zz', '%E9', '%C3', '%80', '%ED%A0%80', '100%'])('refuses %s', (raw) => {
    expect(() => decodeText(raw, true)).toThrow(UndecodableError);
    expect(() => decodeText(raw, true)).toThrow(raw);
  });

  it('keeps a name of a query that cannot be decoded, and decodes the others', () => {
    const names = ['%', 'a%2', '%ff', '%C3%28', '%ED%A0%80', '%C3%A9', 'a+b'];
    const kept = ['%', 'a%2', '%ff', '%C3%28', '%ED%A0%80', 'é', 'a b'];
    expect(splitQuery(names.join('&')).map(([name]) => name)).toEqual(kept);
  });

  it('is the inverse of encoding, and no delimiter is left encoded text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'aZ09.~_-%+& =/\u0000\u007Fé\u0301語\uE000😀\u{10FFFF}') }), (any) => {
        const encoded = encodeText(any);
        expect(encoded).toMatch(/^[A-Za-z0-9._~%-]*$/);
        expect([decodeText(encoded, true), decodeText(encoded, false)]).toEqual([any, any]);
      }),
      { seed: 1, numRuns: 30 },
    );
  });
});

describe('a parameter', () => {
  it.each<readonly [string, string, Json, string]>([
    ['in: query, style: form', text, 'blue', 'color=blue'],
    ['in: query, style: form', text, '', 'color='],
    ['in: query, style: form, explode: false', texts, colors, 'color=blue,black,brown'],
    ['in: query, style: form, explode: true', texts, colors, 'color=blue&color=black&color=brown'],
    ['in: query, style: form, explode: false', rgb, mix, 'color=R,100,G,200,B,150'],
    ['in: query, style: form, explode: true', rgb, mix, 'R=100&G=200&B=150'],
    ['in: query, style: spaceDelimited, explode: false', texts, colors, 'color=blue%20black%20brown'],
    ['in: query, style: spaceDelimited, explode: false', rgb, mix, 'color=R%20100%20G%20200%20B%20150'],
    ['in: query, style: pipeDelimited, explode: false', texts, colors, 'color=blue%7Cblack%7Cbrown'],
    ['in: query, style: pipeDelimited, explode: false', rgb, mix, 'color=R%7C100%7CG%7C200%7CB%7C150'],
    ['in: query, style: deepObject, explode: true', rgb, mix, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
    ['in: query, style: form, explode: false', texts, ['a,b', 'c'], 'color=a%2Cb,c'],
    ['in: query, style: form, explode: true', texts, ['a&b', 'c=d'], 'color=a%26b&color=c%3Dd'],
    ['in: query, style: form', text, 'é +%', 'color=%C3%A9%20%2B%25'],
    ['in: query', texts, ['a', 'b'], 'color=a&color=b'],
    ['in: query, style: pipeDelimited', texts, ['a', 'b'], 'color=a%7Cb'],
    ['in: path, style: simple', text, 'blue', 'blue'],
    ['in: path, style: simple', texts, colors, 'blue,black,brown'],
    ['in: path, style: simple, explode: true', texts, colors, 'blue,black,brown'],
    ['in: path, style: simple', rgb, mix, 'R,100,G,200,B,150'],
    ['in: path, style: simple, explode: true', rgb, mix, 'R=100,G=200,B=150'],
    ['in: path, style: label', text, 'blue', '.blue'],
    ['in: path, style: label', text, '', '.'],
    ['in: path, style: label', texts, colors, '.blue,black,brown'],
    ['in: path, style: label, explode: true', texts, colors, '.blue.black.brown'],
    ['in: path, style: label', rgb, mix, '.R,100,G,200,B,150'],
    ['in: path, style: label, explode: true', rgb, mix, '.R=100.G=200.B=150'],
    ['in: path, style: matrix', text, 'blue', ';color=blue'],
    ['in: path, style: matrix', texts, colors, ';color=blue,black,brown'],
    ['in: path, style: matrix, explode: true', texts, colors, ';color=blue;color=black;color=brown'],
    ['in: path, style: matrix', rgb, mix, ';color=R,100,G,200,B,150'],
    ['in: path, style: matrix, explode: true', rgb, mix, ';R=100;G=200;B=150'],
    ['in: header, style: simple', text, 'a b, "c"', 'a b, "c"'],
    ['in: header, style: simple', texts, colors, 'blue,black,brown'],
    ['in: header, style: simple', rgb, mix, 'R,100,G,200,B,150'],
    ['in: header, style: simple, explode: true', rgb, mix, 'R=100,G=200,B=150'],
    ['in: cookie, style: form', text, 'a b;c', 'a%20b%3Bc'],
    ['in: path, style: simple', texts, ['a,b', 'c/d'], 'a%2Cb,c%2Fd'],
    ['in: path, style: label, explode: true', numbers, [1.5, 2], '.1%2E5.2'],
    ['in: path, style: matrix, explode: true', '{ type: object, properties: { R: { type: string } } }', { R: 'a;b=c' }, ';R=a%3Bb%3Dc'],
    ['in: path, style: simple, explode: true', '{ type: object }', { 'a=b': 'c,d' }, 'a%3Db=c%2Cd'],
  ])('%s %s prints %j as %s, and reads it back', async (members, schema, value, raw) => {
    expect(printParameter(await parameterOf(members, schema), value)).toBe(raw);
    expect(await read(members, schema, raw)).toEqual({ kind: 'value', value });
  });

  it.each<readonly [string, string, string, Json]>([
    ['in: query, style: form, explode: false', listed, 'color=blue%2Cblack', ['blue', 'black']],
    ['in: query, style: form, explode: false', numbers, 'color=1%2C2', [1, 2]],
    ['in: query, style: form, explode: false', texts, 'color=a%2Cb', ['a,b']],
    ['in: query, style: form, explode: true', texts, 'color=a,b', ['a,b']],
    ['in: query, style: pipeDelimited, explode: false', texts, 'color=blue|black', ['blue', 'black']],
    ['in: query, style: spaceDelimited, explode: false', texts, 'color=blue+black', ['blue', 'black']],
    ['in: query, style: deepObject, explode: true', rgb, 'color[R]=100', { R: 100 }],
    ['in: query, style: form, explode: false', texts, 'co%6Cor=a', ['a']],
    ['in: query, style: form', text, 'other=1&color=blue&more=2', 'blue'],
    ['in: header', texts, 'blue, black ,brown', colors],
    ['in: header', numbers, '1, 2', [1, 2]],
    ['in: header', text, '  blue ', 'blue'],
    ['in: header', text, '100% sure', '100% sure'],
    ['in: header', text, 'a%20b', 'a%20b'],
    ['in: path', text, 'a+b', 'a+b'],
    ['in: path', numbers, '1%2C2', [1, 2]],
    ['in: cookie', text, 'a+b', 'a+b'],
  ])('%s %s is read from %j too', async (members, schema, raw, value) => {
    expect(await read(members, schema, raw)).toEqual({ kind: 'value', value });
  });

  it.each([
    ['in: query, style: form, explode: false', rgb, 'color=R,100,G'],
    ['in: query, style: form, explode: false', '{ type: object }', 'color=R,100,G'],
    ['in: path, style: label', text, 'blue'],
    ['in: path, style: matrix', text, 'blue'],
    ['in: path, style: matrix', text, ';colour=blue'],
    ['in: path', text, '%zz'],
    ['in: cookie', text, '%E9'],
    ['in: path', rgb, 'R,100,G'],
    ['in: path', numbers, '1,x'],
  ])('%s %s is malformed as %j', async (members, schema, raw) => {
    expect(await read(members, schema, raw)).toMatchObject({ kind: 'problem', problem: 'malformed' });
  });

  it.each([
    ['style: form, explode: false', listed, 'color=blue&color=black'],
    ['style: form', text, 'color=blue&color=blue'],
    ['style: deepObject, explode: true', rgb, 'color[R]=100&color[R]=200'],
    ['style: form, explode: true', rgb, 'R=100&G=1&R=100'],
  ])('of %s %s that is sent more than once is sloppy: %s', async (style, schema, query) => {
    const because: unknown = expect.stringContaining('more than once');
    expect(await read(`in: query, ${style}`, schema, query)).toMatchObject({ kind: 'problem', problem: 'sloppy', because });
  });

  it.each(['', 'colour=blue', 'color[x]=1', 'Color=blue', '%63olor%=1'])('is absent from %j', async (query) => {
    expect(await read('in: query, style: form', text, query)).toEqual({ kind: 'absent' });
  });

  it('that was not sent in a header is absent', async () => {
    expect(parseSegmentParameter(await parameterOf('in: header', text), undefined)).toEqual({ kind: 'absent' });
  });

  it.each([true, false])('prints an empty list as nothing, explode: %s', async (explode) => {
    expect(printParameter(await parameterOf(`in: query, style: form, explode: ${explode}`, texts), [])).toBe('');
  });

  it('keeps a member called __proto__ as a member', async () => {
    const reading = await read('in: query, style: deepObject, explode: true', '{ type: object }', 'color[__proto__]=5&color[b]=6');
    const members = reading.kind === 'value' ? Object.entries(reading.value as object) : [];
    expect(members.map(([key, value]) => `${key} ${value}`)).toEqual(['__proto__ 5', 'b 6']);
  });

  it.each<readonly [string, Json]>([
    ['{ type: integer }', [1]],
    ['{ type: integer }', { a: 1 }],
    ['{ type: array, items: {} }', 1],
    ['{ type: array, items: {} }', { a: 1 }],
    ['{ type: object }', 'a'],
    ['{ type: object }', ['a']],
  ])('of %s does not print %j, which has another shape', async (schema, value) => {
    const parameter = await parameterOf('in: query', schema);
    expect(() => printParameter(parameter, value)).toThrow(TypeError);
    expect(() => printParameter(parameter, value)).toThrow(/cannot be printed as the parameter color/);
  });
});

/** Text with everything in it that means something to some style. */
const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: fc.constantFrom(...',;=&|.+% /?#[]"a1é\u00A0') }));
const anyDouble = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);

function lists<T>(values: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(values, { minLength: 1, maxLength: 4 });
}

/** Each shape of a value: its schema, and values of it. */
const shapes: Readonly<Record<string, readonly [schema: string, values: fc.Arbitrary<Json>]>> = {
  'a text': [text, anyText],
  'an integer': ['{ type: integer }', fc.maxSafeInteger()],
  'a number': ['{ type: number }', anyDouble],
  'a boolean': ['{ type: boolean }', fc.boolean()],
  'a list of texts': [texts, lists(anyText)],
  'a list of numbers': [numbers, lists(anyDouble)],
  'a list of listed values': [
    '{ type: array, items: { type: string, enum: [ready, no_show, "a b", "c,d"] } }',
    lists(fc.constantFrom('ready', 'no_show', 'a b', 'c,d')),
  ],
  'an object': [
    '{ type: object, properties: { a: { type: integer }, b: { type: string }, c.d: { type: boolean } } }',
    fc.record({ a: fc.maxSafeInteger(), b: anyText, 'c.d': fc.boolean() }),
  ],
};
const several = ['a list of texts', 'a list of numbers', 'a list of listed values', 'an object'];
const usual = ['query, style: form', 'path, style: simple', 'path, style: label', 'path, style: matrix', 'header', 'cookie'];

/** Each style with the shapes that it is for. */
const styles: readonly (readonly [members: string, ...shapes: readonly string[]])[] = [
  ...usual.map((place) => [`in: ${place}, explode: false`, ...Object.keys(shapes)] as const),
  ...usual.map((place) => [`in: ${place}, explode: true`, ...several] as const),
  ...['space', 'pipe'].map((name) => [`in: query, style: ${name}Delimited, explode: false`, ...several] as const),
  ['in: query, style: deepObject, explode: true', 'an object'],
];

/** Sends what is printed, and reads the whole request as a server does. */
function sendAndRead(operation: Operation, parameter: Parameter, printed: string): Json | undefined {
  const [target, headers] = {
    query: [`/x?before=1&${printed}&after=2`, {}] as const,
    path: [`/x/${printed}`, {}] as const,
    header: ['/x', { color: printed }] as const,
    cookie: ['/x', { cookie: `before=1; color=${printed}; after=2` }] as const,
  }[parameter.in];
  const { values, problems } = readTarget(operation, target, headers);
  expect(problems.filter((problem) => problem.class !== 'undeclared')).toEqual([]);
  return values.get('color');
}

/** The printed value, or `undefined` when the parameter says that it cannot carry the value. */
function printOrRefuse(parameter: Parameter, value: Json): string | undefined {
  try {
    return printParameter(parameter, value);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

async function load(members: string): Promise<readonly [Operation, Parameter]> {
  const isPath = members.startsWith('in: path');
  const operation = await operationOf(
    `parameters: [{ name: color, ${members}${isPath ? ', required: true' : ''} }]`,
    isPath ? '/x/{color}' : '/x',
  );
  const [parameter] = operation.parameters;
  if (parameter === undefined) throw new Error('the operation has no parameter');
  return [operation, parameter];
}

describe.each(styles)('the style %s', (members, ...names) => {
  it.each(names)('carries %s there and back, or says that it cannot', async (name) => {
    const [schema, values] = shapes[name] ?? ['', fc.constant(null)];
    const [operation, parameter] = await load(`${members}, schema: ${schema}`);
    let carried = 0;
    fc.assert(
      fc.property(values, (value) => {
        const printed = printOrRefuse(parameter, value);
        // An empty segment is no segment: the path is another one.
        if (printed === undefined || (parameter.in === 'path' && printed === '')) return;
        carried += 1;
        expect(sendAndRead(operation, parameter, printed)).toEqual(value);
      }),
      { seed: 1, numRuns: 30 },
    );
    expect(carried).toBeGreaterThan(5);
  });
});

it('a parameter whose content is JSON carries every JSON value', async () => {
  const [operation, parameter] = await load('in: query, content: { application/json: { schema: {} } }');
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = parseJson(JSON.stringify(value));
      expect(sendAndRead(operation, parameter, printParameter(parameter, json))).toEqual(json);
    }),
    { seed: 1, numRuns: 30 },
  );
});
