/** `touchstone diff` as a process: its exit code, and a complete report in a pipe. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { finish } from '../../helpers/program.ts';
import { contractText } from './diff-repository.ts';

// Each process loads the whole program, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-diff-process-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the program', () => {
  it('ends with 1 after a breaking change, and prints the whole report and nothing else', async () => {
    const states = Array.from({ length: 9_000 }, (_, index) => `state${index}`);
    const [old, next] = [join(folder, 'old.yaml'), join(folder, 'new.yaml')];
    writeFileSync(old, contractText(states.slice(1)));
    writeFileSync(next, contractText(states));
    const { code, out, error } = await finish(['diff', old, next, '--report', 'json=-']);
    expect([code, error]).toEqual([1, '']);
    expect(JSON.parse(out)).toMatchObject({ schema: 'touchstone-diff/1', breaking: true, old: { file: old }, new: { file: next } });
    expect(out.length).toBeGreaterThan(100_000);
  });
});
