/** Reads the operations of a document with answered questions (OpenAPI 3.1 §4.8.9 and §4.8.10). A mistake in the file is an error with its line. */

import type { InvalidAnswers } from '../annotations/annotations.ts';
import { isAnnotation } from '../annotations/is-annotation.ts';
import { readCollection, readParameterRules, readResource, simplifyFilters } from '../annotations/read-annotations.ts';
import { type SourceLocation, SpecError } from '../errors.ts';
import { isJsonType } from '../http/media-type.ts';
import { arrayOrEmpty, isArray, isObject, type Json, type JsonObject, objectOrEmpty } from '../json.ts';
import { memoize } from '../memo.ts';
import type { Parameter } from '../parameters/parse-parameter.ts';
import { valueKindsOf } from '../parameters/read-value.ts';
import { toPointer, valueAt } from '../pointer.ts';
import { createQuery } from '../query/query.ts';
import { placeInOperation } from './clauses.ts';
import type { Document } from './document.ts';
import { methods } from './mending/object-kinds.ts';
import { messageOf, operationLabel, type SetAside } from './mending/set-aside.ts';
import {
  type BodySchema,
  type Credential,
  type HeaderRule,
  type Operation,
  type RequestBodyRule,
  type ResponseRule,
  schemaOfSuccess,
  singleExample,
} from './operation.ts';
import { follow, rawOf } from './raw-document.ts';
import { asSchema, isIgnoredHeader, readParameter, stylesOf } from './read-parameter.ts';
import { type Direction, hasDirection, schemaFor } from './schema-direction.ts';
import { type ComparisonKind, comparisonKind, mergedBranchKeywords, type Schema, schemasAt, typesOf } from './schema-facts.ts';
import type { Validators } from './validator.ts';

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

/** The operations of a document, and what cannot be read of them. */
interface ReadOperations {
  readonly operations: readonly Operation[];
  readonly setAside: readonly SetAside[];
}

/**
 * Reads the operations of a document, in the order of the file; only those at `onlyPath` if it is given. Paths, operations and parts of them that cannot be read are
 * set aside.
 */
export function readOperations(document: Document, validators: Validators, onlyPath?: string): ReadOperations {
  const setAside: SetAside[] = [];
  const paths = rawOf(document).root['paths'];
  if (!isObject(paths)) {
    const message = 'this OpenAPI document has no paths, so there is nothing to serve or verify; add at least one';
    return { operations: [], setAside: [{ place: document.place(rawOf(document).root), message, operations: [] }] };
  }
  const named = onlyPath === undefined ? Object.entries(paths) : [[onlyPath, paths[onlyPath]] as const];
  const operations = named.flatMap(([path, entry]) => {
    if (path.startsWith('x-')) return [];
    const item = follow(document, entry);
    if (!isObject(item)) return [];
    setAside.push(...misspeltMethods(document, path, item));
    const ownMethods = methods.filter((method) => isObject(item[method]));
    const labels = ownMethods.map((method) => operationLabel(method, path));
    if (!attempt(setAside, labels, () => checkPath(path, document.place(paths, path)) ?? true)) return [];
    return ownMethods.flatMap((method) => {
      const parts: Parts = { document, validators, attempt: (read) => attempt(setAside, [operationLabel(method, path)], read) };
      return parts.attempt(() => readOperation(parts, path, method, item, item[method] as JsonObject)) ?? [];
    });
  });
  return { operations: withUniqueIds(withoutTwins(operations, paths, setAside), setAside), setAside };
}

/** What reads the parts of an operation. */
interface Parts {
  readonly document: Document;
  readonly validators: Validators;
  /** Reads a part, or sets it aside. */
  readonly attempt: <T>(read: () => T) => T | undefined;
}

/** Runs a step of the reading. A mistake in the file is set aside. */
function attempt<T>(setAside: SetAside[], operations: readonly string[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    setAside.push({ place: error.place, message: messageOf(error), operations });
    return undefined;
  }
}

/**
 * Sets operations aside whose requests are also those of another: templates that differ only in names are identical (OpenAPI 3.1 §4.8.8). The one whose names
 * more paths continue is kept, else the first.
 */
