/** Waivers of findings: a finding counts again after the last day, and a waiver that does nothing has a note. */

import { beforeAll, describe, expect, it } from 'vitest';
import { checkPacts } from '../../../../../contracts/pact/check/check-pacts.ts';
import type { WaiverEntry } from '../../../../../contracts/verify/waivers.ts';
import { parsePact } from '../../../../../core/pact/parse-pact.ts';
import type { PactCheck } from '../../../../../core/results/pact-check-result.ts';
import { reportOfCheck } from '../../../../../reports/pact/pact-check-report.ts';
import { renderTerminal } from '../../../../../reports/render-terminal.ts';
import { goodInteractions, openBoxes, pactText } from './boxes.ts';

const text = pactText({ ...goodInteractions(), wrong: { request: { method: 'GET', path: '/nowhere' }, response: { status: 200 } } });

async function check(waivers: readonly WaiverEntry[] = []): Promise<PactCheck> {
  return checkPacts({ pairs: [{ pact: parsePact('a.json', text), contract: await openBoxes() }], waivers, today: '2026-11-21' });
}

const openIn = ({ pacts }: PactCheck): readonly string[] =>
  pacts.flatMap(({ interactions }) =>
    interactions.flatMap(({ findings }) => findings.flatMap((each) => (each.waiver ? [] : [each.fingerprint]))),
  );

describe('a finding', () => {
  let fingerprint = '';
  beforeAll(async () => {
    [fingerprint = ''] = openIn(await check());
  });
  const waiver = (more: Partial<WaiverEntry> = {}): WaiverEntry => ({ fingerprint, reason: 'the path comes next week', ...more });

  it('has a name that stays the same', async () => {
    expect(fingerprint).toMatch(/^[0-9a-f]{6}-[0-9a-f]{6}$/);
    expect(openIn(await check())).toEqual([fingerprint]);
  });

  it('does not count with a waiver, and is shown with its reason', async () => {
    const waived = await check([waiver({ expires: '2026-11-21' })]);
    expect(waived.count).toMatchObject({ wrong: 0, impossible: 0, waived: 1 });
    expect(waived.notes).toEqual([]);
    const shown = renderTerminal(reportOfCheck(waived), { decorated: false, exitCode: 0 });
    expect(shown).toContain('the contract guarantees every other expectation; 1 waived finding');
    expect(shown).toMatch(/\nWaived\n.*\n {2}wrong: .*waived: the path comes next week\s+\(until\s+2026-11-21\)/s);
    const { tests, annotations } = reportOfCheck(waived);
    expect(tests.filter(({ state }) => state === 'failed')).toEqual([]);
    expect(annotations[0]).toMatchObject({ level: 'notice', finding: { id: fingerprint, accepted: 'the path comes next week' } });
  });

  it('counts again after the last day', async () => {
    const expired = await check([waiver({ expires: '2026-11-20' })]);
    expect(expired.count).toMatchObject({ wrong: 1, impossible: 1, waived: 0 });
    expect(expired.notes).toEqual([
      `the waiver of ${fingerprint} expired on 2026-11-20, and "wrong" counts again: fix it, or give a later date`,
    ]);
  });

  it('leaves a note about a waiver that does nothing, unless it is of another pact', async () => {
    const other = `${fingerprint.slice(0, 7)}000000`;
    const { notes } = await check([waiver(), waiver({ fingerprint: other }), waiver({ fingerprint: '000000-000000' })]);
    expect(notes).toEqual([`the waiver of ${other} is unused: "wrong" has other findings; remove it`]);
  });
});
