/** Path segments, headers and cookies are written as OpenAPI 3.1 (§4.8.12.3) and RFC 6570 say, and read back. */

import { describe, expect, it } from 'vitest';
import type { Json } from '../../../core/json.ts';
import { type ParameterReading, parseSegmentParameter, printParameter } from '../../../core/parameter.ts';
import { parameterOf } from '../../helpers/contract-text.ts';

const text = '{ type: string }';
const texts = '{ type: array, items: { type: string } }';
const numbers = '{ type: array, items: { type: number } }';
const rgb = '{ type: object, properties: { R: { type: integer }, G: { type: integer }, B: { type: integer } } }';

const colors: Json = ['blue', 'black', 'brown'];
const mix: Json = { R: 100, G: 200, B: 150 };

async function read(style: string, schema: string, raw: string): Promise<ParameterReading> {
  return parseSegmentParameter(await parameterOf(style, schema), raw);
}

describe('a parameter', () => {
  it.each<readonly [string, string, Json, string]>([
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
  ])('%s %s prints %j as %s, and reads it back', async (style, schema, value, raw) => {
    expect(printParameter(await parameterOf(style, schema), value)).toBe(raw);
    expect(await read(style, schema, raw)).toEqual({ kind: 'value', value });
  });

  it.each<readonly [string, string, string, Json]>([
    ['in: header', texts, 'blue, black ,brown', colors],
    ['in: header', numbers, '1, 2', [1, 2]],
    ['in: header', text, '  blue ', 'blue'],
    ['in: header', text, '100% sure', '100% sure'],
    ['in: header', text, 'a%20b', 'a%20b'],
    ['in: path', text, 'a+b', 'a+b'],
    ['in: path', numbers, '1%2C2', [1, 2]],
    ['in: cookie', text, 'a+b', 'a+b'],
  ])('%s %s is read from %j too', async (style, schema, raw, value) => {
    expect(await read(style, schema, raw)).toEqual({ kind: 'value', value });
  });

  it.each([
    ['in: path, style: label', text, 'blue'],
    ['in: path, style: matrix', text, 'blue'],
    ['in: path, style: matrix', text, ';colour=blue'],
    ['in: path', text, '%zz'],
    ['in: cookie', text, '%E9'],
    ['in: path', rgb, 'R,100,G'],
    ['in: path', numbers, '1,x'],
  ])('%s %s is malformed as %j', async (style, schema, raw) => {
    expect(await read(style, schema, raw)).toMatchObject({ kind: 'problem', problem: 'malformed' });
  });

  it('that was not sent is absent', async () => {
    expect(parseSegmentParameter(await parameterOf('in: header', text), undefined)).toEqual({ kind: 'absent' });
  });
});
