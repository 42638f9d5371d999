/** Lists (`x-collection`): where records stand, what identifies them, and how they are sorted, paged, filtered and hidden. */

import { isObject, type Json } from '../../../core/json.ts';
import type { KindOf } from '../../../core/query.ts';
import { readCollection } from '../../../core/read-rules.ts';
import type { Filter, OrderKey, Visibility } from '../../../core/rules.ts';
import { searchCap, searchFilter, searchOrder, searchTotal, searchVisible } from './list-witness.ts';
import { isListPair, type ListPair, type Pair } from './pair.ts';
import { show } from './spot.ts';
import {
  compareTable,
  compareUnknownKeys,
  compareWords,
  type Entry,
  type Finding,
  graver,
  type Judge,
  namesAt,
  objectAt,
  type Ruling,
  rule,
  type SetVerdicts,
  toList,
  type Verdict,
  type Verdicts,
} from './word.ts';

const collection = 'x-collection';

/** Compares what a list says of its records. */
export function compareCollection(pair: Pair): readonly Finding[] {
  if (!isListPair(pair)) return [];
  return [
    ...compareWords(pair, { group: 'list', keys: [collection], words: [...placeWords, orderWord(pair)] }),
    ...comparePage(pair),
    ...compareFilters(pair),
    ...compareVisible(pair),
    ...compareUnknownKeys(pair, [collection], ['name', 'items', 'head', 'key', 'version', 'order', 'page', 'filters', 'visible']),
  ];
}

/** A place in the body where clients look for something. */
function place(key: string, noun: string, judge: Verdicts): Entry {
  return { key, noun, direction: 'response', isPlace: true, judge };
}

const placeWords: readonly Entry[] = [
  place('items', 'the place of the records in the body', {
    changed: ['breaking', 'Clients look for the records at the old place, and find none.'],
  }),
  place('head', 'the place of what stands beside the records', {
    changed: ['breaking', 'Clients look for it at the old place, and do not find it.'],
  }),
  place('key', 'the field that identifies a record', {
    changed: ['breaking', 'Clients that keep records under the old field take them for others.'],
  }),
  place('version', 'the field that changes whenever a record does', {
    gone: ['breaking', 'Clients that keep a copy cannot tell any more what has changed.'],
    changed: ['breaking', 'Clients that keep the old field as their checkpoint miss changes.'],
  }),
];

function orderWord(pair: ListPair): Entry {
  const [before, after] = [pair.old.operation.collection.kindOf, pair.next.operation.collection.kindOf];
  return {
    key: 'order',
    noun: 'the order of the records',
    direction: 'response',
    isDerived: true,
    print: printOrder,
    judge: (old, next) => judgeOrder(keysOf(old, before), keysOf(next, after)),
    search: (old, next) => searchOrder(pair, toOrder(old), toOrder(next)),
  };
}

/** An order as people write it: `/at descending, /id ascending`. */
function printOrder(value: Json | undefined): string {
  if (!Array.isArray(value)) return show(value);
  const keys = (value as readonly Json[]).filter(isObject);
  return keys.map((key) => `${show(key['by'])} ${show(key['direction'])}`).join(', ');
}

/** A closed order. */
function toOrder(value: Json | undefined): readonly OrderKey[] {
  return toList(value) as unknown as readonly OrderKey[];
}

/** A key of an order with the comparison that the schema of its field asks for. */
interface ComparedKey extends OrderKey {
  readonly as: ReturnType<KindOf>;
}

function keysOf(value: Json | undefined, kindOf: KindOf): readonly ComparedKey[] {
  return toOrder(value).map(({ by, direction }) => ({ by, direction, as: kindOf(by) }));
}

const jumbled = 'Clients that show the list as it comes, or stop at the first record they know, go wrong.';

