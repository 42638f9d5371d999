/** How invalid requests are answered: for the whole API, and for single parameters. */

import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Operation } from '../../../core/operation.ts';
import type { Parameter } from '../../../core/parameter.ts';
import type { InvalidClass } from '../../../core/rules.ts';
import { gather } from '../../../core/schema.ts';
import { rule } from './judge.ts';
import { compareUnknownKeys } from './list-words.ts';
import { type Pair, writtenParameters } from './pair.ts';
import { searchInvalid } from './request-witness.ts';
import type { Finding } from './rule-change.ts';
import { isSame, type Spot, spotAt } from './spot.ts';
import { compareSpots, compareWord, type Ground, type Ruling, type Word } from './word.ts';

/** What can be wrong, each with what holds where the file says nothing, and with the words for it. */
const classes: readonly { readonly name: InvalidClass; readonly customary: string; readonly noun: string }[] = [
  { name: 'malformed', customary: 'refused', noun: 'text that is no value' },
  { name: 'out-of-range', customary: 'refused', noun: 'a value out of range' },
  { name: 'unknown-value', customary: 'refused', noun: 'a value that is not listed' },
  { name: 'broken-rule', customary: 'refused', noun: 'parameters that break a rule' },
  { name: 'damaged-cursor', customary: 'refused', noun: 'a damaged cursor' },
  { name: 'sloppy', customary: 'refused', noun: 'a sloppy spelling' },
  { name: 'undeclared', customary: 'ignored', noun: 'a parameter that is not declared' },
];

/** Compares the answers that hold for every parameter; each reaches the operations to which such a request can be sent. */
export function compareInvalid(ground: Ground, pairs: readonly Pair[]): readonly Finding[] {
  const known = classes.map(({ name }) => name);
  const findings = known.flatMap((name) => {
    const reached = pairs.filter((pair) => canBe(name, pair.old.operation));
    const search: Word['search'] = (before, after) => searchInvalid(reached, name, undefined, before, after);
    return compareWord({ ...ground, operations: reached.map((pair) => pair.name) }, { ...wordOf(name), ...searchable(name, search) });
  });
  return [...findings, ...compareUnknownKeys(ground, ['x-invalid'], known)];
}

/** Compares the answers that hold for one parameter only. Where it has none of its own, that of the API counts. */
export function compareParameterInvalid(pair: Pair): readonly Finding[] {
  const [before, after] = [writtenParameters(pair.old), writtenParameters(pair.next)];
  return [...before].flatMap(([id, old]) => {
    const next = after.get(id);
    return next === undefined ? [] : classes.flatMap(({ name }) => compareOwn(pair, id, name, old, next));
  });
}

function compareOwn(pair: Pair, id: string, name: InvalidClass, old: JsonObject, next: JsonObject): readonly Finding[] {
  if (!hasOwn(old, name) && !hasOwn(next, name)) return [];
  const [place = '', parameter = ''] = id.split(' ');
  const spotOf = (half: Pair['old'], holder: JsonObject): Spot => {
    const own = spotAt(half.contract, holder, ['x-invalid', name]);
    const general = spotAt(half.contract, half.contract.document.root, ['x-invalid', name]);
    return hasOwn(holder, name) ? own : { ...general, value: undefined, place: own.place };
  };
  const [before, after] = [spotOf(pair.old, old), spotOf(pair.next, next)];
  const search: Word['search'] = (from, to) => searchInvalid([pair], name, parameter, from, to);
  const ground = { operations: [pair.name], location: `${place} parameter ${parameter}` };
  return compareSpots(ground, { ...wordOf(name, ` for ${parameter}`), ...searchable(name, search) }, before, after);
}

function hasOwn(parameter: JsonObject, name: InvalidClass): boolean {
  const invalid = parameter['x-invalid'];
  return isObject(invalid) && invalid[name] !== undefined;
}

function wordOf(name: InvalidClass, where = ''): Word {
  const { customary = 'refused', noun = name } = classes.find((each) => each.name === name) ?? {};
  return {
    group: 'invalid',
    key: name,
    keys: ['x-invalid', name],
    noun: `the answer to ${noun}${where}`,
    direction: 'request',
    fallback: customary,
    judge: (before, after) => judgeAnswer(name, before, after),
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

/** Readers of parameters do not see whether a cursor is damaged: only the server knows those that it gave out. */
function searchable(name: InvalidClass, search: Word['search']): Pick<Word, 'search'> {
  return name === 'damaged-cursor' || search === undefined ? {} : { search };
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
