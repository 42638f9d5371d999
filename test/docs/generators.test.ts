/** The page about generators does what it says: its programs are type-checked and run, and what they print is compared. Needs the built package. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listExamples } from './markdown.ts';
import { createReader, type Reader } from './page.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

describe('docs/generators.md', () => {
  const examples = listExamples(readFileSync(join(repository, 'docs/generators.md'), 'utf8'));
  let reader: Reader;
  beforeAll(() => {
    reader = createReader(repository);
  });
  afterAll(() => reader.close());

  it.each(examples)('line $line: $language', { timeout: 120_000 }, async (example) => {
    expect(await reader.follow(example)).toBe(1);
  });

  it('shows values, refusals, near misses and requests', () => {
    expect(examples.length).toBeGreaterThanOrEqual(6);
  });
});
