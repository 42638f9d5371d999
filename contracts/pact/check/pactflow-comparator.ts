/**
 * Adapter of PactFlow's openapi-pact-comparator, a second check of each interaction. `check-pacts.ts` creates one comparator for each contract, and runs it
 * once for each pact. No other file imports the library, which needs the contract as one document. The choice of the errors that count is left to
 * `check-pacts.ts`.
 */

import type { Json, JsonObject } from '../../../core/json.ts';
import { bundleDocument } from '../../../core/openapi/bundle-document.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { Interaction, Pact } from '../../../core/pact/pact.ts';

/** One error that the comparator reports. */
export interface ComparatorFinding {
  /** The comparator's code, such as `request.body.incompatible`. */
  readonly code: string;
  readonly message: string;
  /** Keys below the interaction. */
  readonly keys: readonly string[];
}

/** Errors by the index of their interaction. */
type ComparatorFindings = ReadonlyMap<number, readonly ComparatorFinding[]>;

/**
 * Compares a pact with one contract.
 * @throws {Error} when the comparator cannot read the contract.
 */
export type RunComparator = (pact: Pact) => Promise<ComparatorFindings>;

/** The part of the library that is used; TypeScript cannot resolve the library's own declarations. */
interface ComparatorLibrary {
  readonly Comparator: new (openapi: object) => Comparator;
}

interface Comparator {
  readonly compare: (pact: object) => AsyncIterable<ComparatorResult>;
}

interface ComparatorResult {
  readonly type: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  readonly mockDetails?: { readonly location: string };
}

/** Creates the comparator of a contract. The library is loaded on first use, since only this check needs it. */
export function createComparator({ closed }: Contract): RunComparator {
  let opened: Promise<Comparator> | undefined;
  const open = async (): Promise<Comparator> => {
    const library = (await import('@pactflow/openapi-pact-comparator')) as unknown as ComparatorLibrary;
    return new library.Comparator(bundleDocument(closed));
  };
  return async (pact) => {
    opened ??= open();
    const comparator = await opened;
    const findings = new Map<number, ComparatorFinding[]>();
    for await (const { type, code, message, mockDetails } of comparator.compare(toPactV2(pact))) {
      const [, index = '', rest = ''] = /^\[root\]\.interactions\[(\d+)\]\.?(.*)$/.exec(mockDetails?.location ?? '') ?? [];
      // Warnings concern parts that the contract does not document. The pact does not cause them.
      if (type !== 'error' || index === '') continue;
      findings.set(Number(index), [...(findings.get(Number(index)) ?? []), { code, message, keys: splitLocation(rest) }]);
    }
    return findings;
  };
}

/** Splits a location such as `response.body.items[0].id` into keys. */
function splitLocation(location: string): readonly string[] {
  return location.split(/[.[\]]/).filter((key) => key !== '');
}

/** Writes the pact in version 2 of the specification, so that every version is compared in the same way. */
function toPactV2({ consumer, provider, interactions }: Pact): JsonObject {
  return { consumer: { name: consumer }, provider: { name: provider }, interactions: interactions.map(toInteractionV2) };
}

function toInteractionV2({ description, request, response }: Interaction): JsonObject {
  const query = [...request.query].flatMap(([name, values]) =>
    values.map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
  );
  return {
    description,
    request: {
      method: request.method,
      path: request.path,
      ...(query.length === 0 ? {} : { query: query.join('&') }),
      headers: toHeadersV2(request.headers),
      ...toBodyV2(request.body),
    },
    response: { status: response.status, headers: toHeadersV2(response.headers), ...toBodyV2(response.body) },
  };
}

function toBodyV2(body: Json | undefined): JsonObject {
  return body === undefined ? {} : { body };
}

function toHeadersV2(headers: ReadonlyMap<string, readonly string[]>): JsonObject {
  return Object.fromEntries([...headers].map(([name, values]) => [name, values.join(', ')]));
}
