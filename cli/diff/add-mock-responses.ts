/**
 * After a comparison, sends the requests of witnesses to mocks of the old and the new contract, to show how the answers differ. The mocks run in this process
 * without sockets, and change no level.
 */

import type { LoadedContractPair } from '../../contracts/diff/load-contract-pair.ts';
import type { HttpRequest } from '../../core/http/exchange.ts';
import { isJsonType } from '../../core/http/media-type.ts';
import { isObject, type Json, type JsonObject, printJson, readJson } from '../../core/json.ts';
import { isSameValue } from '../../core/json-equality.ts';
import { getOrCompute } from '../../core/memo.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { routeTo } from '../../core/openapi/route-request.ts';
import { readRequest } from '../../core/parameters/read-request.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import type { Change, ChangeWitness, ContractComparison, WitnessExchange, WitnessResponse } from '../../core/results/diff-result.ts';
import type { ContractMock } from '../../mocks/build-mock-content.ts';

type WitnessRequest = NonNullable<WitnessExchange['request']>;
type MockResponses = NonNullable<ChangeWitness['mockResponses']>;

/** The mocks of one version of the contract. */
interface VersionMocks {
  /** Sends the request of a witness to a mock and reads its response; `undefined` if the mock fails. With records, the mock holds only these. */
  readonly ask: (request: WitnessRequest, keyword: string, records: readonly Json[] | undefined) => Promise<WitnessResponse | undefined>;
  /** A visible record of the mock with the identity that a request names; `undefined` if it reads no single record. */
  readonly requestedRecord: (request: WitnessRequest) => Promise<JsonObject | undefined>;
}

/** Number of changes whose witnesses are sent to mocks. The most severe ones come first, and reports for people show no more. */
const answeredMax = 50;

/**
 * Adds the responses of both mocks to each witness that is a request, if both contracts have annotations: the mock of a plain file would repeat what the validators
 * said, for seconds of work. A witness with records is sent to mocks that hold only these records.
 */
export async function addMockResponses(comparison: ContractComparison, [old, next]: LoadedContractPair): Promise<ContractComparison> {
  if (old.contract === undefined || next.contract === undefined) return comparison;
  const answered = new Set(comparison.changes.filter(isAnswerable).slice(0, answeredMax));
  const failures: string[] = [];
  const [oldMocks, newMocks] = [openMocks(old.contract, failures), openMocks(next.contract, failures)];
  const changes: Change[] = [];
  for (const change of comparison.changes)
    changes.push(answered.has(change) ? await withMockResponses(change, oldMocks, newMocks) : change);
  return {
    ...comparison,
    changes,
    notes: [...comparison.notes, ...failures.map((text) => `A mock could not respond to a witness: ${text}`)],
  };
}

/**
 * True if the contracts answer the request of a change's witness differently, and a mock can show it: it cannot return the response of a witness, reads only
 * JSON bodies, and its choice for an open question proves nothing.
 */
function isAnswerable({ witness, before, after }: Change): boolean {
  const { exchange, refusedBy, records } = witness ?? {};
  const isUnspecified = [before, after].some(({ value }) => isObject(value) && value['unspecified'] !== undefined);
  const isDifferent = refusedBy !== undefined || (records !== undefined && !isUnspecified);
  const { request, response } = exchange ?? {};
  const isWritable =
    request !== undefined && (request.body === undefined || isJsonType(request.headers['content-type'] ?? 'application/json'));
  return isWritable && response === undefined && isDifferent;
}

