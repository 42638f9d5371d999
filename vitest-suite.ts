/** The face of `touchstone/vitest`: a contract as a suite of tests. */

export { type ContractSuiteOptions, describeContract, type Later } from './contracts/vitest/describe-contract.ts';
