/** What is set aside of an operation is said when it is called: in the header Mock-Note, the journal and the log. */

import { describe, expect, it } from 'vitest';
import { renderExchangeLine } from '../../../../cli/client/traffic-lines.ts';
import { createMock } from '../../../../mocks/handler/mock.ts';
import type { ServedApi } from '../../../../mocks/handler/served-api.ts';
import { createJournal } from '../../../../mocks/journal/journal.ts';
import { contractText, loadForeign, positionOf } from '../../../helpers/contracts/contract-text.ts';
import { serveContract } from '../../../helpers/served.ts';

const ok = "responses: { '200': { description: Done. } }";
const text = contractText(`servers: [{ url: /v1 }]
paths:
  /loans: { get: { ${ok} } }
  /loans/{id}:
    get:
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
        - { in: query }
      ${ok}
  /holds: { get: { ${ok} }, query: { ${ok} } }
`);
const api: ServedApi = serveContract(await loadForeign(text), {});

const unnamed = `api.yaml:${positionOf(text, '{ in: query }')}: `;

async function call(method: string, target: string) {
  const request = { method, target, headers: {} };
  const mock = createMock([{ api }], () => undefined);
  const response = await mock.respond(mock.receive(request));
  const exchange = { request, response, durationMs: 1 };
  const journal = createJournal({ limit: 10, apis: () => [api], now: () => 0, wall: () => 0 });
  const { keptExchange, summarize } = journal.record(exchange);
  const served = { ...exchange, response: { ...response, body: response.body.toString() }, context: response.context };
  return {
    note: response.headers['mock-note'],
    summary: summarize(keptExchange),
    line: renderExchangeLine(served as unknown as Parameters<typeof renderExchangeLine>[0], [api.contract], false),
  };
}

describe('a call of an operation', () => {
  it.each(['/loans/7', '/v1/loans/7'])('%s with a part that is set aside says which', async (target) => {
    const { note, summary, line } = await call('GET', target);
    expect(note).toContain(`skipped in the contract: ${unnamed}`);
    expect(summary.setAside?.join()).toContain(unnamed);
    expect(line).toContain(unnamed);
    expect(summary.status).toBe(200);
  });

  it.each(['/holds', '/v1/holds'])('%s that is set aside as a whole says why it is refused', async (target) => {
    const { note, summary, line } = await call('QUERY', target);
    expect(summary.status).toBe(405);
    for (const each of [note, summary.setAside?.join(), line]) expect(each).toContain('skipped in the contract: api.yaml:');
  });

  it('of which nothing is set aside says nothing', async () => {
    const { note, summary, line } = await call('GET', '/loans');
    expect([note, summary.setAside]).toEqual([undefined, undefined]);
    expect(line).not.toContain('set aside');
  });
});
