/** Opens contracts that the command line names: a contract of the package by name, or a file. */

import { isAbsolute, relative } from 'node:path';
import { type Contract, loadContract, readContract } from '../core/openapi/contract.ts';
import { contractFile, listShipped } from '../core/shipped.ts';

/**
 * Opens a contract. Contracts of the package are valid; a user's file is checked.
 * @throws {UsageError} if the name is neither a contract of the package nor a file.
 * @throws {SpecError} for a mistake in the contract file.
 */
export function openContract(name: string): Promise<Contract> {
  return (listShipped().includes(name) ? readContract : loadContract)(nearFile(contractFile(name)));
}

/** Shortens paths below the current folder, since reports print them. */
function nearFile(file: string): string {
  const near = relative('', file);
  return near.startsWith('..') || isAbsolute(near) ? file : near;
}
