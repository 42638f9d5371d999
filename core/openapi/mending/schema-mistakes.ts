/** Finds keywords of one schema whose values mean nothing, while a contract is loaded. Subschemas are not visited. */

import { isArray, isInteger, isNumber, isObject, type Json, type JsonObject, printJson } from '../../json.ts';
import { getOrCompute } from '../../memo.ts';
import { compileExpression } from '../../safe-regexp.ts';

/** A keyword without meaning, and the sentence that says so. */
interface SchemaMistake {
  readonly keyword: string;
  readonly message: string;
}

const typeNames = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** The values that each keyword can have. */
const requirements: readonly {
  readonly keywords: readonly string[];
  readonly isMet: (value: Json) => boolean;
  readonly expected: string;
}[] = [
  {
    keywords: ['type'],
    isMet: (value) => (isArray(value) ? value.length > 0 && value.every(isTypeName) : isTypeName(value)),
    expected: `${typeNames.join(', ')}, or a list of these`,
  },
  {
    keywords: ['maxLength', 'minLength', 'maxItems', 'minItems', 'maxProperties', 'minProperties', 'maxContains', 'minContains'],
    isMet: (value) => isInteger(value) && Number(value) >= 0,
    expected: 'a whole number, zero or more',
  },
  { keywords: ['multipleOf'], isMet: (value) => isNumber(value) && value > 0, expected: 'a number above zero' },
  {
    keywords: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
    isMet: isNumber,
    expected: 'a number',
  },
  { keywords: ['pattern'], isMet: isExpression, expected: 'a regular expression' },
  {
    keywords: ['pattern'],
    // It accepts no text at all.
    isMet: (value) => !/^\/\^.*\$\/[a-z]*$/.test(String(value)),
    expected: 'the regular expression without the slashes around it',
  },
  {
    keywords: ['required'],
    isMet: (value) => isArray(value) && value.every((each) => typeof each === 'string'),
    expected: 'a list of the names of required members, beside properties',
  },
  { keywords: ['enum'], isMet: (value) => isArray(value) && value.length > 0, expected: 'a list of at least one value' },
  {
    keywords: ['allOf', 'anyOf', 'oneOf', 'prefixItems'],
    isMet: (value) => isArray(value) && value.length > 0,
    expected: 'a list of at least one schema',
  },
  {
    keywords: ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'],
    isMet: isObject,
    expected: 'an object with a schema for each name',
  },
  {
    keywords: ['dependentRequired'],
    isMet: (value) => isObject(value) && Object.values(value).every((names) => isArray(names)),
    expected: 'an object with a list of names for each name',
  },
  { keywords: ['dependencies'], isMet: isObject, expected: 'an object with a list of names, or a schema, for each name' },
  { keywords: ['nullable'], isMet: (value) => typeof value === 'boolean', expected: 'true or false' },
  {
    keywords: ['$ref', '$dynamicRef', '$anchor', '$dynamicAnchor'],
    isMet: (value) => typeof value === 'string',
    expected: 'a string',
  },
  { keywords: ['uniqueItems'], isMet: (value) => typeof value === 'boolean', expected: 'true or false' },
  { keywords: ['format'], isMet: (value) => typeof value === 'string', expected: 'the name of a format' },
];

const requirementsOf = new Map<string, (typeof requirements)[number][]>();
for (const requirement of requirements)
  for (const keyword of requirement.keywords) getOrCompute(requirementsOf, keyword, () => []).push(requirement);

/** Lists the keywords of a schema whose values mean nothing. */
export function mistakesOfSchema(schema: JsonObject): readonly SchemaMistake[] {
  return Object.keys(schema).flatMap((keyword) =>
    (requirementsOf.get(keyword) ?? [])
      .filter(({ isMet }) => !isMet(schema[keyword] ?? null))
      .map(({ expected }) => ({
        keyword,
        message: `${keyword}: ${printJson(schema[keyword]).slice(0, 100)} is invalid; write ${expected}`,
      })),
  );
}

function isTypeName(value: Json): boolean {
  return typeNames.includes(value as string);
}

/** True for a regular expression of JavaScript, or the subset of it that runs in linear time. */
export function isExpression(value: Json): boolean {
  try {
    return typeof value === 'string' && compileExpression(value) !== undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
