/** Entity tags and conditional reads (RFC 9110 §8.8.3 and §13.1.2). */

import { hash } from 'node:crypto';

/** The suffix of the tag of a compressed answer: other bytes, so another strong tag. */
const gzipSuffix = '-gzip';

/** The strong tag of a content: equal bytes have equal tags, and different bytes different ones. */
export function strongTag(content: string | Buffer): string {
  return `"${hash('sha256', content, 'base64url').slice(0, 27)}"`;
}

/** The tag of the compressed form of an answer. */
export function gzipTag(tag: string): string {
  return `${tag.slice(0, -1)}${gzipSuffix}"`;
}

/**
 * True when an If-None-Match field names the current tag: a list or `*`, compared weakly (RFC 9110 §8.8.3.2). The tags of the plain and the
 * compressed form both count, since a cache may hold either. A field that is not well formed names nothing.
 */
export function matchesTag(field: string, tag: string): boolean {
  if (field.trim() === '*') return true;
  const current = opaque(tag);
  return parseTagList(field).some((given) => given === current || given === gzipTag(current));
}

/** The opaque tags of a list, without their weakness; quotes may hold commas. */
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
