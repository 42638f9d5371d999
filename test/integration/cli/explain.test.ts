/** `touchstone rules` and `touchstone explain`: the facts on rules, without any request. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { run } from '../../../cli/run-command.ts';
import { allRules as rules } from '../../../cli/verify/rule-commands.ts';
import type { RuleExplanation, RuleListing } from '../../../core/results/rule-description.ts';
import { startMock } from '../../../mocks/start-mock.ts';
import { notesText } from '../../helpers/contracts/notes-contract.ts';
import { createTerminal } from '../../helpers/reports/fake-terminal.ts';

vi.setConfig({ testTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), 'touchstone-explain-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function print(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly error: string }> {
  const terminal = createTerminal();
  return { code: await run(args, '0.0.0', terminal), ...terminal.printed() };
}

function linesOf<T>(out: string): readonly T[] {
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

describe('touchstone rules', () => {
  it('lists every rule with its strength, its operations and its statement', async () => {
    const { code, out, error } = await print('rules');
    expect([code, error]).toEqual([0, '']);
    for (const { id, title } of rules)
      expect(out).toMatch(new RegExp(`^ {2}${id} .*(\\d operations?|nowhere) .*${title.slice(0, 20)}`, 'm'));
    expect(out).toMatch(new RegExp(`\\n${rules.length} rules, \\d+ checks\\n$`));
  });

  it('counts the operations of the named contract', async () => {
    const [wiki, both] = [
      linesOf<RuleListing>((await print('rules', 'wiki', '--json')).out),
      linesOf<RuleListing>((await print('rules', '--json')).out),
    ];
    const operations = (listed: readonly RuleListing[], id: string): readonly string[] =>
      listed.find((rule) => rule.id === id)?.operations.map(({ contract, operation }) => `${contract} ${operation}`) ?? [];
    expect(operations(wiki, 'details/agree')).toEqual(['wiki getEntry']);
    expect(operations(both, 'details/agree')).toEqual(['business getOrder', 'business getReservation', 'wiki getEntry']);
    expect(operations(wiki, 'keys/missing')).toEqual([]);
    expect((await print('rules', 'wiki')).out).toMatch(/^ {2}keys\/missing +stated +nowhere /m);
  });

  it('refuses a name that is no contract', async () => {
    expect(await print('rules', 'wikki')).toMatchObject({ code: 2, error: expect.stringContaining('did you mean wiki?') });
  });
});

describe('touchstone explain', () => {
  it('prints the rule, its reason, the lines that state it, the mutants with the data they need, and the mutants of the mock', async () => {
    const { code, out, error } = await print('explain', 'sync/inclusive', 'business');
    expect([code, error]).toEqual([0, '']);
    expect(out).toContain('sync/inclusive  A checkpoint includes changes at exactly its time\n');
    expect(out).toMatch(/Strength {4,}stated: the API documentation states it\n/);
    expect(out).toMatch(/Applies to +business: listOrders, listReservations\n/);
    expect(out).toMatch(
      /of several records that changed at the time of updated_after, only the\s+first\s+is\s+returned\s+\(needs\s+several\s+records/,
    );
    expect(out).toMatch(
      /Stated at +\S+business\.openapi\.yaml:\d+:\d+ for listOrders of business\n +updated_after: \{ from: \/changed_at \}/,
    );
    expect(out).toMatch(/Mock mutants +\S+:list\w+\S* \(business\): /);
  });

  it('names the keys and settings that a rule needs', async () => {
    expect((await print('explain', 'keys/expired', 'business')).out).toMatch(/Needs +.*--key expired=/);
    expect((await print('explain', 'visible/single', 'wiki')).out).toMatch(/Needs +.*--hidden/);
  });

  it('says which option makes a rule testable, also in the commands', async () => {
    const optionsOf = async (rule: string, contract: string): Promise<readonly unknown[]> => {
      const [explained] = linesOf<RuleExplanation>((await print('explain', rule, contract, '--json')).out);
      return [...new Set((explained?.clauses ?? []).map(({ option }) => JSON.stringify(option)))];
    };
    expect(await optionsOf('keys/expired', 'business')).toEqual(['{"name":"key","role":"expired"}']);
    expect(await optionsOf('visible/single', 'wiki')).toEqual(['{"name":"hidden"}']);
    expect(await optionsOf('tenancy/lists', 'business')).toEqual(['{"name":"key","role":"other"}']);
    expect((await print('explain', 'keys/expired', 'business')).out).toMatch(/See it fail[\s\S]*--key full=\S+ --key expired=/);
    expect((await print('explain', 'visible/single', 'wiki')).out).toMatch(/See it fail[\s\S]* --hidden KEY --only/);
  });

  it('demands no data for a mutant that any request kills, and quotes no status of the empty target', async () => {
    const explained = linesOf<RuleExplanation>((await print('explain', 'keys/missing', 'business', '--json')).out);
    const mutants = explained.flatMap(({ clauses }) => clauses.flatMap((clause) => clause.mutants));
    expect(new Set(mutants.map(({ missing }) => missing))).toEqual(new Set([undefined, 'a request that succeeds with the full key']));
    expect((await print('explain', 'pages/numbers', 'wiki')).out).not.toContain('a larger --budget');
  });

  it('explains several rules by a pattern, for programs too', async () => {
    const explained = linesOf<RuleExplanation>((await print('explain', 'ranges/*', '--json')).out);
    expect(explained.map(({ id }) => id)).toEqual(rules.map(({ id }) => id).filter((id) => id.startsWith('ranges/')));
    expect(explained.every(({ clauses, mutants, why }) => clauses.length > 0 && mutants.length > 0 && why !== '')).toBe(true);
  });

  it("explains by a contract of one's own", async () => {
    const file = join(folder, 'api.yaml');
    writeFileSync(file, notesText);
    const [rule] = linesOf<RuleExplanation>((await print('explain', 'filters/sound', file, '--json')).out);
    expect(rule?.clauses.map(({ operation }) => operation)).toEqual(['listNotes']);
    expect(rule?.clauses[0]?.lines[0]).toContain('listNotes');
    expect(rule?.clauses[0]?.mutants.map(({ id }) => id)).toContain('filter-ignored:listNotes.state');
  });

  it('has facts on every rule: its source, and its mutants or requirements', async () => {
    const explained = linesOf<RuleExplanation>((await print('explain', '*', '--json')).out);
    expect(explained.map(({ id }) => id)).toEqual(rules.map(({ id }) => id));
    const mute = explained.filter(
      ({ clauses }) => clauses.length === 0 || !clauses.some((each) => each.mutants.length > 0 || each.needs !== undefined),
    );
    // The shipped contracts mark no member as writeOnly, and have no operation without annotations.
    expect(mute.map(({ id }) => id)).toEqual(['requests/parameters', 'requests/identifier', 'response/write-only']);
  });

  it('shows commands that make a rule fail', async () => {
    const { out } = await print('explain', 'filters/values', 'wiki');
    const mutant = /See it fail +touchstone mock wiki --port 4020 --mutant '(\S+)'\n/.exec(out)?.[1] ?? '';
    const line = /\n +touchstone (verify .*)\n$/.exec(out)?.[1] ?? '';
    await using mock = await startMock({ contracts: ['wiki'], mutants: [mutant] });
    const words = line.replaceAll("'", '').replace('http://127.0.0.1:4020', mock.url).split(' ');
    const seen = await print(...words);
    expect([seen.code, seen.out]).toEqual([1, expect.stringContaining('filters/values in listEntries')]);
  });

  it.each([
    [['explain'], 'needs the name of a rule'],
    [['explain', 'paging/tie'], 'did you mean paging/ties?'],
    [['explain', 'nothing-like-a-rule'], 'touchstone rules lists them'],
    [['explain', 'paging/ties', 'busines'], 'did you mean business?'],
  ])('%j is refused with advice', async (args, message) => {
    expect(await print(...args)).toMatchObject({ code: 2, out: '', error: expect.stringContaining(message) });
  });
});
