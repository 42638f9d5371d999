/**
 * Compares the annotations of requests: answers to invalid requests (`x-invalid`), rules on several parameters (`x-parameter-rules`), and conditional reads
 * (RFC 9110 §13), which a 304 promises.
 */

import type { InvalidClass, ParameterRule } from '../../../core/annotations/annotations.ts';
import { isObject, type Json, type JsonObject, printJson } from '../../../core/json.ts';
import { isSameValue } from '../../../core/json-equality.ts';
import { isConditional, type Operation } from '../../../core/openapi/operation.ts';
import { rawOf } from '../../../core/openapi/raw-document.ts';
import { mergedBranchKeywords } from '../../../core/openapi/schema-facts.ts';
import { placeBelow } from '../../../core/openapi/source-positions.ts';
import type { Parameter } from '../../../core/parameters/parse-parameter.ts';
import type { Difference } from '../difference.ts';
import type { DocumentedParameter } from '../operations/documented-operations.ts';
import { findInvalidWitness, findParameterRuleWitness } from '../witnesses/find-request-annotation-witness.ts';
import { type AnnotatedOperation, type AnnotatedOperationPair, type AnnotationContext, objectAt } from './annotated-operation-pair.ts';
import {
  type AnnotationKeyword,
  compareKeyword,
  compareLocated,
  type LevelAndReason,
  type RateChange,
  type RatedChange,
  rateValue,
  toList,
  toRating,
} from './compare-annotation-keyword.ts';
import { type LocatedValue, locateValue, printAnnotation } from './located-value.ts';

/** Classes of invalid requests, with their noun and the default answer. */
const invalidClasses: Readonly<Record<InvalidClass, { readonly noun: string; readonly defaultAnswer: string }>> = {
  malformed: { noun: 'malformed text', defaultAnswer: 'refused' },
  'out-of-range': { noun: 'a value out of range', defaultAnswer: 'refused' },
  'unknown-value': { noun: 'an unknown value', defaultAnswer: 'refused' },
  'broken-rule': { noun: 'parameters that violate a rule', defaultAnswer: 'refused' },
  'damaged-cursor': { noun: 'a damaged cursor', defaultAnswer: 'refused' },
  sloppy: { noun: 'a lenient spelling', defaultAnswer: 'refused' },
  undeclared: { noun: 'an undeclared parameter', defaultAnswer: 'ignored' },
};

const classNames = Object.keys(invalidClasses) as readonly InvalidClass[];

/** Compares the answers of the whole file. An answer affects every operation that can receive such a request. */
export function compareInvalid(context: AnnotationContext, pairs: readonly AnnotatedOperationPair[]): readonly Difference[] {
  return classNames.flatMap((name) => {
    const reached = pairs.filter((pair) => canOccur(name, pair.old.operation));
    return compareKeyword({ ...context, operations: reached.map((pair) => pair.name) }, invalidKeyword(reached, name));
  });
}

/** Compares the answers that single parameters set. A parameter without an answer has the answer of the whole file. */
export function compareParameterInvalid(pair: AnnotatedOperationPair): readonly Difference[] {
  return [...pair.old.parameters].flatMap(([id, old]) => {
    const next = pair.new.parameters.get(id);
    return next === undefined ? [] : classNames.flatMap((name) => compareOwnAnswer(pair, name, old, next));
  });
}

function compareOwnAnswer(
  pair: AnnotatedOperationPair,
  name: InvalidClass,
  { in: place, name: parameter, value: old }: DocumentedParameter,
  { value: next }: DocumentedParameter,
): readonly Difference[] {
  const setsAnswer = (declared: JsonObject): boolean => objectAt(declared, ['x-invalid'])[name] !== undefined;
  if (!setsAnswer(old) && !setsAnswer(next)) return [];
  const locate = ({ contract }: AnnotatedOperation, holder: JsonObject): LocatedValue => {
    const ownAnswer = locateValue(contract, holder, ['x-invalid', name]);
    const answerOfFile = locateValue(contract, rawOf(contract.document).root, ['x-invalid', name]);
    return setsAnswer(holder) ? ownAnswer : { ...answerOfFile, value: undefined, place: ownAnswer.place };
  };
  const context = { operations: pair.operations, part: { kind: 'parameter', in: place, name: parameter } as const };
  return compareLocated(context, invalidKeyword([pair], name, parameter), locate(pair.old, old), locate(pair.new, next));
}

