/** Makes entity tags and compares them with If-None-Match (RFC 9110 §8.8.3 and §13.1.2). */

import { hash } from 'node:crypto';

/** Suffix of the tag of a compressed response, whose bytes differ, so that it needs another strong tag. */
const gzipSuffix = '-gzip';

/** The strong tag of a content: a hash of its bytes. */
export function strongTag(content: string | Buffer): string {
  return `"${hash('sha256', content, 'base64url').slice(0, 27)}"`;
}

/** The tag of the compressed form of a response. */
export function gzipTag(tag: string): string {
  return `${tag.slice(0, -1)}${gzipSuffix}"`;
}

/**
 * True if an If-None-Match field matches the current tag: a list or `*`, by weak comparison (RFC 9110 §8.8.3.2). The tags of the plain and the compressed form
 * both match, since a cache may hold either. A malformed field matches nothing.
 */
export function matchesTag(field: string, tag: string): boolean {
  if (field.trim() === '*') return true;
  const current = opaque(tag);
  return parseTagList(field).some((listed) => listed === current || listed === gzipTag(current));
}

/** The tags of a list without the weakness prefix; empty for a malformed list. Tags may contain commas. */
function parseTagList(field: string): readonly string[] {
  const tags: string[] = [];
  const pattern = /\s*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")\s*(?:,|$)|\s*,/y;
  while (pattern.lastIndex < field.length) {
    const match = pattern.exec(field);
    if (match === null) return [];
    if (match[1] !== undefined) tags.push(match[1]);
  }
  return tags;
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '');
}
