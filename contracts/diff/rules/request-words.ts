/**
 * Promises about requests: how invalid ones are answered (`x-invalid`), rules that tie several parameters together (`x-parameter-rules`), and conditional
 * reads (RFC 9110 §13).
 */

import { follow, placeBelow } from '../../../core/document.ts';
import type { Place } from '../../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Operation } from '../../../core/operation.ts';
import type { Parameter } from '../../../core/parameter.ts';
import type { InvalidClass, ParameterRule } from '../../../core/rules.ts';
import { gather } from '../../../core/schema.ts';
import { isConditional } from '../../clauses.ts';
import { type Half, type Pair, writtenParameters } from './pair.ts';
import { searchInvalid, searchRule } from './request-witness.ts';
import { isSame, type Spot, show, spotAt } from './spot.ts';
import {
  compareSpots,
  compareUnknownKeys,
  compareWord,
  type Finding,
  type Ground,
  type Judge,
  judgeValue,
  objectAt,
  type Ruling,
  rule,
  toList,
  type Verdict,
  type Word,
} from './word.ts';

/** What can be wrong, with the words for it, and what holds where the file says nothing. */
const classes: Readonly<Record<InvalidClass, { readonly noun: string; readonly customary: string }>> = {
  malformed: { noun: 'text that is no value', customary: 'refused' },
  'out-of-range': { noun: 'a value out of range', customary: 'refused' },
  'unknown-value': { noun: 'a value that is not listed', customary: 'refused' },
  'broken-rule': { noun: 'parameters that break a rule', customary: 'refused' },
  'damaged-cursor': { noun: 'a damaged cursor', customary: 'refused' },
  sloppy: { noun: 'a sloppy spelling', customary: 'refused' },
  undeclared: { noun: 'a parameter that is not declared', customary: 'ignored' },
};

const classNames = Object.keys(classes) as readonly InvalidClass[];

/** Compares the answers that hold for every parameter; each reaches the operations to which such a request can be sent. */
export function compareInvalid(ground: Ground, pairs: readonly Pair[]): readonly Finding[] {
  const findings = classNames.flatMap((name) => {
    const reached = pairs.filter((pair) => canBe(name, pair.old.operation));
    return compareWord({ ...ground, operations: reached.map((pair) => pair.name) }, wordOf(reached, name));
  });
  return [...findings, ...compareUnknownKeys(ground, ['x-invalid'], classNames)];
}

/** Compares the answers that hold for one parameter only. Where it has none of its own, that of the API counts. */
export function compareParameterInvalid(pair: Pair): readonly Finding[] {
  const after = writtenParameters(pair.next);
  return [...writtenParameters(pair.old)].flatMap(([id, old]) => {
    const next = after.get(id);
    return next === undefined ? [] : classNames.flatMap((name) => compareOwn(pair, id, name, old, next));
  });
}

function compareOwn(pair: Pair, id: string, name: InvalidClass, old: JsonObject, next: JsonObject): readonly Finding[] {
  const hasOwn = (parameter: JsonObject): boolean => objectAt(parameter, ['x-invalid'])[name] !== undefined;
  if (!hasOwn(old) && !hasOwn(next)) return [];
  const [place = '', parameter = ''] = id.split(' ');
  const spotOf = ({ contract }: Half, holder: JsonObject): Spot => {
    const own = spotAt(contract, holder, ['x-invalid', name]);
    const general = spotAt(contract, contract.document.root, ['x-invalid', name]);
    return hasOwn(holder) ? own : { ...general, value: undefined, place: own.place };
  };
  const ground = { operations: pair.operations, location: `${place} parameter ${parameter}` };
  return compareSpots(ground, wordOf([pair], name, parameter), spotOf(pair.old, old), spotOf(pair.next, next));
}

function wordOf(pairs: readonly Pair[], name: InvalidClass, parameter?: string): Word {
  const { noun, customary } = classes[name];
  return {
    group: 'invalid',
    key: name,
    keys: ['x-invalid', name],
    noun: `the answer to ${noun}${parameter === undefined ? '' : ` for ${parameter}`}`,
    direction: 'request',
    fallback: customary,
    judge: (before, after) => judgeAnswer(name, before, after),
    // Readers of parameters do not see whether a cursor is damaged: only the server knows those that it gave out.
    search: name === 'damaged-cursor' ? undefined : (before, after) => searchInvalid(pairs, name, parameter, before, after),
  };
}

