/** The banner: where the mock is, which keys open it, and a command that works as printed. */

import { execFile } from 'node:child_process';
import { promisify, stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { renderBanner } from '../../../../cli/mock/render-banner.ts';
import { type RunningMock, startMock } from '../../../../mocks/start-mock.ts';
import { fixture, startJudgedMock } from '../../../helpers/judged-mock.ts';
import { business } from '../../../helpers/request-targets.ts';

/** Runs a printed command line as a person would, and reads the body of the answer. */
async function runLine(line: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { timeout: 10_000 });
  return JSON.parse(stdout) as unknown;
}

/** The command that the banner suggests. */
function firstCurl(mock: RunningMock): string {
  const lines = renderBanner(mock, 1, false).split('\n');
  return lines.find((line) => line.startsWith('  curl '))?.trim() ?? '';
}

describe('the banner', () => {
  it('shows each API with its address, each key with its role, and how a key is sent', async () => {
    await using mock = await startJudgedMock({ seed: 5 });
    const lines = renderBanner(mock, 5, false).split('\n');
    expect(lines).toContain('Touchstone mock seed 5');
    expect(lines).toContain(`  business  ${mock.url}/api/integrations/v1  Business Integration API 1.0.0-alpha.2`);
    expect(lines).toContain(`  wiki      ${mock.url}/api/v1               Public Wiki API v1`);
    for (const [role, key] of Object.entries(mock.keys))
      expect(lines.some((line) => line.trim().split(/ +/).join(' ') === `${role} ${key}`)).toBe(true);
    expect(lines).toContain('Keys  X-SERVICE-API-Key: KEY  or  Authorization: Bearer KEY');
    expect(lines).toContain('Press Ctrl-C to stop.');
  });

  it('reads the same with and without colours', async () => {
    await using mock = await startJudgedMock();
    const [plain, decorated] = [renderBanner(mock, 1, false), renderBanner(mock, 1, true)];
    expect(decorated).toContain('\u001b[1mTouchstone mock\u001b[22m');
    expect(decorated).toContain('\u001b[2mseed 1\u001b[22m');
    expect(plain).not.toContain('\u001b');
    expect(stripVTControlCharacters(decorated)).toBe(plain);
  });

  it('speaks of no keys where there are none', async () => {
    await using mock = await startJudgedMock({ contracts: ['wiki'] });
    expect(renderBanner(mock, 1, false)).not.toContain('Key');
    expect(firstCurl(mock)).toBe(`curl -s '${mock.url}/api/v1/wiki?limit=2'`);
  });

  it('says how a mock with mutants deviates, and nothing of mutants without', async () => {
    await using mock = await startMock({ mutants: ['search-ignored:listEntries.q', 'total-off-by-one:listEntries'] });
    const lines = renderBanner(mock, 1, false).split('\n');
    const start = lines.indexOf('Mutants  this mock deviates from its contract');
    expect(lines.slice(start + 1, start + 6)).toEqual([
      '  search-ignored:listEntries.q',
      '    q is ignored, and every record is returned',
      '  total-off-by-one:listEntries',
      '    the total is one too high',
      '',
    ]);
    await using sound = await startJudgedMock();
    expect(renderBanner(sound, 1, false)).not.toContain('Mutants');
  });

  it('fits into eighty columns and a small screen, but for a long address', async () => {
    await using mock = await startJudgedMock();
    const lines = renderBanner(mock, 1, false).split('\n');
    expect(lines.length).toBeLessThan(24);
    expect(lines.filter((line) => line.length > 80 && !line.includes(mock.url))).toEqual([]);
  });
});

describe('the first command', () => {
  it('shows the first list of the first API', async () => {
    await using mock = await startJudgedMock();
    expect(firstCurl(mock)).toBe(`curl -s -H 'X-SERVICE-API-Key: ${mock.keys['full']}' '${mock.url}${business.orders}?limit=2'`);
    expect(await runLine(firstCurl(mock))).toMatchObject({ data: { orders: [{}, {}] } });
  });

  it('works for a key in the query', async () => {
    await using mock = await startJudgedMock({ contracts: [fixture('parcels')] });
    expect(await runLine(firstCurl(mock))).toMatchObject({ parcels: [{}, {}] });
    expect(renderBanner(mock, 1, false)).toContain('access_key=KEY');
  });

  it('works for a file without annotations', async () => {
    await using mock = await startJudgedMock({ contracts: [fixture('plain')] });
    expect(await runLine(firstCurl(mock))).toEqual({ text: 'Good morning' });
  });

  it('does not carry the key into the report of the exchange', async () => {
    await using mock = await startJudgedMock({ contracts: ['business'] });
    await runLine(firstCurl(mock));
    expect(mock.exchanges.map((exchange) => exchange.request.target)).toEqual([`${business.orders}?limit=2`]);
  });
});
