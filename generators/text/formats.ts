/** The formats as languages: what their texts look like, which valid ones programs get wrong, and which wrong ones look valid. */

/** A format as a language. */
export interface FormatShape {
  /** The text that everything shrinks to. */
  readonly simplest: string;
  /** Regular expressions of whole texts, all of them valid. The first is how the format usually looks. */
  readonly forms: readonly [string, ...string[]];
  /**
   * The length up to which the first form is drawn: its expression is simple and does not limit parts of the text, which longer texts must.
   * The further forms keep to the limits by themselves.
   */
  readonly usualLength?: number;
  /** A regular expression that every valid text matches, so that what it leaves empty is empty; absent when there is none worth writing. */
  readonly hull?: string;
  /** Valid texts that programs get wrong. */
  readonly edges: readonly string[];
  /** Texts that are not valid and look as if they were. */
  readonly wrong: readonly string[];
}

/** Formats by their names. */
type Shapes = Readonly<Record<string, FormatShape>>;

/** A list of texts as it is easily read: with bars between, on one or several lines. */
function texts(list: string): readonly string[] {
  return list.trim().split(/ \| |\n\s*/);
}

const monthAndDay = '((0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\d|30)|02-(0[1-9]|1\\d|2[0-8]))';
const recentYear = '(199\\d|20[0-3]\\d|2040)';
const farYear = '(000[1-9]|00[1-9]\\d|0[1-9]\\d\\d|[1-9]\\d{3})';
const leapDay = '(199[26]|20[02][048]|20[13][26]|2040)-02-29';
const date = `(${recentYear}-${monthAndDay}|${leapDay})`;
const farDate = `${farYear}-${monthAndDay}`;
const time = '([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d';
const fraction = '\\.\\d{1,9}';
const offset = '[+-](0\\d|1[0-2]):(00|30|45)';
const wideOffset = '[+-]([01]\\d|2[0-3]):[0-5]\\d';
const hullDate = '\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const hullTime = '\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?';
const hullOffset = '([Zz]|[+-]\\d\\d(:?\\d\\d)?)';

const wrongDates = texts(`
    2024-02-30 | 2023-02-29 | 1900-02-29 | 2024-13-01 | 2024-00-10 | 2024-04-31 | 2024-1-5 | 24-01-05 | 05/01/2024
  `);
const wrongTimes = texts(`
    25:61:00Z | 24:00:00Z | 12:60:00Z | 12:00:61Z | 12:00Z | 12:00 | 1:00:00Z | 120000Z | 12:00:00+25:00 | 12:00:00.Z
  `);
const wrongDateTimes = texts(`
    2024-02-30T12:00:00Z | 2024-01-01T25:61:00Z | 2024-01-01T12:00:61Z | 2024-01-01T12:00Z | 2024-01-01 | 1704110400
    2024-01-01T12:00:00+25:00 | 2024-01-01T12:00:00.Z | 2024-01-01TZ | Mon, 01 Jan 2024 12:00:00 GMT | 2024-01-01T12:00:00 Z
  `);

