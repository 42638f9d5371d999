/**
 * Responses to the requests of witnesses: sends each one to mocks of the old and of the new contract, without sockets. `diff-command.ts` calls it once after
 * the comparison of each pair; only the first changes with such a request get responses. It judges no response.
 */

import { asContract, type ContractVersions } from '../../contracts/diff/open-contracts.ts';
import type { HttpRequest } from '../../core/http/exchange.ts';
import { isObject, type Json } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { routeTo } from '../../core/openapi/route-request.ts';
import { valueAt } from '../../core/pointer.ts';
import type { Change, ContractComparison, WitnessExchange, WitnessResponse } from '../../core/results/diff-result.ts';
import type { ContractMock } from '../../mocks/mock-content.ts';

type WitnessRequest = NonNullable<WitnessExchange['request']>;

/** Sends a request to a mock and reads its response; `undefined` if the mock fails. With records, the mock holds only these. */
type AskMock = (request: WitnessRequest, keyword: string, records: readonly Json[] | undefined) => Promise<WitnessResponse | undefined>;

/** Number of changes whose witnesses are sent to mocks. The most severe ones come first, and reports for people show no more. */
const answeredMax = 50;

/** Adds the responses of both mocks to each witness that is a request. A witness with records is sent to mocks that hold only these records. */
export async function addMockResponses(comparison: ContractComparison, [old, next]: ContractVersions): Promise<ContractComparison> {
  if (!comparison.changes.some(isAnswerable)) return comparison;
  const [before, after] = [await asContract(old), await asContract(next)];
  if (before === undefined || after === undefined) return comparison;
  const failures: string[] = [];
  const [askOld, askNew] = [before, after].map((contract) => openMocks(contract, failures)) as [AskMock, AskMock];
  const answered = new Set(comparison.changes.filter(isAnswerable).slice(0, answeredMax));
  const changes: Change[] = [];
  for (const change of comparison.changes) changes.push(answered.has(change) ? await withMockResponses(change, askOld, askNew) : change);
  return { ...comparison, changes, notes: [...comparison.notes, ...failures.map((text) => `A mock failed to answer a witness: ${text}`)] };
}

/**
 * True for a change with a request that the contracts answer differently. Responses of a witness are no data of a mock, and the mock's choice for an open
 * question proves nothing.
 */
function isAnswerable({ witness, before, after }: Change): boolean {
  const { exchange, refusedBy, records } = witness ?? {};
  const isOpen = [before, after].some(({ value }) => isObject(value) && value['unspecified'] !== undefined);
  return (
    exchange?.request !== undefined && exchange.response === undefined && (refusedBy !== undefined || (records !== undefined && !isOpen))
  );
}

async function withMockResponses(change: Change, old: AskMock, next: AskMock): Promise<Change> {
  const { witness } = change;
  const request = witness?.exchange.request;
  if (witness === undefined || request === undefined) return change;
  const { keyword, records } = witness;
  const [before, after] = [await old(request, keyword, records?.given), await next(request, keyword, records?.given)];
  return before === undefined || after === undefined
    ? change
    : { ...change, witness: { ...witness, mockResponses: { old: before, new: after } } };
}

/** Creates the mocks of a contract on demand: one with the data of the mock, and one for each list of records. Errors are added to `failures`. */
function openMocks(contract: Contract, failures: string[]): AskMock {
  const mocks = new Map<readonly Json[] | undefined, Promise<ContractMock>>();
  const open = async (operation: Operation | undefined, records: readonly Json[] | undefined): Promise<ContractMock> => {
    // The mock loads Prism and its data, which a comparison without witnesses does not need.
    const { mockContract } = await import('../../mocks/mock-content.ts');
    const collection = operation?.collection?.name ?? operation?.resource?.name ?? '';
    const data = records === undefined ? undefined : { collection, records: records.filter(isObject) };
    return mockContract(contract, (error) => failures.push(error instanceof Error ? error.message : String(error)), data);
  };
  return async (request, keyword, records) => {
    const route = routeTo(contract.operations, request.method, request.target);
    const operation = route.kind === 'operation' ? route.operation : undefined;
    const known = mocks.get(records) ?? open(operation, records);
    mocks.set(records, known);
    const mock = await known;
    const failuresBefore = failures.length;
    const { status, body } = await mock.respond(withKey(request, mock));
    if (failures.length > failuresBefore) return undefined;
    return {
      status,
      code: readCode(contract, status, body),
      ...(records === undefined || operation === undefined || status >= 300 ? {} : { returned: readReturned(operation, keyword, body) }),
    };
  };
}

/** The request with the key of the mock in place of its variables. */
function withKey({ method, target, headers, body, variables = [] }: WitnessRequest, { key }: ContractMock): HttpRequest {
  const fill = (text: string, value: string): string =>
    variables.reduce((filled, name) => filled.replaceAll(`$${name}`, () => value), text);
  const fields = Object.entries(headers).map(([name, value]) => {
    // A key is the password of Basic (RFC 7617 §2).
    const isBasic = value.startsWith('Basic $');
    return [name.toLowerCase(), fill(value, isBasic ? Buffer.from(`:${key}`).toString('base64') : key)] as const;
  });
  return {
    method,
    target: fill(target, encodeURIComponent(key)),
    headers: Object.fromEntries(fields),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

function readCode({ error }: Contract, status: number, body: string): string | undefined {
  const code = status < 400 || error === undefined ? undefined : valueAt(parse(body), error.code);
  return typeof code === 'string' ? code : undefined;
}

/** The keys of the records in a body, or the total of a witness about totals. */
function readReturned({ collection }: Operation, keyword: string, body: string): Json {
  const read = parse(body);
  if (collection === undefined) return read;
  const { items, key, page } = collection;
  if (keyword === 'page.counts' && 'total' in page) return valueAt(read, page.total ?? '') ?? null;
  const records = valueAt(read, items);
  return Array.isArray(records) ? (records as readonly Json[]).map((record) => valueAt(record, key) ?? null) : null;
}

/** The body as JSON; `null` for another body. */
function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
