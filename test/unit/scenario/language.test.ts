/** Mistakes that the scenario language refuses: unknown keys, steps without an assertion, ambiguous forms. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ANSWER_READERS, PAGINATION_READERS } from '../../scenario/assertions.ts';
import { TAG_NAMES } from '../../scenario/expected-pattern.ts';
import { parseScenario } from '../../scenario/scenario.ts';
import { KINDS, READING_NAMES } from '../../scenario/scenario-values.ts';

const HEAD = 'title: A title\nrule: A rule\n';
const scenario = (text: string): unknown => parseScenario('cases/x.yaml', text);
const step = (text: string): unknown => scenario(`${HEAD}steps:\n  - ${text}`);

describe('a scenario is refused, with its file, line and key', () => {
  test.for([
    [
      'an unknown key at the top',
      `${HEAD}notes: x\nsteps: [{ get: /, expect: { status: 200 } }]`,
      'cases/x.yaml:3: unknown key "notes" in the scenario',
    ],
    ['no title', 'rule: x\nsteps: [{ get: /, expect: { status: 200 } }]', 'cases/x.yaml:1: the key "title" is missing'],
    ['no rule', 'title: x\nsteps: [{ get: /, expect: { status: 200 } }]', 'the key "rule" is missing'],
    ['no steps', HEAD, 'the key "steps" is missing'],
    ['empty steps', `${HEAD}steps: []`, 'cases/x.yaml: a scenario without steps'],
    ['a choice that is not yes', `${HEAD}mock's choice: true\nsteps: [{ get: /, expect: { status: 200 } }]`, 'can only say "yes"'],
    ['a key twice', `${HEAD}title: again\nsteps: []`, 'cases/x.yaml: not readable as YAML'],
    ['an alias', `${HEAD}steps: [&a { get: /, expect: { status: 200 } }, *a]`, 'an alias'],
    ['an empty file', '', 'cases/x.yaml: an empty document'],
    ['a list at the top', '- x', 'the scenario must be a map'],
  ] as const)('%s', ([, text, message]) => {
    expect(() => scenario(text)).toThrow(message);
  });

  test.for([
    ['an unknown key in a step', '{ get: /, expects: { status: 200 } }', 'cases/x.yaml:4: unknown key "expects" in a step'],
    ['an unknown assertion', '{ get: /, expect: { code: 200 } }', 'unknown key "code" in expect'],
    ['an answer assertion about a pagination', '{ paginate: /, expect: { status: 200 } }', 'unknown key "status" in expect'],
    ['a pagination assertion about an answer', '{ get: /, expect: { no repetition: yes } }', 'unknown key "no repetition" in expect'],
    ['an unknown key in each', '{ get: /, expect: { each: { in: /data, has: 1 } } }', 'unknown key "in" in each'],
    ['an unknown key in some', '{ get: /, expect: { some: { in: /data, has: 1 } } }', 'unknown key "in" in some'],
    ['an unknown key in count', '{ get: /, expect: { count: { was: 1 } } }', 'unknown key "was" in count'],
    ['an unknown key in sorted', '{ get: /, expect: { sorted: { descending: yes } } }', 'unknown key "descending" in sorted'],
    ['an unknown direction', '{ get: /, expect: { sorted: { by: [{ field: /a, direction: down }] } } }', 'direction "down" is none of'],
    ['an unknown key in selection of', '{ paginate: /, expect: { selection of: { of: a } } }', 'unknown key "of" in selection of'],
    ['an unknown key in send', '{ send: { method: PUT, path: /, body: x }, expect: { status: 405 } }', 'unknown key "body" in send'],
    ['no expectation', '{ get: / }', 'cases/x.yaml:4: a step that asserts nothing'],
    ['an empty expectation', '{ get: /, expect: {} }', 'a step that asserts nothing'],
    ['an expectation of anything', '{ get: /, expect: { body: {} } }', '{} expects nothing'],
    ['an empty map of headers', '{ get: /, expect: { headers: {} } }', 'headers expects nothing'],
    ['an empty union', '{ paginate: /, expect: { union of: [] } }', '"union of" names no list'],
    ['an empty order', '{ get: /, expect: { sorted: { by: [] } } }', '"by" names no field'],
    ['no request', '{ expect: { status: 200 } }', 'a step needs exactly one of: get, head'],
    ['two requests', '{ get: /, head: /, expect: { status: 200 } }', 'a step needs exactly one of: get, head'],
    ['a path without a slash', '{ get: a, expect: { status: 200 } }', 'the path "a" must start with a slash'],
    ['an unknown carrier', '{ get: /, carrier: cookie, expect: { status: 200 } }', 'carrier "cookie" is neither bearer nor header'],
    ['two values for each', '{ for each: { a: [x], b: [y] }, get: /, expect: { status: 200 } }', '"for each" names one value'],
    ['a misspelt place', '{ get: /, expect: { status: 200 }, save: { a: data/id } }', '"data/id" is no place'],
    ['an unknown tag', '{ get: /, expect: { body: !some string } }', 'unknown tag !some; known are: !any, !absent'],
    ['an unknown kind', '{ get: /, expect: { body: !any text } }', '!any does not know "text"'],
    ['something after !absent', '{ get: /, expect: { body: !absent x } }', 'nothing may follow !absent'],
    ['a single choice', '{ get: /, expect: { body: !one-of x } }', '!one-of needs a list of choices'],
    ['an expression without slashes', '{ get: /, expect: { body: !like x } }', '!like needs an expression between slashes'],
    ['a flag that is off', '{ get: /, expect: { empty body: no } }', 'empty body can only say "yes"'],
  ] as const)('%s', ([, text, message]) => {
    expect(() => step(text)).toThrow(message);
  });
});

test('the page about the language explains every word of it', () => {
  const page = readFileSync(new URL('../../cases/README.md', import.meta.url), 'utf8');
  const words = [
    ...Object.keys({ ...ANSWER_READERS, ...PAGINATION_READERS }).map((name) => `\`${name}\``),
    ...TAG_NAMES.map((name) => `\`!${name}`),
    ...Object.keys(KINDS).map((name) => `\`${name}\``),
    ...READING_NAMES,
  ];
  expect(words.filter((word) => !page.includes(word))).toEqual([]);
});
