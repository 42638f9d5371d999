/** The front page of a mock in a browser: everything works by mouse and by keyboard, at three widths, and nothing is requested from outside. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startJudgedMock } from '../../../helpers/judged-mock.ts';
import { ask } from '../../../helpers/plain-client.ts';
import { type Browser, chromium, openBrowser, type Page } from '../../../helpers/reports/devtools-browser.ts';
import { business, wiki, withKey } from '../../../helpers/request-targets.ts';
import { focused, lowContrast, overflows, unfoldAll } from '../../reports/page-checks.ts';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const mock = await startJudgedMock({});
const withoutControl = await startJudgedMock({ contracts: ['wiki'], control: false });
afterAll(() => mock.close());
afterAll(() => withoutControl.close());
beforeEach(() => mock.reset());

const html = { accept: 'text/html,application/xhtml+xml' };

describe('/ over HTTP', () => {
  it('is the page for a browser, and an unknown path for other clients', async () => {
    const page = await ask(mock, '/', html);
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toContain("default-src 'self'");
    const other = await ask(mock, '/', { accept: '*/*' });
    expect([other.status, other.at('/error/code')]).toEqual([404, 'NOT_FOUND']);
    expect(mock.journal.entries()).toHaveLength(1);
  });

  it.each([
    ['a rebound name', { host: 'rebound.example.org' }, 403],
    ['a frame of another origin', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }, 403],
    [
      'a link on a page of another origin',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      200,
    ],
  ])('for %s', async (_, headers, status) => {
    expect((await ask(mock, '/', { ...html, ...headers })).status).toBe(status);
  });

  it('is taken away with the control endpoint', async () => {
    expect((await ask(withoutControl, '/', html)).status).toBe(404);
  });

  it('has its own files only', async () => {
    expect((await ask(mock, '/__mock/page/icon.svg')).headers['content-type']).toBe('image/svg+xml');
    for (const file of ['package.json', '..%2f..%2fpackage.json', 'toString'])
      expect((await ask(mock, `/__mock/page/${file}`)).status).toBe(404);
  });

  it('weighs at most 50 kB', async () => {
    const files = ['front-page.html', 'front-page.css', 'front-page.js', 'request-log.js', 'operation-forms.js', 'elements.js', 'icon.svg'];
    const sizes = await Promise.all(files.map(async (file) => Number((await ask(mock, `/__mock/page/${file}`)).headers['content-length'])));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(50_000);
  });
});

