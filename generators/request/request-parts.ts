/** Requests in parts: which values, whose key, what body and how they are written, before they are put together. */

import { type Arbitrary, constant, constantFrom, nat, tuple } from 'fast-check';
import type { Json } from '../../core/json.ts';
import type { Operation } from '../../core/operation.ts';
import type { Parameter } from '../../core/parameter.ts';
import { Unsatisfiable } from '../outcome.ts';
import { type Body, bodiesFor } from './body.ts';
import { type Choices, choices } from './choice-stream.ts';
import type { RequestOptions } from './generated-request.ts';
import { putInOrder, type Values } from './ordering.ts';
import { valuesOf } from './parameter-values.ts';
import { type Focus, presenceFor } from './presence.ts';
import { type Proof, proofsFor } from './proof.ts';

/** The parts of one request. */
export interface RequestParts {
  readonly values: Values;
  /** Texts that are sent as they are in place of a value, by parameter; for one of the query with its name: `limit=abc`. */
  readonly texts: ReadonlyMap<string, string>;
  /** Further pairs of the query. */
  readonly pairs: readonly string[];
  readonly proof: Proof;
  readonly body: Body | undefined;
  readonly choices: Choices;
}

/** What requests to one operation are made from. */
export interface Desk {
  readonly operation: Operation;
  readonly options: RequestOptions;
  /** The parameters that can be sent, with the values that they can be sent with. */
  readonly sendable: readonly { readonly parameter: Parameter; readonly values: Arbitrary<Json> }[];
  /**
   * The parts of requests that the contract allows, in view of wishes about their parameters.
   * @throws {Unsatisfiable} when the parameter rules allow none.
   */
  readonly parts: (focus?: Focus) => Arbitrary<RequestParts>;
}

/**
 * Makes what requests to an operation are made from.
 * @throws {UsageError} for a known value or a key that cannot be sent.
 * @throws {Unsatisfiable} when a required part cannot be had.
 * @throws {Unsupported} when a part cannot be generated.
 */
export function openDesk(operation: Operation, options: RequestOptions): Desk {
  const sendable = operation.parameters.flatMap((parameter) => {
    const values = valuesOf(operation, parameter, options);
    return values === undefined ? [] : [{ parameter, values }];
  });
  const keys = sendable.map(({ parameter }) => parameter.key);
  const drawn = tuple(...sendable.map(({ values }) => values)).map((list) =>
    list.map((value, index) => [keys[index] ?? '', value] as const),
  );
  const proofs = constantFrom(...proofsFor(operation, options));
  const bodies = bodiesFor(operation) ?? constant(undefined);
  const ties = nat({ max: 3 }).map((number) => number === 3);
  return {
    operation,
    options,
    sendable,
    parts: (focus) =>
      tuple(presenceFor(operation, keys, focus), drawn, ties, proofs, bodies, choices).map(
        ([present, all, isTie, proof, body, written]) => {
          const values = new Map(all.filter(([key]) => present.has(key)));
          return { values: putInOrder(operation, values, isTie), texts: new Map(), pairs: [], proof, body, choices: written };
        },
      ),
  };
}

/** The parts of requests for a wish that the parameter rules may not allow; none where they do not. */
export function partsOrNone(desk: Desk, focus: Focus): readonly Arbitrary<RequestParts>[] {
  try {
    return [desk.parts(focus)];
  } catch (error) {
    if (error instanceof Unsatisfiable) return [];
    throw error;
  }
}