function withoutTwins(operations: readonly Operation[], paths: JsonObject, setAside: SetAside[]): readonly Operation[] {
  const requestsOf = ({ method, path }: Operation): string => `${method} ${path.replaceAll(/\{[^}]+\}/g, '{}')}`;
  const twins = new Map<string, Operation[]>();
  for (const operation of operations) twins.set(requestsOf(operation), [...(twins.get(requestsOf(operation)) ?? []), operation]);
  const continuations = ({ path }: Operation): number => operations.filter((other) => other.path.startsWith(`${path}/`)).length;
  return operations.filter((operation) => {
    const { method, path, document } = operation;
    const group = twins.get(requestsOf(operation)) ?? [];
    const kept = group.length === 1 ? operation : group.toSorted((left, right) => continuations(right) - continuations(left))[0];
    if (kept === operation || kept === undefined) return true;
    const message = `${path} matches the same requests as ${kept.path}; describe both as one ${method} operation`;
    setAside.push({ place: document.place(paths, path), message, operations: [operationLabel(method, path)] });
    return false;
  });
}

/** Gives operations with the id of an earlier one an id of their own. */
function withUniqueIds(operations: readonly Operation[], setAside: SetAside[]): readonly Operation[] {
  const takenIds = new Set<string>();
  return operations.map((operation) => {
    const { id, method, path } = operation;
    if (!takenIds.has(id)) {
      takenIds.add(id);
      return operation;
    }
    const message = `operationId: ${id} is the id of another operation too; give each operation a different id`;
    setAside.push({ place: placeInOperation(operation, 'operationId'), message, operations: [operationLabel(method, path)] });
    return { ...operation, id: `${method.toLowerCase()} ${path}` };
  });
}

/** Operations whose method is not in lower case, as a path item has it. */
function misspeltMethods(document: Document, path: string, item: JsonObject): readonly SetAside[] {
  return Object.keys(item).flatMap((key) => {
    const method = methods.find((each) => each !== key && each === key.toLowerCase());
    if (method === undefined || !isObject(item[key])) return [];
    const message = `${key} is not read as a method; write ${method}`;
    return [{ place: document.place(item, key), message, operations: [operationLabel(method, path)] }];
  });
}

