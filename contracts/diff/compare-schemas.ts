/** From pairs of schemas to differences of one operation: which edits are reached, in which half of the exchange, and how grave they are there. */

import type { HalfOfExchange, Level } from '../../core/change.ts';
import { type Comparing, reportAt } from './comparing.ts';
import type { Evidence } from './draft.ts';
import { typesOf } from './keyword-values.ts';
import type { Effect, SchemaEdit, SchemaPair, Step } from './schema-edit.ts';
import type { Quarry } from './search.ts';
import type { Use } from './use.ts';

/** Compares the schemas of a use, and reports every edit that it reaches. */
export function compareUse(comparing: Comparing, use: Use, pair: SchemaPair): void {
  let isExplained = false;
  let isUncertain = false;
  const all = reached(comparing, use, pair);
  const isLarge = all.length > smallMost && !comparing.search.hasRoomFor(all.length);
  for (const { at, path, isTurned } of all)
    for (const edit of at.edits) {
      if (edit.effect !== 'none' && !isPlain(at, path, edit)) isUncertain = true;
      if (reportEdit(comparing, { use, pair: at, path, edit, isTurned, isLarge })) isExplained = true;
    }
  if (!isUncertain || isExplained) return;
  if (isLarge) comparing.search.unsearched.add(`${use.operation}, ${use.location}`);
  else searchWhole(comparing, use, pair);
}

/**
 * Whether the whole cannot lose by an edit that loses nothing where it stands: the way there leads through keywords below which more allowed in a part is
 * more allowed in the whole, and nothing else at its place depends on what it changed.
 */
function isPlain({ old, new: next }: SchemaPair, path: readonly Step[], { effect }: SchemaEdit): boolean {
  if (effect === 'unknown') return false;
  const isDirect = path.every(({ kind }) => kind === 'property' || kind === 'items' || kind === 'element');
  return isDirect && ![old, next].some(({ keywords }) => tangled.some((keyword) => keywords.has(keyword)));
}

/** Keywords whose meaning depends on what others beside them say, or that turn it round. */
const tangled = [
  ...['oneOf', 'anyOf', 'not', 'if', 'contains', 'prefixItems', 'dependentSchemas', 'propertyNames', 'patternProperties'],
  ...['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'],
];

/** Bodies of at most so many pairs of schemas are always searched as wholes; larger ones as long as the search has room for them. */
const smallMost = 40;

/** A pair that a use reaches, and the way there. */
interface Reached {
  readonly at: SchemaPair;
  readonly path: readonly Step[];
  readonly isTurned: boolean;
}

/** All pairs that a use reaches, each once, by the first way there. */
function reached({ search }: Comparing, { direction }: Use, root: SchemaPair): readonly Reached[] {
  const found = new Map<string, Reached>();
  const waiting: Reached[] = [{ at: root, path: [], isTurned: false }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { at, path, isTurned } = next;
    const key = `${search.numberOf(at)} ${isTurned}`;
    if (found.has(key)) continue;
    found.set(key, next);
    for (const { step, pair } of at.children.toReversed()) {
      // What the other half of an exchange carries is not looked at in this one.
      if (step.kind === 'property' && (direction === 'request' ? step.isReadOnly : step.isWriteOnly)) continue;
      waiting.push({ at: pair, path: [...path, step], isTurned: isTurned !== (step.kind === 'negated') });
    }
  }
  return [...found.values()];
}

/** Reports an edit; gives whether it loses something, so that a value that is lost is explained. */
function reportEdit(comparing: Comparing, found: Omit<Quarry, 'level'>): boolean {
  const { use, pair, path, edit, isTurned } = found;
  const effect = effectOf(comparing, pair, edit, isTurned);
  const ruled = levelIn(use, pair, edit, levelOf(effect, edit, use.direction, isTurned));
  const isRewritten = ruled === 'breaking' && isSaidOtherwise(comparing, use, pair, edit, isTurned);
  const level = isRewritten ? 'compatible' : ruled;
  const where = printPath(path);
  const isInside = path.some((step) => step.kind !== 'same');
  reportAt(comparing, use.operation, {
    id: `${use.subject}${isInside && use.subject.endsWith('-body') ? '-property' : ''}/${edit.rule}`,
    level,
    direction: use.direction,
    location: locate(use, where),
    before: edit.before,
    after: edit.after,
    subject: edit.subject,
    rule: edit.rule,
    text: edit.text,
    ...(edit.reason === undefined || level === 'documentation' ? {} : { reason: edit.reason }),
    ...(isRewritten ? { reason: 'Together with what else changed here, it allows what was allowed before.' } : {}),
    affects: affectedBy(level, edit),
    find: findFor(comparing, { ...found, level }, isRewritten || effect === 'none' ? effect : undefined),
  });
  return level === 'breaking' || loses(effect, use.direction);
}

/** Where in the exchange: `response 200, items[].state`, `query parameter state[]`. */
function locate({ location, subject }: Use, where: string): string {
  if (where === '') return location;
  return where.startsWith('[') && !subject.endsWith('-body') ? `${location}${where}` : `${location}, ${where}`;
}

