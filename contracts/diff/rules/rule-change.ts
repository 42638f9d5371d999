/** Differences of the rules of two contracts: as they are found, and as they are told. */

import type { Affected, Change, HalfOfExchange, Level, Side, Witness } from '../../../core/change.ts';
import { levels } from '../../../core/change.ts';

/** A change of a rule, complete but for its fingerprint. */
export type RuleChange = Omit<Change, 'fingerprint'>;

/** What a search for a witness came to, after so many candidates. */
export interface Search {
  readonly tried: number;
  readonly witness: Witness | undefined;
}

/** A difference at one place, before it is put together with others of the same cause, and before its witness is looked for. */
export interface Finding {
  readonly id: string;
  readonly level: Level;
  /** The operations that it reaches, such as `GET /things`. */
  readonly operations: readonly string[];
  readonly direction: HalfOfExchange | undefined;
  readonly location: string;
  readonly before: Side;
  readonly after: Side;
  readonly text: string;
  readonly reason: string;
  readonly affects: readonly Affected[];
  /** What it comes from: findings of one cause are one change. */
  readonly cause: string;
  /** Looks for what shows it; `undefined` where the evaluators cannot show it. */
  readonly search: (() => Search) | undefined;
}

/** The graver of two rulings; the first where they are equal. */
export function graver<T extends { readonly level: Level }>(left: T, right: T): T {
  return levels.indexOf(right.level) < levels.indexOf(left.level) ? right : left;
}

/** Findings as changes: those of one cause are one change that reaches several operations, and what can be shown is shown. */
export function toChanges(findings: readonly Finding[]): readonly RuleChange[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) groups.set(finding.cause, [...(groups.get(finding.cause) ?? []), finding]);
  return [...groups.values()].flatMap(toChange);
}

function toChange(group: readonly Finding[]): readonly RuleChange[] {
  const [first] = group;
  if (first === undefined) return [];
  const operations = [...new Set(group.flatMap((finding) => finding.operations))];
  const searches = group.flatMap(({ search }) => search ?? []);
  const { cause: _cause, search: _search, ...told } = first;
  return [{ ...told, operation: operations[0], operations, ...conclude(searches) }];
}

/** One of the operations that a change reaches is enough to show it. */
function conclude(searches: readonly (() => Search)[]): Pick<RuleChange, 'verdict' | 'tried' | 'witness'> {
  if (searches.length === 0) return { verdict: undefined, witness: undefined };
  let tried = 0;
  for (const search of searches) {
    const result = search();
    if (result.witness !== undefined) return { verdict: 'witnessed', witness: result.witness };
    tried += result.tried;
  }
  return { verdict: 'unwitnessed', tried, witness: undefined };
}