function invalidKeyword(pairs: readonly AnnotatedOperationPair[], name: InvalidClass, parameter?: string): AnnotationKeyword {
  const { noun, defaultAnswer } = invalidClasses[name];
  return {
    group: 'invalid',
    key: name,
    keys: ['x-invalid', name],
    noun: `the handling of ${noun}${parameter === undefined ? '' : ` for ${parameter}`}`,
    direction: 'request',
    fallback: defaultAnswer,
    rate: (before, after) => rateAnswer(name, before, after),
    // Only the server knows which cursors it issued, so a request alone cannot show a damaged one.
    search: name === 'damaged-cursor' ? undefined : (before, after) => findInvalidWitness(pairs, name, parameter, before, after),
  };
}

function rateAnswer(name: InvalidClass, before: Json | undefined, after: Json | undefined): RatedChange {
  if (isSameValue(before, after))
    return toRating(`${name}-made-explicit`, ['documentation', 'The file now states the default explicitly.']);
  if (after === 'refused') return toRating(`${name}-refused`, ['breaking', 'Such requests, which clients may send, are now rejected.']);
  if (before !== 'refused') {
    return toRating(`${name}-answer-changed`, ['breaking', 'Clients that send such requests get a different response.']);
  }
  if (after === 'accepted') return toRating(`${name}-accepted`, ['compatible', 'Requests that were rejected are accepted.']);
  return toRating(`${name}-softened`, [
    'risky',
    'A mistake that was reported before goes unnoticed: clients get a different response from the one they expect.',
  ]);
}

/** True if a request of an operation can be invalid in this way. */
function canOccur(name: InvalidClass, { document, parameters, rules, collection }: Operation): boolean {
  const keywordsOf = ({ schema }: Parameter): readonly string[] => Object.keys(mergedBranchKeywords(document, schema));
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
      return parameters.some((parameter) => keywordsOf(parameter).some((keyword) => boundKeywords.includes(keyword)));
    case 'malformed':
      return parameters.some(
        (each) => each.kinds.join() !== 'string' || keywordsOf(each).some((keyword) => textKeywords.includes(keyword)),
      );
    case 'sloppy':
      return parameters.some((parameter) => parameter.in !== 'header');
  }
}

/** Keywords that a value out of range violates. */
const boundKeywords: readonly string[] = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems'],
];

/** Keywords that malformed text violates. */
const textKeywords: readonly string[] = ['format', 'pattern'];

const parameterRulesKey = 'x-parameter-rules';

/** A rule as written. */
type WrittenRule = ParameterRule & { readonly located: LocatedValue };

/** Compares the rules on several parameters; their order does not count. */
export function compareParameterRules(pair: AnnotatedOperationPair): readonly Difference[] {
  const [before, after] = [writtenRules(pair.old), writtenRules(pair.new)];
  const gone = before.filter((each) => !after.some((other) => ruleKey(each) === ruleKey(other)));
  const added = after.filter((each) => !before.some((other) => ruleKey(each) === ruleKey(other)));
  const changed = gone.flatMap((old) => {
    const next = added.find((each) => isRelated(old, each));
    return next === undefined ? [] : [{ old, next }];
  });
  return [
    ...changed.flatMap(({ old, next }) => compareRule(pair, old, next)),
    ...gone.filter((each) => !changed.some(({ old }) => old === each)).flatMap((old) => compareRule(pair, old, undefined)),
    ...added.filter((each) => !changed.some(({ next }) => next === each)).flatMap((next) => compareRule(pair, undefined, next)),
  ];
}

function writtenRules(side: AnnotatedOperation): readonly WrittenRule[] {
  return toList(side.holder[parameterRulesKey]).flatMap((entry, index) => {
    if (!isObject(entry)) return [];
    const located = locateValue(side.contract, side.holder, [parameterRulesKey, String(index)]);
    return Object.entries(entry).map(([name, names]) => ({ rule: name, parameters: toList(names).map(String), located }) as WrittenRule);
  });
}

/** Key of a rule. The order of parameters counts only for `ordered`. */
function ruleKey({ rule: name, parameters }: ParameterRule): string {
  return printJson([name, name === 'ordered' ? parameters : parameters.toSorted()]);
}

