/** Checks that ARCHITECTURE.md and CONTRIBUTING.md match the import rules and the folders, and name only existing files and scripts. */

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';

const text = readFileSync('ARCHITECTURE.md', 'utf8');

interface Rules {
  readonly forbidden: readonly { readonly name: string; readonly to: { readonly pathNot?: readonly string[] } }[];
}

/** Folders by name, each with the folders that it may import by the enforced rules. */
const layers: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  (createRequire(import.meta.url)('../../../.dependency-cruiser.cjs') as Rules).forbidden
    .filter((rule) => rule.name.startsWith('layer-'))
    .map((rule) => {
      const folder = rule.name.slice('layer-'.length);
      const allowed = /^\^\((.*)\)\/$/.exec(rule.to.pathNot?.[0] ?? '')?.[1]?.split('|') ?? [];
      return [folder, allowed.filter((each) => each !== folder)];
    }),
);

/** Reads the table of ARCHITECTURE.md: folders by name, each with its permitted imports. */
function listFolders(markdown: string): ReadonlyMap<string, string> {
  const rows = [...markdown.matchAll(/^\| `(\w+)\/` \| ([^|]+) \|/gm)];
  return new Map(rows.map((row) => [row[1] ?? '', (row[2] ?? '').trim()]));
}

/** Lists the names in backticks that look like a path of the repository. */
function listPaths(markdown: string): readonly string[] {
  return [...markdown.matchAll(/`([\w./-]+\/[\w.-]*|\.[\w-]+\.cjs|\w+\.ts)`/g)].map((match) => match[1] ?? '');
}

describe('ARCHITECTURE.md', () => {
  const folders = listFolders(text);

  it('lists exactly the folders with an import rule', () => {
    const ruled = Object.keys(layers).filter((folder) => folder !== 'test');
    expect([...folders.keys()].sort()).toEqual(ruled.sort());
  });

  it('permits the same imports as the rules', () => {
    for (const [folder, allowed] of folders) {
      const expected = layers[folder] ?? [];
      const isAll = allowed === 'all of these' && expected.length === folders.size - 1;
      const said = allowed === 'nothing' ? [] : [...allowed.matchAll(/`(\w+)\/`/g)].map((match) => match[1]);
      expect(isAll ? expected : said, folder).toEqual(expected);
    }
  });

  it('marks a folder as (to come) exactly if it is missing', () => {
    for (const folder of folders.keys()) {
      const row = text.split('\n').find((line) => line.startsWith(`| \`${folder}/\``)) ?? '';
      expect(row.includes('(to come)'), folder).toBe(!existsSync(folder));
    }
  });

  it('names only files and folders that exist', () => {
    const paths = listPaths(text).filter((path) => !folders.has(path.replace(/\/$/, '')));
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('would notice a file that is gone', () => {
    expect(listPaths('see `core/gone.ts`').filter((path) => !existsSync(path))).toEqual(['core/gone.ts']);
  });
});

describe('README.md', () => {
  it('names the packed file of this version', () => {
    const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly name: string; readonly version: string };
    expect(readFileSync('README.md', 'utf8')).toContain(`/${name}-${version}.tgz`);
  });
});

describe('CONTRIBUTING.md', () => {
  const contributing = readFileSync('CONTRIBUTING.md', 'utf8');
  const namesIn = (pattern: RegExp): readonly string[] => [...contributing.matchAll(pattern)].map((match) => match[1] ?? '');

  it('names only scripts, files and campaigns that exist', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly scripts: Readonly<Record<string, string>> };
    const paths = namesIn(/(?<![\w./-])((?:core|test|contracts|docs|\.ci)\/[\w./-]*)(?=[\s`)])/g).filter((path) => !path.includes('NAME'));
    const campaigns = namesIn(/npm run campaign -- ([a-z-]+)/g).map((name) => `test/campaigns/${name}.campaign.ts`);
    expect(namesIn(/npm run ([\w:]+)/g).filter((name) => !(name in scripts))).toEqual([]);
    expect([...paths, ...campaigns].filter((path) => !existsSync(path))).toEqual([]);
    expect([paths.length > 5, campaigns.length > 1]).toEqual([true, true]);
  });
});
