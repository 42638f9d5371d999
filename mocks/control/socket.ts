/** The control endpoint on the sockets of the mock's server. */

import type { ServerResponse } from 'node:http';
import { readBody } from '../server/request-body-reader.ts';
import type { Control } from '../server/server.ts';
import { bodyBytesMax, type ControlDesk, isControlTarget } from './control.ts';
import type { ControlAnswer } from './control-endpoint.ts';
import type { Events, Outlet, Repeat } from './event-stream.ts';

/** Repeats an action; the timer alone does not keep the process alive. */
export const repeatUnhurried: Repeat = (action, milliseconds) => {
  const timer = setInterval(action, milliseconds).unref();
  return () => clearInterval(timer);
};

/** Puts a control desk on the mock's server. */
export function controlOnSocket(desk: ControlDesk, events: Events): Control {
  let isClosing = false;
  return {
    owns: isControlTarget,
    handle: async (incoming, outgoing) => {
      const body = await readBody(incoming, bodyBytesMax);
      if (body === undefined) return;
      // The rest of a body that is too large would be taken for the next request.
      if (isClosing || typeof body !== 'string') outgoing.setHeader('connection', 'close');
      const { method = 'GET', url: target = '/' } = incoming;
      write(desk({ method, target, headers: incoming.headers, body }), method, outgoing);
    },
    endStreams: () => {
      isClosing = true;
      events.end();
    },
  };
}

/** Answers are of the moment and for the one who asked, whatever stands in between. */
const fixedHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

function write(answer: ControlAnswer, method: string, outgoing: ServerResponse): void {
  if (answer.kind === 'stream') {
    // When the stream ends, so does its connection: a mock that is to stop need not wait for it.
    outgoing.writeHead(200, { ...fixedHeaders, 'content-type': 'text/event-stream; charset=utf-8', connection: 'close' });
    if (method === 'HEAD') outgoing.end();
    else answer.begin(toOutlet(outgoing));
    return;
  }
  const { status, headers, body } = answer;
  if (body === undefined) {
    outgoing.writeHead(status, { ...fixedHeaders, ...headers }).end();
    return;
  }
  const bytes = Buffer.from(`${JSON.stringify(body, undefined, 2)}\n`);
  const described = { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length };
  outgoing.writeHead(status, { ...fixedHeaders, ...headers, ...described });
  outgoing.end(method === 'HEAD' ? undefined : bytes);
}

function toOutlet(outgoing: ServerResponse): Outlet {
  // An error of the connection ends it, and the end is told.
  outgoing.on('error', () => outgoing.destroy());
  return {
    write: (text) => outgoing.write(text),
    unsent: () => outgoing.writableLength,
    end: () => outgoing.end(),
    drop: () => outgoing.destroy(),
    onDrain: (action) => outgoing.on('drain', action),
    onClose: (action) => outgoing.once('close', action),
  };
}
