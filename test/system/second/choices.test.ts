/** Each answer to an open question changes what clients see, and servers with other answers are still correct. */

import { describe, expect, test } from 'vitest';
import type { allPages } from '../../second/defect-probes.ts';
import { businessChoiceProbes, wikiChoiceProbes, wireChoiceProbes } from '../../second/question-probes.ts';
import type { Probe } from '../../second/second-client.ts';
import { at, idsOf, rowsOf, type SecondClient, withSecondServer } from '../../second/second-client.ts';
import { choicesOf } from '../../second/server-setup.ts';

type ChoiceProbes = Readonly<Record<string, Pick<Probe, 'observe' | 'options'>>>;

const probes: Readonly<Record<'business' | 'wiki', ChoiceProbes>> = {
  business: { ...wireChoiceProbes('orders/index.php?limit=20'), ...businessChoiceProbes },
  wiki: { ...wireChoiceProbes('wiki?limit=20'), ...wikiChoiceProbes },
};

const alternatives = (['business', 'wiki'] as const).flatMap((api) =>
  Object.entries(choicesOf(api)).flatMap(([id, values]) => values.slice(1).map((value) => [api, id, value] as const)),
);

describe('every answer to an open question', () => {
  test.each(alternatives)('%s: %s = %s shows', async (api, id, value) => {
    const probe = probes[api][id];
    if (probe === undefined) throw new Error(`'${id}' has no probe; write one in question-probes.ts`);
    const usual = await usually(api, id, probe);
    const other = await withSecondServer({ api, ...probe.options, choices: { [id]: value } }, probe.observe);
    expect(other).not.toEqual(usual);
    expect(JSON.stringify(other)).not.toContain('second server itself');
  });

  test.each(alternatives.filter(([api]) => api === 'business'))('%s: %s = %s keeps lists and details together', async (api, id, value) => {
    await withSecondServer({ api, choices: { [id]: value } }, wholeBusiness);
  });

  test.each(alternatives.filter(([api]) => api === 'wiki'))('%s: %s = %s keeps the pages together', async (api, id, value) => {
    await withSecondServer({ api, choices: { [id]: value } }, wholeWiki);
  });
});

test('an answer that is not legal is refused with those that are', async () => {
  await expect(withSecondServer({ api: 'business', choices: { etag: 'none' } }, async () => undefined)).rejects.toThrow(
    'legal answers are strong, weak',
  );
});

const seen = new Map<string, Promise<unknown>>();

/** The result of a probe against a server with the default answers; it is read once for all other answers. */
function usually(api: 'business' | 'wiki', id: string, probe: Pick<Probe, 'observe' | 'options'>): Promise<unknown> {
  const known = seen.get(`${api} ${id}`) ?? withSecondServer({ api, ...probe.options }, probe.observe);
  seen.set(`${api} ${id}`, known);
  return known;
}

/** Reads each list to its end, with a filter and without, and a few single records. */
async function wholeBusiness(client: SecondClient): Promise<void> {
  const orders = await client.paginate('orders/index.php?limit=60');
  expect(new Set(idsOf(orders)).size).toBe(173);
  expect(idsOf(orders)).toHaveLength(173);
  const waiting = idsOf(await client.paginate('orders/index.php?limit=7&status=pending'));
  const expected = orders.flatMap(rowsOf).filter((row) => row['status'] === 'pending');
  expect(waiting).toEqual(expected.map((row) => row['id']));
  const reservations = idsOf(await client.paginate('reservations/index.php?limit=90'));
  expect(new Set(reservations).size).toBe(173);
  const first = orders.flatMap(rowsOf)[0] ?? {};
  const detail = await client.get(`orders/view.php?id=${String(first['id'])}`);
  expect(detail.status).toBe(200);
  const body: unknown = JSON.parse(detail.text);
  const places = [at(body, 'data', 'order'), at(body, 'data'), at(body)];
  expect(places.find((place) => place['code'] !== undefined)).toMatchObject(first);
}

/** The pages hold every public entry once, and no hidden one. */
async function wholeWiki(client: SecondClient): Promise<void> {
  const pages = await allDifferent(client);
  const slugs = idsOf(pages);
  expect(slugs).toHaveLength(196 - client.server.hidden.length);
  expect(new Set(slugs).size).toBe(slugs.length);
  expect(client.server.hidden.filter((slug) => slugs.includes(slug))).toEqual([]);
  expect(at(pages[0], 'meta')['total']).toBe(slugs.length);
}

/** Pagination ends with the total where a page past the end is an error or the last page again. */
async function allDifferent(client: SecondClient): ReturnType<typeof allPages> {
  const pages = [];
  for (let page = 1; page <= 4; page += 1) pages.push(JSON.parse((await client.get(`wiki?limit=50&page=${page}`)).text));
  return pages;
}
