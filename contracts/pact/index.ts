/** The entry point `touchstone/pact`: checks pacts against contracts, and verifies a server against pacts. */

export { SpecError, UsageError } from '../../core/errors.ts';
export { type Contract, loadContract } from '../../core/openapi/contract.ts';
export type { CheckedInteraction, CheckedPact, PactCheck, PactFinding, PactGrade } from '../../core/pact/check-result.ts';
export type { Interaction, Pact } from '../../core/pact/pact.ts';
export { type PactFiles, readPacts } from '../../core/pact/pact-folder.ts';
export type { InteractionResult, InteractionVerdict, PactFailure, PactVerification } from '../../core/pact/verify-result.ts';
export { contractFile, pactsFolder } from '../../core/shipped.ts';
export { type CheckPactsOptions, checkPacts } from './check/check-pacts.ts';
export { type VerifyPactsOptions, verifyPacts } from './verify/verify-pacts.ts';
