/** Finds which parameters of a list filter its records, and by which fields; and how the list is sorted and searched. */

import type { Filter } from '../annotations/annotations.ts';
import type { Operation } from '../openapi/operation.ts';
import type { Parameter } from '../parameters/parse-parameter.ts';
import { toPointer } from '../pointer.ts';
import type { Guess, Sort } from './guess.ts';
import { plainName, singularOf, wordsOf } from './names.ts';
import type { Shape } from './shape.ts';

/** Guesses the filters of a list. `others` are parameters with another role. */
export function inferFilters(operation: Operation, record: Shape, others: ReadonlySet<string>): ReadonlyMap<string, Guess<Filter>> {
  const filters = new Map<string, Guess<Filter>>();
  for (const parameter of operation.parameters) {
    if (parameter.in !== 'query' || others.has(parameter.name) || notFilters.has(plainName(parameter.name))) continue;
    const guess = searchFilter(parameter, record) ?? fieldFilter(parameter, record);
    if (guess !== undefined) filters.set(parameter.name, guess);
  }
  return filters;
}

/** Parameters about the response or the API, even where a field has the same name. */
const notFilters = new Set('version,apiversion,fields,include,expand,embed,format,locale,language,lang,timezone,view,pretty'.split(','));

const searchNames = new Set('q,query,search,searchterm,keyword,keywords,searchquery,searchtext,term,searchstring,text'.split(','));

/** A search in the texts of the records. Which ones it searches cannot be known. */
function searchFilter({ name, kinds, allowed }: Parameter, record: Shape): Guess<Filter> | undefined {
  if (!searchNames.has(plainName(name)) || record.members.has(name) || !kinds.includes('string') || allowed.length > 0) return undefined;
  const fields = [...record.members]
    .filter(([field, member]) => searched.has(plainName(field)) && member.types.has('string'))
    .map(([field]) => toPointer([field]));
  if (fields.length === 0) return undefined;
  return { value: { operator: 'matches', fields, fold: true }, confidence: 0.8, reason: { by: 'text-search', name } };
}

const searched = new Set(
  'name,title,description,summary,label,subject,text,body,content,firstname,lastname,fullname,displayname,username,email,tagline,note,notes,address,city'.split(
    ',',
  ),
);

const bounds: readonly (readonly [Exclude<Filter['operator'], 'matches' | 'equals' | 'any-of'>, readonly string[]])[] = [
  ['from', ['gte', 'since', 'from', 'min', 'ge', 'start']],
  ['to', ['lte', 'until', 'to', 'max', 'le', 'end', 'till']],
  ['after', ['gt', 'after']],
  ['before', ['lt', 'before']],
];

/** A filter by the field that has the name of the parameter, with or without a bound such as `_after`. */
function fieldFilter(parameter: Parameter, record: Shape): Guess<Filter> | undefined {
  const words = wordsOf(parameter.name).filter((word, index) => !(word === 'filter' && index === 0));
  const plain = words.join('');
  const exact = fieldNamed(record, plain);
  // `start_time` bounds a time even where a field has this name.
  if (exact !== undefined) return equality(parameter, exact, rangeWords.has(words[0] ?? '') ? 0.6 : 0.95);
  const flag = words[0] === 'is' || words[0] === 'only' ? fieldNamed(record, words.slice(1).join('')) : fieldNamed(record, `is${plain}`);
  if (flag?.shape.types.has('boolean') === true && parameter.kinds.includes('boolean')) return equality(parameter, flag, 0.9);
  const bound = boundFilter(parameter, words, record);
  if (bound !== undefined) return bound;
  const singular = fieldNamed(record, singularOf(plain));
  if (singular !== undefined && parameter.style.shape === 'list') return equality(parameter, singular, 0.93);
  const below = fieldBelow(record, words);
  return below === undefined ? itemFilter(parameter, words, record) : equality(parameter, below, 0.92);
}

/** A filter by one item of an array: `tag` for `tags`, `tag_list` or `tag_names`. */
function itemFilter(parameter: Parameter, words: readonly string[], record: Shape): Guess<Filter> | undefined {
  const nounsIn = (texts: readonly string[]): string =>
    texts
      .map((word) => singularOf(word))
      .filter((word) => !itemWords.has(word))
      .join(' ');
  const nouns = nounsIn(words);
  const [name, shape] = [...record.members].find(([each, { element }]) => element !== undefined && nounsIn(wordsOf(each)) === nouns) ?? [];
  if (nouns === '' || name === undefined || shape?.element === undefined) return undefined;
  return equality(parameter, { name, pointer: toPointer([name]), shape: shape.element }, 0.93);
}

/** Words that say of a name only that there are several. */
const itemWords = new Set(['list', 'name', 'in', 'any', 'has', 'contain']);

const rangeWords = new Set(['start', 'end', 'from', 'to', 'since', 'until', 'min', 'max']);

function boundFilter(parameter: Parameter, words: readonly string[], record: Shape): Guess<Filter> | undefined {
  for (const [operator, marks] of bounds) {
    const mark = words.find((word) => marks.includes(word));
    const rest = words.filter((word) => word !== mark && !(word === 'date' && words.length > 2)).join('');
    if (mark === undefined || rest === '') continue;
    const names = [rest, `${rest}at`, `${rest}on`, `${rest}date`, `${rest}time`, `date${rest}`];
    const field = names.map((each) => fieldNamed(record, each)).find((each) => each !== undefined && isOrdered(each.shape));
    if (field === undefined) continue;
    const confidence = isComparable(parameter, field.shape) ? 0.92 : 0.75;
    return { value: { operator, field: field.pointer, as: undefined }, confidence, reason: { by: 'field-part', name: field.name } };
  }
  return undefined;
}

