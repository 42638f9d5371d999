/** containers/nginx.conf in front of three mocks of one seed: pages come from different processes, and each record comes once. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { type FSWatcher, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Fields, Reply } from '../../helpers/plain-client.ts';
import { toReply } from '../../helpers/plain-client.ts';
import { endAll, run } from '../../helpers/program.ts';
import { business, cursorLists, recordsOf, target, wiki, withKey } from '../../helpers/request-targets.ts';
import { repository } from '../../helpers/tree.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** The program of nginx, if there is one. */
const nginx: string | undefined = [process.env['TOUCHSTONE_NGINX'] ?? 'nginx', '/usr/sbin/nginx'].find((candidate) => {
  try {
    execFileSync(candidate, ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

const folder = mkdtempSync(join(tmpdir(), 'touchstone-nginx-'));
/** nginx listens on a file, so no port can be taken. */
const socketPath = join(folder, 'socket');

describe.skipIf(nginx === undefined)('nginx in front of three mocks (needs nginx; skipped where it is not installed)', () => {
  let proxy: ChildProcess | undefined;
  let ports: readonly string[] = [];
  let keys: Readonly<Record<string, string>> = {};

  beforeAll(async () => {
    const greetings = await Promise.all(
      ['1', '2', '3'].map(async () => {
        const [line = ''] = await run(['mock', '--json', '--port', '0', '--seed', '5']).lines(1);
        return JSON.parse(line) as { readonly url: string; readonly keys: Readonly<Record<string, string>> };
      }),
    );
    ports = greetings.map(({ url }) => new URL(url).host);
    keys = greetings[0]?.keys ?? {};
    const config = join(folder, 'nginx.conf');
    writeFileSync(config, configure(ports));
    const socket = appearance(watch(folder));
    proxy = spawn(nginx ?? '', ['-c', config, '-p', folder, '-g', 'daemon off;'], { stdio: ['ignore', 'ignore', 'inherit'] });
    await untilListening(proxy, socket);
  });

  afterAll(async () => {
    if (proxy !== undefined && proxy.exitCode === null) {
      proxy.kill('SIGTERM');
      await once(proxy, 'exit');
    }
    endAll();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(cursorLists)('gives each record of $path once, though the pages come from different processes', async ({ path, items }) => {
    const seen: unknown[] = [];
    const upstreams = new Set<string>();
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = await ask(target(path, { limit: 40, ...(cursor === '' ? {} : { cursor }) }), withKey(keys['full']));
      seen.push(...recordsOf(page, items).map((record) => record['id']));
      upstreams.add(String(page.headers['mock-upstream']));
      cursor = page.at('/data/page/has_more') === true ? String(page.at('/data/page/next_cursor')) : undefined;
      expect(seen.length).toBeLessThan(100_000);
    }
    expect(seen.length).toBeGreaterThan(80);
    expect(new Set(seen).size).toBe(seen.length);
    expect([...upstreams].sort()).toEqual([...ports].sort());
  });

  it('lets conditional reads, failures and strange targets through as they are', async () => {
    const menu = await ask(business.menu, withKey(keys['full']));
    const again = await ask(business.menu, withKey(keys['full'], { 'if-none-match': menu.headers.etag ?? '' }));
    expect([menu.status, again.status, again.text]).toEqual([200, 304, '']);
    expect((await ask(business.orders)).at('/error/code')).toBe('UNAUTHORIZED');
    expect((await ask(`${wiki}//`)).at('/error/code')).toBe('NOT_FOUND');
    expect((await ask(`${wiki}/..%2F..%2Fetc`)).at('/error/code')).toBe('NOT_FOUND');
    expect((await ask(`${wiki}?q=${'a'.repeat(50_000)}`)).status).toBe(200);
    // The sign of a time zone stays what it was: %2B is a plus, and a plus is a space.
    const instant = `${business.orders}?limit=1&updated_after=2026-03-01T10:00:00`;
    expect((await ask(`${instant}%2B01:00`, withKey(keys['full']))).status).toBe(200);
    expect((await ask(`${instant}+01:00`, withKey(keys['full']))).status).toBe(422);
  });
});

/** The configuration, with the places of this machine instead of those of the containers. */
function configure(hosts: readonly string[]): string {
  const written = readFileSync(join(repository, 'containers/nginx.conf'), 'utf8');
  const placed = hosts.reduce((text, host, index) => text.replace(`mock-${index + 1}:4010`, host), written);
  const config = placed.replaceAll(' /tmp/', ` ${folder}/`).replace('listen 8080;', `listen unix:${socketPath};`);
  expect(config).not.toMatch(/mock-\d:|\/tmp\/nginx[.-]|8080/);
  return config;
}

/** nginx does not report that it is up; its socket appears, and accepts connections a moment later. */
async function untilListening(proxy: ChildProcess, socket: Promise<unknown>): Promise<void> {
  await Promise.race([socket, once(proxy, 'exit')]);
  for (;;) {
    if (proxy.exitCode !== null) throw new Error(`nginx ended with exit code ${proxy.exitCode}`);
    try {
      await ask('/');
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
    }
  }
}

/** Resolves when the socket of nginx appears in the folder. */
async function appearance(watcher: FSWatcher): Promise<void> {
  for await (const [, name] of on(watcher, 'change') as AsyncIterable<readonly [string, string]>) if (name === 'socket') break;
  watcher.close();
}

function ask(path: string, headers: Fields = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, path, headers: { host: 'localhost', ...headers } }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => resolve(toReply(incoming.statusCode ?? 0, incoming.headers as IncomingHttpHeaders, Buffer.concat(chunks))));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
