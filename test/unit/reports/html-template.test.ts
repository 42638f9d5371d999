/** Long words of HTML pages break between their parts, and hold the same text. */

import { expect, test } from 'vitest';
import { breakable } from '../../../reports/html-template.ts';

test.each([
  ['a path', '/api/v1/things/view_one.php', '/api/<wbr>v1/<wbr>things/<wbr>view_<wbr>one.<wbr>php'],
  ['a query', 'things.php?kind=dry&page=2', 'things.<wbr>php?<wbr>kind=<wbr>dry&amp;<wbr>page=<wbr>2'],
  ['a path parameter', 'organisations/{id}/members', 'organisations/<wbr>{id}/<wbr>members'],
  ['a short word', 'and/or a <b>', 'and/or a &lt;b&gt;'],
  ['an instant', '2026-03-28T23:41:38+01:00', '2026-03-28T23:41:38+01:00'],
  ['an address', 'http://127.0.0.1:4010/', 'http://127.0.0.1:4010/'],
])('%s', (_, text, markup) => {
  expect(breakable(text).markup).toBe(markup);
});
