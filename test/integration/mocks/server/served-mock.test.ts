/** The server over a mock that fails, is slow or is replaced: at most one connection is lost, and never the process. */

import { describe, expect, it, vi } from 'vitest';
import { createMock, type Mock } from '../../../../mocks/handler/mock.ts';
import { type PreparedResponse, prepareHttpResponse } from '../../../../mocks/handler/prepare-response.ts';
import { type ListeningServer, serve } from '../../../../mocks/server/server.ts';
import { ask } from '../../../helpers/plain-client.ts';
import { converse } from '../../../helpers/raw-socket.ts';
import { serveApi } from '../../../helpers/served.ts';

const fine = responseOf('fine');

function responseOf(body: string): PreparedResponse {
  return prepareHttpResponse(
    { method: 'GET', target: '/', headers: {} },
    { status: 200, headers: { 'content-type': 'text/plain' }, body },
    {},
  );
}

/** A mock whose responses each test replaces. */
const silent = createMock([{ api: await serveApi('wiki') }], () => undefined);

interface Stage extends AsyncDisposable {
  readonly server: ListeningServer;
  readonly errors: unknown[];
}

function mockWith(respond: Mock['respond']): Mock {
  return {
    ...silent,
    respond,
  };
}

async function stage(respond: Mock['respond']): Promise<Stage> {
  const errors: unknown[] = [];
  const mock = mockWith(respond);
  const server = await serve(() => mock, '127.0.0.1', 0, { onExchange: () => undefined, onError: (error) => errors.push(error) });
  return { server, errors, [Symbol.asyncDispose]: server.close };
}

describe('a server', () => {
  const answers: readonly (readonly [title: string, respond: () => Promise<PreparedResponse>])[] = [
    ['rejects', () => Promise.reject(new Error('broken'))],
    ['has a header that HTTP forbids', async () => ({ ...fine, headers: { 'x-title': 'a – b' } })],
    ['has a status that is none', async () => ({ ...fine, status: 42 })],
  ];
  it.each(answers)('ends the connection and tells the listener when the answer %s', async (_, respond) => {
    await using used = await stage((request) => (request.target === '/broken' ? respond() : Promise.resolve(fine)));
    await expect(ask(used.server, '/broken')).rejects.toThrow();
    expect(used.errors).toHaveLength(1);
    expect(await ask(used.server, '/')).toMatchObject({ status: 200, text: 'fine' });
    expect(used.errors).toHaveLength(1);
  });

  it('answers others while one waits', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await using used = await stage(async (request) => {
      if (request.target === '/slow') await released;
      return responseOf(request.target);
    });
    const slow = ask(used.server, '/slow');
    expect((await ask(used.server, '/quick')).text).toBe('/quick');
    release();
    expect((await slow).text).toBe('/slow');
  });

  it('finishes a request with the mock that received it, which hides the keys', async () => {
    const shown: string[] = [];
    const named = (name: string, respond: Mock['respond']): Mock => ({
      ...mockWith(respond),
      redact: (request) => ({ ...silent.redact(request), target: `${name}${request.target}` }),
    });
    const replacement = named('new', async () => responseOf('new'));
    let current = named('old', async () => {
      current = replacement;
      return responseOf('old');
    });
    const server = await serve(() => current, '127.0.0.1', 0, {
      onExchange: ({ request }) => shown.push(request.target),
      onError: (error) => shown.push(String(error)),
    });
    await using _ = { [Symbol.asyncDispose]: server.close };
    expect([(await ask(server, '/1')).text, (await ask(server, '/2')).text]).toEqual(['old', 'new']);
    expect(shown).toEqual(['old/1', 'new/2']);
  });

  it('keeps the order of answers on one connection, however long each takes', async () => {
    const waiting: (() => void)[] = [];
    await using used = await stage(async (request) => {
      if (request.target === '/last') for (const each of waiting) each();
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return responseOf(request.target);
    });
    const bytes = ['/first', '/second', '/last'].map((target) => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`).join('');
    const { answers: received } = await converse(used.server.port, bytes, 3);
    expect(received.map(({ body }) => body)).toEqual(['/first', '/second', '/last']);
  });

  it('does not wait for ever for an answer that never comes when it is closed', async () => {
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const { server } = await stage(() => {
      arrive();
      return new Promise(() => undefined);
    });
    const lost = ask(server, '/').catch((error: NodeJS.ErrnoException) => error.code);
    await arrived;
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const closed = server.close();
    vi.advanceTimersByTime(5000);
    vi.useRealTimers();
    await closed;
    expect(await lost).toBe('ECONNRESET');
  });
});
