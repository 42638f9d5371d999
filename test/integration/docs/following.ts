/** Tests that a page of documentation does what it says: its commands are typed, its programs are run, and what they print is compared. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listExamples } from './markdown.ts';
import { createReader, type Reader } from './page.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** How much a page must have, so that a page whose examples are no longer found does not pass. */
export interface Least {
  readonly examples: number;
  /** Commands and programs that were really run. */
  readonly runs: number;
}

/** Follows the examples of a page of this repository, one after another. Needs the built package. */
export function testPage(page: string, { examples: fewest, runs }: Least): void {
  describe(page, () => {
    const examples = listExamples(readFileSync(join(repository, page), 'utf8'));
    let reader: Reader;
    let count = 0;
    beforeAll(() => {
      reader = createReader(repository);
    });
    afterAll(() => reader.close());

    it.each(examples)('line $line: $language', { timeout: 120_000 }, async (example) => {
      count += await reader.follow(example);
    });

    it('has examples, and they were really run', () => {
      expect(examples.length).toBeGreaterThanOrEqual(fewest);
      expect(count).toBeGreaterThanOrEqual(runs);
    });
  });
}
