/** From pairs of schemas to differences of one operation: which edits are reached, in which half of the exchange, and how grave they are there. */

import type { HalfOfExchange, Level } from '../../core/change.ts';
import { type Comparing, type partOf, report } from './comparing.ts';
import type { Use } from './draft.ts';
import { type Effect, type SchemaEdit, type SchemaPair, type Step, typesOf } from './schema-edit.ts';
import type { Quarry } from './search.ts';

/** Schemas that are used in a part of an operation, and the places around those that have none of their own. */
type Used = Pick<Use, 'subject' | 'old' | 'new' | 'expose'> & {
  readonly isText?: boolean;
  readonly around: Parameters<Comparing['pairs']['of']>[2];
};

/** Compares the schemas of a part, and reports every edit that they reach. */
export function compareUse(part: ReturnType<typeof partOf>, { around, ...used }: Used): void {
  const { comparing, operation, direction, location } = part;
  const use: Use = { isText: false, ...used, operation, direction, location };
  const pair = comparing.pairs.of(use.old, use.new, around);
  const all = reached(use, pair);
  const isSame = comparing.wholes.areSame(use.old, use.new);
  const isLarge = !isSame && comparing.wholes.isTooLarge(pair, all.length);
  const told = all.flatMap((found) => found.pair.edits.map((edit) => reportEdit(comparing, { ...found, edit, use, isLarge })));
  const effective = told.filter(({ isEffective }) => isEffective);
  if (isSame || (effective.length > 0 && effective.every(({ isSure }) => isSure))) return;
  if (isLarge) comparing.wholes.leaveOut(use);
  else
    for (const direction of ['loss', 'gain'] as const)
      if (!told.some((each) => each[direction])) searchWhole(comparing, use, { pair, size: all.length }, direction);
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

/** A pair that a use reaches, and the way there. */
type Reached = Pick<Quarry, 'pair' | 'path' | 'isTurned'>;

/** All pairs that a use reaches, each once, by the first way there. */
function reached({ direction }: Use, root: SchemaPair): readonly Reached[] {
  const found: Reached[] = [];
  const [straight, turned] = [new Set<SchemaPair>(), new Set<SchemaPair>()];
  const waiting: Reached[] = [{ pair: root, path: [], isTurned: false }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { pair, path, isTurned } = next;
    const seen = isTurned ? turned : straight;
    if (seen.has(pair)) continue;
    seen.add(pair);
    found.push(next);
    for (const { step, pair: below } of pair.children.toReversed()) {
      // What the other half of an exchange carries is not looked at in this one.
      if (step.kind === 'property' && (direction === 'request' ? step.isReadOnly : step.isWriteOnly)) continue;
      waiting.push({ pair: below, path: [...path, step], isTurned: isTurned !== (step.kind === 'negated') });
    }
  }
  return found;
}

/** What an edit tells of the whole that it is met in. */
interface Told {
  readonly isEffective: boolean;
  /** Whether the whole follows from it. */
  readonly isSure: boolean;
  /** Whether it explains that something is lost, and that something is gained. */
  readonly loss: boolean;
  readonly gain: boolean;
}

/** Reports an edit. */
function reportEdit(comparing: Comparing, found: Omit<Quarry, 'level'>): Told {
  const { use, pair, path, edit, isTurned } = found;
  const effect = effectOf(comparing, pair, edit, isTurned);
  const ruled = levelIn(use, pair, edit, levelOf(effect, edit, use.direction, isTurned));
  const isRewritten = ruled === 'breaking' && isSaidOtherwise(comparing, use, pair, edit, isTurned);
  const level = isRewritten ? 'compatible' : ruled;
  const where = printPath(path);
  const isInside = path.some((step) => step.kind !== 'same');
  report(
    { comparing, ...use },
    {
      id: `${use.subject}${isInside && use.subject.endsWith('-body') ? '-property' : ''}/${edit.rule}`,
      level,
      location: locate(use, where),
      before: edit.before,
      after: edit.after,
      subject: edit.subject,
      rule: edit.rule,
      text: edit.text,
      ...(edit.reason === undefined || level === 'documentation' ? {} : { reason: edit.reason }),
      ...(isRewritten ? { reason: 'Together with what else changed here, it allows what was allowed before.' } : {}),
      affects: affectedBy(level, edit),
      find: effect === 'none' ? undefined : isRewritten ? () => ({ verdict: 'proved' }) : () => comparing.search.find({ ...found, level }),
    },
  );
  return {
    isEffective: edit.effect !== 'none' || edit.levels !== undefined,
    isSure: edit.effect === 'none' || isPlain(pair, path, edit),
    loss: level === 'breaking' || loses(effect, use.direction),
    gain: gains(effect, use.direction),
  };
}

/** Where in the exchange: `response 200, items[].state`, `query parameter state[]`. */
function locate({ location, subject }: Use, where: string): string {
  if (where === '') return location;
  return where.startsWith('[') && !subject.endsWith('-body') ? `${location}${where}` : `${location}, ${where}`;
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

/** Whether a half of an exchange gains by an effect: requests that are newly allowed, or a certainty of what answers hold. */
function gains(effect: Effect, direction: HalfOfExchange): boolean {
  return effect === 'both' || effect === (direction === 'request' ? 'wider' : 'narrower');
}

function affectedBy(level: Level, { rule }: SchemaEdit): readonly ('clients' | 'generated code')[] {
  if (level === 'documentation' || level === 'compatible') return [];
  return /type-changed|enum|nullable|property-(?:removed|became|added)|any-of|one-of|required/.test(rule)
    ? ['clients', 'generated code']
    : ['clients'];
}

/** Compares both schemas as wholes where rules do not tell all, and reports what tells them apart. */
function searchWhole(
  comparing: Comparing,
  use: Use,
  whole: { readonly pair: SchemaPair; readonly size: number },
  direction: 'loss' | 'gain',
): void {
  const { pair } = whole;
  const evidence = comparing.wholes.find(use, whole, direction);
  if (evidence.verdict !== 'witnessed') return;
  const isNarrower = (use.direction === 'request') === (direction === 'loss');
  // Readers try one branch after another; only those who count the matches notice that there are two.
  const isCounted = evidence.witness.keyword === 'oneOf';
  report(
    { comparing, ...use },
    {
      id: `${use.subject}/${isNarrower ? 'narrowed' : 'widened'}`,
      level: direction === 'gain' ? 'compatible' : isCounted ? 'risky' : 'breaking',
      rule: 'whole',
      before: { value: pair.old.schema, place: pair.old.place },
      after: { value: pair.new.schema, place: pair.new.place },
      subject: 'schema',
      text: isNarrower
        ? 'the schemas, taken as wholes, refuse a value that was allowed'
        : 'the schemas, taken as wholes, allow a value that was not',
      find: () => evidence,
    },
  );
}

/** A way through schemas as people write it: `items[].state`. */
function printPath(path: readonly Step[]): string {
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
