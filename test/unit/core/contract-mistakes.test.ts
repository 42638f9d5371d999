/** Every mistake in a contract file is told with its exact place, the offending value and the way out. */

import { describe, expect, it } from 'vitest';
import { printPlace } from '../../../core/errors.ts';
import { contractText, loadText, mistakeOf, positionOf } from '../../helpers/contract-text.ts';
import { notesText, notesWith } from '../../helpers/notes-contract.ts';

/** A title, the piece of text that is replaced, by what, where the mistake stands, and words that its message must have. */
type Mistake = readonly [title: string, piece: string, replacement: string, at: string, words: readonly string[]];

const wrongFiles: readonly Mistake[] = [
  ['is not OpenAPI', 'openapi: 3.1.0\n', '', 'info', ['not an OpenAPI document', 'openapi: 3.1.0']],
  ['is written in OpenAPI 3.0', 'openapi: 3.1.0', 'openapi: 3.0.3', 'openapi', ['3.0.3', '3.1']],
  ['is written in Swagger 2.0', 'openapi: 3.1.0', "swagger: '2.0'", 'swagger', ['not an OpenAPI document']],
  ['names its version as a number', 'openapi: 3.1.0', 'openapi: 3.1', 'openapi', ['3.1']],
  ['is broken YAML', 'key: /id', 'key: [/id', 'version: /at', ['YAML']],
  ['has a key twice', 'key: /id', 'key: /id\n        key: /at', 'key: /at', ['unique']],
  ['has a merge key', 'key: /id', '<<: { key: /id }', '<<', ['<<', 'merge key']],
];

const wrongReferences: readonly Mistake[] = [
  [
    'to a missing response',
    'responses/Page',
    'responses/Pag',
    "$ref: '#/components/responses/Pag",
    ['#/components/responses/Pag', 'leads nowhere'],
  ],
  [
    'to a missing schema',
    'schemas/NoteDetail',
    'schemas/Nope',
    "$ref: '#/components/schemas/Nope",
    ['#/components/schemas/Nope', 'leads nowhere'],
  ],
  [
    'in what nothing uses',
    '    NoteBody:',
    "    Unused: { items: { $ref: '#/nope' } }\n    NoteBody:",
    "$ref: '#/nope",
    ['#/nope', 'leads nowhere'],
  ],
  ['to a missing file', '#/components/responses/Bad', 'bad.yaml#/Bad', "$ref: 'bad.yaml", ['bad.yaml', 'ENOENT']],
  [
    'to the network',
    '#/components/responses/Bad',
    'https://example.com/a.yaml#/Bad',
    "$ref: 'https",
    ['https://example.com', 'offline', 'relative path'],
  ],
  [
    'of a schema to itself',
    'State: { type: string, enum: [open, done] }',
    "State: { $ref:  '#/components/schemas/State' }",
    '$ref:  ',
    ['State', 'circle'],
  ],
  [
    'of a parameter to itself',
    '{ name: q, in: query, schema: { type: string } }',
    "{ $ref: '#/paths/~1notes/get/parameters/5' }",
    "$ref: '#/paths",
    ['circle'],
  ],
];

const wrongWords: readonly Mistake[] = [
  ['with an unknown key', 'version: /at', 'versoin: /at', 'versoin', ['versoin', 'version']],
  ['with an unknown key further in', 'next: /page/next', 'nxet: /page/next', 'nxet', ['nxet', 'x-collection/page']],
  ['that is misspelt', 'x-collection:', 'x-colection:', 'x-colection', ['x-colection', 'is x-collection meant?']],
  ['that is misspelt at the root', 'x-invalid:', 'x-invalids:', 'x-invalids', ['x-invalids', 'is x-invalid meant?']],
  ['with a value that is none of its values', 'hidden: absent', 'hidden: gone', 'hidden: gone', ['gone', 'absent', 'forbidden']],
  ['with an unknown answer', 'malformed: refused', 'malformed: refusd', 'malformed', ['refusd', 'refused']],
  ['with an unknown class', 'malformed: refused', 'malformd: refused', 'malformd', ['malformd']],
  [
    'with an unknown condition',
    '[throttled, unauthenticated]',
    '[throttled, unauthorized]',
    'unauthorized',
    ['unauthorized', 'unauthenticated'],
  ],
  [
    'of an operation beside one',
    '  /notes/{id}:\n',
    '  /notes/{id}:\n    x-parameter-rules: [{ ordered: [a, b] }]\n',
    'x-parameter-rules: [{ ordered: [a, b]',
    ['x-parameter-rules', 'operation'],
  ],
  ['for a filter with two comparisons', '{ from: /at }', '{ from: /at, to: /at }', 'since: { from', ['x-collection']],
];