/** Dates, times and durations (RFC 3339, and the looser ISO 8601 forms that validators know). */
const timeShapes: Shapes = {
  date: {
    simplest: '2000-01-01',
    forms: [`^${recentYear}-${monthAndDay}$`, `^${leapDay}$`, `^${farDate}$`],
    hull: `^${hullDate}$`,
    edges: texts(`
        2000-02-29 | 2024-02-29 | 1970-01-01 | 1969-12-31 | 1999-12-31 | 2038-01-20 | 0001-01-01 | 9999-12-31 | 1900-02-28
      `),
    wrong: [...wrongDates, ...texts('2024-01-01T00:00:00Z | 20240101 | 2024-01 | 2024-01-01Z')],
  },
  'date-time': {
    simplest: '2000-01-01T00:00:00Z',
    forms: [
      `^${date}T${time}Z$`,
      `^${date}T${time}${offset}$`,
      `^${date}T${time}${fraction}(Z|${offset})$`,
      `^${farDate}T${time}(${fraction})?(Z|${wideOffset})$`,
    ],
    hull: `^${hullDate}[Tt]([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60)(\\.\\d+)?([Zz]|${wideOffset})$`,
    edges: texts(`
        1990-12-31T23:59:60Z | 2016-12-31T23:59:60Z | 2017-01-01T00:59:60+01:00 | 2000-02-29T23:59:59Z
        2024-02-29T00:00:00+14:00 | 1970-01-01T00:00:00Z | 1969-12-31T23:59:59Z | 2038-01-19T03:14:08Z | 0001-01-01T00:00:00Z
        9999-12-31T23:59:59Z | 2024-03-31T02:30:00+01:00 | 2024-10-27T02:30:00+02:00 | 2000-01-01T00:00:00.000Z
        2000-01-01T00:00:00.123456789-09:30 | 2000-01-01T00:00:00-00:00 | 2000-01-01T00:00:00+23:59
        2000-01-01T00:00:00-12:00
      `),
    wrong: [...wrongDateTimes, ...texts('2024-01-01 12:00:00Z | 2024-01-01T12:00:00 | 2024-01-01T12:00:00+0100')],
  },
  'date-time-local': {
    simplest: '2000-01-01T00:00:00',
    forms: [`^${date}T${time}$`, `^${date}[T ]${time}${fraction}$`, `^${farDate}[T ]${time}$`],
    hull: `^${hullDate}[T ]([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d+)?$`,
    edges: texts(`
        2000-02-29T23:59:59 | 2024-03-31T02:30:00 | 1970-01-01T00:00:00 | 9999-12-31T23:59:59 | 2000-01-01 00:00:00
      `),
    wrong: [...wrongDateTimes, ...texts('2024-01-01T12:00:00Z | 2024-01-01T12:00:00+01:00 | 2024-01-01T23:59:60')],
  },
  time: {
    simplest: '00:00:00Z',
    forms: [`^${time}Z$`, `^${time}${offset}$`, `^${time}${fraction}(Z|${wideOffset})$`],
    hull: `^${hullTime}${hullOffset}$`,
    edges: texts('23:59:59Z | 23:59:60Z | 00:59:60+01:00 | 12:00:00.123456789Z | 00:00:00-00:00 | 12:00:00+23:59'),
    wrong: [...wrongTimes, '12:00:00'],
  },
  'iso-time': {
    simplest: '00:00:00',
    forms: [`^${time}$`, `^${time}(Z|${offset})$`, `^${time}${fraction}(Z|[+-](0\\d|1[0-2])(:?[0-5]\\d)?)?$`],
    hull: `^${hullTime}${hullOffset}?$`,
    edges: texts('23:59:59 | 23:59:60Z | 12:00:00+0100 | 12:00:00+01 | 12:00:00.5'),
    wrong: wrongTimes,
  },
  'iso-date-time': {
    simplest: '2000-01-01T00:00:00',
    forms: [
      `^${date}T${time}$`,
      `^${date}T${time}(Z|${offset})$`,
      `^${date}[T ]${time}(${fraction})?(Z|[+-](0\\d|1[0-2])(:?[0-5]\\d)?)?$`,
      `^${farDate}T${time}$`,
    ],
    hull: `^${hullDate}[Tt\\s]${hullTime}${hullOffset}?$`,
    edges: texts(`
        2000-02-29 23:59:59 | 2016-12-31T23:59:60Z | 1970-01-01T00:00:00+0000 | 2000-01-01T00:00:00.5 | 9999-12-31T23:59:59
      `),
    wrong: wrongDateTimes.filter((text) => !text.endsWith(' Z')),
  },
  duration: {
    simplest: 'P0D',
    forms: [
      '^P([1-9]\\d?D|[1-9]\\d?M([1-9]\\d?D)?|[1-9]\\d?Y([1-9]\\d?M([1-9]\\d?D)?)?)$',
      '^PT([1-9]\\d{0,2}S|[1-9]\\d?M([1-9]\\d?S)?|[1-9]\\d?H([1-9]\\d?M([1-9]\\d?S)?)?)$',
      '^P([1-9]\\d?D|[1-9]\\d?Y[1-9]\\d?M([1-9]\\d?D)?)T([1-9]\\d?H([1-9]\\d?M)?|\\d{1,5}S)$',
      '^P\\d{1,4}W$',
    ],
    hull: '^P(\\d+[YMDW])*(T(\\d+[HMS])+)?$',
    edges: texts('PT0S | P0D | P0W | P1Y2M3DT4H5M6S | PT36H | P400D | PT999999999S | P0Y'),
    wrong: texts(`
        P | PT | P1 | 1D | P1S | PT1D | P-1D | P1D2Y | P1W2D | P1DT | PT1.5H | p1d | P1Y2W | 01:00:00 | 3600
      `),
  },
};

