/** The HTML reports in a browser: nothing is requested from outside, and everything works by mouse and keyboard, in light and dark, with and without script. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { reportOfComparison } from '../../../reports/diff/diff-report.ts';
import { renderHtml } from '../../../reports/render-html.ts';
import { reportOfRun } from '../../../reports/verify/verify-report.ts';
import { type Browser, chromium, openBrowser, type Page } from '../../helpers/reports/devtools-browser.ts';
import { changeOf, comparisonOf, hostileComparison, manyChanges } from '../../helpers/reports/sample-comparisons.ts';
import { hostileRun, hugeRun, mixedRun, oneMistake } from '../../helpers/reports/sample-runs.ts';
import { brokenWords, focused, lowContrast, overflows, unfoldAll } from './page-checks.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const longPath = '/api/integrations/v1/warehouses/items/view_one.php?category_code=dry_goods&page=2';
const longName = `GET ${longPath}`;

/** Pages by their names. */
const pages = {
  verify: renderHtml(reportOfRun(mixedRun())),
  'verify-one': renderHtml(reportOfRun(oneMistake())),
  'verify-hostile': renderHtml(reportOfRun(hostileRun())),
  'verify-huge': renderHtml(reportOfRun(hugeRun(15, 'a title of some length'))),
  diff: renderHtml(reportOfComparison(comparisonOf(manyChanges().slice(0, 12), { notes: ['A note'] }))),
  'diff-paths': renderHtml(
    reportOfComparison(
      comparisonOf([
        changeOf({ operation: longName, operations: [longName], text: `\`${longName}\` was removed, and ${longPath} is free` }),
      ]),
    ),
  ),
  'diff-hostile': renderHtml(reportOfComparison(hostileComparison())),
} as const;

/** Widths of a phone, a tablet and a laptop. */
const widths = [360, 768, 1280] as const;

type Name = keyof typeof pages;
const names = Object.keys(pages) as readonly Name[];

