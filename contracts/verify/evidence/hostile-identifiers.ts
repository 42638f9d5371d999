/**
 * Draws hostile identifiers, such as SQL and path traversals, one of each kind. `malformed-parameter-rules.ts` calls it when a round examines its rule
 * `details/hostile`. The same seed and the same known identifier give the same ones. It sends nothing; texts that the schema of a parameter refuses are in
 * `invalid-parameter-texts.ts`.
 */

import fc from 'fast-check';
import { encodeText } from '../../../core/parameters/query-string.ts';

/** An unusual part of a text, as a noun. */
type HostileKind =
  | 'a wildcard of SQL'
  | 'a quote of SQL'
  | 'signs of other writing'
  | 'broken UTF-8'
  | 'a control sign'
  | 'a path to elsewhere'
  | 'a piece of a program'
  | 'a look-alike'
  | 'a very long name';

/** A hostile identifier. */
export interface HostileIdentifier {
  /** The unusual part of the text, as a noun. */
  readonly kind: HostileKind;
  /** As it is sent, percent-encoded. */
  readonly raw: string;
  /** Decoded text; `undefined` where decoding fails. */
  readonly text: string | undefined;
}

/** Draws one identifier of each kind. The same seed and the same known identifier give the same ones. */
export function drawHostileIdentifiers(seed: number, identifier: string): readonly HostileIdentifier[] {
  const [drawn = []] = fc.sample(fc.tuple(...kindsFor(identifier)), { numRuns: 1, seed });
  return drawn;
}

/** The kinds of hostile identifiers, the most effective first: quick runs send only the first. */
function kindsFor(identifier: string): readonly fc.Arbitrary<HostileIdentifier>[] {
  return [
    wildcards(identifier).map(hostileText('a wildcard of SQL')),
    injections.map(hostileText('a quote of SQL')),
    otherWriting.map(hostileText('signs of other writing')),
    fc
      .constantFrom('%FF', '%C3%28', '%ED%A0%80', '%F5%80%80%80', '%C0%AF')
      .chain((bytes) => word.map((text) => brokenUtf8(`${text}${bytes}`))),
    word.chain((text) => fc.constantFrom(`${text}\u0000${text}`, `${text}\r\nX-Injected: ${text}`)).map(hostileText('a control sign')),
    traversals.map(hostileText('a path to elsewhere')),
    fc.oneof(templates, programs).map(hostileText('a piece of a program')),
    lookalike(identifier).map(hostileText('a look-alike')),
    fc.integer({ min: 300, max: 600 }).chain((length) => letter.map((sign) => hostileText('a very long name')(`zz${sign.repeat(length)}`))),
  ];
}

const letter: fc.Arbitrary<string> = fc.constantFrom(...'bcdfghjklmnpqrstvwxz');

const word: fc.Arbitrary<string> = fc.array(letter, { minLength: 3, maxLength: 8 }).map((letters) => letters.join(''));

/** Makes identifiers of a kind from texts. */
function hostileText(kind: HostileKind): (text: string) => HostileIdentifier {
  return (text) => ({ kind, text, raw: encodeText(text) });
}

function brokenUtf8(raw: string): HostileIdentifier {
  return { kind: 'broken UTF-8', raw, text: undefined };
}

/** In SQL's LIKE, `%` is any text and `_` is any letter. */
function wildcards(identifier: string): fc.Arbitrary<string> {
  const letters = [...identifier];
  const place = fc.nat({ max: Math.max(0, letters.length - 1) });
  const oneForAny = place.map((index) => letters.map((sign, position) => (position === index ? '_' : sign)).join(''));
  const beginning = place.map((index) => `${letters.slice(0, Math.max(1, Math.min(index, letters.length - 1))).join('')}%`);
  return fc.oneof(oneForAny, beginning, fc.constant('%'));
}

const injections: fc.Arbitrary<string> = fc
  .tuple(word, fc.constantFrom("' OR '1'='1", "' OR 1=1 -- ", `" OR ""="`, "'; SELECT 1; -- ", "') OR ('x'='x"))
  .map(([name, end]) => `${name}.${end}`);

const traversals: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom('../', '..\\', '....//'), fc.integer({ min: 2, max: 5 }), fc.constantFrom('etc/passwd', 'windows/win.ini', '.env'))
  .map(([step, depth, file]) => `${step.repeat(depth)}${file}`);

const templates: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(['{{', '}}'], ['${', '}'], ['<%=', '%>'], ['#{', '}']), fc.integer({ min: 11, max: 99 }))
  .map(([[open = '', close = ''], number]) => `${open}${number}*${number}${close}`);

const programs: fc.Arbitrary<string> = fc.constantFrom(
  'null',
  'undefined',
  'NaN',
  'true',
  '[object Object]',
  '{}',
  '[]',
  '__proto__',
  'constructor',
);

/** Letters of other scripts that look like Latin ones. A name with one of them is another name. */
const lookalikes: Readonly<Record<string, string>> = {
  a: 'а',
  e: 'е',
  o: 'о',
  p: 'р',
  c: 'с',
  x: 'х',
  y: 'у',
  A: 'А',
  B: 'В',
  E: 'Е',
  K: 'К',
  M: 'М',
  T: 'Т',
  H: 'Н',
  R: 'Я',
};

function lookalike(identifier: string): fc.Arbitrary<string> {
  const letters = [...identifier];
  const places = letters.flatMap((sign, index) => (lookalikes[sign] === undefined ? [] : [index]));
  if (places.length === 0) return word.map((text) => `${identifier}а${text}`);
  return fc
    .constantFrom(...places)
    .map((place) => letters.map((sign, index) => (index === place ? (lookalikes[sign] ?? sign) : sign)).join(''));
}

/** A sign that changes the direction of writing, letters of another script and an emoji. */
const otherWriting: fc.Arbitrary<string> = fc
  .tuple(word, fc.constantFrom('👩‍👩‍👧', '🏴‍☠️', '🇮🇹', '💥'))
  .map(([text, emoji]) => `${text}\u202E${text}\u05D0\u05D1\u0661${emoji}`);