async function withMockResponses(change: Change, old: VersionMocks, next: VersionMocks): Promise<Change> {
  const { witness } = change;
  const request = witness?.exchange.request;
  if (witness === undefined || request === undefined) return change;
  const { refusedBy, records, keyword } = witness;
  const ask = async (given: readonly Json[] | undefined): Promise<MockResponses | undefined> => {
    const [before, after] = [await old.ask(request, keyword, given), await next.ask(request, keyword, given)];
    return before === undefined || after === undefined ? undefined : { old: before, new: after };
  };
  const mockResponses = await ask(records?.given);
  if (mockResponses === undefined) return change;
  const isRecordMissing = refusedBy !== undefined && records === undefined && mockResponses[otherSide[refusedBy]].status === 404;
  const record = isRecordMissing ? await (refusedBy === 'old' ? next : old).requestedRecord(request) : undefined;
  const withRecord = record === undefined ? undefined : await ask([record]);
  const shown = withRecord ?? mockResponses;
  // Equal answers show nothing: both mocks refuse the request for another reason, or neither checks this rule.
  const isAlike = records === undefined && shown.old.status === shown.new.status && shown.old.code === shown.new.code;
  return isAlike ? change : { ...change, witness: { ...witness, mockResponses: shown } };
}

const otherSide = { old: 'new', new: 'old' } as const;

/** Creates the mocks of a contract on demand: one with the data of the mock, and one for each list of records. Errors are added to `failures`. */
function openMocks(contract: Contract, failures: string[]): VersionMocks {
  const mocks = new Map<readonly Json[] | undefined, Promise<ContractMock>>();
  const open = async (operation: Operation | undefined, records: readonly Json[] | undefined): Promise<ContractMock> => {
    // The mock loads Prism and its data, which a comparison without witnesses does not need.
    const { mockContract } = await import('../../mocks/build-mock-content.ts');
    const collection = operation?.collection?.name ?? operation?.resource?.name ?? '';
    const data = records === undefined ? undefined : { collection, records: records.filter(isObject) };
    return mockContract(contract, (error) => failures.push(error instanceof Error ? error.message : String(error)), data);
  };
  const mockWith = (operation: Operation | undefined, records: readonly Json[] | undefined): Promise<ContractMock> =>
    getOrCompute(mocks, records, () => open(operation, records));
  const operationOf = ({ method, target }: WitnessRequest): Operation | undefined => {
    const route = routeTo(contract.operations, method, target);
    return route.kind === 'operation' ? route.operation : undefined;
  };
  return {
    ask: async (request, keyword, records) => {
      const operation = operationOf(request);
      const mock = await mockWith(operation, records);
      const failuresBefore = failures.length;
      const { status, body } = await mock.respond(withKey(request, mock));
      if (failures.length > failuresBefore) return undefined;
      return {
        status,
        code: readCode(contract, status, body),
        ...(records === undefined || operation === undefined || status >= 300 ? {} : { returned: readReturned(operation, keyword, body) }),
      };
    },
    requestedRecord: async ({ method, target, headers }) => {
      const route = routeTo(contract.operations, method, target);
      if (route.kind !== 'operation' || route.operation.resource === undefined || route.operation.resource.by.size === 0) return undefined;
      const { operation, segments } = route;
      const { name, by } = route.operation.resource;
      const mock = await mockWith(operation, undefined);
      const visible = contract.collections.find((each) => each.name === name)?.visible;
      const record = mock
        .recordsOf(name)
        .find((each) => visible === undefined || visible.shown.some((value) => isSameValue(value, valueAt(each, visible.field))));
      const { values } = readRequest(operation, { method, target, headers }, segments);
      return [...by].reduce<JsonObject | undefined>((found, [parameter, field]) => {
        const value = values.get(parameter);
        const changed = found === undefined || value === undefined ? found : withValueAt(found, field, value);
        return isObject(changed) ? changed : undefined;
      }, record);
    },
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
    ...(body === undefined ? {} : { body: printJson(body) }),
  };
}

function readCode({ error }: Contract, status: number, body: string): string | undefined {
  const code = status < 400 || error === undefined ? undefined : valueAt(readJson(body) ?? null, error.code);
  return typeof code === 'string' ? code : undefined;
}

/** The keys of the records in a body, or the total of a witness about totals. */
function readReturned({ collection }: Operation, keyword: string, body: string): Json {
  const value = readJson(body) ?? null;
  if (collection === undefined) return value;
  const { items, key, page } = collection;
  if (keyword === 'page.counts' && 'total' in page) return valueAt(value, page.total ?? '') ?? null;
  const records = valueAt(value, items);
  return Array.isArray(records) ? (records as readonly Json[]).map((record) => valueAt(record, key) ?? null) : null;
}
