/** Fills in missing arguments from one target of the configuration file, before a command reads them. The command line wins. */

import type { WaiverEntry } from '../contracts/verify/waivers.ts';
import { UsageError } from '../core/errors.ts';
import type { Arguments, OptionSpec } from './command.ts';
import type { KeyEnvironment } from './credentials.ts';
import { defaultConfigFile, isTargetName, loadConfig, type NamedVariable, type TargetSettings } from './read-config.ts';

/** Option `--url`. */
export const urlOption: OptionSpec = {
  name: 'url',
  value: 'URL',
  summary: "URL to use instead of the named target's own, such as the URL of a preview deployment.",
};

/** Completed arguments, and the waivers of the configuration. */
export interface Configured {
  readonly args: Arguments;
  readonly waivers: readonly WaiverEntry[] | undefined;
  /** A sentence that names the defaults of the file, if a bare URL takes them. */
  readonly note?: string | undefined;
}

/**
 * Completes arguments from the configuration for one target: with its settings if it is a name, or with the defaults if it is a URL.
 * @throws {UsageError} for an unknown target, a name without a configuration, or a `--url` without a name.
 * @throws {SpecError} for a mistake in the file, or a variable that is not set.
 */
export async function withConfig(args: Arguments, environment: KeyEnvironment, nameOrUrl: string | undefined): Promise<Configured> {
  const { config: namedFile, url } = args.values;
  const config = nameOrUrl === undefined && namedFile === undefined ? undefined : await loadConfig(namedFile);
  const isTarget = nameOrUrl !== undefined && isTargetName(nameOrUrl);
  if (url !== undefined && !isTarget) throw new UsageError('--url replaces the URL of a named target; name the target with --target NAME');
  if (isTarget && config === undefined)
    throw new UsageError(
      `--target ${nameOrUrl} is not a URL, and no ${defaultConfigFile} here defines a target of that name; write --target URL, or create the file with touchstone init`,
    );
  if (nameOrUrl === undefined) return { args, waivers: undefined };
  const uncompleted = { args: { ...args, values: { ...args.values, target: nameOrUrl } }, waivers: undefined };
  if (config === undefined) return uncompleted;
  const target = config.target(nameOrUrl, environment, url);
  // Defaults are written for certain contracts, so they do not apply to a URL with another one.
  if (!isTarget && args.positionals.some((contract) => !target.contracts.includes(contract))) return uncompleted;
  return {
    args: completeArguments(args, target),
    waivers: args.values['waivers'] === undefined ? target.waivers : undefined,
    note: isTarget ? undefined : config.defaultsNote,
  };
}

/** Completes arguments by the settings of a target. The command line wins. */
function completeArguments(args: Arguments, settings: TargetSettings): Arguments {
  return {
    ...args,
    positionals: args.positionals.length > 0 ? args.positionals : settings.contracts,
    values: { ...settings.values, ...args.values, target: settings.url },
    switches: settings.quick ? new Set([...args.switches, 'quick']) : args.switches,
    lists: {
      ...settings.lists,
      ...args.lists,
      key: joinVariables(settings.keys, args.lists['key'] ?? []),
      header: joinVariables(settings.headers, args.lists['header'] ?? []),
    },
  };
}

/** Joins variables of the file with those of the command line, which win. */
function joinVariables(fromFile: readonly NamedVariable[], fromCommandLine: readonly string[]): readonly string[] {
  const replacedNames = new Set(fromCommandLine.map((each) => each.split('=')[0]?.toLowerCase()));
  const included = fromFile.filter(({ name }) => !replacedNames.has(name.toLowerCase()));
  return [...included.map(({ name, variable }) => `${name}=${variable}`), ...fromCommandLine];
}
