/** `touchstone pact check`: what it prints and writes, and its exit codes. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../../../cli/run-command.ts';
import { createTerminal } from '../../../helpers/reports/fake-terminal.ts';
import { complaintsAboutReport } from '../../../helpers/reports/report-schema.ts';
import { boxesText, type Draft, goodInteractions, pactText } from '../../../unit/contracts/pact/check/boxes.ts';

const root = mkdtempSync(join(tmpdir(), 'touchstone-pact-check-'));
afterAll(() => rmSync(root, { recursive: true }));
const api = join(root, 'boxes.openapi.yaml');
writeFileSync(api, boxesText);

function folder(name: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(join(root, name));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(root, name, file), text);
  return join(root, name);
}

function pactOf(edit: (interactions: Draft) => void, names: readonly string[] = ['invalid', 'absent']): string {
  const all = goodInteractions();
  const interactions = Object.fromEntries(names.map((name) => [name, all[name]]));
  edit(interactions);
  return pactText(interactions);
}

const good = folder('good', { 'packer.json': pactOf(() => {}) });
const bad = folder('bad', {
  'packer.json': pactOf((it) => {
    it.invalid.request.query.limit = ['5'];
    it.absent.providerStates = [];
  }),
});

async function finish(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly error: string }> {
  const terminal = createTerminal();
  const code = await run(['pact', ...args], '1.2.3', terminal);
  return { code, ...terminal.printed() };
}

describe('touchstone pact', () => {
  it('lists its commands', async () => {
    const { code, out } = await finish('--help');
    expect(code).toBe(0);
    expect(out).toContain('touchstone pact check [DIR|FILE…]');
    expect(out).toContain('touchstone pact verify');
    expect((await finish()).code).toBe(2);
  });

  it('explains each of them', async () => {
    const { code, out } = await finish('check', '--help');
    expect(code).toBe(0);
    expect(out).toMatch(/^touchstone pact check \[DIR\|FILE…\]\n/);
    expect(out).toContain('--api CONTRACT');
  });

  it.each([
    [['chekc'], /touchstone pact has no command chekc; did you mean check\?/],
    [['check', '--apy', 'x'], /touchstone pact check has no option --apy; did you mean --api\?/],
  ])('refuses %j', async (args, expected) => {
    const { code, error } = await finish(...args);
    expect(code).toBe(2);
    expect(error).toMatch(expected);
  });
});

describe('touchstone pact check', () => {
  it('exits with 0 when everything is promised', async () => {
    const { code, out, error } = await finish('check', good, '--api', api);
    expect([code, error]).toEqual([0, '']);
    expect(out).toContain('2 interactions of 1 pact: the contract guarantees every expectation');
    expect(out).toContain('packer → boxes (Boxes 1.0.0)');
  });

  it('exits with 1 when something is found, with the lines of both files', async () => {
    const { code, out } = await finish('check', bad, '--api', api);
    expect(code).toBe(1);
    expect(out).toContain('2 with findings: 1 impossible, 1 not guaranteed');
    expect(out).toMatch(/impossible: the pact expects 422[\s\S]*\(response\/reason, [\da-f-]{13}\)/);
    expect(out).toMatch(/pact {7}\S*packer\.json:\d+:\d+\n {4}contract {3}\S*boxes\.openapi\.yaml:\d+:\d+/);
  });

  it('says which version promised an expectation that a change of the contract breaks', async () => {
    const changed = join(root, 'changed.openapi.yaml');
    writeFileSync(
      changed,
      boxesText.replace('version: 1.0.0', 'version: 1.1.0').replace('weight: { type: number }', 'weight: { type: string }'),
    );
    const page = folder('page', { 'packer.json': pactOf(() => {}, ['page']) });
    const { code, out } = await finish('check', page, '--api', changed, '--old', api);
    expect(code).toBe(1);
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(
      /version 1\.0\.0 of the contract \(\S+boxes\.openapi\.yaml\) promised it, so the change breaks/,
    );
    expect(out).not.toContain('correct the example');
  });

  it('writes every report', async () => {
    const files = Object.fromEntries(['json', 'markdown', 'junit', 'github'].map((format) => [format, join(root, `report.${format}`)]));
    const reports = Object.entries(files).flatMap(([format, file]) => ['--report', `${format}=${file}`]);
    const { code, out } = await finish('check', bad, '--api', api, ...reports);
    expect(code).toBe(1);
    expect(out).toContain('Written: ');
    const texts = Object.values(files).map((file) => readFileSync(file, 'utf8'));
    expect(complaintsAboutReport('pact-check', JSON.parse(texts[0] ?? ''))).toEqual([]);
    expect(texts.map((text) => text.includes('the request is valid'))).toEqual([true, true, true, true]);
  });

  it('refuses a report that cannot be written before it checks', async () => {
    const { code, error, out } = await finish('check', bad, '--api', api, '--report', `json=${join(api, 'a.json')}`);
    expect([code, out]).toEqual([2, '']);
    expect(error).toContain('is a file, not a folder; name another file');
  });

  it('tells what it leaves out', async () => {
    const mixed = folder('mixed', { 'packer.json': pactOf(() => {}), 'package.json': '{}' });
    const { code, out } = await finish('check', mixed, '--api', api);
    expect(code).toBe(0);
    expect(out).toContain('Skipped files');
    expect(out).toContain('package.json: it is not a pact');
  });

  it('takes a single contract for a provider of any name, but for one that belongs to another', async () => {
    const named = (provider: string): string => pactOf(() => {}).replace('"boxes"', JSON.stringify(provider));
    const own = folder('own', { 'a.json': named('The Box Service'), 'b.json': named('wiki') });
    const { code, out } = await finish('check', own, '--api', api);
    expect(code).toBe(0);
    expect(out).toContain('packer → The Box Service (Boxes 1.0.0)');
    expect(out).toMatch(/b\.json: its provider wiki is not boxes/);
  });

  it('takes a contract file for pacts of one provider, even if a contract of the package has its name', async () => {
    const own = folder('namesake', { 'a.json': pactOf(() => {}).replace('"boxes"', '"wiki"') });
    const { code, out } = await finish('check', own, '--api', api);
    expect(code).toBe(0);
    expect(out).toContain('packer → wiki (Boxes 1.0.0)');
  });
});

describe('touchstone pact check cannot judge', () => {
  it.each([
    ['a folder that is not there', () => [join(root, 'nowhere')], /nowhere cannot be read \(ENOENT\)/],
    ['an empty folder', () => [folder('empty', {})], /contains no \*\.json file/],
    ['pacts without interactions', () => [folder('hollow', { 'a.json': pactText({}) })], /contains no HTTP interaction/],
    ['a damaged pact', () => [folder('damaged', { 'a.json': '{' })], /a\.json:1:2: this is not valid JSON/],
    ['a provider that nobody knows', () => [good], /the provider boxes, but no contract has this name; .* Select a contract with --api/],
    ['a contract that is not there', () => [good, '--api', 'boxs.yaml'], /boxs\.yaml is neither a built-in contract nor a file/],
    [
      'pacts of other providers',
      () => [folder('other', { 'a.json': pactText(goodInteractions()).replace('"boxes"', '"wiki"') }), '--api', 'business'],
      /no pact has the provider business: the providers are wiki/,
    ],
  ])('%s', async (_, args, expected) => {
    const { code, out, error } = await finish('check', ...args());
    expect([code, out]).toEqual([2, '']);
    expect(error).toMatch(expected);
    expect(error).toMatch(/^touchstone: [^\n]+\n$/);
  });
});
