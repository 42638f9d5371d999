/** From a target of the configuration to the arguments of a command line: what is given there wins. */

import type { WaiverEntry } from '../contracts/waiver.ts';
import { SpecError, UsageError } from '../core/errors.ts';
import { createRedactor } from '../core/redaction.ts';
import type { Arguments, OptionSpec } from './command.ts';
import { type Config, type ConfigTarget, loadConfig, type NamedVariable, usualConfig } from './config.ts';
import type { Environment } from './verify-keys.ts';

/** The option that names the file. */
export const configOption: OptionSpec = {
  name: 'config',
  value: 'FILE',
  summary: `The file that has targets by name. Default ${usualConfig} in the current folder, when there is one.`,
};

/** Arguments that are complete, and the waivers that the configuration itself has. */
export interface Configured {
  readonly given: Arguments;
  readonly waivers: readonly WaiverEntry[] | undefined;
}

/**
 * Completes arguments whose `--target` is a name of the configuration; an address stays as it is.
 * @throws {UsageError} when there is no such target, or no configuration.
 * @throws {SpecError} for a mistake in the file, and for a variable that it names and that is not set.
 */
export async function withConfig(given: Arguments, environment: Environment): Promise<Configured> {
  const { target: name, config: named } = given.values;
  const isName = name !== undefined && /^[a-z][a-z0-9-]*$/i.test(name);
  // A file that is named is read in any case, since whoever names one wants to know what is wrong with it.
  const config = isName || named !== undefined ? await loadConfig(named) : undefined;
  if (!isName) return { given, waivers: undefined };
  if (config === undefined)
    throw new UsageError(
      `--target ${name} is no address, and there is no ${usualConfig} here that has a target of that name; write --target URL, or make the file with touchstone init`,
    );
  const target = config.target(name);
  requireVariables([...target.keys, ...target.headers], environment);
  refuseValues(config, target, environment);
  return {
    given: complete(given, target),
    waivers: typeof target.waivers === 'object' && given.values['waivers'] === undefined ? target.waivers : undefined,
  };
}

function complete(given: Arguments, target: ConfigTarget): Arguments {
  const { contract, waivers } = target;
  const list = (name: string, fallback: readonly string[]): readonly string[] => given.lists[name] ?? fallback;
  return {
    positionals: given.positionals.length > 0 || contract === undefined ? given.positionals : [contract],
    values: { ...target.values, ...(typeof waivers === 'string' ? { waivers } : {}), ...given.values, target: target.url },
    switches: target.quick ? new Set([...given.switches, 'quick']) : given.switches,
    lists: {
      ...given.lists,
      key: joinVariables(target.keys, list('key', [])),
      header: joinVariables(target.headers, list('header', [])),
      hidden: list('hidden', target.hidden),
      only: list('only', target.only),
      skip: list('skip', target.skip),
      report: list('report', target.reports),
    },
  };
}

/** Those of the file that the command line does not name, and then those of the command line. */
function joinVariables(named: readonly NamedVariable[], given: readonly string[]): readonly string[] {
  const taken = new Set(given.map((each) => each.split('=')[0]?.toLowerCase()));
  return [...named.filter(({ name }) => !taken.has(name.toLowerCase())).map(({ name, variable }) => `${name}=${variable}`), ...given];
}

function requireVariables(named: readonly NamedVariable[], environment: Environment): void {
  const missing = named.find(({ variable }) => environment[variable] === undefined);
  if (missing === undefined) return;
  const { name, variable, place } = missing;
  throw new SpecError(
    place,
    `the variable ${variable}, which ${name} names, is not set in the environment; export ${variable}=…, or remove the line`,
  );
}

/** A key may stand in a comment, or under a name where nobody looks for one. */
function refuseValues(config: Config, target: ConfigTarget, environment: Environment): void {
  const secrets = [...target.keys, ...target.headers]
    .map(({ variable }) => ({ name: variable, value: environment[variable] ?? '' }))
    .filter(({ value }) => value.length >= 8);
  const lines = config.text.split('\n');
  const { find } = createRedactor(secrets);
  const line = lines.findIndex((text) => find(text) !== undefined);
  if (line < 0) return;
  const { name } = find(lines[line] ?? '') ?? { name: '' };
  throw new SpecError(
    { file: config.file, line: line + 1, column: 1 },
    `the value of the variable ${name} stands in this line; a key never goes into a file: remove it, and get a new one if others could read it`,
  );
}