const wrongPointers: readonly Mistake[] = [
  ['to the records', 'items: /notes', 'items: /nots', 'items: /nots', ['/nots']],
  ['to what stands beside them', 'head: /owner', 'head: /ownr', 'head: /ownr', ['/ownr']],
  ['to the key', 'key: /id', 'key: /idd', 'key: /idd', ['/idd']],
  ['to the version', 'version: /at', 'version: /att', 'version: /att', ['/att']],
  ['of an order', 'newest: [{ by: /at,', 'newest: [{ by: /att,', 'by: /att', ['/att']],
  ['of a filter', 'from: /at }', 'from: /att }', 'from: /att', ['/att']],
  ['of a search', 'fields: [/title, /text]', 'fields: [/title, /txt]', '/txt', ['/txt']],
  ['of visibility', 'field: /seen', 'field: /sen', 'field: /sen', ['/sen']],
  ['to the next page', 'next: /page/next', 'next: /page/nxt', 'next: /page/nxt', ['/page/nxt']],
  ['to whether there is more', 'more: /page/more', 'more: /more', 'more: /more', ['/more']],
  ['of what a record is found by', 'by: { id: /id }', 'by: { id: /idd }', 'id: /idd', ['/idd']],
  ['to the code of a failure', 'code: /code', 'code: /cod', 'code: /cod', ['/cod']],
  ['to the message of a failure', 'message: /error/message', 'message: /message', 'message: /message', ['/message']],
  [
    'to the schema of failures',
    "schema: '#/components/schemas/Error', code",
    "schema: '#/components/schemas/Eror', code",
    "schema: '#",
    ['#/components/schemas/Eror'],
  ],
];

const wrongNames: readonly Mistake[] = [
  ['a filter of no parameter', 'state: { any-of', 'stat: { any-of', 'stat: {', ['stat', 'listNotes', 'is state meant?']],
  ['a limit that is no parameter', 'limit: limit', 'limit: limt', 'limit: limt', ['limt', 'is limit meant?']],
  ['a cursor that is no parameter', 'cursor: cursor', 'cursor: page_token', 'cursor: page_token', ['page_token', 'declare it']],
  ['a fixed filter that is no parameter', 'fixed: [state, since]', 'fixed: [state, sinc]', 'sinc]', ['sinc', 'is since meant?']],
  ['a rule about no parameter', 'ordered: [since, until]', 'ordered: [since, untill]', 'untill', ['untill', 'is until meant?']],
  ['a record by no parameter', 'by: { id: /id }', 'by: { ident: /id }', 'ident: /id', ['ident', 'getNote']],
  [
    'an undefined security scheme',
    '{ bearer: [notes.read] }]\n      parameters:\n        - { name: id',
    '{ barer: [notes.read] }]\n      parameters:\n        - { name: id',
    'barer',
    ['barer', 'components/securitySchemes'],
  ],
  [
    'an undescribed scope',
    'security: [{ key: [notes.read] }',
    'security: [{ key: [notes.reed] }',
    'notes.reed',
    ['notes.reed', 'is notes.read meant?'],
  ],
  [
    'an unknown question in a rule',
    'unspecified: notes-order',
    'unspecified: note-order',
    '{ unspecified: note-order',
    ['note-order', 'is notes-order meant?'],
  ],
  [
    'an unknown question in a schema',
    'x-unspecified: last-next',
    'x-unspecified: next-last',
    'x-unspecified: next-last',
    ['next-last', 'x-unspecified'],
  ],
  ['a question that only asks', 'x-unspecified: last-next', 'x-unspecified: colour', 'x-unspecified: colour', ['colour', 'choices']],
  ['an unused question', 'at: { unspecified: note-place }', 'at: /note', 'note-place: {', ['note-place', 'remove']],
  ['a mock that is no choice', 'mock: newest', 'mock: oldest', 'notes-order:\n', ['oldest', 'newest, by-title']],
];

