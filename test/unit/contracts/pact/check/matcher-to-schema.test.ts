/** Pact's matchers as schemas: each with accepted and rejected values. */

import { describe, expect, it } from 'vitest';
import { combinedSchema, readBodyExpectations } from '../../../../../contracts/pact/check/body-expectations.ts';
import { schemaOfRule } from '../../../../../contracts/pact/check/matcher-to-schema.ts';
import { type Json, objectOrEmpty } from '../../../../../core/json.ts';
import { createDocument } from '../../../../../core/openapi/document.ts';
import type { MatchingRules } from '../../../../../core/pact/pact.ts';
import { parsePact } from '../../../../../core/pact/parse-pact.ts';
import { createInclusions } from '../../../../../generators/schema-inclusion.ts';

const { allows } = createInclusions(createDocument('none.yaml', new Map([['none.yaml', {}]])));

/** Reads the matching rules of an expected body from a pact. */
function matchingOf(body: Json): MatchingRules {
  const response = { matchingRules: { body } };
  const interactions = [{ description: 'a request', request: {}, response }];
  const {
    interactions: [first],
  } = parsePact('pact.json', JSON.stringify({ consumer: { name: 'c' }, provider: { name: 'p' }, interactions }));
  if (first === undefined) throw new Error('the pact has one interaction');
  return first.response.matching;
}

function judge(example: Json, body: Json, actual: Json): boolean {
  const matching = matchingOf(body);
  return allows(combinedSchema(readBodyExpectations(example, matching).expectations), actual);
}

const all = (...matchers: readonly Json[]): Json => ({ combine: 'AND', matchers });
const any = (...matchers: readonly Json[]): Json => ({ combine: 'OR', matchers });

/** Rules, the example, accepted values, rejected values. */
const table: readonly (readonly [title: string, rules: Json, example: Json, passes: readonly Json[], fails: readonly Json[]])[] = [
  ['nothing but the example', {}, { a: 1 }, [{ a: 1 }, { a: 1, b: 2 }], [{ a: 2 }, {}, [], { a: '1' }]],
  ['a list without a rule', {}, { a: [1, 2] }, [{ a: [1, 2] }], [{ a: [1] }, { a: [2, 1] }, { a: [1, 2, 3] }]],
  ['a type', { $: all({ match: 'type' }) }, { a: 'x' }, [{ a: 'y' }], [{ a: 1 }, {}, { a: null }]],
  [
    'a type that holds for all below',
    { '$.a': all({ match: 'type' }) },
    { a: { b: [{ c: 1 }] } },
    [{ a: { b: [{ c: 2.5 }] } }],
    [{ a: { b: [{ c: 'x' }] } }],
  ],
  [
    'at least one',
    { '$.a': all({ match: 'type', min: 1 }) },
    { a: [{ b: 1 }] },
    [{ a: [{ b: 2 }, { b: 3 }] }],
    [{ a: [] }, { a: [{ b: 'x' }] }, { a: [{ b: 1 }, {}] }],
  ],
  ['at most one', { '$.a': all({ match: 'type', max: 1 }) }, { a: [1] }, [{ a: [] }, { a: [2] }], [{ a: [1, 2] }]],
  ['an equality below a type', { $: all({ match: 'type' }), '$.a': all({ match: 'equality' }) }, { a: 'x' }, [{ a: 'x' }], [{ a: 'y' }]],
  ['an integer', { '$.a': all({ match: 'integer' }) }, { a: 1 }, [{ a: 7 }], [{ a: 1.5 }, { a: '1' }]],
  ['a decimal', { '$.a': all({ match: 'decimal' }) }, { a: 1.5 }, [{ a: 2.5 }], [{ a: 3 }]],
  ['a number', { '$.a': all({ match: 'number' }) }, { a: 1 }, [{ a: 2.5 }, { a: 3 }], [{ a: 'x' }]],
  ['true or false', { '$.a': all({ match: 'boolean' }) }, { a: true }, [{ a: false }], [{ a: null }]],
  [
    'null or a type',
    { '$.a': any({ match: 'type' }, { match: 'null' }) },
    { a: { b: 1 } },
    [{ a: null }, { a: { b: 2 } }],
    [{ a: {} }, { a: 5 }],
  ],
  ['an expression', { '$.a': all({ match: 'regex', regex: '^[a-c]+$' }) }, { a: 'abc' }, [{ a: 'cab' }], [{ a: 'x' }, { a: 1 }]],
  ['a part of a text', { '$.a': all({ match: 'include', value: 'b.c' }) }, { a: 'ab.cd' }, [{ a: 'xb.c' }], [{ a: 'abxc' }]],
  ['a date', { '$.a': all({ match: 'date', format: 'yyyy-MM-dd' }) }, { a: '2026-01-02' }, [{ a: '2027-12-31' }], [{ a: '2.1.2026' }]],
  [
    'an instant',
    { '$.a': all({ match: 'datetime', format: "yyyy-MM-dd'T'HH:mm:ssXXX" }) },
    { a: '2026-01-02T03:04:05Z' },
    [{ a: '2026-01-02T03:04:05+01:00' }],
    [{ a: '2026-01-02T03:04:05.5Z' }],
  ],
  [
    'each of several elements',
    { '$.a': all({ match: 'type', min: 1 }), '$.a[*].b': all({ match: 'regex', regex: '^x' }) },
    { a: [{ b: 'x' }] },
    [{ a: [{ b: 'xy' }] }],
    [{ a: [{ b: 'y' }] }],
  ],
  ['any names', { '$.a': all({ match: 'values' }) }, { a: { x: 1 } }, [{ a: { y: 1 } }, { a: {} }], [{ a: [] }]],
  ['what is not empty', { '$.a': all({ match: 'notEmpty' }) }, { a: 'x' }, [{ a: 'y' }], [{ a: '' }]],
  [
    'a rule that weighs more',
    { '$.*': all({ match: 'type' }), '$.a': all({ match: 'regex', regex: '^x$' }) },
    { a: 'x', b: 'y' },
    [{ a: 'x', b: 'z' }],
    [{ a: 'y', b: 'z' }],
  ],
];

