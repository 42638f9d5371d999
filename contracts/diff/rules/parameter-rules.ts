/** Rules that tie several parameters together: added, removed, or about other parameters. */

import { isObject, type Json } from '../../../core/json.ts';
import type { ParameterRule } from '../../../core/rules.ts';
import { judgeValue, rule, toList, type Verdict } from './judge.ts';
import { groundOf } from './list-words.ts';
import type { Half, Pair } from './pair.ts';
import { searchRule } from './request-witness.ts';
import type { Finding } from './rule-change.ts';
import { type Spot, show, spotAt } from './spot.ts';
import { compareSpots, type Word } from './word.ts';

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
  const alone = {
    lost: lost.filter((each) => !changed.some(({ old }) => old === each)),
    won: won.filter((each) => !changed.some(({ next }) => next === each)),
  };
  return [
    ...changed.flatMap(({ old, next }) => tell(pair, old, next)),
    ...alone.lost.flatMap((old) => tell(pair, old, undefined)),
    ...alone.won.flatMap((next) => tell(pair, undefined, next)),
  ];
}

function rulesOf(half: Half): readonly Written[] {
  return toList(half.written[word]).flatMap((entry, index) => {
    if (!isObject(entry)) return [];
    const spot = spotAt(half.contract, half.written, [word, String(index)]);
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
  const lacking = (half: Half): Spot => ({ ...spotAt(half.contract, half.written, [word, '-']), value: undefined, readings: [] });
  const changes: Word = {
    group: 'parameter-rule',
    key: '',
    keys: [word, told.rule],
    noun: `the rule about ${told.parameters.join(' and ')}`,
    direction: 'request',
    print: printRule,
    judge: (before, after) => judgeRule(pair, old, next, before, after),
    ...(next === undefined ? {} : { search: () => searchRule(pair, next) }),
  };
  return compareSpots(groundOf(pair), changes, old?.spot ?? lacking(pair.old), next?.spot ?? lacking(pair.next));
}

/** A rule as people say it. */
function printRule(value: Json | undefined): string {
  if (!isObject(value)) return show(value);
  const [[name, names] = ['', null]] = Object.entries(value);
  return name === 'ordered' ? `${show(names)} in this order` : `${name.replaceAll('-', ' ')} ${show(names)}`;
}

function judgeRule(
  { next: { operation } }: Pair,
  old: Written | undefined,
  next: Written | undefined,
  before: Json | undefined,
  after: Json | undefined,
): ReturnType<Word['judge']> {
  const isRefused = operation.invalid['broken-rule'] === 'refused';
  const refused: Verdict = isRefused
    ? ['breaking', 'Clients that send the parameters as they might before are refused.']
    : ['risky', `Such requests are ${operation.invalid['broken-rule']}, so clients may get another answer than they think.`];
  if (old !== undefined && next !== undefined && isLooser(old, next)) {
    return rule('loosened', ['compatible', 'Whatever kept the old rule keeps the new one.']);
  }
  const gone: Verdict = ['compatible', 'Whatever was accepted is accepted still.'];
  return judgeValue('', { gone, added: refused, changed: refused })(before, after);
}

/** Fewer parameters that must be in order leave more requests in order; one of more parameters is not the same as one of fewer. */
function isLooser(old: ParameterRule, next: ParameterRule): boolean {
  if (old.rule !== 'ordered') return false;
  const left = old.parameters.filter((name) => next.parameters.includes(name));
  return left.join('\n') === next.parameters.join('\n');
}