const wrongOperations: readonly Mistake[] = [
  [
    'documents both 400 and 422',
    "'422': { $ref",
    "'400': { description: Bad. }\n        '422': { $ref",
    "'422': {",
    ['400', '422', 'keep one'],
  ],
  ['has the name of another', 'operationId: getNote', 'operationId: listNotes', 'operationId: listNotes\n      security', ['listNotes']],
  [
    'does not declare a parameter of its path',
    '- { name: id, in: path',
    '- { name: ident, in: path',
    'operationId: getNote',
    ['{id}', 'declare it'],
  ],
  ['has a parameter in no place', 'name: q, in: query', 'name: q, in: body', '{ name: q', ['body', 'query']],
  ['has a parameter without a name', '{ name: q, in', '{ in', '{ in: query', ['name']],
  ['has a parameter in an unknown style', 'name: state, in: query', 'name: state, style: fom, in: query', 'style: fom', ['fom', 'form']],
  [
    'has a parameter in a style of another place',
    'name: state, in: query',
    'name: state, style: matrix, in: query',
    'style: matrix',
    ['matrix', 'form'],
  ],
];

const wrongSchemas: readonly Mistake[] = [
  ['an unknown type', 'title: { type: string }, text', 'title: { type: strng }, text', 'type: strng', ['strng']],
  ['a broken pattern', "pattern: '^\"'", "pattern: '('", "pattern: '('", ['/(/', 'regular expression']],
  ['a bound that is no number', 'minimum: 1, maximum: 50', "minimum: '1', maximum: 50", "minimum: '1'", ['minimum']],
];

const wrongChoices: readonly Mistake[] = [
  ['of an answer', 'accepted: accepted', 'accepted: acceptd', '', ['acceptd']],
  ['of an order that leads nowhere', 'by-title: [{ by: /title', 'by-title: [{ by: /titel', 'by: /titel', ['/titel']],
  ['of a place that leads nowhere', "root: ''", 'root: /nowhere', '', ['/nowhere', 'x-resource']],
  ["of a place that leads nowhere, and is the mock's", 'inside: /note', 'inside: /not', '', ['/not', 'x-resource']],
  ['of a schema', 'given: { type: string }', 'given: { type: strng }', 'type: strng', ['strng']],
  ['of a schema that refers to nothing', 'given: { type: string }', "given: { $ref: '#/nope' }", "$ref: '#/nope", ['#/nope']],
];

async function expectMistake([, piece, replacement, at, words]: Mistake): Promise<void> {
  const text = notesWith(piece, replacement);
  const mistake = await mistakeOf(loadText(text));
  if (at !== '') expect(printPlace(mistake.place)).toBe(`api.yaml:${positionOf(text, at)}`);
  expect(mistake.message.startsWith(`${printPlace(mistake.place)}: `)).toBe(true);
  for (const word of words) expect(mistake.message).toContain(word);
}

function named(mistakes: readonly Mistake[]): readonly (readonly [string, Mistake])[] {
  return mistakes.map((mistake) => [mistake[0], mistake]);
}

it('the contract that the mistakes are made in has none', async () => {
  await expect(loadText(notesText)).resolves.toBeDefined();
});

it('a file without paths has nothing to judge, and says so', async () => {
  const mistake = await mistakeOf(loadText(contractText('')));
  expect(mistake.message).toMatch(/^api\.yaml:1:1: .*paths/);
});

describe('a mistake', () => {
  it.each(named(wrongFiles))('in a file that %s is told where it stands', async (_, mistake) => expectMistake(mistake));
  it.each(named(wrongReferences))('in a reference %s is told where it stands', async (_, mistake) => expectMistake(mistake));
  it.each(named(wrongWords))('in an annotation %s is told where it stands', async (_, mistake) => expectMistake(mistake));
  it.each(named(wrongPointers))('in a pointer %s is told where it stands', async (_, mistake) => expectMistake(mistake));
  it.each(named(wrongNames))('in a name, %s, is told where it stands', async (_, mistake) => expectMistake(mistake));
  it.each(named(wrongOperations))('in an operation that %s is told where it stands', async (_, mistake) => expectMistake(mistake));
  it.each(named(wrongSchemas))('in a schema, %s, is told where it stands', async (_, mistake) => expectMistake(mistake));
  it.each(named(wrongChoices))('in a choice %s is told', async (_, mistake) => expectMistake(mistake));
});
