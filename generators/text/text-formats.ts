/** The table of text formats: typical patterns, edge cases, and invalid texts that look valid. It does not decide what is valid. */

/** The texts of a format. */
export interface FormatSyntax {
  /** The simplest text, at which shrinking ends. */
  readonly simplest: string;
  /** Anchored patterns; every match is valid. The first is the usual one. */
  readonly patterns: readonly [string, ...string[]];
  /** Maximum length of texts of the first pattern. Parts such as a local part have limits that this pattern omits; texts up to this length obey them. */
  readonly usualLength?: number;
  /** A pattern that every valid text matches; absent when none is useful. */
  readonly necessaryPattern?: string;
  /** Valid texts that programs often handle wrongly. */
  readonly edgeCases: readonly string[];
  /** Invalid texts that look valid. */
  readonly invalid: readonly string[];
}

/** Formats by name. */
type FormatTable = Readonly<Record<string, FormatSyntax>>;

/** Splits a list of texts written with bars and line breaks. */
function texts(list: string): readonly string[] {
  return list.trim().split(/ \| |\n\s*/);
}

const monthAndDay = '((0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\d|30)|02-(0[1-9]|1\\d|2[0-8]))';
const recentYear = '(199\\d|20[0-3]\\d|2040)';
const anyYear = '(000[1-9]|00[1-9]\\d|0[1-9]\\d\\d|[1-9]\\d{3})';
const leapDay = '(199[26]|20[02][048]|20[13][26]|2040)-02-29';
const datePattern = `(${recentYear}-${monthAndDay}|${leapDay})`;
const anyYearDate = `${anyYear}-${monthAndDay}`;
const timePattern = '([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d';
const fraction = '\\.\\d{1,9}';
const offsetPattern = '[+-](0\\d|1[0-2]):(00|30|45)';
const anyOffset = '[+-]([01]\\d|2[0-3]):[0-5]\\d';
const looseDate = '\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const looseTime = '\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?';
const looseOffset = '([Zz]|[+-]\\d\\d(:?\\d\\d)?)';

const invalidDates = texts(`
    2024-02-30 | 2023-02-29 | 1900-02-29 | 2024-13-01 | 2024-00-10 | 2024-04-31 | 2024-1-5 | 24-01-05 | 05/01/2024
  `);
const invalidTimes = texts(`
    25:61:00Z | 24:00:00Z | 12:60:00Z | 12:00:61Z | 12:00Z | 12:00 | 1:00:00Z | 120000Z | 12:00:00+25:00 | 12:00:00.Z
  `);
const invalidDateTimes = texts(`
    2024-02-30T12:00:00Z | 2024-01-01T25:61:00Z | 2024-01-01T12:00:61Z | 2024-01-01T12:00Z | 2024-01-01 | 1704110400
    2024-01-01T12:00:00+25:00 | 2024-01-01T12:00:00.Z | 2024-01-01TZ | Mon, 01 Jan 2024 12:00:00 GMT | 2024-01-01T12:00:00 Z
  `);

