/**
 * The configuration file touchstone.config.yaml: targets by name, each with its options, meanings of provider states and levels. `verify`, `pact check`,
 * `pact verify` and `diff` complete their arguments from it before they run. It never holds keys, only names of environment variables.
 */

import { dirname, join } from 'node:path';
import type { LevelSetting } from '../contracts/diff/level-settings.ts';
import { readTargetUrl } from '../contracts/verify/target/target-address.ts';
import { toWaivers, type WaiverEntry } from '../contracts/verify/waivers.ts';
import { didYouMean, type SourceLocation, SpecError, UsageError } from '../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../core/json.ts';
import { checkBySchema } from '../core/openapi/check-file-by-schema.ts';
import { copyOrigin, placeOf } from '../core/openapi/source-positions.ts';
import { parseYaml } from '../core/openapi/yaml.ts';
import type { StateMeanings } from '../core/pact/foreign-state.ts';
import { createRedactor } from '../core/redaction/redaction.ts';
import { listShipped, publishedSchemaFile } from '../core/shipped-files.ts';
import { readTextFileNow } from '../core/text-file.ts';
import { type Arguments, type OptionSpec, readRate } from './command.ts';
import { exampleVariable, type KeyEnvironment } from './verify/verify-keys.ts';

/** Configuration file without `--config`, if it exists. */
export const defaultConfigFile = 'touchstone.config.yaml';

/** An environment variable that the file names, with its position. */
interface NamedVariable {
  /** Role of a key, or name of a header. */
  readonly name: string;
  readonly variable: string;
  readonly place: SourceLocation;
}

/** A target of the file, completed with the defaults. Paths are relative to the current folder. */
interface ConfigTarget {
  readonly url: string;
  readonly contracts: readonly string[];
  readonly keys: readonly NamedVariable[];
  readonly headers: readonly NamedVariable[];
  readonly hidden: readonly string[];
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** Options with one value, in the form of the command line: `rate`, `budget`, `timeout`, `seed`, `require`, `baseline`. */
  readonly values: Readonly<Record<string, string>>;
  readonly quick: boolean;
  /** Waivers of this file, or the name of a waiver file. */
  readonly waivers: string | readonly WaiverEntry[] | undefined;
  /** Reports, each as `FORMAT=FILE`. */
  readonly reports: readonly string[];
}

/** A checked configuration file. */
interface Config {
  readonly file: string;
  readonly text: string;
  /** Meanings of provider states of pacts. */
  readonly states: StateMeanings;
  /** Levels of changes for `diff`. */
  readonly levels: readonly LevelSetting[];
  /** Names of its targets. */
  readonly names: readonly string[];
  /**
   * Returns a target by name, or the defaults for a URL.
   * @throws {UsageError} for an unknown name.
   * @throws {SpecError} for a text with a `${VARIABLE}` that is not set.
   */
  readonly target: (nameOrUrl: string, environment?: KeyEnvironment, url?: string) => ConfigTarget;
}

/**
 * Reads the named configuration, or the default file if it exists.
 * @throws {UsageError} if the file cannot be read.
 * @throws {SpecError} for a violation of the published schema, or a value that looks like a key.
 */
async function loadConfig(named: string | undefined): Promise<Config | undefined> {
  const file = named ?? defaultConfigFile;
  const text = readConfig(file, named !== undefined);
  return text === undefined ? undefined : await parseConfig(file, text);
}

/**
 * Reads the text of a configuration.
 * @throws {SpecError} for a violation of the published schema, or a value that looks like a key.
 */
export async function parseConfig(file: string, text: string): Promise<Config> {
  const root = parseYaml(file, text, 'a configuration');
  for (const settings of listSettings(root)) {
    refuseKeys(file, settings, 'keys');
    refuseKeys(file, settings, 'headers');
    refuseUserInfo(file, settings);
  }
  await checkBySchema(publishedSchemaFile('config'), file, root, false);
  for (const settings of listSettings(root)) {
    checkMember(file, settings, 'url', readTargetUrl);
    checkMember(file, settings, 'rate', readRate);
  }
  const targets = membersOf(root, 'targets');
  const defaults = isObject(root['defaults']) ? root['defaults'] : {};
  const names = Object.keys(targets);
  const target: Config['target'] = (nameOrUrl, environment = {}, url) => {
    const found = isTargetName(nameOrUrl) ? findTarget(file, targets, nameOrUrl) : { url: nameOrUrl };
    const own = url === undefined ? found : { ...found, url };
    copyOrigin(found, own);
    return toTarget(file, fillIn(file, own, environment), fillIn(file, defaults, environment));
  };
  // The schema describes the entries.
  const levels = (membersOf(root, 'diff')['levels'] ?? []) as unknown as readonly LevelSetting[];
  return { file, text, states: membersOf(root, 'states') as StateMeanings, levels, names, target };
}

