/** Each mistake in a contract file is reported with its place, the wrong value and the correction. Extensions of other tools are ignored. */

import { describe, expect, it } from 'vitest';
import { listAnnotationMistakes } from '../../../core/annotations/check-annotation-syntax.ts';
import { formatLocation } from '../../../core/errors.ts';
import { refuseTogether } from '../../../core/openapi/mending/set-aside.ts';
import { contractText, documentOf, type Files, loadText, mistakeOf, positionOf } from '../../helpers/contracts/contract-text.ts';
import { notesText, notesWith } from '../../helpers/contracts/notes-contract.ts';

/** The piece of text that is replaced, by what, where the mistake stands (or anywhere), and words that its message must have. */
type Mistake = readonly [piece: string, replacement: string, at: string, ...words: readonly string[]];

const mistakes: Readonly<Record<string, readonly Mistake[]>> = {
  'the file': [
    ['openapi: 3.1.0\n', '', 'info', 'not an OpenAPI document', 'openapi: 3.1.0'],
    ['openapi: 3.1.0', 'openapi: 4.0.0', 'openapi', '4.0.0', '3.0, 3.1 or 3.2'],
    ['openapi: 3.1.0', "swagger: '2.0'", 'swagger', 'swagger: 2.0', 'convert the file', 'swagger2openapi'],
    ['openapi: 3.1.0', 'openapi: 3.1', 'openapi', '3.1'],
    ['key: /id', 'key: [/id', 'version: /at', 'YAML'],
  ],
  'a reference': [
    ['responses/Page', 'responses/Pag', "$ref: '#/components/responses/Pag", '#/components/responses/Pag', 'cannot be resolved'],
    ['schemas/NoteDetail', 'schemas/Nope', "$ref: '#/components/schemas/Nope", '#/components/schemas/Nope', 'cannot be resolved'],
    ['    NoteBody:', "    Unused: { items: { $ref: '#/nope' } }\n    NoteBody:", "$ref: '#/nope", '#/nope', 'cannot be resolved'],
    ['#/components/responses/Bad', 'https://example.com/a.yaml#/Bad', "$ref: 'https", 'https://example.com', 'offline', 'relative path'],
    ['{ type: string, enum: [open, done] }', "{ $ref:  '#/components/schemas/State' }", '$ref:  ', 'State', 'cycle'],
    ['{ name: q, in: query, schema: { type: string } }', "{ $ref: '#/paths/~1notes/get/parameters/5' }", "$ref: '#/paths", 'cycle'],
  ],
  'an annotation': [
    ['state: { any-of: /state', 'state: { any-off: /state', 'any-off', 'any-off', 'did you mean any-of?'],
    ['version: /at', 'versoin: /at', 'versoin', 'versoin', 'version'],
    ['next: /page/next', 'nxet: /page/next', 'nxet', 'nxet', 'x-collection/page'],
    ['x-collection:', 'x-colection:', 'x-colection', 'x-colection', 'did you mean x-collection?'],
    ['x-invalid:', 'x-invalids:', 'x-invalids', 'x-invalids', 'did you mean x-invalid?'],
    ['hidden: absent', 'hidden: gone', 'hidden: gone', 'gone', 'absent', 'forbidden'],
    ['malformed: refused', 'malformed: refusd', 'malformed', 'refusd', 'refused'],
    ['malformed: refused', 'malformd: refused', 'malformd', 'malformd'],
    ['[throttled, unauthenticated]', '[throttled, unauthorized]', 'unauthorized', 'unauthorized', 'unauthenticated'],
    [
      '/{id}:\n',
      '/{id}:\n    x-parameter-rules: [{ ordered: [a, b] }]\n',
      'x-parameter-rules: [{ ordered: [a',
      'x-parameter-rules',
      'operation',
    ],
    ['{ from: /at }', '{ from: /at, to: /at }', 'since: { from', 'x-collection'],
  ],
  'a pointer': [
    ['items: /notes', 'items: /nots', 'items: /nots', '/nots'],
    ['head: /owner', 'head: /ownr', 'head: /ownr', '/ownr'],
    ['key: /id', 'key: /idd', 'key: /idd', '/idd'],
    ['version: /at', 'version: /att', 'version: /att', '/att'],
    ['newest: [{ by: /at,', 'newest: [{ by: /att,', 'by: /att', '/att'],
    ['from: /at }', 'from: /att }', 'from: /att', '/att'],
    ['fields: [/title, /text]', 'fields: [/title, /txt]', '/txt', '/txt'],
    ['field: /seen', 'field: /sen', 'field: /sen', '/sen'],
    ['next: /page/next', 'next: /page/nxt', 'next: /page/nxt', '/page/nxt'],
    ['more: /page/more', 'more: /more', 'more: /more', '/more'],
    ['by: { id: /id }', 'by: { id: /idd }', 'id: /idd', '/idd'],
    ['code: /code', 'code: /cod', 'code: /cod', '/cod'],
    ['message: /error/message', 'message: /message', 'message: /message', '/message'],
    ["schema: '#/components/schemas/Error', code", "schema: '#/components/schemas/Eror', code", "schema: '#", '#/components/schemas/Eror'],
  ],
  'a name': [
    ['state: { any-of', 'stat: { any-of', 'stat: {', 'stat', 'listNotes', 'did you mean state?'],
    ['limit: limit', 'limit: limt', 'limit: limt', 'limt', 'did you mean limit?'],
    ['cursor: cursor', 'cursor: page_token', 'cursor: page_token', 'page_token', 'declare it'],
    ['fixed: [state, since]', 'fixed: [state, sinc]', 'sinc]', 'sinc', 'did you mean since?'],
    ['ordered: [since, until]', 'ordered: [since, untill]', 'untill', 'untill', 'did you mean until?'],
    ['by: { id: /id }', 'by: { ident: /id }', 'ident: /id', 'ident', 'getNote'],
    ['security: [{ key: [notes.read] }, { bearer', 'security: [{ key: [notes.read] }, { barer', 'barer', 'components/securitySchemes'],
    ['security: [{ key: [notes.read] }', 'security: [{ key: [notes.reed] }', 'notes.reed', 'notes.reed', 'did you mean notes.read?'],
    ['unspecified: notes-order', 'unspecified: note-order', '{ unspecified: note-order', 'note-order', 'did you mean notes-order?'],
    ['x-unspecified: last-next', 'x-unspecified: next-last', 'x-unspecified: next-last', 'next-last', 'x-unspecified'],
    ['x-unspecified: last-next', 'x-unspecified: colour', 'x-unspecified: colour', 'colour', 'choices'],
    ['at: { unspecified: note-place }', 'at: /note', 'note-place: {', 'note-place', 'remove'],
    ['mock: newest', 'mock: oldest', 'notes-order:\n', 'oldest', 'newest, by-title'],
  ],
  'an operation': [
    ["'422': { $ref", "'400': { description: Bad. }\n        '422': { $ref", "'422': {", '400', '422', 'keep one'],
    ['operationId: getNote', 'operationId: listNotes', 'operationId: listNotes\n      security', 'listNotes'],
    ['- { name: id, in: path', '- { name: ident, in: path', '{ name: ident', '{ident}', 'add it to the path'],
    ['name: q, in: query', 'name: q, in: body', '{ name: q', 'body', 'query'],
    ['{ name: q, in: query, ', '{ name: q, ', '{ name: q', 'the parameter q has no location (in)', 'in: query'],
    ['{ name: q, in', '{ in', '{ in: query', 'name'],
    ['name: state, in: query', 'name: state, style: fom, in: query', 'style: fom', 'fom', 'form'],
    ['name: state, in: query', 'name: state, style: matrix, in: query', 'style: matrix', 'matrix', 'form'],
  ],
  'a path': [
    ['  /notes:\n', '  notes:\n', 'notes:\n', 'the path notes does not begin with a slash', '/notes'],
    ['  /notes/{id}:', '  /notes/{id:', '/notes/{id', 'single brace'],
    ['  /notes/{id}:', '  /notes/id}:', '/notes/id}', 'single brace'],
  ],
  'an answer': [
    ["        '404': { $ref", "        '999': { $ref", "'999'", '999 is not an HTTP status'],
    [
      "      responses:\n        '200': { $ref",
      "      responses: []\n      x-old:\n        '200': { $ref",
      'responses: []',
      'responses must be an object',
    ],
  ],
  'a schema': [
    ['title: { type: string }', 'title: { type: string, maxLength: -5 }', 'maxLength', 'maxLength: -5 is invalid', 'zero or more'],
    ['title: { type: string }', 'title: { type: string, minLength: 1.5 }', 'minLength: 1.5', 'minLength: 1.5'],
    ['id: { type: integer }', 'id: { type: integer, multipleOf: 0 }', 'multipleOf', 'multipleOf: 0 is invalid', 'above zero'],
    ['title: { type: string }, text', 'title: { type: strng }, text', 'type: strng', 'strng'],
    ["pattern: '^\"'", "pattern: '('", "pattern: '('", 'write a regular expression', 'regular expression'],
  ],
  'a choice': [
    ['accepted: accepted', 'accepted: acceptd', '', 'acceptd'],
    ['by-title: [{ by: /title', 'by-title: [{ by: /titel', 'by: /titel', '/titel'],
    ["root: ''", 'root: /nowhere', '', '/nowhere', 'x-resource'],
    ['inside: /note', 'inside: /not', '', '/not', 'x-resource'],
    ['given: { type: string }', 'given: { type: strng }', 'type: strng', 'strng'],
    ['given: { type: string }', "given: { $ref: '#/nope' }", "$ref: '#/nope", '#/nope'],
  ],
};

