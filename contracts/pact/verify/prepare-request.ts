/**
 * Prepares the request of an interaction once its provider states are found: their values replace generators and example identifiers, and the example key is
 * left out. Sends nothing.
 */

import { recordPlacesOf } from '../../../core/annotations/record-place.ts';
import { isObject, type JsonObject } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { Credential, Operation } from '../../../core/openapi/operation.ts';
import { fillPath } from '../../../core/openapi/route-request.ts';
import type { Interaction, Pact } from '../../../core/pact/pact.ts';
import { fillExpression, isStateValue, listRequestGenerators, type StateValue } from '../../../core/pact/state-generators.ts';
import { encodePath, encodeText } from '../../../core/parameters/query-string.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { Call } from '../../verify/evidence/call.ts';
import { anonymous } from '../../verify/evidence/callers.ts';
import { operationFor } from './operation-for-request.ts';
import { type StateFound, type StateMissing, stateMissing } from './state-result.ts';

/** An interaction to verify. */
export interface InteractionTask {
  readonly number: number;
  readonly pact: Pact;
  readonly contract: Contract;
  readonly interaction: Interaction;
}

/** A request that can be sent. */
export interface PreparedRequest {
  readonly kind: 'prepared';
  readonly call: Call;
  /** The provider states as found, all together. */
  readonly states: StateFound;
  /** Pointers where the response may have its record. */
  readonly places: readonly string[];
  /** Values that replaced example identifiers, by field of the record. */
  readonly replaced: ReadonlyMap<string, StateValue>;
}

/** Number of state values that a message lists. */
const listedNames = 12;

/** Prepares a request. If a state value is missing, returns the reason. */
export function prepareRequest({ contract, interaction }: InteractionTask, states: StateFound): PreparedRequest | StateMissing {
  const { request } = interaction;
  const { operation, segments } = operationFor(contract, request.method, request.path);
  const draft: RequestDraft = {
    path: request.path,
    query: new Map(request.query),
    header: new Map(request.headers),
    generated: new Set(),
    replaced: new Map(),
  };
  const missingNames = applyGenerators(draft, request.generators, states, operation);
  if (missingNames.length > 0) {
    const valueNames = [...states.values.keys()];
    const listed = `${valueNames.slice(0, listedNames).join(', ')}${valueNames.length > listedNames ? ', …' : ''}`;
    const summary = valueNames.length === 0 ? 'they give no values' : `they give ${listed}`;
    return stateMissing(`the states give no value for ${[...new Set(missingNames)].join(', ')}; ${summary}`);
  }
  if (interaction.response.status < 400) replaceExamples(draft, operation, segments, interaction, states);
  const carrier = carrierIn(operation, draft);
  // A request without a key that expects 401 is sent without a key.
  const isKeyless = carrier === undefined && interaction.response.status === 401;
  const as = states.as ?? (isKeyless ? anonymous : 'full');
  const call = { ...writeCall(contract, request.method, draft, states.headers), as, ...(carrier === undefined ? {} : { carrier }) };
  return { kind: 'prepared', call, places: recordPlacesOf(contract, operation), states, replaced: draft.replaced };
}

/** Headers of the connection, which the session writes itself. */
const connectionHeaders = /^(?:host|connection|content-length|transfer-encoding|accept-encoding|user-agent)$/;

/** Writes the call of a request, without its example key. */
function writeCall(contract: Contract, method: string, { path, query, header }: RequestDraft, stateHeaders: StateFound['headers']): Call {
  const { operation, segments } = operationFor(contract, method, encodePath(path));
  const sentQuery = [...query].filter(([name]) => !isKey(operation, 'query', name));
  const sentHeaders = [...header].filter(([name]) => !connectionHeaders.test(name) && !isKey(operation, 'header', name));
  return {
    operation,
    segments: Object.fromEntries(segments),
    raw: sentQuery.flatMap(([name, values]) => values.map((value) => `${encodeText(name)}=${encodeText(value)}`)),
    headers: { ...Object.fromEntries(sentHeaders.map(([name, values]) => [name, values.join(', ')])), ...stateHeaders },
  };
}

