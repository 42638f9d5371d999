/** The entry point `touchstone/diff`: compares two versions of a contract. */

export { SpecError, UsageError } from '../../core/errors.ts';
export type {
  AcceptedChange,
  AffectedParty,
  Change,
  ChangeLevel,
  ChangeSide,
  ChangeVerdict,
  ChangeWitness,
  ComparedContract,
  ContractComparison,
  HalfOfExchange,
  VersionAdvice,
  VersionStep,
  WitnessExchange,
} from '../../core/results/contract-change.ts';
export { type Acceptance, readAcceptances } from './acceptance.ts';
export { type CompareOptions, compareContracts } from './compare-contracts.ts';
