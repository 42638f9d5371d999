/** The options of the mock that are about faults. */

import { describe, expect, it } from 'vitest';
import { run } from '../../../cli/run.ts';
import { ask } from '../../helpers/client.ts';
import { wiki } from '../../helpers/targets.ts';
import { createTerminal } from '../../helpers/terminal.ts';

async function print(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly error: string }> {
  const terminal = createTerminal();
  return { code: await run(['mock', ...args], '0.0.0', terminal), ...terminal.printed() };
}

describe('touchstone mock --list-faults', () => {
  it('prints a table of ids, laws and titles, and stops', async () => {
    const { code, out, error } = await print('wiki', '--list-faults');
    const lines = out.trimEnd().split('\n');
    expect([code, error]).toEqual([0, '']);
    expect(lines.find((line) => line.startsWith('search-ignored:listEntries.q '))?.split(/ {2,}/)).toEqual([
      'search-ignored:listEntries.q',
      'search/narrows',
      'q is ignored, and every record comes',
    ]);
    expect(lines.at(-1)).toBe(`${lines.length - 1} faults`);
  });

  it('prints one JSON object a line', async () => {
    const { out } = await print('--list-faults', '--json');
    const faults = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Readonly<Record<string, string>>);
    expect(new Set(faults.map((fault) => fault['contract']))).toEqual(new Set(['business', 'wiki']));
    for (const fault of faults) expect(Object.keys(fault)).toEqual(['id', 'contract', 'law', 'title']);
  });

  it('refuses what is no contract', async () => {
    expect(await print('wikki', '--list-faults')).toMatchObject({ code: 2, error: expect.stringContaining('is wiki meant?') });
  });
});

describe('touchstone mock --fault', () => {
  it('serves with faults and says so, and may be given several times', async () => {
    const terminal = createTerminal();
    const faults = ['search-ignored:listEntries.q', 'total-off-by-one:listEntries'];
    const code = run(['mock', 'wiki', '--port', '0', '--json', ...faults.flatMap((fault) => ['--fault', fault])], '0.0.0', terminal);
    await terminal.until('"faults"');
    const greeting = JSON.parse(terminal.printed().out.split('\n')[0] ?? '') as {
      readonly url: string;
      readonly faults: readonly string[];
    };
    expect(greeting.faults).toEqual(faults);
    const port = Number(new URL(greeting.url).port);
    const totals = await Promise.all(['', '?q=zzzzqqqq'].map(async (query) => (await ask({ port }, `${wiki}${query}`)).at('/meta/total')));
    expect(totals[1]).toBe(totals[0]);
    terminal.interrupt();
    expect(await code).toBe(0);
  });

  it('refuses a fault that does not exist', async () => {
    expect(await print('--fault', 'serch-ignored:listEntries.q')).toMatchObject({
      code: 2,
      error: expect.stringContaining('is search-ignored:listEntries.q meant?'),
    });
  });
});
