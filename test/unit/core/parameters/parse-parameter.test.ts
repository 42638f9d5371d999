/** A parameter is read strictly, and a wrong value has one class: malformed, out of range, unknown or sloppy. */

import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Json, readNumber } from '../../../../core/json.ts';
import { type Parameter, type ParameterReading, parseQueryParameter } from '../../../../core/parameters/parse-parameter.ts';
import { encodeText, splitQuery } from '../../../../core/parameters/query-string.ts';
import { readStrictly, type ValueKind, valueKindsOf } from '../../../../core/parameters/read-value.ts';
import { parameterOf } from '../../../helpers/contracts/contract-text.ts';

const schemas = {
  limit: '{ type: integer, minimum: 1, maximum: 100, default: 50 }',
  id: '{ type: integer, minimum: 1 }',
  status: '{ type: array, minItems: 1, items: { type: string, enum: [pending, confirmed, preparing, ready, no_show] } }',
  numbers: '{ type: array, items: { type: integer, maximum: 9 }, maxItems: 3, uniqueItems: true }',
  type: '{ type: string, enum: [creature, luogo] }',
  updated_after: '{ type: string, format: date-time }',
  date_from: '{ type: string, format: date }',
  flag: '{ type: boolean }',
  code: '{ type: string, minLength: 1 }',
  q: '{ type: string }',
  price: '{ type: number, exclusiveMinimum: 0, multipleOf: 0.5 }',
  pattern: "{ type: string, pattern: '^[a-z]+$' }",
  level: '{ type: integer, enum: [1, 2, 3] }',
  optional: "{ anyOf: [{ type: integer, maximum: 100 }, { type: 'null' }] }",
  optionalList: "{ anyOf: [{ type: array, items: { type: integer } }, { type: 'null' }] }",
  filter: '{ type: object, properties: { size: { allOf: [{ type: integer }] }, name: { type: string } } }',
} as const;

type Name = keyof typeof schemas;

const parameters = new Map<Name, Parameter>();
beforeAll(async () => {
  for (const [name, schema] of Object.entries(schemas)) {
    const style = name === 'filter' ? 'style: deepObject' : name === 'optionalList' ? 'explode: true' : 'explode: false';
    parameters.set(name as Name, await parameterOf(`in: query, ${style}`, schema));
  }
});

function parameter(name: Name): Parameter {
  const found = parameters.get(name);
  if (found === undefined) throw new Error(`there is no parameter ${name}`);
  return found;
}

/** Reads the raw text of a query value; several are several occurrences. */
function read(name: Name, ...raw: readonly string[]): ParameterReading {
  return parseQueryParameter(parameter(name), splitQuery(raw.map((value) => `color=${value}`).join('&')));
}

function problemOf(reading: ParameterReading): string {
  return reading.kind === 'problem' ? reading.problem : reading.kind;
}

describe('a right value', () => {
  it.each<readonly [Name, string, Json]>([
    ['limit', '1', 1],
    ['limit', '100', 100],
    ['id', '9007199254740991', 9_007_199_254_740_991],
    ['status', 'ready', ['ready']],
    ['status', 'ready%2Cpending', ['ready', 'pending']],
    ['status', 'ready,ready', ['ready', 'ready']],
    ['numbers', '1,2', [1, 2]],
    ['type', 'luogo', 'luogo'],
    ['updated_after', '2026-10-03T16:10:30%2B02:00', '2026-10-03T16:10:30+02:00'],
    ['updated_after', '2026-10-03T14:10:30Z', '2026-10-03T14:10:30Z'],
    ['date_from', '2024-02-29', '2024-02-29'],
    ['flag', 'false', false],
    ['code', 'a,b', 'a,b'],
    ['code', '007', '007'],
    ['q', '%20x%20', ' x '],
    ['price', '1.5', 1.5],
    ['level', '2', 2],
    ['optional', '5', 5],
  ])('of %s is read from %s', (name, raw, value) => {
    expect(read(name, raw)).toEqual({ kind: 'value', value });
  });

  it('may be an exploded list, which is not sloppy', () => {
    expect(read('optionalList', '5', '5')).toEqual({ kind: 'value', value: [5, 5] });
  });

  it('of an object has members of their own types', () => {
    const pairs = splitQuery('color[size]=5&color[name]=6');
    expect(parseQueryParameter(parameter('filter'), pairs)).toEqual({ kind: 'value', value: { size: 5, name: '6' } });
  });
});

