/** `touchstone infer`: an overlay of what a file says about its collections. */

import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../../../cli/run-command.ts';
import { loadContract } from '../../../core/openapi/contract.ts';
import { createTerminal } from '../../helpers/reports/fake-terminal.ts';

let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'infer-'));
  file = path.join(folder, 'garden.openapi.yaml');
  await copyFile('test/helpers/contracts/garden.openapi.yaml', file);
  // The first command loads the program.
  await infer(file);
}, 60_000);

afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function infer(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly error: string }> {
  const terminal = createTerminal();
  return { code: await run(['infer', ...args], '0.0.0', terminal), ...terminal.printed() };
}

it('prints an overlay that loads, and states what is sure', async () => {
  const { code, out, error } = await infer(file);
  expect([code, error]).toEqual([0, '']);
  const overlay = path.join(folder, 'garden.overlay.yaml');
  await writeFile(overlay, out);
  const { operations } = await loadContract(overlay);
  const bed = operations.find(({ id }) => id === 'getBed');
  expect(bed?.resource).toMatchObject({ name: 'beds', at: '' });
  expect([...(bed?.resource?.by ?? [])]).toEqual([['bed_id', '/id']]);
  expect(out).toMatch(/# listBeds: items 95 %/);
});

it('says in CI what a file does not state, until an overlay states it', async () => {
  const before = await infer(file, '--check');
  expect(before.code).toBe(1);
  expect(before.out).toContain('getBed: x-resource can be inferred');
  const overlay = path.join(folder, 'checked.overlay.yaml');
  await writeFile(overlay, (await infer(file)).out);
  expect(await infer(overlay, '--check')).toMatchObject({ code: 0, out: '' });
});

it('prints a table of what was found and what was not', async () => {
  const { out } = await infer(file, '--table');
  expect(out).toMatch(/^beds +yes +yes +cursor +yes +2 of 2 +yes +create replace delete update action +-/m);
  expect(out).toMatch(/^plants +yes +yes +page +yes/m);
});
