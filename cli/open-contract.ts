import { type Contract, type LoadOptions, loadContract, loadUncheckedContract } from '../core/openapi/contract.ts';
import { contractFile, listShipped } from '../core/shipped-files.ts';
import { renderWarnings } from '../reports/contract-file-warnings.ts';
import type { Arguments, OptionSpec, Terminal } from './command.ts';
import { pathFromCurrentFolder } from './relative-paths.ts';

/** The option `--strict`. */
export const strictOption: OptionSpec = {
  name: 'strict',
  summary: 'Reject a contract file that has any mistake. By default, parts that cannot be read are skipped with a warning.',
};

/** Warns about everything in contract files that is set aside or read in one of several ways. */
export function warnAbout(
  contracts: Iterable<Pick<Contract, 'document' | 'setAside' | 'remarks'>>,
  { error }: Pick<Terminal, 'error'>,
): void {
  for (const contract of contracts) {
    const warnings = renderWarnings(contract.document.file, contract);
    if (warnings !== '') error(warnings);
  }
}

/** Warns about each schema of some contracts that cannot be compiled, as soon as a use shows it. */
export function warnAboutSchemas(contracts: Iterable<Contract>, terminal: Pick<Terminal, 'error'>): void {
  for (const { document, validators } of contracts)
    validators.onMistake((mistake) => warnAbout([{ document, setAside: [{ ...mistake, operations: [] }], remarks: [] }], terminal));
}

/**
 * Opens the contracts that a command names, as its switches ask, and warns about what is set aside in them.
 * @throws {UsageError | SpecError} as `openContract` does.
 */
export async function openWithWarnings(
  names: readonly string[],
  { switches }: Arguments,
  terminal: Terminal,
): Promise<readonly Contract[]> {
  const contracts = await Promise.all(names.map((name) => openContract(name, { strict: switches.has('strict') })));
  warnAbout(contracts, terminal);
  return contracts;
}

/**
 * Opens a contract. A user's file is checked; the contracts of the package are known to be valid.
 * @throws {UsageError} if the name is neither a contract of the package nor a file.
 * @throws {SpecError} for a mistake in the contract file.
 */
export function openContract(name: string, options: LoadOptions = {}): Promise<Contract> {
  const file = pathFromCurrentFolder(contractFile(name));
  return listShipped().includes(name) ? loadUncheckedContract(file) : loadContract(file, undefined, options);
}
