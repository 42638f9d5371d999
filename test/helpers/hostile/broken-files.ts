/** Broken, unusual and extreme contract files: random mutations of a valid file, and a table of files that mutations would not produce. */

import type { Json, JsonObject } from '../../../core/json.ts';
import { isObject } from '../../../core/json.ts';
import { numbersOf } from '../../campaigns/seed.ts';

/** One kind of mutation of a text. `draw` returns random whole numbers below a bound. */
type Mutate = (text: string, draw: (below: number) => number) => string;

function atLine(change: (line: string, draw: (below: number) => number) => readonly string[]): Mutate {
  return (text, draw) => {
    const lines = text.split('\n');
    const index = draw(lines.length);
    lines.splice(index, 1, ...change(lines[index] ?? '', draw));
    return lines.join('\n');
  };
}

const oddValues: readonly string[] = [
  ...[
    'null',
    'true',
    '-5',
    '0',
    '1e400',
    '999',
    '[]',
    '{}',
    '""',
    'x',
    '[[]]',
    '{ a: b }',
    "'#/components/schemas/None'",
    '.nan',
    '2026-01-01',
  ],
  ...[
    '*none',
    '&a 1',
    '!!binary aGk=',
    '!foo 1',
    '"\\0"',
    '"\\ud800"',
    '| 5',
    '((((',
    "'^(a+)+$'",
    '{ $ref: "#" }',
    '{ $ref: "../../../etc/passwd" }',
  ],
];

/** Mutations of the text, as mistakes in an editor make them. */
const lineMutations: Readonly<Record<string, Mutate>> = {
  'a line is missing': atLine(() => []),
  'a line stands twice': atLine((line) => [line, line]),
  'an indent is wrong': atLine((line) => [` ${line}`]),
  'an indent is missing': atLine((line) => [line.trimStart()]),
  'an indent is a tab': atLine((line) => [`\t${line.trimStart()}`]),
  'a value is another': atLine((line, draw) => [line.replace(/:\s.*$/, `: ${oddValues[draw(oddValues.length)]}`)]),
  'a value of a flow is another': atLine((line, draw) => [
    line.replace(/(\w+): [^,{}[\]]+([,}])/, `$1: ${oddValues[draw(oddValues.length)]}$2`),
  ]),
  'a name is another': atLine((line) => [line.replace(/(\w+):/, 'x$1:')]),
  'a character is missing': (text, draw) => {
    const at = draw(text.length);
    return text.slice(0, at) + text.slice(at + 1);
  },
  'a character is another': (text, draw) => {
    const at = draw(text.length);
    return (
      text.slice(0, at) +
      (['"', "'", '{', '[', ':', '#', '\0', '\ufffd', '&', '*', '%', '-', ' ', '\n'][draw(14)] ?? '') +
      text.slice(at + 1)
    );
  },
  'its end is missing': (text, draw) => text.slice(0, draw(text.length)),
  'a reference is another': (text, draw) =>
    nth(text, /'#\/[^']*'/g, draw, ["'#'", "'#/'", "'#/paths'", "'#nowhere'", "'other.yaml'", "'http://a/b'", "'#/%'", "'.'"]),
  'a pattern is another': (text, draw) =>
    nth(text, /pattern: ('[^']*'|\S+)/g, draw, [
      "pattern: '('",
      "pattern: '^(?=(a+)+$)b'",
      'pattern: 3',
      "pattern: '(a{1,1000}){1,1000}'",
      "pattern: '\\p{X}'",
    ]),
  'a number is another': (text, draw) =>
    nth(text, /: \d+\b/g, draw, [': -5', ': 0', ': 1.5', ': 1e300', ': 99999999999999999999', ": '3'"]),
  'a path is another': (text, draw) =>
    nth(text, /^ {2}\/\S+:$/gm, draw, ['  api:', '  /{:', '  /{a}{b}:', '  /{id}/{id}:', '  "/ ":', '  /%zz:', '  /?a=b:', '  //:']),
  'a status is another': (text, draw) =>
    nth(text, /'[2-5]\d\d':/g, draw, ["'999':", "'20':", 'default:', "'2XX':", "'xxx':", '200:', "'1e2':"]),
};

