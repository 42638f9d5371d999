/** `touchstone diff REF`: every contract of the folder with its version in a commit; also new, removed and invalid contracts. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../../cli/run-command.ts';
import { createTerminal } from '../../helpers/reports/fake-terminal.ts';
import { contractText, createRepository, diff, type Workspace } from './diff-repository.ts';

let repository: Workspace;
beforeEach(() => {
  repository = createRepository();
  repository.write('specs/one.openapi.yaml', contractText(['open', 'done']));
  repository.write('specs/two.openapi.yaml', contractText(['open', 'done']));
  repository.write('specs/notes.yaml', 'no contract');
  repository.commit();
});
afterEach(() => repository.end());

const breakOne = (): void => repository.write('specs/one.openapi.yaml', contractText(['open', 'done', 'lost']));

interface Report {
  readonly notes: readonly string[];
  readonly changes: readonly { readonly id: string; readonly fingerprint: string }[];
}
const readReport = (file: string): Report => JSON.parse(readFileSync(file, 'utf8')) as Report;

describe('the contracts of a folder', () => {
  it('are each compared with their version in the commit', async () => {
    const { code, out, error } = await diff('main');
    expect([code, error]).toEqual([0, '']);
    for (const file of ['specs/one.openapi.yaml', 'specs/two.openapi.yaml']) expect(out).toContain(`main:${file} → ${file}\n`);
  });

  it('are broken by a change of one of them, until it is committed', async () => {
    breakOne();
    const broken = await diff('main');
    expect(broken.code).toBe(1);
    expect(broken.out).toMatch(/main:specs\/one\.openapi\.yaml:18:\d+/);
    expect(broken.out).toMatch(/\nWith --fail-on breaking, 1 change fails the run\. Exit code 1\.\n$/);
    repository.commit();
    expect((await diff('main')).code).toBe(0);
    expect((await diff('main~1')).code).toBe(1);
  });

  it('are those of the current folder', async () => {
    repository.write('package/specs/three.openapi.yaml', contractText(['open', 'done']));
    repository.commit();
    breakOne();
    repository.enter('package');
    expect((await diff('main')).code).toBe(0);
    repository.write('package/specs/three.openapi.yaml', contractText(['open']).replace('/things', '/thing'));
    const { code, out } = await diff('main');
    expect(code).toBe(1);
    expect(out).toMatch(/main:package\/specs\/three\.openapi\.yaml:5:\d+/);
  });

  it('may be overlays, which are compared with the changes of the file below them', async () => {
    const overlay =
      "overlay: 1.0.0\ninfo: { title: T, version: '1' }\nextends: one.openapi.yaml\nactions: [{ target: $.info, update: { x-team: a } }]\n";
    repository.write('specs/one.overlay.yaml', overlay);
    repository.commit();
    breakOne();
    const { code, out } = await diff('main', '--report', 'json=r.json');
    expect(code).toBe(1);
    expect(out).toContain('main:specs/one.overlay.yaml → specs/one.overlay.yaml\n');
    for (const name of ['one.openapi', 'one.overlay']) expect(readReport(`r.${name}.json`).changes).toHaveLength(1);
    repository.remove('specs/one.overlay.yaml');
    expect((await diff('main')).error).toContain(
      'specs/one.overlay.yaml was removed since main; it is compared with a contract without operations.',
    );
  });

  it('are compared with a branch even if a folder has the same name', async () => {
    repository.write('main/notes.txt', '');
    expect((await diff('main')).code).toBe(0);
  });

  it('are named if they are new, without findings', async () => {
    repository.write('specs/three.openapi.yaml', 'no contract');
    const { code, error } = await diff('main');
    expect(code).toBe(0);
    expect(error).toBe('specs/three.openapi.yaml was added since main, so there is nothing to compare it with.\n');
  });

  it('that are all new give nothing to compare', async () => {
    for (const name of ['one', 'two']) repository.remove(`specs/${name}.openapi.yaml`);
    repository.write('specs/notes.yaml', '');
    repository.commit();
    repository.write('specs/three.openapi.yaml', contractText(['open']));
    const { code, out, error } = await diff('main', '--report', 'json=r.json');
    expect([code, out]).toEqual([0, '']);
    expect(error).toMatch(
      /was added since main, so there is nothing to compare it with\.\nNothing was compared, and no report is written\.\n$/,
    );
    expect(existsSync('r.json')).toBe(false);
  });

  it('that were removed are breaking', async () => {
    repository.remove('specs/two.openapi.yaml');
    const { code, out, error } = await diff('main');
    expect(error).toBe('specs/two.openapi.yaml was removed since main; it is compared with a contract without operations.\n');
    expect(out).toContain('GET /things');
    expect(code).toBe(1);
  });

  it('that are invalid hide no findings of the others, and findings decide the exit code', async () => {
    repository.write('specs/two.openapi.yaml', 'openapi: [');
    const { code, out, error } = await diff('main');
    expect(code).toBe(2);
    expect(error).toMatch(/^touchstone: specs\/two\.openapi\.yaml:1:11: this is not valid YAML/);
    expect(out).toMatch(/no change fails the run\. Exit code 2\.\n$/);
    breakOne();
    const both = await diff('main');
    expect(both.code).toBe(1);
    expect(both.error).toContain('specs/two.openapi.yaml:1:11');
    expect(both.out).toContain('main:specs/one.openapi.yaml');
  });
});

describe('an interrupted run', () => {
  it('ends with exit code 130, and reports its progress', async () => {
    breakOne();
    const terminal = createTerminal();
    terminal.interrupt();
    const code = await run(['diff', 'main'], '0.0.0', terminal);
    const { out, error } = terminal.printed();
    expect([code, error]).toEqual([130, 'Interrupted at contract 1 of 2.\n']);
    expect(out).toMatch(/Interrupted: these operations were not compared: GET \/things, and some\s+changes\s+have\s+no\s+witness\s+yet\./);
    expect(out).toMatch(/With --fail-on breaking, no change fails the run\. Exit code 130\.\n$/);
  });
});

describe('a terminal', () => {
  it('shows the compared files during the run, and clears the line afterwards', async () => {
    const terminal = createTerminal();
    expect(await run(['diff', 'main'], '0.0.0', { ...terminal, columns: 80 })).toBe(0);
    const clear = '\r\u001b[K';
    const lines = ['one', 'two'].map((name) => `Comparing main:specs/${name}.openapi.yaml with specs/${name}.openapi.yaml …${clear}`);
    expect(terminal.printed().error).toBe(lines.join(''));
  });
});

describe('a report of several contracts', () => {
  beforeEach(() => {
    breakOne();
    repository.write('specs/two.openapi.yaml', contractText(['open', 'done', 'new']));
  });

  it.each(['markdown', 'github', 'changelog'])('in %s holds all of them', async (format) => {
    const { out } = await diff('main', '--report', `${format}=all.txt`);
    expect(out).toContain('Written: all.txt.\n');
    const text = readFileSync('all.txt', 'utf8');
    expect(text).toContain('lost');
    expect(text).toContain('new');
    expect((await diff('main', '--report', `${format}=-`)).out).toBe(text);
  });

  it.each(['json', 'html', 'junit'])('in %s is one file for each', async (format) => {
    const { out } = await diff('main', '--report', `${format}=all.txt`);
    expect(out).toContain('Written: all.one.txt, all.two.txt.\n');
    expect(readFileSync('all.one.txt', 'utf8')).toContain('lost');
    expect(readFileSync('all.two.txt', 'utf8')).not.toContain('lost');
    expect(existsSync('all.txt')).toBe(false);
    const { code, error } = await diff('main', '--report', `${format}=-`);
    expect(code).toBe(2);
    expect(error).toContain(`--report ${format}=- can hold one contract only, and 2 are compared; write --report ${format}=FILE`);
  });

  it('of which one is invalid is written for the others, with an error', async () => {
    repository.write('specs/two.openapi.yaml', 'openapi: [');
    const { code, out, error } = await diff('main', '--report', 'json=all.json');
    expect(code).toBe(1);
    expect(out).toContain('Written: all.one.json.\n');
    expect(error).toContain('touchstone: the report all.two.json is not written, since its contract was not compared\n');
    expect(readdirSync('.').filter((file) => file.startsWith('all'))).toEqual(['all.one.json']);
  });
});

describe('acceptances of several contracts', () => {
  it('have a note at their contract, and one note if they match nothing', async () => {
    breakOne();
    await diff('main', '--report', 'json=x.json');
    const [change] = readReport('x.one.json').changes;
    repository.write(
      '.touchstone-accepted.yaml',
      `accepted:\n  - { id: ${change?.id}, fingerprint: '${change?.fingerprint}', reason: agreed }\n  - { id: a/b, operation: nothing, reason: agreed }\n`,
    );
    expect((await diff('main', '--report', 'json=x.json')).code).toBe(0);
    expect([readReport('x.one.json').notes, readReport('x.two.json').notes]).toEqual([
      ['.touchstone-accepted.yaml:3:5: the acceptance of a/b is no longer needed: no change has its id; remove it'],
      [],
    ]);
  });
});
