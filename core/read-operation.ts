/** Reads the operations of an OpenAPI file (OpenAPI 3.1 §4.8.9 and §4.8.10) whose rules are closed. */

import { type Document, follow, placeBelow } from './document.ts';
import { type Place, SpecError } from './errors.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import type { Credential, HeaderRule, Operation, RequestBodyRule, ResponseRule } from './operation.ts';
import type { Parameter } from './parameter.ts';
import { toPointer, valueAt } from './pointer.ts';
import { createQuery } from './query.ts';
import { readHeader, readParameters } from './read-parameter.ts';
import { fitFilters, readCollection, readResource, readRules } from './read-rules.ts';
import type { InvalidAnswers } from './rules.ts';
import { comparisonKind, type Schema, schemasAt } from './schema.ts';
import type { Validators } from './validator.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** What a server does about a wrong request where the contract has no `x-invalid`. */
const customaryAnswers: InvalidAnswers = {
  malformed: 'refused',
  'out-of-range': 'refused',
  'unknown-value': 'refused',
  'broken-rule': 'refused',
  'damaged-cursor': 'refused',
  sloppy: 'refused',
  undeclared: 'ignored',
};

/** The operations of a document, in the order of the file. */
export function readOperations(document: Document, validators: Validators): readonly Operation[] {
  const paths = document.root['paths'];
  if (!isObject(paths))
    throw new SpecError(document.place(document.root), 'this OpenAPI document has no paths, so there is nothing to serve or to judge');
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
  checkIdentities(document, operations);
  return operations;
}

/** Two operations of one name could not be told apart by whoever names one. */
function checkIdentities(document: Document, operations: readonly Operation[]): void {
  const taken = new Set<string>();
  for (const operation of operations) {
    if (!taken.has(operation.id)) {
      taken.add(operation.id);
      continue;
    }
    throw new SpecError(
      document.place(operation.value, 'operationId'),
      `operationId: ${operation.id} is taken by another operation; give each its own`,
    );
  }
}

/** What is no path could never be asked for. */
function checkPath(path: string, place: Place): void {
  if (!path.startsWith('/')) throw new SpecError(place, `the path ${path} does not begin with a slash; write /${path}`);
  if (/[{}]/.test(path.replaceAll(/\{[^{}]+\}/g, '')))
    throw new SpecError(place, `the path ${path} has a brace without its other half; a parameter stands in a pair, such as {id}`);
}

/** A template whose parameter is not declared would match anything and check nothing. */
function checkTemplate(path: string, parameters: readonly Parameter[], place: Place): void {
  for (const [, name = ''] of path.matchAll(/\{([^}]+)\}/g)) {
    if (parameters.some((parameter) => parameter.in === 'path' && parameter.name === name)) continue;
    throw new SpecError(place, `the path ${path} has {${name}}, and no path parameter of that name is declared; declare it`);
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
  // In a file of somebody else's, without our words, nothing depends on which of the two it is.
  const isAnnotated = ['x-collection', 'x-resource', 'x-parameter-rules'].some((word) => value[word] !== undefined);
  if (isAnnotated && responses.has('400') && responses.has('422')) {
    throw new SpecError(
      placeBelow(document, follow(document, value['responses']), ['422']),
      'both 400 and 422 are documented, so it is not clear which of them refuses an invalid request; keep one of them',
    );
  }
  const success = schemaOfSuccess(responses);
  const parameters = readParameters(document, validators, [item['parameters'], value['parameters']]);
  const collection = isObject(value['x-collection']) ? fitFilters(readCollection(value['x-collection']), parameters) : undefined;
  const kindOf = (pointer: string): ReturnType<typeof comparisonKind> =>
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
    rules: readRules(value['x-parameter-rules']),
    invalid: { ...customaryAnswers, ...(isObject(document.root['x-invalid']) ? document.root['x-invalid'] : {}) } as InvalidAnswers,
    requestBody: readRequestBody(document, validators, value['requestBody']),
    responses,
    collection: collection === undefined ? undefined : { ...collection, kindOf, query: createQuery(collection, kindOf) },
    resource: isObject(value['x-resource']) ? readResource(value['x-resource']) : undefined,
    place,
  };
}

