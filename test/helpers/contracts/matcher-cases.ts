/** Rules of Pact, each with values that Pact accepts and refuses. */

import type { Json } from '../../../core/json.ts';

/** A rule for `$.v` (and other paths), the example of `v`, and values of `v`. */
export interface MatcherCase {
  readonly rules: Readonly<Record<string, Json>>;
  readonly example: Json;
  readonly accepted: readonly Json[];
  readonly refused: readonly Json[];
}

const all = (...matchers: readonly Json[]): Json => ({ combine: 'AND', matchers });
const either = (...matchers: readonly Json[]): Json => ({ combine: 'OR', matchers });

function v(matcher: Json, example: Json, accepted: readonly Json[], refused: readonly Json[]): MatcherCase {
  return { rules: { '$.v': all(matcher) }, example, accepted, refused };
}

function regex(expression: string, example: string, accepted: readonly Json[], refused: readonly Json[]): MatcherCase {
  return v({ match: 'regex', regex: expression }, example, accepted, refused);
}

function format(match: string, written: string, example: string, accepted: readonly Json[], refused: readonly Json[]): MatcherCase {
  return v({ match, format: written }, example, accepted, refused);
}

const word = { match: 'regex', regex: '[a-z]+' };

export const matcherCases: Readonly<Record<string, MatcherCase>> = {
  'no rule': { rules: {}, example: 1, accepted: [1], refused: [2, '1'] },
  'no rule, a list': { rules: {}, example: [1, 2], accepted: [[1, 2]], refused: [[1], [2, 1], [1, 2, 3]] },
  'no rule, an empty list': { rules: {}, example: [], accepted: [[]], refused: [[1]] },
  'no rule, an object': { rules: {}, example: { a: 1 }, accepted: [{ a: 1, b: 2 }], refused: [{}, { a: 2 }, []] },
  type: v({ match: 'type' }, 'a', ['b', ''], [5, null]),
  'type of a list': v(
    { match: 'type' },
    [1, 'a'],
    [[2, 'b'], [2], [], [2, 'b', 3]],
    [
      ['x', 'b'],
      [2, 'b', 'c'],
    ],
  ),
  'type of an empty list': v({ match: 'type' }, [], [[], [1]], [{}, null]),
  'type cascades': v(
    { match: 'type' },
    { a: 1, b: { c: 'x' } },
    [{ a: 2, b: { c: 'y' } }],
    [
      { a: 2, b: {} },
      { a: '2', b: { c: 'y' } },
    ],
  ),
  min: v({ match: 'type', min: 2 }, ['a'], [['b', 'c']], [['b'], [], ['b', 1]]),
  'min of an object': v({ match: 'type', min: 2 }, { a: 1 }, [{ a: 1, b: 2 }], [{ a: 1 }]),
  'min does not cascade': v({ match: 'type', min: 2 }, { l: [1] }, [{ l: [], m: 1 }], [{ l: [] }]),
  'min and max': v({ match: 'type', min: 1, max: 2 }, ['a'], [['x'], ['x', 'y']], [[], ['x', 'y', 'z']]),
  integer: v({ match: 'integer' }, 1, [2], [2.5, '2', null]),
  'integer of 64 bits': v({ match: 'integer' }, 1, [2n ** 64n - 1n, -(2n ** 63n)], [2n ** 64n, -(2n ** 63n) - 1n]),
  'integer of a list': v({ match: 'integer' }, [1], [[2, 3]], [['x'], [2.5]]),
  'integer of an object': v({ match: 'integer' }, { a: 1 }, [], [{ a: 1 }]),
  decimal: v({ match: 'decimal' }, 1.5, [2.5, 2n ** 64n], [2, '2.5']),
  number: v({ match: 'number' }, 1.5, [2.5, 2], ['2', true]),
  boolean: v({ match: 'boolean' }, true, [false, 'true', 'false'], ['yes', 1, null]),
  null: v({ match: 'null' }, null, [null], [0, '']),
  'null or a type': {
    rules: { '$.v': either({ match: 'type' }, { match: 'null' }) },
    example: 'a',
    accepted: [null, 'b'],
    refused: [1],
  },
  'null or an object, which is never accepted': {
    rules: { '$.v': either({ match: 'type' }, { match: 'null' }) },
    example: { a: 1 },
    accepted: [],
    refused: [null, { a: 1 }],
  },
  'null or a list': {
    rules: { '$.v': either({ match: 'type', min: 1 }, { match: 'null' }) },
    example: [1],
    accepted: [[2]],
    refused: [null, []],
  },
  'several matchers': {
    rules: { '$.v': all(word, { match: 'include', value: 'b' }) },
    example: 'abc',
    accepted: ['b'],
    refused: ['ac', 'B b'],
  },
  include: v({ match: 'include', value: '2' }, 123, [22.5, '121'], [13, null]),
  equality: v({ match: 'equality' }, { a: [1] }, [{ a: [1] }], [{ a: [1], b: 2 }, { a: [1, 2] }]),
  semver: v(
    { match: 'semver' },
    '1.0.0',
    ['1.2.3-alpha.1+b.5', '18446744073709551615.0.0'],
    ['18446744073709551616.0.0', '1.2', 'v1.2.3', '01.2.3', '1.2.3-', '1.2.3.4', 5],
  ),
  notEmpty: v({ match: 'notEmpty' }, 'a', ['b', 5, ['a']], ['', null, [], {}]),
  'notEmpty of a list': v({ match: 'notEmpty' }, ['a'], [['a']], [[], 'a']),

  'regex, for the whole text': regex('[a-c]+', 'abc', ['cab'], ['abcd', 'xabc']),
  'regex with an open end': regex('^ord_', 'ord_', ['ord_'], ['ord_1']),
  'regex with alternatives': regex('ab|abc', 'ab', ['abc'], ['abcd']),
  'regex for numbers and others': regex('\\d{3}|true|null', '123', [456, true, null], [45, false]),
  'regex for numbers of more than 64 bits': regex('\\d+', '1', [2n ** 64n - 1n], [2n ** 64n, 0.000001]),
  'regex with Unicode classes': regex('\\w+\\s\\d', 'ä 1', ['aß\u00a0٣', '½ 1'], ['- 1']),
  'regex with Unicode classes in brackets': regex('[\\w]', 'a', ['ⅷ', 'ⓐ'], ['½']),
  'regex with properties': regex('\\p{Greek}\\p{Alnum}\\P{Punct}', 'αa1', ['β٣$'], ['aa1', 'α-1', 'αa.']),
  'regex without a class': regex('[^\\d]\\W', 'a-', ['b+'], ['1+', 'ba']),
  'regex with classes of POSIX': regex('[[:alpha:]]+', 'ab', ['äö'], ['1']),
  'regex with classes of signs': regex('[[:punct:][:blank:]]+', '.', ['$\t§'], ['a', '\n']),
  'regex with hexadecimal digits': regex('\\h+', 'a0', ['ff'], ['xz']),
  'regex with anchors of Ruby': regex('\\Aab\\z', 'ab', ['ab'], ['abc']),
  'regex with anchors of lines': regex('a$\\n^b|(^c$)', 'a\nb', ['a\nb', 'c'], ['ab', 'a\n\nb', 'c\nb']),
  'regex with needless escapes': regex('^\\"\\d\\-\\d\\"$', '"1-2"', ['"3-4"'], ['"3x4"']),
  'regex for any case': regex('(?i)[a-c]+\\d', 'aB1', ['ABC1', 'abc2'], ['d1']),
  'regex for any case, behind an anchor': regex('^(?i)ok$', 'OK', ['ok'], ['okay']),
  'regex whose dot is any character': regex('(?m)a.b', 'a\nb', ['axb'], ['ab']),
  'regex with repetitions of Ruby': regex('a{,2}b{', 'aab{', ['b{', 'ab{'], ['aaab{', 'aab']),
  'regex with a bracket in a class': regex('[]a]+', ']', ['a]'], ['b']),
  'regex with ends of lines and code points': regex('\\R\\x{e4}\\e', '\nä\u001b', ['\r\nä\u001b'], ['xä\u001b', '\nae']),
  'regex with a negated property': regex('\\p{^Alpha}', '1', ['-'], ['a']),
  'regex cascades': v(word, { a: 'ab' }, [{ a: 'xy' }], [{ a: '1' }]),

  date: format(
    'date',
    'yyyy-MM-dd',
    '2020-01-31',
    ['2024-02-29', '2021-1-1', '21-01-01'],
    ['2021-13-01', '2021-02-29', '20211-01-01', '2021-01-01T'],
  ),
  'date without a year': format('date', 'dd/MM', '31/01', ['28/02'], ['29/02', '31/04']),
  'date in words': format(
    'date',
    'EEE, d MMMM yyyy',
    'Mon, 31 January 2020',
    ['tue, 1 december 2021'],
    ['Xxx, 1 December 2021', 'Tue, 1 Dec 2021', 'Tue, 31 June 2021'],
  ),
  'date without separators': format('date', 'yyyyMMdd', '20200131', ['20211201'], ['2021315', '20211301']),
  time: format('time', 'HH:mm:ss', '10:11:12', ['23:59:60', '1:2:3'], ['24:00:00', '23:60:00', '11:11']),
  'time of a half day': format('time', 'hh:mm a', '10:11 AM', ['11:59 pm'], ['13:00 PM', '00:10 AM', '11:59 XM']),
  datetime: format(
    'datetime',
    "yyyy-MM-dd'T'HH:mm:ssXXX",
    '2020-01-31T10:11:12Z',
    ['2021-02-03T04:05:06+02:00'],
    [
      '2021-02-03T04:05:06z',
      '2021-02-03t04:05:06Z',
      '2021-02-03T04:05:06+0200',
      '2021-02-30T04:05:06Z',
      '2021-02-03T25:05:06Z',
      '2021-02-03T04:05:06',
    ],
  ),
  'time with microseconds': format(
    'time',
    'HH:mm:ss.SSSSSS',
    '10:11:12.123456',
    ['10:11:12.9', '10:11:12.000123', '10:11:12.999999'],
    ['10:11:12.1234567', '10:11:12.'],
  ),
  timestamp: v(
    { match: 'timestamp', timestamp: "yyyy-MM-dd'T'HH:mm:ss.SSS" },
    '2020-01-31T10:11:12.123',
    ['2021-02-03T04:05:06.9'],
    ['2021-02-03T04:05:06'],
  ),

  values: {
    rules: { '$.v': all({ match: 'values' }), '$.v.*.n': all({ match: 'type' }) },
    example: { a: { n: 1 } },
    accepted: [{ a: { n: 2 } }, { z: { n: 2 } }, {}],
    refused: [{ z: { n: 'x' } }, { z: {} }, { a: { n: 1 }, b: {} }],
  },
  'values without a rule for them': v({ match: 'values' }, { a: 1 }, [{ b: 1 }, {}], [{ b: 2 }]),
  eachKey: v(
    { match: 'eachKey', rules: [{ match: 'regex', regex: 'k\\d+' }], value: 'k1' },
    { k1: 'a' },
    [{ k1: 'a' }, { k2: 'b' }, {}],
    [{ x: 'a' }, { k1: 'a', x: 'a' }],
  ),
  eachValue: v({ match: 'eachValue', rules: [word], value: 'a' }, { k: 'a' }, [{ q: 'zz' }, {}], [{ q: '1' }, { k: 'a', q: '1' }]),
  'eachKey without rules': v({ match: 'eachKey', rules: [] }, { a: 1 }, [{ b: 1 }, { a: 2 }], [[]]),
  'eachValue without rules': v({ match: 'eachValue', rules: [] }, { a: 1 }, [{}], [{ a: 1 }, { a: 2 }, { b: 1 }]),
  'eachValue of a list': v({ match: 'eachValue', rules: [{ match: 'integer' }], value: 1 }, [1], [[2, 3], []], [[2, 2.5], ['1']]),
  arrayContains: v(
    {
      match: 'arrayContains',
      variants: [
        { index: 0, rules: { $: { matchers: [word] } } },
        { index: 1, rules: { $: { matchers: [{ match: 'integer' }] } } },
      ],
    },
    ['a', 1],
    [
      ['b', 2],
      [true, 5, 'z'],
    ],
    [['b'], []],
  ),
  'rules of elements': {
    rules: { '$.v': all({ match: 'type', min: 1 }), '$.v[*].b': all({ match: 'regex', regex: 'x.' }) },
    example: [{ b: 'xx' }],
    accepted: [[{ b: 'xy' }, { b: 'xz' }]],
    refused: [[{ b: 'y' }], [{}], []],
  },
  'rules of a tuple': {
    rules: { '$.v[0]': all({ match: 'integer' }), '$.v[1]': all({ match: 'type' }) },
    example: [1, 'a'],
    accepted: [[2, 'b']],
    refused: [[2, 'b', 'c'], ['x', 'b'], [2]],
  },
  'a rule that weighs more': {
    rules: { '$.v.*': all({ match: 'type' }), '$.v.a': all({ match: 'regex', regex: 'x' }) },
    example: { a: 'x', b: 'y' },
    accepted: [{ a: 'x', b: 'z' }],
    refused: [{ a: 'y', b: 'z' }],
  },
};
