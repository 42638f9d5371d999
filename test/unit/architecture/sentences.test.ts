/**
 * Sentences are short: at most 25 words on every page of docs/, in README.md, and in the titles and reasons of rules, which every report prints. The
 * average of README.md is at most 15 words.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rules } from '../../../contracts/verify/rules/rule-catalogue.ts';
import { timelineRules } from '../../../contracts/verify/watch/timeline-rules.ts';
import { clientRules } from '../../../mocks/client/client-rules.ts';
import { listFiles, repository } from '../../helpers/tree.ts';

const longest = 25;
const longestAverage = 15;

const pages = listFiles(repository).filter((path) => path === 'README.md' || /^docs\/.*\.md$/.test(path));

/** Sentences of a Markdown page outside code blocks, tables and headings; a list item with its indented lines is a paragraph of its own. */
function listSentences(markdown: string): readonly string[] {
  const prose = markdown.replaceAll(/^ *(`{3,})[\s\S]*?^ *\1.*$/gm, '\n');
  const lines = prose.split('\n').map((line, index, all) => {
    if (/^\s*(\||#|<)/.test(line) || (/^ {4,}/.test(line) && all[index - 1]?.trim() === '')) return '';
    return line.replace(/^\s*([-*+]|\d+\.)\s+/, '\n').replace(/^\s*>\s?/, '');
  });
  const paragraphs = lines.join('\n').split(/\n\s*\n/);
  return paragraphs.flatMap(splitSentences);
}

function splitSentences(paragraph: string): readonly string[] {
  const parts = plainText(paragraph).split(/(?<=[.!?][*_)"”’]*)\s+/);
  return parts.filter((sentence) => countWords(sentence) > 0);
}

/** A paragraph with each code span as one word, and each link as its text. */
function plainText(paragraph: string): string {
  return paragraph
    .replaceAll(/(`+)[\s\S]*?\1/g, 'code')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function countWords(sentence: string): number {
  return sentence.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

function readPage(path: string): readonly string[] {
  return listSentences(readFileSync(join(repository, path), 'utf8'));
}

describe('sentences', () => {
  it('are read from paragraphs and list items, not from code, tables and headings', () => {
    const page =
      '# A title\n\nOne `a. b` here. **Two.** Three [four](five.md)\ngoes on.\n\n- An item\n  - Below it,\n    goes on\n- Another\n\n| a | b |\n\n```sh\nnpm test. Now.\n```\n\n    code. More.\n';
    expect(listSentences(page)).toEqual(['One code here.', '**Two.**', 'Three [four] goes on.', 'An item', 'Below it, goes on', 'Another']);
  });

  it.each([
    ['Short — and "plain".', 3],
    ['word '.repeat(31).trim(), 31],
  ] as const)('have words without punctuation: %s', (sentence, words) => {
    expect(countWords(sentence)).toBe(words);
  });

  it.each(pages)(`of %s have at most ${longest} words`, (path) => {
    const long = readPage(path).filter((sentence) => countWords(sentence) > longest);
    expect(long).toEqual([]);
  });

  it(`of README.md have at most ${longestAverage} words on average`, () => {
    const lengths = readPage('README.md').map(countWords);
    expect(lengths.length).toBeGreaterThan(20);
    expect(lengths.reduce((sum, length) => sum + length, 0) / lengths.length).toBeLessThanOrEqual(longestAverage);
  });

  const described = [
    ...[...rules, ...timelineRules].map(({ id, title, why }) => ({ id, texts: [title, why] })),
    ...Object.entries(clientRules).map(([id, { title, advice }]) => ({ id, texts: [title, advice] })),
  ];

  it.each(described)(`of the title and the reason of $id have at most ${longest} words`, ({ texts }) => {
    expect(texts.flatMap(splitSentences).filter((sentence) => countWords(sentence) > longest)).toEqual([]);
  });
});
