/** The built site of the documentation in a browser: axe finds nothing, its search works, and it asks for nothing from outside. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Browser, chromium, openBrowser, type Page } from '../../helpers/reports/devtools-browser.ts';
import { repository } from '../../helpers/tree.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const site = join(repository, 'docs/.vitepress/dist');
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** A page of each kind. */
const pages = [
  'index.html',
  'tutorials/write-a-client.html',
  'how-to/chaos.html',
  'explanation/comparison.html',
  'explanation/verdicts.html',
  'reference/cli.html',
  'reference/rules.html',
  'reference/api/touchstone/mock.html',
] as const;

/** Names of the rules of axe that a page breaks, each with the first element that breaks it. */
const axe = `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`;

/** Captions of figures whose texts have the colour of their boxes, or that lost a part of themselves. */
const unreadable = `[...document.querySelectorAll('.drawing')].flatMap((figure) => {
  const fillOf = (selector) => getComputedStyle(figure.querySelector(selector)).fill;
  const isWhole = figure.querySelectorAll('.node, .actor').length === Number(figure.dataset.parts);
  return fillOf('text') === fillOf('rect') || !isWhole ? [figure.textContent] : [];
})`;

describe.skipIf(chromium === undefined || !existsSync(site))('the site (needs Chromium and npm run docs:build; skipped without)', () => {
  let browser: Browser;
  let server: Server;
  let origin: string;

  beforeAll(async () => {
    browser = openBrowser();
    server = createServer((request, response) => {
      const file = join(site, new URL(request.url ?? '/', 'http://localhost').pathname);
      if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
      return response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    server.close();
  });

  const open = async (path: string, scheme: 'light' | 'dark'): Promise<Page> => {
    const page = await browser.newPage();
    await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
    await page.open(`${origin}/${path}`);
    return page;
  };

  it.each(pages.flatMap((path) => [[path, 'light'] as const, [path, 'dark'] as const]))('%s in %s passes axe', async (path, scheme) => {
    const page = await open(path, scheme);
    await page.evaluate(readFileSync(join(repository, 'docs/node_modules/axe-core/axe.min.js'), 'utf8'));
    expect(await page.evaluate<readonly string[]>(axe)).toEqual([]);
    expect(await page.evaluate<readonly string[]>(unreadable)).toEqual([]);
    expect(page.complaints).toEqual([]);
    expect(page.requests.filter((url) => !url.startsWith(origin) && !url.startsWith('data:'))).toEqual([]);
  });

  it('finds a page by a word of its text', async () => {
    const page = await open('index.html', 'light');
    const until = (condition: string): Promise<number> =>
      page.evaluate(
        `new Promise((resolve) => { const look = () => { const value = ${condition}; value ? resolve(value) : setTimeout(look, 20); }; look(); })`,
      );
    // The button works as soon as the page has its script.
    await until(
      `document.querySelector('.VPLocalSearchBox input')?.matches(':focus') || document.querySelector('.DocSearch-Button').click()`,
    );
    await page.type('Retry-After');
    expect(await until(`document.querySelectorAll('.VPLocalSearchBox a.result').length`)).toBeGreaterThan(3);
  });
});
