/** Turns the edits between two schemas into differences, with levels for the request or the response that uses the schemas. */

import { withoutUndefined } from '../../../core/drop-undefined.ts';
import { isArray, isObject, type Json, type JsonObject, printJson } from '../../../core/json.ts';
import { isSameValue } from '../../../core/json-equality.ts';
import { toPointer, valueAt } from '../../../core/pointer.ts';
import type { ChangeLevel, HalfOfExchange } from '../../../core/results/diff-result.ts';
import { type ComparisonContext, type exchangePart, reportDifference } from '../comparison-context.ts';
import { statedAt } from '../difference.ts';
import { printPlace } from '../exchange-place.ts';
import type { WitnessTarget } from '../witnesses/schema-witness-search.ts';
import type { SearchOutcome } from '../witnesses/search-outcome.ts';
import { isMetadata } from './compare-metadata-keywords.ts';
import { nameEdit, nameValue } from './describe-edit.ts';
import { allowedTypes, type FlatSchema } from './flat-schema.ts';
import { levelOfReading } from './read-texts.ts';
import type { EditEffect, SchemaEdit, SchemaPair, SchemaStep } from './schema-pair.ts';
import { isBody, type SchemaUse } from './schema-use.ts';

/** Two schemas in a part of an operation, and the places to report for schemas without a place of their own. */
type SchemaPairInPart = Pick<SchemaUse, 'idPrefix' | 'old' | 'new' | 'toExchange'> & {
  readonly isText?: boolean;
  readonly repeatsLists?: boolean;
  readonly around: Parameters<ComparisonContext['keywords']['compare']>[2];
};

/** Compares the schemas of a part and reports every edit inside them. If the edits leave the effect open, compares the full schemas. */
export function compareSchemas(part: ReturnType<typeof exchangePart>, { around, ...used }: SchemaPairInPart): void {
  const { context, operation, direction, at } = part;
  const use: SchemaUse = { isText: false, repeatsLists: false, ...used, operation, direction, at };
  const pair = context.keywords.compare(use.old, use.new, around);
  const reachedPairs = listReachedPairs(context, use, pair);
  const edits = reachedPairs.flatMap((reached) => reached.pair.edits.map((edit) => ({ ...reached, edit })));
  const isEffective = edits.map((located) => reportEdit(context, { ...located, use })).includes(true);
  if (isEffective || reachedPairs.every((each) => areDecidedByKeywords(each.pair))) {
    if (edits.length === 0)
      context.keywords.recordUnchanged(
        reachedPairs.map((each) => each.pair),
        direction,
      );
    return;
  }
  const [loss, gain] = [true, false].map((isLoss) => searchWholeSchemas(context, use, pair, isLoss));
  if (loss === 'unwitnessed' && gain !== 'witnessed') context.undecided.add(`${operation}, ${printPlace(use.at)}`);
}

/** True if no edit is missing: the keywords of each schema stand in one object, none depends on another one, or the texts are the same. */
function areDecidedByKeywords({ old, new: next }: SchemaPair): boolean {
  const has = (keywords: readonly string[]): boolean => keywords.some((keyword) => old.keywords.has(keyword) || next.keywords.has(keyword));
  const hasSeveralConditions = [old, next].some((flat) => (flat.keywords.get('if')?.length ?? 0) > 1);
  // The meaning of a dynamic reference depends on the path to it.
  if (hasSeveralConditions || has(['$dynamicRef'])) return false;
  const [before, after] = [holdersOf(old), holdersOf(next)];
  return (before.length <= 1 && after.length <= 1) || !has(interdependentKeywords) || textOf(before) === textOf(after);
}

/** The schema objects of one value. */
function holdersOf({ keywords }: SchemaPair['old']): readonly JsonObject[] {
  return [...new Set([...keywords.values()].flat().map(({ holder }) => holder))];
}

/** The text of schemas without metadata. */
function textOf(holders: readonly JsonObject[]): string {
  return printJson(holders.map(withoutMetadata));
}

function withoutMetadata(value: Json): Json {
  if (isArray(value)) return value.map(withoutMetadata);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([key]) => !isMetadata(key));
  return Object.fromEntries(members.map(([key, member]) => [key, withoutMetadata(member)]));
}

/** Keywords that depend on other keywords of the same schema, or that negate. */
const interdependentKeywords = [
  ...['oneOf', 'anyOf', 'not', 'if', 'contains', 'prefixItems', 'dependentSchemas', 'propertyNames', 'patternProperties'],
  ...['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'],
];

/** A pair inside the schemas of a use, and its path. */
type ReachedPair = Pick<WitnessTarget, 'pair' | 'path' | 'isNegated'>;

/** False for the properties of the other direction: readOnly ones in requests, writeOnly ones in responses. */
function isPartOf(direction: HalfOfExchange, step: SchemaStep): boolean {
  return step.kind !== 'property' || !(direction === 'request' ? step.isReadOnly : step.isWriteOnly);
}

