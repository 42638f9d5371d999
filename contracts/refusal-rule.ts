/** One shape of rule: requests that the contract refuses outright are refused, with the status that it documents. */

import type { Contract } from '../core/contract.ts';
import type { Law } from './law.ts';
import { type Attempt, documents, examineRefusals } from './refusal.ts';
import { isList, type ListOperation, requireList } from './walk.ts';

/** A rule of this shape: its texts, and the requests. */
export interface RefusalRule extends Omit<Law, 'clause' | 'examine'> {
  /** The requests, those first that quick runs make. */
  readonly attempts: (contract: Contract, list: ListOperation) => readonly Attempt[];
}

/** Makes the rule of its data. It is stated where the first parameter that can be wrong is. */
export function refusalRule({ attempts, ...rule }: RefusalRule): Law {
  return {
    ...rule,
    clause: (operation, contract) => {
      if (!isList(operation) || !documents(operation, 'invalid')) return undefined;
      const [first] = attempts(contract, requireList(operation));
      return first === undefined ? undefined : (first.clause ?? operation.place);
    },
    examine: async (lab, operation) => {
      const all = attempts(lab.contract, requireList(operation));
      return examineRefusals(lab, operation, 'invalid', lab.quick ? all.slice(0, 1) : all);
    },
  };
}
