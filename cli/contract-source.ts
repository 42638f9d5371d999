/** Contracts as the command line names them: one of the package by its name, or a file. */

import { isAbsolute, relative } from 'node:path';
import { type Contract, loadContract, readContract } from '../core/openapi/contract.ts';
import { contractFile, listShipped } from '../core/shipped.ts';

/**
 * Opens a contract. Those of the package were checked when it was made; a file of the user's may hold any mistake.
 * @throws {UsageError} when the name is neither a contract of the package nor a file.
 * @throws {SpecError} for a mistake in the contract file.
 */
export function openContract(name: string): Promise<Contract> {
  return (listShipped().includes(name) ? readContract : loadContract)(nearFile(contractFile(name)));
}

/** Places of the contract are printed in every report; those below the folder where we are read better from here. */
function nearFile(file: string): string {
  const near = relative('', file);
  return near.startsWith('..') || isAbsolute(near) ? file : near;
}
