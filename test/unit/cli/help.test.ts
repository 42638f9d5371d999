/** The help: complete, and in lines that fit the terminal. */

import { describe, expect, it } from 'vitest';
import { commonOptions } from '../../../cli/parse-arguments.ts';
import { exitCodes, renderCommandHelp, renderOverview } from '../../../cli/render-help.ts';
import { loadCommands } from '../../../cli/run-command.ts';
import { renderReference } from '../docs/cli-page.ts';

const commands = await loadCommands();

describe('the overview', () => {
  const text = renderOverview(commands);

  it('lists every command with its summary, and the way to its help', () => {
    for (const { name, summary } of commands) expect(text).toMatch(new RegExp(`^  touchstone ${name} .*  ${summary}$`, 'm'));
    expect(text).toContain('touchstone COMMAND --help');
    expect(text).toContain('touchstone --version');
  });

  it('explains every exit code', () => {
    expect(exitCodes.map(([code]) => code)).toEqual([0, 1, 2, 3, 4, 130]);
    for (const [code, meaning] of exitCodes) expect(text).toMatch(new RegExp(`^  ${code} +${meaning}$`, 'm'));
  });
});

describe.each(commands.map((command) => [command.name, command] as const))('help of %s', (name, command) => {
  const text = renderCommandHelp(command);

  it('begins with the usage line', () => {
    expect(text.split('\n')[0]).toBe(`touchstone ${name} ${command.positionals}`.trim());
  });

  it('lists each option with its value and its summary, also the common options', () => {
    expect(command.options.length).toBeGreaterThan(0);
    for (const { name: option, value, summary } of [...command.options, ...commonOptions]) {
      const words = `--${option}${value === undefined ? '' : ` ${value}`} ${summary}`;
      expect(text.replaceAll(/\s+/g, ' ')).toContain(words);
    }
  });

  it('fits the terminal', () => {
    const examples = new Set(command.examples.map(({ line }) => `  ${line}`));
    const tooLong = renderCommandHelp(command, 80)
      .split('\n')
      .filter((line) => line.length > 80 && !examples.has(line));
    expect(tooLong).toEqual([]);
  });

  it('has examples that begin with the command', () => {
    expect(command.examples.length).toBeGreaterThan(0);
    for (const { line, about } of command.examples) {
      expect(line).toMatch(new RegExp(`^(touchstone ${name}|npx touchstone ${name})`));
      expect(text).toContain(line);
      expect(text).toContain(about);
    }
  });
});

describe('the page of the documentation', () => {
  it('has a section for each command, with a row for each option, and the exit codes', () => {
    const page = renderReference(commands);
    for (const command of commands) {
      expect(page).toContain(`## touchstone ${command.name}\n`);
      for (const option of command.options) expect(page).toMatch(new RegExp(`^\\| \`--${option.name}[^|]*\` \\| `, 'm'));
    }
    for (const [code, meaning] of exitCodes) expect(page).toContain(`| ${code} | ${meaning} |`);
  });
});