/** A label of at most 40 characters: 63 are allowed, but all labels together have only 253. */
const label = '[a-z][a-z0-9]{0,19}(-[a-z0-9]{1,9}){0,2}';
const hexes = '[0-9a-f]{1,4}';
const byte = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
/** The longest label that a host name may have. */
const name63 = 'a'.repeat(63);

/** Host names with a top-level domain, whose labels have any length. */
const host = '([a-z][a-z0-9]*(-[a-z0-9]+)*\\.)+[a-z]{2,6}';

/** An expression for IPv4 addresses. */
const ipv4Form: string = `(${byte}\\.){3}${byte}`;

/** An expression for IPv6 addresses of several spellings. */
const ipv6Form: string = `((${hexes}:){7}${hexes}|(${hexes}:){1,3}(:${hexes}){1,3}|::(${hexes})?|::ffff:${ipv4Form})`;

/** Addresses of machines and people. */
const hostShapes: Shapes = {
  email: {
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
      ...texts('a+b@example.com | A.B@EXAMPLE.COM | 1@1.1 | _@a.aa'),
      `${'a'.repeat(64)}@example.com`,
      `a@${name63}.com`,
      '!#$%&*/=?^`{|}~-@a.aa',
    ],
    wrong: [
      ...texts(`
        useratexample.com | user@ | @example.com | user@example | a@b@c.com | a b@example.com | user@.com | user@-a.com
        user@a..com | .a@example.com | a.@example.com | a..b@example.com
      `),
      '"a b"@example.com',
      'user@[127.0.0.1]',
      '',
    ],
  },
  hostname: {
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
      ...texts('localhost | 0 | a-b | EXAMPLE.COM | 127.0.0.1'),
      name63,
      `${name63}.${name63}.${name63}.${'a'.repeat(61)}`,
      'a.b.c.d.e.f',
    ],
    wrong: [
      ...texts('-a | a- | a..b | .a | a_b | a b'),
      '',
      `a${name63}`,
      ...texts('é.com | a.-b | http://a | a:80'),
      `${name63}.${name63}.${name63}.${name63}`,
    ],
  },
  ipv4: {
    simplest: '0.0.0.0',
    forms: [`^${ipv4Form}$`],
    hull: `^${ipv4Form}$`,
    edges: texts(`
        0.0.0.0 | 255.255.255.255 | 127.0.0.1 | 10.0.0.1 | 192.168.1.1 | 1.1.1.1 | 169.254.0.1 | 224.0.0.1
      `),
    wrong: [
      ...texts(`
        256.0.0.1 | 1.2.3 | 1.2.3.4.5 | 1.2.3. | 01.2.3.4 | 1.2.3.4/24 | 1.2.3.-4 | a.b.c.d | 1..2.3 | ::1 | 0x7f.0.0.1
        2130706433
      `),
      '',
    ],
  },
  ipv6: {
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
    edges: texts(`
        :: | ::1 | fe80::1 | 2001:db8:: | 2001:db8::8a2e:370:7334 | ::ffff:192.0.2.1 | ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
        2001:DB8::1 | 0:0:0:0:0:0:0:0
      `),
    wrong: [
      ...texts(`
        : | ::: | 1::2::3 | 12345:: | g::1 | 1:2:3:4:5:6:7 | 1:2:3:4:5:6:7:8:9 | [::1] | fe80::1%eth0 | ::1/128 | 127.0.0.1
        ::256.0.0.1
      `),
      '',
    ],
  },
};

// Repetitions are unbounded here, which keeps the automata small: how long a text becomes is decided when it is drawn.
const segments = '(/([a-zA-Z0-9._~-]|%20|%2F|%C3%A9)*)*';
const query = '(\\?[a-z]+=[a-zA-Z0-9._-]*(&[a-z]+=[a-z0-9+]*)*)?';
const fragment = '(#[a-z0-9/?.-]*)?';
const webAddress = `https?://${host}(:[1-9]\\d{1,3})?${segments}${query}${fragment}`;

const wrongAddresses = [
  ...texts('http://exa mple.com | http://example.com/%zz | http://example.com/<a> | http://[::1'),
  'http://example.com/\\a',
  'http://a{b}',
];