function judgeOrder(before: readonly ComparedKey[], after: readonly ComparedKey[]): Ruling | undefined {
  const isSameKey = (left: ComparedKey, right: ComparedKey | undefined): boolean =>
    left.by === right?.by && left.direction === right.direction;
  const isPrefix = (left: readonly ComparedKey[], right: readonly ComparedKey[]): boolean =>
    left.every((key, index) => isSameKey(key, right[index]));
  const other = before.findIndex((key, index) => isSameKey(key, after[index]) && key.as !== after[index]?.as);
  const [was, is] = [before[other], after[other]];
  if (was !== undefined && is !== undefined && (isPrefix(before, after) || isPrefix(after, before))) {
    const text = `the order compares ${is.by} as ${is.as} instead of ${was.as}`;
    return { ...rule('order-comparison-changed', ['breaking', jumbled]), text };
  }
  if (isPrefix(before, after)) {
    if (before.length === after.length) return undefined;
    return rule('tie-break-added', ['compatible', 'What was sorted before is sorted in the same way; only ties are decided now.']);
  }
  if (isPrefix(after, before)) {
    return rule('tie-break-removed', [
      'breaking',
      'Records that are equal in the fields that are left come in any order, and not always in the same.',
    ]);
  }
  return rule('order-changed', ['breaking', jumbled]);
}

/** Compares how a list is cut into pages. Of another style nothing can be compared but that it is another. */
function comparePage(pair: ListPair): readonly Finding[] {
  const table = { group: 'page', keys: [collection, 'page'] };
  const changed: Verdict = ['breaking', 'Clients that walk the list in the old way do not get past its first page.'];
  const style = compareWords(pair, { ...table, words: [{ key: 'style', noun: 'the style of paging', judge: { changed } }] });
  if (style.length > 0) return style;
  return [
    ...compareTable(pair, { ...table, words: pageWords(pair), others: ['style'] }),
    ...compareUnknownKeys(pair, [collection, 'page', 'echo'], ['limit', 'page']),
  ];
}

function parameterWord(key: string, noun: string): Entry {
  const changed: Verdict = ['breaking', 'Clients send the old parameter, which does not do this any more.'];
  return { key, noun: `the parameter for ${noun}`, direction: 'request', judge: { changed } };
}

function placeWord(keys: readonly string[], noun: string, reason: string): Entry {
  const moved: Verdict = ['breaking', `Clients look for ${reason}`];
  return { ...place(keys.join('-'), `the place ${noun}`, { gone: moved, changed: moved }), keys };
}

function pageWords(pair: ListPair): readonly Entry[] {
  return [
    parameterWord('limit', 'the size of a page'),
    parameterWord('cursor', 'the cursor'),
    parameterWord('page', 'the number of the page'),
    parameterWord('offset', 'the number of records to pass over'),
    placeWord(['next'], 'of the next cursor', 'the cursor at the old place, and stop after the first page.'),
    placeWord(['more'], 'that tells of more pages', 'it at the old place, and stop too early or never.'),
    placeWord(['total'], 'of the total', 'the total at the old place, and do not find it.'),
    placeWord(['echo', 'limit'], 'that repeats the limit', 'it at the old place, and do not find it.'),
    placeWord(['echo', 'page'], 'that repeats the number of the page', 'it at the old place, and do not find it.'),
    {
      key: 'fixed',
      noun: 'the parameters that must stay as they are while paging',
      direction: 'request',
      judge: {
        longer: ['breaking', 'Clients that change one of them from page to page, as they might, do not get what they ask for any more.'],
        shorter: ['compatible', 'Clients that leave them all as they are do so still.'],
      },
    },
    { key: 'changed', noun: 'the answer to a cursor whose filters have changed', direction: 'request', judge: judgeChanged },
    {
      key: 'counts',
      noun: 'what the total counts',
      direction: 'response',
      judge: { changed: ['breaking', 'Clients that work out the number of pages from the total get another number.'] },
      search: (before, after) => searchTotal(pair, before, after),
    },
    {
      key: 'cap',
      noun: 'the largest limit that is served',
      direction: 'request',
      fallback: null,
      judge: judgeCap,
      search: (before, after) => searchCap(pair, before, after),
    },
    {
      key: 'beyond',
      noun: 'the answer to a page past the last one',
      direction: 'response',
      judge: { changed: ['breaking', 'Clients that walk until they are past the end do not recognise it.'] },
    },
  ];
}

function judgeChanged(before: Json | undefined, after: Json | undefined): ReturnType<Judge> {
  if (before === after) return undefined;
  if (before === 'refused') {
    return rule('changed-softened', ['risky', 'A mistake that was told before goes unnoticed: clients get other records than they think.']);
  }
  const reason =
    after === 'refused' ? 'Clients that change filters while paging are refused.' : 'The same request is answered with other records.';
  return rule('changed-hardened', ['breaking', reason]);
}

