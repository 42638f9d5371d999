/** Reads and checks touchstone.config.yaml when a command starts. The file holds no keys, only the names of their environment variables. */

import { dirname, join } from 'node:path';
import type { LevelSetting } from '../contracts/diff/level-settings.ts';
import { readTargetUrl } from '../contracts/verify/target/target-address.ts';
import { toWaivers, type WaiverEntry } from '../contracts/verify/waivers.ts';
import { didYouMean } from '../core/did-you-mean.ts';
import { type SourceLocation, SpecError, startOf, UsageError } from '../core/errors.ts';
import { isObject, type Json, type JsonObject, objectOrEmpty } from '../core/json.ts';
import { checkAgainstSchema } from '../core/openapi/check-touchstone-file.ts';
import { parseYaml } from '../core/openapi/loading/yaml.ts';
import { copyOrigin, placeOf } from '../core/openapi/source-positions.ts';
import type { StateMeanings } from '../core/pact/interpret-state.ts';
import { listShipped, publishedSchemaFile } from '../core/shipped-files.ts';
import type { Arguments, OptionSpec } from './command.ts';
import { exampleVariable, type KeyEnvironment } from './credentials.ts';
import { readFileOrDefault } from './read-named-file.ts';
import { readRate } from './read-option-values.ts';

/** Configuration file without `--config`, if it exists. */
export const defaultConfigFile = 'touchstone.config.yaml';

/** An environment variable that the file names. */
export interface NamedVariable {
  /** Role of a key, or name of a header. */
  readonly name: string;
  readonly variable: string;
}

/** The settings of a target, completed with the defaults, in the form of a command line. Paths are relative to the current folder. */
export interface TargetSettings extends Pick<Arguments, 'values' | 'lists'> {
  readonly url: string;
  readonly contracts: readonly string[];
  readonly keys: readonly NamedVariable[];
  readonly headers: readonly NamedVariable[];
  readonly quick: boolean;
  /** Waivers written in the file itself; `undefined` if it has none, or names a waiver file. */
  readonly waivers: readonly WaiverEntry[] | undefined;
}

/** A checked configuration file. */
export interface Config {
  /** Meanings of provider states of pacts. */
  readonly states: StateMeanings;
  /** Contracts that `diff BRANCH` compares, relative to the current folder. */
  readonly contracts: readonly string[];
  /** Levels of changes for `diff`. */
  readonly levels: readonly LevelSetting[];
  /** A sentence that names the settings under `defaults`, which apply to a bare URL; `undefined` without any. */
  readonly defaultsNote: string | undefined;
  /**
   * Returns a target by name, or the defaults for a URL.
   * @throws {UsageError} for an unknown name.
   * @throws {SpecError} for a text with a `${VARIABLE}` that is not set.
   */
  readonly target: (nameOrUrl: string, environment?: KeyEnvironment, url?: string) => TargetSettings;
}

/**
 * Reads the named configuration, or the default file if it exists.
 * @throws {UsageError} if the file cannot be read.
 * @throws {SpecError} for a violation of the published schema, or a value that is not the name of a variable.
 */
export async function loadConfig(namedFile: string | undefined): Promise<Config | undefined> {
  const kind = { noun: 'the configuration', advice: 'name a YAML file, or create one with touchstone init' };
  const text = readFileOrDefault(namedFile, defaultConfigFile, kind);
  return text === undefined ? undefined : await parseConfig(namedFile ?? defaultConfigFile, text);
}

/**
 * Reads the text of a configuration.
 * @throws {SpecError} for a violation of the published schema, or a value that is not the name of a variable.
 */
