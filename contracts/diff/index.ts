/**
 * The entry point `touchstone/diff`: compares two versions of a contract. It loads no mock.
 *
 * @module touchstone/diff
 */

export { type SourceLocation, SpecError, UsageError } from '../../core/errors.ts';
export type { Json, JsonNumber, JsonObject } from '../../core/json.ts';
export type { ReadText } from '../../core/openapi/document.ts';
export type { UnrecognisedState } from '../../core/pact/interpret-state.ts';
export type {
  AcceptedChange,
  AffectedConsumer,
  AffectedParty,
  Change,
  ChangeConsequence,
  ChangeLevel,
  ChangeSide,
  ChangeVerdict,
  ChangeWitness,
  ComparedContract,
  ContractComparison,
  FullSchemaSearches,
  HalfOfExchange,
  NotCompared,
  VersionAdvice,
  VersionStep,
  WitnessExchange,
  WitnessResponse,
} from '../../core/results/diff-result.ts';
export type {
  CheckedInteraction,
  CheckedPact,
  OpenQuestion,
  PactCheck,
  PactFinding,
  PactGrade,
  PactRemark,
} from '../../core/results/pact-check-result.ts';
export type { Waiver } from '../../core/results/run-result.ts';
export { type Acceptance, readAcceptances } from './acceptance.ts';
export { type CompareOptions, compareContracts } from './compare-contracts.ts';
export type { LevelSetting } from './level-settings.ts';
