/** Schema locations: the same schema reached in the same way is one location, and references lead where JSON Schema says. */

import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../core/errors.ts';
import { isObject, type Json } from '../../../../core/json.ts';
import { rawOf } from '../../../../core/openapi/raw-document.ts';
import type { Schema } from '../../../../core/openapi/schema-facts.ts';
import { isValid } from '../../../../generators/constraints/validate-instance.ts';
import { Unsupported } from '../../../../generators/generation-errors.ts';
import { type LocatedSchema, openSchema } from '../../../../generators/schema/located-schema.ts';
import { documentOf, positionOf } from '../../../helpers/contracts/contract-text.ts';

/** A schema that only a text passes; that a reference leads to it shows in what it refuses. */
const text: Schema = { type: 'string' };

function refusesNumbers(schema: Schema, remotes: Readonly<Record<string, Schema>> = {}): boolean {
  const location = openSchema(schema, { remotes });
  return isValid(location, 'a') && !isValid(location, 1);
}

describe('a location', () => {
  it('is the same one for the same place', () => {
    const location = openSchema({ properties: { a: text }, allOf: [text, true, true] });
    expect(location.at('properties', 'a')).toBe(location.at('properties', 'a'));
    expect(location.map('properties').get('a')).toBe(location.at('properties', 'a'));
    expect(location.list('allOf')[0]).toBe(location.at('properties', 'a'));
    expect(location.list('allOf')[1]).not.toBe(location.list('allOf')[2]);
  });

  it('is the same one for every reference to it, so that recursion comes back', () => {
    const location = openSchema({ $defs: { tree: { items: { $ref: '#/$defs/tree' } } }, $ref: '#/$defs/tree', anyOf: [{ $ref: '#' }] });
    const tree = location.target('$ref');
    expect(tree.at('items').target('$ref')).toBe(tree);
    expect(tree).toBe(location.at('$defs', 'tree'));
    expect(location.at('anyOf', 0).target('$ref')).toBe(location);
  });

  it('tells its path as a pointer, or a URI and a pointer', () => {
    const far = { $defs: { 'a b': text } };
    const location = openSchema(
      { properties: { 'x/y~': true }, $ref: 'http://a.test/far#/$defs/a%20b' },
      { remotes: { 'http://a.test/far': far } },
    );
    expect([location.path, location.at('properties', 'x/y~').path]).toEqual(['#', '#/properties/x~1y~0']);
    expect(location.target('$ref').path).toBe('http://a.test/far#/$defs/a b');
  });

  it('lists the schemas of a keyword in the order of the file', () => {
    const location = openSchema({ properties: { b: true, a: true, 1: true } });
    expect([...location.map('properties').keys()]).toEqual(['1', 'b', 'a']);
    expect([location.list('allOf'), location.map('$defs').size]).toEqual([[], 0]);
  });
});

