/** Overlays: their actions change the file that they extend, every value keeps its position, and mistakes are errors with a place. */

import { describe, expect, it } from 'vitest';
import { compareContracts } from '../../../../contracts/diff/compare-contracts.ts';
import { formatLocation } from '../../../../core/errors.ts';
import type { JsonObject } from '../../../../core/json.ts';
import { loadContract, openDocument } from '../../../../core/openapi/contract.ts';
import { plainDocument } from '../../../../core/openapi/plain-openapi-document.ts';
import { rawOf, valueBehind } from '../../../../core/openapi/raw-document.ts';
import { valueAt } from '../../../../core/pointer.ts';
import { type Files, mistakeOf, readerOf } from '../../../helpers/contracts/contract-text.ts';

const vendor = `openapi: 3.1.0
info: { title: Notes, version: '1' }
tags: [{ name: a }, { name: b }]
paths:
  /notes:
    get:
      operationId: listNotes
      description: Lists.
      responses: { '200': { $ref: '#/components/responses/Notes' } }
components:
  responses:
    Notes:
      description: Notes.
      content:
        application/json:
          schema: { type: object, required: [notes], properties: { notes: { type: array, items: { $ref: 'note.yaml#/Note' } } } }
`;
const note =
  "Note: { type: object, required: [id], properties: { id: { type: string }, next: { $ref: 'vendor.yaml#/components/responses' } } }\n";

/** An overlay with these actions, of the file `api/vendor.yaml`. */
function overlayText(actions: string, target = 'api/vendor.yaml'): string {
  return `overlay: 1.1.0\ninfo: { title: Annotations, version: '1' }\nextends: ${target}\nactions:\n${actions}`;
}

function filesWith(actions: string, others: Files = {}): Files {
  return { 'notes.overlay.yaml': overlayText(actions), 'api/vendor.yaml': vendor, 'api/note.yaml': note, ...others };
}

async function overlaid(actions: string, others: Files = {}): Promise<JsonObject> {
  return rawOf(await openDocument('notes.overlay.yaml', readerOf(filesWith(actions, others)))).root;
}

async function mistake(actions: string, others: Files = {}): Promise<string> {
  return (await mistakeOf(openDocument('notes.overlay.yaml', readerOf(filesWith(actions, others))))).message;
}

