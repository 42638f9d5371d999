/** The manifest keeps its promises: nothing runs on installation, dependencies fit beside a user's own, and what it names exists. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isSource, listTypeScript, repository } from '../../helpers/tree.ts';

/** A file, or files by condition. */
type Target = string | { readonly [condition: string]: Target };

/** The part of the manifest that is read here. */
interface Manifest {
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, Target>>;
  readonly files: readonly string[];
}

const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as Manifest;

/** Scripts that npm runs on its own account. */
const lifecycle = /^(pre|post).+|^(install|prepare|prepublish|publish|dependencies)$/;

/** The file of the repository that a path of the package comes from: what is in `dist` is built from the source of the same name. */
function toSource(path: string): string {
  return path.replace(/^\.\//, '').replace(/^dist\/(.*?)(\.d\.c?ts|\.js)$/, '$1.ts');
}

function filesOf(target: Target): readonly string[] {
  return typeof target === 'string' ? [target] : Object.values(target).flatMap(filesOf);
}

describe('package.json', () => {
  it('has no script that npm runs unasked', () => {
    expect(Object.keys(manifest.scripts).filter((name) => lifecycle.test(name))).toEqual([]);
  });

  it('takes dependencies as ranges, but exactly one Prism, whose packages only fit together', () => {
    const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    const exact = versions.filter(([, version]) => /^\d+\.\d+\.\d+$/.test(version)).map(([name]) => name);
    expect(exact.filter((name) => !name.startsWith('@stoplight/'))).toEqual([]);
    expect(versions.filter(([name, version]) => !exact.includes(name) && !/^[\^~]\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    expect(versions.filter(([name]) => name.startsWith('@stoplight/') && !exact.includes(name))).toEqual([]);
  });

  it("shares fast-check with its user, since its types are in public signatures: a user's own version is the only copy", () => {
    expect(manifest.peerDependencies['fast-check']).toBe('^4.10.0');
    expect(manifest.peerDependenciesMeta['fast-check']).toBeUndefined();
    expect(manifest.dependencies['fast-check']).toBeUndefined();
    expect(manifest.devDependencies['fast-check']).toMatch(/^\^4\.1/);
  });

  it('has few runtime dependencies, and each is imported', () => {
    const sources = listTypeScript(repository).filter(isSource);
    const imports = sources.map((path) => readFileSync(join(repository, path), 'utf8')).join('\n');
    const required = Object.keys(manifest.peerDependencies).filter((name) => manifest.peerDependenciesMeta[name]?.optional !== true);
    const names = [...Object.keys(manifest.dependencies), ...required];
    expect(names.filter((name) => !new RegExp(`from '${name}[/']|import\\('${name}[/']`).test(imports))).toEqual([]);
    expect(names.length).toBeLessThanOrEqual(14);
  });

  it('leads to files that exist', () => {
    const paths = [...Object.values(manifest.exports).flatMap(filesOf), ...Object.values(manifest.bin)].map((path) =>
      toSource(path).replace(/\/\*$/, ''),
    );
    expect(paths.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
  });

  it('ships the build and the data, and nothing that is missing', () => {
    expect(manifest.files).toEqual(expect.arrayContaining(['dist', 'specs']));
    const left = manifest.files.filter((path) => !path.startsWith('!') && path !== 'dist');
    expect(left.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
  });

  it('links a program that is there before the build, since npx remembers a link that it could not make', () => {
    const programs = Object.values(manifest.bin).map((path) => join(repository, path));
    expect(programs.filter((path) => path.startsWith(join(repository, 'dist')))).toEqual([]);
    expect(programs.filter((path) => (statSync(path).mode & 0o111) === 0)).toEqual([]);
  });
});

describe('published schemas', () => {
  const folder = join(repository, 'specs');
  const schemas = readdirSync(folder)
    .filter((file) => file.endsWith('.schema.json'))
    .map((file) => [file, JSON.parse(readFileSync(join(folder, file), 'utf8')) as Readonly<Record<string, unknown>>] as const);

  it.each(schemas)('%s has its file name as its identifier, so that references lead to files beside it', (file, schema) => {
    expect(schema['$id'] ?? file).toBe(file);
    const references = [...JSON.stringify(schema).matchAll(/"\$ref":"([^"#]+)/g)].map(([, reference = '']) => reference);
    expect(references.filter((reference) => !existsSync(join(folder, reference)))).toEqual([]);
  });
});

describe('the workflows of GitHub', () => {
  const folder = join(repository, '.github/workflows');
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');

  it.each(readdirSync(folder))('%s runs scripts that exist', (file) => {
    const scripts = [...read(file).matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
    expect(scripts.filter((name) => manifest.scripts[name] === undefined)).toEqual([]);
    const files = [...read(file).matchAll(/\.(?:ci|github)\/[\w./-]+/g)].map(([path]) => path);
    expect(files.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
  });

  it('check every change on the oldest Node.js that is supported, and on newer ones', () => {
    const { jobs } = parse(read('ci.yml')) as {
      readonly jobs: { readonly run: { readonly strategy: { readonly matrix: { readonly node: readonly number[] } } } };
    };
    const { node } = jobs.run.strategy.matrix;
    expect(manifest.engines.node).toMatch(new RegExp(`^>=${node[0]}\\.`));
    expect(node.length).toBeGreaterThan(2);
  });
});