describe('a matching rule', () => {
  it.each(table)('%s', (_, rules, example, passes, fails) => {
    expect(judge(example, rules, example)).toBe(true);
    expect(passes.filter((value) => !judge(example, rules, value))).toEqual([]);
    expect(fails.filter((value) => judge(example, rules, value))).toEqual([]);
  });

  it('that is unknown is reported, and accepts every value', () => {
    const matching = matchingOf({ '$.a': all({ match: 'sorcery' }) });
    const { notCompared, expectations } = readBodyExpectations({ a: 1 }, matching);
    expect(notCompared).toEqual([{ keys: ['a'], reason: 'the matcher sorcery is unknown' }]);
    expect(allows(combinedSchema(expectations), { a: 'anything' })).toBe(true);
    expect(allows(combinedSchema(expectations), {})).toBe(false);
  });
});

/** The pattern of a matcher for a string; empty if it is not compared. */
function patternOf(value: { readonly match: string; readonly regex?: string; readonly format?: string }): string {
  const { match } = value;
  const { schema } = schemaOfRule({ combine: 'AND', matchers: [{ match, value: { ...value } }] }, 'example');
  return String(objectOrEmpty(schema === true || schema === false ? undefined : schema)['pattern'] ?? '');
}

describe('a regex of another engine', () => {
  it.each([
    ['^\\d{4}\\-\\d\\d$', '2026-01', '2026x01'],
    ['^\\"a\\"$', '"a"', 'a'],
    ['^[\\w\\.]+$', 'a.b', 'a-b'],
  ])('%s is read', (expression, good, bad) => {
    const pattern = new RegExp(patternOf({ match: 'regex', regex: expression }), 'u');
    expect([pattern.test(good), pattern.test(bad)]).toEqual([true, false]);
  });

  it.each(['(?i)abc', '\\Aabc\\z', '['])('%s is not compared', (expression) => {
    expect(patternOf({ match: 'regex', regex: expression })).toBe('');
  });

  it.each([
    ['yyyy-MM-dd HH:mm', '2026-01-02 03:04', '2026-1-2 3:4'],
    ["dd. MMMM yyyy 'um' H 'Uhr'", '02. March 2026 um 7 Uhr', '02. 3 2026'],
    ["yyyy-MM-dd'T'HH:mm:ss.SSSXXX", '2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05Z'],
  ])('the form %s is read', (format, good, bad) => {
    const pattern = new RegExp(patternOf({ match: 'datetime', format }), 'u');
    expect([pattern.test(good), pattern.test(bad)]).toEqual([true, false]);
  });

  it('a form with an unknown letter is not compared', () => {
    expect(patternOf({ match: 'datetime', format: 'yyyy QQQ' })).toBe('');
  });
});
