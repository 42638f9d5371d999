import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { watchFiles } from '../../../../cli/mock/watch-files.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-watch-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Watches files and returns the reported changes one after another. */
function listen(files: () => readonly string[]) {
  const notices: (readonly string[])[] = [];
  let wake = (): void => undefined;
  const stop = watchFiles({
    files,
    onChange: async (changed) => {
      notices.push(changed);
      wake();
    },
  });
  const next = async (): Promise<readonly string[]> => {
    while (notices.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return notices.shift() ?? [];
  };
  return { next, stop, notices };
}

describe('watching', () => {
  it('reports the changed file, and no other file of its folder', async () => {
    const [one, other, stranger] = ['one.yaml', 'other.yaml', 'stranger.yaml'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    for (const file of [one, other, stranger]) writeFileSync(file, 'a');
    const { next, stop, notices } = listen(() => [one, other]);
    writeFileSync(stranger, 'bb');
    writeFileSync(other, 'bb');
    expect(await next()).toEqual([other]);
    writeFileSync(one, 'bb');
    expect(await next()).toEqual([one]);
    rmSync(one);
    expect(await next()).toEqual([one]);
    stop();
    expect(notices).toEqual([]);
  });

  it('follows files that are new, into their folders', async () => {
    const [first, below] = [join(folder, 'first.yaml'), join(folder, 'below')];
    mkdirSync(below);
    const second = join(below, 'second.yaml');
    for (const file of [first, second]) writeFileSync(file, 'a');
    let files: readonly string[] = [first];
    const { next, stop } = listen(() => files);
    files = [first, second];
    writeFileSync(first, 'bb');
    expect(await next()).toContain(first);
    writeFileSync(second, 'bb');
    expect(await next()).toEqual([second]);
    stop();
  });
});
