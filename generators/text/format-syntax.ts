/** How texts with a syntax of their own look: regular expressions, UUIDs, JSON Pointers, base64. */

import type { FormatShape } from './format-shape.ts';

const zeros = '00000000-0000-0000-0000-000000000000';
const base64 = '[A-Za-z0-9+/]';
/** The last group of a base64 text encodes one or two bytes; the bits that are left over are zero. */
const base64End = `(${base64}[AQgw]==|${base64}{2}[AEIMQUYcgkosw048]=)`;
const hexadecimal = '[0-9A-Fa-f]';

/** By format name. */
export const syntaxShapes: readonly (readonly [string, FormatShape])[] = [
  [
    'uuid',
    {
      simplest: zeros,
      forms: [
        '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
        '^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
        '^[0-9A-F]{8}-([0-9A-F]{4}-){3}[0-9A-F]{12}$',
      ],
      hull: `^([uU][rR][nN]:[uU][uU][iI][dD]:)?${hexadecimal}{8}-(${hexadecimal}{4}-){3}${hexadecimal}{12}$`,
      edges: [
        zeros,
        'ffffffff-ffff-ffff-ffff-ffffffffffff',
        'FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF',
        '00000000-0000-4000-8000-000000000000',
      ],
      wrong: [
        ...['123e4567-e89b-12d3-a456-42661417400g', '123e4567e89b12d3a456426614174000', '{123e4567-e89b-12d3-a456-426614174000}'],
        ...['123e4567-e89b-12d3-a456-42661417400', '123e4567-e89b-12d3-a456-4266141740000', '123e4567-e89b-12d3-a456', '0', ''],
      ],
    },
  ],
  [
    'regex',
    {
      simplest: '',
      forms: [
        '^[a-z]{1,8}$',
        '^\\^?([a-z]{1,3}|\\\\[dws]|\\[a-z\\]|\\[\\^[a-z]{1,3}\\]|\\.)([*+?]|\\{[1-9],?\\})?\\$?$',
        '^\\^\\([a-z]{1,4}(\\|[a-z]{1,4}){1,3}\\)[*+?]?\\$$',
        '^\\(\\?[:=!][a-z]{0,5}\\)[a-z]{0,4}$',
      ],
      edges: ['', '^$', '.*', '^(?!a)', '\\d+', '[^]', '\\u0041', '(?<a>b)\\k<a>', 'é', '(?:)', 'a{2,3}'],
      wrong: ['(', '[', '*', 'a**', '[z-a]', 'a{2,1}', '(?', '(?<a', '\\', ')', '+a', '(?P<a>b)', '^\\S(|(.|\\n)*\\S)\\Z'],
    },
  ],
  [
    'json-pointer',
    {
      simplest: '',
      forms: ['^(/[a-z0-9_]{1,8}){1,3}$', '^(/([a-zA-Z0-9 %"{}]|~0|~1){0,4}){1,3}$', '^(/([^~/]|~0|~1){0,3}){0,3}$'],
      hull: '^(/[^]*)?$',
      edges: ['', '/', '//', '/~0', '/~1', '/~01', '/0', '/-', '/a/b', '/ ', '/é', '/%20', '/__proto__'],
      wrong: ['a', 'a/b', '~', '/~', '/~2', '/a~', '#/a', '#', ' ', '0'],
    },
  ],
  [
    'json-pointer-uri-fragment',
    {
      simplest: '#',
      forms: ['^#(/[a-z0-9_]{1,8}){1,3}$', "^#(/([a-z0-9_.!$&'()*+,;:=@-]|%20|%C3%A9|%22|~0|~1){0,4}){0,3}$"],
      hull: '^#[!-~]*$',
      edges: ['#', '#/', '#//', '#/~0', '#/~1', '#/%25', '#/%C3%A9', '#/0', '#/a/b', '#/A'],
      wrong: ['', '/a', '#a', '#/~', '#/~2', '#/%', '#/%zz', '#/a b', '#/é', '#/"', 'a#/b'],
    },
  ],
  [
    'relative-json-pointer',
    {
      simplest: '0',
      forms: ['^(0|[1-9]\\d?)(/[a-z0-9_]{1,8}){0,3}$', '^(0|[1-9]\\d{0,2})#$', '^\\d(/([^~/]|~0|~1){0,3}){0,3}$'],
      hull: '^\\d+(#|/[^]*)?$',
      edges: ['0', '0#', '1/a', '10', '0/', '0/~0', '0/~1', '2/0/a'],
      wrong: ['', '/a', '-1', '01', '0##', '#', '1a', '0/~', '0/~2', '+1/a', '1.0', 'a'],
    },
  ],
  [
    'byte',
    {
      simplest: '',
      forms: [`^(${base64}{4}){1,6}$`, `^(${base64}{4}){0,5}${base64End}$`],
      edges: ['', 'AA==', 'AAA=', 'AAAA', '////', '++++', '/+==', 'aGFsbG8='],
      wrong: ['A', 'AA', 'AAA', 'A===', 'AA=', 'AAAA=', '====', 'AA=A', 'A-_A', 'AA A', 'AAAAA', 'é===', 'AAAA!'],
    },
  ],
];
