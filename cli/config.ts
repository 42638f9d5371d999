/** The configuration file: targets by name, with what each is judged by. The only door for it; keys never stand in it. */

import { dirname, join } from 'node:path';
import { toWaivers, type WaiverEntry } from '../contracts/verify/conclusion.ts';
import { readTargetUrl } from '../contracts/verify/target/target-address.ts';
import { nearest, type SourceLocation, SpecError, UsageError } from '../core/errors.ts';
import { isObject, type JsonObject } from '../core/json.ts';
import { checkBySchema } from '../core/openapi/check-by-schema.ts';
import { placeOf } from '../core/openapi/source-positions.ts';
import { parseYaml } from '../core/openapi/yaml.ts';
import { createRedactor } from '../core/redaction/redaction.ts';
import { listShipped, publishedSchemaFile } from '../core/shipped.ts';
import { readTextFileNow } from '../core/text-file.ts';
import { type Arguments, type OptionSpec, readRate } from './command.ts';
import { exampleVariable, type KeyEnvironment } from './verify/verify-keys.ts';

/** The file that is read when it exists and no other is named. */
export const usualConfig = 'touchstone.config.yaml';

/** A variable of the environment that the file names, and where. */
interface NamedVariable {
  /** The role of a key, or the name of a header. */
  readonly name: string;
  readonly variable: string;
  readonly place: SourceLocation;
}

/** A target of the file, with the defaults where it says nothing itself. Paths are as they are from the current folder. */
interface ConfigTarget {
  readonly url: string;
  readonly contract: string | undefined;
  readonly keys: readonly NamedVariable[];
  readonly headers: readonly NamedVariable[];
  readonly hidden: readonly string[];
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** Options of one value, as the command line has them: `rate`, `budget`, `timeout`, `seed`, `require`, `baseline`. */
  readonly values: Readonly<Record<string, string>>;
  readonly quick: boolean;
  /** Waivers that stand in the file itself, or the file that has them. */
  readonly waivers: string | readonly WaiverEntry[] | undefined;
  /** `FORMAT=FILE`. */
  readonly reports: readonly string[];
}

/** A file that was read and checked. */
interface Config {
  readonly file: string;
  readonly text: string;
  /** The names of its targets. */
  readonly names: readonly string[];
  /**
   * A target by its name.
   * @throws {UsageError} when the file has none of that name.
   */
  readonly target: (name: string) => ConfigTarget;
}

/**
 * Reads the configuration that is named, or else the usual one when it exists.
 * @throws {UsageError} when the file that is named cannot be read.
 * @throws {SpecError} at what the published schema refuses, and at what looks like a key.
 */
async function loadConfig(named: string | undefined): Promise<Config | undefined> {
  const file = named ?? usualConfig;
  const text = readConfig(file, named !== undefined);
  return text === undefined ? undefined : await parseConfig(file, text);
}

/**
 * Reads the text of a configuration.
 * @throws {SpecError} at what the published schema refuses, and at what looks like a key.
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
  const targets = root['targets'] as JsonObject;
  const defaults = isObject(root['defaults']) ? root['defaults'] : {};
  const names = Object.keys(targets);
  return { file, text, names, target: (name) => toTarget(file, findTarget(file, targets, name), defaults) };
}

/** What the schema of the file cannot say is said as it is of the option of the same name, at the line of the member. */
function checkMember(file: string, settings: JsonObject, name: string, read: (text: string) => unknown): void {
  try {
    if (settings[name] !== undefined) read(String(settings[name]));
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
    // Nobody asked for the usual file, so it may be missing; one that is there and cannot be read would be missed.
    if (!isNamed && code === 'ENOENT') return undefined;
    throw new UsageError(`the configuration ${file} cannot be read (${code}); name a YAML file, or make one with touchstone init`, {
      cause: error,
    });
  }
}

/** Whatever may name keys, before it is known whether the file is as it should be: no message about another mistake may show one. */
function listSettings(root: JsonObject): readonly JsonObject[] {
  const { defaults, targets } = root;
  return [defaults, ...(isObject(targets) ? Object.values(targets) : [])].filter(isObject);
}

