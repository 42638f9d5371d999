/**
 * Finds the files of the package: contracts, profiles, pacts, JSON Schemas, datasets, templates. No contract is opened; its name comes from the name of its
 * file.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { nearest } from './did-you-mean.ts';
import { UsageError } from './errors.ts';
import { parseJson } from './json.ts';
import { nearestFile } from './read-text-file.ts';

const suffix = '.openapi.yaml';

/** The folder specs/. The package root is one folder above the sources, and two above the built code. */
function specsFolder(): string {
  const candidates = ['../specs/', '../../specs/'].map((folder) => fileURLToPath(new URL(folder, import.meta.url)));
  const existingFolder = candidates.find((folder) => existsSync(`${folder}annotations.schema.json`));
  if (existingFolder === undefined)
    throw new Error(`the package is incomplete: its specs folder is in none of ${candidates.join(', ')}; install it again`);
  return existingFolder;
}

/** Returns the version of the package. */
export function packageVersion(): string {
  const { version } = parseJson(readFileSync(`${specsFolder()}../package.json`, 'utf8')) as unknown as { readonly version: string };
  return version;
}

/**
 * Lists the names of the contracts in the package, in alphabetical order.
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
 * Returns the path of a contract file, by the name of a contract in the package or by its path.
 * @throws {UsageError} if there is no such contract or file.
 * @example
 * ```ts
 * import { contractFile } from 'touchstone';
 *
 * const file: string = contractFile('wiki');
 * ```
 */
export function contractFile(nameOrFile: string): string {
  return findFile(nameOrFile, 'contract', listShipped(), `${specsFolder()}${nameOrFile}${suffix}`);
}

function findFile(nameOrFile: string, kind: string, shipped: readonly string[], shippedFile: string): string {
  if (shipped.includes(nameOrFile)) return shippedFile;
  if (existsSync(nameOrFile)) return nameOrFile;
  const meant = nearest(nameOrFile, shipped) ?? nearestFile(nameOrFile);
  const advice = meant === undefined ? `name a file, or one of ${shipped.join(', ')}` : `did you mean ${meant}?`;
  throw new UsageError(`${nameOrFile} is neither a built-in ${kind} nor a file; ${advice}`);
}

/** Lists the names of the profiles in the package, in alphabetical order. */
export function listProfiles(): readonly string[] {
  return readdirSync(`${specsFolder()}profiles`)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort();
}

/**
 * Returns the path of a profile file, by the name of a profile in the package or by its path.
 * @throws {UsageError} if there is no such profile or file.
 */
export function profileFile(nameOrFile: string): string {
  return findFile(nameOrFile, 'profile', listProfiles(), `${specsFolder()}profiles/${nameOrFile}.yaml`);
}

/** Returns the name of a contract: its file name without folder and extension. */
export function contractName(file: string): string {
  const base = file.split(/[\\/]/).at(-1) ?? file;
  return base.replace(/(\.openapi|\.overlay)?\.(ya?ml|json)$/i, '');
}

/**
 * Returns the folder of the pacts in the package; `undefined` if the package was installed without them.
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

/** Reads the words of a generated dataset. */
export function readDatasetFile(name: string): unknown {
  return parseJson(readFileSync(`${specsFolder()}datasets/${name}.json`, 'utf8'));
}

/** Reads a template of a file that `touchstone init` writes. */
export function readInitTemplate(name: string): string {
  return readFileSync(`${specsFolder()}init/${name}`, 'utf8');
}

/** Reads a file of the mock's front page. */
export function readPageFile(name: string): Buffer {
  return readFileSync(`${specsFolder()}../mocks/page/${name}`);
}

/** Returns the path of the JSON Schema of the annotations. */
export function annotationsSchemaFile(): string {
  return `${specsFolder()}annotations.schema.json`;
}

/** Returns the path of a published JSON Schema by its name, such as `config` for `config.schema.json`. */
export function publishedSchemaFile(name: string): string {
  return `${specsFolder()}${name}.schema.json`;
}
