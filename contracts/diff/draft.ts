/** Differences before they are gathered: one at one operation, with the way to look for its witness. */

import type { Affected, HalfOfExchange, Level, Side, Witness } from '../../core/change.ts';

/** What a search for a witness came to. */
export type Evidence =
  | { readonly verdict: 'witnessed'; readonly witness: Witness }
  | { readonly verdict: 'proved' }
  | { readonly verdict: 'unwitnessed'; readonly tried: number };

/** One difference, at one operation. */
export interface Draft {
  readonly id: string;
  readonly level: Level;
  /** The operation, such as `GET /things/{id}`; `undefined` for what belongs to none. */
  readonly operation: string | undefined;
  readonly direction: HalfOfExchange | undefined;
  readonly location: string;
  readonly before: Side;
  readonly after: Side;
  /** What tells it apart from others of the same rule at the same lines: the name or the value that it is about. */
  readonly subject: string;
  /** The rule without where it is met, for what several uses share; the id unless given. */
  readonly rule?: string;
  readonly text: string;
  readonly reason: string;
  readonly affects: readonly Affected[];
  /** Looks for what shows it. Costly, so it is asked once for all operations that share the difference. */
  readonly find: (() => Evidence) | undefined;
}

/** The members of a draft that depend on its level alone, unless a rule has more to say. */
export function consequences(level: Level, direction: HalfOfExchange | undefined): Pick<Draft, 'reason' | 'affects'> {
  return { reason: reasons[level][direction ?? 'both'], affects: level === 'documentation' || level === 'compatible' ? [] : ['clients'] };
}

const reasons: Readonly<Record<Level, Readonly<Record<HalfOfExchange | 'both', string>>>> = {
  breaking: {
    request: 'A deployed client may still send what was allowed before, and is refused.',
    response: 'A deployed client may now receive what it was never told of.',
    both: 'A deployed client that relies on the old contract fails.',
  },
  risky: {
    request: 'Nothing that was promised is lost, but clients that sent more than that may notice.',
    response: 'Nothing that was promised is lost, but clients that relied on a hint may notice.',
    both: 'Nothing that was promised is lost, but some clients may notice.',
  },
  compatible: {
    request: 'Every request that was allowed before is still allowed.',
    response: 'Clients receive nothing that they were not told of.',
    both: 'Clients of the old contract are served as before.',
  },
  documentation: {
    request: 'No request is treated otherwise.',
    response: 'No answer changes.',
    both: 'No exchange changes.',
  },
};
