/** What is refused before an API sees it: what is wrong, and what a connection is told of it, in the envelope of an API, before it ends. */

import type { HttpHeaders } from '../core/exchange.ts';
import type { Message } from './answer.ts';
import type { Mock } from './mock.ts';

/** Status, reason phrase and message by the code that Node gives the error. */
const refusals: Readonly<Record<string, readonly [number, string, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The request line and the headers together are larger than 64 KiB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Content Too Large', 'The extensions of the chunks are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request did not arrive in time.'],
  CONNECT: [405, 'Method Not Allowed', 'This is a server of APIs and opens no tunnels.'],
};

/** The bytes of the last answer on a connection. Node has no answer object for a request that it could not read, so they are written here. */
export function renderRefusal(code: string, refuse: Mock['refuse'], date: Date): Buffer {
  const [status, reason, message] = refusals[code] ?? [400, 'Bad Request', 'This is not a well-formed HTTP request.'];
  const { headers, bytes } = refuse(status, message);
  const fields = {
    ...toNodeHeaders(headers),
    ...(status === 405 ? { allow: 'GET, HEAD, OPTIONS' } : {}),
    date: date.toUTCString(),
    'content-length': String(bytes.length),
    connection: 'close',
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n`), bytes]);
}

/** Every value of Host as it was sent. The lists that Node makes by name are not safe against names such as `__proto__` in each of its releases. */
export function hostsOf(rawHeaders: readonly string[]): readonly string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host');
}

/** What is wrong with the head of a request, whatever it asks for; `undefined` when nothing is. */
export function headProblem(hosts: readonly string[], version: string): string | undefined {
  // The parser knows other versions, too; what they mean by the rest of the request is not for us to guess (RFC 9110 §2.5).
  if (version !== '1.1' && version !== '1.0') return 'This server speaks HTTP/1.1 and HTTP/1.0.';
  if (hosts.length === 0 && version === '1.1') return 'A request of HTTP/1.1 needs a Host header.';
  // Two hosts, or one that cannot be one, leave open who is asked (RFC 9112 §3.2).
  const isClear = hosts.length <= 1 && /^[\w.~!$&'()*+,;=%:[\]-]*$/.test(hosts[0] ?? '');
  return isClear ? undefined : 'A request has one Host header, with a host and perhaps a port.';
}

/** The last answer of a connection: what follows a request that could be understood in two ways is not read. */
export function endConnection(message: Message): Message {
  return { ...message, headers: { ...message.headers, connection: 'close' } };
}

/** Header fields as Node takes them. It is done for every answer, hence by a loop. */
export function toNodeHeaders(headers: HttpHeaders): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value !== undefined) fields[name] = typeof value === 'string' ? value : [...value];
  }
  return fields;
}