export async function parseConfig(file: string, text: string): Promise<Config> {
  const root = parseYaml(file, text, 'a configuration');
  const [defaults, targets] = [objectOrEmpty(root['defaults']), objectOrEmpty(root['targets'])];
  const settingsList = [defaults, ...Object.values(targets)].filter(isObject);
  // Keys are refused before the schema check, whose messages show values.
  for (const settings of settingsList) refuseSecrets(file, settings);
  await checkAgainstSchema(publishedSchemaFile('config'), file, root, false);
  for (const settings of settingsList) checkUrlAndRate(file, settings);
  return {
    states: objectOrEmpty(root['states']) as StateMeanings,
    contracts: [root['contracts'] ?? []].flat().map((name) => join(dirname(file), String(name))),
    // The schema describes the entries.
    levels: (objectOrEmpty(root['diff'])['levels'] ?? []) as unknown as readonly LevelSetting[],
    defaultsNote: noteDefaults(file, Object.keys(defaults)),
    target: (nameOrUrl, environment = {}, url) => {
      const targetSettings = isTargetName(nameOrUrl) ? findTarget(file, targets, nameOrUrl) : { url: nameOrUrl };
      const ownSettings = url === undefined ? targetSettings : { ...targetSettings, url };
      copyOrigin(targetSettings, ownSettings);
      const [filledSettings, filledDefaults] = [ownSettings, defaults].map((settings) => {
        const texts = fillIn(file, settings, environment);
        refuseSecrets(file, texts);
        checkUrlAndRate(file, texts);
        return texts;
      }) as [JsonObject, JsonObject];
      return toTarget(file, filledSettings, filledDefaults);
    },
  };
}

/**
 * Reads the meanings of provider states from the configuration; empty if there is none.
 * @throws {UsageError} if the named file cannot be read.
 * @throws {SpecError} for a mistake in the file.
 */
export async function readStateMeanings(namedFile: string | undefined): Promise<StateMeanings> {
  return (await loadConfig(namedFile))?.states ?? {};
}

/** True for the name of a target, and false for a URL. */
export function isTargetName(text: string): boolean {
  return /^[a-z][a-z0-9-]*$/i.test(text);
}

/** Replaces each `${VARIABLE}` in the texts of settings by its value. Keys and headers name their variables without this notation. */
function fillIn<T extends JsonObject | readonly Json[]>(file: string, settings: T, environment: KeyEnvironment): T {
  const filledSettings = Array.isArray(settings) ? [...settings] : { ...settings };
  copyOrigin(settings, filledSettings);
  for (const [name, value] of Object.entries(settings)) {
    const place = placeIn(file, settings, Array.isArray(settings) ? Number(name) : name);
    if (typeof value === 'string') Object.assign(filledSettings, { [name]: fillInText(value, place, environment) });
    else if (isObject(value) || Array.isArray(value)) Object.assign(filledSettings, { [name]: fillIn(file, value, environment) });
  }
  return filledSettings as T;
}

/** A variable in a text. */
const variablePattern = /\$\{([A-Z_][A-Z0-9_]*)\}/gi;

function fillInText(text: string, place: SourceLocation, environment: KeyEnvironment): string {
  return text.replaceAll(variablePattern, (_, name: string) => {
    const value = environment[name];
    if (value !== undefined) return value;
    throw new SpecError(place, `the environment variable ${name} is not set; export ${name}=…, or write its value here`);
  });
}

function placeIn(file: string, settings: JsonObject | readonly Json[], name: string | number): SourceLocation {
  return placeOf(settings, name) ?? startOf(file);
}

/** Checks two members with the readers of the command-line options of the same names, which know more than the schema. */
function checkUrlAndRate(file: string, settings: JsonObject): void {
  for (const [name, read] of [
    ['url', readTargetUrl],
    ['rate', readRate],
  ] as const) {
    const text = String(settings[name] ?? '');
    // A text with a variable is checked when the variable is filled in.
    if (text === '' || text.search(variablePattern) >= 0) continue;
    try {
      read(text);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      throw new SpecError(placeIn(file, settings, name), error.message.replace(/^--/, ''), { cause: error });
    }
  }
}

/** Refuses a key in place of the name of its variable, and a password in a URL. */
function refuseSecrets(file: string, settings: JsonObject): void {
  for (const member of ['keys', 'headers'] as const) {
    const variables = objectOrEmpty(settings[member]);
    for (const [name, value] of Object.entries(variables)) {
      if (typeof value === 'string' && /^[A-Z_][A-Z0-9_]*$/.test(value)) continue;
      const secret = member === 'keys' ? 'a key' : 'the value of a header';
      throw new SpecError(
        placeIn(file, variables, name),
        `${member}.${name} is not the name of an environment variable; ${secret} must never be in a file: write ${name}: ${exampleVariable(name)} and set that variable`,
      );
    }
  }
  const { url } = settings;
  if (typeof url !== 'string' || !/^[a-z]+:\/\/[^/]*@/i.test(url)) return;
  throw new SpecError(
    placeIn(file, settings, 'url'),
    'url contains a user name or a password, which must never be in a file; write headers: with Authorization: and an environment variable',
  );
}

