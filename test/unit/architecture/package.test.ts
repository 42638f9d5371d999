/** The manifest keeps its promises: nothing runs on installation, versions are exact, and what it names exists. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isSource, listTypeScript, repository } from '../../helpers/tree.ts';

/** The part of the manifest that is read here. */
interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly files: readonly string[];
}

const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as Manifest;

/** Scripts that npm runs on its own account. */
const lifecycle = /^(pre|post).+|^(install|prepare|prepublish|publish|dependencies)$/;

/** The file of the repository that a path of the package comes from: what is in `dist` is built from the source of the same name. */
function toSource(path: string): string {
  return path.replace(/^\.\//, '').replace(/^dist\/(.*?)(\.d\.ts|\.js)$/, '$1.ts');
}

describe('package.json', () => {
  it('has no script that npm runs unasked', () => {
    expect(Object.keys(manifest.scripts).filter((name) => lifecycle.test(name))).toEqual([]);
  });

  it('pins every version exactly', () => {
    const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  it('has few runtime dependencies, and each is imported', () => {
    const sources = listTypeScript(repository).filter(isSource);
    const imports = sources.map((path) => readFileSync(join(repository, path), 'utf8')).join('\n');
    const names = Object.keys(manifest.dependencies);
    expect(names.filter((name) => !new RegExp(`from '${name}[/']|import\\('${name}[/']`).test(imports))).toEqual([]);
    expect(names.length).toBeLessThanOrEqual(12);
  });

  it('leads to files that exist', () => {
    const entryPoints = Object.values(manifest.exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    );
    const paths = [...entryPoints, ...Object.values(manifest.bin)].map((path) => toSource(path).replace(/\/\*$/, ''));
    expect(paths.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
  });

  it('ships the build and the data, and nothing that is missing', () => {
    expect(manifest.files).toEqual(expect.arrayContaining(['dist', 'specs']));
    const left = manifest.files.filter((path) => !path.startsWith('!') && path !== 'dist');
    expect(left.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
  });
});
