/** Patterns with exponential backtracking end within the time limit; all patterns match the same texts as in V8. */

import { describe, expect, it, vi } from 'vitest';
import { loadContract } from '../../../core/openapi/contract.ts';
import { parseQueryParameter } from '../../../core/parameters/parse-parameter.ts';
import { compileExpression } from '../../../core/safe-regexp.ts';

/** Texts that such patterns have to try in every way before they fail. */
const hostile = ['a', 'b', 'x', 'ab'].map((piece) => `${piece.repeat(4000)}!`);

const slow = ['^(a+)+$', '^(a|a)*$', '^(a?){30}b$', '^(\\w+\\s?)*$', '(x+x+)+y', '^a|(b+)+c$', '^[a-z]*[a-y]*[a-x]*[a-w]*[a-v]*9$'];

const texts = [
  ...[
    '',
    'a',
    'aab',
    'a'.repeat(30),
    `${'a '.repeat(20)}\u00a0`,
    `${'x'.repeat(12)}\u2028y`,
    `${'x'.repeat(12)}\ry`,
    `a\vb${' '.repeat(20)}`,
  ],
  ...['é'.repeat(40), `${'[:a'.repeat(9)}]`, '😀'.repeat(20), `${'x'.repeat(40)}ab`, `${'-'.repeat(20)}a]`, '2026-13-01T00:00:00'],
];

describe('a pattern', () => {
  it.each(slow)('%s ends in no time, whatever the text', (source) => {
    const expression = compileExpression(source);
    const before = process.cpuUsage();
    expect(hostile.map((text) => expression.test(text))).toEqual(hostile.map((text) => source.startsWith('^a|') && text.startsWith('a')));
    // In processor time, which other programs do not take.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(200);
  });

  it.each(['^(?=(a+)+$)b', '^(a+)+\\1$'])('%s is given up, since it looks around or refers back', (source) => {
    expect(() => compileExpression(source).test(hostile[0] ?? '')).toThrow(
      `the pattern ${source} takes too long for a string of 4001 characters`,
    );
  });

  it.each([
    ...[
      '^(a+)+$',
      '.+.+y$',
      '^\\S+\\s+\\S*$',
      '^[\\s\\w]*[\\s]+$',
      '(\\p{L}+)+$',
      '(?<=a)b',
      '^[[:a\\]]+(a|])*$',
      '[^]*[^]y',
      '^\\-+[\\-a-]*]$',
    ],
    ...['^.*.{20}$', '^(😀|x)+$', '^[\\S]+[\\S]*$', '^(\\d{4}-(0[1-9]|1[0-2])*)+', '(a{1,2000})+', '(.|\\r)+y', '\\u0061+\\x62*'],
  ])('%s says of each text what the engine says', (source) => {
    const expression = compileExpression(source);
    expect(texts.filter((text) => expression.test(text))).toEqual(texts.filter((text) => new RegExp(source, expression.flags).test(text)));
  });

  it.each(['(?=a)', '(?!(?: )+)', '^(?=.*[A-Z])(?=.*\\d)[A-Za-z\\d]{8,}$', '(?<=x)-|(?:a(?!b))?c'])(
    '%s looks around in few ways: no clock decides',
    (source) => {
      vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 60_000_000, system: 0 });
      expect(() => compileExpression(source).test(`${'a '.repeat(20)}!`)).not.toThrow();
      expect(process.cpuUsage).not.toHaveBeenCalled();
    },
  );

  it('that no engine reads is refused with its reason', () => {
    expect(() => compileExpression('(')).toThrow(SyntaxError);
  });
});

const contract = await loadContract('slow.yaml', () =>
  Promise.resolve(`openapi: 3.1.0
info: { title: Slow, version: '1' }
servers: [{ url: 'http://127.0.0.1:4010' }]
paths:
  /things:
    get:
      operationId: listThings
      parameters:
        - { name: q, in: query, schema: { $ref: '#/components/schemas/word' } }
      responses:
        '200': { description: Things., content: { application/json: { schema: { type: object } } } }
components:
  schemas:
    word:
      type: string
      pattern: ^(?=(a+)+$)b
`),
);

describe('a schema with such a pattern', () => {
  const [parameter] = contract.operations[0]?.parameters ?? [];
  if (parameter === undefined) throw new Error('the contract has its parameter');

  it('cannot judge a text that takes too long, and says which line that is', () => {
    expect(() => parameter.validate(hostile[0] ?? '')).toThrow(
      'slow.yaml:9:41: the pattern ^(?=(a+)+$)b takes too long for a string of 4001 characters',
    );
  });

  it('refuses a parameter that takes too long', () => {
    expect(parseQueryParameter(parameter, [['q', hostile[0] ?? '']])).toMatchObject({ kind: 'problem', problem: 'malformed' });
  });
});
