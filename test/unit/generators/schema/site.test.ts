/** Sites: the same schema reached in the same way is one site, and references lead where JSON Schema says. */

import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../core/errors.ts';
import { isObject, type Json } from '../../../../core/json.ts';
import type { Schema } from '../../../../core/schema.ts';
import { holds } from '../../../../generators/algebra/evaluate.ts';
import { Unsupported } from '../../../../generators/outcome.ts';
import { openSchema, type Site } from '../../../../generators/schema/site.ts';
import { documentOf, positionOf } from '../../../helpers/contracts/contract-text.ts';

/** A schema that only a text passes; that a reference leads to it shows in what it refuses. */
const text: Schema = { type: 'string' };

function refusesNumbers(schema: Schema, remotes: Readonly<Record<string, Schema>> = {}): boolean {
  const site = openSchema(schema, { remotes });
  return holds(site, 'a') && !holds(site, 1);
}

describe('a site', () => {
  it('is the same one for the same place', () => {
    const site = openSchema({ properties: { a: text }, allOf: [text, true, true] });
    expect(site.at('properties', 'a')).toBe(site.at('properties', 'a'));
    expect(site.map('properties').get('a')).toBe(site.at('properties', 'a'));
    expect(site.list('allOf')[0]).toBe(site.at('properties', 'a'));
    expect(site.list('allOf')[1]).not.toBe(site.list('allOf')[2]);
  });

  it('is the same one for every reference to it, so that recursion comes back', () => {
    const site = openSchema({ $defs: { tree: { items: { $ref: '#/$defs/tree' } } }, $ref: '#/$defs/tree', anyOf: [{ $ref: '#' }] });
    const tree = site.target('$ref');
    expect(tree.at('items').target('$ref')).toBe(tree);
    expect(tree).toBe(site.at('$defs', 'tree'));
    expect(site.at('anyOf', 0).target('$ref')).toBe(site);
  });

  it('tells its path as a pointer, or a URI and a pointer', () => {
    const far = { $defs: { 'a b': text } };
    const site = openSchema(
      { properties: { 'x/y~': true }, $ref: 'http://a.test/far#/$defs/a%20b' },
      { remotes: { 'http://a.test/far': far } },
    );
    expect([site.path, site.at('properties', 'x/y~').path]).toEqual(['#', '#/properties/x~1y~0']);
    expect(site.target('$ref').path).toBe('http://a.test/far#/$defs/a b');
  });

  it('lists the schemas of a keyword in the order of the file', () => {
    const site = openSchema({ properties: { b: true, a: true, 1: true } });
    expect([...site.map('properties').keys()]).toEqual(['1', 'b', 'a']);
    expect([site.list('allOf'), site.map('$defs').size]).toEqual([[], 0]);
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
    const site = openSchema({ $ref: 'https://json-schema.org/draft/2020-12/schema' });
    const instances: readonly Json[] = [true, 5, { minLength: 1 }, { minLength: -1 }, { items: { not: { type: 'text' } } }];
    expect(instances.filter((instance) => holds(site, instance))).toEqual([true, { minLength: 1 }]);
  });

  it('that is dynamic goes to the outermost resource that was entered and has such an anchor', () => {
    const list: Schema = { $id: 'list', items: { $dynamicRef: '#item' }, $defs: { any: { $dynamicAnchor: 'item' } } };
    const open = { $id: 'http://a.test/open', $ref: 'list', $defs: { list } };
    const texts = { $id: 'http://a.test/texts', $ref: 'list', $defs: { list, item: { $dynamicAnchor: 'item', ...text } } };
    expect([holds(openSchema(open), ['a', 1]), holds(openSchema(texts), ['a']), holds(openSchema(texts), ['a', 1])]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('that is dynamic makes different sites of one schema that is reached in two ways', () => {
    const list: Schema = { $id: 'list', items: { $dynamicRef: '#item' }, $defs: { any: { $dynamicAnchor: 'item' } } };
    const kind = (type: string): Schema => ({ $id: type, $ref: 'list', $defs: { item: { $dynamicAnchor: 'item', type } } });
    const site = openSchema({ prefixItems: [kind('string'), kind('number')], $defs: { list } });
    const [first, second] = site.list('prefixItems').map((each) => each.target('$ref'));
    expect([first?.schema === second?.schema, first === second]).toEqual([true, false]);
    expect([holds(site, [['a'], [1]]), holds(site, [['a'], ['a']])]).toEqual([true, false]);
  });

  it.each<readonly [string, string]>([
    ['a place that is not there', '#/$defs/none'],
    ['a place that is not a schema', '#/$defs/a/const'],
    ['an anchor that is not there', '#none'],
    ['a document that is not given', 'http://a.test/none'],
    ['a fragment that is not percent-encoded', '#/%zz'],
    ['something inherited', '#/$defs/toString'],
  ])('to %s is told, with its own place', (_, $ref) => {
    const site = openSchema({ $defs: { a: { const: 5 } }, items: { $ref } });
    expect(() => holds(site, [1])).toThrow(Unsupported);
    expect(() => holds(site, [1])).toThrow(`#/items: $ref cannot be generated from, because ${$ref} leads nowhere`);
  });
});

describe('a site in a contract file', () => {
  const lines = "schema:\n  items: { $ref: 'parts.yaml#/thing' }\n";
  const parts =
    "thing:\n  properties:\n    a: { $ref: '#/name' }\n    b: { maximum: no }\n    c: { $ref: '#/list' }\nname: { type: string }\nlist: [1]\n";

  async function open(): Promise<Site> {
    const document = await documentOf(lines, { 'parts.yaml': parts });
    const schema = document.root['schema'];
    if (!isObject(schema)) throw new UsageError('the file has no schema');
    return openSchema(schema, { document });
  }

  it('refers as files do', async () => {
    const site = await open();
    expect([holds(site, [{ a: 'x' }]), holds(site, [{ a: 1 }])]).toEqual([true, false]);
  });

  it('tells its path as a line of the file', async () => {
    const wrong = await open();
    expect(() => holds(wrong, [{ b: 1 }])).toThrow(`parts.yaml:${positionOf(parts, '{ maximum')}: maximum cannot be generated from`);
  });

  it('does not take a list for a schema', async () => {
    const wrong = await open();
    expect(() => holds(wrong, [{ c: 1 }])).toThrow(Unsupported);
    expect(() => holds(wrong, [{ c: 1 }])).toThrow('#/list is not a schema');
  });

  it('keeps its file when some of its keywords are left out', async () => {
    const thing = (await open()).at('items');
    const rest = thing.target('$ref').at('properties', 'a').variant('without description', { $ref: '#/name' });
    expect(rest.path).toBe(`parts.yaml:${positionOf(parts, "{ $ref: '#/name' }")}`);
    expect([holds(rest, 'x'), holds(rest, 1)]).toEqual([true, false]);
  });
});