describe('the actions of an overlay', () => {
  it.each([
    ['insert a member', '- { target: $.info, update: { x-team: core } }', '/info', { title: 'Notes', version: '1', 'x-team': 'core' }],
    ['merge below', '- { target: $, update: { info: { title: New } } }', '/info', { title: 'New', version: '1' }],
    ['replace a primitive', '- { target: $.info.title, update: New }', '/info/title', 'New'],
    ['append to an array', '- { target: $.tags, update: { name: c } }', '/tags', [{ name: 'a' }, { name: 'b' }, { name: 'c' }]],
    ['concatenate arrays', '- { target: $, update: { tags: [{ name: c }] } }', '/tags/2/name', 'c'],
    [
      'change each selected value',
      '- { target: "$.tags[*]", update: { x: 1 } }',
      '/tags',
      [
        { name: 'a', x: 1 },
        { name: 'b', x: 1 },
      ],
    ],
    ['remove, whatever the update is', '- { target: $.tags, remove: true, update: [1] }', '/tags', undefined],
    ['update without removal', '- { target: $.info, remove: false, update: { title: B } }', '/info/title', 'B'],
    ['remove an element', '- { target: "$.tags[?@.name == \'a\']", remove: true }', '/tags', [{ name: 'b' }]],
    ['remove a member and its parent', '- { target: $..description, remove: true }', '/paths/~1notes/get/description', undefined],
    [
      'copy a value',
      '- { target: $.paths, update: { /n: {} } }\n- { target: "$.paths[\'/n\']", copy: "$.paths[\'/notes\']" }',
      '/paths/~1n/get/description',
      'Lists.',
    ],
    ['apply in order', '- { target: $.tags, remove: true }\n- { target: $, update: { tags: [] } }', '/tags', []],
    ['match a pattern', '- { target: "$.tags[?match(@.name, \'[b-z]\')]", remove: true }', '/tags', [{ name: 'a' }]],
  ])('%s', async (_, actions, pointer, expected) => {
    expect(valueAt(await overlaid(actions), pointer)).toEqual(expected);
  });

  it.each([
    [
      'a path that selects nothing',
      '- { target: $.pahts, remove: true }',
      '5:5: $.pahts selects nothing in api/vendor.yaml; correct the path',
    ],
    ['no path', '- { target: "$[", remove: true }', '5:5: $[ cannot be evaluated as a JSONPath: unclosed'],
    ['two values to copy', '- { target: $.info, copy: "$.tags[*]" }', '$.tags[*] selects 2 values; write a path to one value'],
    ['the root to remove', '- { target: $, remove: true }', 'the root cannot be removed; name a member of it'],
    [
      'another type',
      '- { target: $, update: { tags: { a: 1 } } }',
      '5:26: an object cannot replace an array of 2 elements of api/vendor.yaml:3; write a value of the same type',
    ],
    [
      'a target that an earlier action removed',
      '- { target: $.info.title, remove: true }\n- { target: $.info.title, update: New }',
      '$.info.title selects nothing in api/vendor.yaml',
    ],
    [
      'an update that the reference beside it hides',
      `- { target: "$.paths['/notes'].get.responses['200']", update: { x-a: 1 } }`,
      'OpenAPI ignores members beside the reference to #/components/responses/Notes',
    ],
    ['no change', '- { target: $.info }', '5:5: an action has one of update, copy and `remove: true`; this one has none of them'],
    ['two changes', '- { target: $.info, copy: $.info, update: {} }', 'this one has update and copy'],
    ['no removal', '- { target: $.info, remove: false }', 'this one has none of them'],
    ['an unknown key', '- { target: $.info, updates: {} }', '5:21: actions.0 must not have updates; did you mean update?'],
  ])('are refused for %s', async (_, actions, expected) => {
    expect(await mistake(actions)).toContain(expected);
  });
});

it('an update beside a reference to a schema is refused in OpenAPI 3.0, and has an effect in 3.1', async () => {
  const old = vendor.replace('3.1.0', '3.0.3');
  const items = '$..items, update: { x-personal: true }';
  const actions = `- { target: ${items} }`;
  expect(await mistake(actions, { 'api/vendor.yaml': old })).toContain('OpenAPI ignores members beside the reference to note.yaml#/Note');
  expect(JSON.stringify(await overlaid(actions))).toContain('{"$ref":"note.yaml#/Note","x-personal":true}');
});

describe('the file that an overlay extends', () => {
  const actions = '- { target: $.info, update: { x-a: 1 } }';

  it.each([
    ['is missing', overlayText(actions, 'other.yaml'), '3:1: the referenced file other.yaml cannot be read (ENOENT)'],
    [
      'is a URL',
      overlayText(actions, 'https://example.com/a.yaml'),
      '3:1: https://example.com/a.yaml is a URL, and contracts are read offline',
    ],
    [
      'is the overlay itself',
      overlayText(actions, 'notes.overlay.yaml'),
      '3:1: notes.overlay.yaml extends notes.overlay.yaml; name the OpenAPI file',
    ],
    ['is not named', overlayText(actions).replace('extends: api/vendor.yaml\n', ''), "the file must have required property 'extends'"],
    ['is not OpenAPI', overlayText(actions, 'swagger.yaml'), 'swagger.yaml:1:1: swagger: 2.0 is not supported'],
  ])('is refused if it %s', async (_, text, expected) => {
    const others = { 'notes.overlay.yaml': text, 'swagger.yaml': "swagger: '2.0'\ninfo: {}\n" };
    expect(await mistake(actions, others)).toContain(expected);
  });

  it('may be an overlay, whose actions come first', async () => {
    const others = {
      'notes.overlay.yaml': overlayText('- { target: $.info.x-b, update: 2 }', 'api/first.yaml'),
      'api/first.yaml': overlayText('- { target: $.info, update: { x-b: 1 } }', 'vendor.yaml'),
    };
    const document = await openDocument('notes.overlay.yaml', readerOf(filesWith('', others)));
    expect(valueAt(rawOf(document).root, '/info/x-b')).toBe(2);
    expect([...document.texts.keys()]).toEqual(['notes.overlay.yaml', 'api/first.yaml', 'api/vendor.yaml', 'api/note.yaml']);
    const circle = { ...others, 'api/first.yaml': overlayText(actions, '../notes.overlay.yaml') };
    expect(await mistake('', circle)).toBe(
      'api/first.yaml:3:1: notes.overlay.yaml extends api/first.yaml extends notes.overlay.yaml; name the OpenAPI file that the overlay changes',
    );
  });
});

