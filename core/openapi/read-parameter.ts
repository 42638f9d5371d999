/**
 * While a contract is loaded, reads the descriptions of its parameters (OpenAPI 3.1 §4.8.12). A mistake in the file is an error with its line. What a request
 * sends is read in `core/parameters`.
 */

import type { InvalidAnswers } from '../annotations/annotations.ts';
import { isAnnotation } from '../annotations/is-annotation.ts';
import { SpecError } from '../errors.ts';
import { isArray, isObject, type Json, type JsonObject, objectOrEmpty } from '../json.ts';
import type { ParameterStyle } from '../parameters/parameter-style.ts';
import type { Parameter } from '../parameters/parse-parameter.ts';
import { valueKindsOf } from '../parameters/read-value.ts';
import type { Document } from './document.ts';
import { follow } from './raw-document.ts';
import { type Direction, schemaFor } from './schema-direction.ts';
import { isSchema, mergedBranchKeywords, type Schema, typesOf } from './schema-facts.ts';
import type { Validators } from './validator.ts';

/** True for the three header parameters that OpenAPI ignores: they belong to content negotiation and security. */
export function isIgnoredHeader(parameter: { readonly in: string; readonly name: string }): boolean {
  return parameter.in === 'header' && ['accept', 'content-type', 'authorization'].includes(parameter.name.toLowerCase());
}

/** Reads a parameter, or a header or a form field that is described like one. `holder` has its place. */
export function readParameter(
  { document, validators }: { readonly document: Document; readonly validators: Validators },
  value: JsonObject,
  direction: Direction = 'request',
  holder: JsonObject = value,
): Parameter {
  const place = document.place(holder);
  const name = value['name'];
  if (typeof name !== 'string') throw new SpecError(place, 'this parameter has no name; add one');
  const media = isObject(value['content']) ? Object.values(value['content'])[0] : undefined;
  const schema = schemaFor(document, asSchema(isObject(media) ? media['schema'] : value['schema']), direction);
  const keywords = mergedBranchKeywords(document, schema);
  const members = mergedBranchKeywords(document, asSchema(keywords['items']));
  const isList = typesOf(keywords).includes('array');
  const valueKeywords = isList ? members : keywords;
  const properties: JsonObject = objectOrEmpty(keywords['properties']);
  const location = value['in'];
  if (location !== 'query' && location !== 'path' && location !== 'header' && location !== 'cookie') {
    const mistake =
      location === undefined
        ? `the parameter ${name} has no location (in)`
        : `the parameter ${name} has the unknown location in: ${String(location)}`;
    throw new SpecError(place, `${mistake}; write in: query, path, header or cookie`);
  }
  return {
    name,
    key: name,
    in: location,
    required: value['required'] === true,
    deprecated: value['deprecated'] === true,
    schema: keywords,
    declared: schema,
    style: readStyle(document, name, location, value, keywords, valueKeywords, media !== undefined),
    json: media !== undefined,
    kinds: valueKindsOf(valueKeywords),
    memberKinds: new Map(
      Object.entries(properties).map(([key, property]) => [key, valueKindsOf(mergedBranchKeywords(document, asSchema(property)))]),
    ),
    allowed: listedValuesOf(valueKeywords),
    fallback: keywords['default'],
    examples: [...examplesIn(document, value), ...(isObject(media) ? examplesIn(document, media) : []), ...examplesIn(document, keywords)],
    invalid: isAnnotation('x-invalid', value['x-invalid']) ? (value['x-invalid'] as Partial<InvalidAnswers>) : {},
    validate: validators.compile(schema),
    place,
  };
}

/** The styles for each part of a request (OpenAPI 3.1 §4.8.12.2). */
export const stylesOf: Readonly<Record<ParameterStyle['in'], readonly string[]>> = {
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  path: ['simple', 'label', 'matrix'],
  header: ['simple'],
  cookie: ['form'],
};

function readStyle(
  document: Document,
  name: string,
  location: ParameterStyle['in'],
  value: JsonObject,
  keywords: JsonObject,
  members: JsonObject,
  isJson: boolean,
): ParameterStyle {
  const style = typeof value['style'] === 'string' ? value['style'] : location === 'query' || location === 'cookie' ? 'form' : 'simple';
  const allowedStyles = stylesOf[location];
  if (!allowedStyles.includes(style)) {
    throw new SpecError(
      document.place(value, 'style'),
      `style: ${style} is not a style of ${location} parameters; write ${allowedStyles.join(', ')}`,
    );
  }
  const types = typesOf(keywords);
  const properties = Object.keys(objectOrEmpty(keywords['properties']));
  return {
    name,
    in: location,
    style,
    explode: typeof value['explode'] === 'boolean' ? value['explode'] : style === 'form',
    shape: isJson ? 'one' : types.includes('array') ? 'list' : types.includes('object') ? 'members' : 'one',
    delimiterIsSafe: cannotContainComma(members),
    members: properties,
  };
}

/** True for numbers, booleans and listed values without a comma. Then an encoded comma (`%2C`) is certainly a delimiter. */
function cannotContainComma(members: JsonObject): boolean {
  const allowed = listedValuesOf(members);
  if (allowed.length > 0) return allowed.every((value) => !String(value).includes(','));
  const types = typesOf(members);
  return types.length > 0 && types.every((type) => type === 'integer' || type === 'number' || type === 'boolean');
}

function listedValuesOf(keywords: JsonObject): readonly Json[] {
  if (isArray(keywords['enum'])) return keywords['enum'];
  return keywords['const'] === undefined ? [] : [keywords['const']];
}

/** Lists the values of `example` and `examples`, which is a map in a parameter (OpenAPI 3.1 §4.8.19) and a list in a schema. */
function examplesIn(document: Document, { example, examples }: JsonObject): readonly Json[] {
  const single = example === undefined ? [] : [example];
  if (isArray(examples)) return [...single, ...examples];
  const namedExamples = isObject(examples) ? Object.values(examples).map((each) => follow(document, each)) : [];
  return [...single, ...namedExamples.flatMap((each) => (isObject(each) && each['value'] !== undefined ? [each['value']] : []))];
}

/** A schema; anything else allows every value. */
export function asSchema(value: Json | undefined): Schema {
  return isSchema(value) ? value : true;
}