/** All pairs inside the schemas of a use that may have changed, each once, by its first path. */
function listReachedPairs({ keywords }: ComparisonContext, { direction }: SchemaUse, root: SchemaPair): readonly ReachedPair[] {
  const reachedPairs: ReachedPair[] = [];
  const [seenPlain, seenNegated] = [new Set<SchemaPair>(), new Set<SchemaPair>()];
  const waiting: ReachedPair[] = [{ pair: root, path: [], isNegated: false }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { pair, path, isNegated } = next;
    const seen = isNegated ? seenNegated : seenPlain;
    if (seen.has(pair) || keywords.isUnchanged(pair, direction)) continue;
    seen.add(pair);
    reachedPairs.push(next);
    for (const { step, pair: below } of pair.children.toReversed()) {
      if (isPartOf(direction, step))
        waiting.push({ pair: below, path: [...path, step], isNegated: isNegated !== (step.kind === 'negated') });
    }
  }
  return reachedPairs;
}

/** Reports an edit. Returns true if it changes which values are allowed. */
function reportEdit(context: ComparisonContext, located: WitnessTarget): boolean {
  const { use, pair, path, edit, isNegated } = located;
  const levelAlone = levelInText(context, use, pair, edit, levelOf(context, located));
  const isRewritten =
    levelAlone === 'breaking' &&
    (isCompensated(context, use, pair, edit, isNegated) || isWithoutEffect(context, use, pair, edit, isNegated));
  const level = isRewritten ? 'compatible' : levelAlone;
  const isOfReference = leavesComponent(context, edit);
  const named = nameEdit(use, path, edit, isOfReference);
  const isInside = path.some((step) => step.kind !== 'same');
  reportDifference(
    { context, ...use },
    {
      id: `${use.idPrefix}${isInside && isBody(use) ? '-property' : ''}/${edit.rule}`,
      level,
      at: path.length === 0 ? use.at : { ...use.at, path },
      before: edit.before,
      after: edit.after,
      changedItem: edit.changedItem,
      rule: edit.rule,
      text: named.sentence(named.shown, false),
      member: named,
      isOfReference,
      ...(edit.property === undefined ? {} : { property: edit.property }),
      ...withoutUndefined({ reason: reasonOf(level, edit, use.direction) }),
      ...(isRewritten ? { reason: 'With the other keywords here, everything that was allowed is still allowed.' } : {}),
      affects: affectedBy(level, edit),
      findWitness: searchFor(context, located, level, isRewritten),
    },
  );
  return edit.effect !== 'none';
}

/** True if the component that states an edit did not make it, since it is the same, or states the value, in both contracts: then a reference to it came or went. */
function leavesComponent({ oldRoot, newRoot }: ComparisonContext, edit: SchemaEdit): boolean {
  const { component, pointer } = statedAt(edit);
  if (component === undefined || pointer === undefined) return false;
  const [before, after] = [oldRoot, newRoot].map((root) => valueAt(root['components'], `${toPointer(component.split('/'))}${pointer}`));
  if (before === undefined || after === undefined) return false;
  const isMember = edit.property !== undefined && (edit.before.value === undefined) !== (edit.after.value === undefined);
  return isMember || isSameValue(before, after);
}

/** The search for a witness of an edit; `undefined` if nobody loses anything by it. */
function searchFor(
  { search }: ComparisonContext,
  target: WitnessTarget,
  level: ChangeLevel,
  isRewritten: boolean,
): (() => SearchOutcome) | undefined {
  const { effect, unchecked = [] } = target.edit;
  if (effect === 'none' || unchecked.includes(target.use.direction)) return undefined;
  if (isRewritten) return () => ({ verdict: 'proved' });
  // The text of every value is still read.
  if (target.use.isText && target.edit.rule === 'type-changed' && level === 'risky') return undefined;
  return level === 'compatible' || level === 'documentation' ? undefined : () => search.findWitness(target);
}

/** The reason of an edit. It says who is affected, so a compatible change has it only if the edit fixes this level. */
function reasonOf(level: ChangeLevel, { levels, reason }: SchemaEdit, direction: HalfOfExchange): string | undefined {
  if (level === 'documentation' || (level === 'compatible' && levels?.[direction] !== level)) return undefined;
  return typeof reason === 'string' ? reason : reason?.[direction];
}

/**
 * True if other edits of the same schema allow again the values that an edit loses, such as a list of types in place of `anyOf`. Needs a
 * proof. Added and removed branches never count as compensated, since such an edit is intended.
 */
function isCompensated(
  { search }: ComparisonContext,
  { direction }: SchemaUse,
  pair: SchemaPair,
  edit: SchemaEdit,
  isNegated: boolean,
): boolean {
  if (/^(?:any|one)-of-(?:removed|added)$/.test(edit.rule)) return false;
  const hasOppositeEdit = pair.edits.some(
    (other) => other.effect !== 'none' && other.changedItem !== edit.changedItem && other.effect !== edit.effect,
  );
  const keywordNames = ({ keywords }: SchemaPair['old']): string => [...keywords.keys()].toSorted().join();
  if (!hasOppositeEdit || keywordNames(pair.old) === keywordNames(pair.new)) return false;
  const [allowing, refusing] = (direction === 'request') !== isNegated ? [pair.old, pair.new] : [pair.new, pair.old];
  return search.includes(allowing.schema, refusing.schema);
}

