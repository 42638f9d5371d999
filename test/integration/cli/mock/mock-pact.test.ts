/** `touchstone mock --record-pact FILE --consumer NAME`. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../../../cli/run-command.ts';
import { parsePact } from '../../../../core/pact/parse-pact.ts';
import { ask } from '../../../helpers/plain-client.ts';
import { createTerminal } from '../../../helpers/reports/fake-terminal.ts';
import { business, wiki, withKey } from '../../../helpers/request-targets.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-pact-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Recorded {
  readonly port: number;
  readonly keys: Readonly<Record<string, string>>;
}

/** Runs a mock while `use` works with it, and returns what it printed. */
async function withMock(
  args: readonly string[],
  use: (mock: Recorded) => Promise<void>,
): Promise<{ readonly out: string; readonly error: string }> {
  const terminal = createTerminal();
  const code = run(['mock', '--port', '0', ...args], '0.0.0', terminal);
  await terminal.until('http://127.0.0.1:');
  const port = Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(terminal.printed().out)?.[1]);
  const { at } = await ask({ port }, '/__mock/keys');
  await use({ port, keys: at('/keys') as Readonly<Record<string, string>> });
  terminal.interrupt();
  expect(await code).toBe(0);
  return terminal.printed();
}

const read = (file: string): ReturnType<typeof parsePact> => parsePact(file, readFileSync(file, 'utf8'));

describe('recording a pact in a terminal', () => {
  it('writes what is new at once, and says in the end what it wrote and what it left out', async () => {
    const file = join(folder, 'shop.json');
    writeFileSync(file, 'an older pact');
    const { out } = await withMock(['business', '--record-pact', file, '--consumer', 'shop'], async (mock) => {
      expect(readFileSync(file, 'utf8')).toBe('an older pact');
      await ask(mock, business.identity, withKey(mock.keys['full']));
      expect(read(file).interactions.map(({ description }) => description)).toEqual(['a request for the identity']);
      await ask(mock, business.identity);
      await ask(mock, business.identity);
      await ask(mock, '/nowhere');
      expect(read(file)).toMatchObject({ consumer: 'shop', provider: 'business', interactions: [{}, {}] });
      const { text } = await ask(mock, '/__mock/pact?consumer=shop');
      expect(text).toBe(readFileSync(file, 'utf8'));
    });
    expect(out).toContain(`Recording the pact of shop in ${file}.\n`);
    expect(out).toContain(
      `Recorded 2 interactions between shop and business in ${file}.\nNot in the pact:\n  1 request, because no operation of the contract has its path and method: GET /nowhere\nStopped after 4 requests from the client: no findings; `,
    );
    expect(readdirSync(folder)).toEqual(['shop.json']);
  });

  it('writes a file for each contract into a folder, and tells programs of them', async () => {
    const own = mkdtempSync(join(folder, 'pacts-'));
    const { out } = await withMock(['--record-pact', own, '--consumer', 'My Shop', '--json'], async (mock) => {
      await ask(mock, `${wiki}?limit=1`);
      await ask(mock, business.menu, withKey(mock.keys['full']));
    });
    expect(readdirSync(own)).toEqual(['My_Shop-business.json', 'My_Shop-wiki.json']);
    const last = JSON.parse(out.trim().split('\n').at(-1) ?? '') as unknown;
    const pacts = ['business', 'wiki'].map((provider) => ({ provider, file: join(own, `My_Shop-${provider}.json`), interactions: 1 }));
    expect(last).toEqual({ event: 'pact', consumer: 'My Shop', pacts: expect.arrayContaining(pacts), leftOut: [] });
  });

  it("leaves out the verifier's requests, and with a filter those of other clients", async () => {
    const file = join(folder, 'filtered.json');
    const given = ['business', '--record-pact', file, '--consumer', 'till=header:User-Agent:till/*'];
    const { out } = await withMock(given, async (mock) => {
      await ask(mock, business.menu, { ...withKey(mock.keys['full']), 'user-agent': 'till/2.1' });
      await ask(mock, business.orders, { ...withKey(mock.keys['full']), 'user-agent': 'touchstone' });
      await ask(mock, business.orders, withKey(mock.keys['full']));
    });
    expect(read(file).interactions.map(({ request }) => request.path)).toEqual([business.menu]);
    expect(out).toContain('1 request, because touchstone sent it, not the consumer: GET');
    expect(out).toContain('1 request, because its header User-Agent does not match: GET');
  });

  it('records the requests with the key of one role', async () => {
    const file = join(folder, 'role.json');
    await withMock(['business', '--record-pact', file, '--consumer', 'till=role:full'], async (mock) => {
      await ask(mock, business.menu, withKey(mock.keys['full']));
      await ask(mock, business.orders, withKey(mock.keys['other']));
    });
    expect(read(file).interactions.map(({ request }) => request.path)).toEqual([business.menu]);
  });

  it('writes nothing when nothing was asked', async () => {
    const file = join(folder, 'silent.json');
    const { out } = await withMock(['wiki', '--record-pact', file, '--consumer', 'silent'], async () => undefined);
    expect(out).toContain(`Recorded no interactions of silent, so ${file} was not written.\n`);
    expect(readdirSync(folder)).not.toContain('silent.json');
  });

  it('says once more when the file can no longer be written, and serves on', async () => {
    const own = mkdtempSync(join(folder, 'gone-'));
    const file = join(own, 'pact.json');
    const { error } = await withMock(['wiki', '--record-pact', file, '--consumer', 'shop'], async (mock) => {
      rmSync(own, { recursive: true });
      writeFileSync(own, '');
      expect((await ask(mock, wiki)).status).toBe(200);
    });
    expect(error).toContain(
      `touchstone: the pact ${file} cannot be written: a part of ${own} is a file, not a folder; name another file\n`,
    );
  });

  it.each<[readonly string[], string]>([
    [['--consumer', 'shop'], '--consumer shop names the client of a pact, but no pact is recorded; add --record-pact FILE'],
    [['wiki', '--record-pact', 'x.json'], '--record-pact x.json needs the name of the client in its pact; add --consumer NAME'],
    [['wiki', '--record-pact', 'x.json', '--consumer', 'a=key:full'], 'write NAME=role:ROLE or NAME=header:NAME:VALUE'],
    [['wiki', '--record-pact', 'x.json', '--consumer', ' '], 'the consumer of a pact needs a name'],
    [
      ['wiki', '--record-pact', '/dev/null/x.json', '--consumer', 'a'],
      'the pact /dev/null/x.json cannot be written: a part of /dev/null is a file, not a folder; name another file',
    ],
    [
      ['--record-pact', 'x.json', '--consumer', 'a'],
      '--record-pact x.json is not an existing folder, and this mock serves business and wiki; one file holds one pact: name one contract, or a folder',
    ],
    [['wiki', '--record-pact', 'x.json', '--consumer', 'a', '--mutant', 'any'], 'this mock deviates from its contract'],
  ])('refuses %j', async (args, message) => {
    const terminal = createTerminal();
    expect(await run(['mock', '--port', '0', ...args], '0.0.0', terminal)).toBe(2);
    expect(terminal.printed().error).toContain(message);
  });
});