describe('a reference', () => {
  const defs = { $defs: { a: { $anchor: 'here', ...text }, 'b/c~d %': text } };
  const inner: Schema = { $id: 'inner', $defs: { a: text }, $anchor: 'it', type: ['string', 'null'] };

  it.each<readonly [string, Schema]>([
    ['a pointer', { ...defs, $ref: '#/$defs/a' }],
    ['a pointer with escapes', { ...defs, $ref: '#/$defs/b~1c~0d%20%25' }],
    ['an anchor', { ...defs, $ref: '#here' }],
    ['a pointer from the URI of the schema', { $id: 'http://a.test/x', ...defs, $ref: 'http://a.test/x#/$defs/a' }],
    ['a relative URI', { $id: 'http://a.test/d/x', ...defs, $ref: 'x#here' }],
    ['an embedded resource', { $id: 'http://a.test/d/x', $defs: { b: inner }, $ref: 'inner' }],
    ['an embedded resource of a schema without URI', { $defs: { b: inner }, $ref: 'inner' }],
    ['an anchor of an embedded resource', { $id: 'http://a.test/d/x', $defs: { b: inner }, $ref: '/d/inner#it' }],
    ['a pointer into an embedded resource', { $id: 'http://a.test/d/x', $defs: { b: inner }, $ref: 'inner#/$defs/a' }],
    ['a pointer across an embedded resource', { $defs: { b: inner }, $ref: '#/$defs/b/$defs/a' }],
    [
      'a URN',
      {
        $defs: { b: { $id: 'urn:uuid:deadbeef-1234-ffff-ffff-4321feebdaed', ...text } },
        $ref: 'urn:uuid:deadbeef-1234-ffff-ffff-4321feebdaed',
      },
    ],
    ['a dynamic anchor, as a plain one', { $defs: { a: { $dynamicAnchor: 'here', ...text } }, $ref: '#here' }],
    ['a plain anchor, dynamically', { ...defs, $dynamicRef: '#here' }],
  ])('leads to %s', (_, schema) => {
    expect(refusesNumbers(schema)).toBe(true);
  });

  it('inside an embedded resource is relative to that', () => {
    const schema = {
      $id: 'http://a.test/x',
      $defs: { a: { type: 'number' }, b: { $id: 'y', $defs: { a: text }, $ref: '#/$defs/a' } },
      $ref: 'y',
    };
    expect(refusesNumbers(schema)).toBe(true);
  });

  it('leads to remote documents, and from them to others beside them', () => {
    const remotes = { 'http://a.test/d/one': { $ref: 'two#/$defs/a' }, 'http://a.test/d/two': { $defs: { a: text } } };
    expect(refusesNumbers({ $ref: 'http://a.test/d/one' }, remotes)).toBe(true);
    expect(refusesNumbers({ $id: 'http://a.test/', $ref: 'd/one' }, remotes)).toBe(true);
  });

  it('leads to the schema of JSON Schema itself, in which each level is checked', () => {
    const location = openSchema({ $ref: 'https://json-schema.org/draft/2020-12/schema' });
    const instances: readonly Json[] = [true, 5, { minLength: 1 }, { minLength: -1 }, { items: { not: { type: 'text' } } }];
    expect(instances.filter((instance) => isValid(location, instance))).toEqual([true, { minLength: 1 }]);
  });

  it('that is dynamic goes to the outermost resource that was entered and has such an anchor', () => {
    const list: Schema = { $id: 'list', items: { $dynamicRef: '#item' }, $defs: { any: { $dynamicAnchor: 'item' } } };
    const open = { $id: 'http://a.test/open', $ref: 'list', $defs: { list } };
    const texts = { $id: 'http://a.test/texts', $ref: 'list', $defs: { list, item: { $dynamicAnchor: 'item', ...text } } };
    expect([isValid(openSchema(open), ['a', 1]), isValid(openSchema(texts), ['a']), isValid(openSchema(texts), ['a', 1])]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('that is dynamic makes different locations of one schema that is reached in two ways', () => {
    const list: Schema = { $id: 'list', items: { $dynamicRef: '#item' }, $defs: { any: { $dynamicAnchor: 'item' } } };
    const kind = (type: string): Schema => ({ $id: type, $ref: 'list', $defs: { item: { $dynamicAnchor: 'item', type } } });
    const location = openSchema({ prefixItems: [kind('string'), kind('number')], $defs: { list } });
    const [first, second] = location.list('prefixItems').map((each) => each.target('$ref'));
    expect([first?.schema === second?.schema, first === second]).toEqual([true, false]);
    expect([isValid(location, [['a'], [1]]), isValid(location, [['a'], ['a']])]).toEqual([true, false]);
  });

  it.each<readonly [string, string]>([
    ['a place that is not there', '#/$defs/none'],
    ['a place that is not a schema', '#/$defs/a/const'],
    ['an anchor that is not there', '#none'],
    ['a document that is not given', 'http://a.test/none'],
    ['a fragment that is not percent-encoded', '#/%zz'],
    ['something inherited', '#/$defs/toString'],
  ])('to %s is reported, with its own place', (_, $ref) => {
    const location = openSchema({ $defs: { a: { const: 5 } }, items: { $ref } });
    expect(() => isValid(location, [1])).toThrow(Unsupported);
    expect(() => isValid(location, [1])).toThrow(`#/items: cannot generate from $ref: ${$ref} cannot be resolved`);
  });
});

describe('a location in a contract file', () => {
  const lines = "schema:\n  items: { $ref: 'parts.yaml#/thing' }\n";
  const parts =
    "thing:\n  properties:\n    a: { $ref: '#/name' }\n    b: { maximum: no }\n    c: { $ref: '#/list' }\nname: { type: string }\nlist: [1]\n";

  async function open(): Promise<LocatedSchema> {
    const document = await documentOf(lines, { 'parts.yaml': parts });
    const schema = rawOf(document).root['schema'];
    if (!isObject(schema)) throw new UsageError('the file has no schema');
    return openSchema(schema, { document });
  }

  it('refers as files do', async () => {
    const location = await open();
    expect([isValid(location, [{ a: 'x' }]), isValid(location, [{ a: 1 }])]).toEqual([true, false]);
  });

  it('tells its path as a line of the file', async () => {
    const wrong = await open();
    expect(() => isValid(wrong, [{ b: 1 }])).toThrow(`parts.yaml:${positionOf(parts, '{ maximum')}: cannot generate from maximum`);
  });

  it('does not take a list for a schema', async () => {
    const wrong = await open();
    expect(() => isValid(wrong, [{ c: 1 }])).toThrow(Unsupported);
    expect(() => isValid(wrong, [{ c: 1 }])).toThrow('#/list is not a schema');
  });

  it('keeps its file when some of its keywords are left out', async () => {
    const thing = (await open()).at('items');
    const rest = thing.target('$ref').at('properties', 'a').variant('without description', { $ref: '#/name' });
    expect(rest.path).toBe(`parts.yaml:${positionOf(parts, "{ $ref: '#/name' }")}`);
    expect([isValid(rest, 'x'), isValid(rest, 1)]).toEqual([true, false]);
  });
});
