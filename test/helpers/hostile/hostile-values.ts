/** Hostile values, names and headers, and a generator of well-formed requests with them. */

import fc from 'fast-check';
import type { Operation } from '../../../core/openapi/operation.ts';

/** Values of parameters as they stand in a URL. */
export const values: readonly string[] = [
  '',
  ...words('% %f %ff %C0%80 %E2%82 %ED%A0%80 %F4%90%80%80 %u0041 %25%30%30 %00 a%00b 1%00 %0D%0AX-Evil:%201'),
  ...words('%20 + %2B1 -1 -0 0 007 1.0 1.5 1e3 1E400 0x10 0b1 1_000 NaN Infinity -Infinity 9007199254740993 -9223372036854775809'),
  ...['9'.repeat(400), `-${'9'.repeat(400)}`, `0.${'0'.repeat(400)}1`, '9'.repeat(30_000)],
  ...words('%D9%A3 %EF%BC%91 %E2%91%A0 %C2%B2 null undefined true [] {} [1 %5B1%5D 1,1 1,,1 , ,,,, 1;2'),
  ...words('__proto__ constructor toString hasOwnProperty ../../etc/passwd ..%2F..%2F %2e%2e%2f file:///etc/passwd'),
  ...words("'%20OR%201=1-- %3Cscript%3Ealert(1)%3C/script%3E $%7B7*7%7D %7B%7B7*7%7D%7D $(id) %60id%60 * (?:a+)+$ %5C"),
  ...words('2026-02-30 2026-13-01 0000-00-00 9999-12-31 10000-01-01 -000001-01-01 2026-3-1 2026-03-01T24:00:00Z now'),
  ...words('2026-03-29T02:30:00%2B25:00 2026-03-29T02:30:00+01:00 2026-03-01T10:00:60Z'),
  `2026-03-01T10:00:00.${'9'.repeat(5000)}Z`,
  ...words('ready,READY ready,,completed ready%2Ccompleted ready%00'),
  ...[`ready${',ready'.repeat(5000)}`, 'a'.repeat(30_000), ','.repeat(30_000)],
];

/** Misspelled names of a parameter that a lenient reader accepts; `NAME` is the documented name. */
export const spellings: readonly string[] = [
  ...words('NAME[]=1 NAME[]=1&NAME[]=2 NAME[0]=1 NAME[a]=1 NAME[__proto__]=1 NAME%5B%5D=1 NAME.x=1 NAME NAME= =NAME NAME=1&NAME=2'),
  ...words('NAME=1&NAME=1 NAME=1&%NAME=2 %00NAME=1 NAME%00=1 NAME%20=1 +NAME=1 NAME==1 NAME=1=2 &&NAME=1&& NAME=1;NAME=2'),
  ...words('__proto__[NAME]=1 constructor[NAME]=1 NAME=1#NAME=2 NAME=1?NAME=2 NAME=1%26NAME=2 NAME=%0A1'),
];

/** Header lines, by the name of the field. */
const fields: Readonly<Record<string, readonly string[]>> = {
  'If-None-Match': ['*', '"', 'W/', 'x, "y', '"a",'.repeat(12_000)],
  Accept: ['', 'text/html', '*/*;q=0', 'a/b,'.repeat(12_000)],
  'Accept-Encoding': ['gzip;q=x', ',,,', `${'br,'.repeat(15_000)}gzip`, 'identity;q=0, *;q=0'],
  'Accept-Charset': ['utf-16'],
  Range: ['bytes=0-0'],
  Authorization: ['', 'Bearer', 'Basic ====', `Bearer ${'k'.repeat(50_000)}`, 'bearer  \t x'],
  'X-SERVICE-API-Key': ['', '\xff\xfe', 'UNAUTHORIZED', 'application/json'],
  Prefer: ['code=abc', 'code=999', 'example=__proto__', 'dynamic=true', 'a='.repeat(20_000), `example="${'\\'.repeat(30_000)}`],
  Cookie: [';;;=;', 'a=b;'.repeat(10_000)],
  Origin: ['null', '\xe9'],
  ['__proto__']: ['x'],
  constructor: ['x'],
  hasOwnProperty: ['x'],
  'X-HTTP-Method-Override': ['DELETE'],
  'X-Forwarded-Host': ['evil.example'],
  'X-Original-URL': ['/x'],
  'Access-Control-Request-Headers': ['\xe9'],
  'Access-Control-Request-Method': ['EVIL'],
  TE: ['trailers, deflate;q=x'],
  'Content-Type': ['\x80'],
  'X-Empty': [''],
  'If-Modified-Since': ['yesterday'],
  'If-Match': ['"x"'],
  'Content-Encoding': ['gzip'],
  Via: ['1.1 a, 1.1 b'],
  'Max-Forwards': ['-1'],
  Pragma: ['no-cache'],
  'X-Folded': ['a\r\n b'],
};

const lines: readonly string[] = Object.entries(fields).flatMap(([name, all]) => all.map((value) => `${name}: ${value}`));

const methods = words('GET GET GET GET GET POST PUT DELETE OPTIONS TRACE PATCH PROPFIND M-SEARCH PURGE SOURCE');

function words(text: string): readonly string[] {
  return text.split(' ');
}

/** The names of an operation's own query parameters. */
export function namesOf(operation: Operation): readonly string[] {
  return operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
}

/** The path of an operation with a value for each path parameter. */
export function pathOf(operation: Operation, value: string): string {
  return operation.path.replaceAll(/\{[^}]+\}/g, () => value);
}

/** Generator of HTTP requests as bytes, with correct line breaks and hostile values. */
export function hostileRequest(operations: readonly Operation[], key: string): fc.Arbitrary<string> {
  const value = fc.oneof(fc.constantFrom(...values), fc.string({ maxLength: 20, unit: 'binary' }).map(escapeSome));
  const pair = fc
    .tuple(fc.constantFrom(...operations.flatMap(namesOf), '__proto__', 'unknown'), value, fc.constantFrom(...spellings), fc.boolean())
    .map(([name, given, spelling, plain]) => (plain ? `${name}=${given}` : spelling.replaceAll('NAME', name)));
  const path = fc.tuple(fc.constantFrom(...operations), value).map(([operation, given]) => pathOf(operation, given));
  const header = fc.constantFrom(...lines);
  return fc
    .record({
      method: fc.constantFrom(...methods),
      path,
      prefix: fc.constantFrom('', '', '', '', 'http://evil.example:99', 'HTTP://[::1]', '/', '/.'),
      pairs: fc.array(pair, { maxLength: 4 }),
      headers: fc.array(header, { maxLength: 4 }),
      hasKey: fc.constantFrom(true, true, true, false),
      body: fc.constantFrom('', '', '', 'Content-Length: 4\r\n\r\n\0\xff\r\n', 'Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n'),
    })
    .map(({ method, path: where, prefix, pairs, headers, hasKey, body }) => {
      const query = pairs.length === 0 ? '' : `?${pairs.join('&')}`;
      const fields = ['Host: localhost', ...(hasKey ? [`X-SERVICE-API-Key: ${key}`] : []), ...headers]
        .map((line) => `${line}\r\n`)
        .join('');
      return `${method} ${prefix}${where}${query} HTTP/1.1\r\n${fields}${body === '' ? '\r\n' : body}`;
    });
}

/** Escapes the characters that would end the request line, and some others. */
function escapeSome(text: string): string {
  return encodeURIComponent(text).replaceAll(/%(2[2-9a-f]|5[b-f])/gi, (encoded) => decodeURIComponent(encoded));
}
