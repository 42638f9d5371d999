/** The page about pacts does what it says: its commands are typed, its programs are run, and what they print is compared. Needs the built package. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listExamples } from './markdown.ts';
import { createReader, type Reader } from './page.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

describe('docs/pact.md', () => {
  const examples = listExamples(readFileSync(join(repository, 'docs/pact.md'), 'utf8'));
  let reader: Reader;
  beforeAll(() => {
    reader = createReader(repository);
  });
  afterAll(() => reader.close());

  it.each(examples)('line $line: $language', { timeout: 120_000 }, async (example) => {
    await reader.follow(example);
  });

  it('shows the check, the verification and a program', () => {
    expect(examples.length).toBeGreaterThanOrEqual(6);
  });
});