/** Dates, times and durations (RFC 3339, and the looser ISO 8601 forms that validators know). */
const timeFormats: FormatTable = {
  date: {
    simplest: '2000-01-01',
    patterns: [`^${recentYear}-${monthAndDay}$`, `^${leapDay}$`, `^${anyYearDate}$`],
    necessaryPattern: `^${looseDate}$`,
    edgeCases: texts(`
        2000-02-29 | 2024-02-29 | 1970-01-01 | 1969-12-31 | 1999-12-31 | 2038-01-20 | 0001-01-01 | 9999-12-31 | 1900-02-28
      `),
    invalid: [...invalidDates, ...texts('2024-01-01T00:00:00Z | 20240101 | 2024-01 | 2024-01-01Z')],
  },
  'date-time': {
    simplest: '2000-01-01T00:00:00Z',
    patterns: [
      `^${datePattern}T${timePattern}Z$`,
      `^${datePattern}T${timePattern}${offsetPattern}$`,
      `^${datePattern}T${timePattern}${fraction}(Z|${offsetPattern})$`,
      `^${anyYearDate}T${timePattern}(${fraction})?(Z|${anyOffset})$`,
    ],
    necessaryPattern: `^${looseDate}[Tt]([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60)(\\.\\d+)?([Zz]|${anyOffset})$`,
    edgeCases: texts(`
        1990-12-31T23:59:60Z | 2016-12-31T23:59:60Z | 2017-01-01T00:59:60+01:00 | 2000-02-29T23:59:59Z
        2024-02-29T00:00:00+14:00 | 1970-01-01T00:00:00Z | 1969-12-31T23:59:59Z | 2038-01-19T03:14:08Z | 0001-01-01T00:00:00Z
        9999-12-31T23:59:59Z | 2024-03-31T02:30:00+01:00 | 2024-10-27T02:30:00+02:00 | 2000-01-01T00:00:00.000Z
        2000-01-01T00:00:00.123456789-09:30 | 2000-01-01T00:00:00-00:00 | 2000-01-01T00:00:00+23:59
        2000-01-01T00:00:00-12:00
      `),
    invalid: [...invalidDateTimes, ...texts('2024-01-01 12:00:00Z | 2024-01-01T12:00:00 | 2024-01-01T12:00:00+0100')],
  },
  'date-time-local': {
    simplest: '2000-01-01T00:00:00',
    patterns: [`^${datePattern}T${timePattern}$`, `^${datePattern}[T ]${timePattern}${fraction}$`, `^${anyYearDate}[T ]${timePattern}$`],
    necessaryPattern: `^${looseDate}[T ]([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d+)?$`,
    edgeCases: texts(`
        2000-02-29T23:59:59 | 2024-03-31T02:30:00 | 1970-01-01T00:00:00 | 9999-12-31T23:59:59 | 2000-01-01 00:00:00
      `),
    invalid: [...invalidDateTimes, ...texts('2024-01-01T12:00:00Z | 2024-01-01T12:00:00+01:00 | 2024-01-01T23:59:60')],
  },
  time: {
    simplest: '00:00:00Z',
    patterns: [`^${timePattern}Z$`, `^${timePattern}${offsetPattern}$`, `^${timePattern}${fraction}(Z|${anyOffset})$`],
    necessaryPattern: `^${looseTime}${looseOffset}$`,
    edgeCases: texts('23:59:59Z | 23:59:60Z | 00:59:60+01:00 | 12:00:00.123456789Z | 00:00:00-00:00 | 12:00:00+23:59'),
    invalid: [...invalidTimes, '12:00:00'],
  },
  'iso-time': {
    simplest: '00:00:00',
    patterns: [
      `^${timePattern}$`,
      `^${timePattern}(Z|${offsetPattern})$`,
      `^${timePattern}${fraction}(Z|[+-](0\\d|1[0-2])(:?[0-5]\\d)?)?$`,
    ],
    necessaryPattern: `^${looseTime}${looseOffset}?$`,
    edgeCases: texts('23:59:59 | 23:59:60Z | 12:00:00+0100 | 12:00:00+01 | 12:00:00.5'),
    invalid: invalidTimes,
  },
  'iso-date-time': {
    simplest: '2000-01-01T00:00:00',
    patterns: [
      `^${datePattern}T${timePattern}$`,
      `^${datePattern}T${timePattern}(Z|${offsetPattern})$`,
      `^${datePattern}[T ]${timePattern}(${fraction})?(Z|[+-](0\\d|1[0-2])(:?[0-5]\\d)?)?$`,
      `^${anyYearDate}T${timePattern}$`,
    ],
    necessaryPattern: `^${looseDate}[Tt\\s]${looseTime}${looseOffset}?$`,
    edgeCases: texts(`
        2000-02-29 23:59:59 | 2016-12-31T23:59:60Z | 1970-01-01T00:00:00+0000 | 2000-01-01T00:00:00.5 | 9999-12-31T23:59:59
      `),
    invalid: invalidDateTimes.filter((text) => !text.endsWith(' Z')),
  },
  duration: {
    simplest: 'P0D',
    patterns: [
      '^P([1-9]\\d?D|[1-9]\\d?M([1-9]\\d?D)?|[1-9]\\d?Y([1-9]\\d?M([1-9]\\d?D)?)?)$',
      '^PT([1-9]\\d{0,2}S|[1-9]\\d?M([1-9]\\d?S)?|[1-9]\\d?H([1-9]\\d?M([1-9]\\d?S)?)?)$',
      '^P([1-9]\\d?D|[1-9]\\d?Y[1-9]\\d?M([1-9]\\d?D)?)T([1-9]\\d?H([1-9]\\d?M)?|\\d{1,5}S)$',
      '^P\\d{1,4}W$',
    ],
    necessaryPattern: '^P(\\d+[YMDW])*(T(\\d+[HMS])+)?$',
    edgeCases: texts('PT0S | P0D | P0W | P1Y2M3DT4H5M6S | PT36H | P400D | PT999999999S | P0Y'),
    invalid: texts(`
        P | PT | P1 | 1D | P1S | PT1D | P-1D | P1D2Y | P1W2D | P1DT | PT1.5H | p1d | P1Y2W | 01:00:00 | 3600
      `),
  },
};

