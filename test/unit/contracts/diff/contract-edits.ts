/** Edits derived from a contract file: each enum value, bound, flag, status, header, parameter and media type is removed, added or moved. */

import type { SourceLocation } from '../../../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../../../core/json.ts';
import type { Edit } from '../../../../core/openapi/copy-with-edits.ts';
import { setPlace } from '../../../../core/openapi/source-positions.ts';
import { toPointer, valueAt } from '../../../../core/pointer.ts';
import type { ChangeLevel, HalfOfExchange } from '../../../../core/results/diff-result.ts';

/** An edit, and the expected change. */
export interface ContractEdit {
  readonly title: string;
  readonly edit: Edit;
  /** The edited object, and the member whose line must be reported; the line of the object if it has no such member. */
  readonly holder: JsonObject;
  readonly member: string;
  /** Expected level in requests and in responses. */
  readonly levels: Readonly<Record<HalfOfExchange, ChangeLevel>>;
  /** True if the edit changes the allowed values, so that a breaking change needs a witness. */
  readonly isOfSchema: boolean;
}

type Keys = readonly (string | number)[];

interface Spot {
  readonly keys: Keys;
  readonly value: JsonObject;
}

type Levels = ContractEdit['levels'];
const narrower: Levels = { request: 'breaking', response: 'compatible' };
const wider: Levels = { request: 'compatible', response: 'breaking' };
const risky: Levels = { request: 'risky', response: 'risky' };
const breaking: Levels = { request: 'breaking', response: 'breaking' };
const compatible: Levels = { request: 'compatible', response: 'compatible' };
const words: Levels = { request: 'documentation', response: 'documentation' };

/** Place of added values in the edited file. */
export const addedAt: SourceLocation = { file: 'new.yaml', line: 4242, column: 1 };

/** All edits of a contract file. */
export function editsOf(root: JsonObject): readonly ContractEdit[] {
  const spots = spotsIn(root, []);
  return [
    // Inside a choice, what an edit does depends on the other branches.
    ...spots.filter(({ keys }) => isSchemaAt(keys) && !keys.includes('anyOf')).flatMap(schemaEdits),
    ...spots.filter(({ keys }) => isResponsesAt(keys)).flatMap(statusEdits),
    ...spots.filter(({ value, keys }) => 'in' in value && 'name' in value && keys.at(-2) === 'parameters').flatMap(parameterEdits),
    ...spots.filter(({ keys }) => keys.at(-1) === 'headers' && keys.at(-3) === 'responses').flatMap((spot) => headerMapEdits(spot, root)),
    ...spots.filter(({ keys }) => keys.at(-1) === 'content').flatMap(mediaEdits),
    ...spots
      .filter(({ keys }) => keys[0] === 'paths' && keys.length === 3)
      .flatMap((spot) => operationEdits(spot, root['paths'] as JsonObject)),
  ];
}

/** Every object of a file outside examples and extensions, with its keys. */
function spotsIn(value: Json, keys: Keys): readonly Spot[] {
  const last = String(keys.at(-1) ?? '');
  if (typeof value !== 'object' || value === null || last === 'examples' || last === 'example' || last.startsWith('x-')) return [];
  const own = isObject(value) ? [{ keys, value }] : [];
  return [...own, ...Object.entries(value).flatMap(([key, member]) => spotsIn(member as Json, [...keys, key]))];
}

const single: ReadonlySet<string> = new Set(['schema', 'items', 'additionalProperties', 'not', 'contains']);
const lists: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'properties', 'schemas']);

function isSchemaAt(keys: Keys): boolean {
  const [holder, last] = [String(keys.at(-2) ?? ''), String(keys.at(-1) ?? '')];
  if (lists.has(holder) && keys.at(-3) !== 'properties') return true;
  return single.has(last) && holder !== 'properties';
}

function isResponsesAt(keys: Keys): boolean {
  return keys[0] === 'paths' && keys.at(-1) === 'responses';
}

