/** What a target of the configuration means for pacts: where it is, the contract of the provider, keys and pace. The rest of it is about laws. */

import type { Arguments } from './command.ts';
import { withConfig } from './config-arguments.ts';
import type { Environment } from './verify-keys.ts';

/** What requires, selects and reports laws in the configuration does none of it for interactions. */
const numbers = ['rate', 'budget', 'timeout'] as const;

/**
 * Completes arguments whose `--target` is a name of the configuration, as `touchstone verify` does it.
 * @throws {UsageError} when there is no such target, or no configuration.
 * @throws {SpecError} for a mistake in the file, and for a variable that it names and that is not set.
 */
export async function withPactTarget(given: Arguments, environment: Environment): Promise<Arguments> {
  // The words of this command line name pacts, and those of a completed one the contract.
  const { given: complete } = await withConfig({ ...given, positionals: [] }, environment);
  const named = numbers.flatMap((name) => (complete.values[name] === undefined ? [] : [[name, complete.values[name]] as const]));
  return {
    ...given,
    values: { ...given.values, ...Object.fromEntries(named), target: complete.values['target'] },
    lists: {
      ...given.lists,
      api: given.lists['api'] ?? complete.positionals,
      key: complete.lists['key'] ?? [],
      header: complete.lists['header'] ?? [],
    },
  };
}