/** A request while its generators and examples are replaced. */
interface RequestDraft {
  path: string;
  readonly query: Map<string, readonly string[]>;
  readonly header: Map<string, readonly string[]>;
  /** Parts that a generator filled: `path `, `query id`, `header if-none-match`. */
  readonly generated: Set<string>;
  readonly replaced: Map<string, StateValue>;
}

/** Applies the generators of a request, and returns the names without a value. */
function applyGenerators(draft: RequestDraft, generators: JsonObject, { values }: StateFound, operation: Operation): readonly string[] {
  const injections = listRequestGenerators(generators);
  const ordered = (['path', 'query', 'header'] as const).flatMap((part) => injections.filter((each) => each.part === part));
  return ordered.flatMap(({ part, name, index, expression }) => {
    // A key is no state value; the state itself selects the key.
    if (part !== 'path' && isKey(operation, part, name)) return [];
    const { text, missing: names } = fillExpression(expression, values, part === 'path' ? encodeText : undefined);
    if (part === 'path') draft.path = text;
    else {
      const target = draft[part];
      const before = target.get(name) ?? [];
      target.set(name, index === undefined ? [text] : before.map((each, at) => (at === index ? text : each)));
    }
    draft.generated.add(`${part} ${name}`);
    return names;
  });
}

/** True if a query parameter or a header carries a key. */
function isKey({ security }: Operation, part: 'query' | 'header', name: string): boolean {
  return security.flat().some((credential) => isCarriedBy(credential, part, name));
}

/** True if the credential is sent in this query parameter, or in this header (in lower case). */
function isCarriedBy({ carrier }: Credential, part: 'query' | 'header', name: string): boolean {
  if (carrier.in === 'query') return part === 'query' && carrier.name === name;
  return part === 'header' && name === (carrier.in === 'header' ? carrier.name.toLowerCase() : carrier.in);
}

/** Without generators, replaces the example identifiers, ETag and cursor by the values that were found. */
function replaceExamples(
  draft: RequestDraft,
  operation: Operation,
  segments: ReadonlyMap<string, string>,
  { response, states }: Interaction,
  { record, values }: StateFound,
): void {
  const conditionFields = new Set(states.flatMap(({ params }) => (isObject(params['where']) ? Object.keys(params['where']) : [])));
  if (record !== undefined && operation.resource?.name === record.name) {
    for (const [parameter, field] of operation.resource.by) {
      const value = valueAt(record.value, field);
      // A condition on the field itself means exactly this value.
      if (!isStateValue(value) || conditionFields.has(field) || conditionFields.has(field.slice(1))) continue;
      if (replaceIdentifier(draft, operation, segments, parameter, value)) draft.replaced.set(field, value);
    }
  }
  const etag = values.get('etag');
  if (etag !== undefined && response.status === 304) replaceExample(draft, 'header', 'if-none-match', String(etag));
  const page = operation.collection?.page;
  const cursor = values.get('cursor');
  if (cursor !== undefined && page?.style === 'cursor') replaceExample(draft, 'query', page.cursor, String(cursor));
}

function replaceIdentifier(
  draft: RequestDraft,
  operation: Operation,
  segments: ReadonlyMap<string, string>,
  parameter: string,
  value: StateValue,
): boolean {
  if (!segments.has(parameter)) return replaceExample(draft, 'query', parameter, String(value));
  if (draft.generated.has('path ')) return false;
  const replacedSegments = new Map([...segments, [parameter, encodeText(String(value))]]);
  draft.path = fillPath(operation.path, (name) => replacedSegments.get(name) ?? `{${name}}`);
  return true;
}

function replaceExample(draft: RequestDraft, kind: 'query' | 'header', name: string, text: string): boolean {
  const target = draft[kind];
  if (draft.generated.has(`${kind} ${name}`) || !target.has(name)) return false;
  target.set(name, [text]);
  return true;
}

/** Returns the index of the security requirement that a request uses; `undefined` for none. */
function carrierIn({ security }: Operation, draft: RequestDraft): number | undefined {
  const isSent = (credential: Credential): boolean =>
    (['query', 'header'] as const).some((part) => [...draft[part].keys()].some((name) => isCarriedBy(credential, part, name)));
  const found = security.filter((alternative) => alternative.length > 0).findIndex((alternative) => alternative.every(isSent));
  return found < 0 ? undefined : found;
}