function isRelated(left: ParameterRule, right: ParameterRule): boolean {
  return left.rule === right.rule && left.parameters.some((name) => right.parameters.includes(name));
}

function compareRule(pair: AnnotatedOperationPair, old: WrittenRule | undefined, next: WrittenRule | undefined): readonly Difference[] {
  const described = next ?? old;
  if (described === undefined) return [];
  const locateAbsent = (side: AnnotatedOperation): LocatedValue => ({
    ...locateValue(side.contract, side.holder, [parameterRulesKey, '-']),
    value: undefined,
    possibleValues: [],
  });
  const keyword: AnnotationKeyword = {
    group: 'parameter-rule',
    key: '',
    keys: [parameterRulesKey, described.rule],
    noun: `the rule on ${described.parameters.join(' and ')}`,
    direction: 'request',
    print: printRule,
    rate: rateRule(pair, old, next),
    search: next && (() => findParameterRuleWitness(pair, next)),
  };
  return compareLocated(pair, keyword, old?.located ?? locateAbsent(pair.old), next?.located ?? locateAbsent(pair.new));
}

/** A rule in a sentence. */
function printRule(value: Json | undefined): string {
  if (!isObject(value)) return printAnnotation(value);
  const [[name, names] = ['', null]] = Object.entries(value);
  return name === 'ordered' ? `${printAnnotation(names)} in this order` : `${name.replaceAll('-', ' ')} ${printAnnotation(names)}`;
}

function rateRule({ new: { operation } }: AnnotatedOperationPair, old: WrittenRule | undefined, next: WrittenRule | undefined): RateChange {
  if (old !== undefined && next !== undefined && isLooser(old, next))
    return () => toRating('loosened', ['compatible', 'Every request that met the old rule meets the new one.']);
  const answer = operation.invalid['broken-rule'];
  const refused: LevelAndReason =
    answer === 'refused'
      ? ['breaking', 'Requests with parameters that were allowed before are rejected.']
      : ['risky', `Such requests are ${answer}, so clients may get a different response from the one they expect.`];
  return rateValue('', { removed: ['compatible', 'Every request that was accepted is still accepted.'], added: refused, changed: refused });
}

/** True if a rule is looser. Ordering fewer parameters is looser; requiring one of fewer parameters is not comparable. */
function isLooser(old: ParameterRule, next: ParameterRule): boolean {
  if (old.rule !== 'ordered') return false;
  const left = old.parameters.filter((name) => next.parameters.includes(name));
  return left.join('\n') === next.parameters.join('\n');
}

/** Compares conditional reads (304, ETag and If-None-Match). All missing parts, at all operations, are one change. */
export function compareConditional(pair: AnnotatedOperationPair): readonly Difference[] {
  const [old, next] = [locateConditionalRead(pair.old), locateConditionalRead(pair.new)];
  const differences = compareLocated({ ...pair, part: { kind: 'conditional read' } }, conditionalKeyword, old, next);
  return differences.map((difference) => ({ ...difference, edit: 'conditional read' }));
}

const conditionalKeyword: AnnotationKeyword = {
  group: 'read',
  key: 'conditional',
  keys: [],
  noun: 'the conditional read',
  texts: {
    removed: 'clients can no longer ask whether their copy is current (304)',
    added: 'clients can now ask whether their copy is current (304)',
  },
  rate: (_, after) =>
    after === undefined
      ? toRating('conditional-removed', [
          'breaking',
          'Clients can no longer ask whether their copy is current, and receive the full body each time.',
        ])
      : toRating('conditional-added', ['compatible', 'Clients can now ask whether their copy is current. Others are not affected.']),
};

function locateConditionalRead({ contract, holder, operation }: AnnotatedOperation): LocatedValue {
  const successes = [...operation.responses.values()].filter(({ status }) => status.startsWith('2'));
  const hasTag = successes.some(({ headers }) => headers.some(({ name }) => name === 'etag'));
  const possibleValues = isConditional(operation) && hasTag ? ['304, ETag and If-None-Match'] : [];
  return {
    value: possibleValues[0],
    place: placeBelow(contract.document.file, holder, ['responses', '304']),
    questions: [],
    possibleValues,
  };
}
