/** A second opinion: PactFlow's comparator of OpenAPI files and pacts. The only door for it. */

import type { Contract } from '../../../core/contract.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import type { Interaction, Pact } from '../../../core/pact.ts';
import { bundle } from './bundle.ts';

/** What the comparator says of one interaction. */
export interface Opinion {
  /** Its own code, such as `request.body.incompatible`. */
  readonly code: string;
  readonly message: string;
  /** Where it stands below the interaction. */
  readonly keys: readonly string[];
}

/** Opinions on the interactions of a pact, by their index. */
export type Opinions = ReadonlyMap<number, readonly Opinion[]>;

/** Compares pacts with one contract. */
export interface SecondOpinion {
  /** @throws {Error} when the comparator cannot read the contract. */
  readonly ask: (pact: Pact) => Promise<Opinions>;
}

/** The part of the library that is used; its own declarations name files in a way that the compiler does not follow. */
interface Library {
  readonly Comparator: new (openapi: object) => Comparator;
}

interface Comparator {
  readonly compare: (pact: object) => AsyncIterable<Result>;
}

interface Result {
  readonly type: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  readonly mockDetails?: { readonly location: string };
}

/** Opens a contract for the comparator, which is loaded when it is first asked: nothing else needs it. */
export function createSecondOpinion({ closed }: Contract): SecondOpinion {
  let opened: Promise<Comparator> | undefined;
  const open = async (): Promise<Comparator> => {
    const library = (await import('@pactflow/openapi-pact-comparator')) as unknown as Library;
    return new library.Comparator(bundle(closed));
  };
  return {
    ask: async (pact) => {
      opened ??= open();
      const comparator = await opened;
      const found = new Map<number, Opinion[]>();
      for await (const { type, code, message, mockDetails } of comparator.compare(plainPact(pact))) {
        const [, index = '', rest = ''] = /^\[root\]\.interactions\[(\d+)\]\.?(.*)$/.exec(mockDetails?.location ?? '') ?? [];
        // Warnings are about what nobody documents, which is no fault of a pact.
        if (type !== 'error' || index === '') continue;
        found.set(Number(index), [...(found.get(Number(index)) ?? []), { code, message, keys: keysOf(rest) }]);
      }
      return found;
    },
  };
}

/** The comparator names places as `response.body.items[0].id`; what it writes otherwise is told at the half of the exchange. */
function keysOf(location: string): readonly string[] {
  return location.split(/[.[\]]/).filter((key) => key !== '');
}

/** The pact in the form of the second version, so that all of them are read in one way. */
function plainPact({ consumer, provider, interactions }: Pact): JsonObject {
  return { consumer: { name: consumer }, provider: { name: provider }, interactions: interactions.map(plainInteraction) };
}

function plainInteraction({ description, request, response }: Interaction): JsonObject {
  const query = [...request.query].flatMap(([name, values]) =>
    values.map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
  );
  return {
    description,
    request: {
      method: request.method,
      path: request.path,
      ...(query.length === 0 ? {} : { query: query.join('&') }),
      headers: plainHeaders(request.headers),
      ...plainBody(request.body),
    },
    response: { status: response.status, headers: plainHeaders(response.headers), ...plainBody(response.body) },
  };
}

function plainBody(body: Json | undefined): JsonObject {
  return body === undefined ? {} : { body };
}

function plainHeaders(headers: ReadonlyMap<string, readonly string[]>): JsonObject {
  return Object.fromEntries([...headers].map(([name, values]) => [name, values.join(', ')]));
}
