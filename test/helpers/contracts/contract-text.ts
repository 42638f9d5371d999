/** Contracts written inside tests: loads small files from text, and finds the position of a piece of text. */

import { SpecError } from '../../../core/errors.ts';
import type { HttpHeaders } from '../../../core/http/exchange.ts';
import { type Contract, loadContract } from '../../../core/openapi/contract.ts';
import type { Document, ReadText } from '../../../core/openapi/document.ts';
import { loadDocument } from '../../../core/openapi/loading/load-document.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { routeTo } from '../../../core/openapi/route-request.ts';
import type { Parameter } from '../../../core/parameters/parse-parameter.ts';
import { type RequestReading, readRequest } from '../../../core/parameters/read-request.ts';

/** Texts of files by name. */
export type Files = Readonly<Record<string, string>>;

/** Returns a function that reads these files. Any other file is missing. */
export function readerOf(files: Files): ReadText {
  return async (name) => {
    const text = files[name];
    if (text === undefined) throw Object.assign(new Error(`no such file: ${name}`), { code: 'ENOENT' });
    return text;
  };
}

/** Loads the contract `api.yaml`, and refuses it for any mistake. It may refer to other files. */
export function loadText(text: string, others: Files = {}): Promise<Contract> {
  return loadContract('api.yaml', readerOf({ ...others, 'api.yaml': text }), { strict: true });
}

/** Loads the contract `api.yaml`, and sets aside what cannot be read. */
export function loadForeign(text: string, others: Files = {}): Promise<Contract> {
  return loadContract('api.yaml', readerOf({ ...others, 'api.yaml': text }));
}

/** Loads `api.yaml` as a document, without the checks of a contract. */
export function documentOf(text: string, others: Files = {}): Promise<Document> {
  return loadDocument('api.yaml', readerOf({ ...others, 'api.yaml': text }));
}

/**
 * The mistake with which loading fails.
 * @throws if loading succeeds, or fails with another kind of error.
 */
export async function mistakeOf(loading: Promise<unknown>): Promise<SpecError> {
  try {
    await loading;
  } catch (error) {
    if (error instanceof SpecError) return error;
    throw error;
  }
  throw new Error('this was loaded, and it is a mistake');
}

/** Position of the first occurrence of a text, as `line:column`. */
export function positionOf(text: string, piece: string): string {
  const before = text.split(piece, 1)[0] ?? '';
  if (before.length === text.length) throw new Error(`${piece} is not in the text`);
  const lines = before.split('\n');
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`;
}

/** A contract of these lines, after the required first lines. */
export function contractText(rest: string): string {
  return `openapi: 3.1.0\ninfo: { title: Notes, version: '1' }\n${rest}`;
}

/** The only operation of a small contract: `GET /x` or another path, with these lines of YAML inside. */
export async function operationOf(lines: string, path = '/x', rest = ''): Promise<Operation> {
  const inside = lines.replace(/^/gm, '      ');
  const contract = await loadText(contractText(`paths:\n  ${path}:\n    get:\n${inside}\n      responses: {}\n${rest}`));
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('the contract has no operation');
  return operation;
}

/** The parameter `color` with these members, such as `in: query, explode: false`, and a schema. */
export async function parameterOf(members: string, schema?: string): Promise<Parameter> {
  const isPath = members.startsWith('in: path');
  const rest = [...(isPath ? ['required: true'] : []), ...(schema === undefined ? [] : [`schema: ${schema}`])];
  const lines = `parameters: [{ ${['name: color', members, ...rest].join(', ')} }]`;
  const [parameter] = (await operationOf(lines, isPath ? '/x/{color}' : '/x')).parameters;
  if (parameter === undefined) throw new Error('the operation has no parameter');
  return parameter;
}

/** Reads a GET request against an operation, routed to it by its path. */
export function readTarget(operation: Operation, target: string, headers: HttpHeaders = {}): RequestReading {
  const route = routeTo([operation], 'GET', target);
  if (route.kind !== 'operation') throw new Error(`${target} is not a request to ${operation.path}`);
  return readRequest(operation, { method: 'GET', target, headers }, route.segments);
}