/** Addresses on the web. */
const webShapes: Shapes = {
  uri: {
    simplest: 'http://a',
    forms: [
      `^${webAddress}$`,
      '^(mailto:[a-z]{1,6}@example\\.(com|org)|urn:[a-z]{2,8}:[a-z0-9:._-]{1,9}|tel:\\+[1-9]\\d{4,9}|data:,[a-z0-9]{0,9}|file:///[a-z/]{0,9})$',
      `^(ftp|https|ws)://([a-z]+(:[a-z0-9]*)?@)?(${ipv4Form}|\\[${ipv6Form}\\])(:\\d{0,4})?${segments}$`,
    ],
    hull: '^[A-Za-z][A-Za-z0-9+.-]*:[!-~]*$',
    edges: texts(`
        a:a | http://a | https://example.com/a%20b?c=d#e | http://[::1]:8080/ | http://user:pass@example.com/ | urn:a:b
        HTTP://EXAMPLE.COM/
      `),
    wrong: [...wrongAddresses, ...texts('example.com | /a | //a/b | ://a | 1:a'), '', ...texts('http | ?a | #a')],
  },
  'uri-reference': {
    simplest: '',
    forms: [
      `^(/[a-zA-Z0-9._~-]+)+/?${query}${fragment}$`,
      `^${webAddress}$`,
      `^(\\.\\.?/)*[a-z0-9]+${query}$`,
      `^//${host}${segments}$`,
      '^(\\?[a-z=&]*)?(#[a-z]*)?$',
    ],
    hull: '^[!-~]*$',
    edges: ['', ...texts('/ | . | .. | # | ? | #a | ?a=b | //a | ../a | a:b | http://[::1]/ | /%20 | ;a=b')],
    wrong: [...wrongAddresses, '%', '/a b', '\\a', ...texts('/é | #a#b | [a]')],
  },
  'uri-template': {
    simplest: '',
    forms: [
      `^(/[a-z0-9]{1,6}|/\\{[a-z_]{1,6}\\}){1,4}$`,
      `^https?://${host}(/[a-z]+|/\\{[a-z]+\\})*(\\{\\?[a-z]+(,[a-z]+\\*?)*\\})?$`,
      '^\\{[+#./;?&]?[a-z0-9_]+(:[1-9]\\d?|\\*)?\\}$',
    ],
    hull: '^[^\\x00-\\x20"<>\\\\^`]*$',
    edges: ['', ...texts('/ | {a} | {+a} | {?a,b*} | {a:3} | {#a} | /é | %20')],
    wrong: texts('{ | } | {a | a} | {} | {a b} | {a-b} | {{a}} | /a b | % | {a:0} | {a**} | <a>'),
  },
  url: {
    simplest: 'ftp://a.aa',
    forms: [
      `^https?://${host}(:[1-9]\\d{1,3})?(${segments.slice(0, -1)}+${query}${fragment})?$`,
      `^(ftp|https)://[a-z]+(:[a-z0-9]+)?@${host}/[a-z]*$`,
      `^http://([a-zàéü文]+\\.)+(com|org)/[^\\s]*$`,
      `^http://(8|9|1[1-9]|2[0-9])(\\.(1\\d\\d|[1-9]?\\d)){2}\\.([1-9]\\d?|1\\d\\d)/?$`,
    ],
    hull: '^\\S+://\\S+$',
    edges: texts(`
        http://a.aa | https://example.com/?a=b#c | http://example.com:65535/ | http://8.8.8.8/ | HTTPS://EXAMPLE.COM
        http://é.com
      `),
    wrong: [
      ...texts(`
        http://a | http://127.0.0.1/ | http://192.168.0.1 | http://10.0.0.1 | example.com | mailto:a@b.cc | http://
        http://a b.com | http://-a.com | http://a..com | http://a.c | //a.com | http://a.com:1
      `),
      '',
    ],
  },
};

const zeros = '00000000-0000-0000-0000-000000000000';
const base64 = '[A-Za-z0-9+/]';
/** The last group of a base64 text encodes one or two bytes; the bits that are left over are zero. */
const base64End = `(${base64}[AQgw]==|${base64}{2}[AEIMQUYcgkosw048]=)`;
const hexadecimal = '[0-9A-Fa-f]';

