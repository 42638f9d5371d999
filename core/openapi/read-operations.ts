/** Reads the operations of a document with answered questions (OpenAPI 3.1 §4.8.9 and §4.8.10). A mistake in the file is an error with its line. */

import type { InvalidAnswers } from '../annotations/annotations.ts';
import { readCollection, readParameterRules, readResource, simplifyFilters } from '../annotations/read-annotations.ts';
import { type SourceLocation, SpecError } from '../errors.ts';
import { isJsonType } from '../http/media-type.ts';
import { arrayOrEmpty, isArray, isObject, type Json, type JsonObject, objectOrEmpty } from '../json.ts';
import { memoize } from '../memo.ts';
import type { Parameter } from '../parameters/parameter.ts';
import type { ParameterStyle } from '../parameters/parameter-style.ts';
import { valueKindsOf } from '../parameters/read-value.ts';
import { toPointer, valueAt } from '../pointer.ts';
import { createQuery } from '../query/query.ts';
import { type Document, follow, placeBelow } from './document.ts';
import {
  type BodySchema,
  type Credential,
  type HeaderRule,
  type Operation,
  type RequestBodyRule,
  type ResponseRule,
  schemaOfSuccess,
} from './operation.ts';
import { type Direction, hasDirection, schemaFor } from './schema-direction.ts';
import { type ComparisonKind, comparisonKind, isSchema, mergedBranchKeywords, type Schema, schemasAt, typesOf } from './schema-facts.ts';
import type { Validators } from './validator.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** Reactions to invalid requests where the contract has no `x-invalid`. */
const defaultReactions: InvalidAnswers = {
  malformed: 'refused',
  'out-of-range': 'refused',
  'unknown-value': 'refused',
  'broken-rule': 'refused',
  'damaged-cursor': 'refused',
  sloppy: 'refused',
  undeclared: 'ignored',
};

/**
 * Reads the operations of a document, in the order of the file.
 * @throws {SpecError} for a mistake in the paths, parameters, responses or security requirements.
 */
export function readOperations(document: Document, validators: Validators): readonly Operation[] {
  const paths = document.root['paths'];
  if (!isObject(paths))
    throw new SpecError(
      document.place(document.root),
      'this OpenAPI document has no paths, so there is nothing to serve or verify; add at least one',
    );
  const operations = Object.entries(paths).flatMap(([path, entry]) => {
    if (path.startsWith('x-')) return [];
    checkPath(path, document.place(paths, path));
    const item = follow(document, entry);
    if (!isObject(item)) return [];
    return methods.flatMap((method) => {
      const operation = item[method];
      return isObject(operation) ? [readOperation(document, validators, path, method, item, operation)] : [];
    });
  });
  requireUniqueIds(document, operations);
  return operations;
}

function requireUniqueIds(document: Document, operations: readonly Operation[]): void {
  const takenIds = new Set<string>();
  for (const operation of operations) {
    if (!takenIds.has(operation.id)) {
      takenIds.add(operation.id);
      continue;
    }
    throw new SpecError(
      document.place(operation.value, 'operationId'),
      `operationId: ${operation.id} is the id of another operation too; give each operation a different id`,
    );
  }
}

/** Requires a valid path template, since another could never be requested. */
function checkPath(path: string, place: SourceLocation): void {
  if (!path.startsWith('/')) throw new SpecError(place, `the path ${path} does not begin with a slash; write /${path}`);
  if (/[{}]/.test(path.replaceAll(/\{[^{}]+\}/g, '')))
    throw new SpecError(place, `the path ${path} has a single brace; write parameters in pairs of braces, such as {id}`);
}

/** Requires that the parameters of a path template are declared. */
function checkTemplate(path: string, parameters: readonly Parameter[], place: SourceLocation): void {
  for (const [, name = ''] of path.matchAll(/\{([^}]+)\}/g)) {
    if (parameters.some((parameter) => parameter.in === 'path' && parameter.name === name)) continue;
    throw new SpecError(place, `the path ${path} has {${name}}, but there is no path parameter of this name; declare it`);
  }
}

