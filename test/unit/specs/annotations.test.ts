/** The schema of the annotations describes both contract files, whatever their open questions are answered with, and refuses what it should. */

import { readFile } from 'node:fs/promises';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { type Contract, resolveContract } from '../../../core/openapi/contract.ts';
import { rawOf } from '../../../core/openapi/raw-document.ts';
import { valueAt } from '../../../core/pointer.ts';
import { annotationsSchemaFile, contractFile } from '../../../core/shipped-files.ts';
import { openContract } from '../../helpers/exchange-judge.ts';
import { contractNames } from './contract-file.ts';

let schema: JsonObject;
let ajv: Ajv2020;
beforeAll(async () => {
  schema = JSON.parse(await readFile(annotationsSchemaFile(), 'utf8')) as JsonObject;
  ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true });
  ajv.addSchema(schema);
});

function validator(definition?: string): ValidateFunction {
  const fragment = definition === undefined ? '' : `#/$defs/${definition}`;
  const validate = ajv.getSchema(`annotations.schema.json${fragment}`);
  if (validate === undefined) throw new Error(`the schema has no definition ${definition ?? ''}`);
  return validate;
}

const page = { style: 'cursor', limit: 'limit', cursor: 'cursor', next: '/next', more: '/more', fixed: [], changed: 'refused' };
const numbered = { style: 'page', limit: 'limit', page: 'page' };
const collection = { name: 'orders', items: '/data', key: '/id', order: [{ by: '/id', direction: 'ascending' }], page, filters: {} };
const open = { unspecified: 'some-question' };
const question = { question: 'Is it so?', source: '§1', mock: 'yes', choices: { yes: true } };

const error = { schema: '#/Error', code: '/code', message: '/message' };

const accepted: readonly (readonly [string, Json])[] = [
  ['x-api', { error }],
  ['x-api', { error: { ...error, code: open, message: '' }, tenancy: open, scopes: { a: { name: open } }, precedence: open }],
  ['x-invalid', { malformed: 'refused', sloppy: open }],
  ['x-collection', collection],
  ['x-collection', { ...collection, order: open, head: open, version: '/at', visible: { field: '/v', shown: ['public'], hidden: open } }],
  ['x-collection', { ...collection, page: { ...numbered, echo: { limit: '/l' }, total: '/t', counts: open, cap: null, beyond: 'last' } }],
  ['x-collection', { ...collection, page: { style: 'offset', limit: 'limit', offset: 'offset', total: '/t', more: '/m' } }],
  [
    'x-collection',
    { ...collection, filters: { a: { from: '/a', as: 'instant' }, b: { matches: { fields: ['/b'], fold: true } }, c: open } },
  ],
  ['x-resource', { name: 'menu', at: '' }],
  ['x-resource', { name: 'orders', view: 'short', at: open, by: { id: '/id' } }],
  ['x-parameter-rules', [{ 'exactly-one-of': ['a', 'b'] }, { ordered: ['a', 'b'] }]],
  ['x-unspecified', 'some-question'],
  ['x-unspecified', { 'some-question': question, other: { question: 'Why?', source: '§2', mock: 'Nothing happens.' } }],
  ['x-personal', true],
];

const refused: readonly (readonly [string, Json])[] = [
  ['x-api', {}],
  ['x-api', { error: { code: '/code', message: '/message' } }],
  ['x-api', { error: { ...error, code: 'code' } }],
  ['x-api', { error, tenant: 'key' }],
  ['x-api', { error, precedence: ['first'] }],
  ['x-invalid', { malformed: 'rejected' }],
  ['x-invalid', { broken: 'refused' }],
  ['x-invalid', { malformed: { unspecified: 'x', because: 'y' } }],
  ['x-collection', { ...collection, items: 'data' }],
  ['x-collection', { ...collection, sort: [] }],
  ['x-collection', { ...collection, order: [{ by: '/id' }] }],
  ['x-collection', { ...collection, page: { ...page, total: '/t' } }],
  ['x-collection', { ...collection, page: { ...page, style: 'cursors' } }],
  ['x-collection', { ...collection, page: { ...numbered, cursor: 'cursor' } }],
  ['x-collection', { ...collection, page: { ...numbered, cap: 0 } }],
  ['x-collection', { ...collection, filters: { a: { from: '/a', to: '/b' } } }],
  ['x-collection', { ...collection, filters: { a: { since: '/a' } } }],
  ['x-collection', { ...collection, filters: { a: { matches: { fields: ['/b'] } } } }],
  ['x-collection', { ...collection, visible: { field: '/v', shown: ['public'], hidden: 'gone' } }],
  ['x-resource', { name: 'menu' }],
  ['x-resource', { name: 'menu', at: '/a~2' }],
  ['x-resource', { name: 'menu', at: '', by: {} }],
  ['x-parameter-rules', []],
  ['x-parameter-rules', [{ ordered: ['a'] }]],
  ['x-parameter-rules', [{ ordered: ['a', 'b'], 'exactly-one-of': ['a', 'b'] }]],
  ['x-unspecified', 'Some Question'],
  ['x-unspecified', { 'some-question': { ...question, answer: 'yes' } }],
  ['x-unspecified', { 'some-question': { question: 'Why?', source: '§2' } }],
  ['x-personal', false],
  ['x-personal', 'yes'],
];