describe('a contract from an overlay', () => {
  const actions = `  - target: $
    update:
      x-api: { error: { schema: '#/components/schemas/Error', code: /code, message: /code } }
      components: { schemas: { Error: { type: object, required: [code], properties: { code: { type: string } } } } }
  - target: $.paths['/notes'].get
    update:
      description: Lists notes.
      x-collection: { name: notes, items: /notes, key: /id, order: [{ by: /id, direction: ascending }], page: { style: page, limit: size, page: page, beyond: empty }, filters: {} }
      parameters:
        - { name: size, in: query, schema: { type: integer, minimum: 1, maximum: 20, default: 5 } }
        - { name: page, in: query, schema: { type: integer, minimum: 1, default: 1 } }
      responses: { default: { description: E, content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } } } }
`;

  it('has the name of the overlay, and positions in both files', async () => {
    const { name, document, operations } = await loadContract('notes.overlay.yaml', readerOf(filesWith(actions)));
    expect([name, document.file, operations[0]?.collection?.name]).toEqual(['notes', 'notes.overlay.yaml', 'notes']);
    const get = valueAt(rawOf(document).root, '/paths/~1notes/get') as JsonObject;
    const places = ['operationId', 'description', 'x-collection', 'responses'].map((key) => formatLocation(document.place(get, key)));
    expect(places).toEqual(['api/vendor.yaml:7:7', 'notes.overlay.yaml:11:7', 'notes.overlay.yaml:12:7', 'api/vendor.yaml:9:7']);
    const responses = get['responses'] as JsonObject;
    expect(['200', 'default'].map((key) => formatLocation(document.place(responses, key)))).toEqual([
      'api/vendor.yaml:9:20',
      'notes.overlay.yaml:16:20',
    ]);
  });

  it('keeps positions of converted keywords of OpenAPI 3.0', async () => {
    const text = overlayText("- { target: '$.components.schemas.N', update: { exclusiveMinimum: true } }");
    const old = vendor.replace('3.1.0', '3.0.3').concat('  schemas: { N: { type: number, minimum: 1 } }\n');
    const document = await openDocument(
      'notes.overlay.yaml',
      readerOf(filesWith('', { 'notes.overlay.yaml': text, 'api/vendor.yaml': old })),
    );
    const schema = valueAt(rawOf(document).root, '/components/schemas/N') as JsonObject;
    expect(schema).toEqual({ type: 'number', exclusiveMinimum: 1 });
    expect(formatLocation(document.place(schema, 'exclusiveMinimum'))).toMatch(/^notes\.overlay\.yaml:5:/);
  });

  it('reports mistakes where they stand', async () => {
    const loading = (from: string, to: string): Promise<unknown> =>
      loadContract('notes.overlay.yaml', readerOf(filesWith(actions.replace(from, to))), { strict: true });
    expect((await mistakeOf(loading('x-collection', 'x-colection'))).message).toContain('notes.overlay.yaml:12:7: x-colection');
    expect((await mistakeOf(loading('items: /notes', 'items: /nots'))).message).toContain('notes.overlay.yaml:12:');
    expect((await mistakeOf(loading("$ref: '#/components/schemas/Error'", "$ref: '#/components/schemas/Eror'"))).message).toContain(
      'notes.overlay.yaml:16:88: #/components/schemas/Eror cannot be resolved',
    );
    expect((await mistakeOf(loading("schema: '#/components/schemas/Error'", "schema: '#/nope'"))).message).toContain(
      'notes.overlay.yaml:7:',
    );
  });

  it('becomes one plain document, in which references lead to the overlaid values', async () => {
    const contract = await loadContract('notes.overlay.yaml', readerOf(filesWith(actions)));
    const plain = JSON.stringify(plainDocument(contract));
    expect(plain).not.toContain('.yaml#');
    expect(plain).toContain('"$ref":"#/components/schemas/Error"');
  });

  it('is compared with another overlay of the same file', async () => {
    const files = { ...filesWith(actions), 'new.overlay.yaml': overlayText(actions.replace('ascending', 'descending')) };
    const { changes } = await compareContracts('notes.overlay.yaml', 'new.overlay.yaml', { read: readerOf(files) });
    expect(changes.map(({ id }) => id)).toEqual(['list/order-changed']);
    expect((await compareContracts('notes.overlay.yaml', 'notes.overlay.yaml', { read: readerOf(files) })).changes).toEqual([]);
  });
});

