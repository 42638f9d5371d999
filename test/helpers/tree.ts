/** The files of the repository, and small temporary repositories that show that its checks can fail. */

import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const repository: string = fileURLToPath(new URL('../..', import.meta.url));

/** Every file below a folder, as sorted paths with `/`. Leaves out hidden, installed, built and generated files. */
export function listFiles(root: string): readonly string[] {
  return readTree(root)
    .map((path) => relative(root, path).split(sep).join('/'))
    .sort();
}

/** Every TypeScript file below a folder, as sorted paths with `/`. */
export function listTypeScript(root: string): readonly string[] {
  return listFiles(root).filter((path) => path.endsWith('.ts'));
}

/** True for a source file of the package, in contrast to a test or the configuration of a tool. */
export function isSource(path: string): boolean {
  return !/^(test|examples)\//.test(path) && !path.endsWith('.config.ts');
}

/** Writes a temporary repository and passes its folder to `use`. The installed packages of this repository are visible in it. */
export async function withTree<T>(files: Readonly<Record<string, string>>, use: (root: string) => T | Promise<T>): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), 'touchstone-tree-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'), 'junction');
    return await use(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function readTree(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.') || ['node_modules', 'dist', 'generated'].includes(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? readTree(path) : [path];
  });
}
