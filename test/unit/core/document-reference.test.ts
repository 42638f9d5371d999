/** References lead within a file and from file to file, relative to the file they stand in; what only looks like one is left alone. */

import { describe, expect, it } from 'vitest';
import { type Document, follow, loadDocument, referred } from '../../../core/document.ts';
import { printPlace } from '../../../core/errors.ts';
import { isObject, type Json } from '../../../core/json.ts';
import { valueAt } from '../../../core/pointer.ts';
import { documentOf, type Files, mistakeOf, positionOf, readerOf } from '../../helpers/contract-text.ts';

function followed(document: Document, pointer: string): Json | undefined {
  return follow(document, valueAt(document.root, pointer));
}

/** Reads a file, and follows what stands at a pointer: a mistake may come out at either. */
async function followedIn(text: string, pointer: string, others: Files = {}): Promise<Json | undefined> {
  return followed(await documentOf(text, others), pointer);
}

describe('a reference', () => {
  it('is followed until there is none', async () => {
    const document = await documentOf("a: { $ref: '#/b' }\nb: { $ref: '#/c/d' }\nc: { d: { e: 1 } }\n");
    expect(followed(document, '/a')).toEqual({ e: 1 });
  });

  it('may be taken one step at a time', async () => {
    const document = await documentOf("a: { $ref: '#/b' }\nb: { $ref: '#/c' }\nc: 5\n");
    const a = document.root['a'];
    expect(isObject(a) && referred(document, a)).toEqual({ $ref: '#/c' });
    expect(referred(document, { b: 1 })).toBeUndefined();
  });

  it('may lead to any value, null and false included', async () => {
    const document = await documentOf("a: { $ref: '#/x' }\nb: { $ref: '#/y' }\nx: null\ny: false\n");
    expect([followed(document, '/a'), followed(document, '/b')]).toEqual([null, false]);
  });

  it('reads the escapes of pointers and of URLs', async () => {
    const document = await documentOf(
      "a: { $ref: '#/paths/~1a~1%7Bid%7D/get' }\nb: { $ref: '#/x%20y/1' }\npaths: { '/a/{id}': { get: 1 } }\nx y: [1, 2]\n",
    );
    expect([followed(document, '/a'), followed(document, '/b')]).toEqual([1, 2]);
  });

  it('leaves a value without one as it is', async () => {
    const document = await documentOf('a: 1\n');
    expect([follow(document, document.root), follow(document, undefined), follow(document, null)]).toEqual([{ a: 1 }, undefined, null]);
  });

  it.each(['#/components/schemas/Nope', '#/b/0', '#/toString'])('to %s is told with its place and the way out', async (reference) => {
    const text = `b: {}\na:\n  x: { $ref: '${reference}' }\n`;
    const mistake = await mistakeOf(followedIn(text, '/a/x'));
    expect(mistake.message.startsWith(`api.yaml:3:8: ${reference} leads nowhere`)).toBe(true);
    expect(mistake.message).toContain('correct the reference');
  });

  it.each([
    ['to itself', "a: { $ref: '#/a' }\n"],
    ['to another that refers back', "a: { $ref: '#/b' }\nb: { $ref: '#/a' }\n"],
    ['through three', "a: { $ref: '#/b' }\nb: { $ref: '#/c' }\nc: { $ref: '#/b' }\n"],
  ])('%s in a circle is told', async (_, text) => {
    const mistake = await mistakeOf(followedIn(text, '/a'));
    expect(mistake.message).toMatch(/^api\.yaml:\d:6: .*circle/);
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
    expect(printPlace(mistake.place)).toBe('api.yaml:3:5');
    expect(mistake.message).toContain(reference.replace(/^#/, ''));
    expect(mistake.message).toContain(words);
  });
});

describe('a file that is referred to', () => {
  const files = {
    'specs/api.yaml': "a: { $ref: 'parts/one.yaml#/x' }\nb: { $ref: './parts/one.yaml' }\n",
    'specs/parts/one.yaml': "x: { $ref: '../two.yaml#/y' }\nz: { $ref: '#/w' }\nw: here\n",
    'specs/two.yaml': "y: { $ref: 'parts/deep/three.yaml#/v' }\n",
    'specs/parts/deep/three.yaml': 'v: { found: true }\n',
  };

  it('is found relative to the file that refers to it, however deep', async () => {
    const document = await loadDocument('specs/api.yaml', readerOf(files));
    expect(followed(document, '/a')).toEqual({ found: true });
    expect([...document.files.keys()].sort()).toEqual(Object.keys(files).sort());
  });

  it('refers within itself by a bare pointer', async () => {
    const document = await loadDocument('specs/api.yaml', readerOf(files));
    const whole = followed(document, '/b');
    expect(isObject(whole) && follow(document, whole['z'])).toBe('here');
  });

  it('gives its own places', async () => {
    const document = await loadDocument('specs/api.yaml', readerOf(files));
    const found = followed(document, '/a');
    expect(isObject(found) && printPlace(document.place(found, 'found'))).toBe('specs/parts/deep/three.yaml:1:6');
  });

  it('may refer back, and is read once', async () => {
    const read: string[] = [];
    const back: Readonly<Record<string, string>> = {
      's/api.yaml': "a: { $ref: 'b.yaml#/b' }\nc: 5\n",
      's/b.yaml': "b: { $ref: 'api.yaml#/c' }\n",
    };
    const document = await loadDocument('s/api.yaml', async (name) => {
      read.push(name);
      return back[name] ?? '';
    });
    expect(followed(document, '/a')).toBe(5);
    expect(read).toEqual(['s/api.yaml', 's/b.yaml']);
  });

  it('is read once also when the entry is named from the current folder', async () => {
    const read: string[] = [];
    await loadDocument('./api.yaml', async (name) => {
      read.push(name.replace('./', ''));
      return name.endsWith('api.yaml') ? "a: { $ref: 'b.yaml#/b' }\n" : "b: { $ref: 'api.yaml' }\n";
    });
    expect(read).toEqual(['api.yaml', 'b.yaml']);
  });

  it('may have spaces in its name', async () => {
    const document = await documentOf("a: { $ref: 'my%20parts.yaml#/b' }\n", { 'my parts.yaml': 'b: 1\n' });
    expect(followed(document, '/a')).toBe(1);
  });

  it('that is missing is told at the reference, with the reason', async () => {
    const text = "a: 1\nb: { c: { $ref: 'missing.yaml#/x' } }\n";
    const mistake = await mistakeOf(documentOf(text));
    expect(mistake.message).toMatch(/^api\.yaml:2:11: .*missing\.yaml.*ENOENT/);
  });

  it('that is broken is told in its own lines', async () => {
    const mistake = await mistakeOf(documentOf("a: { $ref: 'b.yaml#/x' }\n", { 'b.yaml': 'x: 1\ny: 2\nx: 3\n' }));
    expect(printPlace(mistake.place)).toBe('b.yaml:3:1');
  });

  it('without what is looked for is told at the reference, and names that file', async () => {
    const mistake = await mistakeOf(followedIn("a: { $ref: 'b.yaml#/nope' }\n", '/a', { 'b.yaml': 'x: 1\n' }));
    expect(mistake.message).toMatch(/^api\.yaml:1:6: b\.yaml#\/nope leads nowhere: b\.yaml has nothing at \/nope/);
  });
});

describe('what only looks like a reference', () => {
  const missing = "{ $ref: 'missing.yaml' }";

  it.each([
    ['an example', `content: { application/json: { example: ${missing} } }`],
    ['a named example', `content: { application/json: { examples: { one: { value: ${missing} } } } }`],
    ['the examples of a schema', `schemas: { A: { examples: [${missing}] } }`],
    ['a constant', `schemas: { A: { const: ${missing} } }`],
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
    ['a property called enum', `schemas: { A: { $defs: { enum: ${missing} } } }`],
    ['a schema called const', `schemas: { const: ${missing} }`],
    ['the default response', `responses: { default: ${missing} }`],
    ['a named example that is a reference', `examples: { one: ${missing} }`],
    ['a parameter of a list', `parameters: [${missing}]`],
    ['a path called /value', `paths: { /value: ${missing} }`],
    ['a choice of a question', `x-unspecified: { why: { choices: { a: ${missing} } } }`],
  ])('in %s is a reference', async (_, text) => {
    const mistake = await mistakeOf(documentOf(`${text}\n`));
    expect(printPlace(mistake.place)).toBe(`api.yaml:${positionOf(text, '$ref')}`);
    expect(mistake.message).toContain('missing.yaml');
  });
});