/** Requires a valid path template, since another could never be requested. */
function checkPath(path: string, place: SourceLocation): void {
  const [, other] = /([?#].*)/s.exec(path) ?? [];
  if (other !== undefined)
    throw new SpecError(place, `the path ${path} has ${other}, which is not part of a path; describe a query by parameters with in: query`);
  if (!path.startsWith('/')) throw new SpecError(place, `the path ${path} does not begin with a slash; write /${path}`);
  if (/[{}]/.test(path.replaceAll(/\{[^{}]+\}/g, '')))
    throw new SpecError(place, `the path ${path} has a single brace; write parameters in pairs of braces, such as {id}`);
}

/** Leaves out path parameters that the template does not have, and adds those that are not declared: any text is allowed there. */
function matchTemplate(parts: Parts, path: string, parameters: readonly Parameter[], place: SourceLocation): readonly Parameter[] {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  const kept = parameters.filter((parameter) => parameter.in !== 'path' || names.includes(parameter.name));
  const undeclared = names.filter((name) => !kept.some((parameter) => parameter.in === 'path' && parameter.name === name));
  const mistakes = [
    ...parameters
      .filter((parameter) => !kept.includes(parameter))
      .map(({ name, place: at }) => new SpecError(at, `the path ${path} has no {${name}}; add it to the path, or remove this parameter`)),
    ...undeclared.map(
      (name) => new SpecError(place, `the path ${path} has {${name}}, but there is no path parameter of this name; declare it`),
    ),
  ];
  for (const mistake of mistakes)
    parts.attempt(() => {
      throw mistake;
    });
  const declaration = (name: string): JsonObject => ({ name, in: 'path', required: true, schema: { type: 'string' } });
  return [...kept, ...undeclared.map((name) => ({ ...readParameter(parts, declaration(name)), place }))];
}

function readOperation(parts: Parts, path: string, method: string, item: JsonObject, value: JsonObject): Operation {
  const { document } = parts;
  const place = document.place(value);
  const responses = readResponses(parts, value);
  const success = schemaOfSuccess(responses);
  const declared = readParameters(parts, [item['parameters'], value['parameters']]);
  const parameters = matchTemplate(parts, path, declared, place);
  const annotation = (keyword: string): Json | undefined => (isAnnotation(keyword, value[keyword]) ? value[keyword] : undefined);
  const [listed, resource] = [annotation('x-collection'), annotation('x-resource')];
  const collection = isObject(listed) ? simplifyFilters(readCollection(listed), parameters) : undefined;
  const kindOf = memoize(
    (pointer: string): ComparisonKind =>
      comparisonKind(success === undefined ? [] : schemasAt(document, success, `${collection?.items ?? ''}/0${pointer}`)),
  );
  const reactions = rawOf(document).root['x-invalid'];
  return {
    id: typeof value['operationId'] === 'string' ? value['operationId'] : `${method} ${path}`,
    method: method.toUpperCase(),
    path,
    document,
    pointer: toPointer(['paths', path, method]),
    summary: typeof value['summary'] === 'string' ? value['summary'] : '',
    description: typeof value['description'] === 'string' ? value['description'] : '',
    deprecated: value['deprecated'] === true,
    servers: [value, item, rawOf(document).root].flatMap((each) => readServers(each['servers'])),
    security: readSecurity(parts, value['security'] ?? rawOf(document).root['security']),
    parameters,
    rules: readParameterRules(annotation('x-parameter-rules')),
    invalid: { ...defaultReactions, ...(isAnnotation('x-invalid', reactions) ? objectOrEmpty(reactions) : {}) } as InvalidAnswers,
    requestBody: readRequestBody(parts, value['requestBody']),
    responses,
    collection: collection === undefined ? undefined : { ...collection, kindOf, query: createQuery(collection, kindOf) },
    resource: isObject(resource) ? readResource(resource) : undefined,
    place,
  };
}

/** Reads the URLs of servers, with the default values of their variables (OpenAPI 3.1 §4.8.5). */
function readServers(servers: Json | undefined): readonly string[] {
  const objects = arrayOrEmpty(servers).filter(isObject);
  return objects.map((server) =>
    String(server['url'] ?? '/').replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
      String(valueAt(server, toPointer(['variables', name, 'default'])) ?? ''),
    ),
  );
}

function readResponses(parts: Parts, operation: JsonObject): ReadonlyMap<string, ResponseRule> {
  const { document } = parts;
  const responses = operation['responses'] ?? {};
  if (!isObject(responses))
    throw new SpecError(document.place(operation, 'responses'), "responses must be an object; write it as '200': …, '404': …");
  const entries = Object.entries(responses).filter(([status]) => !status.startsWith('x-'));
  const read = entries.map(([key, entry]) =>
    parts.attempt((): readonly [string, ResponseRule] => {
      // A range is written in capitals (OpenAPI 3.1 §4.8.16), but what 4xx means is plain.
      const status = /^\dxx$/i.test(key) ? key.toUpperCase() : key.toLowerCase();
      if (/^(?:[1-5]\d\d|[1-5]XX|default)$/.test(status)) return [status, readResponse(parts, status, follow(document, entry))];
      throw new SpecError(document.place(responses, key), `${key} is not an HTTP status; write one from 100 to 599, 4XX or default`);
    }),
  );
  return new Map(read.filter((entry) => entry !== undefined));
}

function readResponse(parts: Parts, status: string, value: Json | undefined): ResponseRule {
  const { document, validators } = parts;
  const response: JsonObject = objectOrEmpty(value);
  const headers = Object.entries(objectOrEmpty(response['headers'])).filter(([name]) => name.toLowerCase() !== 'content-type');
  const content = statusesWithoutBody.has(status) ? new Map() : readContent(document, validators, 'response', response['content']);
  return {
    status,
    headers: headers.flatMap(([name, header]) => parts.attempt(() => readHeaderRule(parts, name, header)) ?? []),
    content,
    examples: new Map([...content.values()].flatMap(({ examples }) => [...examples])),
    place: document.place(response),
  };
}

function readRequestBody({ document, validators }: Parts, value: Json | undefined): RequestBodyRule | undefined {
  const body = value === undefined ? undefined : follow(document, value);
  if (!isObject(body) || !isObject(body['content'])) return undefined;
  return { required: body['required'] === true, content: readContent(document, validators, 'request', body['content']) };
}

/** Statuses without content, whatever a file documents (RFC 9110 §15.3.5, §15.3.6 and §15.4.5). */
const statusesWithoutBody: ReadonlySet<string> = new Set(['204', '205', '304']);

function readContent(document: Document, validators: Validators, direction: Direction, content: Json | undefined): ResponseRule['content'] {
  const entries = Object.entries(objectOrEmpty(follow(document, content)));
  return new Map(entries.map(([type, media]) => [type.toLowerCase(), readMedia(document, validators, direction, type, media)]));
}

function readMedia(document: Document, validators: Validators, direction: Direction, type: string, entry: Json): BodySchema {
  const media: JsonObject = objectOrEmpty(follow(document, entry));
  const schema = schemaFor(document, asSchema(media['schema']), direction);
  const readKeywords = memoize((key: Schema) => mergedBranchKeywords(document, key));
  const readFields = memoize((key: Schema) => readFormFields({ document, validators, direction }, media, readKeywords(key)));
  return {
    type,
    examples: new Map(readExamples(document, media)),
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
    get otherKinds() {
      const others = readKeywords(schema)['additionalProperties'];
      return isObject(others) ? valueKindsOf(readKeywords(others)) : [];
    },
  };
}

/** Reads the fields of a form as query parameters (OpenAPI 3.1 §4.8.15). An object without a style is sent as JSON. */
function readFormFields(
  { document, validators, direction }: Pick<Parts, 'document' | 'validators'> & { readonly direction: Direction },
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
      return [name, readParameter({ document, validators }, parameter, direction, keywords)];
    }),
  );
}