describe('the schema of the annotations', () => {
  it.each(accepted)('accepts as %s: %j', (word, value) => {
    const validate = validator(word);
    validate(value);
    expect(validate.errors ?? []).toEqual([]);
  });

  it.each(refused)('refuses as %s: %j', (word, value) => {
    expect(validator(word)(value)).toBe(false);
  });

  it('describes every definition and every key of an extension', () => {
    const definitions = schema['$defs'] as JsonObject;
    const undescribed = Object.entries(definitions).filter(([, definition]) => !/\.$/.test(String(valueAt(definition, '/description'))));
    expect(undescribed.map(([name]) => name)).toEqual([]);
    const keys = [...propertiesOf(Object.fromEntries(Object.entries(definitions).filter(([name]) => name.startsWith('x-'))))];
    expect(keys.filter(([, key]) => key['description'] === undefined && key['$ref'] === undefined)).toEqual([]);
  });
});

describe.each(contractNames)('the annotations of the %s API', (name) => {
  let contract: Contract;
  beforeAll(async () => {
    contract = await openContract(contractFile(name));
  });

  it('are as the schema describes them, and ask their questions at places that exist', () => {
    const validate = validator();
    validate(rawOf(contract.document).root);
    expect(validate.errors ?? []).toEqual([]);
    for (const { id, pointers } of contract.questions.values()) {
      const asked = pointers.map((pointer) => valueAt(rawOf(contract.document).root, pointer) as JsonObject);
      expect(asked.map((value) => value['unspecified'] ?? value['x-unspecified'])).toEqual(pointers.map(() => id));
    }
  });

  it('can be answered with every choice of every question, and hold the answer where it is asked', () => {
    const asked = [...contract.questions.values()].filter(({ choices }) => choices.size > 0);
    expect(asked.flatMap(({ choices }) => [...choices]).length).toBeGreaterThan(15);
    const validate = validator();
    // One profile holds a choice of each question, so as many are enough as the longest list of choices has.
    for (let round = 0; round < Math.max(...asked.map(({ choices }) => choices.size)); round += 1) {
      const chosen = asked.map(({ id, choices }) => [id, ...([...choices][round % choices.size] ?? ['', null])] as const);
      const resolved = resolveContract(contract, Object.fromEntries(chosen.map(([id, choice]) => [id, choice])));
      validate(rawOf(resolved.closed).root);
      expect(validate.errors ?? [], `round ${round}`).toEqual([]);
      for (const [id, choice, answer] of chosen) {
        const found = (contract.questions.get(id)?.pointers ?? []).map((pointer) => valueAt(rawOf(resolved.closed).root, pointer));
        for (const value of found) expect(holdsAnswer(value, answer), `${id}: ${choice}`).toBe(true);
        for (const schema of placesOf(contract, id).map((pointer) => valueAt(rawOf(resolved.closed).root, pointer)))
          expectUsable(resolved, schema);
      }
    }
  });

  it('leave no question open when they are resolved', () => {
    const { 'x-unspecified': _questions, ...rest } = rawOf(resolveContract(contract).closed).root;
    const text = JSON.stringify(rest, (key, value: unknown) => (key === 'example' || key === 'examples' ? undefined : value));
    expect(text).not.toMatch(/"(x-)?unspecified":/);
  });
});

/** A rule is the answer; a schema has it beside what it said before, and `false` leaves nothing of it. */
function holdsAnswer(value: Json | undefined, answer: Json): boolean {
  const same = (left: Json | undefined): boolean => JSON.stringify(left) === JSON.stringify(answer);
  return same(value) || (isObject(value) && Array.isArray(value['allOf']) && (value['allOf'] as readonly Json[]).some(same));
}

/** Schema locations of an open question. */
function placesOf(contract: Contract, id: string): readonly string[] {
  const pointers = contract.questions.get(id)?.pointers ?? [];
  return pointers.filter((pointer) => valueAt(rawOf(contract.document).root, `${pointer}/x-unspecified`) === id);
}

/** An answered schema either compiles, or allows nothing and so leaves its property out. */
function expectUsable(contract: Contract, schema: Json | undefined): void {
  if (isObject(schema)) contract.validators.compile(schema)(null);
  else expect(schema).toBe(false);
}

/** Every property that a schema describes, at any depth. */
function* propertiesOf(value: Json | undefined): Generator<readonly [string, JsonObject]> {
  if (Array.isArray(value)) for (const member of value as readonly Json[]) yield* propertiesOf(member);
  if (!isObject(value)) return;
  const properties = value['properties'];
  if (isObject(properties)) for (const [key, property] of Object.entries(properties)) if (isObject(property)) yield [key, property];
  for (const member of Object.values(value)) yield* propertiesOf(member);
}
