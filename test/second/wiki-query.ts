/** Knows how the wiki API reads the parameters of its list; how strict it is is an open question throughout. */

import { entryTypes } from './data-entries.ts';
import { type Asked, Failure } from './reply.ts';
import type { Setup } from './setup.ts';

/** What one request of the list asks for. */
export interface EntryQuery {
  readonly type: string | undefined;
  readonly q: string | undefined;
  readonly limit: number;
  readonly page: number;
  /** Whether page was given: only deviations tell the difference to its default. */
  readonly pageGiven: boolean;
}

/** The refusal of a parameter. */
export function badRequest(message: string): Failure {
  return new Failure(400, 'BAD_REQUEST', message);
}

/** Reads the query or refuses it. */
export function readEntryQuery(setup: Setup, asked: Asked): EntryQuery {
  const stranger = [...asked.query.keys()].find((name) => !['type', 'q', 'limit', 'page'].includes(name));
  if (stranger !== undefined && setup.choice('undeclared-parameter') === 'refused')
    throw badRequest(`${stranger} is not a parameter of this path`);
  const page = value(setup, asked, 'page');
  return {
    type: readType(setup, value(setup, asked, 'type')),
    q: readSearch(setup, value(setup, asked, 'q')),
    limit: readLimit(setup, value(setup, asked, 'limit')),
    page: readPage(setup, page),
    pageGiven: page !== undefined,
  };
}

function value(setup: Setup, asked: Asked, name: string): string | undefined {
  const values = asked.query.getAll(name);
  const choice = setup.choice('repeated-parameter');
  if (values.length > 1 && choice === 'refused') throw badRequest(`${name} is given more than once`);
  return choice === 'first' ? values[0] : values.at(-1);
}

function readType(setup: Setup, text: string | undefined): string | undefined {
  if (text === undefined || text === '' || setup.faulty('type-ignored')) return undefined;
  const read = setup.choice('type-case') === 'insensitive' ? text.toLowerCase() : text;
  const known = entryTypes.some((type) => type === read) && !(setup.faulty('weapons-refused') && read === 'arma');
  if (known) return read;
  const choice = setup.faulty('weapons-refused') && read === 'arma' ? '400' : setup.choice('unknown-type');
  if (choice === '400') throw badRequest(`type must be one of ${entryTypes.join(', ')}`);
  if (choice === '404') throw new Failure(404, 'NOT_FOUND', 'There is no such type');
  return choice === 'ignored' ? undefined : read;
}

function readSearch(setup: Setup, text: string | undefined): string | undefined {
  if (text === undefined || setup.faulty('q-ignored')) return undefined;
  if (setup.faulty('search-crash') && /[%'"]/.test(text))
    throw new Failure(500, 'SERVER_ERROR', 'syntax error near the end of the statement');
  if (setup.faulty('search-unprocessable') && text.length === 1) throw new Failure(422, 'BAD_REQUEST', 'q is too short');
  if (text.trim() !== '') return text;
  const choice = setup.choice('empty-q');
  if (choice === 'refused') throw badRequest('q is empty');
  // A text that no entry holds.
  return choice === 'all' ? undefined : '\u0000';
}

function readLimit(setup: Setup, text: string | undefined): number {
  const usual = setup.faulty('default-twenty-entries') ? 20 : 30;
  if (setup.faulty('limit-zero-crash') && text === '0') throw new Failure(500, 'SERVER_ERROR', 'division by zero');
  const read = text === undefined ? usual : (positive(setup, 'limit', text) ?? usual);
  const cap = setup.choice('limit-cap');
  if (cap === 'none') return read;
  if (cap !== 'refused-over-100') return Math.min(read, Number(cap));
  if (read > 100) throw badRequest('limit must be at most 100');
  return read;
}

function readPage(setup: Setup, text: string | undefined): number {
  if (text === undefined) return 1;
  if (setup.faulty('page-text-crash') && /[^\d\s+.-]/.test(text))
    throw new Failure(500, 'SERVER_ERROR', 'unsupported operand types: string * int');
  return positive(setup, 'page', text) ?? 1;
}

/** A whole number from 1 on; undefined where the server ignores what it cannot use. */
function positive(setup: Setup, name: string, text: string): number | undefined {
  const number = /^\s*[+-]?\d+(\.0+)?\s*$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= 1) {
    if (/^[1-9]\d*$/.test(text)) return number;
    const sloppy = setup.choice('sloppy-number');
    if (sloppy === 'refused') throw badRequest(`${name} is not spelled as a plain number`);
    return sloppy === 'accepted' ? number : undefined;
  }
  const choice = setup.choice('bad-number');
  if (choice === 'refused') throw badRequest(`${name} must be a whole number from 1 on`);
  return choice === 'clamped' && number < 1 ? 1 : undefined;
}
