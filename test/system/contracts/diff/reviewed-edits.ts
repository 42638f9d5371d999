/** Single and combined edits of the shipped contracts, as a reviewer meets them, each with the findings that a report must show. */

import type { ChangeLevel } from '../../../../core/results/diff-result.ts';

/** A text and its replacement, for the first occurrence at or behind another text. With `all`, for every occurrence. */
export type TextEdit = readonly [piece: string | RegExp, instead: string, behind?: string];

/** Removes the definition of an open question. */
function unasked(id: string): TextEdit {
  return [new RegExp(`^  ${id}:(?:\\n +| \\{ )question.*\\n(?: {3,}.*\\n)*`, 'm'), ''];
}

/** An edit of a contract, with its findings in the order of a report. */
export interface ReviewedEdit {
  readonly title: string;
  readonly contract: 'business' | 'wiki';
  readonly edits: readonly TextEdit[];
  readonly findings: readonly (readonly [level: ChangeLevel, sentence: string])[];
}

const order = 'operationId: getOrder';

const maximum: TextEdit = ['maximum: 100, default: 50', 'maximum: 50, default: 50'];
const fallback: TextEdit = ['maximum: 100, default: 50', 'maximum: 100, default: 20'];
const nullable: TextEdit = ['currency: { type: string,', "currency: { type: [string, 'null'],"];
const reduction: readonly TextEdit[] = [
  ['required: [subtotal, discount, total, currency]', 'required: [subtotal, reduction, total, currency]'],
  [
    '        discount: { type: number, description: The discount (§2.2). }',
    '        reduction: { type: number, description: The discount (§2.2). }',
  ],
];
const state: TextEdit = ['completed, cancelled, rejected, no_show]', 'completed, cancelled, rejected, no_show, paused]'];
const operator: TextEdit = ['updated_after: { from: /changed_at }', 'updated_after: { after: /changed_at }'];
const visibility: TextEdit = ['shown: [public]', 'shown: [public, team]'];
const tenancy: TextEdit = [/ {2}tenancy: key.*\n/, ''];
const tieBreak: TextEdit = ['\n          - { by: /id, direction: descending }', ''];
const errorCode: TextEdit = [/INVALID_QUERY/g, 'BAD_QUERY'];
const required: TextEdit = ['      name: date_from\n      in: query\n', '      name: date_from\n      in: query\n      required: true\n'];