async function expectMistake(loading: Promise<unknown>, text: string, at: string, words: readonly string[]): Promise<void> {
  const mistake = await mistakeOf(loading);
  if (at !== '') expect(formatLocation(mistake.place)).toBe(`api.yaml:${positionOf(text, at)}`);
  expect(mistake.message.startsWith(`${formatLocation(mistake.place)}: `)).toBe(true);
  for (const word of words) expect(mistake.message).toContain(word);
}

it('the contract that the mistakes are made in has none', async () => {
  await expect(loadText(notesText)).resolves.toBeDefined();
});

it('a file without paths has nothing to judge, and says so', async () => {
  expect((await mistakeOf(loadText(contractText('')))).message).toMatch(/^api\.yaml:1:1: .*paths/);
});

describe.each(Object.entries(mistakes))('a mistake in %s is reported where it stands', (_, rows) => {
  it.each(rows)('%s → %s', async (piece, replacement, at, ...words) => {
    const text = notesWith(piece, replacement);
    await expectMistake(loadText(text), text, at, words);
  });
});

describe('an extension', () => {
  const inOperation = (lines: string): string => `paths: { /a: { get: { ${lines} } } }\n`;
  const inSchema = (members: string): string => `components: { schemas: { A: { ${members} } } }\n`;
  const check = async (text: string, others: Files = {}): Promise<void> =>
    refuseTogether(await listAnnotationMistakes(await documentOf(text, others), true));

  it.each([
    ['of another tool', 'x-logo: { url: a }\nx-internal: true\nx-tagGroups: []\nx-resourceId: 7\nx-resource-group: a\n'],
    ['that is short as one of ours', 'x-aws: 1\nx-cli: 2\nx-app: 3\nx-amz: 4\nx-ms: 5\nx-id: 6\n'],
    ['in an example', 'components: { examples: { one: { value: { x-api: 5 } } } }\n'],
    ['in a constant', inSchema('const: { x-resource: 5 }')],
    ['inside another tool’s', 'x-other: { x-api: 5, x-colection: 6 }\n'],
    ['that is a header', inOperation("responses: { '200': { headers: { x-resource: {}, x-app: {} } } }")],
    ['that is a property', inSchema('properties: { x-api: {}, x-personel: {} }')],
    ['that is a schema', 'components: { schemas: { x-collection: {} } }\n'],
    ['that is a question of a schema', inSchema('x-unspecified: why')],
  ])('%s is none of ours', async (_, text) => {
    await expect(check(text)).resolves.toBeUndefined();
  });

  it.each([
    ['that lacks what it needs', 'x-api: { tenancy: key }\n', 'x-api', 'error'],
    ['of another shape', 'x-invalid: [refused]\n', 'x-invalid', 'object'],
    ['with a value of another kind', inSchema('properties: { b: { x-personal: yes } }'), 'x-personal', 'true'],
    ['of a parameter with an unknown class', inOperation('parameters: [{ x-invalid: { sloppi: refused } }]'), 'sloppi', 'sloppi'],
    ['with a pointer that is none', inOperation('x-resource: { name: a, at: data }'), 'at: data', 'data'],
    ['with a number for a question', inSchema('x-unspecified: 5'), 'x-unspecified', 'x-unspecified'],
    ['with a question without an end', 'x-unspecified: { why: { question: Why, source: §1, mock: No. } }\n', 'question', 'Why'],
    ['with a question of a wrong name', 'x-unspecified: { Why: { question: Why?, source: §1, mock: No. } }\n', 'Why:', 'Why'],
    ['of an operation at the root', 'x-collection: {}\n', 'x-collection', 'operation'],
  ])('%s is reported where it stands', async (_, text, at, word) => {
    await expectMistake(check(text), text, at, [word]);
  });

  it('is checked in every file', async () => {
    const other = 'a:\n  get:\n    x-resource: { name: a }\n';
    const mistake = await mistakeOf(check("paths: { /a: { $ref: 'b.yaml#/a' } }\n", { 'b.yaml': other }));
    expect(mistake.message).toMatch(/^b\.yaml:3:5: .*at/);
  });

  it('may be open wherever its value may be', async () => {
    const open = '{ unspecified: q }';
    const page = `{ style: offset, limit: l, offset: o, total: ${open} }`;
    const members = `items: ${open}, key: /id, order: ${open}, page: ${page}, filters: { a: ${open} }, visible: ${open}`;
    await expect(check(inOperation(`x-collection: { name: a, ${members} }`))).resolves.toBeUndefined();
  });
});

