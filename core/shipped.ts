/** The files that come with the package: its contracts, its profiles and the schema of the annotations. Found beside the code, built or not. */

import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { nearest, UsageError } from './errors.ts';

const suffix = '.openapi.yaml';

/** The folder of the shipped contract files; the package root is one floor up from the sources and two from the built code. */
function specsFolder(): string {
  const candidates = ['../specs/', '../../specs/'].map((folder) => fileURLToPath(new URL(folder, import.meta.url)));
  const found = candidates.find((folder) => existsSync(`${folder}annotations.schema.json`));
  if (found === undefined)
    throw new Error(`the package is incomplete: its specs folder is in none of ${candidates.join(', ')}; install it again`);
  return found;
}

/**
 * The names of the contracts that come with the package, in alphabetical order.
 * @example
 * ```ts
 * import { listShipped } from 'touchstone';
 *
 * for (const name of listShipped()) console.log(name);
 * ```
 */
export function listShipped(): readonly string[] {
  return readdirSync(specsFolder())
    .filter((file) => file.endsWith(suffix))
    .map((file) => file.slice(0, -suffix.length))
    .sort();
}

/**
 * The file of a contract: a shipped one by its name, any other by its path.
 * @throws {UsageError} when the name is neither.
 * @example
 * ```ts
 * import { contractFile } from 'touchstone';
 *
 * const file: string = contractFile('wiki');
 * ```
 */
export function contractFile(nameOrFile: string): string {
  const shipped = listShipped();
  if (shipped.includes(nameOrFile)) return `${specsFolder()}${nameOrFile}${suffix}`;
  if (existsSync(nameOrFile)) return nameOrFile;
  const meant = nearest(nameOrFile, shipped);
  const advice = meant === undefined ? `name a file, or one of ${shipped.join(', ')}` : `is ${meant} meant?`;
  throw new UsageError(`${nameOrFile} is neither a contract of this package nor a file; ${advice}`);
}

/** The names of the profiles that come with the package, in alphabetical order. */
export function listProfiles(): readonly string[] {
  return readdirSync(`${specsFolder()}profiles`)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort();
}

/**
 * The file of a profile: a shipped one by its name, any other by its path.
 * @throws {UsageError} when the name is neither.
 */
export function profileFile(nameOrFile: string): string {
  const shipped = listProfiles();
  if (shipped.includes(nameOrFile)) return `${specsFolder()}profiles/${nameOrFile}.yaml`;
  if (existsSync(nameOrFile)) return nameOrFile;
  const meant = nearest(nameOrFile, shipped);
  const advice = meant === undefined ? `name a file, or one of ${shipped.join(', ')}` : `is ${meant} meant?`;
  throw new UsageError(`${nameOrFile} is neither a profile of this package nor a file; ${advice}`);
}

/** The name that a contract file goes by: its file name without folder and ending. */
export function contractName(file: string): string {
  const base = file.split(/[\\/]/).at(-1) ?? file;
  return base.replace(/(\.openapi)?\.(ya?ml|json)$/i, '');
}

/**
 * The folder of the pacts that come with the package; `undefined` when it was installed without them.
 * @example
 * ```ts
 * import { pactsFolder, readPacts } from 'touchstone/pact';
 *
 * const folder = pactsFolder();
 * const { pacts } = await readPacts(folder === undefined ? [] : [folder]);
 * ```
 */
export function pactsFolder(): string | undefined {
  const candidates = ['../contracts/pacts/', '../../contracts/pacts/'].map((folder) => fileURLToPath(new URL(folder, import.meta.url)));
  return candidates.find((folder) => existsSync(folder));
}

/** The path of the JSON Schema of the annotations. */
export function annotationsSchemaFile(): string {
  return `${specsFolder()}annotations.schema.json`;
}

/** The path of a published JSON Schema of the package by its name, such as `config` for `config.schema.json`. */
export function publishedSchemaFile(name: string): string {
  return `${specsFolder()}${name}.schema.json`;
}
