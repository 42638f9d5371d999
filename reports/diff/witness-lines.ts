/** A witness as lines of text: the request as a command line, the response, and the part that one contract refuses. */

import { formatLocation } from '../../core/errors.ts';
import { isJsonType } from '../../core/http/media-type.ts';
import { printCurl } from '../../core/http/print-curl.ts';
import { type Json, printJson } from '../../core/json.ts';
import type { ChangeWitness, WitnessExchange, WitnessResponse } from '../../core/results/diff-result.ts';
import { clip } from '../clip-text.ts';
import { printable } from '../printable-text.ts';
import { focus, isShortened, printShort, shortenAround } from '../shorten-value.ts';

/** A witness in four parts. The first three may be empty. The lines hold no control characters. */
interface WitnessLines {
  /** A command line for a shell with the variable BASE_URL. A body that is not JSON stands beneath the method, the target and the headers instead. */
  readonly request: readonly string[];
  readonly response: readonly string[];
  /** For annotations: the records given to both contracts, and the keys that each one returns. */
  readonly records: readonly string[];
  /** Conclusion in sentences. */
  readonly finding: readonly string[];
}

/** Bodies up to this length stand in one line. */
const shortBody = 80;
const bodyLinesMax = 12;
const valueMax = 120;
const messageMax = 400;
const recordsMax = 6;

/** Renders a witness. A long response is shortened to the part around the refused value. */
export function describeWitness(witness: ChangeWitness): WitnessLines {
  const { exchange, pointer } = witness;
  // If the witness has a response, the refused value is in it.
  const requestPointer = exchange.response === undefined ? pointer : '';
  return {
    request: isRepeatable(exchange) ? printRequest(exchange.request, requestPointer).map(printable) : [],
    response: exchange.response === undefined ? [] : printResponse(exchange.response, pointer).map(printable),
    records: describeRecords(witness).map(printable),
    finding: [...describeMockResponses(witness), describeRefusal(witness)].map(printable),
  };
}

/** True if the request alone leads to the response. It leads to a success, but the document rarely says which request leads to an error. */
function isRepeatable(exchange: WitnessExchange): exchange is WitnessExchange & Required<Pick<WitnessExchange, 'request'>> {
  return exchange.request !== undefined && /^(?:2|$)/.test(exchange.response?.status ?? '');
}

function printRequest(
  { method, target, headers, body, variables = [] }: NonNullable<WitnessExchange['request']>,
  pointer: string,
): readonly string[] {
  // No command line writes a value in another form.
  if (body !== undefined && !isJsonType(headers['content-type'] ?? 'application/json'))
    return [`${method} ${target}`, ...printFields(headers), ...printBody(body, pointer)];
  const short = body === undefined ? undefined : shortenAround(body, pointer);
  const data = short === undefined ? {} : { body: printJson(short) };
  const line = printCurl('$BASE_URL', { method, target, headers, ...data }, ['BASE_URL', ...variables]);
  return body !== undefined && short !== undefined && isShortened(body, short) ? [line, shortened] : [line];
}

function printResponse({ status, headers, body }: NonNullable<WitnessExchange['response']>, pointer: string): readonly string[] {
  return [`HTTP ${status}`, ...printFields(headers), ...(body === undefined ? [] : printBody(body, pointer))];
}

function printFields(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${clip(value, messageMax)}`);
}

function printBody(body: Json, pointer: string): readonly string[] {
  const whole = shortenAround(body, pointer);
  const short = toLines(whole).length > bodyLinesMax ? focus(body, pointer) : whole;
  const lines = toLines(short);
  const cut = lines.length > bodyLinesMax ? [...lines.slice(0, bodyLinesMax), `… ${lines.length - bodyLinesMax} more lines`] : lines;
  return isShortened(body, short) || lines.length > bodyLinesMax ? [...cut, shortened] : cut;
}

function toLines(value: Json): readonly string[] {
  const flat = printJson(value);
  return flat.length <= shortBody ? [flat] : printJson(value, 2).split('\n');
}

const shortened = '(shortened; the JSON report has all of it)';

function describeRefusal({ refusedBy, part = '', pointer, value, keyword, message, place }: ChangeWitness): string {
  const said = clip(message, messageMax).replace(/\.$/, '');
  const where = place === undefined ? '' : ` (${formatLocation(place)})`;
  if (refusedBy === undefined) return `The contracts require different responses because of ${keyword}: ${said}${where}.`;
  const named = [part, pointer].filter((each) => each !== '').join(', ');
  const refusedValue = [...(named === '' ? [] : [named]), ...(value === undefined ? [] : [printShort(value, valueMax)])].join(' = ');
  const other = refusedBy === 'old' ? 'new' : 'old';
  return `The ${refusedBy} contract rejects ${refusedValue || 'it'} because of ${keyword}: ${said}${where}. The ${other} contract allows it.`;
}

function describeMockResponses({ mockResponses }: ChangeWitness): readonly string[] {
  if (mockResponses === undefined) return [];
  const print = ({ status, code, returned }: WitnessResponse): string =>
    [
      status,
      ...(code === undefined ? [] : [clip(code, valueMax)]),
      ...(returned === undefined ? [] : [`with ${printShort(returned, valueMax)}`]),
    ].join(' ');
  return [`Responses from mocks of the two contracts: old ${print(mockResponses.old)}, new ${print(mockResponses.new)}.`];
}

function describeRecords({ records, mockResponses }: ChangeWitness): readonly string[] {
  if (records === undefined) return [];
  const { given, before, after } = records;
  const more = given.length - recordsMax;
  return [
    ...given.slice(0, recordsMax).map((record, index) => `${index === 0 ? 'Given' : '  and'} ${printShort(record, 4 * valueMax)}`),
    ...(more <= 0 ? [] : [`  and ${more} more`]),
    // Responses of mocks show the returned records too.
    ...(mockResponses === undefined ? [`Returned ${printShort(before, 2 * valueMax)} → ${printShort(after, 2 * valueMax)}`] : []),
  ];
}
