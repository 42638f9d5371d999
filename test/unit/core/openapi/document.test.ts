/** Parsed values have positions, and references lead to values in the same file or in other files. */

import { describe, expect, it } from 'vitest';
import { formatLocation, UsageError } from '../../../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../../../core/json.ts';
import type { Document } from '../../../../core/openapi/document.ts';
import { loadDocument } from '../../../../core/openapi/loading/load-document.ts';
import { parseYaml } from '../../../../core/openapi/loading/yaml.ts';
import { createDocument, follow, followOnce, rawOf } from '../../../../core/openapi/raw-document.ts';
import { copyOrigin, createSource, placeAt, placeBelow, placeOf, setPlace } from '../../../../core/openapi/source-positions.ts';
import { valueAt } from '../../../../core/pointer.ts';
import { documentOf, type Files, mistakeOf, positionOf, readerOf } from '../../../helpers/contracts/contract-text.ts';

function objectAt(root: Json, pointer: string): JsonObject {
  const value = valueAt(root, pointer);
  if (!isObject(value)) throw new Error(`there is no object at ${pointer}`);
  return value;
}

function followed(document: Document, pointer: string): Json | undefined {
  return follow(document, valueAt(rawOf(document).root, pointer));
}

/** Reads a file, and follows what stands at a pointer: a mistake may come out at either. */
async function followedIn(text: string, pointer: string, others: Files = {}): Promise<Json | undefined> {
  return followed(await documentOf(text, others), pointer);
}

describe('the place of a value', () => {
  const text = 'a: 1\nb:\n  c: { d: x, e: [f, { g: h }] }\n  "long key": |\n    text\n';

  it.each([
    ['is where the value begins', [], '1:1'],
    ['is with a key where that member stands', ['b'], '2:1'],
    ['may be asked for along a path of keys', ['b', 'c', 'e'], '3:14'],
    ['leads into lists', ['b', 'c', 'e', 1, 'g'], '3:23'],
    ['is found for a quoted key', ['b', 'long key'], '4:3'],
    ['is as deep as there is something', ['b', 'c', 'd', 'deeper'], '3:8'],
    ['is the place of the whole for a member that is missing', ['b', 'nope', 'deeper'], '3:3'],
  ])('%s', async (_, keys, place) => {
    for (const ends of ['\n', '\r\n']) {
      const document = await documentOf(text.replaceAll('\n', ends));
      expect(formatLocation(placeBelow(document.file, rawOf(document).root, keys))).toBe(`api.yaml:${place}`);
    }
  });

  it('is known of objects, of members by key and by index, and of what is no value', async () => {
    const document = await documentOf(text);
    const c = objectAt(rawOf(document).root, '/b/c');
    const list = valueAt(rawOf(document).root, '/b/c/e') as readonly Json[];
    const places = [document.place(c), document.place(c, 'e'), document.place(c, 'missing'), document.place(list, 1)];
    expect(places.map(formatLocation)).toEqual(['3:6', '3:14', '3:6', '3:21'].map((place) => `api.yaml:${place}`));
    expect(formatLocation(placeBelow(document.file, undefined, ['a']))).toBe('api.yaml:1:1');
  });

  it('is given to a copy, in this document and in one made of the copy', async () => {
    const original = objectAt(rawOf(await documentOf(text)).root, '/b/c');
    const copy = { ...original };
    copyOrigin(original, copy);
    expect(formatLocation(createDocument('api.yaml', new Map([['api.yaml', copy]])).place(copy, 'd'))).toBe('api.yaml:3:8');
  });
});

describe('an origin', () => {
  const original = parseYaml('a.yaml', 'b: 1\nc: 2\nd: 3\n');

  it.each([
    ['behind the file', 99, '2:97'],
    ['before the file', -1, '1:1'],
    ['at the end of a line', 2, '1:3'],
    ['at the beginning of the next', 3, '2:1'],
  ])('has a line and a column %s', (_, offset, expected) => {
    const { line, column } = placeAt(createSource('a.yaml', 'ab\nefg'), offset);
    expect(`${line}:${column}`).toBe(expected);
  });

  it('of a value that no file holds is unknown, and so is that of its copy', () => {
    const copy = {};
    copyOrigin({}, copy);
    expect([placeOf({}), placeOf({ a: 1 }, 'a'), placeOf(copy)]).toEqual([undefined, undefined, undefined]);
  });

  it('may be given to a value that replaces another, and to its copies, new names or not', () => {
    const [value, copy] = [{ not: {} }, {}];
    setPlace(value, { file: 'a.yaml', line: 7, column: 9 });
    copyOrigin(value, copy, new Map([['a', 'b']]));
    for (const place of [placeOf(value), placeOf(value, 'not'), placeOf(copy, 'a')])
      expect(place).toEqual({ file: 'a.yaml', line: 7, column: 9 });
  });

  it('of a copy tells a member with a new name where the old one is written', () => {
    const copy = { e: 1, b: 2 };
    copyOrigin(original, copy, new Map(Object.entries({ e: 'c', b: 'd', f: 'missing' })));
    expect(['e', 'b', 'c', 'd', 'f'].map((key) => placeOf(copy, key)?.line)).toEqual([2, 3, 2, 3, 1]);
    expect(placeOf(original, 'b')?.line).toBe(1);
  });
});

