/**
 * The pictures of the pages show what commands print and pages say now; `npm run docs` draws them anew. Browsers draw letters differently on each machine, so
 * a screenshot is compared by its text, and drawn again where the text changed.
 */

import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { run } from '../../../cli/run-command.ts';
import { lazy } from '../../../core/memo.ts';
import { type RunningMock, startMock } from '../../../mocks/start-mock.ts';
import { chromium, openBrowser, type Page } from '../../helpers/reports/devtools-browser.ts';
import { repository } from '../../helpers/tree.ts';
import { renderTerminalPicture } from './terminal-picture.ts';

vi.setConfig({ testTimeout: 60_000 });

const server = 'https://api.example.com';

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

/** The coloured output of a command, below its line. Parts that differ from machine to machine are replaced. The added words are not shown. */
async function type(line: string, addedWords = ''): Promise<string> {
  let printed = '';
  const never = new Promise<never>(() => undefined);
  const words = `${line}${addedWords}`
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
    .replaceAll(/ in \d+(\.\d+)? s\./g, ' in 3 s.')
    .replace(/^Written: .*\n/m, '');
  return `$ npx ${line}\n${shown}`;
}

/** What `verify` prints of the faulty mock. The same run writes the report. */
const verified = lazy(() =>
  type(
    `touchstone verify business --target ${server} --key full=FULL_KEY --only 'sync/*'`,
    ` --seed 1 --report html=${join(folder, 'report.html')}`,
  ),
);

it.each([
  [
    'verify',
    verified,
    'A terminal: touchstone verify names one violation, with the expected and the actual response, the line of the contract, and a curl command.',
  ],
  [
    'diff',
    () => type('touchstone diff old.yaml new.yaml'),
    'A terminal: touchstone diff shows one breaking change, with a request that the old contract allows and the new one rejects.',
  ],
])('%s', async (name, print, description) => {
  const picture = renderTerminalPicture(description, await print());
  await expect(picture).toMatchFileSnapshot(`../../../docs/images/${name}.svg`);
});

describe.skipIf(chromium === undefined)('a screenshot (needs Chromium; skipped where it is not installed)', () => {
  /** Draws the upper part of a page when its text matches `complete`. `shown` replaces what differs from run to run. */
  async function draw(name: string, height: number, url: string, complete: RegExp, shown: Readonly<Record<string, string>>): Promise<void> {
    await using browser = openBrowser();
    const page = await browser.newPage();
    await page.send('Emulation.setDeviceMetricsOverride', { width: 900, height, deviceScaleFactor: 1, mobile: false });
    await page.send('Emulation.setScrollbarsHidden', { hidden: true });
    await page.open(url);
    await vi.waitFor(async () => expect(await page.evaluate<string>('document.body.innerText')).toMatch(complete), { timeout: 10_000 });
    const text = await readTexts(page, shown);
    const [textFile, picture] = [join(import.meta.dirname, `screens/${name}.txt`), join(repository, `docs/images/${name}.png`)];
    const before = existsSync(textFile) ? readFileSync(textFile, 'utf8') : undefined;
    await expect(text).toMatchFileSnapshot(textFile);
    if (before !== text || !existsSync(picture)) {
      const { data } = await page.send('Page.captureScreenshot', { format: 'png' });
      writeFileSync(picture, Buffer.from(String(data), 'base64'));
    }
    expect(statSync(picture).size).toBeLessThan(150_000);
  }

  /** The first visible texts of a page, replaced in the page too. */
  async function readTexts(page: Page, shown: Readonly<Record<string, string>>): Promise<string> {
    const read = `(() => {
      // A replaced text must not be divided.
      for (const each of document.querySelectorAll('wbr')) each.remove();
      document.body.normalize();
      const lines = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        for (const [from, to] of Object.entries(${JSON.stringify(shown)})) node.data = node.data.replaceAll(new RegExp(from, 'g'), to);
        if (node.parentElement.getBoundingClientRect().width > 0 && node.data.trim() !== '') lines.push(node.data.trim().replaceAll(/\\s+/g, ' '));
      }
      return lines.slice(0, 45).join('\\n') + '\\n';
    })()`;
    return page.evaluate<string>(read);
  }

  it('of the report', async () => {
    await verified();
    await draw('report', 900, pathToFileURL(join(folder, 'report.html')).href, /accept as/, {
      [mock.url]: server,
      [`${folder}/`]: '',
      [repository]: '',
      '[-0-9]{10} [0-9:]{8} UTC, for [0-9.]+ s': '2026-11-25 09:00:00 UTC, for 3 s',
    });
  });

  it('of the front page', async () => {
    await using served = await startMock({ contracts: ['business'] });
    const url = `${served.url}/api/integrations/v1/orders`;
    for (const [target, chaos] of [
      ['index.php?status=ready'],
      ['index.php?limit=500'],
      ['view.php?id=11459', '429'],
      ['view.php?id=11459'],
    ]) {
      const headers = { 'x-service-api-key': served.keys['full'] ?? '', ...(chaos === undefined ? {} : { 'mock-chaos': chaos }) };
      await (await fetch(`${url}/${target}`, { headers })).text();
    }
    await draw('front-page', 900, served.url, /is live.*4 of 4.*#4.*client\/.*#3.*client\/.*#2.*client\/.*#1.*client\//s, {
      [served.url]: 'http://127.0.0.1:4010',
      '[0-9.]+ ms': '3 ms',
      '[0-9:]{7,8}( [AP]M)?': '9:00:00 AM',
    });
  });
});
