/** Control sequences in the summary: colours where they are wanted, and nothing that a target sent. */

import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { renderTerminal } from '../../../reports/render-terminal.ts';
import { reportOfRun } from '../../../reports/verify/verify-report.ts';
import { checkOf, counterexample, gapOf, resultOf, violationOf } from '../../helpers/reports/sample-results.ts';

describe('colours', () => {
  const mixed = resultOf({
    exitCode: 1,
    checks: [
      violationOf(),
      checkOf(),
      checkOf({ verdict: 'blocked', killed: [], instances: 0, message: 'The target is not there' }),
      gapOf('order/across', 'listNotes', 'two pages'),
      ...Array.from({ length: 12 }, () => violationOf()),
    ],
  });

  it('change nothing but colours', () => {
    const coloured = renderTerminal(reportOfRun(mixed), { decorated: true });
    expect(coloured).toContain('\u001b[31m');
    expect(stripVTControlCharacters(coloured)).toBe(renderTerminal(reportOfRun(mixed), { decorated: false }));
  });

  it('are the only thing that a terminal acts on, whatever a target sends', () => {
    const hostile = 'a\u001b[2Jb\u0007c\u202ed\r\ne\u009bf\u200bg\u{e0041}h';
    const rules = [
      violationOf({
        diagnosis: hostile,
        message: hostile,
        counterexample: {
          ...counterexample,
          expected: hostile,
          actual: hostile,
          curl: [hostile],
          clause: { file: hostile, line: 1, column: 1 },
        },
      }),
      checkOf({ verdict: 'inconclusive', killed: [], message: hostile }),
      checkOf({ verdict: 'not-testable', killed: [], message: hostile }),
      gapOf('order/across', hostile, hostile),
    ];
    const observations = [{ id: 'q', question: hostile, source: '', answers: [hostile], evidence: hostile }];
    for (const result of [resultOf({ checks: rules, observations, target: hostile }), resultOf({ unavailable: hostile })]) {
      const text = renderTerminal(reportOfRun(result), { decorated: false });
      expect(text).toContain('a\\u001b[2Jb\\u0007c\\u202ed\\u000d\\u000ae\\u009bf\\u200bg\\udb40\\udc41h');
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
  });
});
