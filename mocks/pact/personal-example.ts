/** Examples in place of personal values and of what differs each time: the same shape, and nobody's. */

import { headerOf, splitTarget } from '../../core/exchange.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { routeTo } from '../../core/operation.ts';
import { createMask, type Mask } from '../../core/personal.ts';
import { personal } from '../../core/personal-text.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import { splitQuery } from '../../core/style.ts';
import type { Sighting } from './sighting.ts';

/** What of an exchange may be written down. */
export interface Anonymous {
  readonly body: () => Json | undefined;
  /** The parameters whose values are personal. */
  readonly parameters: ReadonlySet<string>;
}

/** The name under which every recorded failure is told. */
const requestName = 'request-1';

const someMessage = 'What went wrong, in words.';

/** Makes exchanges of a contract anonymous. */
export function createAnonymizer(contract: Sighting['api']['contract']): (sighting: Sighting) => Anonymous {
  const mask = createMask(contract);
  return (sighting) => {
    const parameters = personalParameters(mask, sighting);
    // Most exchanges are worse examples than one before, and their bodies need not be looked through.
    return { body: () => withoutNames(sighting, parameters.size > 0, maskBody(mask, sighting)), parameters };
  };
}

/** A text of the same shape: letters and digits are replaced, and everything between them stays. */
export function shapeOf(text: string): string {
  return text
    .replaceAll(/\p{Lu}/gu, 'X')
    .replaceAll(/\p{L}/gu, (letter) => (letter === 'X' ? 'X' : 'x'))
    .replaceAll(/\p{N}/gu, '0');
}

function maskBody(mask: Mask, { request, response, body }: Sighting): Json | undefined {
  if (body === undefined) return undefined;
  const masked = JSON.parse(mask.mask({ request, response }).response.body) as Json;
  return reshape(body, masked);
}

/** The value with the shape of each part that the mask hides. */
function reshape(value: Json, masked: Json | undefined): Json {
  if (masked === personal) return value === personal ? value : shapeOfValue(value);
  if (Array.isArray(value)) {
    const others = Array.isArray(masked) ? (masked as readonly Json[]) : [];
    return (value as readonly Json[]).map((each, index) => reshape(each, others[index]));
  }
  if (!isObject(value)) return value;
  const others: JsonObject = isObject(masked) ? masked : {};
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, reshape(member, others[name])]));
}

function shapeOfValue(value: Json): Json {
  if (typeof value === 'string') return shapeOf(value);
  if (typeof value === 'number') return Number.isInteger(value) ? 1 : 1.5;
  if (Array.isArray(value)) return (value as readonly Json[]).map(shapeOfValue);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOfValue(member)])) : value;
}

/** A failure names its request, and may quote what was asked. */
function withoutNames({ api, response }: Sighting, isPersonal: boolean, body: Json | undefined): Json | undefined {
  const { error } = api.contract;
  if (error === undefined || body === undefined || response.status < 400) return body;
  const { request, message } = error;
  const named = request === undefined || valueAt(body, request) === undefined ? body : withValueAt(body, request, requestName);
  return isPersonal && valueAt(named, message) !== undefined ? withValueAt(named, message, someMessage) : named;
}

function personalParameters(mask: Mask, { request, open }: Sighting): ReadonlySet<string> {
  const shown = mask.mask({ request, response: { status: 200, headers: {}, body: '' } }).request;
  if (shown.target === request.target) return new Set();
  const { path, query } = splitTarget(shown.target);
  const hidden = splitQuery(query).flatMap(([name, value]) => (value === personal ? [name] : []));
  const route = routeTo([open.operation], request.method, path);
  const segments = route.kind === 'operation' ? [...route.segments].flatMap(([name, value]) => (value === personal ? [name] : [])) : [];
  return new Set([...hidden, ...segments]);
}

/** The value of a header that an example shows: times are those of nobody's clock. */
export function exampleOfHeader({ response }: Sighting, name: string): string | undefined {
  const value = headerOf(response.headers, name);
  if (name !== 'retry-after' || value === undefined) return value;
  return /^\d+$/.test(value) ? '30' : 'Thu, 01 Jan 2026 00:00:00 GMT';
}
