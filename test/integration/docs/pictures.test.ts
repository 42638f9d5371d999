/** The pictures of docs/images/ show what the commands print now. `npm run docs` draws them anew. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { run } from '../../../cli/run-command.ts';
import { type RunningMock, startMock } from '../../../mocks/start.ts';
import { repository } from '../../helpers/tree.ts';
import { renderTerminalPicture } from './terminal-picture.ts';

vi.setConfig({ testTimeout: 60_000 });

const server = 'https://staging.example.com';

let mock: RunningMock;
let folder: string;
beforeAll(async () => {
  mock = await startMock({ contracts: ['business'], mutants: ['checkpoint-exclusive:listOrders.updated_after'] });
  folder = mkdtempSync(join(tmpdir(), 'touchstone-pictures-'));
  const contract = readFileSync(join(repository, 'specs/business.openapi.yaml'), 'utf8');
  writeFileSync(join(folder, 'old.yaml'), contract);
  writeFileSync(join(folder, 'new.yaml'), contract.replace('cancelled, rejected, no_show', 'cancelled, no_show'));
  vi.stubEnv('FULL_KEY', mock.keys['full'] ?? '');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await mock.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What a command prints in colours, below its line. What differs from machine to machine is replaced. */
async function type(line: string): Promise<string> {
  let printed = '';
  const never = new Promise<never>(() => undefined);
  const words = line
    .replace('touchstone ', '')
    .replace(server, mock.url)
    .replaceAll(/\b(old|new)\.yaml/g, join(folder, '$1.yaml'));
  const terminal = {
    out: (text: string) => {
      printed += text;
    },
    error: () => undefined,
    decorated: true,
    columns: 100,
    interrupted: never,
  };
  await run(words.replaceAll("'", '').split(' '), '0.0.0', terminal);
  const shown = printed
    .replaceAll(mock.url, server)
    .replaceAll(`${folder}/`, '')
    .replaceAll(repository, '')
    .replaceAll(/ in \d+(\.\d+)? s\./g, ' in 3 s.');
  return `$ npx ${line}\n${shown}`;
}

it.each([
  [
    'verify',
    `touchstone verify business --target ${server} --key full=FULL_KEY --only 'sync/*'`,
    'A terminal: touchstone verify names one violation, with what was expected, what came, the line of the contract, and a curl command.',
  ],
  [
    'diff',
    'touchstone diff old.yaml new.yaml',
    'A terminal: touchstone diff shows one breaking change, with a request that the old contract allows and the new one refuses.',
  ],
])('%s', async (name, line, description) => {
  const picture = renderTerminalPicture(description, await type(line));
  await expect(picture).toMatchFileSnapshot(`../../../docs/images/${name}.svg`);
});