/**
 * Reads the levels of changes for `diff` from the named configuration, or from the default file if it exists.
 * @throws {UsageError} if the file cannot be read.
 * @throws {SpecError} for a mistake in the file.
 */
export async function loadLevels(named: string | undefined): Promise<readonly LevelSetting[]> {
  return (await loadConfig(named))?.levels ?? [];
}

/** True for the name of a target, and false for a URL. */
function isTargetName(text: string): boolean {
  return /^[a-z][a-z0-9-]*$/i.test(text);
}

/** Replaces each `${VARIABLE}` in the texts of settings by its value. Keys and headers name their variables without it. */
function fillIn<T extends JsonObject | readonly Json[]>(file: string, settings: T, environment: KeyEnvironment): T {
  const filled = Array.isArray(settings) ? [...settings] : { ...settings };
  copyOrigin(settings, filled);
  for (const [name, value] of Object.entries(filled)) {
    const place = placeOf(settings, Array.isArray(settings) ? Number(name) : name) ?? { file, line: 1, column: 1 };
    if (typeof value === 'string') Object.assign(filled, { [name]: fillInText(value, place, environment) });
    else if (isObject(value) || Array.isArray(value)) Object.assign(filled, { [name]: fillIn(file, value, environment) });
  }
  if (isObject(filled)) {
    refuseUserInfo(file, filled);
    const { url, rate } = settings as JsonObject;
    if (url !== filled['url']) checkMember(file, filled, 'url', readTargetUrl);
    if (rate !== filled['rate']) checkMember(file, filled, 'rate', readRate);
  }
  return filled as T;
}

function fillInText(text: string, place: SourceLocation, environment: KeyEnvironment): string {
  return text.replaceAll(variablePattern, (_, name: string) => {
    const value = environment[name];
    if (value !== undefined) return value;
    throw new SpecError(place, `the environment variable ${name} is not set; export ${name}=…, or write its value here`);
  });
}

/** A variable in a text. */
const variablePattern = /\$\{([A-Z_][A-Z0-9_]*)\}/gi;

/** Checks a member with the reader of the same command-line option, which knows more than the schema, and reports its line. */
function checkMember(file: string, settings: JsonObject, name: string, read: (text: string) => unknown): void {
  try {
    const text = settings[name] === undefined ? '' : String(settings[name]);
    // A text with a variable is checked when the variable is filled in.
    if (text !== '' && text.search(variablePattern) < 0) read(text);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new SpecError(placeOf(settings, name) ?? { file, line: 1, column: 1 }, error.message.replace(/^--/, ''), { cause: error });
  }
}

