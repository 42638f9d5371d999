/** The report formats that every command with `--report` has. A command adds its JSON, and formats that only it has. The renderers are in `reports/`. */

import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { renderGithub } from '../reports/github-annotations.ts';
import { renderGitlab } from '../reports/gitlab-code-quality.ts';
import { renderHtml } from '../reports/html.ts';
import { renderJunit } from '../reports/junit.ts';
import { renderMarkdown } from '../reports/markdown.ts';
import type { ItemList, Report } from '../reports/report-model.ts';
import { renderSarif } from '../reports/sarif.ts';

/** Renderers by the name of their format. */
export type ReportFormats<T> = Readonly<Record<string, (result: T) => string>>;

/** Returns the common formats, in the order of the help. */
export function commonFormats<T>(
  reportOf: (result: T) => Report,
  itemsOf: (result: T) => ItemList | readonly ItemList[],
): ReportFormats<T> {
  const items = (result: T): readonly ItemList[] => [itemsOf(result)].flat().map(fromRepositoryRoot);
  return {
    html: (result) => renderHtml(reportOf(result)),
    markdown: (result) => renderMarkdown(reportOf(result)),
    junit: (result) => renderJunit(...items(result)),
    github: (result) => renderGithub(...items(result)),
    gitlab: (result) => renderGitlab(...items(result)),
    sarif: (result) => renderSarif(...items(result)),
  };
}

/** Rewrites the files of annotations from the current folder to the root of the repository, where code review tools look for them. */
function fromRepositoryRoot(list: ItemList): ItemList {
  const annotations = list.annotations.map(({ place, ...annotation }) =>
    place === undefined ? annotation : { ...annotation, place: { ...place, file: repositoryPath(place.file) ?? place.file } },
  );
  return { ...list, annotations };
}

/** Returns the path of a file from the root of the repository; `undefined` for a file outside of it. */
export function repositoryPath(file: string): string | undefined {
  const root = findRepositoryRoot('.');
  if (root === undefined || !existsSync(file)) return undefined;
  const path = relative(root, resolve(file));
  return path.startsWith('..') || isAbsolute(path) ? undefined : path;
}

/** Returns the nearest folder above with a `.git`; `undefined` outside of a repository. */
export function findRepositoryRoot(folder: string): string | undefined {
  for (let each = resolve(folder); ; each = dirname(each)) {
    if (existsSync(join(each, '.git'))) return each;
    if (each === dirname(each)) return undefined;
  }
}
