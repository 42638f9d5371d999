/** What the document of the wiki API says about its bodies (§2). Written from the document, not from the contract file. */

import type { JsonObject } from '../../../core/json.ts';
import { absent } from './contract-file.ts';
import { type FieldFacts, notInteger, notObject, notText, type RecordFacts } from './record-facts.ts';

const entry: JsonObject = {
  slug: 'lupo-di-sale',
  title: 'Lupo di sale',
  type: 'creature',
  visibility: 'public',
  icon_path: 'icons/lupo.png',
  updated_at: '2026-09-14 18:22:05',
};

const entryFields: readonly FieldFacts[] = [
  { source: '§2', field: '/slug', accepts: ['x'], refuses: notText },
  { source: '§2', field: '/title', accepts: ['x'], refuses: notText },
  {
    source: '§2',
    field: '/type',
    accepts: ['creature', 'luogo', 'reperto', 'personaggio', 'brand', 'arma'],
    refuses: ['place', 'Creature', 'creatura', '', ...notText],
  },
  { source: '§2', field: '/visibility', accepts: ['public', 'team', 'admin'], refuses: ['private', '', ...notText] },
  { source: '§2', field: '/icon_path', accepts: ['a/b.png'], refuses: notText },
  {
    source: '§2',
    field: '/updated_at',
    accepts: ['2024-02-29 23:59:59'],
    refuses: [
      '2026-02-30 10:00:00',
      '2026-09-14 25:10:00',
      '2026-09-14T18:22:05',
      '2026-09-14 18:22:05Z',
      '2026-09-14 18:22',
      '2026-09-14',
      ...notText,
    ],
  },
  { source: '§2: other fields are not excluded', field: '/spoiler', accepts: [true], refuses: [] },
];

const detail: JsonObject = { ...entry, body_public: '<p>Vive nelle saline.</p>' };

const envelope: readonly FieldFacts[] = [
  { source: '§2', field: '/ok', accepts: [true], refuses: [absent, false, null, 'true'] },
  { source: '§2', field: '/meta', accepts: [], refuses: notObject },
  { source: '§2, §9', field: '/meta/version', accepts: ['v1'], refuses: ['v1.0', 'v2', 1, absent, null] },
];

/** The facts about the bodies of the wiki API. */
export const wikiFacts: readonly RecordFacts[] = [
  { schema: '/components/schemas/EntrySummary', record: entry, fields: entryFields },
  {
    schema: '/components/schemas/EntrySummary',
    record: entry,
    fields: [{ source: '§2: the list leaves it out', field: '/body_public', accepts: [], refuses: ['', 'text', null] }],
  },
  { schema: '/components/schemas/EntryDetail', record: detail, fields: entryFields },
  {
    schema: '/components/schemas/EntryDetail',
    record: detail,
    fields: [{ source: '§2: the single read has it', field: '/body_public', accepts: ['', '<b>x</b>'], refuses: notText }],
  },
  {
    schema: '/components/schemas/EntryPage',
    record: { ok: true, data: [entry], meta: { version: 'v1', page: 1, limit: 30, total: 1 } },
    fields: [
      ...envelope,
      { source: '§2', field: '/data', accepts: [[]], refuses: [absent, null, {}, entry, [detail], [{}]] },
      { source: '§2', field: '/meta/page', accepts: [2], refuses: notInteger },
      { source: '§2', field: '/meta/limit', accepts: [5], refuses: notInteger },
      { source: '§2', field: '/meta/total', accepts: [0, 900], refuses: [-1, ...notInteger] },
    ],
  },
  {
    schema: '/components/schemas/EntryBody',
    record: { ok: true, data: detail, meta: { version: 'v1' } },
    fields: [...envelope, { source: '§2', field: '/data', accepts: [], refuses: [absent, null, [], [detail], entry] }],
  },
  {
    schema: '/components/schemas/Error',
    record: { ok: false, error: { code: 'X', message: 'Something went wrong.' } },
    fields: [
      { source: '§2', field: '/ok', accepts: [false], refuses: [absent, true, null] },
      { source: '§2', field: '/error', accepts: [], refuses: notObject },
      { source: '§2', field: '/error/code', accepts: ['ANY'], refuses: notText },
      { source: '§2, §7', field: '/error/message', accepts: ['Any'], refuses: notText },
      { source: '§2: other fields are not excluded', field: '/meta', accepts: [{ version: 'v1' }], refuses: [] },
      { source: '§2: other fields are not excluded', field: '/error/request_id', accepts: ['r-1'], refuses: [] },
    ],
  },
];
