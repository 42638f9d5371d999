/** Commands over JSON reports: one is rendered later, and two are compared by their causes. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../../../cli/run-command.ts';
import type { RunResult } from '../../../../core/results/run-result.ts';
import { renderJson } from '../../../../reports/verify/verify-json.ts';
import { createTerminal } from '../../../helpers/reports/fake-terminal.ts';
import { checkOf, resultOf, violationOf } from '../../../helpers/reports/sample-results.ts';
import { mixedRun, waivedOf } from '../../../helpers/reports/sample-runs.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-reports-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, result: RunResult): string {
  const file = join(folder, name);
  writeFileSync(file, renderJson(result));
  return file;
}

async function finish(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly error: string }> {
  const terminal = createTerminal();
  const code = await run(args, '0.0.0', terminal);
  return { code, ...terminal.printed() };
}

describe('touchstone report', () => {
  it('writes the formats that are asked for, prints the summary, and ends as the run did', async () => {
    const file = write('run.json', mixedRun());
    const { code, out } = await finish(
      'report',
      file,
      '--report',
      `html=${join(folder, 'r.html')}`,
      '--report',
      `gitlab=${join(folder, 'r.json')}`,
    );
    expect(code).toBe(1);
    expect(out).toContain('filters/sound in listNotes');
    expect(readFileSync(join(folder, 'r.html'), 'utf8')).toContain('filters/sound');
    expect(JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8'))).toHaveLength(1);
  });

  it('gives back the JSON report byte for byte', async () => {
    const file = write('run.json', mixedRun());
    expect((await finish('report', file, '--report', 'json=-')).out).toBe(readFileSync(file, 'utf8'));
  });

  it('gives back a report of several runs', async () => {
    const file = join(folder, 'runs.json');
    writeFileSync(file, renderJson(...both));
    const { code, out } = await finish('report', file, '--report', 'json=-');
    expect([code, out]).toEqual([1, readFileSync(file, 'utf8')]);
  });

  it.each([[[]], [['a.json', 'b.json']]])('refuses %j', async (names) => {
    const { code, error } = await finish('report', ...names);
    expect([code, error]).toEqual([2, 'touchstone: touchstone report needs one JSON report of verify: touchstone report REPORT.json\n']);
  });
});

const menus = { name: 'menus', title: 'Menus', version: '2.0' };
const both = [mixedRun(), resultOf({ contract: menus })];

describe('touchstone replay', () => {
  it('asks which of several runs is meant', async () => {
    const file = join(folder, 'runs.json');
    writeFileSync(file, renderJson(...both));
    expect(await finish('replay', file)).toMatchObject({
      code: 2,
      error: expect.stringContaining('choose one with --contract NAME') as string,
    });
  });
});

const other = violationOf({ rule: 'order/across', operation: 'getNote', subject: 'page' });

describe('touchstone compare', () => {
  const compare = (before: RunResult, after: RunResult): ReturnType<typeof finish> =>
    finish('compare', write('old.json', before), write('new.json', after), '--json');
  const rulesOf = (out: string): Record<string, readonly string[]> => {
    const parts = JSON.parse(out) as Record<string, readonly { readonly rule: string }[]>;
    return Object.fromEntries(['new', 'still', 'notJudged', 'gone'].map((part) => [part, (parts[part] ?? []).map(({ rule }) => rule)]));
  };

  it('says what is new, still there, gone, and not judged again', async () => {
    const unseen = violationOf({ rule: 'paging/ties', subject: 'ties' });
    const late = violationOf({ rule: 'sync/inclusive', subject: 'since' });
    const fixed = checkOf({ rule: 'order/across', operation: 'getNote' });
    const { code, out } = await compare(
      resultOf({ checks: [violationOf(), other, unseen] }),
      resultOf({ checks: [violationOf(), fixed, late] }),
    );
    expect(rulesOf(out)).toEqual({ new: ['sync/inclusive'], still: ['filters/sound'], notJudged: ['paging/ties'], gone: ['order/across'] });
    expect(code).toBe(1);
  });

  it('compares each run with that of the same contract', async () => {
    const write2 = (name: string, runs: readonly RunResult[]): string => {
      const file = join(folder, name);
      writeFileSync(file, renderJson(...runs));
      return file;
    };
    const [before, after] = [write2('b.json', both), write2('a.json', both.toReversed())];
    const { code, out } = await finish('compare', before, after);
    expect(code).toBe(0);
    expect(out.match(/compared with/g)).toHaveLength(2);
    const alone = write('alone.json', resultOf({ contract: { ...menus, name: 'others' } }));
    expect((await finish('compare', before, alone)).error).toContain('the reports are of notes and others');
  });

  it('passes if nothing is new but what is waived', async () => {
    const { code, out } = await compare(resultOf({ checks: [violationOf()] }), resultOf({ checks: [violationOf(), waivedOf()] }));
    expect(code).toBe(0);
    expect(rulesOf(out)['new']).toEqual(['order/within']);
  });

  it('cannot say that anything is gone if the target was not judged', async () => {
    const blocked = resultOf({ verdict: 'blocked', exitCode: 3, unavailable: 'Nothing listens there.', checks: [] });
    const { code, out } = await compare(resultOf({ checks: [violationOf()] }), blocked);
    expect(code).toBe(3);
    expect(rulesOf(out)).toEqual({ new: [], still: [], notJudged: ['filters/sound'], gone: [] });
  });

  it('prints new causes first, with the requests that show them', async () => {
    const { code, out } = await finish(
      'compare',
      write('old.json', resultOf({ checks: [other] })),
      write('new.json', resultOf({ checks: [violationOf()] })),
    );
    expect(code).toBe(1);
    expect(out.indexOf('filters/sound')).toBeLessThan(out.indexOf('order/across'));
    expect(out).toContain('curl -si');
    expect(out).toContain('1 new, 0 still there, 1 not checked again, 0 gone');
  });

  it('refuses reports of different contracts, and anything but two', async () => {
    const foreign = resultOf({ contract: { name: 'else', title: 'Else', version: '1' } });
    expect((await compare(resultOf(), foreign)).error).toContain(
      'the reports are of notes and else; compare two runs of the same contract',
    );
    expect((await finish('compare', 'one.json')).error).toContain('touchstone compare needs two JSON reports of verify');
  });
});
