/** Reads the parameters and headers of an OpenAPI file (OpenAPI 3.1 §4.8.12 and §4.8.21). */

import { type Document, follow } from './document.ts';
import { SpecError } from './errors.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import type { Parameter } from './parameter.ts';
import type { InvalidAnswers } from './rules.ts';
import { gather, type Schema, typesOf } from './schema.ts';
import { kindsOf } from './strict.ts';
import type { Style } from './style.ts';
import type { Validators } from './validator.ts';

/** The parameters of a path item and an operation; the operation's own win (OpenAPI 3.1 §4.8.10). */
export function readParameters(document: Document, validators: Validators, lists: readonly (Json | undefined)[]): readonly Parameter[] {
  const found = new Map<string, Parameter>();
  for (const entry of lists.flatMap((list) => (Array.isArray(list) ? (list as readonly Json[]) : []))) {
    const value = follow(document, entry);
    if (!isObject(value)) continue;
    const parameter = readParameter(document, validators, value);
    // Names of headers are read in any case (RFC 9110 §5.1).
    const name = parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name;
    if (!isCarriedOtherwise(parameter)) found.set(`${parameter.in} ${name}`, parameter);
  }
  const parameters = [...found.values()];
  return parameters.map((parameter, index) => {
    const isTaken = parameters.slice(0, index).some((other) => other.name === parameter.name);
    return isTaken ? { ...parameter, key: `${parameter.in} ${parameter.name}` } : parameter;
  });
}

/** A response header, which is a parameter of the style `simple`. */
export function readHeader(document: Document, validators: Validators, name: string, header: JsonObject): Parameter {
  return readParameter(document, validators, { ...header, name, in: 'header' }, header);
}

/** OpenAPI says that these three header parameters are ignored: they belong to content negotiation and security. */
function isCarriedOtherwise(parameter: Parameter): boolean {
  return parameter.in === 'header' && ['accept', 'content-type', 'authorization'].includes(parameter.name.toLowerCase());
}

function readParameter(document: Document, validators: Validators, value: JsonObject, holder: JsonObject = value): Parameter {
  const place = document.place(holder);
  const name = value['name'];
  if (typeof name !== 'string') throw new SpecError(place, 'this parameter has no name; say what it is called');
  const media = isObject(value['content']) ? Object.values(value['content'])[0] : undefined;
  const schema = asSchema(isObject(media) ? media['schema'] : value['schema']);
  const keywords = gather(document, schema);
  const members = gather(document, asSchema(keywords['items']));
  const isList = typesOf(keywords).includes('array');
  const valueKeywords = isList ? members : keywords;
  const properties: JsonObject = isObject(keywords['properties']) ? keywords['properties'] : {};
  const location = value['in'];
  if (location !== 'query' && location !== 'path' && location !== 'header' && location !== 'cookie') {
    const mistake =
      location === undefined
        ? `the parameter ${name} does not say where it stands`
        : `the parameter ${name} stands in ${String(location)}, which is no place`;
    throw new SpecError(place, `${mistake}; give it in: query, path, header or cookie`);
  }
  return {
    name,
    key: name,
    in: location,
    required: value['required'] === true,
    schema: keywords,
    style: readStyle(document, name, location, value, keywords, valueKeywords, media !== undefined),
    json: media !== undefined,
    kinds: kindsOf(valueKeywords),
    memberKinds: new Map(Object.entries(properties).map(([name, property]) => [name, kindsOf(gather(document, asSchema(property)))])),
    allowed: allowedOf(valueKeywords),
    fallback: keywords['default'],
    examples: [...examplesIn(document, value), ...(isObject(media) ? examplesIn(document, media) : []), ...examplesIn(document, keywords)],
    invalid: isObject(value['x-invalid']) ? (value['x-invalid'] as Partial<InvalidAnswers>) : {},
    validate: validators.compile(schema),
    place,
  };
}

/** The styles that OpenAPI has for each place (OpenAPI 3.1 §4.8.12.2). */
const stylesOf: Readonly<Record<Style['in'], readonly string[]>> = {
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  path: ['simple', 'label', 'matrix'],
  header: ['simple'],
  cookie: ['form'],
};

function readStyle(
  document: Document,
  name: string,
  location: Style['in'],
  value: JsonObject,
  keywords: JsonObject,
  members: JsonObject,
  isJson: boolean,
): Style {
  const style = typeof value['style'] === 'string' ? value['style'] : location === 'query' || location === 'cookie' ? 'form' : 'simple';
  const known = stylesOf[location];
  if (!known.includes(style)) {
    throw new SpecError(
      document.place(value, 'style'),
      `style: ${style} is not one of a ${location} parameter; those are ${known.join(', ')}`,
    );
  }
  const types = typesOf(keywords);
  const properties = isObject(keywords['properties']) ? Object.keys(keywords['properties']) : [];
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

/** Numbers and listed values without a comma cannot be torn apart by one, so clients that encode the comma (`%2C`) are understood too. */
function cannotContainComma(members: JsonObject): boolean {
  const allowed = allowedOf(members);
  if (allowed.length > 0) return allowed.every((value) => !String(value).includes(','));
  const types = typesOf(members);
  return types.length > 0 && types.every((type) => type === 'integer' || type === 'number' || type === 'boolean');
}

function allowedOf(keywords: JsonObject): readonly Json[] {
  if (Array.isArray(keywords['enum'])) return keywords['enum'] as readonly Json[];
  return keywords['const'] === undefined ? [] : [keywords['const']];
}

/** An `example`, and `examples`: of a parameter by name (OpenAPI 3.1 §4.8.19), of a schema as a list. */
function examplesIn(document: Document, { example, examples }: JsonObject): readonly Json[] {
  const single = example === undefined ? [] : [example];
  if (Array.isArray(examples)) return [...single, ...(examples as readonly Json[])];
  const named = isObject(examples) ? Object.values(examples).map((each) => follow(document, each)) : [];
  return [...single, ...named.flatMap((each) => (isObject(each) && each['value'] !== undefined ? [each['value']] : []))];
}

function asSchema(value: Json | undefined): Schema {
  return isObject(value) || typeof value === 'boolean' ? value : true;
}
