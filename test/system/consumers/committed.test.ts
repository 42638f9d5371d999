/** The committed pacts equal what the consumers' tests make now. They run in a process of their own, where Pact's native core stays. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { committedFolder, folderVariable } from '../../consumers/folder.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

it('are current; otherwise: npm run pacts', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pacts-made-'));
  try {
    const { code, output } = await makePacts(folder);
    expect(code, output).toBe(0);
    const made = readPacts(folder);
    expect(Object.keys(made)).toEqual(['game-wiki.json', 'point-of-sale-business.json']);
    expect(readPacts(committedFolder)).toEqual(made);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function readPacts(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

async function makePacts(folder: string): Promise<{ readonly code: unknown; readonly output: string }> {
  // This process is a worker of Vitest, and says so in variables that the other Vitest must not inherit.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  const env = { ...Object.fromEntries(inherited), [folderVariable]: folder };
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--config', 'test/consumers/vitest.config.ts'], { cwd: repository, env });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  const [code] = await once(child, 'close');
  return { code, output: chunks.join('') };
}
