/** The entry point `touchstone/vitest`: a contract as a suite of tests. */

export { type ContractSuiteOptions, describeContract, type Later } from './describe-contract.ts';
