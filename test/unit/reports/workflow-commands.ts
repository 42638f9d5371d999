/** Workflow commands as the runner of GitHub reads them: one for each line. */

import { expect } from 'vitest';

/** A command. */
export interface Command {
  readonly command: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

/** The commands of a report, whose last line must end. */
export function readCommands(text: string): readonly Command[] {
  const lines = text.split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => {
    const [, command = '', list = '', data = ''] = /^::([a-z]+) ([^:]*)::(.*)$/.exec(line) ?? [];
    const properties = list.split(',').map((pair) => [pair.slice(0, pair.indexOf('=')), decode(pair.slice(pair.indexOf('=') + 1))]);
    return { command, properties: Object.fromEntries(properties), message: decode(data) };
  });
}

function decode(text: string): string {
  return text.replaceAll(/%(0D|0A|3A|2C|25)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
