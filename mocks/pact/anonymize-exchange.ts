/** Replaces the personal data of an exchange by examples, or by values of the same shape, before a pact shows it. Leaves keys as they are. */

import { splitTarget } from '../../core/http/exchange.ts';
import { isArray, isInteger, isNumber, isObject, type Json } from '../../core/json.ts';
import { routeTo } from '../../core/openapi/route-request.ts';
import { splitQuery } from '../../core/parameters/query-string.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import { createMask, type Mask, personalPlaceholder } from '../../core/redaction/mask-personal-data.ts';
import { replacePairs, shapeOf } from '../secret-members.ts';
import type { RecordableExchange } from './recordable-exchange.ts';

/** The parts of an exchange without personal data. */
export interface AnonymizedExchange {
  readonly body: () => Json | undefined;
  /** The body of the request: a value of JSON, or a text of another type. */
  readonly sentBody: Json | undefined;
  /** Parameters with personal values. */
  readonly parameters: ReadonlySet<string>;
}

/** The request id of every recorded failure. */
const exampleRequestId = 'request-1';

/** The message of a recorded failure whose own message may quote personal data. */
const exampleMessage = 'What went wrong, in words.';

/** Creates the function that anonymizes exchanges of a contract. */
export function createAnonymizer(contract: RecordableExchange['api']['contract']): (recordable: RecordableExchange) => AnonymizedExchange {
  const mask = createMask(contract);
  return (recordable) => {
    const { body, sentBody, withoutProfile } = recordable;
    const parameters = personalParameters(mask, recordable);
    const isPersonal: IsPersonal = (path) => mask.isPersonal(withoutProfile.operation, path);
    return {
      // Most bodies are never written, so they are masked on demand.
      body: () => withoutIdentifiers(recordable, parameters.size > 0, body === undefined ? undefined : reshapeWhere(isPersonal, body, [])),
      sentBody: sentBody === undefined ? undefined : reshapeSent(isPersonal, sentBody),
      parameters,
    };
  };
}

/** True for the path of a personal value in a body. */
type IsPersonal = (path: readonly (string | number)[]) => boolean;

function reshapeSent(isPersonal: IsPersonal, { format, value }: NonNullable<RecordableExchange['sentBody']>): Json {
  if (format === 'json') return reshapeWhere(isPersonal, value, []);
  return format === 'form' ? replacePairs(String(value), /(^|&)([^=&]+)=([^&]*)/g, (name) => isPersonal([name]), shapeOf) : value;
}

/** Replaces each personal part of a value by one of the same shape. */
function reshapeWhere(isPersonal: IsPersonal, value: Json, path: readonly (string | number)[]): Json {
  if (isPersonal(path)) return shapeOfValue(value);
  if (isArray(value)) return value.map((each, index) => reshapeWhere(isPersonal, each, [...path, index]));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, reshapeWhere(isPersonal, member, [...path, name])]));
}

function shapeOfValue(value: Json): Json {
  if (typeof value === 'string') return shapeOf(value);
  if (isNumber(value)) return isInteger(value) ? 1 : 1.5;
  if (Array.isArray(value)) return (value as readonly Json[]).map(shapeOfValue);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOfValue(member)])) : value;
}

/** Replaces the request id of a failure, and its message if it may quote personal data. */
function withoutIdentifiers({ api, response }: RecordableExchange, isPersonal: boolean, body: Json | undefined): Json | undefined {
  const { error } = api.contract;
  if (error === undefined || body === undefined || response.status < 400) return body;
  const { request, message } = error;
  const withExampleId = request === undefined || valueAt(body, request) === undefined ? body : withValueAt(body, request, exampleRequestId);
  return isPersonal && valueAt(withExampleId, message) !== undefined ? withValueAt(withExampleId, message, exampleMessage) : withExampleId;
}

function personalParameters(mask: Mask, { request, withoutProfile }: RecordableExchange): ReadonlySet<string> {
  const masked = mask.mask({ request, response: { status: 200, headers: {}, body: '' } }).request;
  if (masked.target === request.target) return new Set();
  const { path, query } = splitTarget(masked.target);
  const inQuery = splitQuery(query).flatMap(([name, value]) => (value === personalPlaceholder ? [name] : []));
  const route = routeTo([withoutProfile.operation], request.method, path);
  const inPath =
    route.kind === 'operation' ? [...route.segments].flatMap(([name, value]) => (value === personalPlaceholder ? [name] : [])) : [];
  return new Set([...inQuery, ...inPath]);
}