describe.skipIf(chromium === undefined)('the front page in a browser (needs Chromium; skipped where it is not installed)', () => {
  let browser: Browser;
  let last: Page | undefined;
  beforeAll(() => {
    browser = openBrowser();
  });
  afterAll(() => browser[Symbol.asyncDispose]());

  /** Opens the page and waits until its log is live and its operations are shown. */
  const open = async (prepare: (page: Page) => Promise<unknown> = async () => undefined): Promise<Page> => {
    // A browser opens six connections to a host, and each open page keeps one.
    await last?.send('Page.close');
    const page = await browser.newPage();
    last = page;
    await prepare(page);
    await page.open(`${mock.url}/`);
    await until(
      page,
      `document.getElementById('connection').textContent === 'The log is live.' && document.querySelector('#first pre') !== null`,
    );
    return page;
  };
  /** Waits until an expression is true in the page. */
  const until = (page: Page, condition: string): Promise<unknown> =>
    page.evaluate(`new Promise((resolve) => {
      const look = () => ${condition} ? resolve(true) : setTimeout(look, 20);
      look();
    })`);
  const resize = (width: number) => (page: Page) =>
    page.send('Emulation.setDeviceMetricsOverride', { width, height: 800, deviceScaleFactor: 1, mobile: false });
  const textOf = (page: Page, selector: string): Promise<string> => page.evaluate(`document.querySelector('${selector}').innerText`);
  const full = withKey(mock.keys['full']);

  /** Sends requests that are right, refused, wrong, and met by chaos. */
  const sendRequests = async (): Promise<void> => {
    await ask(mock, `${business.orders}?limit=2`, full);
    await ask(mock, `${business.orders}?limit=500`, full);
    await ask(mock, `${wiki}?sort=title`);
    await ask(mock, `${business.orders}`, { ...full, 'mock-chaos': '503' });
  };
  const hasAllRequests = `document.querySelectorAll('#log summary').length === 4`;

  it('asks for nothing outside, and nothing is refused or broken', async () => {
    await sendRequests();
    const page = await open();
    await until(page, hasAllRequests);
    await page.evaluate(unfoldAll);
    await until(page, `document.querySelectorAll('#log pre').length === 12`);
    expect(page.requests.filter((url) => !url.startsWith(`${mock.url}/`))).toEqual([]);
    expect(page.complaints).toEqual([]);
  });

  it.each([390, 768, 1280])('has no finding of axe, enough contrast and no overflow at %i pixels', async (width) => {
    await sendRequests();
    for (const value of ['light', 'dark']) {
      const page = await open(async (each) => {
        await resize(width)(each);
        await each.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });
      });
      await until(page, `${hasAllRequests} && document.querySelectorAll('#findings article').length > 0`);
      await page.evaluate(unfoldAll);
      await until(page, `document.querySelectorAll('#log pre').length === 12`);
      expect(await page.evaluate(overflows)).toBe(false);
      expect(await page.evaluate(lowContrast)).toEqual([]);
      await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
      const found = await page.evaluate(`axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`);
      expect(found).toEqual([]);
    }
  });

  it('shows requests as they come, with the reason of a refusal and the rules that they break', async () => {
    const page = await open();
    expect(await textOf(page, '#quiet')).toContain('No request so far');
    expect(await textOf(page, '#first pre')).toContain(`curl -si -H 'X-SERVICE-API-Key: ${mock.keys['full']}'`);
    await sendRequests();
    // The page may read its report before the last request, and then reads it again.
    await until(page, `document.getElementById('verdict').innerText.startsWith('4 requests checked. 2 findings.')`);
    const log = await textOf(page, '#log');
    for (const text of ['limit=500 is not accepted: it must be <= 100.', 'client/declared-parameters', '503: requested by Mock-Chaos: 503'])
      expect(log).toContain(text);
    expect(await page.evaluate(`document.querySelectorAll('#log .why').length`)).toBeGreaterThanOrEqual(5);
    expect(await textOf(page, '#findings')).toContain('warning client/declared-parameters');
  });

  it('shows the details of an exchange by keyboard, without its key', async () => {
    await sendRequests();
    const page = await open();
    await until(page, hasAllRequests);
    await page.evaluate(`document.querySelector('#exchange-${mock.journal.last() - 3} summary').focus()`);
    expect(await page.evaluate<{ readonly isVisible: boolean }>(focused)).toMatchObject({ isVisible: true });
    await page.press('Enter');
    await until(page, `document.querySelectorAll('#log pre').length === 3`);
    const details = await textOf(page, '#log details[open]');
    expect(details).toContain('Operation listOrders of business.');
    expect(details).toContain('x-service-api-key: $KEY');
    expect(details).not.toContain(mock.keys['full']);
  });

  it('filters by words and by kind, and clears', async () => {
    await sendRequests();
    const page = await open();
    await until(page, `document.getElementById('count').textContent === '4 of 4'`);
    await page.click('#filter input');
    await page.type('listEntries');
    expect(await textOf(page, '#count')).toBe('1 of 4');
    await page.evaluate(`(() => {
      const form = document.getElementById('filter');
      form.elements.words.value = '';
      form.elements.kind.value = 'refused';
      form.dispatchEvent(new Event('input'));
    })()`);
    expect(await textOf(page, '#count')).toBe('2 of 4');
    await page.click('#clear');
    await until(page, `document.querySelectorAll('#log li').length === 0`);
    expect(mock.journal.entries()).toEqual([]);
  });

  it('begins anew when the mock was started again', async () => {
    const first = await startJudgedMock({ contracts: ['wiki'] });
    const { port } = first;
    // On the same port, this client could reuse a connection of the mock that has just stopped.
    for (const title of ['a', 'b', 'c']) await ask(first, `${wiki}?q=${title}`, { connection: 'close' });
    await last?.send('Page.close');
    const page = await browser.newPage();
    last = page;
    await page.open(`${first.url}/`);
    await until(page, `document.querySelectorAll('#log li').length === 3`);
    await first.close();
    await until(page, `document.getElementById('connection').textContent.startsWith('The log is interrupted')`);
    const second = await startJudgedMock({ contracts: ['wiki'], port });
    await ask(second, `${wiki}?q=new`);
    await until(page, `document.querySelectorAll('#log li').length === 1`);
    expect(await textOf(page, '#log')).toContain('q=new');
    await page.send('Page.close');
    last = undefined;
    await second.close();
  });

  it('tries an operation, which is not judged as a client', async () => {
    const page = await open();
    const form = `[...document.querySelectorAll('#apis details')].find((each) => each.innerText.includes('/orders/index.php'))`;
    await page.evaluate(`(() => { ${form}.open = true; ${form}.id = 'tried'; })()`);
    await page.click('#tried input[name="limit"]');
    await page.type('2');
    await page.press('Enter');
    await until(page, `document.querySelectorAll('#tried [aria-live] pre').length === 2`);
    expect(await textOf(page, '#tried [aria-live]')).toMatch(/200 OK[\s\S]*"orders": \[/);
    expect(mock.journal.entries()).toMatchObject([{ operation: 'listOrders', role: 'full', target: `${business.orders}?limit=2` }]);
    expect(mock.client().requests).toBe(0);
  });

  it('moves the clock, switches chaos and resets', async () => {
    const page = await open();
    await page.click('[data-advance="PT1H"]');
    await until(page, `document.getElementById('now').textContent.startsWith('2026-03-29T17:00:00Z')`);
    await page.click('#pace input');
    await page.type('60');
    await page.press('Enter');
    await until(page, `document.getElementById('now').textContent.includes('60 times')`);
    await page.click('#rules button');
    await until(page, `document.getElementById('chaos-state').textContent.startsWith('Chaos is on')`);
    expect(mock.chaos.list()).toEqual(['503 10%', 'latency 100ms..400ms']);
    await page.click('#reset');
    await until(page, `document.getElementById('chaos-state').textContent === 'Chaos is off.'`);
    expect([mock.clock.pace(), mock.chaos.list()]).toEqual([0, []]);
  });

  it('shows changes from elsewhere, and the message of a refused change', async () => {
    const page = await open();
    mock.clock.set(Date.UTC(2027, 0, 1));
    await until(page, `document.getElementById('now').textContent.startsWith('2027-01-01')`);
    await page.click('#move input');
    await page.type('tomorrow');
    await page.press('Enter');
    await until(page, `document.getElementById('said').textContent.includes('tomorrow')`);
    expect(mock.clock.now()).toBe(Date.UTC(2027, 0, 1));
  });
});
