/** Mistakes that no mutant makes: each is reported by one rule, the right one. The campaign unlisted-mistakes has more. */

import { expect, it } from 'vitest';
import type { HttpResponse } from '../../../../core/http/exchange.ts';
import { isObject, type Json } from '../../../../core/json.ts';
import { getOrCompute } from '../../../../core/memo.ts';
import { valueAt, withValueAt } from '../../../../core/pointer.ts';
import { judgeSpoiled, type Spoil, violated } from '../../../helpers/judged-servers.ts';

/** The number that a request sends for a parameter. */
function numberIn(target: string, name: string): number | undefined {
  const text = new URL(target, 'http://server').searchParams.get(name);
  return text === null ? undefined : Number(text);
}

function recordsOf(body: string): readonly Json[] {
  const records = valueAt(JSON.parse(body) as Json, '/data');
  return Array.isArray(records) ? (records as readonly Json[]).filter(isObject) : [];
}

/** Begins each later page of 75 or more records with the last record of the page before. */
const repeatsLastRecord: Spoil = async (request, next) => {
  const response = await next(request);
  const [limit, page] = [numberIn(request.target, 'limit') ?? 30, numberIn(request.target, 'page') ?? 1];
  if (!/\/wiki\?/.test(request.target) || limit < 75 || page < 2 || response.status !== 200) return response;
  const before = await next({ ...request, target: request.target.replace(/page=\d+/, `page=${page - 1}`) });
  const records = [...recordsOf(before.body).slice(-1), ...recordsOf(response.body)].slice(0, limit);
  return { ...response, body: JSON.stringify(withValueAt(JSON.parse(response.body) as Json, '/data', records)) };
};

it('finds a record that is repeated on large pages only', { timeout: 240_000 }, async () => {
  const result = await judgeSpoiled('wiki', repeatsLastRecord, {}, { only: ['pages/*'] });
  expect(violated(result)).toEqual(['pages/page-sizes']);
  expect(result.exitCode).toBe(1);
});

/** Answers every later request for a list from a cache that does not know whose key it was. */
function cachingForAll(): Spoil {
  const cache = new Map<string, Promise<HttpResponse>>();
  return (request, next) => {
    if (!request.target.includes('orders/index.php')) return next(request);
    return getOrCompute(cache, request.target, () => next(request));
  };
}

it('tells a cache that mixes tenants from a cursor that gives access', { timeout: 240_000 }, async () => {
  const result = await judgeSpoiled('business', cachingForAll(), {}, { only: ['tenancy/lists', 'tenancy/cursor'] });
  expect(violated(result)).toEqual(['tenancy/lists']);
});
