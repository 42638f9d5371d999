/**
 * The opener of a contract that a user names on the command line: a contract of the package, or a file. `verify-options.ts`, `replay-command.ts`,
 * `init-command.ts`, `rule-commands.ts`, `open-pacts-with-contracts.ts` and `pact-check-command.ts` call it for each contract before they run. `npm run docs`
 * opens the contracts of the package by it. `mock`, `proxy`, `exam` and `bundle` leave it to `mocks/load-contracts.ts`, and `diff` to
 * `contracts/diff/load-contract-pair.ts`.
 */

import { type Contract, loadContract, loadUncheckedContract } from '../core/openapi/contract.ts';
import { contractFile, listShipped } from '../core/shipped-files.ts';
import { pathFromCurrentFolder } from './relative-paths.ts';

/**
 * Opens a contract. A user's file is checked; the contracts of the package are known to be valid.
 * @throws {UsageError} if the name is neither a contract of the package nor a file.
 * @throws {SpecError} for a mistake in the contract file.
 */
export function openContract(name: string): Promise<Contract> {
  return (listShipped().includes(name) ? loadUncheckedContract : loadContract)(pathFromCurrentFolder(contractFile(name)));
}
