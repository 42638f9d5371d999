/** Compares the annotations of lists (`x-collection`): places of records and envelope fields, key, order, paging, filters and visibility. */

import type { Filter, OrderKey, Visibility } from '../../../core/annotations/annotations.ts';
import { readCollection } from '../../../core/annotations/read-annotations.ts';
import { isObject, type Json } from '../../../core/json.ts';
import type { ComparisonKindOf } from '../../../core/query/query.ts';
import type { Difference } from '../difference.ts';
import {
  findCapWitness,
  findFilterWitness,
  findOrderWitness,
  findTotalWitness,
  findVisibilityWitness,
} from '../witnesses/find-list-or-resource-witness.ts';
import { type AnnotatedOperationPair, isListOperationPair, type ListOperationPair, namesAt, objectAt } from './annotated-operation-pair.ts';
import {
  compareKeywordRows,
  type KeywordRow,
  type LevelAndReason,
  type ListRatings,
  moreSevere,
  type RateChange,
  type RatedChange,
  toList,
  toRating,
  type ValueRatings,
} from './compare-annotation-keyword.ts';
import { printAnnotation } from './located-value.ts';

const collection = 'x-collection';

/** Compares the list annotation of an operation. */
export function compareCollection(pair: AnnotatedOperationPair): readonly Difference[] {
  if (!isListOperationPair(pair)) return [];
  return [
    ...compareKeywordRows(pair, { group: 'list', keys: [collection], keywords: [...placeRows, orderRow(pair)] }),
    ...comparePage(pair),
    ...compareFilters(pair),
    ...compareVisibility(pair),
  ];
}

/** A JSON Pointer to something that clients read in the body. */
function placeRow(key: string, noun: string, rate: ValueRatings): KeywordRow {
  return { key, noun, direction: 'response', isPlace: true, rate };
}

const placeRows: readonly KeywordRow[] = [
  placeRow('items', 'the place of the records in the body', {
    changed: ['breaking', 'Clients look for the records at the old place and find none.'],
  }),
  placeRow('head', 'the place of the envelope fields', {
    changed: ['breaking', 'Clients look for the fields at the old place and do not find them.'],
  }),
  placeRow('key', 'the key field of the records', {
    changed: ['breaking', 'Clients that store records by the old key mistake them for others.'],
  }),
  placeRow('version', 'the version field of the records', {
    removed: ['breaking', 'Clients with a copy can no longer tell which records changed.'],
    changed: ['breaking', 'Clients that use the old field as their checkpoint miss changes.'],
  }),
];

function orderRow(pair: ListOperationPair): KeywordRow {
  const [before, after] = [pair.old.operation.collection.kindOf, pair.new.operation.collection.kindOf];
  return {
    key: 'order',
    noun: `the order of the list of ${pair.new.operation.collection.name}`,
    openText: `the list of ${pair.new.operation.collection.name} no longer has a stated order`,
    direction: 'response',
    isDerived: true,
    print: printOrder,
    rate: (old, next) => rateOrder(comparedKeys(old, before), comparedKeys(next, after)),
    search: (old, next) => findOrderWitness(pair, toOrder(old), toOrder(next)),
  };
}

/** An order in a sentence: `/at descending, /id ascending`. */
function printOrder(value: Json | undefined): string {
  if (!Array.isArray(value)) return printAnnotation(value);
  const keys = (value as readonly Json[]).filter(isObject);
  return keys.map((key) => `${printAnnotation(key['by'])} ${printAnnotation(key['direction'])}`).join(', ');
}

/** A fully specified order. */
function toOrder(value: Json | undefined): readonly OrderKey[] {
  return toList(value) as unknown as readonly OrderKey[];
}

/** A sort key with the comparison that the schema of its field implies. */
interface ComparedKey extends OrderKey {
  readonly as: ReturnType<ComparisonKindOf>;
}

function comparedKeys(value: Json | undefined, kindOf: ComparisonKindOf): readonly ComparedKey[] {
  return toOrder(value).map(({ by, direction }) => ({ by, direction, as: kindOf(by) }));
}

