/** ARCHITECTURE.md and CONTRIBUTING.md stay true: the rooms are those of the rules and of the disk, and every file and script that they name exists. */

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';

const text = readFileSync('ARCHITECTURE.md', 'utf8');

interface Rules {
  readonly forbidden: readonly { readonly name: string; readonly to: { readonly pathNot?: readonly string[] } }[];
}

/** Room → the rooms below it, out of the rules that are enforced. */
const floors: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  (createRequire(import.meta.url)('../../../.dependency-cruiser.cjs') as Rules).forbidden
    .filter((rule) => rule.name.startsWith('floor-'))
    .map((rule) => {
      const room = rule.name.slice('floor-'.length);
      const allowed = /^\^\((.*)\)\/$/.exec(rule.to.pathNot?.[0] ?? '')?.[1]?.split('|') ?? [];
      return [room, allowed.filter((each) => each !== room)];
    }),
);

/** Room → the rooms that its row allows. */
function listRooms(markdown: string): ReadonlyMap<string, string> {
  const rows = [...markdown.matchAll(/^\| `(\w+)\/` \| ([^|]+) \|/gm)];
  return new Map(rows.map((row) => [row[1] ?? '', (row[2] ?? '').trim()]));
}

/** Names in back-ticks that look like a path of the repository. Lines that are marked are to be checked by hand first. */
function listPaths(markdown: string): readonly string[] {
  return [...markdown.matchAll(/`([\w./-]+\/[\w.-]*|\.[\w-]+\.cjs|\w+\.ts)`/g)].map((match) => match[1] ?? '');
}

describe('ARCHITECTURE.md', () => {
  const rooms = listRooms(text);

  it('lists exactly the rooms that have a floor', () => {
    const ruled = Object.keys(floors).filter((room) => room !== 'test');
    expect([...rooms.keys()].sort()).toEqual(ruled.sort());
  });

  it('allows each room what the rules allow it', () => {
    for (const [room, allowed] of rooms) {
      const expected = floors[room] ?? [];
      const isAll = allowed === 'all of these' && expected.length === rooms.size - 1;
      const said = allowed === 'nothing' ? [] : [...allowed.matchAll(/`(\w+)\/`/g)].map((match) => match[1]);
      expect(isAll ? expected : said, room).toEqual(expected);
    }
  });

  it('says of a room that it is to come exactly when it is not there', () => {
    for (const room of rooms.keys()) {
      const row = text.split('\n').find((line) => line.startsWith(`| \`${room}/\``)) ?? '';
      expect(row.includes('(to come)'), room).toBe(!existsSync(room));
    }
  });

  it('names only files and folders that exist', () => {
    const paths = listPaths(text).filter((path) => !rooms.has(path.replace(/\/$/, '')));
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('would notice a file that is gone', () => {
    expect(listPaths('see `core/gone.ts`').filter((path) => !existsSync(path))).toEqual(['core/gone.ts']);
  });

  it('fits two pages or so', () => {
    expect(text.split('\n').length).toBeLessThanOrEqual(120);
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