/** The search for what shows an edit, where there is something to search for. */
function findFor({ search }: Comparing, quarry: Quarry, settled: Effect | undefined): (() => Evidence) | undefined {
  if (settled === 'none') return undefined;
  return settled === undefined ? () => search.find(quarry) : () => ({ verdict: 'proved' });
}

/**
 * Whether an edit that loses values by itself is made up for by others at the same place, where other keywords stand now, such as a list of types in
 * place of `anyOf`: only where it is proved that nothing is lost. Branches that go are meant to go, whatever others allow.
 */
function isSaidOtherwise({ search }: Comparing, { direction }: Use, pair: SchemaPair, edit: SchemaEdit, isTurned: boolean): boolean {
  if (/^(?:any|one|all)-of-(?:removed|added)$/.test(edit.rule)) return false;
  const isMade = pair.edits.some((other) => other.effect !== 'none' && other.subject !== edit.subject && other.effect !== edit.effect);
  const wordsOf = ({ keywords }: SchemaPair['old']): string => [...keywords.keys()].toSorted().join();
  if (!isMade || wordsOf(pair.old) === wordsOf(pair.new)) return false;
  const [from, to] = (direction === 'request') !== isTurned ? [pair.old, pair.new] : [pair.new, pair.old];
  return search.includes(from.schema, to.schema);
}

/** What can be told only by comparing whole is compared; what is then not proved counts as lost, and as gained. */
function effectOf({ search }: Comparing, pair: SchemaPair, edit: SchemaEdit, isTurned: boolean): Effect {
  const effect = edit.effect === 'unknown' ? search.compareWhole(pair) : edit.effect;
  if (!isTurned) return effect;
  return effect === 'narrower' ? 'wider' : effect === 'wider' ? 'narrower' : effect;
}

function levelOf(effect: Effect, edit: SchemaEdit, direction: HalfOfExchange, isTurned: boolean): Level {
  // Under `not`, what a request loses is what an answer loses elsewhere; words stay words.
  const ruled = edit.levels?.[isTurned && edit.effect !== 'none' ? otherHalf[direction] : direction];
  if (ruled !== undefined) return ruled;
  return loses(effect, direction) ? 'breaking' : 'compatible';
}

const otherHalf: Readonly<Record<HalfOfExchange, HalfOfExchange>> = { request: 'response', response: 'request' };

/** Where all values are texts, whoever reads a text reads whatever stood there before: another type is no loss that is certain. */
function levelIn(use: Use, pair: SchemaPair, { rule }: SchemaEdit, level: Level): Level {
  if (!use.isText || rule !== 'type-changed' || level !== 'breaking') return level;
  const reader = typesOf(use.direction === 'request' ? pair.new : pair.old);
  return reader?.has('string') === true ? 'risky' : level;
}

/** Whether a half of an exchange loses by an effect: requests that were allowed, or the certainty of what answers hold. */
function loses(effect: Effect, direction: HalfOfExchange): boolean {
  return effect === 'both' || effect === (direction === 'request' ? 'narrower' : 'wider');
}

function affectedBy(level: Level, { rule }: SchemaEdit): readonly ('clients' | 'generated code')[] {
  if (level === 'documentation') return [];
  const isTyped = /type-changed|enum|nullable|property-(?:removed|became|added)|any-of|one-of|required/.test(rule);
  if (level === 'compatible') return [];
  return isTyped ? ['clients', 'generated code'] : ['clients'];
}

/** Where no rule finds a loss, both schemas are compared as wholes all the same. */
function searchWhole(comparing: Comparing, use: Use, pair: SchemaPair): void {
  const evidence = comparing.search.findWhole(use, pair);
  if (evidence.verdict !== 'witnessed') return;
  // Readers try one branch after another; only those who count the matches notice that there are two.
  const isCounted = evidence.witness.keyword === 'oneOf';
  const isRequest = use.direction === 'request';
  reportAt(comparing, use.operation, {
    id: `${use.subject}/${isRequest ? 'narrowed' : 'widened'}`,
    level: isCounted ? 'risky' : 'breaking',
    direction: use.direction,
    rule: 'whole',
    location: use.location,
    before: { value: pair.old.schema, place: pair.old.place },
    after: { value: pair.new.schema, place: pair.new.place },
    subject: 'schema',
    text: isRequest
      ? 'the schemas, taken as wholes, refuse a value that was allowed'
      : 'the schemas, taken as wholes, allow a value that was not',
    find: () => evidence,
  });
}

/** A way through schemas as people write it: `items[].state`. */
export function printPath(path: readonly Step[]): string {
  return path.reduce((text, step) => text + printStep(step, text === ''), '');
}

function printStep(step: Step, isFirst: boolean): string {
  const [dot, space] = isFirst ? ['', ''] : ['.', ' '];
  switch (step.kind) {
    case 'property':
      return `${dot}${step.name}`;
    case 'items':
      return '[]';
    case 'element':
      return `[${step.index}]`;
    case 'contains':
      return '[contained]';
    case 'others':
      return `${dot}*`;
    case 'matching':
      return `${dot}/${step.pattern}/`;
    case 'names':
      return `${space}(names)`;
    case 'same':
      return `${space}(${step.label})`;
    case 'negated':
      return `${space}(not)`;
  }
}
