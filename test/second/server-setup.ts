/** The settings of one second server: its data, its answers to the questions that the documents leave open, and its defects. */

import { type DefectId, hasDefect } from './defects.ts';
import { type Calendar, type CalendarId, calendars } from './instants.ts';

/** The open questions about HTTP itself, for both APIs. */
const wireChoices = {
  'content-type': ['application/json; charset=utf-8', 'application/json', 'application/json;charset=UTF-8'],
  'json-text': ['compact', 'pretty', 'escaped'],
  'extra-fields': ['none', 'everywhere'],
  gzip: ['no', 'yes'],
  chunked: ['no', 'yes'],
  connection: ['keep-alive', 'close'],
  'head-method': ['405', 'as-get', '404'],
  'other-methods': ['405', '404', '501'],
  outside: ['envelope', 'other-code', 'html', 'empty'],
} as const;

/** The open questions of the business API. */
export const businessChoices = {
  'orders-order': ['changed-desc', 'changed-asc', 'id-asc', 'id-desc', 'code', 'scrambled'],
  'reservations-direction': ['desc', 'asc'],
  'head-place': ['top', 'data'],
  'business-type': ['object', 'string', 'number'],
  'schema-version-type': ['string', 'number'],
  'detail-place': ['data-name', 'data', 'root'],
  'success-ok': ['present', 'absent'],
  'takeaway-table': ['null', 'absent'],
  unpaid: ['null', 'absent'],
  'guest-contact': ['null', 'absent', 'always'],
  'empty-notes': ['null', 'absent', 'empty'],
  'no-assignment': ['null', 'absent'],
  'last-cursor': ['null', 'absent', 'given', 'empty'],
  'cursor-alphabet': ['url-safe', 'base64', 'hex', 'json'],
  'cursor-style': ['keyset', 'snapshot'],
  'cursor-again': ['allowed', 'refused'],
  'cursor-other-limit': ['allowed', 'refused'],
  'damaged-cursor': ['422', '400', '410'],
  'foreign-cursor': ['refused', 'own-records'],
  'changed-filters': ['refused', 'cursor-wins', 'request-wins'],
  'csv-order': ['same', 'different'],
  'short-pages': ['no', 'yes', 'some-empty'],
  'loose-spelling': ['refused', 'accepted', 'ignored'],
  undeclared: ['ignored', 'refused'],
  precedence: ['key-first', 'admission-first', 'query-first', 'query-before-scope', 'absent-first'],
  'two-keys': ['header-wins', 'bearer-wins', 'refused'],
  codes: ['own', 'shared', 'plain', 'repeated'],
  'code-case': ['sensitive', 'insensitive'],
  ids: ['sparse', 'dense', 'shared', 'huge'],
  etag: ['strong', 'weak'],
  'if-none-match': ['lists-and-star', 'one-tag'],
  'not-modified-tag': ['present', 'absent'],
  'manifest-tag': ['absent', 'tag-only', 'conditional'],
  'changed-at': ['zone', 'utc', 'plus-two', 'mixed', 'milliseconds', 'microseconds', 'mixed-microseconds'],
  zone: ['Europe/Rome', 'America/Argentina/Salta', 'Pacific/Apia', 'UTC', 'America/New_York', 'Asia/Kathmandu'],
  'assignment-times': ['offset', 'local'],
  fulfillment: ['plain', 'free-text'],
  'scope-names': ['plain', 'dotted'],
  'identity-body': ['data', 'bare'],
  'no-menu-code': ['MENU_NOT_FOUND', 'NOT_FOUND', 'NO_SOURCE_MENU'],
  'not-ready-code': ['api', 'orders', 'by-module'],
  'rate-scope': ['address', 'key'],
  'retry-after': ['seconds', 'zero', 'date'],
  challenge: ['absent', 'present'],
} as const;

/** The open questions of the wiki API. */
export const wikiChoices = {
  'hidden-entry': ['404', '403', '401'],
  'unknown-type': ['400', 'ignored', 'empty', '404'],
  'type-case': ['sensitive', 'insensitive'],
  'bad-number': ['refused', 'ignored', 'clamped'],
  'loose-number': ['accepted', 'refused', 'ignored'],
  'repeated-parameter': ['last', 'first', 'refused'],
  'undeclared-parameter': ['ignored', 'refused'],
  'limit-cap': ['100', 'none', '50', 'refused-over-100'],
  'page-beyond': ['empty', '404', '400', 'last'],
  total: ['filtered', 'overall'],
  'entries-order': ['title', 'slug', 'updated', 'scrambled'],
  'q-fields': ['title-and-body', 'title'],
  'q-case': ['folded', 'exact'],
  'q-style': ['substring', 'words'],
  'empty-q': ['all', 'nothing', 'refused'],
  'error-meta': ['absent', 'present'],
  'slug-case': ['sensitive', 'insensitive'],
  'broken-escape': ['404', '400'],
  'trailing-slash': ['outside', 'list'],
} as const;

/** An open question of either API. */
type ChoiceId = keyof typeof wireChoices | keyof typeof businessChoices | keyof typeof wikiChoices;

/** Every question of both APIs with its legal answers. */
export const choices: Readonly<Record<ChoiceId, readonly string[]>> = { ...wireChoices, ...businessChoices, ...wikiChoices };

/** The questions that a server of this API answers. */
export function choicesOf(api: 'business' | 'wiki'): Readonly<Record<string, readonly string[]>> {
  return api === 'business' ? { ...wireChoices, ...businessChoices } : { ...wireChoices, ...wikiChoices };
}

/** The answers of one server: the given ones, checked, and the default for every other question. */
function answersTo(api: 'business' | 'wiki', given: Readonly<Record<string, string>>): (id: ChoiceId) => string {
  const table = choicesOf(api);
  for (const [id, value] of Object.entries(given)) {
    const legal = table[id];
    if (legal === undefined) throw new Error(`The ${api} API has no question '${id}'; its questions are ${Object.keys(table).join(', ')}`);
    if (!legal.includes(value)) throw new Error(`'${value}' does not answer '${id}'; legal answers are ${legal.join(', ')}`);
  }
  return (id) => given[id] ?? choices[id][0] ?? '';
}

/** The amount and kind of data. */
export type DataSize = 'usual' | 'none' | 'one' | 'two' | 'few' | 'same-instant' | 'large';

/** The settings that every part of a server reads. */
export interface Setup {
  readonly api: 'business' | 'wiki';
  readonly data: DataSize;
  readonly calendar: Calendar;
  readonly seed: number;
  readonly choice: (id: ChoiceId) => string;
  readonly has: (id: DefectId) => boolean;
}

/** The options that do not change while a server runs. */
export interface SetupOptions {
  readonly api: 'business' | 'wiki';
  /** Answers to open questions; every other question gets its first answer. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Ids of defects. */
  readonly defects?: readonly string[];
  readonly data?: DataSize;
  readonly calendar?: CalendarId;
  readonly seed?: number;
}

/** Checks the options and fills in their defaults. */
export function setupFrom(options: SetupOptions): Setup {
  return {
    api: options.api,
    data: options.data ?? 'usual',
    calendar: calendars[options.calendar ?? 'leap-day'],
    seed: options.seed ?? 1,
    choice: answersTo(options.api, options.choices ?? {}),
    has: hasDefect(options.api, options.defects ?? []),
  };
}
