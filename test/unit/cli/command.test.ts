/** Parsing of the arguments of a command, and the messages for mistakes. */

import { describe, expect, it } from 'vitest';
import type { Arguments, Command } from '../../../cli/command.ts';
import { parseArguments } from '../../../cli/parse-arguments.ts';
import { readWholeNumber } from '../../../cli/read-option-values.ts';

const command: Command = {
  name: 'bake',
  positionals: '[CAKE…]',
  summary: 'Bake cakes.',
  description: [],
  options: [
    { name: 'heat', value: 'DEGREES', summary: 'How hot.' },
    { name: 'icing', summary: 'With icing.' },
    { name: 'layer', value: 'FRUIT', repeatable: true, summary: 'Between two layers.' },
  ],
  examples: [],
  run: async () => 0,
};

const parse = (...args: readonly string[]): Arguments => parseArguments(command, args);

describe('arguments', () => {
  it('are positionals, values and switches in any order', () => {
    const expected = { positionals: ['apple', 'plum'], values: { heat: '180' }, switches: new Set(['icing']), lists: {} };
    expect(parse('apple', '--heat', '180', '--icing', 'plum')).toMatchObject(expected);
    expect(parse('--icing', '--heat=180', 'apple', 'plum')).toMatchObject(expected);
  });

  it('may be none', () => {
    expect(parse()).toEqual({ positionals: [], values: {}, switches: new Set(), lists: {}, line: 'touchstone bake' });
  });

  it('are positionals after two dashes, whatever they look like', () => {
    expect(parse('--', '--heat', '-x')).toMatchObject({ positionals: ['--heat', '-x'], values: {}, switches: new Set(), lists: {} });
  });

  it('are kept as a line that a shell reads the same way', () => {
    const { line } = parse('--layer', 'plum', '--layer=*', "it's", '');
    expect(line).toBe(`touchstone bake --layer plum '--layer=*' 'it'\\''s' ''`);
  });

  it('may repeat a repeatable option, with its values in order', () => {
    const { lists, values } = parse('--layer', 'plum', '--heat', '180', '--layer=apple', '--layer', 'plum');
    expect(lists).toEqual({ layer: ['plum', 'apple', 'plum'] });
    expect(values).toEqual({ heat: '180' });
  });

  it.each(['--help', '-h'])('may ask for help with %s', (option) => {
    expect(parse(option).switches).toEqual(new Set(['help']));
  });

  it('may ask for the stack of an error', () => {
    expect(parse('--debug').switches).toEqual(new Set(['debug']));
  });

  it.each([
    [['--heet', '1'], 'touchstone bake has no option --heet; did you mean --heat?'],
    [['-heat', '1'], 'touchstone bake has no option -heat; did you mean --heat?'],
    [['--quantity=3'], 'touchstone bake has no option --quantity; see touchstone bake --help'],
    [['-x'], 'touchstone bake has no option -x; see touchstone bake --help'],
    [['--no-icing'], 'touchstone bake has no option --no-icing'],
    [['--heat'], '--heat needs a value: --heat DEGREES'],
    [['--heat='], '--heat needs a value: --heat DEGREES'],
    [['--layer', 'plum', '--layer'], '--layer needs a value: --layer FRUIT'],
    [['--icing=yes'], '--icing takes no value, but yes was given; write --icing alone'],
    [['--heat', '1', '--heat', '2'], '--heat was given more than once; give it once'],
    [['--icing', '--icing'], '--icing was given more than once; give it once'],
    [['-hx'], 'touchstone bake has no option -x'],
    [['--__proto__=1'], 'touchstone bake has no option --__proto__'],
    [['--constructor'], 'touchstone bake has no option --constructor'],
  ])('%j are refused: %s', (args, message) => {
    expect(() => parse(...args)).toThrow(message);
    expect(() => parse(...args)).toThrow(expect.objectContaining({ name: 'UsageError' }));
  });
});

describe('a whole number', () => {
  it('may equal its bounds', () => {
    const read = (text?: string): number | undefined => readWholeNumber({ port: text }, 'port', 0, 9);
    expect([read('0'), read('9'), read('007'), read()]).toEqual([0, 9, 7, undefined]);
  });

  it.each(['10', '-1', '+1', '1.0', '1e0', '', ' 1', 'one', '0x1', '9'.repeat(30), '٣'])('is not %j', (text) => {
    expect(() => readWholeNumber({ port: text }, 'port', 0, 9)).toThrow(`--port ${text} is not a whole number from 0 to 9`);
  });
});