/** No cap is the largest of all. */
function judgeCap(before: Json | undefined, after: Json | undefined): ReturnType<Judge> {
  const [old, next] = [before, after].map((cap) => (typeof cap === 'number' ? cap : Infinity));
  if (old === next || old === undefined || next === undefined) return undefined;
  if (next > old) return rule('cap-raised', ['compatible', 'Whoever asks for no more than the old cap gets the same as before.']);
  return rule('cap-lowered', ['breaking', 'Clients that ask for larger pages get shorter ones, and may take them for the last.']);
}

/** Compares the filters of a list, each once. */
function compareFilters(pair: ListPair): readonly Finding[] {
  const keys = [collection, 'filters'];
  const [before, after] = [pair.old, pair.next].map(({ operation }) => {
    return (value: Json | undefined): Filter | undefined => toFilter(value, operation.collection.kindOf);
  });
  if (before === undefined || after === undefined) return [];
  const words = namesAt(pair, keys).map(
    (name): Entry => ({
      key: '',
      keys: [name],
      noun: `the filter ${name}`,
      direction: 'request',
      isDerived: true,
      print: printFilter,
      judge: (old, next) => judgeFilter(name, before(old), after(next)),
      search: (old, next) => searchFilter(pair, name, before(old), after(next)),
    }),
  );
  return compareWords(pair, { group: 'filter', keys, words });
}

/** A filter as people write it: `/at >= value as date`. */
function printFilter(value: Json | undefined): string {
  if (!isObject(value) || value['unspecified'] !== undefined) return show(value);
  const { as, matches, ...operators } = value;
  if (matches !== undefined) return `text in ${printSearch(matches)}`;
  const [[operator, field] = ['', null]] = Object.entries(operators);
  return `${show(field)} ${signs[operator] ?? operator} value${as === undefined ? '' : ` as ${show(as)}`}`;
}

const signs: Readonly<Record<string, string>> = { equals: '=', 'any-of': 'in', from: '>=', to: '<=', after: '>', before: '<' };

function printSearch(value: Json): string {
  if (!isObject(value) || value['unspecified'] !== undefined) return show(value);
  return `${show(value['fields'])}${value['fold'] === true ? ', whatever the case and accents' : ', letter by letter'}`;
}

/** A closed filter, with the comparison that the schema of its field asks for where it does not say one. */
function toFilter(value: Json | undefined, kindOf: KindOf): Filter | undefined {
  if (value === undefined) return undefined;
  const filter = readCollection({ filters: { it: value } }).filters.get('it');
  return filter === undefined || filter.operator === 'matches' ? filter : { ...filter, as: filter.as ?? kindOf(filter.field) };
}

function judgeFilter(name: string, before: Filter | undefined, after: Filter | undefined): Ruling | undefined {
  if (after === undefined) return rule('gone', ['breaking', 'Clients that filter by it get records that they did not ask for.']);
  if (before === undefined) return rule('added', ['compatible', 'Nobody who kept to the old contract filters by it.']);
  if (before.operator === 'matches' && after.operator === 'matches') return judgeSearch(before, after);
  if (before.operator !== after.operator) return judgeOperator(before, after);
  if (before.operator === 'matches' || after.operator === 'matches') return undefined;
  if (before.field !== after.field)
    return rule('field-changed', ['breaking', `Clients get the records whose ${after.field} fits, not their ${before.field}.`]);
  if (before.as === after.as) return undefined;
  const [was, is] = [before.as ?? 'text', after.as ?? 'text'];
  return {
    ...rule('comparison-changed', ['breaking', `Values compare as ${is} instead of ${was}, so other records pass.`]),
    text: `the filter ${name} compares ${after.field} as ${is} instead of ${was}`,
  };
}

function judgeOperator(before: Filter, after: Filter): Ruling {
  const isWider = before.operator === 'equals' && after.operator === 'any-of' && before.field === after.field && before.as === after.as;
  const wider: Verdict = ['compatible', 'One value is a list of one value, and gives the same records.'];
  return rule('operator-changed', isWider ? wider : ['breaking', reasonOf(before, after)]);
}