function readOperation(
  document: Document,
  validators: Validators,
  path: string,
  method: string,
  item: JsonObject,
  value: JsonObject,
): Operation {
  const place = document.place(value);
  const responses = readResponses(document, validators, value);
  // Without annotations, the status of invalid requests does not matter.
  const isAnnotated = ['x-collection', 'x-resource', 'x-parameter-rules'].some((keyword) => value[keyword] !== undefined);
  if (isAnnotated && responses.has('400') && responses.has('422')) {
    throw new SpecError(
      placeBelow(document, follow(document, value['responses']), ['422']),
      'both 400 and 422 are documented, so the status of an invalid request is unclear; keep one of them',
    );
  }
  const success = schemaOfSuccess(responses);
  const parameters = readParameters(document, validators, [item['parameters'], value['parameters']]);
  const collection = isObject(value['x-collection']) ? simplifyFilters(readCollection(value['x-collection']), parameters) : undefined;
  const kindOf = (pointer: string): ComparisonKind =>
    comparisonKind(success === undefined ? [] : schemasAt(document, success, `${collection?.items ?? ''}/0${pointer}`));
  checkTemplate(path, parameters, place);
  return {
    id: typeof value['operationId'] === 'string' ? value['operationId'] : `${method} ${path}`,
    method: method.toUpperCase(),
    path,
    document,
    value,
    pointer: toPointer(['paths', path, method]),
    summary: typeof value['summary'] === 'string' ? value['summary'] : '',
    security: readSecurity(document, value['security'] ?? document.root['security']),
    parameters,
    rules: readParameterRules(value['x-parameter-rules']),
    invalid: { ...defaultReactions, ...objectOrEmpty(document.root['x-invalid']) } as InvalidAnswers,
    requestBody: readRequestBody(document, validators, value['requestBody']),
    responses,
    collection: collection === undefined ? undefined : { ...collection, kindOf, query: createQuery(collection, kindOf) },
    resource: isObject(value['x-resource']) ? readResource(value['x-resource']) : undefined,
    place,
  };
}

function readResponses(document: Document, validators: Validators, operation: JsonObject): ReadonlyMap<string, ResponseRule> {
  const responses = operation['responses'] ?? {};
  if (!isObject(responses))
    throw new SpecError(document.place(operation, 'responses'), "responses must be an object; write it as '200': …, '404': …");
  const entries = Object.entries(responses).filter(([status]) => !status.startsWith('x-'));
  const invalidStatus = entries.map(([status]) => status).find((status) => !/^(?:[1-5]\d\d|[1-5]XX|default)$/i.test(status));
  if (invalidStatus !== undefined)
    throw new SpecError(
      document.place(responses, invalidStatus),
      `${invalidStatus} is not an HTTP status; write one from 100 to 599, 4XX or default`,
    );
  return new Map(entries.map(([status, entry]) => [status, readResponse(document, validators, status, follow(document, entry))]));
}

function readResponse(document: Document, validators: Validators, status: string, value: Json | undefined): ResponseRule {
  const response: JsonObject = objectOrEmpty(value);
  const headers = Object.entries(objectOrEmpty(response['headers']));
  const content = Object.entries(objectOrEmpty(response['content']));
  return {
    status,
    headers: headers
      .filter(([name]) => name.toLowerCase() !== 'content-type')
      .map(([name, header]) => readHeaderRule(document, validators, name, header)),
    content: statusesWithoutBody.has(status) ? new Map() : readContent(document, validators, 'response', content),
    examples: new Map(content.flatMap(([, media]) => (isObject(media) ? readExamples(document, media) : []))),
    place: document.place(response),
  };
}

function readRequestBody(document: Document, validators: Validators, value: Json | undefined): RequestBodyRule | undefined {
  const body = value === undefined ? undefined : follow(document, value);
  if (!isObject(body) || !isObject(body['content'])) return undefined;
  return { required: body['required'] === true, content: readContent(document, validators, 'request', Object.entries(body['content'])) };
}

/** Statuses without content, whatever a file documents (RFC 9110 §15.3.5, §15.3.6 and §15.4.5). */
const statusesWithoutBody: ReadonlySet<string> = new Set(['204', '205', '304']);

function readContent(
  document: Document,
  validators: Validators,
  direction: Direction,
  content: readonly (readonly [type: string, media: Json])[],
): ReadonlyMap<string, BodySchema> {
  return new Map(content.map(([type, media]) => [type.toLowerCase(), readMedia(document, validators, direction, objectOrEmpty(media))]));
}