function refuseKeys(file: string, settings: JsonObject, member: 'keys' | 'headers'): void {
  const named = settings[member];
  if (!isObject(named)) return;
  for (const [name, value] of Object.entries(named)) {
    if (typeof value === 'string' && /^[A-Z_][A-Z0-9_]*$/.test(value) && !looksLikeKey(value)) continue;
    const what = member === 'keys' ? 'a key' : 'the value of a header';
    throw new SpecError(
      placeOf(named, name) ?? { file, line: 1, column: 1 },
      `${member}.${name} is not the name of a variable of the environment; ${what} itself never goes into a file: write ${name}: ${exampleVariable(name)}, and put it into that variable`,
    );
  }
}

/** Names of variables are words; what mixes letters and digits over a long stretch was made by no person. */
function looksLikeKey(text: string): boolean {
  return text.split('_').some((word) => word.length >= 12 && (word.match(/\d/g)?.length ?? 0) >= 2);
}

function refuseUserInfo(file: string, settings: JsonObject): void {
  const { url } = settings;
  if (typeof url !== 'string' || !/^[a-z]+:\/\/[^/]*@/i.test(url)) return;
  throw new SpecError(
    placeOf(settings, 'url') ?? { file, line: 1, column: 1 },
    'url carries a user or a password, which never go into a file; write headers: with Authorization: and the variable that holds it',
  );
}

function findTarget(file: string, targets: JsonObject, name: string): JsonObject {
  const found = Object.hasOwn(targets, name) ? targets[name] : undefined;
  if (isObject(found)) return found;
  const names = Object.keys(targets);
  const meant = nearest(name, names);
  throw new UsageError(`${file} has no target ${name}; ${meant === undefined ? `it has ${names.join(', ')}` : `is ${meant} meant?`}`);
}

function toTarget(file: string, own: JsonObject, defaults: JsonObject): ConfigTarget {
  const settings = { ...defaults, ...own };
  const texts = (name: string): readonly string[] => (settings[name] ?? []) as readonly string[];
  const near = (name: string): string => join(dirname(file), name);
  const { contract, waivers } = settings;
  const reports = Object.entries({ ...membersOf(defaults, 'reports'), ...membersOf(own, 'reports') });
  return {
    url: String(settings['url']),
    contract: typeof contract !== 'string' || listShipped().includes(contract) ? (contract as string | undefined) : near(contract),
    keys: listVariables(file, defaults, own, 'keys'),
    headers: listVariables(file, defaults, own, 'headers'),
    hidden: texts('hidden'),
    only: texts('only'),
    skip: texts('skip'),
    values: { ...toValues(settings), ...(typeof settings['baseline'] === 'string' ? { baseline: near(settings['baseline']) } : {}) },
    quick: settings['quick'] === true,
    waivers: typeof waivers === 'string' ? near(waivers) : waivers === undefined ? undefined : toWaivers(waivers),
    reports: reports.map(([format, name]) => `${format}=${name === '-' ? '-' : near(String(name))}`),
  };
}

function membersOf(settings: JsonObject, name: string): JsonObject {
  const value = settings[name];
  return isObject(value) ? value : {};
}

function toValues(settings: JsonObject): Readonly<Record<string, string>> {
  const given = ['rate', 'budget', 'timeout', 'seed', 'require'].filter((name) => settings[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, Array.isArray(settings[name]) ? settings[name].join(',') : String(settings[name])]));
}

/** What a target names itself comes after the defaults and in place of them. */
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
export async function withConfig(given: Arguments, environment: KeyEnvironment): Promise<Configured> {
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

function requireVariables(named: readonly NamedVariable[], environment: KeyEnvironment): void {
  const missing = named.find(({ variable }) => environment[variable] === undefined);
  if (missing === undefined) return;
  const { name, variable, place } = missing;
  throw new SpecError(
    place,
    `the variable ${variable}, which ${name} names, is not set in the environment; export ${variable}=…, or remove the line`,
  );
}

/** A key may stand in a comment, or under a name where nobody looks for one. */
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
    `the value of the variable ${name} stands in this line; a key never goes into a file: remove it, and get a new one if others could read it`,
  );
}