const plain = '{ properties: { data: { items: { properties: { id: {} } } }, meta: { properties: { n: {} } } } }';
const offsets = '{ style: offset, limit: limit, offset: offset }';

/** A list with this style of paging, whose success has this schema; a filter has a parameter `f` with a schema of its own. */
function list(page: string, schema = plain, filters = '{}', filtered = 'true'): string {
  return contractText(`paths:
  /a:
    get:
      operationId: listA
      parameters: [{ name: limit, in: query }, { name: page, in: query }, { name: offset, in: query }, { name: f, in: query, schema: ${filtered} }]
      x-collection: { name: a, items: /data, key: /id, order: [{ by: /id, direction: ascending }], page: ${page}, filters: ${filters} }
      responses: { '200': { description: a, content: { application/json: { schema: ${schema} } } } }
`);
}

describe('a page', () => {
  it.each([
    '{ style: page, limit: limit, page: page, total: /meta/n, echo: { limit: /meta/n, page: /meta/n } }',
    '{ style: page, limit: limit, page: page }',
    '{ style: offset, limit: limit, offset: offset, total: /meta/n, more: /meta/n }',
    offsets,
  ])('may be %s', async (page) => {
    await expect(loadText(list(page))).resolves.toBeDefined();
  });

  it.each([
    ['{ style: page, limit: limit, page: seite }', 'page: seite', 'seite'],
    ['{ style: page, limit: limit, page: page, total: /meta/m }', 'total: /meta/m', '/meta/m'],
    ['{ style: page, limit: limit, page: page, echo: { page: /n } }', 'page: /n', '/n'],
    ['{ style: offset, limit: size, offset: offset }', 'limit: size', 'size'],
    ['{ style: offset, limit: limit, offset: skip }', 'offset: skip', 'skip'],
    ['{ style: offset, limit: limit, offset: offset, total: /n }', 'total: /n', '/n'],
    ['{ style: offset, limit: limit, offset: offset, more: /n }', 'more: /n', '/n'],
  ])('that names nothing is reported: %s', async (page, at, word) => {
    await expectMistake(loadText(list(page)), list(page), at, [word, 'listA']);
  });
});