function judgeAnswer(name: InvalidClass, before: Json | undefined, after: Json | undefined): Ruling {
  if (isSame(before, after)) return rule(`${name}-written`, ['documentation', 'The answer is the one that was meant before.']);
  if (after === 'refused') return rule(`${name}-refused`, ['breaking', 'Clients that send such requests are refused.']);
  if (before !== 'refused') {
    return rule(`${name}-answered-otherwise`, ['breaking', 'Clients that send such requests get another answer to them than before.']);
  }
  if (after === 'accepted') return rule(`${name}-accepted`, ['compatible', 'What was refused is served.']);
  return rule(`${name}-softened`, ['risky', 'A mistake that was told before goes unnoticed: clients get another answer than they think.']);
}

/** Whether a request to an operation can be wrong in a way. */
function canBe(name: InvalidClass, { document, parameters, rules, collection }: Operation): boolean {
  const keywordsOf = ({ schema }: Parameter): readonly string[] => Object.keys(gather(document, schema));
  switch (name) {
    case 'undeclared':
      return true;
    case 'damaged-cursor':
      return collection?.page.style === 'cursor';
    case 'broken-rule':
      return rules.length > 0 || parameters.some(({ required }) => required);
    case 'unknown-value':
      return parameters.some(({ allowed }) => allowed.length > 0);
    case 'out-of-range':
      return parameters.some((parameter) => keywordsOf(parameter).some((keyword) => bounds.includes(keyword)));
    case 'malformed':
      return parameters.some((each) => each.kinds.join() !== 'string' || keywordsOf(each).some((keyword) => shapes.includes(keyword)));
    case 'sloppy':
      return parameters.some((parameter) => parameter.in !== 'header');
  }
}

/** What a value can be out of the range of. */
const bounds: readonly string[] = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems'],
];

/** What the text of a value can fail to look like. */
const shapes: readonly string[] = ['format', 'pattern'];

const word = 'x-parameter-rules';

/** A rule as it is written. */
type Written = ParameterRule & { readonly spot: Spot };

/** Compares the rules about several parameters of an operation; their order carries nothing. */
export function compareParameterRules(pair: Pair): readonly Finding[] {
  const [before, after] = [rulesOf(pair.old), rulesOf(pair.next)];
  const lost = before.filter((each) => !after.some((other) => means(each) === means(other)));
  const won = after.filter((each) => !before.some((other) => means(each) === means(other)));
  const changed = lost.flatMap((old) => {
    const next = won.find((each) => isRelated(old, each));
    return next === undefined ? [] : [{ old, next }];
  });
  return [
    ...changed.flatMap(({ old, next }) => tell(pair, old, next)),
    ...lost.filter((each) => !changed.some(({ old }) => old === each)).flatMap((old) => tell(pair, old, undefined)),
    ...won.filter((each) => !changed.some(({ next }) => next === each)).flatMap((next) => tell(pair, undefined, next)),
  ];
}

function rulesOf(half: Half): readonly Written[] {
  return toList(half.holder[word]).flatMap((entry, index) => {
    if (!isObject(entry)) return [];
    const spot = spotAt(half.contract, half.holder, [word, String(index)]);
    return Object.entries(entry).map(([name, names]) => ({ rule: name, parameters: toList(names).map(String), spot }) as Written);
  });
}

/** One of several parameters is the same rule in whichever order they are named. */
function means({ rule: name, parameters }: ParameterRule): string {
  return JSON.stringify([name, name === 'ordered' ? parameters : parameters.toSorted()]);
}

function isRelated(left: ParameterRule, right: ParameterRule): boolean {
  return left.rule === right.rule && left.parameters.some((name) => right.parameters.includes(name));
}

function tell(pair: Pair, old: Written | undefined, next: Written | undefined): readonly Finding[] {
  const told = next ?? old;
  if (told === undefined) return [];
  const lacking = (half: Half): Spot => ({ ...spotAt(half.contract, half.holder, [word, '-']), value: undefined, readings: [] });
  const changes: Word = {
    group: 'parameter-rule',
    key: '',
    keys: [word, told.rule],
    noun: `the rule about ${told.parameters.join(' and ')}`,
    direction: 'request',
    print: printRule,
    judge: judgeRule(pair, old, next),
    search: next && (() => searchRule(pair, next)),
  };
  return compareSpots(pair, changes, old?.spot ?? lacking(pair.old), next?.spot ?? lacking(pair.next));
}