describe('a file that cannot be read', () => {
  it('is a mistake of the caller, told with the reason and the way out', async () => {
    const loading = loadDocument('nowhere.yaml', readerOf({}));
    await expect(loading).rejects.toThrow(UsageError);
    await expect(loading).rejects.toThrow(/^nowhere\.yaml cannot be read \(ENOENT\); name an OpenAPI file/);
  });

  it('is looked for on the disk unless another reader is given', async () => {
    await expect(loadDocument('/nowhere/at/all.yaml')).rejects.toThrow(/all\.yaml cannot be read \(ENOENT\)/);
  });
});

describe('a reference', () => {
  it.each<readonly [string, string, Json | undefined]>([
    ['is followed until there is none', "a: { $ref: '#/b' }\nb: { $ref: '#/c/d' }\nc: { d: { e: 1 } }\n", { e: 1 }],
    ['may lead to null', "a: { $ref: '#/x' }\nx: null\n", null],
    ['may lead to false', "a: { $ref: '#/x' }\nx: false\n", false],
    ['reads the escapes of pointers', "a: { $ref: '#/paths/~1a~1%7Bid%7D/get' }\npaths: { '/a/{id}': { get: 1 } }\n", 1],
    ['reads the escapes of URLs', "a: { $ref: '#/x%20y/1' }\nx y: [1, 2]\n", 2],
    ['is not needed', 'a: { b: 1 }\n', { b: 1 }],
    ['is not looked for in nothing', 'b: 1\n', undefined],
  ])('%s', async (_, text, value) => {
    expect(await followedIn(text, '/a')).toEqual(value);
  });

  it('may be taken one step at a time', async () => {
    const document = await documentOf("a: { $ref: '#/b' }\nb: { $ref: '#/c' }\nc: 5\n");
    expect(followOnce(document, objectAt(rawOf(document).root, '/a'))).toEqual({ $ref: '#/c' });
    expect(followOnce(document, { b: 1 })).toBeUndefined();
  });

  it.each(['#/components/schemas/Nope', '#/b/0', '#/toString'])('to %s is reported with its place and the way out', async (reference) => {
    const mistake = await mistakeOf(followedIn(`b: {}\na:\n  x: { $ref: '${reference}' }\n`, '/a/x'));
    expect(mistake.message.startsWith(`api.yaml:3:8: ${reference} cannot be resolved`)).toBe(true);
    expect(mistake.message).toContain('correct the reference');
  });

  it.each([
    ['to itself', "a: { $ref: '#/a' }\n"],
    ['to another that refers back', "a: { $ref: '#/b' }\nb: { $ref: '#/a' }\n"],
    ['through three', "a: { $ref: '#/b' }\nb: { $ref: '#/c' }\nc: { $ref: '#/b' }\n"],
  ])('%s in a circle is reported', async (_, text) => {
    expect((await mistakeOf(followedIn(text, '/a'))).message).toMatch(/^api\.yaml:\d:6: .*cycle/);
  });

  it.each([
    ['https://example.com/schemas.yaml#/A', 'offline'],
    ['http://example.com/schemas.yaml', 'offline'],
    ['urn:example:a', 'offline'],
    ['#Anchor', 'JSON Pointer'],
    ['other.yaml#Anchor', 'JSON Pointer'],
    ['#/x%zz', '%25'],
  ])('like %s is refused where it stands', async (reference, words) => {
    const text = `x: 1\ny:\n  - $ref: '${reference}'\n`;
    const mistake = await mistakeOf(followedIn(text, '/y/0', { 'other.yaml': 'a: 1\n' }));
    expect(formatLocation(mistake.place)).toBe('api.yaml:3:5');
    for (const word of [reference.replace(/^#/, ''), words]) expect(mistake.message).toContain(word);
  });
});

describe('a file that is referred to', () => {
  const files = {
    'specs/api.yaml': "a: { $ref: 'parts/one.yaml#/x' }\nb: { $ref: './parts/one.yaml' }\nc: { $ref: 'my%20parts.yaml#/b' }\n",
    'specs/my parts.yaml': 'b: 1\n',
    'specs/parts/one.yaml': "x: { $ref: '../two.yaml#/y' }\nz: { $ref: '#/w' }\nw: here\n",
    'specs/two.yaml': "y: { $ref: 'parts/deep/three.yaml#/v' }\n",
    'specs/parts/deep/three.yaml': 'v: { found: true }\n',
  };

  it('is found relative to the file that refers to it, however deep, and gives its own places', async () => {
    const document = await loadDocument('specs/api.yaml', readerOf(files));
    const found = followed(document, '/a');
    expect([found, followed(document, '/c')]).toEqual([{ found: true }, 1]);
    expect([...document.files.keys()].sort()).toEqual(Object.keys(files).sort());
    expect(isObject(found) && formatLocation(document.place(found, 'found'))).toBe('specs/parts/deep/three.yaml:1:6');
    const whole = followed(document, '/b');
    expect(isObject(whole) && follow(document, whole['z'])).toBe('here');
  });

  it.each(['s/', './'])('may refer back, and is read once, in %s', async (folder) => {
    const read: string[] = [];
    const document = await loadDocument(`${folder}api.yaml`, async (name) => {
      read.push(name.replace(/^(s|\.)\//, ''));
      return name.endsWith('api.yaml') ? "a: { $ref: 'b.yaml#/b' }\nc: 5\n" : "b: { $ref: 'api.yaml#/c' }\n";
    });
    expect(followed(document, '/a')).toBe(5);
    expect(read).toEqual(['api.yaml', 'b.yaml']);
  });

  it.each<readonly [string, string, RegExp, Files]>([
    ['is missing is reported at the reference, with the reason', 'missing.yaml#/x', /^api\.yaml:2:11: .*missing\.yaml.*ENOENT/, {}],
    ['is broken is reported in its own lines', 'b.yaml#/x', /^b\.yaml:3:1: /, { 'b.yaml': 'x: 1\ny: 2\nx: 3\n' }],
    [
      'lacks what is looked for is reported at the reference',
      'b.yaml#/nope',
      /^api\.yaml:2:11: b\.yaml#\/nope cannot be resolved: b\.yaml has nothing at \/nope/,
      { 'b.yaml': 'x: 1\n' },
    ],
  ])('that %s', async (_, reference, message, others) => {
    const mistake = await mistakeOf(followedIn(`a: 1\nb: { c: { $ref: '${reference}' } }\n`, '/b/c', others));
    expect(mistake.message).toMatch(message);
  });
});

describe('what looks like a reference', () => {
  const missing = "{ $ref: 'missing.yaml' }";

  it.each([
    ['an example', `content: { application/json: { example: ${missing} } }`],
    ['a named example', `content: { application/json: { examples: { one: { value: ${missing} } } } }`],
    ['the examples of a schema', `schemas: { A: { examples: [${missing}] } }`],
    ['a constant', `schemas: { A: { const: { properties: { a: ${missing} } } } }`],
    ['a listed value', `schemas: { A: { enum: [${missing}] } }`],
    ['a default', `schemas: { A: { default: ${missing} } }`],
    ['an extension of another tool', `x-codeSamples: [{ lang: python, source: ${missing} }]`],
    ['a member called $ref', 'schemas: { A: { properties: { $ref: { type: string } } } }'],
  ])('in %s is data', async (_, text) => {
    await expect(documentOf(`${text}\n`)).resolves.toBeDefined();
  });

  it.each([
    ['a property called value', `schemas: { A: { properties: { value: ${missing} } } }`],
    ['a property called default', `schemas: { A: { properties: { default: ${missing} } } }`],
    ['a property called examples', `schemas: { A: { properties: { examples: ${missing} } } }`],
    ['a property called example', `schemas: { A: { properties: { example: ${missing} } } }`],
    ['a property of a property called properties', `schemas: { A: { properties: { properties: { properties: { enum: ${missing} } } } } }`],
    ['a definition called enum', `schemas: { A: { $defs: { enum: ${missing} } } }`],
    ['a schema called const', `schemas: { const: ${missing} }`],
    ['a header called x-api', `responses: { 200: { headers: { x-api: ${missing} } } }`],
    ['the default response', `responses: { default: ${missing} }`],
    ['a named example that is a reference', `examples: { one: ${missing} }`],
    ['a parameter of a list', `parameters: [${missing}]`],
    ['a path called /value', `paths: { /value: ${missing} }`],
    ['a choice of a question', `x-unspecified: { why: { choices: { a: ${missing} } } }`],
  ])('in %s is a reference', async (_, text) => {
    const mistake = await mistakeOf(documentOf(`${text}\n`));
    expect(formatLocation(mistake.place)).toBe(`api.yaml:${positionOf(text, '$ref')}`);
    expect(mistake.message).toContain('missing.yaml');
  });
});