/** A label of a host name with at most 40 characters. 63 are allowed, but all labels together have at most 253. */
const shortLabel = '[a-z][a-z0-9]{0,19}(-[a-z0-9]{1,9}){0,2}';
const hexGroup = '[0-9a-f]{1,4}';
const byteValue = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
/** The longest label that a host name may have. */
const longestLabel = 'a'.repeat(63);

/** Host names with a top-level domain, whose labels have any length. */
const hostPattern = '([a-z][a-z0-9]*(-[a-z0-9]+)*\\.)+[a-z]{2,6}';

/** An expression for IPv4 addresses. */
const ipv4Pattern: string = `(${byteValue}\\.){3}${byteValue}`;

/** An expression for IPv6 addresses of several spellings. */
const ipv6Pattern: string = `((${hexGroup}:){7}${hexGroup}|(${hexGroup}:){1,3}(:${hexGroup}){1,3}|::(${hexGroup})?|::ffff:${ipv4Pattern})`;

/** Addresses of machines and people. */
const hostFormats: FormatTable = {
  email: {
    simplest: 'a@a.a',
    patterns: [
      `^[a-z][a-z0-9]*([._+-][a-z0-9]+)*@${hostPattern}$`,
      "^[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,20}(\\.[A-Za-z0-9!#$'*+?_-]{1,9}){0,3}@example\\.(com|org)$",
      '^[a-z0-9]{1,20}@([a-z0-9]{1,20}\\.){1,4}[a-z0-9]{1,9}$',
    ],
    // A local part has at most 64 characters, a label 63.
    usualLength: 60,
    necessaryPattern: '^[!-~]+@([A-Za-z0-9-]+\\.)+[A-Za-z0-9-]+$',
    edgeCases: [
      "o'brien@example.com",
      ...texts('a+b@example.com | A.B@EXAMPLE.COM | 1@1.1 | _@a.aa'),
      `${'a'.repeat(64)}@example.com`,
      `a@${longestLabel}.com`,
      '!#$%&*/=?^`{|}~-@a.aa',
    ],
    invalid: [
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
    patterns: [
      `^([a-z][a-z0-9]*(-[a-z0-9]+)*|${hostPattern})$`,
      `^${shortLabel}(\\.${shortLabel}){0,5}$`,
      '^[0-9a-z]{1,5}(\\.[0-9][a-z0-9]{0,3}){0,3}$',
      '^[A-Za-z0-9]{1,4}(-[A-Za-z0-9]{1,3}){0,3}$',
    ],
    usualLength: 63,
    necessaryPattern: '^[A-Za-z0-9.-]{1,254}$',
    edgeCases: [
      ...texts('localhost | 0 | a-b | EXAMPLE.COM | 127.0.0.1'),
      longestLabel,
      `${longestLabel}.${longestLabel}.${longestLabel}.${'a'.repeat(61)}`,
      'a.b.c.d.e.f',
    ],
    invalid: [
      ...texts('-a | a- | a..b | .a | a_b | a b'),
      '',
      `a${longestLabel}`,
      ...texts('é.com | a.-b | http://a | a:80'),
      `${longestLabel}.${longestLabel}.${longestLabel}.${longestLabel}`,
    ],
  },
  ipv4: {
    simplest: '0.0.0.0',
    patterns: [`^${ipv4Pattern}$`],
    necessaryPattern: `^${ipv4Pattern}$`,
    edgeCases: texts(`
        0.0.0.0 | 255.255.255.255 | 127.0.0.1 | 10.0.0.1 | 192.168.1.1 | 1.1.1.1 | 169.254.0.1 | 224.0.0.1
      `),
    invalid: [
      ...texts(`
        256.0.0.1 | 1.2.3 | 1.2.3.4.5 | 1.2.3. | 01.2.3.4 | 1.2.3.4/24 | 1.2.3.-4 | a.b.c.d | 1..2.3 | ::1 | 0x7f.0.0.1
        2130706433
      `),
      '',
    ],
  },
  ipv6: {
    simplest: '::',
    patterns: [
      `^(${hexGroup}:){7}${hexGroup}$`,
      `^(${hexGroup}:){1,3}(:${hexGroup}){1,3}$`,
      `^::(${hexGroup}:){0,3}${hexGroup}$`,
      `^(${hexGroup}:){1,5}:$`,
      `^::ffff:${ipv4Pattern}$`,
      '^([0-9A-F]{4}:){7}[0-9A-F]{4}$',
    ],
    necessaryPattern: '^[0-9A-Fa-f:.]{2,45}$',
    edgeCases: texts(`
        :: | ::1 | fe80::1 | 2001:db8:: | 2001:db8::8a2e:370:7334 | ::ffff:192.0.2.1 | ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
        2001:DB8::1 | 0:0:0:0:0:0:0:0
      `),
    invalid: [
      ...texts(`
        : | ::: | 1::2::3 | 12345:: | g::1 | 1:2:3:4:5:6:7 | 1:2:3:4:5:6:7:8:9 | [::1] | fe80::1%eth0 | ::1/128 | 127.0.0.1
        ::256.0.0.1
      `),
      '',
    ],
  },
};

// Unbounded repetitions keep the automata small; the length is chosen when a text is drawn.
const pathSegments = '(/([a-zA-Z0-9._~-]|%20|%2F|%C3%A9)*)*';
const query = '(\\?[a-z]+=[a-zA-Z0-9._-]*(&[a-z]+=[a-z0-9+]*)*)?';
const fragment = '(#[a-z0-9/?.-]*)?';
const webAddress = `https?://${hostPattern}(:[1-9]\\d{1,3})?${pathSegments}${query}${fragment}`;

const invalidAddresses = [
  ...texts('http://exa mple.com | http://example.com/%zz | http://example.com/<a> | http://[::1'),
  'http://example.com/\\a',
  'http://a{b}',
];

/** Addresses on the web. */
const webFormats: FormatTable = {
  uri: {
    simplest: 'http://a',
    patterns: [
      `^${webAddress}$`,
      '^(mailto:[a-z]{1,6}@example\\.(com|org)|urn:[a-z]{2,8}:[a-z0-9:._-]{1,9}|tel:\\+[1-9]\\d{4,9}|data:,[a-z0-9]{0,9}|file:///[a-z/]{0,9})$',
      `^(ftp|https|ws)://([a-z]+(:[a-z0-9]*)?@)?(${ipv4Pattern}|\\[${ipv6Pattern}\\])(:\\d{0,4})?${pathSegments}$`,
    ],
    necessaryPattern: '^[A-Za-z][A-Za-z0-9+.-]*:[!-~]*$',
    edgeCases: texts(`
        a:a | http://a | https://example.com/a%20b?c=d#e | http://[::1]:8080/ | http://user:pass@example.com/ | urn:a:b
        HTTP://EXAMPLE.COM/
      `),
    invalid: [...invalidAddresses, ...texts('example.com | /a | //a/b | ://a | 1:a'), '', ...texts('http | ?a | #a')],
  },
  'uri-reference': {
    simplest: '',
    patterns: [
      `^(/[a-zA-Z0-9._~-]+)+/?${query}${fragment}$`,
      `^${webAddress}$`,
      `^(\\.\\.?/)*[a-z0-9]+${query}$`,
      `^//${hostPattern}${pathSegments}$`,
      '^(\\?[a-z=&]*)?(#[a-z]*)?$',
    ],
    necessaryPattern: '^[!-~]*$',
    edgeCases: ['', ...texts('/ | . | .. | # | ? | #a | ?a=b | //a | ../a | a:b | http://[::1]/ | /%20 | ;a=b')],
    invalid: [...invalidAddresses, '%', '/a b', '\\a', ...texts('/é | #a#b | [a]')],
  },
  'uri-template': {
    simplest: '',
    patterns: [
      `^(/[a-z0-9]{1,6}|/\\{[a-z_]{1,6}\\}){1,4}$`,
      `^https?://${hostPattern}(/[a-z]+|/\\{[a-z]+\\})*(\\{\\?[a-z]+(,[a-z]+\\*?)*\\})?$`,
      '^\\{[+#./;?&]?[a-z0-9_]+(:[1-9]\\d?|\\*)?\\}$',
    ],
    necessaryPattern: '^[^\\x00-\\x20"<>\\\\^`]*$',
    edgeCases: ['', ...texts('/ | {a} | {+a} | {?a,b*} | {a:3} | {#a} | /é | %20')],
    invalid: texts('{ | } | {a | a} | {} | {a b} | {a-b} | {{a}} | /a b | % | {a:0} | {a**} | <a>'),
  },
  url: {
    simplest: 'ftp://a.aa',
    patterns: [
      `^https?://${hostPattern}(:[1-9]\\d{1,3})?(${pathSegments.slice(0, -1)}+${query}${fragment})?$`,
      `^(ftp|https)://[a-z]+(:[a-z0-9]+)?@${hostPattern}/[a-z]*$`,
      `^http://([a-zàéü文]+\\.)+(com|org)/[^\\s]*$`,
      `^http://(8|9|1[1-9]|2[0-9])(\\.(1\\d\\d|[1-9]?\\d)){2}\\.([1-9]\\d?|1\\d\\d)/?$`,
    ],
    necessaryPattern: '^\\S+://\\S+$',
    edgeCases: texts(`
        http://a.aa | https://example.com/?a=b#c | http://example.com:65535/ | http://8.8.8.8/ | HTTPS://EXAMPLE.COM
        http://é.com
      `),
    invalid: [
      ...texts(`
        http://a | http://127.0.0.1/ | http://192.168.0.1 | http://10.0.0.1 | example.com | mailto:a@b.cc | http://
        http://a b.com | http://-a.com | http://a..com | http://a.c | //a.com | http://a.com:1
      `),
      '',
    ],
  },
};

const nilUuid = '00000000-0000-0000-0000-000000000000';
const base64Character = '[A-Za-z0-9+/]';
/** The last group of a base64 text encodes one or two bytes; its remaining bits are zero. */
const base64LastGroup = `(${base64Character}[AQgw]==|${base64Character}{2}[AEIMQUYcgkosw048]=)`;
const hexDigit = '[0-9A-Fa-f]';

/** Texts with a syntax of their own. */
const syntaxFormats: FormatTable = {
  uuid: {
    simplest: nilUuid,
    patterns: [
      '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
      '^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
      '^[0-9A-F]{8}-([0-9A-F]{4}-){3}[0-9A-F]{12}$',
    ],
    necessaryPattern: `^([uU][rR][nN]:[uU][uU][iI][dD]:)?${hexDigit}{8}-(${hexDigit}{4}-){3}${hexDigit}{12}$`,
    edgeCases: [
      nilUuid,
      ...texts(`
        ffffffff-ffff-ffff-ffff-ffffffffffff | FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF | 00000000-0000-4000-8000-000000000000
      `),
    ],
    invalid: [
      ...texts(`
        123e4567-e89b-12d3-a456-42661417400g | 123e4567e89b12d3a456426614174000 | {123e4567-e89b-12d3-a456-426614174000}
        123e4567-e89b-12d3-a456-42661417400 | 123e4567-e89b-12d3-a456-4266141740000 | 123e4567-e89b-12d3-a456 | 0
      `),
      '',
    ],
  },
  regex: {
    simplest: '',
    patterns: [
      '^[a-z]{1,8}$',
      '^\\^?([a-z]{1,3}|\\\\[dws]|\\[a-z\\]|\\[\\^[a-z]{1,3}\\]|\\.)([*+?]|\\{[1-9],?\\})?\\$?$',
      '^\\^\\([a-z]{1,4}(\\|[a-z]{1,4}){1,3}\\)[*+?]?\\$$',
      '^\\(\\?[:=!][a-z]{0,5}\\)[a-z]{0,4}$',
    ],
    edgeCases: ['', ...texts('^$ | .* | ^(?!a)'), '\\d+', '[^]', '\\u0041', '(?<a>b)\\k<a>', ...texts('é | (?:) | a{2,3}')],
    invalid: [...texts('( | [ | * | a** | [z-a] | a{2,1} | (? | (?<a'), '\\', ...texts(') | +a | (?P<a>b)'), '^\\S(|(.|\\n)*\\S)\\Z'],
  },
  'json-pointer': {
    simplest: '',
    patterns: ['^(/[a-z0-9_]{1,8}){1,3}$', '^(/([a-zA-Z0-9 %"{}]|~0|~1){0,4}){1,3}$', '^(/([^~/]|~0|~1){0,3}){0,3}$'],
    necessaryPattern: '^(/[^]*)?$',
    edgeCases: ['', ...texts('/ | // | /~0 | /~1 | /~01 | /0 | /- | /a/b'), '/ ', ...texts('/é | /%20 | /__proto__')],
    invalid: [...texts('a | a/b | ~ | /~ | /~2 | /a~ | #/a | #'), ' ', '0'],
  },
  'json-pointer-uri-fragment': {
    simplest: '#',
    patterns: ['^#(/[a-z0-9_]{1,8}){1,3}$', "^#(/([a-z0-9_.!$&'()*+,;:=@-]|%20|%C3%A9|%22|~0|~1){0,4}){0,3}$"],
    necessaryPattern: '^#[!-~]*$',
    edgeCases: texts('# | #/ | #// | #/~0 | #/~1 | #/%25 | #/%C3%A9 | #/0 | #/a/b | #/A'),
    invalid: ['', ...texts('/a | #a | #/~ | #/~2 | #/% | #/%zz | #/a b | #/é'), '#/"', 'a#/b'],
  },
  'relative-json-pointer': {
    simplest: '0',
    patterns: ['^(0|[1-9]\\d?)(/[a-z0-9_]{1,8}){0,3}$', '^(0|[1-9]\\d{0,2})#$', '^\\d(/([^~/]|~0|~1){0,3}){0,3}$'],
    necessaryPattern: '^\\d+(#|/[^]*)?$',
    edgeCases: texts('0 | 0# | 1/a | 10 | 0/ | 0/~0 | 0/~1 | 2/0/a'),
    invalid: ['', ...texts('/a | -1 | 01 | 0## | # | 1a | 0/~ | 0/~2 | +1/a | 1.0 | a')],
  },
  byte: {
    simplest: '',
    patterns: [`^(${base64Character}{4}){1,6}$`, `^(${base64Character}{4}){0,5}${base64LastGroup}$`],
    edgeCases: ['', ...texts('AA== | AAA= | AAAA | //// | ++++ | /+== | aGFsbG8=')],
    invalid: texts('A | AA | AAA | A=== | AA= | AAAA= | ==== | AA=A | A-_A | AA A | AAAAA | é=== | AAAA!'),
  },
};

const formats: FormatTable = { ...timeFormats, ...webFormats, ...hostFormats, ...syntaxFormats };

/** The texts of a format; `undefined` for an unknown format. */
export function formatSyntax(format: string): FormatSyntax | undefined {
  return Object.hasOwn(formats, format) ? formats[format] : undefined;
}