interface Field {
  readonly name: string;
  readonly pointer: string;
  readonly shape: Shape;
}

function fieldNamed(record: Shape, plain: string): Field | undefined {
  const [name, shape] = [...record.members].find(([each]) => plainName(each) === plain) ?? [];
  return name === undefined || shape === undefined ? undefined : { name, shape, pointer: toPointer([name]) };
}

/** The only field of this name in the objects that a record contains, if the name has several words: `card_brand` of `{"card": {"card_brand": …}}`. */
function fieldBelow(record: Shape, words: readonly string[]): Field | undefined {
  if (words.length < 2) return undefined;
  const found = [...record.members].flatMap(([name, member]) => {
    const field = member.element === undefined ? fieldNamed(member, words.join('')) : undefined;
    return field === undefined ? [] : [{ ...field, pointer: toPointer([name, field.name]) }];
  });
  return found.length === 1 ? found[0] : undefined;
}

/** A filter for equal values. Values that no record can have, such as `state=all`, make it doubtful. */
function equality(parameter: Parameter, { name, pointer, shape }: Field, confidence: number): Guess<Filter> | undefined {
  if (!shape.isScalar && !shape.types.has('boolean')) return undefined;
  const { listed } = shape;
  const foreign = parameter.allowed.filter((value) => !listed.includes(value));
  const hasOthers = parameter.allowed.length > 0 && (listed.length === 0 ? !shape.types.has('string') : foreign.length > 0);
  const isTyped =
    parameter.kinds.some((kind) => shape.types.has(kind) || (kind === 'integer' && shape.types.has('number'))) ||
    parameter.kinds.length === 0;
  const operator = parameter.style.shape === 'list' ? 'any-of' : 'equals';
  const doubt = hasOthers ? 0.3 : isTyped ? 0 : 0.2;
  const isText = shape.types.has('string') && listed.length === 0 && shape.format === undefined && parameter.allowed.length === 0;
  // Names are often searched, not compared.
  const searchDoubt = isText && searched.has(plainName(name)) ? 0.15 : 0;
  return {
    value: { operator, field: pointer, as: undefined },
    confidence: confidence - doubt - searchDoubt,
    reason: { by: 'field-name', name },
  };
}

function isOrdered(shape: Shape): boolean {
  return (
    shape.types.has('integer') ||
    shape.types.has('number') ||
    ['date-time', 'date'].includes(shape.format ?? '') ||
    (shape.isScalar && shape.listed.length === 0)
  );
}

/** True if a bound and its field have values of one kind. */
function isComparable({ kinds, schema }: Parameter, field: Shape): boolean {
  const format = typeof schema === 'object' ? schema['format'] : undefined;
  const isNumber = kinds.some((kind) => kind === 'integer' || kind === 'number');
  if (isNumber) return field.types.has('integer') || field.types.has('number');
  const isDate = format === 'date-time' || format === 'date';
  return isDate && ['date-time', 'date'].includes(field.format ?? '');
}

const sortNames = ['sort', 'sortby', 'orderby', 'ordering', 'sortfield', 'order', 'sortcolumn', 'sortkey', 'sorting', 'sorts'];
const directionNames = ['order', 'direction', 'sortorder', 'sortdirection', 'sortdir', 'orderdirection', 'dir', 'orderdir', 'sorttype'];

/** Guesses how a list is sorted on request. */
export function inferSort({ parameters }: Operation, record: Shape): Guess<Sort> | undefined {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const find = (names: readonly string[], not?: Parameter): Parameter | undefined =>
    names.flatMap((name) => query.filter((each) => each !== not && plainName(each.name) === name))[0];
  const isDirection = ({ allowed }: Parameter): boolean =>
    allowed.length > 0 && allowed.every((value) => /^(asc|desc)(ending)?$/i.test(String(value)));
  const by = find(sortNames.filter((name) => query.some((each) => plainName(each.name) === name && !isDirection(each))));
  const direction = find(directionNames, by);
  const fields = new Map(
    (by?.allowed ?? []).flatMap((value) => {
      const { field } = readSortValue(String(value));
      const found = fieldNamed(record, plainName(field)) ?? fieldNamed(record, `${plainName(field)}at`);
      return found === undefined ? [] : [[field, found.pointer] as const];
    }),
  );
  if (by === undefined) return undefined;
  if (fields.size === 0) for (const [name, member] of record.members) if (member.isScalar) fields.set(name, toPointer([name]));
  const isListed = by.allowed.length > 0 && by.allowed.every((value) => fields.has(readSortValue(String(value)).field));
  return {
    value: {
      parameter: by.name,
      direction: direction !== undefined && (isDirection(direction) || direction.allowed.length === 0) ? direction.name : undefined,
      fields,
    },
    confidence: isListed ? 0.95 : by.allowed.length === 0 ? 0.75 : 0.85,
    reason: { by: 'parameter-name', name: by.name },
  };
}

/** The field and the direction in a text such as `-created_at`, `created_at:desc` or `created_at DESC`. */
export function readSortValue(text: string): { readonly field: string; readonly direction: 'ascending' | 'descending' | undefined } {
  const [, sign = '', name = '', suffix = ''] = /^([-+]?)(.*?)(?:[:,. _]((?:a|de)sc))?$/i.exec(text) ?? [];
  const direction = sign === '-' || /^desc/i.test(suffix) ? 'descending' : sign === '+' || suffix !== '' ? 'ascending' : undefined;
  return { field: name, direction };
}