const wrongOrder = 'Clients that show the list in its order, or stop at the first known record, get wrong results.';

const oppositeDirection: Readonly<Record<OrderKey['direction'], OrderKey['direction']>> = {
  ascending: 'descending',
  descending: 'ascending',
};

function rateOrder(before: readonly ComparedKey[], after: readonly ComparedKey[]): RatedChange | undefined {
  const isSameKey = (left: ComparedKey, right: ComparedKey | undefined): boolean =>
    left.by === right?.by && left.direction === right.direction;
  const isPrefix = (left: readonly ComparedKey[], right: readonly ComparedKey[]): boolean =>
    left.every((key, index) => isSameKey(key, right[index]));
  const changedIndex = before.findIndex((key, index) => isSameKey(key, after[index]) && key.as !== after[index]?.as);
  const [was, is] = [before[changedIndex], after[changedIndex]];
  if (was !== undefined && is !== undefined && (isPrefix(before, after) || isPrefix(after, before))) {
    const text = `the order compares \`${is.by}\` as ${is.as}, no longer as ${was.as}`;
    return { ...toRating('order-comparison-changed', ['breaking', wrongOrder]), text };
  }
  if (isPrefix(before, after)) {
    if (before.length === after.length) return undefined;
    return toRating('tie-break-added', ['compatible', 'The order is the same as before, except that ties are now decided.']);
  }
  if (isPrefix(after, before)) {
    const fields = before.slice(after.length).map(({ by }) => `\`${by}\``);
    return {
      ...toRating('tie-break-removed', [
        'breaking',
        'Records that are equal in the remaining fields are in any order, and the order may vary.',
      ]),
      text: `${fields.join(' and ')} no longer ${fields.length === 1 ? 'decides' : 'decide'} the order of records that are otherwise equal`,
    };
  }
  const turned = before.length === after.length ? before.filter((key, index) => key.direction !== after[index]?.direction) : [];
  if (turned.length > 0 && before.every(({ by }, index) => by === after[index]?.by)) {
    const text = turned
      .map(({ by, direction }) => `\`${by}\` now sorts ${oppositeDirection[direction]} instead of ${direction}`)
      .join(', ');
    return { ...toRating('order-changed', ['breaking', wrongOrder]), text };
  }
  return toRating('order-changed', ['breaking', wrongOrder]);
}

/** Compares paging. If the style changed, the other keywords are not comparable. */
function comparePage(pair: ListOperationPair): readonly Difference[] {
  const table = { group: 'page', keys: [collection, 'page'] };
  const changed: LevelAndReason = ['breaking', 'Clients that paginate in the old way do not get past the first page.'];
  const style = compareKeywordRows(pair, {
    ...table,
    keywords: [{ key: 'style', noun: 'the page style', rate: { changed }, names: namesInPages(pair) }],
  });
  if (style.length > 0) return style;
  return compareKeywordRows(pair, { ...table, keywords: pageRows(pair) });
}

/** Parameters and places that the paging of either contract uses. */
function namesInPages(pair: ListOperationPair): readonly string[] {
  const textsIn = (value: Json): readonly string[] =>
    typeof value === 'string' ? [value] : isObject(value) ? Object.values(value).flatMap((each) => textsIn(each)) : [];
  return [pair.old, pair.new].flatMap(({ holder }) => textsIn(objectAt(holder, [collection, 'page'])));
}

function pageParameterRow(key: string, noun: string): KeywordRow {
  const changed: LevelAndReason = ['breaking', 'Clients send the old parameter, which no longer has this effect.'];
  return { key, noun: `the parameter for ${noun}`, direction: 'request', rate: { changed } };
}

function pagePlaceRow(keys: readonly string[], noun: string, reason: string): KeywordRow {
  const moved: LevelAndReason = ['breaking', `Clients look for ${reason}`];
  return { ...placeRow(keys.join('-'), `the place ${noun}`, { removed: moved, changed: moved }), keys };
}

