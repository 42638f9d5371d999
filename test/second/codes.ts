/** Knows how an order is found by its code, exactly or, for deviating servers, less exactly. */

import type { Row } from './record.ts';
import { Failure } from './reply.ts';
import type { Setup } from './setup.ts';
import type { Key } from './world.ts';

/** The record with that code: the newest id where a code was used again. */
export function findByCode<R extends Row>(setup: Setup, rows: ReadonlyMap<Key, R>, code: string, raw: string): R | undefined {
  if (setup.faulty('code-crash') && /[^ -~]/.test(code)) throw new Failure(500, 'INTERNAL_ERROR', 'incorrect string value');
  if (setup.faulty('code-not-decoded') && escapesLetters(raw)) return undefined;
  const exact = newest(rows, (candidate) => candidate === code);
  const found = exact ?? loosely(setup, rows, code);
  if (found === undefined && setup.faulty('code-quote-crash') && code.includes("'")) {
    throw new Failure(500, 'INTERNAL_ERROR', 'syntax error near the end of the statement');
  }
  return found;
}

/** Whether a letter or digit was escaped although it need not be. */
export function escapesLetters(raw: string): boolean {
  return /%(3\d|4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/i.test(raw);
}

/** A pattern with % and _ as a database reads it. */
export function likePattern(text: string): RegExp {
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('%', '.*').replaceAll('_', '.')}$`, 'su');
}

function loosely<R extends Row>(setup: Setup, rows: ReadonlyMap<Key, R>, code: string): R | undefined {
  const folded = code.toLowerCase();
  if (setup.choice('code-case') === 'insensitive') return newest(rows, (candidate) => candidate.toLowerCase() === folded);
  if (setup.faulty('code-prefix')) return newest(rows, (candidate) => candidate.startsWith(code));
  if (setup.faulty('code-wildcard')) return newest(rows, (candidate) => likePattern(code).test(candidate));
  return undefined;
}

function newest<R extends Row>(rows: ReadonlyMap<Key, R>, fits: (code: string) => boolean): R | undefined {
  let found: R | undefined;
  for (const row of rows.values()) {
    const code = 'code' in row && typeof row.code === 'string' ? row.code : undefined;
    if (code !== undefined && fits(code) && (found === undefined || row.id > found.id)) found = row;
  }
  return found;
}
