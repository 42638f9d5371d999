/** A parameter is read strictly, and a wrong value has one class: malformed, out of range, unknown or sloppy. */

import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../../core/json.ts';
import { type Parameter, type ParameterReading, parseQueryParameter } from '../../../core/parameter.ts';
import { encodeText, splitQuery } from '../../../core/style.ts';
import { parameterOf } from '../../helpers/contract-text.ts';

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
    ['status', 'ready,pending', ['ready', 'pending']],
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

  it('of a type inside a branch is read as that type', () => {
    expect(read('optionalList', '5', '6')).toEqual({ kind: 'value', value: [5, 6] });
    expect(problemOf(read('optional', '101'))).toBe('out-of-range');
    expect(problemOf(read('optional', 'abc'))).toBe('malformed');
  });

  it('of an object has members of their own types', () => {
    const pairs = splitQuery('color[size]=5&color[name]=6');
    expect(parseQueryParameter(parameter('filter'), pairs)).toEqual({ kind: 'value', value: { size: 5, name: '6' } });
  });
});

describe('a wrong value', () => {
  it.each<readonly [Name, readonly string[]]>([
    ['limit', ['abc', '5.5', '1e2', '0x10', '1%2C000', 'null', 'true', '%', '%E9', '%zz', '--5']],
    ['status', ['%', '%E9']],
    ['numbers', ['1,x', 'x']],
    ['updated_after', ['abc', '2026-02-30', '2026-02-30T00:00:00Z', '2026-10-03T25:10:00Z', '2026-10-03T16:61:00Z', '16:10', '2026-13-01']],
    ['date_from', ['abc', '2026-02-30', '25:10', '2026-13-01', '2026-00-10', '2025-02-29', 'today']],
    ['flag', ['abc', '2', 'constructor']],
    ['pattern', ['ABC', '1']],
    ['price', ['abc', '1,5', 'NaN', 'Infinity']],
  ])('of %s is malformed when no reading rescues it: %j', (name, texts) => {
    expect(texts.map((text) => `${text} ${problemOf(read(name, text))}`)).toEqual(texts.map((text) => `${text} malformed`));
  });

  it.each<readonly [Name, readonly string[]]>([
    ['limit', ['0', '101', '-1', '-5', '9007199254740993', '007000']],
    ['id', ['0', '-1', '-0']],
    ['numbers', ['10', '1,1', '1,2,3,4']],
    ['price', ['0', '-1', '0.3']],
  ])('of %s is out of range beyond a bound: %j', (name, texts) => {
    expect(texts.map((text) => `${text} ${problemOf(read(name, text))}`)).toEqual(texts.map((text) => `${text} out-of-range`));
  });

  it.each<readonly [Name, readonly string[]]>([
    ['status', ['zzz', 'ready,zzz', 'READY,zzz', 'ready;pending', 'readyy', 'no%20show', 'null']],
    ['type', ['zzz', 'creature,luogo', 'creatures']],
    ['level', ['4', '0', '-1']],
  ])('of %s is unknown outside the listed ones, case and spaces folded: %j', (name, texts) => {
    expect(texts.map((text) => `${text} ${problemOf(read(name, text))}`)).toEqual(texts.map((text) => `${text} unknown-value`));
  });

  it.each<readonly [Name, readonly string[]]>([
    ['limit', ['007', '+5', '%2B5', '5.0', '5.', ' 5', '%205', '5%20', '']],
    ['id', ['9007199254740993', '9'.repeat(30), `1${'0'.repeat(400)}`, '007', '']],
    ['status', ['READY', 'Ready', '%20ready', 'ready,%20pending', 'ready,,pending', ',ready', 'ready,', ',', '', '%20', 'READY,ready']],
    ['type', ['Luogo', ' luogo', '']],
    [
      'updated_after',
      ['2026-10-03T16:10:30', '2026-10-03', '2026-10-03T16:10:30+02:00', '2026-10-03 16:10:30Z', '2026-10-03T16:10:30%2B0200', ''],
    ],
    ['date_from', ['%202026-10-03', '2026-10-03%20', '']],
    ['flag', ['TRUE', '1', 'yes', '']],
    ['code', ['']],
    ['level', ['02', '+2', '']],
  ])('of %s is sloppy when a lenient reader makes sense of it: %j', (name, texts) => {
    expect(texts.map((text) => `${text} ${problemOf(read(name, text))}`)).toEqual(texts.map((text) => `${text} sloppy`));
  });
});

