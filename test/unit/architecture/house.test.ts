/** The house as it stands keeps its own rules. The controls beside this file prove that each rule can fail. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { surveyImports } from '../../helpers/boundary.ts';
import { isSource, listTypeScript, repository } from '../../helpers/tree.ts';
import { inspectSource, sourceRules } from './source.ts';

const files = listTypeScript(repository);

describe('imports', async () => {
  const survey = await surveyImports(repository);

  it('keep to floors and doors, without cycles', () => {
    expect(survey.violations).toEqual([]);
  });

  it('are judged in every file: a gate that sees no file is open', () => {
    expect(survey.seen).toEqual(files);
    expect(survey.seen.length).toBeGreaterThan(20);
  });
});

describe('source files', () => {
  const complaints = files.filter(isSource).flatMap((path) => inspectSource(path, readFileSync(join(repository, path), 'utf8')));

  it.each(sourceRules)('keep the rule: %s', (rule) => {
    expect(complaints.filter((complaint) => complaint.rule === rule).map(({ message }) => message)).toEqual([]);
  });
});
