/** The public API: reviewers see each change of it, and users find every type, every member and every function explained. */

import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { repository } from '../../helpers/tree.ts';
import { createProgram, listEntryPoints, listExamples, listUndocumented, listUnexported, renderApi } from './public-api.ts';

const program = createProgram();
const points = listEntryPoints(program);
const reports = renderApi(points);

describe.each(points)('$name', (point) => {
  it('has the API of docs/api; `npm run docs` writes it anew', async () => {
    await expect(reports.get(point.name)).toMatchFileSnapshot(`../../../docs/api/${point.name.replace('/', '-')}.txt`);
  });

  it('exports every type that is reachable from its exports', () => {
    expect(listUnexported(point, program)).toEqual([]);
  });

  it('documents every export and every member', () => {
    expect(listUndocumented(point)).toEqual([]);
  });

  it('shows an example of every function', () => {
    expect([...listExamples(point)].filter(([, text]) => text === '').map(([name]) => name)).toEqual([]);
  });
});

it('has examples that compile', () => {
  const examples = new Map(points.flatMap((point) => [...listExamples(point)]));
  const files = new Map([...examples].map(([name, text]) => [join(repository, `example-of-${name}.ts`), text]));
  const compiled = createProgram(files);
  const complaints = [...files.keys()].flatMap((file) => ts.getPreEmitDiagnostics(compiled, compiled.getSourceFile(file)));
  const host = { getCanonicalFileName: (name: string) => name, getCurrentDirectory: () => repository, getNewLine: () => '\n' };
  expect(files.size).toBeGreaterThan(10);
  expect(ts.formatDiagnostics(complaints, host)).toBe('');
});
