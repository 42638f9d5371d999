/**
 * Opens the contracts that users name on the command line: a contract of the package by name, or a file. The commands on contracts and pacts call it
 * before they run. The mock and `diff` open theirs themselves.
 */

import { isAbsolute, relative } from 'node:path';
import { type Contract, loadContract, readContract } from '../core/openapi/contract.ts';
import { contractFile, listShipped } from '../core/shipped-files.ts';

/**
 * Opens a contract. A user's file is checked; the contracts of the package are known to be valid.
 * @throws {UsageError} if the name is neither a contract of the package nor a file.
 * @throws {SpecError} for a mistake in the contract file.
 */
export function openContract(name: string): Promise<Contract> {
  return (listShipped().includes(name) ? readContract : loadContract)(nearFile(contractFile(name)));
}

/** Writes a path below the current folder as a relative path, since reports print it. */
export function nearFile(file: string): string {
  const near = relative('', file);
  return near.startsWith('..') || isAbsolute(near) ? file : near;
}
