/** The source files keep the rules about sources. `source-controls.test.ts` proves that each rule can fail. */

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { isSource, listTypeScript, repository } from '../../helpers/tree.ts';
import { inspectSource, sourceRules } from '../../unit/architecture/source.ts';

const files = listTypeScript(repository);
const sources = files.filter(isSource);
const fileNames = new Set(files.map((path) => basename(path)));
const complaints = sources.flatMap((path) => inspectSource(path, readFileSync(join(repository, path), 'utf8'), fileNames));

it.each(sourceRules)('the sources keep the rule: %s', (rule) => {
  expect(sources.length).toBeGreaterThan(20);
  expect(complaints.filter((complaint) => complaint.rule === rule).map(({ message }) => message)).toEqual([]);
});
