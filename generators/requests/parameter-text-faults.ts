/**
 * Faults in the text of a parameter rather than in its value: `+5` for 5, a broken escape, a repeated parameter. Whether the contract finds a problem is
 * confirmed later.
 */

import { type Arbitrary, constantFrom, tuple } from 'fast-check';
import { isArray, isObject, type Json } from '../../core/json.ts';
import { type ParameterText, printQueryText, printSegmentText } from '../../core/parameters/parameter-style.ts';
import type { Parameter } from '../../core/parameters/parse-parameter.ts';
import { encodeText } from '../../core/parameters/query-string.ts';
import type { ValueKind } from '../../core/parameters/read-value.ts';
import { undefinedOn } from '../generation-errors.ts';
import { isCursor, tryPrint } from './parameter-values.ts';
import type { BrokenRule, RequestFault } from './request-fault.ts';
import { partsIfPossible, type RequestPartsFactory } from './request-parts.ts';

/** Requests with an invalid parameter text: one arbitrary for each parameter and rule. */
export function textFaults(factory: RequestPartsFactory): readonly Arbitrary<RequestFault | undefined>[] {
  return factory.sendable.flatMap(({ parameter, values }) => {
    if (isCursor(factory.operation, parameter)) return [];
    const rules = [...new Set(textFaultsOf(parameter).map(({ rule }) => rule))];
    const [valid] = partsIfPossible(factory, { with: [parameter.key] });
    if (valid === undefined) return [];
    return rules.map((rule) => {
      const faults = textFaultsOf(parameter).filter((fault) => fault.rule === rule);
      return tuple(valid, constantFrom(...faults), values).map(([parts, { problem, write }, otherValue]): RequestFault | undefined => {
        const text = write(parts.values.get(parameter.key) ?? null, otherValue);
        if (text === undefined) return undefined;
        return { rule, parameters: [parameter.name], problem, parts: { ...parts, texts: new Map([[parameter.key, text]]) } };
      });
    });
  });
}

/** A way to damage the text of a parameter. */
interface TextFault {
  readonly rule: BrokenRule;
  /** The problem, as a clause without a subject: `is above 100`. */
  readonly problem: string;
  /** Writes the damaged text of a value; `otherValue` is another value of the parameter. `undefined` when the fault does not apply. */
  readonly write: (value: Json, otherValue: Json) => string | undefined;
}

/** A fault in the text of one value, before it is encoded. */
type WordFault = readonly [rule: BrokenRule, problem: string, damage: (word: string) => string];

function textFaultsOf(parameter: Parameter): readonly TextFault[] {
  const wordFaultsOfKind = parameter.json
    ? []
    : [...new Set(parameter.kinds)].flatMap((kind) => wordFaults[kind]).concat(parameter.allowed.length > 0 ? enumFaults : []);
  const faults = wordFaultsOfKind.map(
    ([rule, problem, damage]): TextFault => ({ rule, problem, write: (value) => printDamaged(parameter, value, damage) }),
  );
  return [...faults, ...(parameter.json ? [brokenJson(parameter)] : []), ...rawTextFaults(parameter)];
}

const spaceFaults: readonly WordFault[] = [
  ['spelling', 'has a space before it', (word) => ` ${word}`],
  ['spelling', 'has a space after it', (word) => `${word} `],
];

const numberFaults: readonly WordFault[] = [
  ['spelling', 'has a plus before it', (word) => `+${word}`],
  ['spelling', 'has a zero before it', (word) => word.replace(/^-?/, '$&0')],
  ['type', 'is a word', () => 'abc'],
  ['type', 'is not a number', () => 'NaN'],
  ['type', 'has a letter after it', (word) => `${word}x`],
  ['type', 'has a decimal comma', (word) => `${word},5`],
  ...spaceFaults,
];

