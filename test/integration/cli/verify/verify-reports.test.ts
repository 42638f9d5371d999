/** Reports of `touchstone verify`: every format of one run, files and standard output, and mistakes in what was asked for. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RequestedReports } from '../../../../cli/report-option.ts';
import { verifyReports } from '../../../../cli/verify/verify-reports.ts';
import { type RunningMock, startMock } from '../../../../mocks/start-mock.ts';
import { renderMarkdown } from '../../../../reports/render-markdown.ts';
import { reportOfRun } from '../../../../reports/verify/verify-report.ts';
import { createTerminal } from '../../../helpers/reports/fake-terminal.ts';
import { complaintsAbout } from '../../../helpers/reports/report-schema.ts';
import { resultOf } from '../../../helpers/reports/sample-results.ts';
import { complaintsAboutSarif } from '../../../helpers/reports/sarif-schema.ts';
import { readMarkup } from '../../../helpers/reports/strict-markup.ts';
import { verifyOnTerminal } from '../verifying.ts';

// A run sends dozens of requests, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

let mock: RunningMock;
let folder: string;
const key = ['--key', 'full=TEST_REPORT_KEY', '--only', 'response/schema', '--quick'];

const { formats } = verifyReports;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-reports-'));
  mock = await startMock({ mutants: ['field-of-unknown-value:listOrders.channel'] });
  vi.stubEnv('TEST_REPORT_KEY', mock.keys['full'] ?? '');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
  await mock.close();
});

describe('the reports of a run', () => {
  it('are written in every format at once, with the violation and without the key', async () => {
    const wanted = formats.flatMap((format) => ['--report', `${format}=${join(folder, `report.${format}`)}`]);
    const { code, out } = await verifyOnTerminal('business', mock.url, ...key, ...wanted);
    expect(code).toBe(1);
    expect(out).toContain(`Written: ${formats.map((format) => join(folder, `report.${format}`)).join(', ')}.`);
    const texts = new Map(formats.map((format) => [format, readFileSync(join(folder, `report.${format}`), 'utf8')]));
    for (const [format, text] of texts) {
      expect(text).toContain('response/schema');
      if (format !== 'gitlab') expect(text).toContain('$TEST_REPORT_KEY');
      expect(text).not.toContain(mock.keys['full']);
    }
    const [json = '', sarif = ''] = ['json', 'sarif'].map((format) => texts.get(format));
    expect(complaintsAbout(JSON.parse(json))).toEqual([]);
    expect(complaintsAboutSarif(JSON.parse(sarif))).toEqual([]);
    for (const format of ['html', 'junit']) expect(() => readMarkup(texts.get(format) ?? '')).not.toThrow();
    expect(texts.get('github')).toMatch(/^::error file=[^,]*business\.openapi\.yaml,line=\d+,col=\d+,title=response\/schema in listOrders/);
    expect(texts.get('markdown')).toMatch(/^## business: Violated: 1 of \d+ checks, 1 cause\n/);
  });

  it('go to standard output in place of the summary', async () => {
    const { code, out } = await verifyOnTerminal('wiki', mock.url, '--only', 'pages/total', '--report', 'junit=-');
    expect(code).toBe(0);
    expect(out).toMatch(/^<\?xml /);
    expect(out).toMatch(/<\/testsuites>\n$/);
    expect(() => readMarkup(out)).not.toThrow();
  });
});

function read(...report: readonly string[]): RequestedReports {
  return verifyReports.read({ lists: { report } });
}

describe('what was asked for', () => {
  it('is a file for each report, and one of them for standard output', () => {
    const file = join(folder, 'a.html');
    expect(read(`html=${file}`, 'github=-')).toEqual({ files: [{ format: 'html', file }], standardFormat: 'github' });
    expect(read()).toEqual({ files: [], standardFormat: undefined });
  });

  it.each([
    [['html=-', 'json=-'], 'two reports would be written to standard output; give one of them a file'],
    [['htm=-'], '--report htm=-: there is no format htm; did you mean html?'],
    [['pdf=-'], '--report pdf=-: there is no format pdf; formats are json, html, markdown, junit, github, gitlab, sarif, har'],
    [['sariff=a.sarif'], '--report sariff=a.sarif: there is no format sariff; did you mean sarif?'],
  ])('is refused with the way out: %s', (values, message) => {
    expect(() => read(...values)).toThrow(message);
  });

  it('is written as far as it can be', () => {
    const good = join(folder, 'good.md');
    const terminal = createTerminal();
    const files = [
      { format: 'markdown', file: good },
      { format: 'html', file: join(good, 'a.html') },
    ];
    const code = verifyReports.end([resultOf()], { files, standardFormat: undefined }, 0, terminal);
    const { out, error } = terminal.printed();
    expect(readFileSync(good, 'utf8')).toBe(renderMarkdown(reportOfRun(resultOf())));
    expect(out).toContain(`Written: ${good}.`);
    expect(error).toMatch(/a\.html cannot be written: a part of .*good\.md is a file/);
    // Only writing the report failed, and the summary shows the same exit code.
    expect([code, out]).toEqual([2, expect.stringContaining('Exit code 2.')]);
  });
});
