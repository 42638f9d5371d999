/** Knows conditional reads: the tag of a content, what If-None-Match says about it, and the answer without a body. */

import { createHash } from 'node:crypto';
import { type Asked, header, type Reply } from './reply.ts';
import type { Setup } from './setup.ts';

/** A content that is tagged, and what a deviating tag is made of instead. */
export interface Tagged {
  readonly json: unknown;
  readonly kind: string;
  readonly id: number;
  readonly changed: number;
}

/** The answer to a read of that content: 200 with its tag, or 304. */
export function conditionally(setup: Setup, asked: Asked, content: Tagged): Reply {
  const tag = tagOf(setup, content, asked.moment);
  const shown = setup.faulty('tag-missing') ? {} : { etag: tag };
  if (!unchanged(setup, asked, tag)) return { status: 200, headers: shown, json: content.json };
  const other = setup.faulty('unchanged-other-tag') ? { etag: '"another"' } : shown;
  const smuggled = setup.faulty('unchanged-with-body') ? { smuggled: JSON.stringify(content.json) } : {};
  return { status: 304, headers: setup.choice('not-modified-tag') === 'present' ? other : otherOnly(setup, other), ...smuggled };
}

/** Whether the request says that it holds the content with this tag. */
export function unchanged(setup: Setup, asked: Asked, tag: string): boolean {
  const sent = header(asked, 'if-none-match');
  if (sent === undefined || setup.faulty('never-unchanged')) return false;
  if (setup.faulty('always-unchanged')) return true;
  if (setup.choice('if-none-match') === 'one-tag') return sent.trim() === tag;
  if (sent.trim() === '*') return true;
  return opaqueTags(sent).includes(tag.replace(/^W\//, ''));
}

/** The tag of a content. */
export function tagOf(setup: Setup, content: Tagged, moment: number): string {
  const opaque = createHash('sha256')
    .update(tagSource(setup, content, moment))
    .digest('hex')
    .slice(0, 24);
  if (setup.faulty('bare-tag')) return opaque;
  return setup.choice('etag') === 'weak' ? `W/"${opaque}"` : `"${opaque}"`;
}

function tagSource(setup: Setup, { json, kind, id, changed }: Tagged, moment: number): string {
  if (setup.faulty('tag-constant')) return kind;
  if (setup.faulty('tag-of-id')) return `${kind} ${id}`;
  if (setup.faulty('tag-of-instant')) return String(changed);
  return setup.faulty('tag-per-request') ? String(moment) : JSON.stringify(json);
}

/** The tags of a list, compared weakly: the mark of a weak tag does not count. A tag may hold commas, so quotes decide. */
function opaqueTags(sent: string): readonly string[] {
  const quoted = sent.match(/"[^"]*"/g) ?? [];
  return quoted.length > 0 ? quoted : sent.split(',').map((tag) => tag.trim());
}

function otherOnly(setup: Setup, headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return setup.faulty('unchanged-other-tag') ? headers : {};
}