/** Texts with a syntax of their own. */
const syntaxShapes: Shapes = {
  uuid: {
    simplest: zeros,
    forms: [
      '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
      '^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
      '^[0-9A-F]{8}-([0-9A-F]{4}-){3}[0-9A-F]{12}$',
    ],
    hull: `^([uU][rR][nN]:[uU][uU][iI][dD]:)?${hexadecimal}{8}-(${hexadecimal}{4}-){3}${hexadecimal}{12}$`,
    edges: [
      zeros,
      ...texts(`
        ffffffff-ffff-ffff-ffff-ffffffffffff | FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF | 00000000-0000-4000-8000-000000000000
      `),
    ],
    wrong: [
      ...texts(`
        123e4567-e89b-12d3-a456-42661417400g | 123e4567e89b12d3a456426614174000 | {123e4567-e89b-12d3-a456-426614174000}
        123e4567-e89b-12d3-a456-42661417400 | 123e4567-e89b-12d3-a456-4266141740000 | 123e4567-e89b-12d3-a456 | 0
      `),
      '',
    ],
  },
  regex: {
    simplest: '',
    forms: [
      '^[a-z]{1,8}$',
      '^\\^?([a-z]{1,3}|\\\\[dws]|\\[a-z\\]|\\[\\^[a-z]{1,3}\\]|\\.)([*+?]|\\{[1-9],?\\})?\\$?$',
      '^\\^\\([a-z]{1,4}(\\|[a-z]{1,4}){1,3}\\)[*+?]?\\$$',
      '^\\(\\?[:=!][a-z]{0,5}\\)[a-z]{0,4}$',
    ],
    edges: ['', ...texts('^$ | .* | ^(?!a)'), '\\d+', '[^]', '\\u0041', '(?<a>b)\\k<a>', ...texts('é | (?:) | a{2,3}')],
    wrong: [...texts('( | [ | * | a** | [z-a] | a{2,1} | (? | (?<a'), '\\', ...texts(') | +a | (?P<a>b)'), '^\\S(|(.|\\n)*\\S)\\Z'],
  },
  'json-pointer': {
    simplest: '',
    forms: ['^(/[a-z0-9_]{1,8}){1,3}$', '^(/([a-zA-Z0-9 %"{}]|~0|~1){0,4}){1,3}$', '^(/([^~/]|~0|~1){0,3}){0,3}$'],
    hull: '^(/[^]*)?$',
    edges: ['', ...texts('/ | // | /~0 | /~1 | /~01 | /0 | /- | /a/b'), '/ ', ...texts('/é | /%20 | /__proto__')],
    wrong: [...texts('a | a/b | ~ | /~ | /~2 | /a~ | #/a | #'), ' ', '0'],
  },
  'json-pointer-uri-fragment': {
    simplest: '#',
    forms: ['^#(/[a-z0-9_]{1,8}){1,3}$', "^#(/([a-z0-9_.!$&'()*+,;:=@-]|%20|%C3%A9|%22|~0|~1){0,4}){0,3}$"],
    hull: '^#[!-~]*$',
    edges: texts('# | #/ | #// | #/~0 | #/~1 | #/%25 | #/%C3%A9 | #/0 | #/a/b | #/A'),
    wrong: ['', ...texts('/a | #a | #/~ | #/~2 | #/% | #/%zz | #/a b | #/é'), '#/"', 'a#/b'],
  },
  'relative-json-pointer': {
    simplest: '0',
    forms: ['^(0|[1-9]\\d?)(/[a-z0-9_]{1,8}){0,3}$', '^(0|[1-9]\\d{0,2})#$', '^\\d(/([^~/]|~0|~1){0,3}){0,3}$'],
    hull: '^\\d+(#|/[^]*)?$',
    edges: texts('0 | 0# | 1/a | 10 | 0/ | 0/~0 | 0/~1 | 2/0/a'),
    wrong: ['', ...texts('/a | -1 | 01 | 0## | # | 1a | 0/~ | 0/~2 | +1/a | 1.0 | a')],
  },
  byte: {
    simplest: '',
    forms: [`^(${base64}{4}){1,6}$`, `^(${base64}{4}){0,5}${base64End}$`],
    edges: ['', ...texts('AA== | AAA= | AAAA | //// | ++++ | /+== | aGFsbG8=')],
    wrong: texts('A | AA | AAA | A=== | AA= | AAAA= | ==== | AA=A | A-_A | AA A | AAAAA | é=== | AAAA!'),
  },
};

const shapes: Shapes = { ...timeShapes, ...webShapes, ...hostShapes, ...syntaxShapes };

/** The shape of a format; `undefined` for a format that has none here. */
export function shapeOf(format: string): FormatShape | undefined {
  return Object.hasOwn(shapes, format) ? shapes[format] : undefined;
}
