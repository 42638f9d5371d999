/** Workflow commands of GitHub: one line each, at the line of the contract, and nothing from a target can begin another command. */

import { describe, expect, it } from 'vitest';
import { renderGithub } from '../../../../reports/render-github-annotations.ts';
import { reportOfRun } from '../../../../reports/verify/verify-report.ts';
import { counterexample, resultOf, violationOf } from '../../../helpers/reports/sample-results.ts';
import { hostileRun, hugeRun, mixedRun, runs } from '../../../helpers/reports/sample-runs.ts';
import { readCommands } from '../workflow-commands.ts';

describe('workflow commands', () => {
  it('tell violations as errors, what is waived or blocked and notes as warnings, and the rest as notices', () => {
    const commands = readCommands(renderGithub(reportOfRun(mixedRun())));
    expect(commands.map(({ command, properties }) => [command, properties['title']])).toEqual([
      ['error', 'filters/sound in listNotes is violated'],
      ['warning', 'order/within in listNotes is violated, and waived'],
      ['warning', 'doubt/blocked in listNotes is blocked'],
      ['warning', 'Note of the run'],
      ['notice', 'doubt/inconclusive in listNotes is inconclusive'],
      ['notice', 'Notes 1.0 at http://127.0.0.1:8080/v1, seed 7'],
    ]);
    expect(commands[0]).toEqual({
      command: 'error',
      properties: { file: 'notes.yaml', line: '31', col: '9', title: 'filters/sound in listNotes is violated' },
      message: [
        'Every record of a filtered list satisfies every filter',
        'expected: listNotes with tag=red gives only records that satisfy it',
        'actual: it gives id 4, which does not',
        'diagnosis: The server behaves as if tag were ignored',
        'contract: notes.yaml:31:9 (stated)',
        'accept as: 2032b9-2a1073',
        `curl -si --path-as-is -H "x-key: $FULL_KEY" 'http://127.0.0.1:8080/notes?tag=red'`,
        '200 OK',
        '{"data":[{"id":4}]}',
        'curl -si -H "x-key: $FULL_KEY" http://x/notes/4',
        '200 OK',
        '{"id":4,"tags":["blue"]}',
        'Affected records: 1:',
        ...JSON.stringify(counterexample.records[0], undefined, 2).split('\n'),
      ].join('\n'),
    });
    expect(commands[1]?.message.split('\n')).toContain('waived: Known since spring (until 2026-12-31)');
    expect(commands[4]?.properties).toMatchObject({ file: 'notes.yaml', line: '31' });
    expect(commands.at(-1)?.message.split('\n')).toEqual([
      'Violated: 1 of 7 checks, 1 cause.',
      '7 checks: 1 violated, 1 waived, 1 blocked, 1 inconclusive, 1 not testable, 1 not exercised, 1 holds',
      '96 of at most 400 requests in 2.8 s.',
    ]);
  });

  it.each(runs)('are one line each: %s', (_, result) => {
    for (const { command, properties, message } of readCommands(renderGithub(reportOfRun(result)))) {
      expect(['error', 'warning', 'notice']).toContain(command);
      expect(properties['title']).toBeTruthy();
      expect(message).not.toBe('');
    }
  });

  it('give back the texts that they were given, whatever these hold', () => {
    const text = 'a,b:c%0A::error::100%';
    const command = readCommands(renderGithub(reportOfRun(hostileRun(text)))).find(({ properties }) =>
      properties['title']?.endsWith('is violated'),
    );
    expect(command?.properties).toEqual({ file: text, line: '3', col: '4', title: `${text} in ${text} is violated` });
    expect(command?.message.split('\n')).toEqual([
      text,
      `expected: ${text}`,
      `actual: ${text}`,
      `diagnosis: ${text}`,
      `contract: ${text}:3:4 (stated)`,
      expect.stringMatching(/^accept as: [0-9a-f]{6}-[0-9a-f]{6}$/),
      text,
      '200 OK',
      `{"a":"${text}",${text}`,
      text,
      '200 OK',
      `{"a":"${text}",${text}`,
      'Affected records: 2:',
      '{',
      `  "${text}": "${text}"`,
      '}',
      `"${text}"`,
    ]);
  });

  it('tell why a target could not be judged', () => {
    const result = resultOf({ exitCode: 3, unavailable: 'Nothing listens there.', checks: [] });
    expect(readCommands(renderGithub(reportOfRun(result)))[0]).toMatchObject({ command: 'error', message: 'Nothing listens there.' });
  });

  it('stay bounded, and count what they leave out', () => {
    const checks = Array.from({ length: 30 }, (_, index) => violationOf({ operation: `operation${index}`, subject: `part ${index}` }));
    const commands = readCommands(renderGithub(reportOfRun(resultOf({ exitCode: 1, checks }))));
    expect(commands).toHaveLength(10);
    expect(commands.slice(-2).map(({ command, properties }) => [command, properties['title']])).toEqual([
      ['error', '22 more'],
      ['notice', 'Notes 1.0 at http://127.0.0.1:8080/v1, seed 7'],
    ]);
    const [walk] = readCommands(renderGithub(reportOfRun({ ...hugeRun(2, 'x'), notes: [] })));
    expect(walk?.message).toContain('\n… and 34 more requests: the JSON report has them\n');
  });
});