function pageRows(pair: ListOperationPair): readonly KeywordRow[] {
  return [
    pageParameterRow('limit', 'the page size'),
    pageParameterRow('cursor', 'the cursor'),
    pageParameterRow('page', 'the page number'),
    pageParameterRow('offset', 'the offset'),
    pagePlaceRow(['next'], 'of the next cursor', 'the cursor at the old place and stop after the first page.'),
    pagePlaceRow(['more'], 'of the flag for more pages', 'it at the old place and stop too early or never.'),
    pagePlaceRow(['total'], 'of the total', 'the total at the old place and do not find it.'),
    pagePlaceRow(['echo', 'limit'], 'of the echoed limit', 'it at the old place and do not find it.'),
    pagePlaceRow(['echo', 'page'], 'of the echoed page number', 'it at the old place and do not find it.'),
    {
      key: 'fixed',
      noun: 'the parameters that must stay the same while paging',
      direction: 'request',
      rate: (before, after) => rateFixed(pair, toList(before), toList(after)),
    },
    { key: 'changed', noun: 'the response to a cursor with changed filters', direction: 'request', rate: rateChangedFilters },
    {
      key: 'counts',
      noun: 'the meaning of the total',
      direction: 'response',
      rate: { changed: ['breaking', 'Clients that compute the number of pages from the total get another number.'] },
      search: (before, after) => findTotalWitness(pair, before, after),
    },
    {
      key: 'cap',
      noun: 'the largest limit',
      direction: 'request',
      fallback: null,
      rate: rateCap,
      search: (before, after) => findCapWitness(pair, before, after),
    },
    {
      key: 'beyond',
      noun: 'the response to a page after the last one',
      direction: 'response',
      rate: { changed: ['breaking', 'Clients that paginate past the end do not recognise it.'] },
    },
  ];
}

/** A new parameter in the list concerns no old client, since none sends it. */
function rateFixed(pair: ListOperationPair, before: readonly Json[], after: readonly Json[]): RatedChange | undefined {
  const [gone, added] = [fieldsWithout(before.map(String), after.map(String)), fieldsWithout(after.map(String), before.map(String))];
  const names = (list: readonly string[]): string => list.map((name) => `\`${name}\``).join(', ');
  const oldParameters = added.filter((name) => pair.old.operation.parameters.some(({ key }) => key === name));
  if (oldParameters.length > 0)
    return {
      ...toRating('fixed-value-added', [
        'breaking',
        'Clients that change it between pages, as was allowed, no longer get what they ask for.',
      ]),
      text: `${names(oldParameters)} must now stay the same while paging`,
    };
  if (added.length > 0)
    return {
      ...toRating('fixed-value-added', ['compatible', 'No client of the old contract sends it.']),
      text: `the new ${names(added)} must stay the same while paging`,
    };
  if (gone.length === 0) return undefined;
  return {
    ...toRating('fixed-value-removed', [
      'compatible',
      'Clients that keep it the same from page to page, as the old contract asked, are not affected.',
    ]),
    text: `${names(gone)} may now change while paging`,
  };
}

function rateChangedFilters(before: Json | undefined, after: Json | undefined): ReturnType<RateChange> {
  if (before === after) return undefined;
  if (before === 'refused') {
    return toRating('changed-softened', [
      'risky',
      'A mistake that was reported before goes unnoticed: clients get different records from those they expect.',
    ]);
  }
  const reason =
    after === 'refused' ? 'Requests that change filters while paging are rejected.' : 'The same request returns other records.';
  return toRating('changed-hardened', ['breaking', reason]);
}

/** Without a cap, the limit is infinite. */
function rateCap(before: Json | undefined, after: Json | undefined): ReturnType<RateChange> {
  const [old, next] = [before, after].map((cap) => (typeof cap === 'number' ? cap : Infinity));
  if (old === next || old === undefined || next === undefined) return undefined;
  if (next > old) return toRating('cap-raised', ['compatible', 'Clients that ask for no more than the old cap get the same as before.']);
  return toRating('cap-lowered', ['breaking', 'Clients that ask for larger pages get shorter ones and may take them for the last page.']);
}