function nth(text: string, found: RegExp, draw: (below: number) => number, instead: readonly string[]): string {
  const all = [...text.matchAll(found)];
  const match = all[draw(Math.max(1, all.length))];
  const next = instead[draw(instead.length)] ?? '';
  return match === undefined ? text : text.slice(0, match.index) + next + text.slice(match.index + match[0].length);
}

const values: readonly Json[] = [
  null,
  true,
  -5,
  0,
  999,
  '',
  'x',
  [],
  {},
  [1],
  [null],
  { a: 1 },
  { $ref: '#' },
  { $ref: 5 },
  '#/components',
  1e300,
  { type: 'nothing' },
];

/** Replaces or removes one member of a value, at any depth. */
function mutateTree(root: JsonObject, draw: (below: number) => number): string {
  const copy = structuredClone(root) as Record<string, Json>;
  const holders: Record<string, Json>[] = [];
  const pagination = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isObject(value)) holders.push(value as Record<string, Json>);
    for (const member of Object.values(value)) pagination(member as Json);
  };
  pagination(copy);
  const holder = holders[draw(holders.length)] ?? copy;
  const names = Object.keys(holder);
  const name = names[draw(Math.max(1, names.length))] ?? 'x';
  const choice = draw(values.length + 3);
  if (choice < 3) delete holder[name];
  else holder[name] = values[choice - 3] ?? null;
  return JSON.stringify(copy, null, 1);
}

/** A mutated file. */
export interface Drawn {
  readonly kind: string;
  readonly text: string;
}

/** Mutates a file. `root` is its parsed value, for mutations of the tree. */
export function drawBroken(text: string, root: JsonObject, seed: number): Drawn {
  const next = numbersOf(seed);
  const draw = (below: number): number => next() % Math.max(1, below);
  const kinds = Object.keys(lineMutations);
  const choice = draw(kinds.length + 8);
  const kind = kinds[choice];
  const mutate = kind === undefined ? undefined : lineMutations[kind];
  return mutate === undefined
    ? { kind: 'a node is another', text: mutateTree(root, draw) }
    : { kind: kind ?? '', text: mutate(text, draw) };
}

const head = "openapi: 3.1.0\ninfo: { title: A, version: '1' }\n";
const ok = "responses: { '200': { description: A. } }";
const path = (inside: string): string => `${head}paths:\n  /a:\n    get:\n      operationId: a\n      ${inside}\n`;
const schema = (inside: string): string =>
  path(`responses: { '200': { description: A., content: { application/json: { schema: ${inside} } } } }`);
const long = (count: number, line: (index: number) => string): string => Array.from({ length: count }, (_, index) => line(index)).join('');

