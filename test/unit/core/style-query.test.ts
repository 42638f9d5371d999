/** Query parameters are written as the table of OpenAPI 3.1 (§4.8.12.3, "Style Examples") says, and read from every spelling of the same. */

import { describe, expect, it } from 'vitest';
import type { Json } from '../../../core/json.ts';
import { type ParameterReading, parseQueryParameter, printParameter } from '../../../core/parameter.ts';
import { splitQuery } from '../../../core/style.ts';
import { parameterOf } from '../../helpers/contract-text.ts';

const text = '{ type: string }';
const texts = '{ type: array, items: { type: string } }';
const numbers = '{ type: array, items: { type: integer } }';
const listed = '{ type: array, items: { enum: [blue, black, brown] } }';
const rgb = '{ type: object, properties: { R: { type: integer }, G: { type: integer }, B: { type: integer } } }';

const colors: Json = ['blue', 'black', 'brown'];
const mix: Json = { R: 100, G: 200, B: 150 };

async function read(style: string, schema: string, query: string): Promise<ParameterReading> {
  return parseQueryParameter(await parameterOf(`in: query, ${style}`, schema), splitQuery(query));
}

describe('a query parameter', () => {
  it.each<readonly [string, string, Json, string]>([
    ['style: form', text, 'blue', 'color=blue'],
    ['style: form', text, '', 'color='],
    ['style: form, explode: false', texts, colors, 'color=blue,black,brown'],
    ['style: form, explode: true', texts, colors, 'color=blue&color=black&color=brown'],
    ['style: form, explode: false', rgb, mix, 'color=R,100,G,200,B,150'],
    ['style: form, explode: true', rgb, mix, 'R=100&G=200&B=150'],
    ['style: spaceDelimited, explode: false', texts, colors, 'color=blue%20black%20brown'],
    ['style: spaceDelimited, explode: false', rgb, mix, 'color=R%20100%20G%20200%20B%20150'],
    ['style: pipeDelimited, explode: false', texts, colors, 'color=blue%7Cblack%7Cbrown'],
    ['style: pipeDelimited, explode: false', rgb, mix, 'color=R%7C100%7CG%7C200%7CB%7C150'],
    ['style: deepObject, explode: true', rgb, mix, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
    ['style: form, explode: false', texts, ['a,b', 'c'], 'color=a%2Cb,c'],
    ['style: form, explode: true', texts, ['a&b', 'c=d'], 'color=a%26b&color=c%3Dd'],
    ['style: form', text, 'é +%', 'color=%C3%A9%20%2B%25'],
  ])('of %s %s prints %j as %s, and reads it back', async (style, schema, value, query) => {
    expect(printParameter(await parameterOf(`in: query, ${style}`, schema), value)).toBe(query);
    expect(await read(style, schema, query)).toEqual({ kind: 'value', value });
  });

  it.each<readonly [string, string, string, Json]>([
    ['style: form, explode: false', listed, 'color=blue%2Cblack', ['blue', 'black']],
    ['style: form, explode: false', numbers, 'color=1%2C2', [1, 2]],
    ['style: form, explode: false', texts, 'color=a%2Cb', ['a,b']],
    ['style: form, explode: true', texts, 'color=a,b', ['a,b']],
    ['style: pipeDelimited, explode: false', texts, 'color=blue|black', ['blue', 'black']],
    ['style: spaceDelimited, explode: false', texts, 'color=blue+black', ['blue', 'black']],
    ['style: deepObject, explode: true', rgb, 'color[R]=100', { R: 100 }],
    ['style: form, explode: false', texts, 'co%6Cor=a', ['a']],
    ['style: form', text, 'other=1&color=blue&more=2', 'blue'],
  ])('of %s %s is read from %s too', async (style, schema, query, value) => {
    expect(await read(style, schema, query)).toEqual({ kind: 'value', value });
  });

  it('is written as a list of its own by default, which is form and explode', async () => {
    const parameter = await parameterOf('in: query', texts);
    expect(printParameter(parameter, ['a', 'b'])).toBe('color=a&color=b');
  });

  it('without explode by default in every other style', async () => {
    expect(printParameter(await parameterOf('in: query, style: pipeDelimited', texts), ['a', 'b'])).toBe('color=a%7Cb');
  });

  it.each(['', 'colour=blue', 'color[x]=1', 'Color=blue', '%63olor%=1'])('is absent from %j', async (query) => {
    expect(await read('style: form', text, query)).toEqual({ kind: 'absent' });
  });

  it('prints an empty list as nothing', async () => {
    expect(printParameter(await parameterOf('in: query, style: form, explode: false', texts), [])).toBe('');
    expect(printParameter(await parameterOf('in: query, style: form, explode: true', texts), [])).toBe('');
  });

  it.each([
    ['style: form, explode: false', listed, 'color=blue&color=black'],
    ['style: form', text, 'color=blue&color=blue'],
    ['style: deepObject, explode: true', rgb, 'color[R]=100&color[R]=200'],
    ['style: form, explode: true', rgb, 'R=100&G=1&R=100'],
  ])('of %s %s that is sent more than once is sloppy: %s', async (style, schema, query) => {
    expect(await read(style, schema, query)).toMatchObject({
      kind: 'problem',
      problem: 'sloppy',
      because: expect.stringContaining('more than once'),
    });
  });

  it('that names a member without a value is malformed', async () => {
    for (const schema of [rgb, '{ type: object }']) {
      expect(await read('style: form, explode: false', schema, 'color=R,100,G')).toMatchObject({ kind: 'problem', problem: 'malformed' });
    }
  });

  it('keeps a member called __proto__ as a member', async () => {
    const reading = await read('style: deepObject, explode: true', '{ type: object }', 'color[__proto__]=5&color[b]=6');
    expect(reading.kind === 'value' ? Object.entries(reading.value as object) : []).toEqual([
      ['__proto__', '5'],
      ['b', '6'],
    ]);
  });
});
