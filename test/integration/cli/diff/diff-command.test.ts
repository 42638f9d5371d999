/** The command `diff` in this process: exit codes, summary, reports and accepted changes, with files and with commits. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { complaintsAboutReport } from '../../../helpers/reports/report-schema.ts';
import { contractText, createRepository, diff, type Workspace } from '../diff-repository.ts';

let repository: Workspace;
beforeEach(() => {
  repository = createRepository();
  repository.write('old.yaml', contractText(['open', 'done']));
  repository.write('same.yaml', contractText(['open', 'done']));
  repository.write('new.yaml', contractText(['open', 'done', 'lost']));
});
afterEach(() => repository.end());

interface Report {
  readonly breaking: boolean;
  readonly old: { readonly file: string };
  readonly new: { readonly file: string };
  readonly changes: readonly {
    readonly id: string;
    readonly fingerprint: string;
    readonly operation: string;
    readonly location: string;
    readonly before: { readonly place: { readonly file: string } };
  }[];
  readonly accepted: readonly { readonly reason: string }[];
  readonly notes: readonly string[];
}

async function reportOf(...args: readonly string[]): Promise<Report> {
  const { out } = await diff(...args, '--report', 'json=-');
  const report = JSON.parse(out) as Report;
  expect(complaintsAboutReport('diff', report)).toEqual([]);
  return report;
}

const listFiles = (): readonly string[] => readdirSync('.').filter((file) => file !== '.git');

describe('two contracts', () => {
  it('that are the same leave nothing to find', async () => {
    const { code, out, error } = await diff('old.yaml', 'same.yaml');
    expect([code, error]).toEqual([0, '']);
    expect(out).toMatch(/\nWith --fail-on breaking, no change fails the run\. Exit code 0\.\n$/);
  });

  it('of which the new one breaks the old one are judged with exit code 1, and the change is reported with both lines', async () => {
    const { code, out, error } = await diff('old.yaml', 'new.yaml');
    expect([code, error]).toEqual([1, '']);
    expect(out).toContain('GET /things');
    expect(out).toMatch(/old\.yaml:18:\d+/);
    expect(out).toMatch(/new\.yaml:18:\d+/);
    expect(out).toMatch(/\nWith --fail-on breaking, 1 change fails the run\. Exit code 1\.\n$/);
  });

  it('in the other direction break nobody', async () => {
    expect((await diff('new.yaml', 'old.yaml')).code).toBe(0);
    expect(await diff('new.yaml', 'old.yaml', '--fail-on', 'compatible')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/\nWith --fail-on compatible, \d+ changes? fails? the run\. Exit code 1\.\n$/),
    });
  });

  it.each([
    ['breaking', 1],
    ['risky', 1],
    ['documentation', 1],
    ['never', 0],
  ])('are judged by the level that --fail-on %s names', async (level, code) => {
    expect((await diff('old.yaml', 'new.yaml', '--fail-on', level)).code).toBe(code);
  });

  it('that differ in words alone count when words are asked for', async () => {
    repository.write('words.yaml', contractText(['open', 'done']).replace('The things.', 'All the things.'));
    expect((await diff('old.yaml', 'words.yaml', '--fail-on', 'compatible')).code).toBe(0);
    expect((await diff('old.yaml', 'words.yaml', '--fail-on', 'documentation')).code).toBe(1);
  });

  it('may stand in commits, and are named as git names them', async () => {
    repository.write('specs/a.yaml', contractText(['open', 'done']));
    repository.commit();
    repository.write('specs/a.yaml', contractText(['open', 'done', 'lost']));
    const { code, out } = await diff('main:specs/a.yaml', 'specs/a.yaml');
    expect(code).toBe(1);
    expect(out).toMatch(/main:specs\/a\.yaml:18:\d+/);
    expect(out).not.toContain('in-commit');
    const report = await reportOf('main:specs/a.yaml', 'specs/a.yaml');
    expect([report.old.file, report.new.file, report.changes[0]?.before.place.file]).toEqual([
      'main:specs/a.yaml',
      'specs/a.yaml',
      'main:specs/a.yaml',
    ]);
    repository.commit();
    expect((await diff('HEAD~1:specs/a.yaml', 'HEAD:specs/a.yaml')).code).toBe(1);
    expect((await diff('HEAD:specs/a.yaml', 'specs/a.yaml')).code).toBe(0);
  });

  it('may be in OpenAPI 3.0 and refer to other files, which come from the same side', async () => {
    const text = contractText(['open', 'done'])
      .replace('3.1.0', '3.0.3')
      .replace(/state: \{.*\}/, "state: { $ref: '../shared/state.yaml' }");
    repository.write('specs/a.yaml', text);
    repository.write('shared/state.yaml', 'type: string\nenum: [open, done]\n');
    repository.commit();
    repository.write('shared/state.yaml', 'type: string\nenum: [open, done, lost]\n');
    const { code, out } = await diff('main:specs/a.yaml', 'specs/a.yaml');
    expect(code).toBe(1);
    expect(out).toMatch(/main:shared\/state\.yaml:2:\d+/);
  });
});

describe('a report', () => {
  it.each(['json', 'markdown', 'html', 'junit', 'github', 'changelog'])(
    'in %s goes to a file, and the summary tells where',
    async (format) => {
      const { code, out } = await diff('old.yaml', 'new.yaml', '--report', `${format}=report.txt`);
      expect(code).toBe(1);
      expect(out).toContain('\nWritten: report.txt.\n');
      expect(readFileSync('report.txt', 'utf8')).toContain('/things');
      expect(listFiles().toSorted()).toEqual(['new.yaml', 'old.yaml', 'report.txt', 'same.yaml']);
    },
  );

  it('takes the place of the summary on standard output', async () => {
    const { code, out, error } = await diff('old.yaml', 'new.yaml', '--report', 'json=-', '--report', 'markdown=diff.md');
    expect([code, error]).toEqual([1, '']);
    expect(JSON.parse(out)).toMatchObject({ schema: 'touchstone-diff/1', breaking: true });
    expect(existsSync('diff.md')).toBe(true);
    expect((await diff('old.yaml', 'new.yaml', '--report', 'github=-')).out).toMatch(/^::error file=new\.yaml,line=18,/);
  });

  it('may be written several times', async () => {
    const { out } = await diff('old.yaml', 'new.yaml', '--report', 'json=a.json', '--report', 'json=b.json');
    expect(out).toContain('Written: a.json, b.json.\n');
    expect(readFileSync('a.json', 'utf8')).toBe(readFileSync('b.json', 'utf8'));
  });

  it.each([
    ['jsn=x', '--report jsn=x: there is no format jsn; did you mean json?'],
    ['jsn=-', '--report jsn=-: there is no format jsn; did you mean json?'],
    ['pdf=-', 'formats are json, html, markdown, junit, github, gitlab, sarif, changelog'],
    ['json', '--report json has no file; write --report json=FILE'],
    ['json=old.yaml/r.json', 'old.yaml/r.json cannot be written: a part of old.yaml is a file, not a folder; name another file'],
  ])('that is asked for as %s is refused before anything is compared', async (report, message) => {
    const { code, out, error } = await diff('old.yaml', 'new.yaml', '--report', report);
    expect([code, out]).toEqual([2, '']);
    expect(error).toContain(message);
  });

  it('cannot share standard output with another', async () => {
    const { code, error } = await diff('old.yaml', 'new.yaml', '--report', 'json=-', '--report', 'github=-');
    expect([code, error]).toEqual([2, 'touchstone: two reports would be written to standard output; give one of them a file\n']);
  });
});

describe('an accepted change', () => {
  async function accept(file: string, more = ''): Promise<void> {
    const [change] = (await reportOf('old.yaml', 'new.yaml')).changes;
    repository.write(file, `accepted:\n  - { id: ${change?.id}, operation: GET /things, reason: every client was told${more} }\n`);
  }

  it('does not count, and is reported with its reason', async () => {
    await accept('.touchstone-accepted.yaml');
    const { code, out } = await diff('old.yaml', 'new.yaml');
    expect(code).toBe(0);
    expect(out).toContain('every client was told');
    const { accepted, changes } = await reportOf('old.yaml', 'new.yaml');
    expect([accepted.map(({ reason }) => reason), changes]).toEqual([['every client was told'], []]);
  });

  it('may be named by its fingerprint, in a file of any name', async () => {
    const [change] = (await reportOf('old.yaml', 'new.yaml')).changes;
    repository.write('ok.yaml', `accepted:\n  - { id: ${change?.id}, fingerprint: '${change?.fingerprint}', reason: agreed }\n`);
    expect((await diff('old.yaml', 'new.yaml')).code).toBe(1);
    expect((await diff('old.yaml', 'new.yaml', '--accept', 'ok.yaml')).code).toBe(0);
  });

  it('counts again when its last day is over, in UTC, and the note says so', async () => {
    await accept('.touchstone-accepted.yaml', ', expires: 2026-11-30');
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-30T23:59:59Z') });
    expect((await diff('old.yaml', 'new.yaml')).code).toBe(0);
    vi.setSystemTime(new Date('2026-12-01T00:00:00Z'));
    const { code, out } = await diff('old.yaml', 'new.yaml');
    vi.useRealTimers();
    expect(code).toBe(1);
    expect(out).toMatch(/\.touchstone-accepted\.yaml:2:5: the acceptance of \S+ expired\s+on 2026-11-30/);
  });

  it('that is none any more is reported', async () => {
    await accept('.touchstone-accepted.yaml');
    const { code, out } = await diff('old.yaml', 'same.yaml');
    expect(code).toBe(0);
    expect(out).toMatch(/\.touchstone-accepted\.yaml:2:5: the acceptance of \S+ is\s+no\s+longer\s+needed/);
  });
});

describe('a configuration', () => {
  const levels = 'diff:\n  levels:\n    - { id: "*/enum-value-added", level: risky, reason: every client ignores unknown states }\n';

  it.each([
    ['touchstone.config.yaml', []],
    ['other.yaml', ['--config', 'other.yaml']],
  ])('called %s sets levels, with the reason', async (file, args) => {
    repository.write(file, levels);
    const { code, out } = await diff('old.yaml', 'new.yaml', ...args);
    expect(code).toBe(0);
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      'The configuration makes it risky instead of breaking: every client ignores unknown states.',
    );
  });

  it('with a mistake is refused', async () => {
    repository.write('touchstone.config.yaml', levels.replace('risky', 'rsky'));
    const { code, error } = await diff('old.yaml', 'new.yaml');
    expect(code).toBe(2);
    expect(error).toMatch(/^touchstone: touchstone\.config\.yaml:3:\d+: diff\.levels\.0\.level must be/);
  });

  it('that is named must exist', async () => {
    expect(await diff('old.yaml', 'new.yaml', '--config', 'no.yaml')).toMatchObject({
      code: 2,
      error: expect.stringMatching(/^touchstone: the configuration no\.yaml cannot be read \(ENOENT\)/),
    });
  });
});