function readMedia(document: Document, validators: Validators, direction: Direction, media: JsonObject): BodySchema {
  const schema = schemaFor(document, asSchema(media['schema']), direction);
  const readKeywords = memoize((key: Schema) => mergedBranchKeywords(document, key));
  const readFields = memoize((key: Schema) => readFormFields(document, validators, media, readKeywords(key)));
  return {
    schema,
    validate: direction === 'request' ? validators.compileFirst(schema) : validators.compile(schema),
    findMisdirected: hasDirection(document, direction) ? validators.compileMisdirected(schema) : () => [],
    get keywords() {
      return readKeywords(schema);
    },
    get kinds() {
      return valueKindsOf(readKeywords(schema));
    },
    fields: () => readFields(schema),
  };
}

/** Reads the fields of a form as query parameters (OpenAPI 3.1 §4.8.15). An object without a style is sent as JSON. */
function readFormFields(
  document: Document,
  validators: Validators,
  media: JsonObject,
  keywords: JsonObject,
): ReadonlyMap<string, Parameter> {
  const encodings: JsonObject = objectOrEmpty(media['encoding']);
  const properties = Object.entries(objectOrEmpty(keywords['properties']));
  return new Map(
    properties.map(([name, property]) => {
      const { style, explode, contentType }: JsonObject = objectOrEmpty(encodings[name]);
      const isJson =
        typeof contentType === 'string'
          ? isJsonType(contentType)
          : style === undefined && explode === undefined && typesOf(mergedBranchKeywords(document, asSchema(property))).includes('object');
      const described = isJson ? { content: { 'application/json': { schema: property } } } : { schema: property };
      const knownStyle = stylesOf.query.includes(String(style)) ? { style: style ?? 'form' } : {};
      const parameter: JsonObject = { name, in: 'query', ...described, ...knownStyle, ...(explode === undefined ? {} : { explode }) };
      return [name, readParameter(document, validators, parameter, keywords)];
    }),
  );
}

/** Reads a response header, which is a parameter of the style `simple`. */
function readHeaderRule(document: Document, validators: Validators, name: string, entry: Json): HeaderRule {
  const header: JsonObject = objectOrEmpty(follow(document, entry));
  const parameter = readParameter(document, validators, { ...header, name, in: 'header' }, header);
  return { name: name.toLowerCase(), required: header['required'] === true, parameter };
}

function readExamples(
  document: Document,
  media: JsonObject,
): readonly (readonly [name: string, example: { readonly value: Json; readonly place: SourceLocation }])[] {
  const namedExamples = Object.entries(objectOrEmpty(media['examples'])).flatMap(([name, entry]) => {
    const example = follow(document, entry);
    return isObject(example) && example['value'] !== undefined
      ? [[name, { value: example['value'], place: document.place(example, 'value') }] as const]
      : [];
  });
  const singleExample =
    media['example'] === undefined ? [] : [['example', { value: media['example'], place: document.place(media, 'example') }] as const];
  return [...namedExamples, ...singleExample];
}

function readSecurity(document: Document, value: Json | undefined): Operation['security'] {
  if (!isArray(value)) return [];
  const alternatives = value.filter(isObject);
  return alternatives.map((requirement) =>
    Object.entries(requirement).map(([scheme, scopes]) =>
      readCredential(document, requirement, scheme, isArray(scopes) ? scopes.map(String) : []),
    ),
  );
}

function readCredential(document: Document, holder: JsonObject, scheme: string, scopes: readonly string[]): Credential {
  const value = follow(document, valueAt(document.root, toPointer(['components', 'securitySchemes', scheme])));
  // Prism ignores undefined schemes, so the operation would need no key.
  if (!isObject(value))
    throw new SpecError(
      document.place(holder, scheme),
      `the security scheme ${scheme} is not defined; add it under components/securitySchemes`,
    );
  const { type, in: location, name } = value;
  if (type === 'apiKey' && (location === 'header' || location === 'query' || location === 'cookie')) {
    return { scheme, scopes, carrier: { in: location, name: String(name) } };
  }
  if (type === 'mutualTLS')
    throw new SpecError(
      document.place(value),
      'a client certificate (mutualTLS) cannot be checked over plain HTTP; describe the API with a key instead',
    );
  const word = type === 'http' ? String(value['scheme']) : 'Bearer';
  return { scheme, scopes, carrier: { in: 'authorization', word: word.charAt(0).toUpperCase() + word.slice(1).toLowerCase() } };
}

