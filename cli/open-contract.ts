/**
 * Opens a contract that a user names on the command line: a contract of the package, or a file. `verify`, `replay`, `init`, `rules`, `explain` and the
 * commands of `pact` call it before they run. The mock, `proxy`, `bundle` and `diff` open theirs by functions of their modules.
 */

import { type Contract, loadContract, readContract } from '../core/openapi/contract.ts';
import { contractFile, listShipped } from '../core/shipped-files.ts';
import { nearFile } from './file-paths.ts';

/**
 * Opens a contract. A user's file is checked; the contracts of the package are known to be valid.
 * @throws {UsageError} if the name is neither a contract of the package nor a file.
 * @throws {SpecError} for a mistake in the contract file.
 */
export function openContract(name: string): Promise<Contract> {
  return (listShipped().includes(name) ? readContract : loadContract)(nearFile(contractFile(name)));
}