describe('a parameter that is sent more than once', () => {
  it.each<readonly [Name, readonly string[]]>([
    ['limit', ['5', '5']],
    ['limit', ['5', '6']],
    ['limit', ['5', 'abc']],
    ['limit', ['abc', '5']],
    ['limit', ['5', '1000']],
    ['limit', ['1000', '5']],
    ['status', ['ready', 'pending']],
    ['updated_after', ['2026-10-03T14:10:30Z', '2026-10-03T14:10:30Z']],
  ])('is sloppy when one of its values makes sense: %s %j', (name, raw) => {
    expect(problemOf(read(name, ...raw))).toBe('sloppy');
  });

  it('is malformed when none does', () => {
    expect(problemOf(read('limit', 'abc', 'abd'))).toBe('malformed');
  });

  it('is the last one in a lenient reading', () => {
    expect(read('limit', '5', '6')).toMatchObject({ lenient: 6 });
    expect(read('limit', '5', 'abc')).toMatchObject({ lenient: 5 });
  });

  it('joins lists in a lenient reading', () => {
    expect(read('status', 'ready', 'pending')).toMatchObject({ lenient: ['ready', 'pending'] });
  });

  it('may be an exploded list, which is not sloppy', () => {
    expect(read('optionalList', '5', '5')).toEqual({ kind: 'value', value: [5, 5] });
  });
});

describe('what is wrong', () => {
  it.each<readonly [Name, string, string, string]>([
    ['limit', '101', '101', 'must be <= 100'],
    ['limit', 'abc', 'abc', 'integer'],
    ['limit', '007', '007', 'plain integer'],
    ['id', '9007199254740993', '9007199254740993', '2^53'],
    ['status', 'zzz', 'zzz', 'pending, confirmed, preparing, ready, no_show'],
    ['status', 'ready,,pending', 'ready,,pending', 'empty members'],
    ['status', '', '', 'empty'],
    ['updated_after', '2026-10-03T16:10:30+02:00', '2026-10-03T16:10:30 02:00', '%2B'],
    ['limit', '%zz', '(undecodable)', '%zz'],
  ])('with %s=%s is told with what was sent and why', (name, raw, sent, words) => {
    expect(read(name, raw)).toMatchObject({ sent, because: expect.stringContaining(words) });
  });

  it.each<readonly [Name, string, Json | undefined]>([
    ['limit', '101', 100],
    ['limit', '0', 1],
    ['limit', '-5', 1],
    ['limit', '007', 7],
    ['limit', 'abc', undefined],
    ['limit', '', undefined],
    ['status', 'READY', ['ready']],
    ['status', 'ready,,pending', ['ready', 'pending']],
    ['status', 'zzz', undefined],
    ['updated_after', '2026-10-03', '2026-10-03T00:00:00Z'],
    ['updated_after', '2026-10-03T16:10:30+02:00', '2026-10-03T16:10:30+02:00'],
    ['flag', 'yes', true],
    ['date_from', '2026-02-30', undefined],
  ])('with %s=%s would be read leniently as %3$j', (name, raw, lenient) => {
    const reading = read(name, raw);
    expect(reading.kind === 'problem' ? reading.lenient : reading).toEqual(lenient);
  });

  it('is never read leniently as something that is wrong as well', () => {
    const raw = fc.oneof(
      fc.string().map(encodeText),
      fc.string({ unit: fc.constantFrom(...'0159+-. ,eE%T:Z') }).map((text) => text.replaceAll('%', '%25')),
      fc.constantFrom(
        '0',
        '-1',
        '101',
        '1000',
        '5',
        '007',
        '0.3',
        '1,1',
        '1,2,3,4',
        'READY',
        'ready,,pending',
        '4',
        '2026-10-03',
        '9'.repeat(30),
      ),
    );
    fc.assert(
      fc.property(fc.constantFrom(...(Object.keys(schemas) as Name[])), fc.array(raw, { minLength: 1, maxLength: 2 }), (name, texts) => {
        const reading = read(name, ...texts);
        if (reading.kind === 'absent') return;
        const value = reading.kind === 'value' ? reading.value : reading.lenient;
        if (value !== undefined) expect(parameter(name).validate(value)).toEqual([]);
      }),
      { seed: 1, numRuns: 2000 },
    );
  });
});

describe('a parameter whose text is JSON', () => {
  const json = 'in: query, content: { application/json: { schema: { type: string } } }';

  it('is malformed when it is no JSON', async () => {
    const reading = parseQueryParameter(await parameterOf(json), splitQuery('color=abc'));
    expect(reading).toMatchObject({ kind: 'problem', problem: 'malformed', because: expect.stringContaining('JSON') });
  });

  it('is read as JSON', async () => {
    expect(parseQueryParameter(await parameterOf(json), splitQuery('color=%22a%22'))).toEqual({ kind: 'value', value: 'a' });
  });
});