const wordFaults: Readonly<Record<ValueKind, readonly WordFault[]>> = {
  integer: [
    ['spelling', 'has a needless decimal', (word) => `${word}.0`],
    ['type', 'has a decimal', (word) => `${word}.5`],
    ['type', 'is written with an exponent', (word) => `${word}e1`],
    ...numberFaults,
  ],
  number: numberFaults,
  boolean: [
    ['spelling', 'is in capitals', (word) => word.toUpperCase()],
    ['spelling', 'is a number for a truth value', (word) => (word === 'true' ? '1' : '0')],
    ['type', 'is neither true nor false', () => 'maybe'],
    ...spaceFaults,
  ],
  'date-time': [
    ['spelling', 'lacks the offset', (word) => word.replace(/(z|[+-]\d\d:\d\d)$/i, '')],
    ['spelling', 'has a space for the T', (word) => word.replace(/t/i, ' ')],
    ['spelling', 'is a bare date', (word) => word.slice(0, 10)],
    ['format', 'names a day that does not exist', (word) => word.replace(/^\d{4}-\d\d-\d\d/, '2026-02-30')],
    ['format', 'is a word', () => 'yesterday'],
    ...spaceFaults,
  ],
  string: spaceFaults,
};

const enumFaults: readonly WordFault[] = [
  ['spelling', 'is in capitals', (word) => word.toUpperCase()],
  ['enum', 'has an extra letter', (word) => `${word}x`],
];

/** Prints a value with one damaged word: the last of a list or an object. */
function printDamaged(parameter: Parameter, value: Json, damage: (word: string) => string): string | undefined {
  if (isArray(value)) {
    const words = value.map(String);
    return tryPrintText(parameter, words.with(-1, damage(words.at(-1) ?? '')));
  }
  if (!isObject(value)) return tryPrintText(parameter, damage(String(value)));
  const members = Object.entries(value).map(([memberName, member]) => [memberName, String(member)] as const);
  const [name, word] = members.at(-1) ?? ['', ''];
  return tryPrintText(parameter, Object.fromEntries([...members.slice(0, -1), [name, damage(word)]]));
}

function tryPrintText(parameter: Parameter, text: ParameterText): string | undefined {
  // A style that cannot carry a text throws a TypeError.
  return undefinedOn(
    () => (parameter.in === 'query' ? printQueryText(parameter.style, text) : printSegmentText(parameter.style, text)),
    TypeError,
  );
}

function brokenJson(parameter: Parameter): TextFault {
  return { rule: 'json', problem: 'is not JSON', write: () => tryPrintText(parameter, '{') };
}

/** Faults of the encoded text. */
function rawTextFaults(parameter: Parameter): readonly TextFault[] {
  const onText = (damage: (text: string) => string | undefined) => (value: Json) => {
    const text = tryPrint(parameter, value);
    return text === undefined ? undefined : damage(text);
  };
  const isQuery = parameter.in === 'query';
  const escapes: readonly TextFault[] = [
    { rule: 'encoding', problem: 'ends with a bare percent sign', write: onText((text) => `${text}%`) },
    { rule: 'encoding', problem: 'has bytes that are not UTF-8', write: onText((text) => `${text}%E9`) },
  ];
  const comma: TextFault = { rule: 'spelling', problem: 'has a comma at its end', write: onText((text) => `${text},`) };
  const query: readonly TextFault[] = [
    { rule: 'empty', problem: 'has no value', write: () => `${encodeText(parameter.name)}=` },
    {
      rule: 'spelling',
      problem: 'has a plus that is not encoded',
      write: onText((text) => (text.includes('%2B') ? text.replaceAll('%2B', '+') : undefined)),
    },
    {
      rule: 'repeated',
      problem: 'is sent twice',
      write: (value, otherValue) => [value, otherValue].map((each) => tryPrint(parameter, each) ?? '').join('&'),
    },
  ];
  return [
    ...(parameter.in === 'header' ? [] : escapes),
    ...(parameter.style.shape === 'list' ? [comma] : []),
    ...(isQuery ? query : []),
    ...(parameter.in === 'header' || parameter.in === 'cookie'
      ? [{ rule: 'empty', problem: 'has no value', write: () => '' } as const]
      : []),
  ];
}