describe('a field', () => {
  it.each([
    ['a branch', "{ anyOf: [{ type: 'null' }, { properties: { data: { items: { oneOf: [{ properties: { id: {} } }] } } } }] }"],
    ['a part', '{ allOf: [{ properties: { data: {} } }, { properties: { data: { items: { allOf: [{ properties: { id: {} } }] } } } }] }'],
    ['a map', '{ additionalProperties: { items: { patternProperties: { ^i: {} } } } }'],
    ['a reference', "{ $ref: '#/components/schemas/List' }"],
  ])('may be described by %s', async (_, schema) => {
    const schemas = "{ List: { properties: { data: { items: { $ref: '#/components/schemas/One' } } } }, One: { properties: { id: {} } } }";
    await expect(loadText(`${list(offsets, schema)}components: { schemas: ${schemas} }\n`)).resolves.toBeDefined();
  });

  it.each(['true', '{ type: object }'])('of an answer with the schema %s is nowhere', async (schema) => {
    await expect(loadText(list(offsets, schema))).rejects.toThrow(/\/data does not exist in the successful response of listA/);
  });

  it('may be one of the single read, for a search', async () => {
    const schema = '{ properties: { one: { properties: { id: {}, text: {} } } } }';
    const single = `  /a/{id}:
    get:
      parameters: [{ name: id, in: path, required: true }]
      x-resource: { name: a, at: /one, by: { id: /id } }
      responses: { '200': { description: a, content: { application/json: { schema: ${schema} } } } }
`;
    const search = list(offsets, plain, '{ f: { matches: { fields: [/text], fold: true } } }');
    await expect(loadText(search + single)).resolves.toBeDefined();
    await expect(loadText(search)).rejects.toThrow(/\/text does not exist/);
  });
});