/** Compares the filters of a list. */
function compareFilters(pair: ListOperationPair): readonly Difference[] {
  const keys = [collection, 'filters'];
  const [before, after] = [pair.old, pair.new].map(({ operation }) => {
    return (value: Json | undefined): Filter | undefined => toFilter(value, operation.collection.kindOf);
  });
  if (before === undefined || after === undefined) return [];
  const rows = namesAt(pair, keys).map(
    (name): KeywordRow => ({
      key: '',
      keys: [name],
      noun: `the filter \`${name}\``,
      direction: 'request',
      isDerived: true,
      print: printFilter,
      names: [name],
      rate: (old, next) => rateFilter(name, before(old), after(next)),
      search: (old, next) => findFilterWitness(pair, name, before(old), after(next)),
    }),
  );
  return compareKeywordRows(pair, { group: 'filter', keys, keywords: rows });
}

/** A filter in a sentence: `/at >= value as date`. */
function printFilter(value: Json | undefined): string {
  if (!isObject(value) || value['unspecified'] !== undefined) return printAnnotation(value);
  const { as, matches, ...operators } = value;
  if (matches !== undefined) return `text in ${printSearch(matches)}`;
  const [[operator, field] = ['', null]] = Object.entries(operators);
  return `${printAnnotation(field)} ${operatorSigns[operator] ?? operator} value${as === undefined ? '' : ` as ${printAnnotation(as)}`}`;
}

const operatorSigns: Readonly<Record<string, string>> = { equals: '=', 'any-of': 'in', from: '>=', to: '<=', after: '>', before: '<' };

function printSearch(value: Json): string {
  if (!isObject(value) || value['unspecified'] !== undefined) return printAnnotation(value);
  return `${printAnnotation(value['fields'])}${value['fold'] === true ? ', ignoring case and accents' : ', exact'}`;
}

/** A fully specified filter, with the comparison that the schema of its field implies. */
function toFilter(value: Json | undefined, kindOf: ComparisonKindOf): Filter | undefined {
  if (value === undefined) return undefined;
  const filter = readCollection({ filters: { it: value } }).filters.get('it');
  return filter === undefined || filter.operator === 'matches' ? filter : { ...filter, as: filter.as ?? kindOf(filter.field) };
}

function rateFilter(name: string, before: Filter | undefined, after: Filter | undefined): RatedChange | undefined {
  if (after === undefined) return toRating('removed', ['breaking', 'Clients that use the filter get records that they did not ask for.']);
  if (before === undefined) return toRating('added', ['compatible', 'No client of the old contract uses it.']);
  if (before.operator === 'matches' && after.operator === 'matches') return rateTextSearch(before, after);
  if (before.operator !== after.operator) return rateOperator(before, after);
  if (before.operator === 'matches' || after.operator === 'matches') return undefined;
  if (before.field !== after.field)
    return toRating('field-changed', [
      'breaking',
      `Clients get records with a matching \`${after.field}\` instead of a matching \`${before.field}\`.`,
    ]);
  if (before.as === after.as) return undefined;
  const [was, is] = [before.as ?? 'text', after.as ?? 'text'];
  return {
    ...toRating('comparison-changed', ['breaking', `Values compare as ${is} instead of ${was}, so other records match.`]),
    text: `the filter \`${name}\` compares \`${after.field}\` as ${is}, no longer as ${was}`,
  };
}

function rateOperator(before: Filter, after: Filter): RatedChange {
  const isWider = before.operator === 'equals' && after.operator === 'any-of' && before.field === after.field && before.as === after.as;
  const listOfOne: LevelAndReason = ['compatible', 'A single value is a list with one value and returns the same records.'];
  return toRating('operator-changed', isWider ? listOfOne : ['breaking', reasonOfOperator(before, after)]);
}

function reasonOfOperator(before: Filter, after: Filter): string {
  const exclusiveForm: Readonly<Record<string, string>> = { from: 'after', to: 'before' };
  if (exclusiveForm[before.operator] === after.operator) {
    return 'The value itself is now excluded: clients miss the records that have exactly this value.';
  }
  if (exclusiveForm[after.operator] === before.operator)
    return 'The value itself is now included: clients get records at it that they did not ask for.';
  if (before.operator === 'any-of') return 'Requests with several values are rejected or return no records.';
  return `The same value now means ${after.operator} instead of ${before.operator}, so other records match.`;
}

