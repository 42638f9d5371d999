/** The contract files are sound: a linter finds nothing, every example is valid, and everything is described. */

import { readFile } from 'node:fs/promises';
import { createConfig, lint, lintFromString } from '@redocly/openapi-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { isAlias, LineCounter, parseDocument, visit } from 'yaml';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { toPointer, valueAt } from '../../../core/pointer.ts';
import { contractFile } from '../../../core/shipped-files.ts';
import { type ContractFile, contractNames, readContract } from './contract-file.ts';

/** Pointers of the members of an object. */
function membersOf(contract: ContractFile, pointer: string): readonly string[] {
  const value = contract.at(pointer);
  return isObject(value) ? Object.keys(value).map((key) => pointer + toPointer([key])) : [];
}

/** Every property of an object below a schema, with its pointer. The branches of a condition or choice only sharpen properties described elsewhere. */
function propertiesOf(schema: Json | undefined, pointer: string): readonly (readonly [string, Json])[] {
  const properties = Object.entries(isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {});
  return properties.flatMap(([name, property]) => {
    const place = `${pointer}/properties/${name}`;
    return [[place, property] as const, ...propertiesOf(property, place), ...propertiesOf(valueAt(property, '/items'), `${place}/items`)];
  });
}

describe.each(contractNames)('the contract file of the %s API', (name) => {
  let contract: ContractFile;
  let text: string;
  beforeAll(async () => {
    contract = await readContract(name);
    text = await readFile(contractFile(name), 'utf8');
  });

  it('gives the linter nothing to find', async () => {
    const config = await createConfig({ extends: ['spec'] });
    expect((await lint({ ref: contractFile(name), config })).map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
    // The linter does find something when there is something.
    const broken = text.replace('operationId:', 'operationName:');
    expect(await lintFromString({ source: broken, config })).not.toEqual([]);
  });

  it('is plain YAML, without anchors and merge keys', () => {
    const parsed = parseDocument(text, { lineCounter: new LineCounter() });
    expect([...parsed.errors, ...parsed.warnings]).toEqual([]);
    visit(parsed, {
      Node: (_, node) => {
        expect(isAlias(node) || ('anchor' in node && node.anchor !== undefined)).toBe(false);
      },
      Pair: (_, pair) => {
        expect(String(pair.key)).not.toBe('<<');
      },
    });
  });

  it('has a valid example for every response, parameter and header that has one', () => {
    for (const response of membersOf(contract, '/components/responses')) {
      for (const content of membersOf(contract, `${response}/content`)) {
        const examples = membersOf(contract, `${content}/examples`);
        expect(examples, response).not.toEqual([]);
        for (const example of examples)
          expect(contract.judge(`${content}/schema`, contract.at(`${example}/value`) ?? null), example).toEqual([]);
      }
    }
    for (const holder of [...membersOf(contract, '/components/parameters'), ...membersOf(contract, '/components/headers')]) {
      const example = contract.at(`${holder}/example`);
      if (example !== undefined) expect(contract.judge(`${holder}/schema`, example), holder).toEqual([]);
    }
  });

  it('names the examples of failures by their codes, and has one for every code', () => {
    for (const response of membersOf(contract, '/components/responses')) {
      const code = contract.at(`${response}/content/application~1json/schema/allOf/1/properties/error/properties/code`);
      if (!isObject(code)) continue;
      const examples = membersOf(contract, `${response}/content/application~1json/examples`);
      expect(examples.map((example) => contract.at(`${example}/value/error/code`))).toEqual(
        examples.map((example) => example.split('/').at(-1)),
      );
      const stated = code['enum'] ?? (code['const'] === undefined ? undefined : [code['const']]);
      if (stated !== undefined) expect(examples.map((example) => example.split('/').at(-1))).toEqual(stated);
    }
  });

  it('describes everything in a sentence that ends with its section', () => {
    const sections = ['schemas', 'parameters', 'headers', 'responses', 'securitySchemes'];
    const components = sections
      .flatMap((section) => membersOf(contract, `/components/${section}`))
      .map((pointer) => [pointer, contract.at(pointer)] as const);
    const operations = membersOf(contract, '/paths').map((path) => [path, contract.at(`${path}/get`)] as const);
    const properties = membersOf(contract, '/components/schemas').flatMap((pointer) => propertiesOf(contract.at(pointer), pointer));
    // A reference has its description where it leads, and `false` has nothing to describe.
    const own = properties.filter(([, schema]) => isObject(schema) && schema['$ref'] === undefined);
    expect(own.length).toBeGreaterThan(10);
    const undescribed = [...components, ...operations, ...own].filter(
      ([, value]) => !/\(§[^()]+\)\.\s*$/.test(String(valueAt(value, '/description'))),
    );
    expect(undescribed.map(([pointer]) => pointer)).toEqual([]);
  });
});

describe('the examples of the contract files', () => {
  it('show the same records in lists and in details', async () => {
    const business = await readContract('business');
    const example = (response: string, named: string, pointer: string): Json | undefined =>
      business.at(`/components/responses/${response}/content/application~1json/examples/${named}/value${pointer}`);
    const { items: _, modifiers: __, option_groups: ___, ...summary } = example('Order', 'takeaway', '/data/order') as JsonObject;
    expect(example('OrderPage', 'first-page', '/data/orders')).toContainEqual(summary);
    expect(example('ReservationPage', 'first-page', '/data/reservations')).toContainEqual(
      example('Reservation', 'with-table', '/data/reservation'),
    );
    expect(business.at('/components/parameters/Cursor/example')).toBe(example('OrderPage', 'first-page', '/data/page/next_cursor'));
    expect(business.at('/components/parameters/OrderId/example')).toBe(summary['id']);

    const wiki = await readContract('wiki');
    const entry = (response: string, named: string): Json | undefined =>
      wiki.at(`/components/responses/${response}/content/application~1json/examples/${named}/value/data`);
    const { body_public: ____, ...listed } = entry('Entry', 'creature') as JsonObject;
    expect(entry('EntryPage', 'whole-list')).toContainEqual(listed);
  });
});
