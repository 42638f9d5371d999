/** Reloads of a mock: the content that answers each request, and failed reloads. */

import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../core/http/exchange.ts';
import type { Mock } from '../../../mocks/handler/mock.ts';
import { type PreparedResponse, prepare } from '../../../mocks/handler/prepare-response.ts';
import { createReloadable } from '../../../mocks/reloadable-mock.ts';

const get: HttpRequest = { method: 'GET', target: '/', headers: {} };

/** A content that names itself in all that it does, and answers when the test asks for it. */
function content(name: string, ready: Promise<void> = Promise.resolve()): { readonly mock: Mock } {
  const answer = { status: 200, headers: {}, body: name };
  return {
    mock: {
      respond: async () => {
        await ready;
        return prepare(get, answer);
      },
      refuse: () => answer,
      methodsAt: () => [name],
      readsBody: () => false,
      redact: (request) => ({ ...request, target: name }),
    },
  };
}

function textOf({ body }: PreparedResponse): string {
  return JSON.parse(body.toString()) as string;
}

describe('a reloadable mock', () => {
  it('answers from the new content after a reload', async () => {
    const served = createReloadable(content('old'), async () => content('new'));
    expect(textOf(await served.mock.respond(get))).toBe('old');
    await served.reload();
    expect(textOf(await served.mock.respond(get))).toBe('new');
    expect([served.mock.refuse(400, '').body, served.mock.methodsAt(get)]).toEqual(['new', ['new']]);
  });

  it('finishes a request with the content that received it, and hides the keys of that content', async () => {
    let release = (): void => undefined;
    const ready = new Promise<void>((resolve) => {
      release = resolve;
    });
    const served = createReloadable(content('old', ready), async () => content('new'));
    const request = { ...get };
    const answer = served.mock.respond(request);
    await served.reload();
    release();
    expect(textOf(await answer)).toBe('old');
    expect(served.mock.redact(request).target).toBe('old');
    expect(served.mock.redact({ ...get }).target).toBe('new');
  });

  it('keeps its content if a reload fails, and can be reloaded again', async () => {
    const makes = [async () => Promise.reject(new Error('broken')), async () => content('new')];
    const served = createReloadable(content('old'), async () => (makes.shift() ?? (async () => content('later')))());
    await expect(served.reload()).rejects.toThrow('broken');
    expect(textOf(await served.mock.respond(get))).toBe('old');
    await served.reload();
    expect(textOf(await served.mock.respond(get))).toBe('new');
  });

  it('reloads one after another, so that the last one wins', async () => {
    const order: string[] = [];
    let count = 0;
    const served = createReloadable(content('old'), async () => {
      count += 1;
      const name = `${count}`;
      order.push(`begin ${name}`);
      await Promise.resolve();
      order.push(`end ${name}`);
      return content(name);
    });
    await Promise.all([served.reload(), served.reload()]);
    expect(order).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
    expect(textOf(await served.mock.respond(get))).toBe('2');
  });
});
