/** A mock whose inside is replaced: who answers what, and what stays when the new one fails. */

import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../core/http/exchange.ts';
import { createReplaceable } from '../../../mocks/assembly.ts';
import type { Mock } from '../../../mocks/handler/mock.ts';
import { type PreparedResponse, prepare } from '../../../mocks/handler/mock-response.ts';

const get: HttpRequest = { method: 'GET', target: '/', headers: {} };

/** An inside that names itself in all that it does, and answers when it is told to. */
function inside(name: string, ready: Promise<void> = Promise.resolve()): { readonly mock: Mock } {
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

describe('a replaceable mock', () => {
  it('answers from the new inside once it is there', async () => {
    const served = createReplaceable(inside('old'), async () => inside('new'));
    expect(textOf(await served.mock.respond(get))).toBe('old');
    await served.reload();
    expect(textOf(await served.mock.respond(get))).toBe('new');
    expect([served.mock.refuse(400, '').body, served.mock.methodsAt(get)]).toEqual(['new', ['new']]);
  });

  it('finishes a request with the inside that took it, and hides its keys by that one', async () => {
    let release = (): void => undefined;
    const ready = new Promise<void>((resolve) => {
      release = resolve;
    });
    const served = createReplaceable(inside('old', ready), async () => inside('new'));
    const request = { ...get };
    const answer = served.mock.respond(request);
    await served.reload();
    release();
    expect(textOf(await answer)).toBe('old');
    expect(served.mock.redact(request).target).toBe('old');
    expect(served.mock.redact({ ...get }).target).toBe('new');
  });

  it('keeps the inside when the new one cannot be made, and can be reloaded afterwards', async () => {
    const makes = [async () => Promise.reject(new Error('broken')), async () => inside('new')];
    const served = createReplaceable(inside('old'), async () => (makes.shift() ?? (async () => inside('later')))());
    await expect(served.reload()).rejects.toThrow('broken');
    expect(textOf(await served.mock.respond(get))).toBe('old');
    await served.reload();
    expect(textOf(await served.mock.respond(get))).toBe('new');
  });

  it('makes one inside after the other, so that the last one stays', async () => {
    const order: string[] = [];
    let count = 0;
    const served = createReplaceable(inside('old'), async () => {
      count += 1;
      const name = `${count}`;
      order.push(`begin ${name}`);
      await Promise.resolve();
      order.push(`end ${name}`);
      return inside(name);
    });
    await Promise.all([served.reload(), served.reload()]);
    expect(order).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
    expect(textOf(await served.mock.respond(get))).toBe('2');
  });
});