/** Extreme files, each with the expected result of a command: `refused` (exit 2), or `either` if the file may count as a document. */
export const extremeFiles: Readonly<Record<string, readonly [expected: 'refused' | 'either', text: () => string | Buffer]>> = {
  nothing: ['refused', () => ''],
  spaces: ['refused', () => ' \n\t\n'],
  'a NUL': ['refused', () => '\0'],
  'NULs inside': ['either', () => path(ok).replace('title: A', 'title: "\0"')],
  'UTF-16': ['refused', () => Buffer.from(`\ufeff${path(ok)}`, 'utf16le')],
  'a byte order mark': ['either', () => `\ufeff${path(ok)}`],
  'bytes that are not UTF-8': ['either', () => Buffer.concat([Buffer.from(path(ok)), Buffer.from([0x23, 0xff, 0xfe])])],
  'a picture': ['refused', () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
  'JSON with comments': ['either', () => '{ // a comment\n "openapi": "3.1.0", "info": { "title": "A", "version": "1" }, "paths": {} }'],
  'JSON with a comma too many': ['either', () => '{ "openapi": "3.1.0", "info": { "title": "A", "version": "1" }, "paths": {}, }'],
  'half a JSON': ['refused', () => '{ "openapi": "3.1.0", "info": { "title"'],
  'YAML with tabs': ['refused', () => path(ok).replaceAll('  ', '\t')],
  'two YAML documents': ['refused', () => `${path(ok)}---\n${path(ok)}`],
  anchors: ['either', () => schema('&s { type: object, properties: { a: &t { type: string }, b: *t } }')],
  'an anchor in itself': ['refused', () => schema('&s { type: object, properties: { a: *s } }')],
  'merge keys': ['refused', () => `${head}x-a: &a { b: 1 }\npaths:\n  /a:\n    <<: *a\n`],
  'an alias bomb': [
    'refused',
    () =>
      `${path(ok)}x-a0: &a0 [1,1,1,1,1,1,1,1,1]\n${long(12, (index) => `x-a${index + 1}: &a${index + 1} [${Array(9).fill(`*a${index}`)}]\n`)}`,
  ],
  'Swagger 2.0': ['refused', () => "swagger: '2.0'\ninfo: { title: A, version: '1' }\npaths: {}\n"],
  'OpenAPI 3.0': ['either', () => schema('{ type: string, nullable: true, example: null }').replace('3.1.0', '3.0.3')],
  'OpenAPI 3.2': ['either', () => path(ok).replace('3.1.0', '3.2.0')],
  'OpenAPI 4': ['refused', () => path(ok).replace('3.1.0', '4.0.0')],
  'no version': ['refused', () => 'paths: {}\n'],
  'a text': ['refused', () => 'openapi'],
  'a list': ['refused', () => '- openapi: 3.1.0\n'],
  'no paths': ['either', () => head],
  'paths as a list': ['refused', () => `${head}paths: []\n`],
  'responses as a list': ['refused', () => path('responses: []')],
  'a response that is null': ['either', () => path("responses: { '200': null }")],
  'the status 999': ['either', () => path("responses: { '999': { description: A. } }")],
  'parameters as an object': ['either', () => path(`parameters: { a: 1 }\n      ${ok}`)],
  'a parameter without a name': ['either', () => path(`parameters: [{ in: query }]\n      ${ok}`)],
  'a parameter that is null': ['either', () => path(`parameters: [null]\n      ${ok}`)],
  'an unknown style': ['either', () => path(`parameters: [{ in: query, name: a, style: waves, schema: {} }]\n      ${ok}`)],
  'a path without a slash': ['either', () => path(ok).replace('/a:', 'a:')],
  'a brace that is not closed': ['either', () => path(ok).replace('/a:', '"/a{":')],
  'a name without a parameter': ['either', () => path(ok).replace('/a:', '"/a/{id}":')],
  'a prototype as a path': ['either', () => path(ok).replace('/a:', '__proto__:')],
  'a prototype as a schema': [
    'either',
    () => `${schema("{ $ref: '#/components/schemas/__proto__' }")}components: { schemas: { __proto__: { type: string } } }\n`,
  ],
  'a reference to itself': [
    'refused',
    () => `${schema("{ $ref: '#/components/schemas/A' }")}components: { schemas: { A: { $ref: '#/components/schemas/A' } } }\n`,
  ],
  'references in a circle': [
    'refused',
    () =>
      `${schema("{ $ref: '#/components/schemas/A' }")}components: { schemas: { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } } }\n`,
  ],
  'a schema in itself': [
    'either',
    () =>
      `${schema("{ $ref: '#/components/schemas/A' }")}components: { schemas: { A: { type: object, required: [a], properties: { a: { $ref: '#/components/schemas/A' } } } } }\n`,
  ],
  'an allOf in itself': [
    'either',
    () =>
      `${schema("{ $ref: '#/components/schemas/A' }")}components: { schemas: { A: { allOf: [{ $ref: '#/components/schemas/A' }] } } }\n`,
  ],
  'a reference as a number': ['either', () => schema('{ $ref: 5 }')],
  'a reference to a folder': ['refused', () => schema("{ $ref: '.' }")],
  'a reference to a device': ['refused', () => schema("{ $ref: '../../../../../../dev/zero' }")],
  'a reference to the web': ['refused', () => schema("{ $ref: 'http://127.0.0.1:1/a' }")],
  'a pattern that is none': ['refused', () => schema("{ type: string, pattern: '(' }")],
  'a slow pattern': ['either', () => schema("{ type: string, pattern: '^(a+)+$', minLength: 40 }")],
  'a pattern that looks around': ['either', () => schema("{ type: string, pattern: '^(?=(a+)+$)b' }")],
  'a pattern of a million repetitions': ['either', () => schema("{ type: string, pattern: '^((a{1,999}){1,999}){1,999}$' }")],
  'a pattern of 1,000,000 letters': ['either', () => schema(`{ type: string, pattern: '^${'a'.repeat(1_000_000)}$' }`)],
  'a multiple of zero': ['refused', () => schema('{ type: number, multipleOf: 0 }')],
  'a length below zero': ['refused', () => schema('{ type: string, maxLength: -5 }')],
  'a huge length': ['either', () => schema('{ type: string, minLength: 1000000000 }')],
  'a huge list': ['either', () => schema('{ type: array, minItems: 1000000000, items: { type: string } }')],
  'a huge object': ['either', () => schema('{ type: object, minProperties: 1000000000 }')],
  'lists in lists': ['either', () => schema(`${'{ type: array, minItems: 9, items: '.repeat(9)}{ type: string }${' }'.repeat(9)}`)],
  'a type that is none': ['refused', () => schema('{ type: text }')],
  'a schema that is a number': ['either', () => schema('5')],
  'an impossible schema': ['either', () => schema('{ type: string, minLength: 5, maxLength: 2 }')],
  '2,000 levels': ['refused', () => schema(`${'{ items: '.repeat(2000)}{}${' }'.repeat(2000)}`)],
  '100,000 brackets': ['refused', () => '['.repeat(100_000)],
  '100,000 braces of JSON': ['refused', () => '{"a":'.repeat(100_000)],
  '200 levels of anyOf': ['either', () => schema(`${'{ anyOf: [{ type: string }, '.repeat(200)}{}${'] }'.repeat(200)}`)],
  '24 choices of two': [
    'either',
    () =>
      schema(
        `{ allOf: [${long(24, (index) => `{ oneOf: [{ properties: { p${index}: { type: string } } }, { properties: { p${index}: { type: number } } }] },`)}{}] }`,
      ),
  ],
  'an enum of 100,000': ['either', () => schema(`{ enum: [${long(100_000, (index) => `v${index},`)}] }`)],
  '20,000 paths': [
    'either',
    () => `${head}paths:\n${long(20_000, (index) => `  /a${index}: { get: { operationId: a${index}, ${ok} } }\n`)}`,
  ],
  'a line of 5 MB': ['either', () => `${path(ok)}x-a: '${'a'.repeat(5_000_000)}'\n`],
  '500,000 lines': ['either', () => `${path(ok)}x-a:\n${long(500_000, () => '  - 1\n')}`],
  '50 MB': ['refused', () => `${path(ok)}#${'a'.repeat(50_000_000)}\n`],
};

/** Reports that `replay` and `merge` cannot read. */
export const brokenReports: Readonly<Record<string, string>> = {
  nothing: '',
  'no JSON': '{',
  null: 'null',
  'a list': '[]',
  'an empty object': '{}',
  'another report': '{"schema":"touchstone-diff/1"}',
  'a later version': '{"schema":"touchstone-verify/5"}',
  'a schema that is no text': '{"schema":1}',
  'no rules': '{"schema":"touchstone-verify/4"}',
  'runs that are a text': '{"schema":"touchstone-verify/4","exitCode":0,"runs":"x"}',
  'rules that are null': '{"schema":"touchstone-verify/4","exitCode":0,"runs":[{"checks":[null]}]}',
  'a prototype': '{"schema":"touchstone-verify/4","__proto__":{"runs":[]}}',
  brackets: '['.repeat(100_000),
};