/** Forty edits of one thing. */
export const singleEdits: readonly ReviewedEdit[] = [
  {
    title: 'a smaller default',
    contract: 'business',
    edits: [fallback],
    findings: [['breaking', 'the default of `limit` changed from 50 to 20']],
  },
  {
    title: 'a smaller maximum',
    contract: 'business',
    edits: [maximum],
    findings: [['breaking', 'the maximum of `limit` changed from 100 to 50']],
  },
  {
    title: 'a larger maximum',
    contract: 'business',
    edits: [['maximum: 100, default', 'maximum: 200, default']],
    findings: [['compatible', 'the maximum of `limit` changed from 100 to 200']],
  },
  {
    title: 'a removed 304',
    contract: 'business',
    edits: [["        '304': { $ref: '#/components/responses/Unchanged' }\n", '', order]],
    findings: [['breaking', 'clients can no longer ask whether their copy is current (304)']],
  },
  {
    title: 'a further scope',
    contract: 'business',
    edits: [
      [
        'security: [{ serviceKey: [orders.read] }, { bearer: [orders.read] }]',
        'security: [{ serviceKey: [orders.read, orders.detail] }, { bearer: [orders.read, orders.detail] }]',
        order,
      ],
      ['    reservations.read: {}', '    reservations.read: {}\n    orders.detail: {}'],
    ],
    findings: [['breaking', 'keys now need the scope `orders.detail`']],
  },
  {
    title: 'a dropped scope',
    contract: 'business',
    edits: [
      ['security: [{ serviceKey: [orders.read] }, { bearer: [orders.read] }]', 'security: [{ serviceKey: [] }, { bearer: [] }]', order],
    ],
    findings: [['security', 'keys no longer need the scope `orders.read`']],
  },
  {
    title: 'no key any more',
    contract: 'business',
    edits: [['security: [{ serviceKey: [orders.read] }, { bearer: [orders.read] }]', 'security: []', order]],
    findings: [['security', 'no key is required any more']],
  },
  {
    title: 'no tenancy any more',
    contract: 'business',
    edits: [[/ {2}tenancy: key.*\n/, '']],
    findings: [['security', 'keys may now see the records of other tenants']],
  },
  {
    title: 'a format of instants',
    contract: 'business',
    edits: [['      format: date-time\n\n    OrderPage', '      format: date\n\n    OrderPage']],
    findings: [['breaking', 'the format of `ChangedAt` changed from date-time to date']],
  },
  {
    title: 'a renamed parameter',
    contract: 'business',
    edits: [
      ['name: updated_after', 'name: changed_since'],
      [/updated_after/g, 'changed_since'],
    ],
    findings: [['breaking', '`updated_after` is now `changed_since`']],
  },
  {
    title: 'a renamed page size',
    contract: 'business',
    edits: [
      ['name: limit\n', 'name: size\n'],
      [/ limit: limit/g, ' limit: size'],
    ],
    findings: [['breaking', '`limit` is now `size`']],
  },
  {
    title: 'another page style',
    contract: 'business',
    edits: [
      [
        '          style: cursor\n          limit: limit\n          cursor: cursor\n          next: /data/page/next_cursor\n          more: /data/page/has_more\n          fixed: [updated_after, status, channel] # §4, rule 2\n          changed: { unspecified: changed-filters }\n',
        '          style: offset\n          limit: limit\n          offset: offset\n',
      ],
      ["- $ref: '#/components/parameters/Cursor'", '- { name: offset, in: query, schema: { type: integer, minimum: 0, default: 0 } }'],
    ],
    findings: [['breaking', 'the page style changed from cursor to offset']],
  },
  {
    title: 'an exclusive checkpoint',
    contract: 'business',
    edits: [operator],
    findings: [['breaking', 'the filter `updated_after` changed from /changed_at >= value to /changed_at > value']],
  },
  {
    title: 'an exclusive last day',
    contract: 'business',
    edits: [['date_to: { to: /schedule/date }', 'date_to: { before: /schedule/date }']],
    findings: [['breaking', 'the filter `date_to` changed from /schedule/date <= value to /schedule/date < value']],
  },
  {
    title: 'a filter for one value only',
    contract: 'business',
    edits: [
      ['channel: { any-of: /channel }', 'channel: { equals: /channel }'],
      [
        "      style: form\n      explode: false\n      schema: { type: array, minItems: 1, items: { $ref: '#/components/schemas/Channel' } }",
        "      schema: { $ref: '#/components/schemas/Channel' }",
      ],
    ],
    findings: [['breaking', 'the filter `channel` changed from /channel in value to /channel = value']],
  },
  {
    title: 'a removed filter',
    contract: 'business',
    edits: [
      ["        - $ref: '#/components/parameters/Channels'\n", ''],
      ['          channel: { any-of: /channel }\n', ''],
      ['[updated_after, status, channel]', '[updated_after, status]'],
    ],
    findings: [['breaking', 'the parameter `channel` was removed']],
  },
  {
    title: 'a new optional filter',
    contract: 'business',
    edits: [
      [
        "        - $ref: '#/components/parameters/Channels'\n",
        "        - $ref: '#/components/parameters/Channels'\n        - { name: code, in: query, schema: { type: string, minLength: 1 } }\n",
      ],
      ['          channel: { any-of: /channel }\n', '          channel: { any-of: /channel }\n          code: { equals: /code }\n'],
      ['[updated_after, status, channel]', '[updated_after, status, channel, code]'],
    ],
    findings: [['compatible', 'the optional parameter `code` was added']],
  },
  {
    title: 'a filter dropped from fixed',
    contract: 'business',
    edits: [['[updated_after, status, channel]', '[updated_after, status]']],
    findings: [['compatible', '`channel` may now change while paging']],
  },
  {
    title: 'an open order',
    contract: 'business',
    edits: [
      [
        '        order: # §4, rule 1\n          - { by: /changed_at, direction: { unspecified: reservations-direction } }\n          - { by: /id, direction: descending }',
        '        order: { unspecified: orders-order }',
      ],
      unasked('reservations-direction'),
    ],
    findings: [['breaking', 'the list of reservations no longer has a stated order']],
  },
  {
    title: 'no tie-breaker',
    contract: 'business',
    edits: [['\n          - { by: /id, direction: descending }', '']],
    findings: [['breaking', '`/id` no longer decides the order of records that are otherwise equal']],
  },
  {
    title: 'the other direction',
    contract: 'business',
    edits: [['{ by: /id, direction: descending }', '{ by: /id, direction: ascending }']],
    findings: [['breaking', '`/id` now sorts ascending instead of descending']],
  },
  {
    title: 'another error status',
    contract: 'business',
    edits: [[/'422':/g, "'400':"]],
    findings: [['risky', 'the status 422 is now 400']],
  },
  {
    title: 'another error code',
    contract: 'business',
    edits: [[/INVALID_QUERY/g, 'BAD_QUERY']],
    findings: [['breaking', '`error.code` changed from "INVALID_QUERY" to "BAD_QUERY"']],
  },
  {
    title: 'a longer time',
    contract: 'business',
    edits: [
      ["[0-5]\\d$', description: The time of day in the form HH:MM", "[0-5]\\d:[0-5]\\d$', description: The time of day in the form HH:MM"],
    ],
    findings: [
      [
        'breaking',
        '`ReservationSchedule`: the pattern of `time` changed from /^([01]\\d|2[0-3]):[0-5]\\d$/ to /^([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d$/',
      ],
    ],
  },
  {
    title: 'a looser pattern',
    contract: 'business',
    edits: [["(/[A-Za-z0-9_+\\-]+){0,2}$'", "(/[A-Za-z0-9_+\\-]+){0,3}$'"]],
    findings: [
      [
        'risky',
        '`ReservationSchedule`: the pattern of `timezone` changed from /^[A-Za-z][A-Za-z0-9_+\\-]*(/[A-Za-z0-9_+\\-]+){0,2}$/ to /^[A-Za-z][A-Za-z0-9_+\\-]*(/[A-Za-z0-9_+\\-]+){0,3}$/',
      ],
    ],
  },
  { title: 'a new state', contract: 'business', edits: [state], findings: [['breaking', '`OrderStatus` can now be "paused"']] },
  {
    title: 'a removed state',
    contract: 'business',
    edits: [['cancelled, rejected, no_show]', 'cancelled, no_show]']],
    findings: [['breaking', 'the value "rejected" of `OrderStatus` was removed']],
  },
  {
    title: 'a nullable property',
    contract: 'business',
    edits: [nullable],
    findings: [['breaking', '`OrderTotals`: `currency` can now be null']],
  },
  {
    title: 'a property of another type',
    contract: 'business',
    edits: [['total: { type: number,', 'total: { type: string,']],
    findings: [['breaking', '`OrderTotals`: the type of `subtotal` changed from number to string']],
  },
  {
    title: 'a renamed property',
    contract: 'business',
    edits: reduction,
    findings: [['breaking', '`OrderTotals`: `discount` is now `reduction`']],
  },
  {
    title: 'a removed property',
    contract: 'business',
    edits: [
      ['required: [subtotal, discount, total, currency]', 'required: [subtotal, total, currency]'],
      ['        discount: { type: number, description: The discount (§2.2). }\n', ''],
    ],
    findings: [['breaking', '`OrderTotals`: `discount` was removed']],
  },
  {
    title: 'a further property',
    contract: 'business',
    edits: [['        currency: { type: string,', '        tip: { type: number }\n        currency: { type: string,']],
    findings: [['compatible', '`OrderTotals`: `tip` was added']],
  },
  {
    title: 'an optional property',
    contract: 'business',
    edits: [['required: [id, name]', 'required: [id]']],
    findings: [['breaking', '`Customer`: `name` is no longer required']],
  },
  {
    title: 'a renamed operation',
    contract: 'business',
    edits: [['/reservations/view.php:', '/reservations/one.php:']],
    findings: [['breaking', '`GET /api/integrations/v1/reservations/view.php` is now `GET /api/integrations/v1/reservations/one.php`']],
  },
  {
    title: 'a renamed component',
    contract: 'business',
    edits: [
      [/schemas\/OrderTotals/g, 'schemas/Amounts'],
      ['    OrderTotals:', '    Amounts:'],
    ],
    findings: [['documentation', 'the component `OrderTotals` is now `Amounts`']],
  },
  {
    title: 'a required parameter',
    contract: 'business',
    edits: [['      name: date_from\n      in: query\n', '      name: date_from\n      in: query\n      required: true\n']],
    findings: [['breaking', '`date_from` became required']],
  },
  {
    title: 'a wider visibility',
    contract: 'wiki',
    edits: [['shown: [public]', 'shown: [public, team]']],
    findings: [['security', 'the values of /visibility that make a record visible changed from public to public, team']],
  },
  {
    title: 'no visibility any more',
    contract: 'wiki',
    edits: [[/ {8}visible: .*\n/, ''], unasked('hidden-entry')],
    findings: [['security', 'hidden records are now visible']],
  },
  {
    title: 'another description',
    contract: 'wiki',
    edits: [['summary: Read one entry', 'summary: Read an entry']],
    findings: [['documentation', 'the summary changed']],
  },
  {
    title: 'a removed operation',
    contract: 'business',
    edits: [[/ {2}\/api\/integrations\/v1\/menus\/manifest\.php:\n(?: {4}.*\n)+/, '']],
    findings: [['breaking', 'GET /api/integrations/v1/menus/manifest.php was removed']],
  },
];

