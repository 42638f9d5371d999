/** Requests to the shipped contracts are read as their documents say, and each wrong value is of the class that decides what may be asserted of it. */

import { beforeAll, describe, expect, it } from 'vitest';
import { type Contract, loadContract, resolveContract } from '../../../core/contract.ts';
import type { Json } from '../../../core/json.ts';
import type { RequestReading } from '../../../core/request.ts';
import { contractFile } from '../../../core/shipped.ts';
import { readTarget } from '../../helpers/contract-text.ts';
import { business, wiki } from '../../helpers/targets.ts';

let [businessApi, wikiApi]: (Contract | undefined)[] = [];
beforeAll(async () => {
  businessApi = await loadContract(contractFile('business'));
  wikiApi = resolveContract(await loadContract(contractFile('wiki')));
});

function read(contract: Contract | undefined, target: string): RequestReading {
  const path = target.split('?', 1)[0];
  const operation = contract?.operations.find((each) => each.path === path);
  if (operation === undefined) throw new Error(`${target} is no request`);
  return readTarget(operation, target);
}

function problemsOf({ problems }: RequestReading): readonly string[] {
  return problems.map((problem) => `${problem.parameters.join()} ${problem.class} ${problem.answer}`);
}

describe('a request for orders', () => {
  it.each<readonly [string, Readonly<Record<string, Json>>]>([
    ['', { limit: 50 }],
    ['limit=1', { limit: 1 }],
    ['limit=100', { limit: 100 }],
    ['status=pending,no_show&channel=table', { limit: 50, status: ['pending', 'no_show'], channel: ['table'] }],
    ['status=pending%2Cready', { limit: 50, status: ['pending', 'ready'] }],
    ['updated_after=2026-10-03T16:10:30%2B02:00', { limit: 50, updated_after: '2026-10-03T16:10:30+02:00' }],
    ['cursor=b3JkZXJzOjQ3MDk%3D', { limit: 50, cursor: 'b3JkZXJzOjQ3MDk=' }],
  ])('with %j is right', (query, values) => {
    const reading = read(businessApi, `${business.orders}?${query}`);
    expect(reading.problems).toEqual([]);
    expect(Object.fromEntries(reading.values)).toEqual(values);
  });

  it.each([
    ['limit=101', 'limit out-of-range refused'],
    ['limit=0', 'limit out-of-range refused'],
    ['limit=-1', 'limit out-of-range refused'],
    ['limit=abc', 'limit malformed refused'],
    ['limit=1e1', 'limit malformed refused'],
    ['limit=007', 'limit sloppy refused'],
    ['limit=5.0', 'limit sloppy refused'],
    ['limit=', 'limit sloppy refused'],
    ['limit=5&limit=5', 'limit sloppy refused'],
    ['status=READY', 'status sloppy refused'],
    ['status=zzz', 'status unknown-value refused'],
    ['status=ready,zzz', 'status unknown-value refused'],
    ['status=ready,,pending', 'status sloppy refused'],
    ['status=', 'status sloppy refused'],
    ['status=ready&status=pending', 'status sloppy refused'],
    ['channel=delivery', 'channel unknown-value refused'],
    ['updated_after=abc', 'updated_after malformed refused'],
    ['updated_after=2026-02-30', 'updated_after malformed refused'],
    ['updated_after=2026-10-03T16:10:30', 'updated_after sloppy refused'],
    ['updated_after=2026-10-03', 'updated_after sloppy refused'],
    ['updated_after=2026-10-03T16:10:30+02:00', 'updated_after sloppy refused'],
    ['status=%', 'status malformed refused'],
    ['status=%E9', 'status malformed refused'],
    ['sort=id', 'sort undeclared ignored'],
    ['%E9=1', '%E9 undeclared ignored'],
  ])('with %s has one problem: %s', (query, problem) => {
    expect(problemsOf(read(businessApi, `${business.orders}?${query}`))).toEqual([problem]);
  });
});

describe('a request for an order', () => {
  it.each([
    ['id=4711', []],
    ['code=TDN-4711', []],
    ['', ['id,code broken-rule refused']],
    ['id=4711&code=TDN-4711', ['id,code broken-rule refused']],
    ['id=0', ['id out-of-range refused']],
    ['id=abc', ['id malformed refused']],
    ['id=9007199254740993', ['id sloppy refused']],
    ['id=99999999999999999999', ['id sloppy refused']],
    ['id=%2B5', ['id sloppy refused']],
    ['code=', ['code sloppy refused']],
  ])('with %j has the problems %j', (query, problems) => {
    expect(problemsOf(read(businessApi, `${business.order}?${query}`))).toEqual(problems);
  });
});

describe('a request for reservations', () => {
  it.each([
    ['date_from=2026-10-10&date_to=2026-10-10', []],
    ['date_from=2026-10-11&date_to=2026-10-10', ['date_from,date_to broken-rule refused']],
    ['date_from=2026-02-30', ['date_from malformed refused']],
    ['date_to=25:10', ['date_to malformed refused']],
    ['date_from=2026-02-30&date_to=2026-01-01', ['date_from malformed refused']],
    ['status=preparing', ['status unknown-value refused']],
  ])('with %s has the problems %j', (query, problems) => {
    expect(problemsOf(read(businessApi, `${business.reservations}?${query}`))).toEqual(problems);
  });

  it('needs the id of a single one', () => {
    expect(problemsOf(read(businessApi, business.reservation))).toEqual(['id broken-rule refused']);
  });
});

describe('a request for wiki entries', () => {
  it.each<readonly [string, Readonly<Record<string, Json>>]>([
    ['', { limit: 30, page: 1 }],
    ['type=creature&q=sale&limit=5&page=2', { type: 'creature', q: 'sale', limit: 5, page: 2 }],
    ['q=citt%C3%A0+vecchia', { q: 'città vecchia', limit: 30, page: 1 }],
  ])('with %j is right', (query, values) => {
    const reading = read(wikiApi, `${wiki}?${query}`);
    expect(reading.problems).toEqual([]);
    expect(Object.fromEntries(reading.values)).toEqual(values);
  });

  it.each([
    ['page=0', 'page out-of-range refused'],
    ['limit=0', 'limit out-of-range refused'],
    ['page=abc', 'page malformed refused'],
    ['type=drago', 'type unknown-value refused'],
    ['type=CREATURE', 'type sloppy refused'],
  ])('with %s has one problem: %s', (query, problem) => {
    expect(problemsOf(read(wikiApi, `${wiki}?${query}`))).toEqual([problem]);
  });
});