/** The schema of the first documented JSON success. */
export function schemaOfSuccess(responses: Operation['responses']): Schema | undefined {
  const successes = [...responses.values()].filter((response) => response.status.startsWith('2'));
  const contents = successes.flatMap((response) => [...response.content]);
  const json = contents.find(([type]) => /^application\/(json|[^;]*\+json)\b/.test(type));
  return (json ?? contents[0])?.[1].schema;
}

function readResponses(document: Document, validators: Validators, operation: JsonObject): ReadonlyMap<string, ResponseRule> {
  const responses = operation['responses'] ?? {};
  if (!isObject(responses))
    throw new SpecError(document.place(operation, 'responses'), "responses has an answer for each status; write it as '200': …, '404': …");
  const entries = Object.entries(responses).filter(([status]) => !status.startsWith('x-'));
  const wrong = entries.find(([status]) => !/^(?:[1-5]\d\d|[1-5]XX|default)$/i.test(status));
  if (wrong !== undefined)
    throw new SpecError(document.place(responses, wrong[0]), `${wrong[0]} is no status of HTTP; write one from 100 to 599, 4XX or default`);
  return new Map(entries.map(([status, entry]) => [status, readResponse(document, validators, status, follow(document, entry))]));
}

function readResponse(document: Document, validators: Validators, status: string, value: Json | undefined): ResponseRule {
  const response: JsonObject = isObject(value) ? value : {};
  const headers = Object.entries(isObject(response['headers']) ? response['headers'] : {});
  const content = Object.entries(isObject(response['content']) ? response['content'] : {});
  return {
    status,
    headers: headers
      .filter(([name]) => name.toLowerCase() !== 'content-type')
      .map(([name, header]) => readHeaderRule(document, validators, name, header)),
    content: readContent(validators.compile, content),
    examples: new Map(content.flatMap(([, media]) => (isObject(media) ? readExamples(document, media) : []))),
    place: document.place(response),
  };
}

function readRequestBody(document: Document, validators: Validators, value: Json | undefined): RequestBodyRule | undefined {
  const body = value === undefined ? undefined : follow(document, value);
  if (!isObject(body) || !isObject(body['content'])) return undefined;
  return { required: body['required'] === true, content: readContent(validators.compileFirst, Object.entries(body['content'])) };
}

function readContent(compile: Validators['compile'], content: readonly (readonly [type: string, media: Json])[]): ResponseRule['content'] {
  return new Map(
    content.map(([type, media]) => {
      const schema = ((isObject(media) ? media['schema'] : undefined) ?? true) as Schema;
      return [type.toLowerCase(), { schema, validate: compile(schema) }];
    }),
  );
}

function readHeaderRule(document: Document, validators: Validators, name: string, entry: Json): HeaderRule {
  const header = follow(document, entry);
  const value: JsonObject = isObject(header) ? header : {};
  return { name: name.toLowerCase(), required: value['required'] === true, parameter: readHeader(document, validators, name, value) };
}

function readExamples(
  document: Document,
  media: JsonObject,
): readonly [string, { readonly value: Json; readonly place: ReturnType<Document['place']> }][] {
  const named = Object.entries(isObject(media['examples']) ? media['examples'] : {}).flatMap(([name, entry]) => {
    const example = follow(document, entry);
    return isObject(example) && example['value'] !== undefined
      ? [[name, { value: example['value'], place: document.place(example, 'value') }] as const]
      : [];
  });
  const single =
    media['example'] === undefined ? [] : [['example', { value: media['example'], place: document.place(media, 'example') }] as const];
  return [...named, ...single].map(([name, example]) => [name, example]);
}

function readSecurity(document: Document, value: Json | undefined): Operation['security'] {
  if (!Array.isArray(value)) return [];
  const alternatives = (value as readonly Json[]).filter(isObject);
  return alternatives.map((requirement) =>
    Object.entries(requirement).map(([scheme, scopes]) =>
      readCredential(document, requirement, scheme, Array.isArray(scopes) ? scopes.map(String) : []),
    ),
  );
}

function readCredential(document: Document, holder: JsonObject, scheme: string, scopes: readonly string[]): Credential {
  const value = follow(document, valueAt(document.root, toPointer(['components', 'securitySchemes', scheme])));
  // Prism ignores a requirement whose scheme is not defined, which would leave the operation open to everybody.
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