/** Further edits of one thing, in shapes that reviewers meet less often. */
export const rareEdits: readonly ReviewedEdit[] = [
  {
    title: 'another scope',
    contract: 'business',
    edits: [
      [
        'security: [{ serviceKey: [orders.read] }, { bearer: [orders.read] }]',
        'security: [{ serviceKey: [menu] }, { bearer: [menu] }]',
        order,
      ],
    ],
    findings: [['security', 'keys now need the scope `menu` instead of `orders.read`']],
  },
  {
    title: 'one scheme less everywhere',
    contract: 'business',
    edits: [[/, \{ bearer: \[[a-z.]+\] \}/g, '']],
    findings: [['breaking', 'the security scheme `bearer` is no longer accepted']],
  },
  {
    title: 'a renamed parameter with another maximum',
    contract: 'business',
    edits: [
      ['name: limit\n', 'name: size\n'],
      [/ limit: limit/g, ' limit: size'],
      ['maximum: 100', 'maximum: 50'],
    ],
    findings: [
      ['breaking', 'the maximum of `size` changed from 100 to 50'],
      ['breaking', '`limit` is now `size`'],
    ],
  },
  {
    title: 'another media type',
    contract: 'business',
    edits: [
      [
        "application/json:\n          schema: { $ref: '#/components/schemas/Menu' }",
        "application/vnd.menu+json:\n          schema: { $ref: '#/components/schemas/Menu' }",
      ],
    ],
    findings: [['breaking', 'the media type changed from `application/json` to `application/vnd.menu+json`']],
  },
  {
    title: 'another path of the server',
    contract: 'business',
    edits: [["- url: '{base_url}'", "- url: '{base_url}/v2'"]],
    findings: [['breaking', 'the server {base_url} is now {base_url}/v2']],
  },
  {
    title: 'an answered question with the schema of its answer',
    contract: 'business',
    edits: [[/pattern: '\^\(\\d\+\|.*\n {8}x-unspecified: retry-after-form/, "pattern: '^\\d+$'"], unasked('retry-after-form')],
    findings: [
      [
        'compatible',
        'the pattern of `Retry-After` changed from /^(\\d+|[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT)$/ to /^\\d+$/',
      ],
    ],
  },
  {
    title: 'no total any more',
    contract: 'wiki',
    edits: [[/ {10}total: .*\n {10}counts: .*\n/, ''], unasked('total-counts')],
    findings: [['breaking', 'the place of the total was removed: /meta/total']],
  },
  {
    title: 'an answered question',
    contract: 'wiki',
    edits: [['counts: { unspecified: total-counts }', 'counts: overall'], unasked('total-counts')],
    findings: [['compatible', 'the meaning of the total is now stated: overall']],
  },
  {
    title: 'many new states and two removed ones',
    contract: 'business',
    edits: [['completed, cancelled, rejected, no_show]', 'completed, a, b, c, d, e, f, cancelled]']],
    findings: [
      ['breaking', '`OrderStatus` can now be "a", "b", "c", "d" or 2 more, but no longer "rejected" or "no_show"'],
      ['breaking', 'the values "rejected" and "no_show" of `OrderStatus` were removed'],
    ],
  },
  {
    title: 'other order of keys and values',
    contract: 'business',
    edits: [
      [
        'if: { required: [has_more], properties: { has_more: { const: true } } }',
        'if: { properties: { has_more: { const: true } }, required: [has_more] }',
      ],
      ['enum: [takeaway, table]', 'enum: [table, takeaway]'],
      ['required: [id, name]', 'required: [name, id]'],
    ],
    findings: [],
  },
  {
    title: 'a part moved into a component',
    contract: 'business',
    edits: [
      [/ {10}description: The customer's telephone(?:.*\n){3}/, "          $ref: '#/components/schemas/Phone'\n"],
      [
        '    Customer:\n',
        "    Phone:\n      description: The customer's telephone number, if one is known (§2.2).\n      type: [string, 'null']\n      x-personal: true\n\n    Customer:\n",
      ],
    ],
    findings: [],
  },
];

/** Ten pull requests with several edits each. */
export const combinedEdits: readonly ReviewedEdit[] = [
  combined(
    'business',
    [
      ['a nullable property', nullable],
      ['a renamed property', ...reduction],
    ],
    ['a renamed property', 'a nullable property'],
  ),
  combined(
    'business',
    [
      ['a new state', state],
      ['a nullable property', nullable],
    ],
    ['a nullable property', 'a new state'],
  ),
  combined(
    'business',
    [
      ['a new state', state],
      ['a renamed property', ...reduction],
    ],
    ['a renamed property', 'a new state'],
  ),
  combined('business', [
    ['a smaller maximum', maximum],
    ['an exclusive checkpoint', operator],
  ]),
  combined(
    'business',
    [
      ['a smaller default', fallback],
      ['no tenancy any more', tenancy],
    ],
    ['no tenancy any more', 'a smaller default'],
  ),
  combined('business', [
    ['a required parameter', required],
    ['an exclusive checkpoint', operator],
  ]),
  combined('business', [
    ['an exclusive checkpoint', operator],
    ['no tie-breaker', tieBreak],
  ]),
  combined(
    'business',
    [
      ['another error code', errorCode],
      ['a new state', state],
    ],
    ['a new state', 'another error code'],
  ),
  combined(
    'business',
    [
      ['no tenancy any more', tenancy],
      ['a renamed property', ...reduction],
      ['a new state', state],
    ],
    ['no tenancy any more', 'a renamed property', 'a new state'],
  ),
  combined('wiki', [
    ['a wider visibility', visibility],
    ['another description', ['summary: Read one entry', 'summary: Read an entry']],
  ]),
];

/** Several single edits together: each keeps its finding. `order` is the order of the findings in a report. */
function combined(
  contract: ReviewedEdit['contract'],
  parts: readonly (readonly [title: string, ...edits: TextEdit[]])[],
  order: readonly string[] = parts.map(([title]) => title),
): ReviewedEdit {
  return {
    title: parts.map(([title]) => title).join(', '),
    contract,
    edits: parts.flatMap(([, ...edits]) => edits),
    findings: order.map(found),
  };
}

function found(title: string): ReviewedEdit['findings'][number] {
  const finding = singleEdits.find((each) => each.title === title)?.findings[0];
  if (finding === undefined) throw new Error(`there is no edit ${title}`);
  return finding;
}