describe.skipIf(chromium === undefined)('reports in a browser (needs Chromium; skipped where it is not installed)', () => {
  let browser: Browser;
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'touchstone-pages-'));
    for (const name of names) writeFileSync(join(folder, `${name}.html`), pages[name]);
    browser = openBrowser();
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const addressOf = (name: Name): string => pathToFileURL(join(folder, `${name}.html`)).href;
  const show = async (name: Name, prepare: (page: Page) => Promise<unknown> = async () => undefined): Promise<Page> => {
    const page = await browser.newPage();
    await prepare(page);
    await page.open(addressOf(name));
    return page;
  };
  const prefer = (scheme: 'light' | 'dark') => (page: Page) =>
    page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
  const resize = (width: number) => (page: Page) =>
    page.send('Emulation.setDeviceMetricsOverride', { width, height: 800, deviceScaleFactor: 1, mobile: false });
  const background = 'getComputedStyle(document.body).backgroundColor';

  it.each(names)('%s asks for nothing but itself, runs nothing but its own script, and nothing is refused', async (name) => {
    const page = await show(name);
    await page.evaluate(unfoldAll);
    expect(await page.evaluate('document.scripts.length')).toBe(1);
    expect(await page.evaluate(`document.querySelectorAll('img, iframe, object, link, form, base').length`)).toBe(0);
    expect(new Set(page.requests)).toEqual(new Set([addressOf(name)]));
    expect(page.complaints).toEqual([]);
  });

  // Checking each text of a long page takes long, and it has no other texts than the short one.
  it.each(names.filter((name) => name !== 'verify-huge' && name !== 'verify-one'))(
    '%s can be read in light and in dark, whatever the system says',
    async (name) => {
      for (const scheme of ['light', 'dark'] as const) {
        const page = await show(name, prefer(scheme));
        await page.evaluate(unfoldAll);
        expect(await page.evaluate(lowContrast)).toEqual([]);
        const before = await page.evaluate(background);
        await page.click(scheme === 'light' ? '#theme-dark' : '#theme-light');
        expect(await page.evaluate(background)).not.toBe(before);
        expect(await page.evaluate(lowContrast)).toEqual([]);
        await page.click('#theme-system');
        expect(await page.evaluate(background)).toBe(before);
      }
    },
  );

  it.each(names)('%s fits into the window of a phone, a tablet and a laptop', async (name) => {
    for (const width of widths) {
      const page = await show(name, resize(width));
      expect(await page.evaluate(overflows)).toBe(false);
      await page.evaluate(unfoldAll);
      expect(await page.evaluate(overflows)).toBe(false);
    }
  });

  it('breaks long paths between their parts on a phone, and copies them whole', async () => {
    const page = await show('diff-paths', resize(390));
    await page.evaluate(unfoldAll);
    expect(await page.evaluate(brokenWords)).toEqual([]);
    await page.evaluate(`navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }`);
    await page.click('button.quote');
    expect(await page.evaluate('window.copied')).toContain(`${longName} was removed, and ${longPath} is free`);
  });

  it('has at most 6,000 pixels for one mistake, and its parts stay within reach', async () => {
    for (const width of widths) {
      const page = await show('verify-one', resize(width));
      expect(await page.evaluate(`document.querySelectorAll('article').length`)).toBe(1);
      expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(6000);
      await page.evaluate('scrollTo(0, 1e6)');
      expect(await page.evaluate(`document.querySelector('nav').getBoundingClientRect().top`)).toBe(0);
    }
  });

  it('fits on paper, with its tables and the evidence', async () => {
    const page = await show('verify-one', resize(700));
    await page.send('Emulation.setEmulatedMedia', { media: 'print' });
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    expect(
      await page.evaluate(`[...document.querySelectorAll('.scroll')].filter((each) => each.scrollWidth > each.clientWidth).length`),
    ).toBe(0);
    expect(await page.evaluate(`document.querySelectorAll('article > details:not([open])').length`)).toBe(0);
  });

  it.each(names)('%s tells its parts and names everything that can be used', async (name) => {
    const page = await show(name);
    const { nodes } = (await page.send('Accessibility.getFullAXTree')) as { readonly nodes: readonly Accessible[] };
    const heard = nodes
      .filter(({ ignored }) => !ignored)
      .map(({ role, name: called }) => ({ role: role?.value, name: called?.value ?? '' }));
    const roles = heard.map(({ role }) => role);
    expect(roles.filter((role) => role === 'main')).toHaveLength(1);
    expect(roles).toEqual(expect.arrayContaining(['banner', 'navigation']));
    const usable = ['button', 'link', 'checkbox', 'radio', 'searchbox', 'navigation', 'table', 'DisclosureTriangle'];
    expect(heard.filter(({ role = '', name: called }) => usable.slice(0, 6).includes(role) && called.trim() === '')).toEqual([]);
  });

  it.each(['verify', 'diff'] as const)('%s can be walked through by the keyboard, and the focus is always seen', async (name) => {
    const page = await show(name);
    await page.press('Tab');
    expect(await page.evaluate<Focused>(focused)).toMatchObject({ tag: 'A', isVisible: true });
    await page.press('Enter');
    expect(await page.evaluate('location.hash')).toMatch(/^#(report|changes)$/);
    const seen: Focused[] = [];
    for (let step = 0; step < 25; step += 1) {
      await page.press('Tab');
      seen.push(await page.evaluate<Focused>(focused));
    }
    expect(seen.filter(({ isVisible, tag }) => !isVisible && tag !== 'BODY')).toEqual([]);
    expect(new Set(seen.map(({ tag }) => tag)).size).toBeGreaterThanOrEqual(2);
    expect(seen.map(({ tag }) => tag)).toContain('SUMMARY');
  });

  it('opens and closes what is folded by the keyboard', async () => {
    const page = await show('verify');
    await page.evaluate(`document.querySelector('summary').focus()`);
    const isOpen = `document.querySelector('details').open`;
    const before = await page.evaluate<boolean>(isOpen);
    await page.press('Enter');
    expect(await page.evaluate<boolean>(isOpen)).toBe(!before);
  });

  describe('the report of a run', () => {
    const shownRows = `[...document.querySelectorAll('table.found tbody tr')].filter((row) => row.checkVisibility()).length`;

    const showChecks = async (prepare?: (page: Page) => Promise<unknown>): Promise<Page> => {
      const page = await show('verify', prepare);
      expect(await page.evaluate(shownRows)).toBe(0);
      await page.click('#operations summary');
      return page;
    };

    it('hides and shows checks by their verdicts', async () => {
      const page = await showChecks();
      expect(await page.evaluate(shownRows)).toBe(7);
      await page.click('#rows-violated');
      expect(await page.evaluate(shownRows)).toBe(6);
      await page.click('#rows-holds');
      expect(await page.evaluate(shownRows)).toBe(5);
      await page.click('#rows-violated');
      expect(await page.evaluate(shownRows)).toBe(6);
    });

    it('opens the checks for a link to them', async () => {
      const page = await show('verify');
      await page.click('nav a[href="#operations"]');
      expect(await page.evaluate(shownRows)).toBe(7);
    });

    it('finds checks by operation and group of rules', async () => {
      const page = await showChecks();
      const choose = (label: string, value: string): Promise<unknown> =>
        page.evaluate(`(() => {
          const field = document.querySelector('select[data-label="${label}"]');
          field.value = '${value}';
          field.dispatchEvent(new Event('input', { bubbles: true }));
        })()`);
      await choose('rules', 'order');
      expect(await page.evaluate(shownRows)).toBe(2);
      await choose('operation', 'getNote');
      expect(await page.evaluate(shownRows)).toBe(1);
      expect(await page.evaluate(`document.getElementById('said').textContent`)).toBe('1 of 7 checks match.');
    });

    it('copies a violation as text, with its evidence and without the buttons', async () => {
      const page = await show('verify');
      await page.evaluate(`navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }`);
      await page.click('button.quote');
      const copied = await page.evaluate<string>('window.copied');
      expect(copied).toMatch(/^✗ filters\/sound in listNotes\n/);
      expect(copied).toContain('it gives id 4, which does not');
      expect(copied).toContain('curl -si -H "x-key: $FULL_KEY" http://x/notes/4');
      expect(copied).not.toContain('Copy');
    });

    it('finds checks by words', async () => {
      const page = await showChecks();
      await page.click('#find');
      await page.type('order listnotes');
      expect(await page.evaluate(shownRows)).toBe(1);
      expect(await page.evaluate(`document.getElementById('found').textContent`)).toBe('1 of 7 checks match.');
      expect(await page.evaluate(`document.getElementById('said').textContent`)).toBe('1 of 7 checks match.');
    });

    it('opens and closes all evidence', async () => {
      const page = await showChecks();
      const opened = `document.querySelectorAll('table.found details[open]').length`;
      await page.click('#unfold');
      expect(await page.evaluate(opened)).toBe(7);
      await page.click('#fold');
      expect(await page.evaluate(opened)).toBe(0);
    });

    it('copies a command as it stands in the result', async () => {
      const page = await show('verify');
      await page.evaluate(`navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }`);
      await page.click('button.copy');
      expect(await page.evaluate('window.copied')).toBe('curl -si -H "x-key: $FULL_KEY" http://x/notes/4');
      expect(await page.evaluate(`document.querySelector('button.copy').textContent`)).toBe('Copied');
      expect(await page.evaluate(`document.getElementById('said').textContent`)).toBe('The command was copied.');
    });

    it('leads from a check to what shows it', async () => {
      const page = await show('verify');
      await page.click('#operations summary');
      await page.click('table.found a');
      expect(await page.evaluate('document.querySelector(":target").tagName')).toBe('ARTICLE');
    });

    it('is whole without script', async () => {
      const page = await showChecks((each) => each.send('Emulation.setScriptExecutionDisabled', { value: true }));
      expect(await page.evaluate(`document.getElementById('tools').hidden`)).toBe(true);
      expect(await page.evaluate(`[...document.querySelectorAll('button')].filter((each) => each.checkVisibility()).length`)).toBe(0);
      expect(await page.evaluate(shownRows)).toBe(7);
      await page.click('#rows-violated');
      expect(await page.evaluate(shownRows)).toBe(6);
      const light = await page.evaluate(background);
      await page.click('#theme-dark');
      expect(await page.evaluate(background)).not.toBe(light);
    });
  });
});

interface Focused {
  readonly name: string;
  readonly tag: string;
  readonly isVisible: boolean;
}

interface Accessible {
  readonly ignored: boolean;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
}
