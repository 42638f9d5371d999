/** A writable folder that looks like the repository to a reader who has the package installed. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A place to type commands in. */
export interface Workspace {
  readonly folder: string;
  remove(): void;
}

/** Files that are not copied: with a manifest, npx would take the folder for the package and link it into its cache. */
const leftOut: ReadonlySet<string> = new Set(['node_modules', 'package.json', 'package-lock.json']);

/** Links everything of a repository into a new folder. Files that a page creates land there, and its commands find the built command line. */
export function createWorkspace(repository: string): Workspace {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-workspace-'));
  for (const name of readdirSync(repository)) {
    if (!leftOut.has(name) && !name.startsWith('.')) symlinkSync(join(repository, name), join(folder, name));
  }
  const { bin } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { readonly bin: Readonly<Record<string, string>> };
  const programs = join(folder, 'node_modules', '.bin');
  mkdirSync(programs, { recursive: true });
  symlinkSync(repository, join(folder, 'node_modules/touchstone'), 'junction');
  for (const [name, path] of Object.entries(bin)) symlinkSync(join(repository, path), join(programs, name));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
