/** Witnesses as lines: a request that can be sent again, the answer as far as it matters, and which part which contract refuses. */

import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { ChangeWitness } from '../../../../core/results/diff-result.ts';
import { describeWitness } from '../../../../reports/diff/witness-lines.ts';
import { hostile, huge, witness } from '../../../helpers/reports/sample-comparisons.ts';

const linesOf = (changes: Partial<ChangeWitness>) => describeWitness({ ...witness, ...changes });
const request = {
  method: 'POST',
  target: '/things?a=b&c=$HOME',
  headers: { 'x-a': "it's", 'x-empty': '' },
  body: { note: "a'b\n`c` $(d)" },
};

describe('a request', () => {
  it('is a command line that a shell reads as it is meant', () => {
    const [line = ''] = linesOf({ exchange: { request } }).request;
    expect(line).toMatch(/^curl -si -X POST /);
    const read = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${line}`], { env: { BASE_URL: 'http://x' } });
    expect(read.toString().split('\0').slice(0, -1)).toEqual([
      '-si',
      '-X',
      'POST',
      '-H',
      "x-a: it's",
      '-H',
      'x-empty;',
      '--data-raw',
      JSON.stringify(request.body),
      `http://x${request.target}`,
    ]);
  });

  it('has keys as variables, and nothing else that a shell expands', () => {
    const headers = { 'x-key': '$FULL_KEY', cookie: "a=$HOME; key=$FULL_KEY's", authorization: 'Basic $FULL_KEY' };
    const [line = ''] = linesOf({
      exchange: { request: { method: 'GET', target: '/a?k=$FULL_KEY', headers, variables: ['FULL_KEY'] } },
    }).request;
    const env = { BASE_URL: 'http://x', FULL_KEY: 'a "key"' };
    const read = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${line}`], { env });
    expect(read.toString().split('\0').slice(0, -1)).toEqual([
      ...['-si', '-H', 'x-key: a "key"', '-H', 'cookie: a=$HOME; key=a "key"\'s', '-u', ':a "key"'],
      ...['-G', '--data-urlencode', 'k=a "key"', 'http://x/a'],
    ]);
  });

  it('stands in plain lines with a body that is not JSON', () => {
    const form = { ...request, headers: { 'content-type': 'multipart/form-data' } };
    expect(linesOf({ exchange: { request: form } }).request).toEqual([
      'POST /things?a=b&c=$HOME',
      'content-type: multipart/form-data',
      JSON.stringify(request.body),
    ]);
  });

  it('is absent beside the response of an error, which needs more than this request', () => {
    const exchange = { request, response: { status: '404', headers: {} } };
    expect(linesOf({ exchange }).request).toEqual([]);
  });

  it('asks for the head, or for the body', () => {
    expect(linesOf({ exchange: { request: { method: 'HEAD', target: '/a', headers: {} } } }).request).toEqual([
      `curl -si -I "$BASE_URL/a"`,
    ]);
    expect(linesOf({ exchange: { request: { method: 'GET', target: '/a', headers: {} } } }).request).toEqual([`curl -si "$BASE_URL/a"`]);
  });

  it('with a long body says that it was shortened', () => {
    const { request: lines } = linesOf({ exchange: { request: { ...request, body: huge } } });
    expect(lines[1]).toBe('(shortened; the JSON report has all of it)');
    expect(lines[0]?.length).toBeLessThan(400);
  });

  it('that is refused keeps what it is refused for, however long it is', () => {
    const items = Array.from({ length: 50 }, (_, id) => ({ id }));
    expect(linesOf({ exchange: { request: { ...request, body: items } }, pointer: '/30/id' }).request[0]).toContain(
      '"… 44 more",{"id":30}]',
    );
  });

  it('without an answer is what the finding is about', () => {
    const { response, finding } = linesOf({
      exchange: { request },
      pointer: '/note',
      value: 'x',
      refusedBy: 'new',
      place: undefined,
      message: 'too long.',
    });
    expect(response).toEqual([]);
    expect(finding).toEqual(['The new contract rejects /note = "x" because of enum: too long. The old contract allows it.']);
  });
});

describe('an answer', () => {
  const items = Array.from({ length: 30 }, (_, id) => ({ id, state: id === 20 ? 'archived' : 'open', name: `name ${id}` }));
  const response = { status: '200', headers: {}, body: { items } };

  it('that is short stands in one line, and a longer one in several', () => {
    expect(linesOf({}).response.at(-1)).toBe('{"items":[{"id":1,"state":"open"},{"id":2,"state":"archived"}]}');
    const body = { items: items.slice(0, 1), note: 'a note that makes the whole body too long for one line' };
    expect(linesOf({ exchange: { response: { ...response, body } }, pointer: '' }).response.slice(1)).toEqual(
      JSON.stringify(body, undefined, 2).split('\n'),
    );
  });

  it('that would fill a screen is shown by what it is about', () => {
    expect(linesOf({ exchange: { response }, pointer: '/items/20/state' }).response).toEqual([
      'HTTP 200',
      '{"items":["… 20 more",{"state":"archived","…":"2 more"},"… 9 more"]}',
      '(shortened; the JSON report has all of it)',
    ]);
  });

  it('of a null is a null, and of nothing is nothing', () => {
    expect(linesOf({ exchange: { response: { status: '200', headers: {}, body: null } } }).response).toEqual(['HTTP 200', 'null']);
    expect(linesOf({ exchange: { response: { status: '204', headers: {} } } }).response).toEqual(['HTTP 204']);
  });

  it('never has more lines than a reader wants', () => {
    const body = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`m${index}`, items]));
    const { response: lines } = linesOf({ exchange: { response: { ...response, body } }, pointer: '' });
    expect(lines.length).toBeLessThan(20);
    expect(lines.join('\n')).toMatch(/… \d+ more lines\n\(shortened/);
  });
});

describe('a finding', () => {
  it('names what is refused, by whom, by which keyword, and where', () => {
    expect(linesOf({}).finding).toEqual([
      'The old contract rejects /items/1/state = "archived" because of enum: must be one of "open", "closed" (old.yaml:40:9). The new contract allows it.',
    ]);
    expect(linesOf({ pointer: '', value: undefined }).finding[0]).toContain('rejects it because of enum');
    expect(linesOf({ part: 'query parameter limit', pointer: '', value: '' }).finding[0]).toContain(
      'rejects query parameter limit = "" because of enum',
    );
    expect(linesOf({ pointer: '', value: null }).finding[0]).toContain('rejects null because of enum');
  });

  it('begins with the responses of both mocks', () => {
    const mockResponses = { old: { status: 200, code: undefined }, new: { status: 422, code: 'INVALID_QUERY' } };
    expect(linesOf({ mockResponses }).finding[0]).toBe('Responses from mocks of the two contracts: old 200, new 422 INVALID_QUERY.');
  });

  it('have the records that the mocks return in place of those that the contracts promise', () => {
    const records = { given: [{ id: 1 }], before: [1], after: [] };
    const mockResponses = { old: { status: 200, code: undefined, returned: [1] }, new: { status: 200, code: undefined, returned: [] } };
    const lines = linesOf({ refusedBy: undefined, keyword: 'filters.from', message: 'one answers 1', records, mockResponses });
    expect(lines.records).toEqual(['Given {"id":1}']);
    expect(lines.finding[0]).toBe('Responses from mocks of the two contracts: old 200 with [1], new 200 with [].');
  });

  it('of a rule names what both answer', () => {
    const records = { given: Array.from({ length: 9 }, (_, id) => ({ id })), before: [1, 2], after: null };
    const { records: lines, finding } = linesOf({ refusedBy: undefined, keyword: 'filters.from', message: 'one answers 1', records });
    expect(lines[0]).toBe('Given {"id":0}');
    expect(lines.slice(-2)).toEqual(['  and 3 more', 'Returned [1,2] → null']);
    expect(finding).toEqual(['The contracts require different responses because of filters.from: one answers 1 (old.yaml:40:9).']);
  });

  it('holds nothing that a terminal acts on', () => {
    const {
      request: sent,
      response,
      records,
      finding,
    } = linesOf({
      exchange: { request: { ...request, target: hostile }, response: { status: hostile, headers: { [hostile]: hostile }, body: hostile } },
      keyword: hostile,
      message: hostile,
      records: { given: [hostile], before: hostile, after: hostile },
    });
    for (const line of [...sent, ...response, ...records, ...finding]) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
  });
});