type Op = 'remove' | 'replace' | 'add';

function make(spot: Spot, op: Op, key: string, value: Json | undefined, said: string, levels: Levels, isOfSchema: boolean): ContractEdit {
  const at = toPointer([...spot.keys, key]);
  if (op === 'add' && typeof value === 'object' && value !== null) setPlace(value, addedAt);
  const edit: Edit = op === 'remove' || value === undefined ? { op: 'remove', at } : { op, at, value };
  return { title: `${at}: ${said}`, edit, holder: spot.value, member: key, levels, isOfSchema };
}

function schemaEdits(spot: Spot): readonly ContractEdit[] {
  return [
    ...listEdits(spot),
    ...boundEdits(spot),
    ...typeEdits(spot),
    ...propertyEdits(spot),
    ...wordEdits(spot),
    ...(spot.value['const'] === undefined ? [] : [make(spot, 'replace', 'const', 'brand-new', 'is another', breaking, true)]),
    ...(typeof spot.value['pattern'] === 'string'
      ? [make(spot, 'remove', 'pattern', undefined, 'is gone', withoutPattern(spot.value['pattern']), true)]
      : []),
    ...(typeof spot.value['format'] === 'string' ? [make(spot, 'remove', 'format', undefined, 'is gone', wider, true)] : []),
  ];
}

/** Without a pattern, values may become longer, unless the pattern allowed any length. */
function withoutPattern(pattern: string): ContractEdit['levels'] {
  return { request: 'compatible', response: /[*+]/.test(pattern) ? 'risky' : 'breaking' };
}

function listEdits(spot: Spot): readonly ContractEdit[] {
  const values = spot.value['enum'];
  if (!Array.isArray(values)) return [];
  const list = values as readonly Json[];
  const removed = list.length < 2 ? [] : list;
  return [
    ...removed.map((value, index) =>
      make(spot, 'replace', 'enum', list.toSpliced(index, 1), `${JSON.stringify(value)} is gone`, narrower, true),
    ),
    make(spot, 'replace', 'enum', [...list, 'brand-new'], '"brand-new" is new', wider, true),
  ];
}

const lowerBounds = ['minimum', 'minLength', 'minItems', 'minProperties'];
const upperBounds = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];

function boundEdits(spot: Spot): readonly ContractEdit[] {
  return [...lowerBounds, ...upperBounds].flatMap((keyword) => {
    const bound = spot.value[keyword];
    if (typeof bound !== 'number') return [];
    const [raised, lowered] = lowerBounds.includes(keyword) ? [narrower, wider] : [wider, narrower];
    return [
      make(spot, 'replace', keyword, bound + 1, 'is raised', raised, true),
      ...(bound > 0 ? [make(spot, 'replace', keyword, bound - 1, 'is lowered', lowered, true)] : []),
    ];
  });
}

function typeEdits(spot: Spot): readonly ContractEdit[] {
  const type = spot.value['type'];
  if (Array.isArray(type)) {
    const others = (type as readonly Json[]).filter((each) => each !== 'null');
    return others.length === type.length ? [] : [make(spot, 'replace', 'type', others, 'null is gone', narrower, true)];
  }
  // An enum accepts `null` only when it lists it.
  if (typeof type !== 'string' || 'enum' in spot.value || 'const' in spot.value) return [];
  return [make(spot, 'replace', 'type', [type, 'null'], 'null is new', wider, true)];
}

