/** ajv as this project uses it: keywords judge exact numbers, and no value makes a check slow. */

import { _, Ajv2020, type CodeKeywordDefinition, type KeywordCxt, str } from 'ajv/dist/2020.js';
import { isMultiple } from '../../decimal.ts';
import { isObject, type Json } from '../../json.ts';
import { canonicalText, equal } from '../../json-equality.ts';
import { compileExpression } from '../../safe-regexp.ts';
import { addFormats } from '../formats.ts';
import type { Schema } from '../schema-facts.ts';

/** Creates an instance that stops at the first error unless `allErrors` is set. */
export function createAjv(allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors,
    verbose: true,
    logger: false,
    ownProperties: true,
    validateSchema: false,
    meta: false,
    // Optimizing would take a third of the time of compiling. ajv needs `code` only to generate modules, which does not happen here.
    code: {
      optimize: false,
      regExp: Object.assign(compileExpression, { code: 'compileExpression' }),
      process: (code) => readExactly(appendErrors(code)),
    },
  });
  addFormats(ajv);
  // They are none of JSON Schema, and ajv refuses schemas for them.
  for (const keyword of ['formatMinimum', 'formatMaximum', 'formatExclusiveMinimum', 'formatExclusiveMaximum']) ajv.removeKeyword(keyword);
  ajv.removeKeyword('uniqueItems').addKeyword(uniqueItems);
  ajv.removeKeyword('multipleOf').addKeyword(multipleOf);
  redefine(ajv, 'contains', judgeContained);
  for (const keyword of ['enum', 'const']) redefine(ajv, keyword, judgeListed);
  for (const keyword of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']) redefine(ajv, keyword);
  return ajv;
}

/** Makes ajv append the errors of referenced schemas. By default it copies all errors each time, which takes minutes for a list of 100,000 items. */
function appendErrors(code: string): string {
  return code.replaceAll(
    /vErrors === null \? ([\w.]+\.errors) : vErrors\.concat\(\1\)/g,
    (_all, errors: string) => `vErrors === null ? ${errors} : ${errors}.reduce((all, each) => (all.push(each), all), vErrors)`,
  );
}

/** Makes ajv take a bigint for an integer. JavaScript compares it with a number exactly. */
function readExactly(code: string): string {
  return code
    .replaceAll(/!\((\w+) % 1\) && !isNaN\(\1\)/g, '(typeof $1 == "bigint" || !($1 % 1))')
    .replaceAll(/typeof (\w+) == "number"/g, '(typeof $1 == "number" || typeof $1 == "bigint")')
    .replaceAll(/ \|\| isNaN\(\w+\)/g, '');
}

/** Redefines a keyword of ajv, so that its value may be a bigint, and with other code. */
function redefine(ajv: Ajv2020, keyword: string, code?: (context: KeywordCxt, usual: CodeKeywordDefinition['code']) => void): void {
  const { code: usual, schemaType, ...definition } = ajv.getKeyword(keyword) as CodeKeywordDefinition;
  const types = [schemaType ?? []].flat().filter((type) => type !== 'number');
  ajv.removeKeyword(keyword).addKeyword({
    ...definition,
    keyword,
    schemaType: types,
    code: (context) => (code === undefined ? usual(context) : code(context, usual)),
  });
}

/** ajv prints scalar values into its code, and a bigint has no JSON text. */
function judgeListed(context: KeywordCxt, usual: CodeKeywordDefinition['code']): void {
  const { keyword, schema, data, gen, schemaCode } = context;
  const values = keyword === 'enum' ? (schema as readonly unknown[]) : [schema];
  if (!values.some((value) => typeof value === 'bigint')) usual(context);
  else context.fail(_`!${gen.scopeValue('func', { ref: isListed })}(${schemaCode}, ${data})`);
}

function isListed(stated: Json, value: Json): boolean {
  return [stated].flat().some((each) => equal(each as Json, value));
}

/** Replaces ajv's `uniqueItems`, which compares all pairs of items. */
const uniqueItems: CodeKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  error: {
    message: ({ params: { pair } }) => str`must not have duplicate items (items ${_`${pair}[0]`} and ${_`${pair}[1]`} are equal)`,
    params: ({ params: { pair } }) => _`{ i: ${pair}[0], j: ${pair}[1] }`,
  },
  code: (context) => {
    if (context.schema !== true) return;
    const { gen, data } = context;
    const pair = gen.const('pair', _`${gen.scopeValue('func', { ref: findRepeated })}(${data})`);
    context.setParams({ pair });
    context.fail(_`${pair} !== undefined`);
  },
};

/** ajv takes all items for evaluated, not only those that `contains` accepts. */
function judgeContained(context: KeywordCxt, usual: CodeKeywordDefinition['code']): void {
  const { items } = context.it;
  usual(context);
  Object.assign(context.it, { items });
}

/** Replaces ajv's `multipleOf`, which divides doubles. */
const multipleOf: CodeKeywordDefinition = {
  keyword: 'multipleOf',
  type: 'number',
  error: {
    message: ({ schemaCode }) => str`must be multiple of ${schemaCode}`,
    params: ({ schemaCode }) => _`{ multipleOf: ${schemaCode} }`,
  },
  code: (context) => {
    const { gen, data, schemaCode } = context;
    context.fail(_`!${gen.scopeValue('func', { ref: isMultiple })}(${data}, ${schemaCode})`);
  },
};

/** Returns the indexes of the first two equal items of a list; `undefined` if all differ. The order of an object's members does not matter. */
function findRepeated(list: readonly Json[]): readonly [earlier: number, later: number] | undefined {
  const indexByKey = new Map<string, number>();
  for (const [index, item] of list.entries()) {
    // Other keys do not begin with a quote.
    const key = typeof item === 'string' ? `"${item}` : canonicalText(item);
    const earlier = indexByKey.get(key);
    if (earlier !== undefined) return [earlier, index];
    indexByKey.set(key, index);
  }
  return undefined;
}

let metaSchemas: Ajv2020 | undefined;

/** Returns the meta-schema with a URI such as `https://json-schema.org/draft/2020-12/schema`; `undefined` for other URIs. */
export function metaSchema(uri: string): Schema | undefined {
  metaSchemas ??= new Ajv2020({ logger: false });
  const schema: unknown = metaSchemas.getSchema(uri)?.schema;
  return isObject(schema) ? schema : undefined;
}
