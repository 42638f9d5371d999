/** The README and the pages do what they say: their commands are typed, their programs are run, and what they print is compared. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { install } from './installed.ts';
import { listExamples, listPrograms } from './markdown.ts';
import { createReader, type Reader } from './page.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** Each page with the number of examples that it has at least, and of commands and programs that are really run: no page passes unread. */
const pages = (
  [
    { page: 'README.md', fewest: 30, runs: 30 },
    { page: 'docs/pact.md', fewest: 6, runs: 6 },
    { page: 'docs/mock.md', fewest: 7, runs: 7 },
    { page: 'docs/generators.md', fewest: 6, runs: 6 },
  ] as const
).map((each) => ({ ...each, examples: listExamples(readFileSync(join(repository, each.page), 'utf8')) }));

const installed = install(
  repository,
  pages.flatMap(({ examples }) => listPrograms(examples)),
);
afterAll(() => installed.close());

describe.each(pages)('$page', ({ examples, fewest, runs }) => {
  let reader: Reader;
  let count = 0;
  beforeAll(() => {
    reader = createReader(repository, installed);
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