type TextSearchFilter = Extract<Filter, { operator: 'matches' }>;

function rateTextSearch(before: TextSearchFilter, after: TextSearchFilter): RatedChange | undefined {
  const [removed, added] = [fieldsWithout(before.fields, after.fields), fieldsWithout(after.fields, before.fields)];
  const ratings: readonly RatedChange[] = [
    ...(removed.length > 0
      ? [toRating('fields-removed', ['breaking', `Records are no longer found by text in ${removed.join(', ')} alone.`])]
      : []),
    ...(added.length > 0 ? [toRating('fields-added', ['risky', `Records are now also found by text in ${added.join(', ')} alone.`])] : []),
    ...(before.fold && !after.fold
      ? [toRating('folding-removed', ['breaking', 'Records are no longer found by text with another case or without accents.'])]
      : []),
    ...(!before.fold && after.fold
      ? [toRating('folding-added', ['risky', 'Records are now also found by text with another case or without accents.'])]
      : []),
  ];
  const [first, ...others] = ratings;
  return first === undefined ? undefined : others.reduce(moreSevere, first);
}

function fieldsWithout(left: readonly string[], right: readonly string[]): readonly string[] {
  return left.filter((field) => !right.includes(field));
}

/** Compares the visibility of records: member by member if both contracts specify it, and as a whole in all other cases. */
function compareVisibility(pair: ListOperationPair): readonly Difference[] {
  const areBothSpecified = [pair.old, pair.new].every(({ holder }) => objectAt(holder, [collection, 'visible'])['field'] !== undefined);
  return areBothSpecified
    ? compareKeywordRows(pair, { group: 'visible', keys: [collection, 'visible'], keywords: visibilityRows(pair) })
    : compareKeywordRows(pair, { group: 'visible', keys: [collection], keywords: [visibilityRow(pair)] });
}

function visibilityRow(pair: ListOperationPair): KeywordRow {
  return {
    key: '',
    keys: ['visible'],
    noun: 'the visibility of records',
    texts: { removed: 'hidden records are now visible', added: 'some records are now hidden' },
    direction: 'response',
    rate: {
      removed: ['security', 'Hidden records become visible in lists, totals and searches.'],
      added: ['breaking', 'Visible records may become hidden.'],
      changed: ['breaking', 'Other records are visible.'],
    },
    search: (before, after) => findVisibilityWitness(pair, toVisibility(before), toVisibility(after)),
  };
}

function visibilityRows(pair: ListOperationPair): readonly KeywordRow[] {
  const [before, after] = [pair.old.operation.collection.visible, pair.new.operation.collection.visible];
  const rowOf = (key: string, noun: string, rate: ValueRatings | ListRatings): KeywordRow => ({
    key,
    noun,
    direction: 'response',
    rate,
    search: (old, next) => findVisibilityWitness(pair, withMember(before, key, old), withMember(after, key, next)),
  });
  return [
    rowOf('field', 'the field that decides on visibility', {
      changed: ['breaking', 'Visible records may become hidden, since another field decides.'],
    }),
    rowOf('shown', `the values of ${before?.field ?? 'the field'} that make a record visible`, {
      shorter: ['breaking', 'Visible records become hidden.'],
      longer: ['security', 'Hidden records become visible in lists, totals and searches.'],
    }),
    {
      key: 'hidden',
      noun: 'the response to a read of a hidden record',
      direction: 'response',
      rate: { changed: ['breaking', 'Clients that recognise a hidden record by its status receive another one.'] },
    },
  ];
}

function withMember(visible: Visibility | undefined, key: string, value: Json | undefined): Visibility | undefined {
  return visible === undefined || value === undefined ? visible : { ...visible, [key]: value };
}

function toVisibility(value: Json | undefined): Visibility | undefined {
  return isObject(value) ? (value as unknown as Visibility) : undefined;
}
