/** `touchstone mock --list-mutants` and `--mutant`. */

import { describe, expect, it } from 'vitest';
import { run } from '../../../cli/run-command.ts';
import { ask } from '../../helpers/plain-client.ts';
import { createTerminal } from '../../helpers/reports/fake-terminal.ts';
import { wiki } from '../../helpers/request-targets.ts';

async function print(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly error: string }> {
  const terminal = createTerminal();
  return { code: await run(['mock', ...args], '0.0.0', terminal), ...terminal.printed() };
}

describe('touchstone mock --list-mutants', () => {
  it('prints a table of ids, rules and titles, and stops', async () => {
    const { code, out, error } = await print('wiki', '--list-mutants');
    const lines = out.trimEnd().split('\n');
    expect([code, error]).toEqual([0, '']);
    expect(lines.find((line) => line.startsWith('search-ignored:listEntries.q '))?.split(/ {2,}/)).toEqual([
      'search-ignored:listEntries.q',
      'search/narrows',
      'q is ignored, and every record is returned',
    ]);
    expect(lines.at(-1)).toBe(`${lines.length - 1} mutants`);
  });

  it('prints one JSON object a line', async () => {
    const { out } = await print('--list-mutants', '--json');
    const mutants = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Readonly<Record<string, string>>);
    expect(new Set(mutants.map((mutant) => mutant['contract']))).toEqual(new Set(['business', 'wiki']));
    for (const mutant of mutants) expect(Object.keys(mutant)).toEqual(['id', 'contract', 'rule', 'title']);
  });

  it('refuses what is no contract', async () => {
    expect(await print('wikki', '--list-mutants')).toMatchObject({ code: 2, error: expect.stringContaining('did you mean wiki?') });
  });
});

describe('touchstone mock --mutant', () => {
  it('serves with mutants and says so, and may be given several times', async () => {
    const terminal = createTerminal();
    const mutants = ['search-ignored:listEntries.q', 'total-off-by-one:listEntries'];
    const code = run(['mock', 'wiki', '--port', '0', '--json', ...mutants.flatMap((mutant) => ['--mutant', mutant])], '0.0.0', terminal);
    await terminal.until('"mutants"');
    const greeting = JSON.parse(terminal.printed().out.split('\n')[0] ?? '') as {
      readonly url: string;
      readonly mutants: readonly string[];
    };
    expect(greeting.mutants).toEqual(mutants);
    const port = Number(new URL(greeting.url).port);
    const totals = await Promise.all(['', '?q=zzzzqqqq'].map(async (query) => (await ask({ port }, `${wiki}${query}`)).at('/meta/total')));
    expect(totals[1]).toBe(totals[0]);
    terminal.interrupt();
    expect(await code).toBe(0);
  });

  it('refuses a mutant that does not exist', async () => {
    expect(await print('--mutant', 'serch-ignored:listEntries.q')).toMatchObject({
      code: 2,
      error: expect.stringContaining('did you mean search-ignored:listEntries.q?'),
    });
  });
});