function findTarget(file: string, targets: JsonObject, name: string): JsonObject {
  const target = Object.hasOwn(targets, name) ? targets[name] : undefined;
  if (isObject(target)) return target;
  const names = Object.keys(targets);
  const targetsText = names.length === 0 ? 'it has no targets' : `it has ${names.join(', ')}`;
  throw new UsageError(`${file} has no target ${name}; ${didYouMean(name, names, targetsText)}`);
}

/** Options with one value, those that name a file beside the configuration, and repeatable options. */
const textOptions = ['rate', 'budget', 'timeout', 'seed', 'require'];
const fileOptions = ['baseline', 'cert', 'client-key', 'waivers'];
const listOptions = ['hidden', 'only', 'skip', 'send'];

function toTarget(file: string, ownSettings: JsonObject, defaults: JsonObject): TargetSettings {
  const settings = { ...defaults, ...ownSettings };
  const resolvePath = (name: Json | undefined): string => join(dirname(file), String(name));
  const textsOf = (name: string): readonly string[] => [settings[name] ?? []].flat().map(String);
  const { waivers } = settings;
  const reports = Object.entries({ ...objectOrEmpty(defaults['reports']), ...objectOrEmpty(ownSettings['reports']) });
  const withValues = (names: readonly string[]): readonly string[] => names.filter((name) => textsOf(name).length > 0);
  return {
    url: String(settings['url']),
    contracts: textsOf('contract').map((contract) => (listShipped().includes(contract) ? contract : resolvePath(contract))),
    keys: listVariables(defaults, ownSettings, 'keys'),
    headers: listVariables(defaults, ownSettings, 'headers'),
    values: Object.fromEntries([
      ...withValues(textOptions).map((name) => [name, textsOf(name).join(',')]),
      ...fileOptions.flatMap((name) => (typeof settings[name] === 'string' ? [[name, resolvePath(settings[name])]] : [])),
    ]),
    lists: {
      ...Object.fromEntries(withValues(listOptions).map((name) => [name, textsOf(name)])),
      ...(settings['params'] === undefined ? {} : { param: listParams(defaults, ownSettings) }),
      report: reports.map(([format, name]) => `${format}=${name === '-' ? '-' : resolvePath(name)}`),
    },
    quick: settings['quick'] === true,
    waivers: waivers === undefined || typeof waivers === 'string' ? undefined : toWaivers(waivers),
  };
}

/** Lists the values of parameters. A target's own replace defaults of the same name. */
function listParams(defaults: JsonObject, ownSettings: JsonObject): readonly string[] {
  const params = { ...objectOrEmpty(defaults['params']), ...objectOrEmpty(ownSettings['params']) };
  return Object.entries(params).map(([name, value]) => `${name}=${String(value)}`);
}

/** Lists the variables of a target. Its own entries replace defaults of the same name. */
function listVariables(defaults: JsonObject, ownSettings: JsonObject, member: 'keys' | 'headers'): readonly NamedVariable[] {
  const variables = [defaults, ownSettings].flatMap((settings) =>
    Object.entries(objectOrEmpty(settings[member])).map(([name, variable]) => ({ name, variable: String(variable) })),
  );
  return [...new Map(variables.map((each) => [member === 'headers' ? each.name.toLowerCase() : each.name, each])).values()];
}

/** Option `--config`. */
export const configOption: OptionSpec = {
  name: 'config',
  value: 'FILE',
  summary: `Configuration file with targets by name. Default ${defaultConfigFile}, if it exists.`,
};

function noteDefaults(file: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  return `The defaults in ${file} apply (${names.join(', ')}); options on the command line override them.`;
}
