/** What a clone answers to `npx touchstone` before and after its first build. */

import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { repository } from '../../helpers/tree.ts';

let clone = '';

beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'touchstone-clone-'));
  const { name, version, type, bin } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as Record<string, unknown>;
  writeFileSync(join(clone, 'package.json'), JSON.stringify({ name, version, type, bin }));
  mkdirSync(join(clone, 'bin'));
  copyFileSync(join(repository, 'bin/touchstone.js'), join(clone, 'bin/touchstone.js'));
  chmodSync(join(clone, 'bin/touchstone.js'), 0o644);
});

afterAll(() => rmSync(clone, { recursive: true, force: true }));

function npxTouchstone(...args: readonly string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  // npm 12 announces each program that it runs.
  const quiet = { npm_config_loglevel: 'error', npm_config_update_notifier: 'false' };
  const env = { ...process.env, ...quiet, npm_config_cache: join(clone, 'cache'), npm_config_offline: 'true' };
  return spawnSync('npx', ['touchstone', ...args], { cwd: clone, encoding: 'utf8', env });
}

it('says in one sentence how to build it, and works as soon as it is built', () => {
  const before = npxTouchstone('--version');
  expect(before).toMatchObject({ status: 2, stdout: '' });
  expect(before.stderr).toMatch(/^touchstone: this clone is not built yet; run npm ci && npm run build in .*touchstone-clone-.*\n$/);

  mkdirSync(join(clone, 'dist/cli'), { recursive: true });
  writeFileSync(join(clone, 'dist/cli/main.js'), 'console.log(...process.argv.slice(2));');
  expect(npxTouchstone('mock', '--port', '0')).toMatchObject({ status: 0, stdout: 'mock --port 0\n', stderr: '' });
});
