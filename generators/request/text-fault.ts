/** Wrong texts of parameters: what only the wire can show, such as `+5` for 5, a broken escape, or the same parameter twice. */

import { type Arbitrary, constantFrom, tuple } from 'fast-check';
import { isObject, type Json } from '../../core/json.ts';
import type { Parameter } from '../../core/parameter.ts';
import type { ValueKind } from '../../core/strict.ts';
import { encodeText, printQueryText, printSegmentText, type Text } from '../../core/style.ts';
import { unless } from '../outcome.ts';
import type { BrokenRule, Fault } from './fault.ts';
import { type Desk, partsOrNone } from './request.ts';
import { isCursor, tryPrint } from './values.ts';

/** Requests with a text that is no text of its parameter: one arbitrary for each parameter and rule. */
export function textFaults(desk: Desk): readonly Arbitrary<Fault | undefined>[] {
  return desk.sendable.flatMap(({ parameter, values }) => {
    if (isCursor(desk.operation, parameter)) return [];
    const rules = [...new Set(changesOf(parameter).map(({ rule }) => rule))];
    const [sound] = partsOrNone(desk, { with: [parameter.key] });
    if (sound === undefined) return [];
    return rules.map((rule) => {
      const changes = changesOf(parameter).filter((change) => change.rule === rule);
      return tuple(sound, constantFrom(...changes), values).map(([parts, { change, spell }, other]): Fault | undefined => {
        const text = spell(parts.values.get(parameter.key) ?? null, other);
        if (text === undefined) return undefined;
        return { rule, parameters: [parameter.name], change, parts: { ...parts, texts: new Map([[parameter.key, text]]) } };
      });
    });
  });
}

/** A way to spoil the text of a parameter. */
interface TextChange {
  readonly rule: BrokenRule;
  /** What is wrong then, as a clause without a subject. */
  readonly change: string;
  /** The spoiled text for a value, given another value too; `undefined` when the way does not apply to it. */
  readonly spell: (value: Json, other: Json) => string | undefined;
}

/** A change of the text of one value, before it is encoded. */
type WordChange = readonly [rule: BrokenRule, change: string, spoil: (word: string) => string];

function changesOf(parameter: Parameter): readonly TextChange[] {
  const words = parameter.json
    ? []
    : [...new Set(parameter.kinds)].flatMap((kind) => wordChanges[kind]).concat(parameter.allowed.length > 0 ? listedChanges : []);
  const changes = words.map(
    ([rule, change, spoil]): TextChange => ({ rule, change, spell: (value) => printSpoiled(parameter, value, spoil) }),
  );
  return [...changes, ...(parameter.json ? [brokenJson(parameter)] : []), ...rawChanges(parameter)];
}

const spaces: readonly WordChange[] = [
  ['spelling', 'has a space before it', (word) => ` ${word}`],
  ['spelling', 'has a space behind it', (word) => `${word} `],
];

const numberChanges: readonly WordChange[] = [
  ['spelling', 'has a plus before it', (word) => `+${word}`],
  ['spelling', 'has a zero before it', (word) => word.replace(/^-?/, '$&0')],
  ['type', 'is a word', () => 'abc'],
  ['type', 'is no number', () => 'NaN'],
  ['type', 'has a letter behind it', (word) => `${word}x`],
  ['type', 'has a decimal comma', (word) => `${word},5`],
  ...spaces,
];

const wordChanges: Readonly<Record<ValueKind, readonly WordChange[]>> = {
  integer: [
    ['spelling', 'has a needless decimal', (word) => `${word}.0`],
    ['type', 'has a decimal', (word) => `${word}.5`],
    ['type', 'is written with an exponent', (word) => `${word}e1`],
    ...numberChanges,
  ],
  number: numberChanges,
  boolean: [
    ['spelling', 'is in capitals', (word) => word.toUpperCase()],
    ['spelling', 'is a number for a truth value', (word) => (word === 'true' ? '1' : '0')],
    ['type', 'is neither true nor false', () => 'maybe'],
    ...spaces,
  ],
  'date-time': [
    ['spelling', 'lacks the offset', (word) => word.replace(/(z|[+-]\d\d:\d\d)$/i, '')],
    ['spelling', 'has a space for the T', (word) => word.replace(/t/i, ' ')],
    ['spelling', 'is a bare date', (word) => word.slice(0, 10)],
    ['format', 'names a day that does not exist', (word) => word.replace(/^\d{4}-\d\d-\d\d/, '2026-02-30')],
    ['format', 'is a word', () => 'yesterday'],
    ...spaces,
  ],
  string: spaces,
};

const listedChanges: readonly WordChange[] = [
  ['spelling', 'is in capitals', (word) => word.toUpperCase()],
  ['enum', 'has a letter too many', (word) => `${word}x`],
];

/** Prints a value of which one word is spoiled: the last of a list or an object. */
function printSpoiled(parameter: Parameter, value: Json, spoil: (word: string) => string): string | undefined {
  if (Array.isArray(value)) {
    const words = (value as readonly Json[]).map(String);
    return tryPrintText(parameter, words.with(-1, spoil(words.at(-1) ?? '')));
  }
  if (!isObject(value)) return tryPrintText(parameter, spoil(String(value)));
  const members = Object.entries(value).map(([name, member]) => [name, String(member)] as const);
  const [name, word] = members.at(-1) ?? ['', ''];
  return tryPrintText(parameter, Object.fromEntries([...members.slice(0, -1), [name, spoil(word)]]));
}

function tryPrintText(parameter: Parameter, text: Text): string | undefined {
  // This is how the core says that a style cannot carry a text.
  return unless(
    () => (parameter.in === 'query' ? printQueryText(parameter.style, text) : printSegmentText(parameter.style, text)),
    TypeError,
  );
}

function brokenJson(parameter: Parameter): TextChange {
  return { rule: 'json', change: 'is not JSON', spell: () => tryPrintText(parameter, '{') };
}

/** Changes of the text as it is sent. */
function rawChanges(parameter: Parameter): readonly TextChange[] {
  const onText = (spoil: (text: string) => string | undefined) => (value: Json) => {
    const text = tryPrint(parameter, value);
    return text === undefined ? undefined : spoil(text);
  };
  const isQuery = parameter.in === 'query';
  const escapes: readonly TextChange[] = [
    { rule: 'encoding', change: 'ends with a bare percent sign', spell: onText((text) => `${text}%`) },
    { rule: 'encoding', change: 'has bytes that are not UTF-8', spell: onText((text) => `${text}%E9`) },
  ];
  const comma: TextChange = { rule: 'spelling', change: 'has a comma at its end', spell: onText((text) => `${text},`) };
  const query: readonly TextChange[] = [
    { rule: 'empty', change: 'has no value', spell: () => `${encodeText(parameter.name)}=` },
    {
      rule: 'spelling',
      change: 'has a plus that is not encoded',
      spell: onText((text) => (text.includes('%2B') ? text.replaceAll('%2B', '+') : undefined)),
    },
    {
      rule: 'repeated',
      change: 'is sent twice',
      spell: (value, other) => [value, other].map((each) => tryPrint(parameter, each) ?? '').join('&'),
    },
  ];
  return [
    ...(parameter.in === 'header' ? [] : escapes),
    ...(parameter.style.shape === 'list' ? [comma] : []),
    ...(isQuery ? query : []),
    ...(parameter.in === 'header' || parameter.in === 'cookie'
      ? [{ rule: 'empty', change: 'has no value', spell: () => '' } as const]
      : []),
  ];
}
