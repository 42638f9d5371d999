/** Choices between types, such as `anyOf: [X, {type: null}]`, as the list of types that they mean. */

import { isArray, type Json, jsonTypeOf } from '../../../core/json.ts';
import { isMetadata } from './compare-metadata-keywords.ts';
import { allowedTypes, type FlatSchema, type FlatSchemaCache, isSchema, type KeywordOccurrence, keywordValues } from './flat-schema.ts';

const choices = ['anyOf', 'oneOf'];

/** Keywords that may restrict values of every type. A schema with one says more than a list of types could. */
const general = [...choices, 'not', 'if', '$dynamicRef', 'discriminator', 'unevaluatedProperties', 'unevaluatedItems'];

/**
 * Two schemas in which a choice that only one of them has is replaced by what it means: the keywords of its branches and their types. Each type must belong to
 * one branch, so that the keywords of a branch restrict no value of another one.
 */
export function openChoices(flatSchemas: FlatSchemaCache, old: FlatSchema, next: FlatSchema): readonly [FlatSchema, FlatSchema] {
  const open = (flat: FlatSchema, other: FlatSchema): FlatSchema => {
    const keyword = choices.find((each) => flat.keywords.has(each));
    const branches = keyword === undefined || other.keywords.has(keyword) ? undefined : branchesByType(flatSchemas, flat, keyword);
    return keyword === undefined || branches === undefined ? flat : withBranches(flat, keyword, branches);
  };
  return [open(old, next), open(next, old)];
}

/** The branches of a choice; `undefined` if their types do not tell them apart, or if other keywords depend on it. */
function branchesByType(flatSchemas: FlatSchemaCache, flat: FlatSchema, keyword: string): readonly FlatSchema[] | undefined {
  const [list, ...others] = keywordValues(flat, keyword);
  if (!isArray(list) || others.length > 0 || ['type', ...general].some((each) => each !== keyword && flat.keywords.has(each)))
    return undefined;
  const branches = list.filter(isSchema).map((branch) => flatSchemas.of(branch, flat));
  const types = branches.flatMap(typesOf);
  const areApart = new Set(types).size === types.length && branches.every((branch) => typesOf(branch).length > 0);
  const isSimple = branches.every(({ keywords }) => !general.some((each) => keywords.has(each)));
  const hasListed = branches.some(({ keywords }) => keywords.has('enum') || keywords.has('const'));
  return areApart && isSimple && !(hasListed && branches.filter(isNotNull).length > 1) ? branches : undefined;
}

function isNotNull(branch: FlatSchema): boolean {
  return typesOf(branch).join() !== 'null';
}

function typesOf(branch: FlatSchema): readonly string[] {
  const listed = [...keywordValues(branch, 'enum').filter(isArray).flat(), ...keywordValues(branch, 'const')];
  return [...(allowedTypes(branch) ?? new Set(listed.map(jsonTypeOf)))];
}

/** A schema with the keywords of its branches instead of the choice. Titles and descriptions count if there is one branch beside null. */
function withBranches(flat: FlatSchema, choice: string, branches: readonly FlatSchema[]): FlatSchema {
  const types = branches.flatMap(typesOf);
  const listed = types.filter((type) => type !== 'integer' || !types.includes('number'));
  const stated = branches.filter(isNotNull);
  const keywords = new Map(flat.keywords);
  const holder =
    [...stated, ...branches].flatMap((branch) => branch.keywords.get('type') ?? [])[0]?.holder ?? keywords.get(choice)?.[0]?.holder;
  keywords.delete(choice);
  for (const [keyword, occurrences] of stated.flatMap((branch) => [...branch.keywords])) {
    if (keyword === 'type' || (stated.length > 1 && isMetadata(keyword))) continue;
    const key = keyword === 'const' && types.includes('null') ? 'enum' : keyword;
    keywords.set(key, [
      ...(keywords.get(key) ?? []),
      ...occurrences.map((each) => (types.includes('null') ? withNull(keyword, each) : each)),
    ]);
  }
  if (holder !== undefined) keywords.set('type', [{ value: listed.length === 1 ? (listed[0] ?? '') : listed, holder }]);
  return {
    schema: flat.schema,
    keywords,
    get place() {
      return flat.place;
    },
  };
}

/** An occurrence of `enum` or `const` beside which null is allowed. */
function withNull(keyword: string, { value, holder }: KeywordOccurrence): KeywordOccurrence {
  if (keyword === 'const') return { value: [value, null], holder };
  return keyword === 'enum' && isArray(value) ? { value: [...value, null] as readonly Json[], holder } : { value, holder };
}
