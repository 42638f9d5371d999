/** The image is as documented, as far as that shows without building it: a lint of its file, and its commands outside a container. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { endAll, run } from '../../helpers/program.ts';
import { repository } from '../../helpers/tree.ts';
import { execForm, lastOf, lintDockerfile, readInstructions } from './dockerfile.ts';

vi.setConfig({ testTimeout: 60_000 });
afterAll(endAll);

const read = (path: string): string => readFileSync(join(repository, path), 'utf8');
const file = read('containers/Dockerfile');

/** Mistakes, each with the complaint of the lint. */
const mistakes: readonly (readonly [message: string, from: string | RegExp, to: string])[] = [
  ['there is an unknown instruction', 'STOPSIGNAL SIGTERM', 'MAINTAINER somebody\nSTOPSIGNAL SIGTERM'],
  ['a base image has no exact version', /^FROM \S+$/m, 'FROM node:alpine'],
  ['the stages have different bases', /^FROM \S+$/m, 'FROM node:20.19.0-alpine3.21'],
  ['ADD unpacks and downloads; COPY does not', 'COPY --from=install', 'ADD --from=install'],
  ['npm would run scripts of packages', '--ignore-scripts', ''],
  ['it runs as root', 'USER node', ''],
  ['it runs as root', 'USER node', 'USER root'],
  ['files are copied after the user is chosen', 'STOPSIGNAL SIGTERM', 'STOPSIGNAL SIGTERM\nUSER node\n'],
  ['ENTRYPOINT is not in exec form, so signals end in a shell', /^ENTRYPOINT .*$/m, 'ENTRYPOINT touchstone'],
  ['CMD is not in exec form', /^CMD .*$/m, 'CMD mock --host 0.0.0.0'],
  ['there is no health check in exec form', /^HEALTHCHECK[^\n]*\n[^\n]*$/m, 'HEALTHCHECK NONE'],
  ['the health check has no interval and timeout', '--interval=10s ', ''],
  ['the health check asks another port', 'EXPOSE 4010', 'EXPOSE 4011'],
  ['it listens on another port than it exposes', '"--port", "4010"', '"--port", "4011"'],
  ['nobody outside the container reaches it', '"0.0.0.0"', '"127.0.0.1"'],
  ['it is stopped by another signal than SIGTERM', 'STOPSIGNAL SIGTERM', ''],
];

describe('the Dockerfile', () => {
  it('has nothing wrong with it', () => {
    expect(lintDockerfile(file)).toEqual([]);
    expect(readInstructions(file).length).toBeGreaterThan(12);
  });

  it.each(mistakes)('would be told that %s', (message, from, to) => {
    const wrong = message === 'files are copied after the user is chosen' ? moveUserUp(file) : file.replace(from, to);
    expect(wrong).not.toBe(file);
    expect(lintDockerfile(wrong)).toContain(message);
  });

  it('copies the packed package and nothing else, which is all that the build gets to see', () => {
    const copies = readInstructions(file).filter(({ name }) => name === 'COPY');
    expect(copies.map(({ text }) => text)).toEqual([`\${PACKAGE} ./`, '--from=install /opt/touchstone /opt/touchstone']);
    const { name, version } = JSON.parse(read('package.json')) as { readonly name: string; readonly version: string };
    expect(`${name}-${version}.tgz`).toMatch(/^touchstone-.*\.tgz$/);
    expect(file).toContain('ARG PACKAGE=touchstone-*.tgz');
    const ignored = read('containers/Dockerfile.dockerignore').split('\n');
    expect(ignored.filter((line) => line !== '' && !line.startsWith('#'))).toEqual(['*', '!touchstone-*.tgz']);
  });

  it('starts a mock that its health check finds, and that stops at its signal', async () => {
    const command = execForm(lastOf(file, 'CMD')) ?? [];
    // Anywhere but in a container, the port may be taken.
    const mock = run([...command.map((word) => (word === '4010' ? '0' : word)), '--json']);
    const [line = ''] = await mock.lines(1);
    const { url } = JSON.parse(line) as { readonly url: string };
    const port = new URL(url).port;
    expect(url).toBe(`http://0.0.0.0:${port}`);
    expect(await checkHealth(port)).toBe(0);
    mock.process.kill('SIGTERM');
    expect(await mock.ended).toMatchObject({ code: 0, signal: null });
    // Control: with nothing listening, the check fails.
    expect(await checkHealth(port)).toBe(1);
  });
});

describe('compose.yaml', () => {
  interface Service {
    readonly image: string;
    readonly command?: readonly string[];
    readonly build?: { readonly context: string; readonly dockerfile: string };
    readonly volumes?: readonly string[];
    readonly user?: string;
  }
  const { services } = parse(read('containers/compose.yaml')) as { readonly services: Readonly<Record<string, Service>> };
  const mocks = Object.entries(services).filter(([name]) => name !== 'nginx');

  it('has three mocks of one seed, and nginx knows each of them', () => {
    expect(mocks.map(([name]) => name)).toEqual(['mock-1', 'mock-2', 'mock-3']);
    expect(new Set(mocks.map(([, mock]) => JSON.stringify(mock))).size).toBe(1);
    const upstreams = [...read('containers/nginx.conf').matchAll(/^ +server (\S+);$/gm)].map((match) => match[1]);
    expect(upstreams).toEqual(mocks.map(([name]) => `${name}:4010`));
  });

  it('names files that exist and images of exact versions, and starts mocks as the command line allows', async () => {
    for (const { build, volumes = [], image } of Object.values(services)) {
      if (build !== undefined) expect(existsSync(join(repository, 'containers', build.context, build.dockerfile))).toBe(true);
      else expect(image).toMatch(/:\d+\.\d+\.\d+-/);
      for (const volume of volumes) expect(existsSync(join(repository, 'containers', volume.split(':')[0] ?? ''))).toBe(true);
    }
    const mock = run([...(mocks[0]?.[1].command ?? []).map((word) => (word === '4010' ? '0' : word)), '--json']);
    const [line = ''] = await mock.lines(1);
    const { url, seed } = JSON.parse(line) as { readonly url: string; readonly seed: number };
    expect(seed).toBe(1);
    expect(await checkHealth(new URL(url).port)).toBe(0);
    mock.process.kill('SIGTERM');
    expect((await mock.ended).code).toBe(0);
  });
});

function moveUserUp(text: string): string {
  return text.replace('USER node\n', '').replace(/^(FROM \S+\n)(?!ARG)/m, '$1USER node\n');
}

/** Runs the command of the health check against another port, and resolves to its exit code. */
async function checkHealth(port: string): Promise<number> {
  const [command = '', ...words] = execForm(lastOf(file, 'HEALTHCHECK')) ?? [];
  expect(command).toBe('node');
  const child = spawn(
    process.execPath,
    words.map((word) => word.replace(':4010/', `:${port}/`)),
    { stdio: 'ignore' },
  );
  const [code] = (await once(child, 'exit')) as [number];
  return code;
}