describe('a filter', () => {
  const array = '{ type: array, items: { type: string } }';

  it.each([
    ['{ any-of: /id }', '{ type: string }', 'equals'],
    ['{ equals: /id }', '{ type: string }', 'equals'],
    ['{ equals: /id }', array, 'equals'],
    ['{ any-of: /id }', array, 'any-of'],
  ])('takes as many values as its parameter: %s and %s', async (filter, schema, operator) => {
    const { operations } = await loadText(list(offsets, plain, `{ f: ${filter} }`, schema));
    expect(operations[0]?.collection?.filters.get('f')?.operator).toBe(operator);
  });
});

describe('a scope', () => {
  const secured = (scopes: string, security: string): string =>
    contractText(`x-api: { error: { schema: '#/components/schemas/E', code: '', message: '' }, scopes: ${scopes} }
security: ${security}
paths: { /a: { get: { responses: {} } } }
components: { schemas: { E: {} }, securitySchemes: { key: { type: apiKey, in: header, name: K } } }
`);

  it('may be any when the contract describes none, and is reported at the root when it is not described', async () => {
    await expect(loadText(secured('{}', '[{ key: [any] }]'))).resolves.toBeDefined();
    const text = secured('{ read: {} }', '[{ key: [read, write] }]');
    await expectMistake(loadText(text), text, 'write', ['write']);
  });
});
