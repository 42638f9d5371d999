/** Output never controls the terminal, whatever the content of names, files and targets. */

import { describe, expect, it } from 'vitest';
import { run } from '../../../cli/run-command.ts';
import { printableLines } from '../../../reports/printable-text.ts';
import { createTerminal } from '../../helpers/reports/fake-terminal.ts';

const hostile = 'a\u001b[2Jb\u009b31mc\u202ed\u0007e\u2066f';

describe('the terminal', () => {
  it.each([
    ['an unknown command', [hostile]],
    ['an unknown option', ['verify', `--${hostile}`]],
    ['a file that is not there', ['verify', `${hostile}.yaml`, '--target', 'http://localhost:1']],
    ['a file to be compared', ['diff', `${hostile}.yaml`, `${hostile}.json`]],
  ])('is not controlled by %s', async (_, args) => {
    const terminal = createTerminal(true);
    expect(await run(args, '1.0.0', terminal)).toBe(2);
    const { out, error } = terminal.printed();
    expect(error).toContain('a\\u001b[2Jb');
    expect(`${out}${error}`.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

describe('printable lines', () => {
  it('keep line breaks, tabs, requested styles, and a rewind at the beginning', () => {
    const styled = '\r\u001b[Kone\n\t\u001b[31mtwo\u001b[39m\r\u001b[K';
    expect(printableLines(styled, true)).toBe('\r\u001b[Kone\n\t\u001b[31mtwo\u001b[39m\\u000d\\u001b[K');
    expect(printableLines(styled, false)).toBe('\r\u001b[Kone\n\t\\u001b[31mtwo\\u001b[39m\\u000d\\u001b[K');
  });

  it('keep the meaning of JSON', () => {
    const value = { text: hostile };
    expect(JSON.parse(printableLines(JSON.stringify(value), false))).toEqual(value);
  });
});
