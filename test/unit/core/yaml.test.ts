/** What YAML holds more than JSON: aliases, keys that are no text, and nesting by indentation. */

import { describe, expect, it } from 'vitest';
import { printPlace, SpecError } from '../../../core/errors.ts';
import { depthMost } from '../../../core/json-text.ts';
import { parseYaml } from '../../../core/yaml.ts';

function mistakeIn(text: string): SpecError {
  try {
    parseYaml('a.yaml', text);
  } catch (error) {
    if (error instanceof SpecError) return error;
    throw error;
  }
  throw new Error('this was read, and it is a mistake');
}

const flow = (depth: number): string => `${'{a: '.repeat(depth)}1${'}'.repeat(depth)}`;
const block = (depth: number): string => Array.from({ length: depth }, (_, level) => `${' '.repeat(level)}a:\n`).join('');
/** Each anchor holds the one before, so that no line is nested and the value is. */
const aliased = (depth: number): string =>
  Array.from({ length: depth }, (_, at) => `k${at}: &a${at} [${at === 0 ? '' : `*a${at - 1}`}]\n`).join('');

describe('a key', () => {
  it('that is the same text as another is refused, quoted or not', () => {
    const mistake = mistakeIn('responses:\n  200: a\n  "200": b\n');
    expect(mistake.message).toMatch(/^a\.yaml:3:3: the key 200 stands in here already/);
  });
});

describe('values', () => {
  it.each([
    ['in braces', flow(depthMost - 1)],
    ['by indentation', block(depthMost - 1)],
    ['by aliases', aliased(depthMost - 1)],
  ])('may be nested deep %s', (_, text) => {
    expect(() => parseYaml('a.yaml', text)).not.toThrow();
  });

  it.each([
    ['in braces', flow(depthMost + 1)],
    ['in ten thousand braces', flow(10_000)],
    ['by indentation', block(depthMost + 1)],
    ['by aliases', aliased(depthMost + 1)],
  ])('that are nested too deeply %s are refused', (_, text) => {
    const mistake = mistakeIn(text);
    expect(mistake.message).toContain(`no more than ${depthMost} levels`);
    expect(printPlace(mistake.place)).toMatch(/^a\.yaml:\d+:\d+$/);
  });
});
