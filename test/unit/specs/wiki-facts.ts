/** Facts of the wiki API's document about its bodies (§2). Written from the document, not from the contract file. */

import type { JsonObject } from '../../../core/json.ts';
import { absent, type FieldFacts, notInteger, notObject, notText, type RecordFacts } from './contract-file.ts';

const entry: JsonObject = {
  slug: 'lupo-di-sale',
  title: 'Lupo di sale',
  type: 'creature',
  visibility: 'public',
  icon_path: 'icons/lupo.png',
  updated_at: '2026-09-14 18:22:05',
};

const entryFields: readonly FieldFacts[] = [
  ['§2', '/slug', ['x'], notText],
  ['§2', '/title', ['x'], notText],
  ['§2', '/type', ['creature', 'luogo', 'reperto', 'personaggio', 'brand', 'arma'], ['place', 'Creature', 'creatura', '', ...notText]],
  ['§2', '/visibility', ['public', 'team', 'admin'], ['private', '', ...notText]],
  ['§2', '/icon_path', ['a/b.png'], notText],
  [
    '§2',
    '/updated_at',
    ['2024-02-29 23:59:59'],
    [
      '2026-02-30 10:00:00',
      '2026-09-14 25:10:00',
      '2026-09-14T18:22:05',
      '2026-09-14 18:22:05Z',
      '2026-09-14 18:22',
      '2026-09-14',
      ...notText,
    ],
  ],
  ['§2: other fields are not excluded', '/spoiler', [true], []],
];

const detail: JsonObject = { ...entry, body_public: '<p>Vive nelle saline.</p>' };

const envelope: readonly FieldFacts[] = [
  ['§2', '/ok', [true], [absent, false, null, 'true']],
  ['§2', '/meta', [], notObject],
  ['§2, §9', '/meta/version', ['v1'], ['v1.0', 'v2', 1, absent, null]],
];

/** The facts about the bodies of the wiki API. */
export const wikiFacts: readonly RecordFacts[] = [
  { schema: '/components/schemas/EntrySummary', record: entry, fields: entryFields },
  {
    schema: '/components/schemas/EntrySummary',
    record: entry,
    fields: [['§2: the list leaves it out', '/body_public', [], ['', 'text', null]]],
  },
  { schema: '/components/schemas/EntryDetail', record: detail, fields: entryFields },
  {
    schema: '/components/schemas/EntryDetail',
    record: detail,
    fields: [['§2: the single read has it', '/body_public', ['', '<b>x</b>'], notText]],
  },
  {
    schema: '/components/schemas/EntryPage',
    record: { ok: true, data: [entry], meta: { version: 'v1', page: 1, limit: 30, total: 1 } },
    fields: [
      ...envelope,
      ['§2', '/data', [[]], [absent, null, {}, entry, [detail], [{}]]],
      ['§2', '/meta/page', [2], notInteger],
      ['§2', '/meta/limit', [5], notInteger],
      ['§2', '/meta/total', [0, 900], [-1, ...notInteger]],
    ],
  },
  {
    schema: '/components/schemas/EntryBody',
    record: { ok: true, data: detail, meta: { version: 'v1' } },
    fields: [...envelope, ['§2', '/data', [], [absent, null, [], [detail], entry]]],
  },
  {
    schema: '/components/schemas/Error',
    record: { ok: false, error: { code: 'X', message: 'Something went wrong.' } },
    fields: [
      ['§2', '/ok', [false], [absent, true, null]],
      ['§2', '/error', [], notObject],
      ['§2', '/error/code', ['ANY'], notText],
      ['§2, §7', '/error/message', ['Any'], notText],
      ['§2: other fields are not excluded', '/meta', [{ version: 'v1' }], []],
      ['§2: other fields are not excluded', '/error/request_id', ['r-1'], []],
    ],
  },
];
