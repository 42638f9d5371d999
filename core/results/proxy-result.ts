/** The report of `touchstone proxy` on the traffic between a client and a real service. */

import type { SourceLocation } from '../errors.ts';
import type { ClientReport } from './client-result.ts';

/** A mistake in individual requests or responses of one operation. */
export interface ProxyFinding {
  /** The half of the exchange that is wrong. */
  readonly half: 'request' | 'response';
  /** The name of the contract. */
  readonly contract: string;
  /** The id of the operation; `null` for an unknown path or method. */
  readonly operation: string | null;
  /** The place in the request or response, such as a parameter or a JSON Pointer into the body, and the kind of mistake. */
  readonly subject: string;
  /** The first of these mistakes, in one sentence. */
  readonly message: string;
  /** Place of the clause in the contract. */
  readonly source: SourceLocation;
  /** Number of exchanges with this mistake. */
  readonly count: number;
  /** Number of the first exchange with it. */
  readonly exchange: number;
}

/** Bodies of one operation that were not compared with their schema, for one reason. */
export interface NotCompared {
  /** The half of the exchange. */
  readonly half: 'request' | 'response';
  /** The name of the contract. */
  readonly contract: string;
  /** The id of the operation; `null` for an unknown path or method. */
  readonly operation: string | null;
  /** The reason, as a clause: `image/png is binary`. */
  readonly reason: string;
  /** Number of such bodies. */
  readonly count: number;
}

/** The report on the traffic through a proxy. */
export interface ProxyReport {
  /** Version of the format. */
  readonly schema: 'touchstone-proxy/1';
  /** URL of the real service. */
  readonly target: string;
  /** Number of exchanges. */
  readonly exchanges: number;
  /** Number of requests without a response from the target. */
  readonly unanswered: number;
  /** Mistakes in individual requests and responses, in the order of their first exchanges. */
  readonly findings: readonly ProxyFinding[];
  /** Bodies that were not compared, in the order of their first exchanges. */
  readonly notCompared: readonly NotCompared[];
  /** Mistakes in the sequence of the requests. */
  readonly client: ClientReport;
}