describe('a target behind a reference', () => {
  const changed = async (target: string, update: string, text = vendor): Promise<JsonObject> => {
    const files = filesWith(`  - { target: "${target}", update: ${update} }\n`, { 'api/vendor.yaml': text });
    return rawOf(await openDocument('notes.overlay.yaml', readerOf(files))).root;
  };

  it('is what the reference leads to', async () => {
    const root = await changed("$.paths['/notes'].get.responses['200'].content.*.schema", '{ title: Page }');
    expect(valueAt(root, '/components/responses/Notes/content/application~1json/schema/title')).toBe('Page');
    expect(valueAt(root, '/paths/~1notes/get/responses/200')).toEqual({ $ref: '#/components/responses/Notes' });
  });

  it('is found in another file, and a reference of the overlay is relative to the file that it extends', async () => {
    const target = "$.paths['/notes'].get.responses['200'].content.*.schema.properties.notes.items";
    const actions = `  - { target: "${target}", update: { title: Item } }
  - { target: "${target}.properties", update: { all: { $ref: '#/components/responses/Notes/content/application~1json/schema' } } }
  - { target: "${target}.properties.id", remove: true }\n`;
    const document = await openDocument('notes.overlay.yaml', readerOf(filesWith(actions)));
    const items = valueBehind(document, '/paths/~1notes/get/responses/200/content/application~1json/schema/properties/notes/items/title');
    expect(items).toBe('Item');
    const changedNote = valueAt(rawOf(document).files.get('api/note.yaml'), '/Note') as JsonObject;
    expect(Object.keys(changedNote['properties'] as JsonObject)).toEqual(['next', 'all']);
    expect(valueBehind(document, '/paths/~1notes/get/responses/200/content/application~1json/schema/required')).toEqual(['notes']);
    expect(formatLocation(document.place(changedNote, 'title'))).toBe('notes.overlay.yaml:5:107');
  });

  it('is found below a schema that refers to itself', async () => {
    const tree = vendor.replace(
      'responses:\n    Notes',
      "schemas: { Tree: { properties: { a: { $ref: '#/components/schemas/Tree' }, b: {} } } }\n  responses:\n    Notes",
    );
    const root = await changed('$.components.schemas.Tree.properties.a.properties.b', '{ title: B }', tree);
    expect(valueAt(root, '/components/schemas/Tree/properties/b/title')).toBe('B');
  });

  it.each(["$.paths['/notes'].get.responses['200'].nothing", '$..nothing'])('%s selects nothing there either', async (target) => {
    await expect(changed(target, '{ a: 1 }')).rejects.toThrow('selects nothing in');
  });
});