/**
 * True if it is proved that a list of values, the bounds of a number with a format, or what stands beside `not` exclude already what an edit excludes. A keyword that restricts nothing
 * since it is about another type still counts, since such an edit is intended.
 */
function isWithoutEffect(
  { search }: ComparisonContext,
  { direction }: SchemaUse,
  pair: SchemaPair,
  { constraints, rule }: SchemaEdit,
  isNegated: boolean,
): boolean {
  const isNewRefusing = (direction === 'request') !== isNegated;
  const [allowing, constraint] = isNewRefusing ? [pair.old, constraints?.new] : [pair.new, constraints?.old];
  const isBoundedFormat = rule.startsWith('format-') && allowing.keywords.has('minimum') && allowing.keywords.has('maximum');
  const isListed = allowing.keywords.has('enum') || allowing.keywords.has('const') || /^not-(?:added|removed)$/.test(rule);
  if (constraint === undefined || /^(?:type|const)-changed$/.test(rule) || !(isBoundedFormat || isListed)) return false;
  return search.includes(allowing.schema, constraint) && !search.includes(allowing.schema, false);
}

function levelOf({ search }: ComparisonContext, { use, pair, edit, isNegated }: WitnessTarget): ChangeLevel {
  // `not` swaps what is lost and what is gained, and only metadata keeps its level there.
  const isSwapped = isNegated && edit.effect !== 'none';
  const level = isSwapped ? undefined : edit.levels?.[use.direction];
  if (level !== undefined) return level;
  const half = isSwapped ? otherHalf[use.direction] : use.direction;
  const isLoss = edit.effect === 'unknown' ? search.isLossPossible(pair, half) : loses(edit.effect, half);
  return isLoss ? 'breaking' : 'compatible';
}

const otherHalf: Readonly<Record<HalfOfExchange, HalfOfExchange>> = { request: 'response', response: 'request' };

/** In XML, forms, parameters and headers all values are texts, so a reader of another type may still read what was written. */
function levelInText(
  { search }: ComparisonContext,
  use: SchemaUse,
  pair: SchemaPair,
  { rule }: SchemaEdit,
  level: ChangeLevel,
): ChangeLevel {
  if (!use.isText || level !== 'breaking') return level;
  const [writer, reader] = use.direction === 'request' ? [pair.old, pair.new] : [pair.new, pair.old];
  if (!isBody(use) && (rule === 'became-not-nullable' || losesOnlyNull(search, writer, reader))) return 'compatible';
  return rule === 'type-changed' ? levelOfReading(search, use, writer, reader) : level;
}

/** True if it is proved that a reader reads everything but null. No text of a parameter or header is null. */
function losesOnlyNull(search: ComparisonContext['search'], writer: FlatSchema, reader: FlatSchema): boolean {
  if (allowedTypes(writer)?.has('null') === false) return false;
  return search.includes(search.flatSchemas.combine([writer.schema, notNull]), reader.schema);
}

const notNull = { not: { type: 'null' } };

/** True if an effect harms this direction: refused requests, or unexpected responses. */
function loses(effect: EditEffect, direction: HalfOfExchange): boolean {
  return effect === 'both' || effect === (direction === 'request' ? 'narrower' : 'wider');
}

function affectedBy(level: ChangeLevel, { rule }: SchemaEdit): readonly ('clients' | 'generated code')[] {
  if (level === 'documentation' || level === 'compatible') return [];
  return /type-changed|enum|nullable|property-(?:removed|became|added)|any-of|one-of|required/.test(rule)
    ? ['clients', 'generated code']
    : ['clients'];
}

/** Searches the whole schemas where keyword rules cannot decide, reports the value found, and returns the verdict. */
function searchWholeSchemas(context: ComparisonContext, use: SchemaUse, pair: SchemaPair, isLoss: boolean): SearchOutcome['verdict'] {
  const outcome = context.search.findAnyWitness(use, pair, isLoss);
  if (outcome.verdict !== 'witnessed') return outcome.verdict;
  const isNarrower = (use.direction === 'request') === isLoss;
  // Most readers of oneOf take the first matching branch, so a second match is only risky.
  const isSecondMatch = outcome.witness.keyword === 'oneOf';
  reportDifference(
    { context, ...use },
    {
      id: `${use.idPrefix}/${isNarrower ? 'narrowed' : 'widened'}`,
      level: !isLoss ? 'compatible' : isSecondMatch ? 'risky' : 'breaking',
      rule: 'whole',
      before: { value: pair.old.schema, place: pair.old.place },
      after: { value: pair.new.schema, place: pair.new.place },
      changedItem: 'schema',
      text: `the schema of ${nameValue(use, [])} now ${isNarrower ? 'rejects a value that was allowed' : 'allows a value that was rejected'}`,
      findWitness: () => outcome,
    },
  );
  return outcome.verdict;
}
