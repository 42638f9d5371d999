/** Pipes, devices, folders and very large files are refused with the reason. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadDocument } from '../../../core/openapi/loading/load-document.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['a pipe', (file: string) => execFileSync('mkfifo', [file]), 'it is a pipe or a device; save its output in a file'],
  ['too large', (file: string) => execFileSync('truncate', ['--size=50000000', file]), 'it has 50 MB; the limit is 32 MB'],
])('%s', async (name, make, reason) => {
  const file = join(folder, name);
  make(file);
  await expect(loadDocument(file)).rejects.toThrow(`${file} cannot be read (${reason}); name an OpenAPI file`);
});

test('a folder, a device, and nothing', async () => {
  await expect(loadDocument(folder)).rejects.toThrow('cannot be read (EISDIR)');
  await expect(loadDocument('/dev/zero')).rejects.toThrow('cannot be read (it is a pipe or a device');
  await expect(loadDocument(join(folder, 'none'))).rejects.toThrow('cannot be read (ENOENT)');
});