/** A rule as people say it. */
function printRule(value: Json | undefined): string {
  if (!isObject(value)) return show(value);
  const [[name, names] = ['', null]] = Object.entries(value);
  return name === 'ordered' ? `${show(names)} in this order` : `${name.replaceAll('-', ' ')} ${show(names)}`;
}

function judgeRule({ next: { operation } }: Pair, old: Written | undefined, next: Written | undefined): Judge {
  if (old !== undefined && next !== undefined && isLooser(old, next))
    return () => rule('loosened', ['compatible', 'Whatever kept the old rule keeps the new one.']);
  const answer = operation.invalid['broken-rule'];
  const refused: Verdict =
    answer === 'refused'
      ? ['breaking', 'Clients that send the parameters as they might before are refused.']
      : ['risky', `Such requests are ${answer}, so clients may get another answer than they think.`];
  return judgeValue('', { gone: ['compatible', 'Whatever was accepted is accepted still.'], added: refused, changed: refused });
}

/** Fewer parameters that must be in order leave more requests in order; one of more parameters is not the same as one of fewer. */
function isLooser(old: ParameterRule, next: ParameterRule): boolean {
  if (old.rule !== 'ordered') return false;
  const left = old.parameters.filter((name) => next.parameters.includes(name));
  return left.join('\n') === next.parameters.join('\n');
}

/** Compares whether a read can be made conditional. What is missing for it is one change, whichever part it is. */
export function compareConditional(pair: Pair): readonly Finding[] {
  const [before, after] = [isDocumented(pair.old), isDocumented(pair.next)];
  if (before === after) return [];
  const part = missingPart(before ? pair.next : pair.old);
  const [old, next] = [spotOf(pair.old, part, before), spotOf(pair.next, part, after)];
  const findings = compareSpots({ ...pair, location: 'conditional read' }, conditionalWord, old, next);
  // What is missing may have been shared by several operations: it stood at one place, wherever each of them misses it.
  return findings.map((finding) => ({ ...finding, cause: JSON.stringify([finding.id, before ? old.place : next.place]) }));
}

const conditionalWord: Word = {
  group: 'read',
  key: 'conditional',
  keys: [],
  noun: 'the conditional read',
  judge: (_, after) =>
    after === undefined
      ? rule('conditional-gone', [
          'breaking',
          'Clients that ask whether their copy is current get the whole body each time, or nothing to ask with.',
        ])
      : rule('conditional-added', ['compatible', 'Clients may ask whether their copy is current; those that do not are served as before.']),
};

type Part = '304' | 'If-None-Match' | 'ETag';

function isDocumented(half: Half): boolean {
  return isConditional(half.operation) && missingPart(half) === undefined;
}

function missingPart({ operation }: Half): Part | undefined {
  if (!operation.responses.has('304')) return '304';
  if (!isConditional(operation)) return 'If-None-Match';
  const successes = [...operation.responses.values()].filter(({ status }) => status.startsWith('2'));
  return successes.some(({ headers }) => headers.some(({ name }) => name === 'etag')) ? undefined : 'ETag';
}

/** Where a part stands, or should; its name is value enough. */
function spotOf(half: Half, part: Part | undefined, isThere: boolean): Spot {
  const readings = isThere ? ['304, ETag and If-None-Match'] : [];
  return { value: readings[0], place: placeOf(half, part), questions: [], readings };
}

function placeOf(half: Half, part: Part | undefined): Place {
  const { contract, holder } = half;
  const { document } = contract;
  if (part === 'If-None-Match') {
    const parameter = [...writtenParameters(half)].find(([id]) => id.toLowerCase() === 'header if-none-match')?.[1];
    return parameter === undefined ? placeBelow(document, holder, ['parameters']) : document.place(parameter);
  }
  if (part === '304' || part === undefined) return placeBelow(document, holder, ['responses', '304']);
  const [, entry] = Object.entries(objectAt(holder, ['responses'])).find(([status]) => status.startsWith('2')) ?? [];
  const followed = follow(document, entry);
  const success = isObject(followed) ? followed : holder;
  const name = Object.keys(objectAt(success, ['headers'])).find((each) => each.toLowerCase() === 'etag') ?? 'ETag';
  return placeBelow(document, success, ['headers', name]);
}