function propertyEdits(spot: Spot): readonly ContractEdit[] {
  const required = Array.isArray(spot.value['required']) ? (spot.value['required'] as readonly string[]) : [];
  const properties = isObject(spot.value['properties']) ? Object.keys(spot.value['properties']) : [];
  const optional = properties.filter((name) => !required.includes(name));
  const listed = spot.value['required'] === undefined ? 'add' : 'replace';
  return [
    ...required.map((name) =>
      make(
        spot,
        'replace',
        'required',
        required.filter((each) => each !== name),
        `${name} is no longer required`,
        wider,
        true,
      ),
    ),
    ...optional.map((name) => make(spot, listed, 'required', [...required, name], `${name} is required now`, narrower, true)),
    // An inline part of `allOf` constrains a member in addition to the other parts.
    ...(spot.keys.includes('responses') ? [] : properties).map((name) =>
      make(
        { keys: [...spot.keys, 'properties'], value: spot.value['properties'] as JsonObject },
        'remove',
        name,
        undefined,
        'is gone',
        // The schema `false` forbids a member, so its removal allows one.
        (spot.value['properties'] as JsonObject)[name] === false ? wider : risky,
        true,
      ),
    ),
  ];
}

function wordEdits(spot: Spot): readonly ContractEdit[] {
  if (typeof spot.value['description'] !== 'string') return [];
  return [make(spot, 'replace', 'description', 'Other words.', 'says something else', words, false)];
}

function statusEdits(spot: Spot): readonly ContractEdit[] {
  const removed = Object.keys(spot.value).map((status) =>
    make(spot, 'remove', status, undefined, 'is gone', status.startsWith('2') ? breaking : risky, false),
  );
  return [...removed, make(spot, 'add', '418', { description: 'A teapot.' }, 'is new', compatible, false)];
}

function parameterEdits(spot: Spot): readonly ContractEdit[] {
  const { value } = spot;
  const isPath = value['in'] === 'path';
  const style = value['style'] === 'form' && value['explode'] === false;
  const flag = value['required'] === undefined ? 'add' : 'replace';
  return [
    ...(isPath
      ? []
      : [
          make(
            spot,
            flag,
            'required',
            value['required'] !== true,
            'is turned round',
            value['required'] === true ? compatible : breaking,
            false,
          ),
        ]),
    ...(style ? [make(spot, 'replace', 'explode', true, 'values are written apart', breaking, false)] : []),
    ...wordEdits(spot),
  ];
}

function headerMapEdits(spot: Spot, root: JsonObject): readonly ContractEdit[] {
  return Object.entries(spot.value).map(([name, header]) => {
    const reference = isObject(header) ? header['$ref'] : undefined;
    const meant = typeof reference === 'string' ? valueAt(root, reference.slice(1)) : header;
    const isRequired = isObject(meant) && meant['required'] === true;
    return make(spot, 'remove', name, undefined, 'is gone', isRequired ? breaking : risky, false);
  });
}

function mediaEdits(spot: Spot): readonly ContractEdit[] {
  return [
    ...Object.keys(spot.value).map((type) => make(spot, 'remove', type, undefined, 'is gone', breaking, false)),
    make(spot, 'add', 'text/plain', { schema: { type: 'string' } }, 'is new', compatible, false),
  ];
}

function operationEdits(spot: Spot, paths: JsonObject): readonly ContractEdit[] {
  const [, path = '', method = ''] = spot.keys.map(String);
  const around: Spot = { keys: ['paths', path], value: paths[path] as JsonObject };
  const parameters = spot.value['parameters'];
  const list: readonly Json[] = Array.isArray(parameters) ? parameters : [];
  const fresh = (required: boolean): Json => {
    const parameter = { name: 'fresh', in: 'query', required, schema: { type: 'string' } };
    setPlace(parameter, addedAt);
    return parameter;
  };
  const listed: Spot = { keys: [...spot.keys, 'parameters'], value: list as unknown as JsonObject };
  const added = (required: boolean, levels: Levels): ContractEdit => {
    const said = `a parameter is new, required: ${required}`;
    return parameters === undefined
      ? make(spot, 'add', 'parameters', [fresh(required)], said, levels, false)
      : make(listed, 'add', '-', fresh(required), said, levels, false);
  };
  return [
    make(around, 'remove', method, undefined, 'is gone', breaking, false),
    ...list.map((_, index) => make(listed, 'remove', String(index), undefined, 'is gone', risky, false)),
    added(true, breaking),
    added(false, compatible),
    ...wordEdits(spot),
  ];
}