/** Reads a response header, which is a parameter of the style `simple`. */
function readHeaderRule(parts: Parts, name: string, entry: Json): HeaderRule {
  const header: JsonObject = objectOrEmpty(follow(parts.document, entry));
  const parameter = readParameter(parts, { ...header, name, in: 'header' }, 'response', header);
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
  const single =
    media['example'] === undefined ? [] : [[singleExample, { value: media['example'], place: document.place(media, 'example') }] as const];
  return [...namedExamples, ...single];
}

function readSecurity(parts: Parts, value: Json | undefined): Operation['security'] {
  const alternatives = arrayOrEmpty(value).filter(isObject);
  const read = alternatives.map((requirement) =>
    parts.attempt(() =>
      Object.entries(requirement).map(([scheme, scopes]) =>
        readCredential(parts.document, requirement, scheme, isArray(scopes) ? scopes.map(String) : []),
      ),
    ),
  );
  return read.filter((each) => each !== undefined);
}

function readCredential(document: Document, holder: JsonObject, scheme: string, scopes: readonly string[]): Credential {
  const value = follow(document, valueAt(rawOf(document).root, toPointer(['components', 'securitySchemes', scheme])));
  // Prism ignores undefined schemes, so the operation would need no key.
  if (!isObject(value))
    throw new SpecError(
      document.place(holder, scheme),
      `the security scheme ${scheme} is not defined; add it under components/securitySchemes`,
    );
  const { type, in: location, name } = value;
  if (type === 'apiKey' && (location === 'header' || location === 'query' || location === 'cookie')) {
    return { scheme, scopes, isToken: false, carrier: { in: location, name: String(name) } };
  }
  if (type === 'mutualTLS')
    throw new SpecError(
      document.place(value),
      'a client certificate (mutualTLS) cannot be checked over plain HTTP; describe the API with a key instead',
    );
  if (type !== 'http' && type !== 'oauth2' && type !== 'openIdConnect')
    throw new SpecError(
      document.place(value),
      type === 'apiKey'
        ? `the security scheme ${scheme} does not say where its key is; write in: header, query or cookie`
        : `the security scheme ${scheme} has an unknown type; write apiKey, http, oauth2 or openIdConnect`,
    );
  const stated = type === 'http' ? String(value['scheme']) : 'Bearer';
  // Case has no meaning (RFC 9110 §11.1), but a server with a word of its own may not know that.
  const word = ['Basic', 'Bearer', 'Digest'].find((each) => each.toLowerCase() === stated.toLowerCase()) ?? stated;
  const isToken = type === 'oauth2' || type === 'openIdConnect';
  return { scheme, scopes, isToken, carrier: { in: 'authorization', word } };
}

/** Reads the parameters of a path item and an operation. Those of the operation win (OpenAPI 3.1 §4.8.10). */
function readParameters(parts: Parts, lists: readonly (Json | undefined)[]): readonly Parameter[] {
  const parametersByName = new Map<string, Parameter>();
  for (const entry of lists.flatMap(arrayOrEmpty)) {
    const value = follow(parts.document, entry);
    const parameter = isObject(value) ? parts.attempt(() => readParameter(parts, value)) : undefined;
    if (parameter === undefined) continue;
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
