/** How addresses of machines and people look: host names, IP addresses and e-mail. */

import type { FormatShape } from './format-shape.ts';

/** A label of at most 40 characters: 63 are allowed, but all labels together have only 253. */
const label = '[a-z][a-z0-9]{0,19}(-[a-z0-9]{1,9}){0,2}';
const hexes = '[0-9a-f]{1,4}';
const byte = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
/** The longest label that a host name may have. */
const name63 = 'a'.repeat(63);

/** Host names with a top-level domain, whose labels have any length. */
const host = '([a-z][a-z0-9]*(-[a-z0-9]+)*\\.)+[a-z]{2,6}';

/** An expression for IPv4 addresses. */
export const ipv4Form: string = `(${byte}\\.){3}${byte}`;

/** An expression for IPv6 addresses of several spellings. */
export const ipv6Form: string = `((${hexes}:){7}${hexes}|(${hexes}:){1,3}(:${hexes}){1,3}|::(${hexes})?|::ffff:${ipv4Form})`;

/** By format name. */
export const hostShapes: readonly (readonly [string, FormatShape])[] = [
  [
    'email',
    {
      simplest: 'a@a.a',
      forms: [
        `^[a-z][a-z0-9]*([._+-][a-z0-9]+)*@${host}$`,
        "^[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,20}(\\.[A-Za-z0-9!#$'*+?_-]{1,9}){0,3}@example\\.(com|org)$",
        '^[a-z0-9]{1,20}@([a-z0-9]{1,20}\\.){1,4}[a-z0-9]{1,9}$',
      ],
      // A local part has at most 64 characters, a label 63.
      usualLength: 60,
      hull: '^[!-~]+@([A-Za-z0-9-]+\\.)+[A-Za-z0-9-]+$',
      edges: [
        "o'brien@example.com",
        'a+b@example.com',
        'A.B@EXAMPLE.COM',
        '1@1.1',
        '_@a.aa',
        `${'a'.repeat(64)}@example.com`,
        `a@${name63}.com`,
        '!#$%&*/=?^`{|}~-@a.aa',
      ],
      wrong: [
        'useratexample.com',
        'user@',
        '@example.com',
        'user@example',
        'a@b@c.com',
        'a b@example.com',
        'user@.com',
        'user@-a.com',
        'user@a..com',
        '.a@example.com',
        'a.@example.com',
        'a..b@example.com',
        '"a b"@example.com',
        'user@[127.0.0.1]',
        '',
      ],
    },
  ],
  [
    'hostname',
    {
      simplest: 'a',
      forms: [
        `^([a-z][a-z0-9]*(-[a-z0-9]+)*|${host})$`,
        `^${label}(\\.${label}){0,5}$`,
        '^[0-9a-z]{1,5}(\\.[0-9][a-z0-9]{0,3}){0,3}$',
        '^[A-Za-z0-9]{1,4}(-[A-Za-z0-9]{1,3}){0,3}$',
      ],
      usualLength: 63,
      hull: '^[A-Za-z0-9.-]{1,254}$',
      edges: [
        'localhost',
        '0',
        'a-b',
        'EXAMPLE.COM',
        '127.0.0.1',
        name63,
        `${name63}.${name63}.${name63}.${'a'.repeat(61)}`,
        'a.b.c.d.e.f',
      ],
      wrong: [
        '-a',
        'a-',
        'a..b',
        '.a',
        'a_b',
        'a b',
        '',
        `a${name63}`,
        'é.com',
        'a.-b',
        'http://a',
        'a:80',
        `${name63}.${name63}.${name63}.${name63}`,
      ],
    },
  ],
  [
    'ipv4',
    {
      simplest: '0.0.0.0',
      forms: [`^${ipv4Form}$`],
      hull: `^${ipv4Form}$`,
      edges: ['0.0.0.0', '255.255.255.255', '127.0.0.1', '10.0.0.1', '192.168.1.1', '1.1.1.1', '169.254.0.1', '224.0.0.1'],
      wrong: [
        '256.0.0.1',
        '1.2.3',
        '1.2.3.4.5',
        '1.2.3.',
        '01.2.3.4',
        '1.2.3.4/24',
        '1.2.3.-4',
        'a.b.c.d',
        '1..2.3',
        '::1',
        '0x7f.0.0.1',
        '2130706433',
        '',
      ],
    },
  ],
  [
    'ipv6',
    {
      simplest: '::',
      forms: [
        `^(${hexes}:){7}${hexes}$`,
        `^(${hexes}:){1,3}(:${hexes}){1,3}$`,
        `^::(${hexes}:){0,3}${hexes}$`,
        `^(${hexes}:){1,5}:$`,
        `^::ffff:${ipv4Form}$`,
        '^([0-9A-F]{4}:){7}[0-9A-F]{4}$',
      ],
      hull: '^[0-9A-Fa-f:.]{2,45}$',
      edges: [
        '::',
        '::1',
        'fe80::1',
        '2001:db8::',
        '2001:db8::8a2e:370:7334',
        '::ffff:192.0.2.1',
        'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
        '2001:DB8::1',
        '0:0:0:0:0:0:0:0',
      ],
      wrong: [
        ':',
        ':::',
        '1::2::3',
        '12345::',
        'g::1',
        '1:2:3:4:5:6:7',
        '1:2:3:4:5:6:7:8:9',
        '[::1]',
        'fe80::1%eth0',
        '::1/128',
        '127.0.0.1',
        '::256.0.0.1',
        '',
      ],
    },
  ],
];