describe('a wrong value', () => {
  it.each<readonly [problem: string, Name, readonly string[]]>([
    ['malformed', 'limit', ['abc', '5.5', '1e2', '0x10', '1%2C000', 'null', 'true', '%', '%E9', '%zz', '--5']],
    ['malformed', 'optional', ['abc']],
    ['malformed', 'status', ['%', '%E9']],
    ['malformed', 'numbers', ['1,x', 'x']],
    ['malformed', 'updated_after', ['abc', '2026-02-30', '2026-02-30T00:00:00Z', '2026-10-03T25:10:00Z', '16:10', '2026-13-01']],
    ['malformed', 'date_from', ['abc', '2026-02-30', '25:10', '2026-13-01', '2026-00-10', '2025-02-29', 'today']],
    ['malformed', 'flag', ['abc', '2', 'constructor']],
    ['malformed', 'pattern', ['ABC', '1']],
    ['malformed', 'price', ['abc', '1,5', 'NaN', 'Infinity']],
    ['out-of-range', 'limit', ['0', '101', '-1', '-5', '9007199254740993', '007000']],
    ['out-of-range', 'id', ['0', '-1', '-0']],
    ['out-of-range', 'optional', ['101']],
    ['out-of-range', 'numbers', ['10', '1,1', '1,2,3,4']],
    ['out-of-range', 'price', ['0', '-1', '0.3']],
    ['unknown-value', 'status', ['zzz', 'ready,zzz', 'READY,zzz', 'ready;pending', 'readyy', 'no%20show', 'null']],
    ['unknown-value', 'type', ['zzz', 'creature,luogo', 'creatures']],
    ['unknown-value', 'level', ['4', '0', '-1']],
    ['sloppy', 'limit', ['007', '+5', '%2B5', '5.0', '5.', ' 5', '%205', '5%20', '']],
    ['sloppy', 'id', ['9223372036854775808', '9'.repeat(30), `1${'0'.repeat(400)}`, '007', '']],
    ['sloppy', 'status', ['READY', 'Ready', '%20ready', 'ready,%20pending', 'ready,,pending', ',ready', 'ready,', ',', '', '%20']],
    ['sloppy', 'status', ['READY,ready']],
    ['sloppy', 'type', ['Luogo', ' luogo', '']],
    ['sloppy', 'updated_after', ['2026-10-03T16:10:30', '2026-10-03', '2026-10-03T16:10:30+02:00', '2026-10-03T16:10:30%2B0200', '']],
    ['sloppy', 'date_from', ['%202026-10-03', '2026-10-03%20', '']],
    ['sloppy', 'flag', ['TRUE', '1', 'yes', '']],
    ['sloppy', 'code', ['']],
    ['sloppy', 'level', ['02', '+2', '']],
  ])('is %s for %s as any of %j', (problem, name, texts) => {
    expect(texts.map((text) => `${text} ${problemOf(read(name, text))}`)).toEqual(texts.map((text) => `${text} ${problem}`));
  });

  it.each<readonly [Name, string, string, string]>([
    ['limit', '101', '101', 'must be <= 100'],
    ['limit', 'abc', 'abc', 'integer'],
    ['limit', '007', '007', 'plain integer'],
    ['id', '9223372036854775808', '9223372036854775808', '64 bits'],
    ['status', 'zzz', 'zzz', 'pending, confirmed, preparing, ready, no_show'],
    ['status', 'ready,,pending', 'ready,,pending', 'empty members'],
    ['status', '', '', 'empty'],
    ['updated_after', '2026-10-03T16:10:30+02:00', '2026-10-03T16:10:30 02:00', '%2B'],
    ['limit', '%zz', '(undecodable)', '%zz'],
  ])('%s=%s is reported with what was sent and why', (name, raw, sent, words) => {
    expect(read(name, raw)).toMatchObject({ sent, because: expect.stringContaining(words) });
  });

  it.each<readonly [Name, readonly string[], Json | undefined]>([
    ['limit', ['101'], 100],
    ['limit', ['0'], 1],
    ['limit', ['-5'], 1],
    ['limit', ['007'], 7],
    ['limit', ['abc'], undefined],
    ['limit', [''], undefined],
    ['limit', ['5', '6'], 6],
    ['limit', ['5', 'abc'], 5],
    ['status', ['READY'], ['ready']],
    ['status', ['ready,,pending'], ['ready', 'pending']],
    ['status', ['ready', 'pending'], ['ready', 'pending']],
    ['status', ['zzz'], undefined],
    ['updated_after', ['2026-10-03'], '2026-10-03T00:00:00Z'],
    ['updated_after', ['2026-10-03T16:10:30+02:00'], '2026-10-03T16:10:30+02:00'],
    ['flag', ['yes'], true],
    ['date_from', ['2026-02-30'], undefined],
  ])('%s=%j would be read leniently as %j', (name, raw, lenient) => {
    const reading = read(name, ...raw);
    expect(reading.kind === 'problem' ? reading.lenient : reading).toEqual(lenient);
  });

  it('is never read leniently as something that is wrong as well', () => {
    const beyond = ['0', '-1', '101', '5', '007', '0.3', '1,1', '1,2,3,4', 'READY', 'ready,,pending', '4', '2026-10-03', '9'.repeat(30)];
    const raw = fc.oneof(
      fc.string().map(encodeText),
      fc.string({ unit: fc.constantFrom(...'0159+-. ,eE%T:Z') }).map((text) => text.replaceAll('%', '%25')),
      fc.constantFrom(...beyond),
    );
    fc.assert(
      fc.property(fc.constantFrom(...(Object.keys(schemas) as Name[])), fc.array(raw, { minLength: 1, maxLength: 2 }), (name, texts) => {
        const reading = read(name, ...texts);
        if (reading.kind === 'absent') return;
        const value = reading.kind === 'value' ? reading.value : reading.lenient;
        if (value !== undefined) expect(parameter(name).validate(value)).toEqual([]);
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});

describe('a parameter that is sent more than once', () => {
  it.each<readonly [string, Name, readonly string[]]>([
    ['sloppy', 'limit', ['5', '5']],
    ['sloppy', 'limit', ['5', 'abc']],
    ['sloppy', 'limit', ['abc', '5']],
    ['sloppy', 'limit', ['5', '1000']],
    ['sloppy', 'limit', ['1000', '5']],
    ['sloppy', 'status', ['ready', 'pending']],
    ['sloppy', 'updated_after', ['2026-10-03T14:10:30Z', '2026-10-03T14:10:30Z']],
    ['malformed', 'limit', ['abc', 'abd']],
  ])('is %s, since some value makes sense or none does: %s %j', (problem, name, raw) => {
    expect(problemOf(read(name, ...raw))).toBe(problem);
  });
});

it('a parameter whose text is JSON is read as JSON, and is malformed when it is none', async () => {
  const json = await parameterOf('in: query, content: { application/json: { schema: { type: string } } }');
  expect(parseQueryParameter(json, splitQuery('color=%22a%22'))).toEqual({ kind: 'value', value: 'a' });
  const because: unknown = expect.stringContaining('JSON');
  expect(parseQueryParameter(json, splitQuery('color=abc'))).toMatchObject({ kind: 'problem', problem: 'malformed', because });
});

describe('the strict reading', () => {
  it('gives texts as they are, and numbers in every spelling of JSON', () => {
    expect(['', ' 5'].map((text) => readStrictly(['string'], text))).toEqual(['', ' 5']);
    expect(['5', '-0.5', '1e2', '1.5E-3'].map((text) => readStrictly(['number'], text))).toEqual([5, -0.5, 100, 0.0015]);
    expect(readStrictly(['integer'], '9007199254740991')).toBe(9_007_199_254_740_991);
    expect(readStrictly(['date-time'], '2026-10-03t14:10:30z')).toBe('2026-10-03t14:10:30z');
  });

  it.each<readonly [ValueKind, readonly string[]]>([
    ['integer', ['', '007', '+5', '5.0', '5.', ' 5', '5 ', '1e2', '-0', '0x10', '1_000', '1,000', 'abc', '٥', '--5']],
    ['integer', ['9223372036854775808', '-9223372036854775809']],
    ['number', ['', '007', '+5', '5.', '.5', ' 5', '1e', 'NaN', 'Infinity', '-Infinity', '1e999', '0x10', '1,5', 'abc']],
    ['boolean', ['', 'TRUE', 'True', '1', '0', 'yes', 'constructor', 'toString', ' true']],
    ['date-time', ['', 'abc', '2026-10-03', '2026-10-03T16:10:30', '2026-10-03T16:10:30 02:00', '2026-02-30T00:00:00Z']],
  ])('as %s is refused to %j', (kind, texts) => {
    expect(texts.filter((text) => readStrictly([kind], text) !== undefined)).toEqual([]);
  });

  it('takes the first kind that fits', () => {
    expect(readStrictly(['integer', 'string'], '5')).toBe(5);
    expect(readStrictly(['integer', 'string'], '05')).toBe('05');
    expect(readStrictly(['integer', 'boolean'], 'abc')).toBeUndefined();
  });

  it('is the inverse of printing', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true }), (integer, number) => {
        expect(readStrictly(['integer'], String(integer))).toBe(integer + 0);
        expect(readStrictly(['number'], String(number))).toBe(readNumber(String(number)) || 0);
      }),
      { seed: 1, numRuns: 100 },
    );
  });
});

describe('the kinds of value', () => {
  it.each<readonly [Json, readonly ValueKind[]]>([
    [{ type: ['integer', 'null'] }, ['integer']],
    [{ type: ['string', 'integer'] }, ['integer', 'string']],
    [{ type: 'string', format: 'date-time' }, ['date-time']],
    [{ type: 'string', format: 'date' }, ['string']],
    [{}, ['string']],
    [true, ['string']],
    [{ enum: ['a', 'b'] }, ['string']],
    [{ enum: [1, 2] }, ['number']],
    [{ const: true }, ['boolean']],
    [{ type: 'number', enum: [1, 2] }, ['number']],
  ])('that %j allows are %j', (schema, kinds) => {
    expect(valueKindsOf(schema)).toEqual(kinds);
  });
});
