/** The links of all Markdown pages lead to files and headings of the repository. Links to other places are not followed. */

import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles, repository } from '../../helpers/tree.ts';

/** Links of a page to files of the repository, and to its own headings. Code is not read. */
function listLinks(markdown: string): readonly string[] {
  const prose = markdown.replaceAll(/^ *(`{3,})[\s\S]*?^ *\1.*$/gm, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '').filter((link) => !/^[a-z]+:/.test(link));
}

/** Anchors of the headings of a page, as GitHub and the site name them. */
function listAnchors(markdown: string): readonly string[] {
  const headings = markdown.replaceAll(/^ *(`{3,})[\s\S]*?^ *\1.*$/gm, '').matchAll(/^#+ +(.+)$/gm);
  return [...headings].map((match) =>
    (match[1] ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  );
}

/** Links of a page that lead nowhere. `read` returns the text of a file, or `undefined`. */
function listDead(page: string, markdown: string, read: (path: string) => string | undefined): readonly string[] {
  return listLinks(markdown).filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : posix.join(posix.dirname(page), path);
    const text = path === '' ? markdown : read(target);
    return text === undefined || (anchor !== undefined && !listAnchors(text).includes(anchor));
  });
}

function readFrom(path: string): string | undefined {
  const file = join(repository, path);
  if (!existsSync(file)) return undefined;
  return path.endsWith('.md') ? readFileSync(file, 'utf8') : '';
}

describe('links', () => {
  it.each([
    ['[a](b.md) and [c](#one-two)\n\n# One: `two`', ['b.md']],
    ['[a](#three)', ['#three']],
    ['```\n[a](b.md)\n```\n`[a](b.md)` [c](https://example.com)', []],
  ] as const)('that lead nowhere are found in %j', (markdown, dead) => {
    expect(listDead('page.md', markdown, () => undefined)).toEqual(dead);
  });

  it.each(listFiles(repository).filter((path) => path.endsWith('.md')))('of %s lead somewhere', (path) => {
    expect(listDead(path, readFrom(path) ?? '', readFrom)).toEqual([]);
  });
});
