/** How addresses on the web look: URIs and their relatives. */

import { ipv4Form, ipv6Form } from './format-host.ts';
import type { FormatShape } from './format-shape.ts';

// Repetitions are unbounded here, which keeps the automata small: how long a text becomes is decided when it is drawn.
const host = '([a-z][a-z0-9]*(-[a-z0-9]+)*\\.)+[a-z]{2,6}';
const segments = '(/([a-zA-Z0-9._~-]|%20|%2F|%C3%A9)*)*';
const query = '(\\?[a-z]+=[a-zA-Z0-9._-]*(&[a-z]+=[a-z0-9+]*)*)?';
const fragment = '(#[a-z0-9/?.-]*)?';
const webAddress = `https?://${host}(:[1-9]\\d{1,3})?${segments}${query}${fragment}`;

const wrongAddresses = [
  'http://exa mple.com',
  'http://example.com/%zz',
  'http://example.com/<a>',
  'http://[::1',
  'http://example.com/\\a',
  'http://a{b}',
];

/** By format name. */
export const webShapes: readonly (readonly [string, FormatShape])[] = [
  [
    'uri',
    {
      simplest: 'http://a',
      forms: [
        `^${webAddress}$`,
        '^(mailto:[a-z]{1,6}@example\\.(com|org)|urn:[a-z]{2,8}:[a-z0-9:._-]{1,9}|tel:\\+[1-9]\\d{4,9}|data:,[a-z0-9]{0,9}|file:///[a-z/]{0,9})$',
        `^(ftp|https|ws)://([a-z]+(:[a-z0-9]*)?@)?(${ipv4Form}|\\[${ipv6Form}\\])(:\\d{0,4})?${segments}$`,
      ],
      hull: '^[A-Za-z][A-Za-z0-9+.-]*:[!-~]*$',
      edges: [
        'a:a',
        'http://a',
        'https://example.com/a%20b?c=d#e',
        'http://[::1]:8080/',
        'http://user:pass@example.com/',
        'urn:a:b',
        'HTTP://EXAMPLE.COM/',
      ],
      wrong: [...wrongAddresses, 'example.com', '/a', '//a/b', '://a', '1:a', '', 'http', '?a', '#a'],
    },
  ],
  [
    'uri-reference',
    {
      simplest: '',
      forms: [
        `^(/[a-zA-Z0-9._~-]+)+/?${query}${fragment}$`,
        `^${webAddress}$`,
        `^(\\.\\.?/)*[a-z0-9]+${query}$`,
        `^//${host}${segments}$`,
        '^(\\?[a-z=&]*)?(#[a-z]*)?$',
      ],
      hull: '^[!-~]*$',
      edges: ['', '/', '.', '..', '#', '?', '#a', '?a=b', '//a', '../a', 'a:b', 'http://[::1]/', '/%20', ';a=b'],
      wrong: [...wrongAddresses, '%', '/a b', '\\a', '/é', '#a#b', '[a]'],
    },
  ],
  [
    'uri-template',
    {
      simplest: '',
      forms: [
        `^(/[a-z0-9]{1,6}|/\\{[a-z_]{1,6}\\}){1,4}$`,
        `^https?://${host}(/[a-z]+|/\\{[a-z]+\\})*(\\{\\?[a-z]+(,[a-z]+\\*?)*\\})?$`,
        '^\\{[+#./;?&]?[a-z0-9_]+(:[1-9]\\d?|\\*)?\\}$',
      ],
      hull: '^[^\\x00-\\x20"<>\\\\^`]*$',
      edges: ['', '/', '{a}', '{+a}', '{?a,b*}', '{a:3}', '{#a}', '/é', '%20'],
      wrong: ['{', '}', '{a', 'a}', '{}', '{a b}', '{a-b}', '{{a}}', '/a b', '%', '{a:0}', '{a**}', '<a>'],
    },
  ],
  [
    'url',
    {
      simplest: 'ftp://a.aa',
      forms: [
        `^https?://${host}(:[1-9]\\d{1,3})?(${segments.slice(0, -1)}+${query}${fragment})?$`,
        `^(ftp|https)://[a-z]+(:[a-z0-9]+)?@${host}/[a-z]*$`,
        `^http://([a-zàéü文]+\\.)+(com|org)/[^\\s]*$`,
        `^http://(8|9|1[1-9]|2[0-9])(\\.(1\\d\\d|[1-9]?\\d)){2}\\.([1-9]\\d?|1\\d\\d)/?$`,
      ],
      hull: '^\\S+://\\S+$',
      edges: [
        'http://a.aa',
        'https://example.com/?a=b#c',
        'http://example.com:65535/',
        'http://8.8.8.8/',
        'HTTPS://EXAMPLE.COM',
        'http://é.com',
      ],
      wrong: [
        'http://a',
        'http://127.0.0.1/',
        'http://192.168.0.1',
        'http://10.0.0.1',
        'example.com',
        'mailto:a@b.cc',
        'http://',
        'http://a b.com',
        'http://-a.com',
        'http://a..com',
        'http://a.c',
        '//a.com',
        'http://a.com:1',
        '',
      ],
    },
  ],
];