function reasonOf(before: Filter, after: Filter): string {
  const narrower: Readonly<Record<string, string>> = { from: 'after', to: 'before' };
  if (narrower[before.operator] === after.operator) {
    return 'The value itself is not included any more: clients that ask from their checkpoint on miss the records at it.';
  }
  if (narrower[after.operator] === before.operator)
    return 'The value itself is included now: clients get records at it that they did not ask for.';
  if (before.operator === 'any-of') return 'Clients that send several values are refused, or get none of the records.';
  return `The same value means ${after.operator} and not ${before.operator} any more, so other records pass.`;
}

type Matches = Extract<Filter, { operator: 'matches' }>;

function judgeSearch(before: Matches, after: Matches): Ruling | undefined {
  const [lost, won] = [less(before.fields, after.fields), less(after.fields, before.fields)];
  const rulings: readonly Ruling[] = [
    ...(lost.length > 0
      ? [rule('fields-fewer', ['breaking', `Records are not found any more by what stands in ${lost.join(', ')} alone.`])]
      : []),
    ...(won.length > 0 ? [rule('fields-more', ['risky', `Records are found as well that have the text in ${won.join(', ')} alone.`])] : []),
    ...(before.fold && !after.fold
      ? [rule('folding-gone', ['breaking', 'Records are not found any more by another case, or without accents.'])]
      : []),
    ...(!before.fold && after.fold
      ? [rule('folding-added', ['risky', 'Records are found as well that are written in another case or with accents.'])]
      : []),
  ];
  const [first, ...others] = rulings;
  return first === undefined ? undefined : others.reduce(graver, first);
}

function less(left: readonly string[], right: readonly string[]): readonly string[] {
  return left.filter((field) => !right.includes(field));
}

/** Compares which records are shown. A visibility that is open as a whole, or that only one contract states, is compared as a whole. */
function compareVisible(pair: ListPair): readonly Finding[] {
  const isParted = [pair.old, pair.next].every(({ holder }) => objectAt(holder, [collection, 'visible'])['field'] !== undefined);
  return isParted
    ? compareTable(pair, { group: 'visible', keys: [collection, 'visible'], words: visibleWords(pair) })
    : compareWords(pair, { group: 'visible', keys: [collection], words: [visibleWord(pair)] });
}

function visibleWord(pair: ListPair): Entry {
  return {
    key: '',
    keys: ['visible'],
    noun: 'which records are shown',
    direction: 'response',
    judge: {
      gone: ['risky', 'Records that were hidden may be listed, counted and found.'],
      added: ['breaking', 'Records that were listed may be hidden.'],
      changed: ['breaking', 'Other records are shown.'],
    },
    search: (before, after) => searchVisible(pair, toVisibility(before), toVisibility(after)),
  };
}

function visibleWords(pair: ListPair): readonly Entry[] {
  const [before, after] = [pair.old.operation.collection.visible, pair.next.operation.collection.visible];
  const shown = (key: string, noun: string, judge: Verdicts | SetVerdicts): Entry => ({
    ...{ key, noun, direction: 'response', judge },
    search: (old, next) => searchVisible(pair, withPart(before, key, old), withPart(after, key, next)),
  });
  return [
    shown('field', 'the field that decides which records are shown', {
      changed: ['breaking', 'Records that were shown may be hidden, as another field decides.'],
    }),
    shown('shown', 'the values with which a record is shown', {
      shorter: ['breaking', 'Records that were listed are hidden.'],
      longer: ['risky', 'Records that were hidden are listed, counted and found.'],
    }),
    {
      key: 'hidden',
      noun: 'the answer to the read of a hidden record',
      direction: 'response',
      judge: { changed: ['breaking', 'Clients that recognise a hidden record by its status meet another one.'] },
    },
  ];
}

function withPart(visible: Visibility | undefined, key: string, value: Json | undefined): Visibility | undefined {
  return visible === undefined || value === undefined ? visible : { ...visible, [key]: value };
}

function toVisibility(value: Json | undefined): Visibility | undefined {
  return isObject(value) ? (value as unknown as Visibility) : undefined;
}