/** Reads the parameters of a path item and an operation. Those of the operation win (OpenAPI 3.1 §4.8.10). */
function readParameters(document: Document, validators: Validators, lists: readonly (Json | undefined)[]): readonly Parameter[] {
  const parametersByName = new Map<string, Parameter>();
  for (const entry of lists.flatMap(arrayOrEmpty)) {
    const value = follow(document, entry);
    if (!isObject(value)) continue;
    const parameter = readParameter(document, validators, value);
    // Header names ignore case (RFC 9110 §5.1).
    const name = parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name;
    if (!isIgnoredHeader(parameter)) parametersByName.set(`${parameter.in} ${name}`, parameter);
  }
  const parameters = [...parametersByName.values()];
  return parameters.map((parameter, index) => {
    const isTaken = parameters.slice(0, index).some((other) => other.name === parameter.name);
    return isTaken ? { ...parameter, key: `${parameter.in} ${parameter.name}` } : parameter;
  });
}

/** True for the three header parameters that OpenAPI ignores: they belong to content negotiation and security. */
export function isIgnoredHeader(parameter: { readonly in: string; readonly name: string }): boolean {
  return parameter.in === 'header' && ['accept', 'content-type', 'authorization'].includes(parameter.name.toLowerCase());
}

function readParameter(document: Document, validators: Validators, value: JsonObject, holder: JsonObject = value): Parameter {
  const place = document.place(holder);
  const name = value['name'];
  if (typeof name !== 'string') throw new SpecError(place, 'this parameter has no name; add one');
  const media = isObject(value['content']) ? Object.values(value['content'])[0] : undefined;
  const schema = asSchema(isObject(media) ? media['schema'] : value['schema']);
  const keywords = mergedBranchKeywords(document, schema);
  const members = mergedBranchKeywords(document, asSchema(keywords['items']));
  const isList = typesOf(keywords).includes('array');
  const valueKeywords = isList ? members : keywords;
  const properties: JsonObject = objectOrEmpty(keywords['properties']);
  const location = value['in'];
  if (location !== 'query' && location !== 'path' && location !== 'header' && location !== 'cookie') {
    const mistake =
      location === undefined ? `the parameter ${name} has no in` : `in: ${String(location)} of the parameter ${name} is unknown`;
    throw new SpecError(place, `${mistake}; write in: query, path, header or cookie`);
  }
  return {
    name,
    key: name,
    in: location,
    required: value['required'] === true,
    deprecated: value['deprecated'] === true,
    schema: keywords,
    style: readStyle(document, name, location, value, keywords, valueKeywords, media !== undefined),
    json: media !== undefined,
    kinds: valueKindsOf(valueKeywords),
    memberKinds: new Map(
      Object.entries(properties).map(([key, property]) => [key, valueKindsOf(mergedBranchKeywords(document, asSchema(property)))]),
    ),
    allowed: listedValuesOf(valueKeywords),
    fallback: keywords['default'],
    examples: [...examplesIn(document, value), ...(isObject(media) ? examplesIn(document, media) : []), ...examplesIn(document, keywords)],
    invalid: isObject(value['x-invalid']) ? (value['x-invalid'] as Partial<InvalidAnswers>) : {},
    validate: validators.compile(schema),
    place,
  };
}

/** The styles for each part of a request (OpenAPI 3.1 §4.8.12.2). */
const stylesOf: Readonly<Record<ParameterStyle['in'], readonly string[]>> = {
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
  const singleExample = example === undefined ? [] : [example];
  if (isArray(examples)) return [...singleExample, ...examples];
  const namedExamples = isObject(examples) ? Object.values(examples).map((each) => follow(document, each)) : [];
  return [...singleExample, ...namedExamples.flatMap((each) => (isObject(each) && each['value'] !== undefined ? [each['value']] : []))];
}

function asSchema(value: Json | undefined): Schema {
  return isSchema(value) ? value : true;
}
