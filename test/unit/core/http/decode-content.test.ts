/** Bodies are read by their content codings and their charset. */

import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { decodeContent } from '../../../../core/http/decode-content.ts';

it.each<[string, Buffer, string | undefined, string]>([
  ['text/plain; charset=iso-8859-1', Buffer.from('é', 'latin1'), undefined, 'é'],
  ['text/plain; charset="UTF-16LE"', Buffer.from('é', 'utf16le'), 'identity', 'é'],
  ['text/csv; charset=windows-1252', gzipSync(Buffer.from('é', 'latin1')), 'gzip', 'é'],
  ['text/plain', Buffer.from('é'), undefined, 'é'],
  ['text/plain; charset=none-such', Buffer.from('é'), undefined, 'é'],
  ['application/json; charset=iso-8859-1', Buffer.from('"é"'), undefined, '"é"'],
])('%s', (type, bytes, encoding, text) => {
  expect(decodeContent(bytes, { encoding, type }, 100)).toBe(text);
});
