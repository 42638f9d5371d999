/**
 * Prepares the request of an interaction: values of the provider states replace generators or example identifiers. In each round, `verify-in-rounds.ts` calls
 * it for each interaction whose states were found. `judge-interaction.ts`, `write-prepared-pact.ts`, `verify-pacts.ts`, `check-response-fits-request.ts` and
 * `compare-related-responses.ts` take only its types. It sends nothing; `convert-pact-request-to-call.ts` converts the requests that Pact then sends.
 */

import { recordPlacesOf } from '../../../core/annotations/record-place-in-single-read.ts';
import { isObject, type JsonObject } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import type { Interaction, Pact } from '../../../core/pact/pact.ts';
import { fillExpression, isStateValue, listRequestGenerators, type StateValue } from '../../../core/pact/state-generators.ts';
import { encodeText } from '../../../core/parameters/query-string.ts';
import { valueAt } from '../../../core/pointer.ts';
import { anonymous } from '../../verify/evidence/callers-and-keys.ts';
import { headerOfCredential, isKeyHeader, operationFor, type Sender } from './convert-pact-request-to-call.ts';
import { type StateFound, type StateMissing, stateMissing } from './state-result.ts';

/** An interaction to verify. */
export interface InteractionTask {
  readonly number: number;
  readonly pact: Pact;
  readonly contract: Contract;
  readonly interaction: Interaction;
}

/** An interaction whose request is prepared. */
export interface ReadyInteraction {
  readonly task: InteractionTask;
  readonly prepared: PreparedRequest;
}

/** A request that can be sent. */
export interface PreparedRequest {
  readonly kind: 'prepared';
  /** The path with its values, percent-encoded. */
  readonly path: string;
  readonly query: ReadonlyMap<string, readonly string[]>;
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly sender: Sender;
  readonly operation: Operation;
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
  const carrier = carrierIn(operation, new Set(draft.header.keys()), new Set(draft.query.keys()));
  // A request without a key that expects 401 is sent without a key.
  const isKeyless = carrier === undefined && interaction.response.status === 401;
  const as = states.as ?? (isKeyless ? anonymous : 'full');
  const { path, query, header, replaced } = draft;
  const sender = { as, carrier, headers: states.headers ?? {} };
  return {
    kind: 'prepared',
    path,
    query,
    headers: header,
    operation,
    places: recordPlacesOf(contract, operation),
    states,
    replaced,
    sender,
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

function isKey({ security }: Operation, kind: 'query' | 'header', name: string): boolean {
  const credentials = security.flat();
  if (kind === 'header') return isKeyHeader(credentials, name);
  return credentials.some(({ carrier }) => carrier.in === 'query' && carrier.name === name);
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
  draft.path = operation.path.replaceAll(/\{([^}]+)\}/g, (all, name: string) => replacedSegments.get(name) ?? all);
  return true;
}

function replaceExample(draft: RequestDraft, kind: 'query' | 'header', name: string, text: string): boolean {
  const target = draft[kind];
  if (draft.generated.has(`${kind} ${name}`) || !target.has(name)) return false;
  target.set(name, [text]);
  return true;
}

/** Returns the index of the security requirement that a request uses; `undefined` for none. */
function carrierIn(operation: Operation, headers: ReadonlySet<string>, query: ReadonlySet<string>): number | undefined {
  const requirements = operation.security.filter((alternative) => alternative.length > 0);
  const found = requirements.findIndex((alternative) =>
    alternative.every((credential) =>
      credential.carrier.in === 'query' ? query.has(credential.carrier.name) : headers.has(headerOfCredential(credential) ?? ''),
    ),
  );
  return found < 0 ? undefined : found;
}
