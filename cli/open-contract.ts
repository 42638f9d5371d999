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
