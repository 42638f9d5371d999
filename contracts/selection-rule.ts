/** One shape of rule: wrong readings of a filter, told from the right one by the selections that differ most between them. */

import type { Contract } from '../core/contract.ts';
import { rivalsOfKind } from './bounds.ts';
import type { Lab } from './lab.ts';
import type { Finding, Law } from './law.ts';
import { filterPlace } from './list-clause.ts';
import { type FilterRival, filterRivals } from './rival.ts';
import { examineSelections } from './selection.ts';
import type { Universe } from './universe.ts';
import { isList, type ListOperation, requireList, type Values } from './walk.ts';

/** A rule of this shape: its texts, and its data. */
export interface SelectionRule extends Omit<Law, 'clause' | 'examine'> {
  /** The kinds of wrong readings that the contract's filters may have. */
  readonly kinds: readonly string[];
  /** The filters that the rule is about. */
  readonly filters: (contract: Contract, list: ListOperation) => readonly string[];
  /** Wrong readings beside those that the contract knows. */
  readonly more?: (universe: Universe, filters: readonly string[]) => readonly FilterRival[];
  /** The selections to choose from. */
  readonly candidates: (lab: Lab, universe: Universe, filters: readonly string[]) => readonly Values[];
  /** How often each wrong reading is refuted; twice unless said otherwise. */
  readonly times?: number;
  /** The rule that names what no wrong reading explains; `filters/complete` unless said otherwise. */
  readonly otherwise?: string;
  /** Findings in what other rules asked, besides those of the selections. */
  readonly alsoJudge?: (lab: Lab, universe: Universe) => readonly Finding[];
  /** Whether a finding concerns the rule; all do unless said otherwise. */
  readonly concerns?: (finding: Finding) => boolean;
}

/** Makes the rule of its data. It is stated where the first filter with such a wrong reading is. */
export function selectionRule({ kinds, filters, more, candidates, times, otherwise, alsoJudge, concerns, ...rule }: SelectionRule): Law {
  const readings = (contract: Contract, list: ListOperation): readonly FilterRival[] =>
    rivalsOfKind(filterRivals(contract, list), filters(contract, list), kinds);
  return {
    ...rule,
    clause: (operation, contract) => {
      const list = isList(operation) ? requireList(operation) : undefined;
      const known = list === undefined ? undefined : readings(contract, list)[0]?.parameters[0];
      const parameter = known ?? (list === undefined || kinds.length > 0 ? undefined : filters(contract, list)[0]);
      return list === undefined || parameter === undefined ? undefined : filterPlace(list, parameter);
    },
    examine: async (lab, operation) => {
      const list = requireList(operation);
      const universe = await lab.universe(list);
      const names = filters(lab.contract, list);
      const plan = {
        rivals: [...readings(lab.contract, list), ...(more?.(universe, names) ?? [])],
        candidates: candidates(lab, universe, names),
        otherwise: otherwise ?? 'filters/complete',
        ...(times === undefined ? {} : { times }),
      };
      const { rivals, judge } = await examineSelections(lab, list, plan);
      return { rivals, judge: () => [...judge().filter((finding) => concerns?.(finding) ?? true), ...(alsoJudge?.(lab, universe) ?? [])] };
    },
  };
}