function readConfig(file: string, isNamed: boolean): string | undefined {
  try {
    return readTextFileNow(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    // Only the default file may be missing.
    if (!isNamed && code === 'ENOENT') return undefined;
    throw new UsageError(`the configuration ${file} cannot be read (${code}); name a YAML file, or create one with touchstone init`, {
      cause: error,
    });
  }
}

/** Lists the settings of the defaults and of all targets. They are searched for keys before the schema check, whose messages show values. */
function listSettings(root: JsonObject): readonly JsonObject[] {
  const { defaults, targets } = root;
  return [defaults, ...(isObject(targets) ? Object.values(targets) : [])].filter(isObject);
}

function refuseKeys(file: string, settings: JsonObject, member: 'keys' | 'headers'): void {
  const named = settings[member];
  if (!isObject(named)) return;
  for (const [name, value] of Object.entries(named)) {
    if (typeof value === 'string' && /^[A-Z_][A-Z0-9_]*$/.test(value) && !looksLikeKey(value)) continue;
    const secret = member === 'keys' ? 'a key' : 'the value of a header';
    throw new SpecError(
      placeOf(named, name) ?? { file, line: 1, column: 1 },
      `${member}.${name} is not the name of an environment variable; ${secret} must never be in a file: write ${name}: ${exampleVariable(name)} and set that variable`,
    );
  }
}

/** Returns true for a long mix of letters and digits. The names of variables are words. */
function looksLikeKey(text: string): boolean {
  return text.split('_').some((word) => word.length >= 12 && (word.match(/\d/g)?.length ?? 0) >= 2);
}

function refuseUserInfo(file: string, settings: JsonObject): void {
  const { url } = settings;
  if (typeof url !== 'string' || !/^[a-z]+:\/\/[^/]*@/i.test(url)) return;
  throw new SpecError(
    placeOf(settings, 'url') ?? { file, line: 1, column: 1 },
    'url contains a user name or a password, which must never be in a file; write headers: with Authorization: and an environment variable',
  );
}

function findTarget(file: string, targets: JsonObject, name: string): JsonObject {
  const found = Object.hasOwn(targets, name) ? targets[name] : undefined;
  if (isObject(found)) return found;
  const names = Object.keys(targets);
  const known = names.length === 0 ? 'it has no targets' : `it has ${names.join(', ')}`;
  throw new UsageError(`${file} has no target ${name}; ${didYouMean(name, names, known)}`);
}

function toTarget(file: string, own: JsonObject, defaults: JsonObject): ConfigTarget {
  const settings = { ...defaults, ...own };
  const texts = (name: string): readonly string[] => (settings[name] ?? []) as readonly string[];
  const besideConfig = (name: string): string => join(dirname(file), name);
  const { waivers } = settings;
  const contracts = [settings['contract'] ?? []].flat().map(String);
  const reports = Object.entries({ ...membersOf(defaults, 'reports'), ...membersOf(own, 'reports') });
  return {
    url: String(settings['url']),
    contracts: contracts.map((contract) => (listShipped().includes(contract) ? contract : besideConfig(contract))),
    keys: listVariables(file, defaults, own, 'keys'),
    headers: listVariables(file, defaults, own, 'headers'),
    hidden: texts('hidden'),
    only: texts('only'),
    skip: texts('skip'),
    values: { ...toValues(settings), ...filesIn(settings, besideConfig) },
    quick: settings['quick'] === true,
    waivers: typeof waivers === 'string' ? besideConfig(waivers) : waivers === undefined ? undefined : toWaivers(waivers),
    reports: reports.map(([format, name]) => `${format}=${name === '-' ? '-' : besideConfig(String(name))}`),
  };
}

function membersOf(settings: JsonObject, name: string): JsonObject {
  const value = settings[name];
  return isObject(value) ? value : {};
}

/** Options that name a file, which is relative to the configuration. */
function filesIn(settings: JsonObject, besideConfig: (name: string) => string): Readonly<Record<string, string>> {
  const named = ['baseline', 'cert', 'client-key'].filter((name) => typeof settings[name] === 'string');
  return Object.fromEntries(named.map((name) => [name, besideConfig(String(settings[name]))]));
}

function toValues(settings: JsonObject): Readonly<Record<string, string>> {
  const present = ['rate', 'budget', 'timeout', 'seed', 'require'].filter((name) => settings[name] !== undefined);
  return Object.fromEntries(
    present.map((name) => [name, Array.isArray(settings[name]) ? settings[name].join(',') : String(settings[name])]),
  );
}

/** Lists the variables of a target. Its own entries replace defaults of the same name. */
function listVariables(file: string, defaults: JsonObject, own: JsonObject, member: 'keys' | 'headers'): readonly NamedVariable[] {
  const found = new Map<string, NamedVariable>();
  for (const settings of [defaults, own]) {
    const named = membersOf(settings, member);
    for (const [name, variable] of Object.entries(named)) {
      const place = placeOf(named, name) ?? { file, line: 1, column: 1 };
      found.set(member === 'headers' ? name.toLowerCase() : name, { name, variable: String(variable), place });
    }
  }
  return [...found.values()];
}

/** Option `--config`. */
export const configOption: OptionSpec = {
  name: 'config',
  value: 'FILE',
  summary: `Configuration file with targets by name. Default ${defaultConfigFile} in the current folder, if it exists.`,
};

/** Option `--url`. */
export const urlOption: OptionSpec = {
  name: 'url',
  value: 'URL',
  summary: 'URL of the server in place of that of the named target, such as that of a preview.',
};

/** Arguments completed from the configuration, and the waivers of the configuration. */
export interface Configured {
  readonly given: Arguments;
  readonly waivers: readonly WaiverEntry[] | undefined;
}

/**
 * Completes arguments from the configuration for one target: with its settings if it is a name, or with the defaults if it is a URL.
 * @throws {UsageError} for an unknown target, a name without a configuration, or a `--url` without a name.
 * @throws {SpecError} for a mistake in the file, or a variable that is not set.
 */
export async function withConfig(given: Arguments, environment: KeyEnvironment, nameOrUrl: string | undefined): Promise<Configured> {
  const { config: named, url } = given.values;
  const config = nameOrUrl === undefined && named === undefined ? undefined : await loadConfig(named);
  const isName = nameOrUrl !== undefined && isTargetName(nameOrUrl);
  if (url !== undefined && !isName) throw new UsageError('--url replaces the URL of a named target; name the target with --target NAME');
  if (isName && config === undefined)
    throw new UsageError(
      `--target ${nameOrUrl} is not a URL, and there is no ${defaultConfigFile} here with a target of that name; write --target URL, or create the file with touchstone init`,
    );
  if (nameOrUrl === undefined) return { given, waivers: undefined };
  const plain = { given: { ...given, values: { ...given.values, target: nameOrUrl } }, waivers: undefined };
  if (config === undefined) return plain;
  const target = config.target(nameOrUrl, environment, url);
  // Defaults are written for one contract, so they do not suit a URL with another one.
  if (!isName && given.positionals.some((contract) => !target.contracts.includes(contract))) return plain;
  const completed = complete(given, target);
  const used = new Set([...(completed.lists['key'] ?? []), ...(completed.lists['header'] ?? [])]);
  requireVariables(
    [...target.keys, ...target.headers].filter(({ name, variable }) => used.has(`${name}=${variable}`)),
    environment,
  );
  refuseValues(config, target, environment);
  return {
    given: completed,
    waivers: typeof target.waivers === 'object' && given.values['waivers'] === undefined ? target.waivers : undefined,
  };
}

/**
 * Reads the meanings of provider states from the configuration; empty if there is none.
 * @throws {UsageError} if the named file cannot be read.
 * @throws {SpecError} for a mistake in the file.
 */
export async function readStateMeanings(named: string | undefined): Promise<StateMeanings> {
  return (await loadConfig(named))?.states ?? {};
}

function complete(given: Arguments, target: ConfigTarget): Arguments {
  const { contracts, waivers } = target;
  const list = (name: string, fallback: readonly string[]): readonly string[] => given.lists[name] ?? fallback;
  return {
    positionals: given.positionals.length > 0 ? given.positionals : contracts,
    values: { ...target.values, ...(typeof waivers === 'string' ? { waivers } : {}), ...given.values, target: target.url },
    line: given.line,
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

/** Joins variables of the file with those of the command line, which win. */
function joinVariables(fromFile: readonly NamedVariable[], fromCommandLine: readonly string[]): readonly string[] {
  const replaced = new Set(fromCommandLine.map((each) => each.split('=')[0]?.toLowerCase()));
  const kept = fromFile.filter(({ name }) => !replaced.has(name.toLowerCase()));
  return [...kept.map(({ name, variable }) => `${name}=${variable}`), ...fromCommandLine];
}

function requireVariables(named: readonly NamedVariable[], environment: KeyEnvironment): void {
  const missing = named.find(({ variable }) => environment[variable] === undefined);
  if (missing === undefined) return;
  const { name, variable, place } = missing;
  throw new SpecError(place, `the environment variable ${variable} of ${name} is not set; export ${variable}=…, or remove the line`);
}

/** Refuses a file that contains the value of a key anywhere, for example in a comment. */
function refuseValues(config: Config, target: ConfigTarget, environment: KeyEnvironment): void {
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
    `this line contains the value of the variable ${name}; a key must never be in a file: remove it, and replace the key if others could read the file`,
  );
}
