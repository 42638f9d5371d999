/** What a world is: the content that a mock serves. Only worlds know what the records of an API mean. */

import type { Contract } from '../core/contract.ts';
import type { JsonObject } from '../core/json.ts';

/** Who is asking, as far as content depends on it (an identity endpoint tells the caller about its own key). */
export interface WorldCaller {
  /** The role of the key, as the mock prints it: `full`, `other`, `expired`, `without:SCOPE`, … */
  readonly role: string;
  /** The scopes that the key carries. */
  readonly scopes: readonly string[];
}

/** The content of one API at one instant. */
export interface World {
  /**
   * The tenants, each named by the key role that it is reached by; the first is the one that the keys `full`, `expired` and `without:SCOPE`
   * belong to. An API without keys has one tenant.
   */
  readonly tenants: readonly string[];
  /**
   * Every record of a collection, in no particular order, hidden ones included, with all fields of its most detailed view.
   * The same array for the same arguments, each time.
   */
  records(tenant: string, collection: string): readonly JsonObject[];
  /** Fields that stand beside the items of a list answer, such as the business that they belong to. */
  head(tenant: string, collection: string): JsonObject | undefined;
  /** A resource that exists at most once for a tenant; `undefined` when the tenant has none. */
  resource(tenant: string, name: string, view: string | undefined, caller: WorldCaller): JsonObject | undefined;
}

/** The content of one API through time: a pure function of the instant. */
export interface LivingWorld {
  readonly tenants: readonly string[];
  /** The content at an instant, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly at: (nowMs: number) => World;
}

/** Content that is the same at every instant. */
export function unchanging(world: World): LivingWorld {
  return { tenants: world.tenants, at: () => world };
}

/** What a world is made from. The same values give the same bytes on any machine. */
export interface WorldOptions {
  /** Chooses among worlds; a whole number of at least 0. */
  readonly seed: number;
  /** The world's instant, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly nowMs: number;
}

/** A kind of world, and which contracts it has content for. */
export interface WorldSource {
  /** Whether this source has content for every collection and resource of the contract. */
  serves(contract: Contract): boolean;
  /** The world itself: a pure function of its arguments. */
  create(contract: Contract, options: WorldOptions): World;
}
