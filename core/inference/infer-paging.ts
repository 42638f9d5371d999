/** Finds how a list is paged: by the names of its parameters, by the members around its records, and by what other tools wrote into the file. */

import { foreignPagingOf } from '../openapi/foreign-paging.ts';
import type { Operation } from '../openapi/operation.ts';
import type { Parameter } from '../parameters/parse-parameter.ts';
import { fromPointer, toPointer } from '../pointer.ts';
import type { Guess, PageMembers, Paging } from './guess.ts';
import { isCountOf } from './infer-items.ts';
import { plainName, wordsOf } from './names.ts';
import type { Shape } from './shape.ts';

/** The parameters about pages. */
export interface PageParameters {
  readonly limit: Parameter | undefined;
  readonly page: Parameter | undefined;
  readonly offset: Parameter | undefined;
  readonly cursor: Parameter | undefined;
  /** The id after which the next page begins. */
  readonly keyset: Parameter | undefined;
  /** All parameters about pages, also those that lead back. */
  readonly all: ReadonlySet<string>;
}

const names = {
  limit: (
    'limit,perpage,pagesize,size,count,maxresults,first,take,rows,top,resultsperpage,displaysize,pagelength,maxitems,itemsperpage,hitsperpage,max,' +
    'numresults,pagelimit,maxrecords,recordsperpage,maxpagesize,limitcount,maxcount,batchsize,length,numberofresults,maxrows,results'
  ).split(','),
  textLimit: 'limit,perpage,pagesize,displaysize,maxresults'.split(','),
  page: 'page,pagenumber,pageno,pagenum,p,pageindex,currentpage,pagecount'.split(','),
  offset: 'offset,skip,start,from,startindex,startat,startfrom,startposition,firstresult,pageoffset,begin,startrow'.split(','),
  cursor: (
    'cursor,pagetoken,nexttoken,offset,beforeafter,continuation,continuationtoken,marker,next,pagekey,nextpagetoken,bookmark,anchor,pagingtoken,scrollid,' +
    'pagecursor,nextcursor,cursormark,position,pageafter,aftercursor,iteratortoken,starttoken,token,paginationtoken,nextmarker,pagingcursor'
  ).split(','),
  keyset: 'startingafter,after,afterid,sinceid,lastid,startafter,fromid,startingafterid'.split(','),
  back: 'endingbefore,before,beforeid,prev,previous,pagebefore,previouspagetoken,beforecursor,endbefore,prevcursor,maxid'.split(','),
} as const;

/** Sorts out the parameters about pages. */
export function findPageParameters({ parameters }: Pick<Operation, 'parameters'>): PageParameters {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const find = (list: readonly string[], isFit: (parameter: Parameter) => boolean): Parameter | undefined =>
    list.flatMap((name) => query.filter((parameter) => plainName(parameter.name) === name && isFit(parameter)))[0];
  const page = find(names.page, isNumeric);
  // A start with an end is a range of time.
  const hasEnd = query.some(({ name }) => ['end', 'to', 'until', 'endtime'].includes(plainName(name)));
  const offset = find(
    names.offset,
    (parameter) => isNumeric(parameter) && !(hasEnd && ['start', 'from', 'begin'].includes(plainName(parameter.name))),
  );
  const textPage = page === undefined ? find(['page'], isText) : undefined;
  // Some files type every parameter as a text.
  const limit = find(names.limit, isNumeric) ?? find(names.textLimit, isText);
  const cursor = find(names.cursor, isOpaque) ?? textPage;
  const keyset =
    find(names.keyset, isScalarParameter) ??
    (offset === undefined && cursor === undefined && limit !== undefined && !hasEnd ? find(['from'], isOpaque) : undefined);
  const back = query.filter(({ name }) => (names.back as readonly string[]).includes(plainName(name)));
  const isPaged = [page, offset, cursor, keyset].some((each) => each !== undefined);
  const found = [limit, page, offset, cursor, keyset, ...(isPaged ? back : [])].filter((each) => each !== undefined);
  return { limit, page, offset, cursor, keyset, all: new Set(found.map(({ name }) => name)) };
}

function isNumeric({ kinds, schema, examples }: Parameter): boolean {
  return (
    kinds.some((kind) => kind === 'integer' || kind === 'number') ||
    (typeof schema === 'object' && /^\d+$/.test(String(schema['default'] ?? schema['example'] ?? examples[0] ?? '')))
  );
}

function isText(parameter: Parameter): boolean {
  return parameter.kinds.includes('string') && !isNumeric(parameter);
}

/** True for a text that is neither a date nor listed. */
function isOpaque({ kinds, schema, allowed }: Parameter): boolean {
  const format = typeof schema === 'object' ? String(schema['format'] ?? '') : '';
  return (kinds.includes('string') || kinds.length === 0) && allowed.length === 0 && !/date|time/.test(format);
}

function isScalarParameter({ style, allowed }: Parameter): boolean {
  return style.shape === 'one' && allowed.length === 0;
}

/** Guesses the pages of a list with its records at `items`; `undefined` if it has none. */
export function inferPaging(operation: Operation, success: Shape, items: string): Guess<Paging> | undefined {
  const members = findPageMembers(success, items);
  const found = startByMembers(operation, members);
  const stated = statedPaging(operation, found, members);
  if (stated !== undefined) return stated;
  const isContinued = members.next !== undefined || members.nextLink !== undefined || success.members.get('links')?.element !== undefined;
  const evidence: Evidence = {
    ...found,
    members,
    isContinued,
    mayContinue: isContinued || members.more !== undefined || hasRange(operation),
  };
  const candidate = candidates.find(({ holds }) => holds(evidence));
  if (candidate === undefined) return undefined;
  const { limit } = found;
  const start = candidate.start(evidence);
  const value: Paging = {
    style: candidate.style(evidence),
    limit: limit?.name,
    start: start?.name,
    firstPage: candidate.first?.(start) ?? 1,
    members,
  };
  const by = limit === undefined || start === undefined ? 'parameter-alone' : 'parameter-name';
  const confidence = candidate.confidence(evidence) + (limit === undefined || start === undefined ? 0 : 0.03);
  return { value, confidence, reason: { by, name: start?.name ?? limit?.name ?? '' } };
}

/**
 * The parameters about pages, with the members of the response in mind: a text `page` is a number where the response has the number of its page, and `before`
 * leads on, not back, where the response has a next cursor and no other parameter takes it.
 */
function startByMembers(operation: Operation, { page, next }: PageMembers): PageParameters {
  const found = findPageParameters(operation);
  if (found.page === undefined && page !== undefined && next === undefined && isNamed(found.cursor, 'page'))
    return { ...found, page: found.cursor, cursor: undefined };
  const hasStart = [found.page, found.offset, found.cursor, found.keyset].some((each) => each !== undefined);
  const [back, other] = operation.parameters.filter((each) => each.in === 'query' && isOpaque(each) && isNamed(each, ...names.back));
  return next === undefined || hasStart || other !== undefined ? found : { ...found, cursor: back };
}

/** The pages that a request may ask for by a number, even if the list has other pages, or may have none. */
export function numberedPagingOf(operation: Operation): readonly Paging[] {
  const { page, offset, limit } = findPageParameters(operation);
  const byNumber = [
    { style: 'page', parameter: page, firstPage: firstPageOf(page) },
    { style: 'offset', parameter: offset, firstPage: startOf(offset) },
  ] as const;
  return byNumber.flatMap(({ style, parameter, firstPage }) =>
    parameter === undefined ? [] : [{ style, start: parameter.name, firstPage, limit: limit?.name, members: {} }],
  );
}

/** The pages that another tool's extension states. */
function statedPaging(operation: Operation, { limit }: PageParameters, members: PageMembers): Guess<Paging> | undefined {
  const foreign = foreignPagingOf(operation);
  const has = (name: string | undefined): boolean => name !== undefined && operation.parameters.some((each) => each.name === name);
  if (foreign === undefined || !has(foreign.start)) return undefined;
  const { style, start, next, extension } = foreign;
  const value: Paging = {
    style,
    start,
    limit: has(foreign.limit) ? foreign.limit : limit?.name,
    firstPage: style === 'page' ? 1 : 0,
    members: next === undefined ? members : { ...members, next },
  };
  return { value, confidence: 0.97, reason: { by: 'vendor-extension', name: extension } };
}

function hasRange({ parameters }: Operation): boolean {
  return parameters.some(({ name }) => /^(before|after|from|until|since)/i.test(name));
}

/** What is known of the pages of a list. */
interface Evidence extends PageParameters {
  readonly members: PageMembers;
  /** True if the response leads to the next page. */
  readonly isContinued: boolean;
  /** True if there may be a next page, by whatever way. */
  readonly mayContinue: boolean;
}

/** A style of pages, by the parameters that show it. */
interface Candidate {
  readonly holds: (evidence: Evidence) => boolean;
  readonly style: (evidence: Evidence) => Paging['style'];
  readonly start: (evidence: Evidence) => Parameter | undefined;
  readonly first?: (start: Parameter | undefined) => number;
  readonly confidence: (evidence: Evidence) => number;
}

const isNamed = (parameter: Parameter | undefined, ...wanted: readonly string[]): boolean =>
  parameter !== undefined && wanted.includes(plainName(parameter.name));

/** The styles, the one with the strongest evidence first. */
const candidates: readonly Candidate[] = [
  {
    // An offset that the response states is a cursor, whatever it is called.
    holds: ({ offset, members }) => members.next !== undefined && isNamed(offset, 'from', 'start'),
    style: () => 'cursor',
    start: ({ offset }) => offset,
    confidence: () => 0.89,
  },
  {
    holds: ({ cursor, page, offset, members }) =>
      cursor !== undefined && (members.next !== undefined || (page === undefined && offset === undefined)),
    style: () => 'cursor',
    start: ({ cursor }) => cursor,
    confidence: ({ cursor, page, offset, isContinued }) => {
      const isCertain = isContinued || isNamed(cursor, 'cursor', 'pagetoken', 'nexttoken', 'marker', 'pagecursor', 'nextpagetoken');
      return (isCertain ? 0.93 : 0.75) - (page !== undefined || offset !== undefined ? 0.04 : 0);
    },
  },
  {
    holds: ({ keyset, page, offset }) => keyset !== undefined && page === undefined && offset === undefined,
    style: ({ members }) => (members.next === undefined ? 'keyset' : 'cursor'),
    start: ({ keyset }) => keyset,
    confidence: ({ keyset, members }) => (isNamed(keyset, 'after', 'startingafter', 'from') || members.next !== undefined ? 0.92 : 0.85),
  },
  {
    holds: ({ page, offset, limit, members }) =>
      page !== undefined && (offset === undefined || (members.page !== undefined && !isNamed(limit, 'limit'))),
    style: () => 'page',
    start: ({ page }) => page,
    first: firstPageOf,
    confidence: ({ page }) => (isNamed(page, 'pagecount') ? 0.6 : 0.93),
  },
  {
    holds: ({ offset }) => offset !== undefined,
    style: () => 'offset',
    start: ({ offset }) => offset,
    first: startOf,
    confidence: ({ offset, limit }) => (limit !== undefined || isNamed(offset, 'offset', 'skip', 'startindex', 'startat') ? 0.93 : 0.6),
  },
  {
    holds: ({ limit }) => isNamed(limit, 'limit', 'perpage', 'pagesize', 'maxresults', 'top'),
    style: () => 'limit',
    start: () => undefined,
    confidence: ({ mayContinue }) => (mayContinue ? 0.6 : 0.92),
  },
];

/** Number of the first page: 0 if the schema, or its description, says so. */
function firstPageOf(parameter: Parameter | undefined): number {
  if (parameter === undefined) return 1;
  const { schema, fallback } = parameter;
  if (fallback === 0 || fallback === 1) return Number(fallback);
  if (typeof schema !== 'object') return 1;
  if (
    schema['minimum'] === 0 ||
    /zero[- ](based|indexed)|0[- ](based|indexed)|starts? (at|from|with) (0|zero)\b/i.test(String(schema['description'] ?? ''))
  )
    return 0;
  return 1;
}

/** The offset of the first record: 1 for a list that counts from it, as SCIM's does. */
function startOf(parameter: Parameter | undefined): number {
  if (parameter === undefined) return 0;
  const { schema, fallback, name } = parameter;
  if (fallback === 1) return 1;
  return typeof schema === 'object' &&
    (schema['minimum'] === 1 || /1-based/i.test(String(schema['description'] ?? ''))) &&
    plainName(name) !== 'offset'
    ? 1
    : 0;
}

/** The members about pages, in the objects around the records and in objects beside them. */
export function findPageMembers(success: Shape, items: string): PageMembers {
  const keys = fromPointer(items);
  const found: Partial<Record<keyof PageMembers, string>> = {};
  for (const [place, name, member] of keys.flatMap((_, depth) => [...membersAround(success, keys.slice(0, depth), items, 0)])) {
    const isCount = isCountOf(name, keys.at(-1) ?? '') && !member.types.has('string');
    const role = isCount ? 'total' : roleOf(name, member, place);
    if (role === undefined) continue;
    const isBetter = role === 'total' && /total/i.test(name) && !/total/i.test(found.total ?? 'total');
    if (found[role] === undefined || isBetter) found[role] = toPointer([...place, name]);
  }
  return found;
}

/** The members of an object, and those of objects about pages in it, without the records. */
function* membersAround(
  success: Shape,
  place: readonly string[],
  items: string,
  depth: number,
): Generator<readonly [readonly string[], string, Shape]> {
  for (const [name, member] of success.at(toPointer(place))?.members ?? []) {
    const own = [...place, name];
    const pointer = toPointer(own);
    if (pointer === items || items.startsWith(`${pointer}/`)) continue;
    yield [place, name, member];
    if (depth < 2 && member.members.size > 0 && isPageObject(name)) yield* membersAround(success, own, items, depth + 1);
  }
}

function isPageObject(name: string): boolean {
  return /^_?(meta|metadata|paging|pagination|pager|pages?|links?|cursors?|next|next_page|info|list_info|page_?info|response_?metadata)$/i.test(
    name.replaceAll('-', '_'),
  );
}

const membersByRole: readonly (readonly [keyof PageMembers, readonly string[], 'integer' | 'boolean' | 'string'])[] = [
  [
    'total',
    'total,totalcount,totalresults,totalitems,totalelements,totalrecords,totalentries,totalsize,numfound,estimatedtotalhits,totalhits,recordstotal,totalnumber,itemcount,numresults,totalfilteredcount,count'.split(
      ',',
    ),
    'integer',
  ],
  ['count', 'itemsonpage,numberofelements,numberreturned,returnedcount,returned'.split(','), 'integer'],
  ['pages', 'totalpages,pagecount,numpages,lastpage,pages,pagestotal,maxpage'.split(','), 'integer'],
  ['page', 'page,currentpage,pagenumber,pageindex,number'.split(','), 'integer'],
  ['limit', 'perpage,limit,pagesize,itemsperpage,size,maxresults,maxitems'.split(','), 'integer'],
  ['offset', 'offset,skip,startindex,startat,start'.split(','), 'integer'],
  ['more', 'hasmore,more,hasnext,hasnextpage,morerecords,istruncated,hasmoreitems,hasmoreresults'.split(','), 'boolean'],
  ['isLast', 'islast,last,islastpage,lastpage'.split(','), 'boolean'],
  ['lastKey', ['lastid'], 'string'],
  ['firstKey', ['firstid'], 'string'],
  [
    'next',
    'nextcursor,nextpagetoken,nexttoken,next,cursor,after,aftercursor,nextpage,endcursor,startingafter,nextmarker,nextpagecursor,continuationtoken,pagetoken'.split(
      ',',
    ),
    'string',
  ],
];

/** The role of a member about pages; `undefined` for other members. */
function roleOf(name: string, member: Shape, place: readonly string[]): keyof PageMembers | undefined {
  const plain = plainName(name);
  const parent = place.at(-1) ?? '';
  const isLinkish = (isLink(name, member) && plain !== 'offset') || place.some((each) => /links?$/i.test(each));
  if (isLinkish && (plain.includes('next') || /^next/i.test(parent))) return 'nextLink';
  if (isLinkish && plain.includes('prev')) return 'previousLink';
  if (isNextOf(plain, parent, member)) return 'next';
  if (
    plain === 'count' &&
    /\b(in|on|of) (this|the current|the) (page|result|response|set|batch)|\breturned\b|\bin this\b/i.test(member.description)
  )
    return 'count';
  const { types } = member;
  const has = (type: string): boolean => types.size === 0 || types.has(type) || (type === 'integer' && types.has('number'));
  const isComposite = types.has('object') || types.has('array');
  return isComposite ? undefined : membersByRole.find(([, roleNames, type]) => roleNames.includes(plain) && has(type))?.[0];
}

/** True for a number or a text that continues a list, and whose name alone would not say so. */
function isNextOf(plain: string, parent: string, { types }: Shape): boolean {
  if (['nextpage', 'next', 'nextoffset'].includes(plain) && types.has('integer')) return true;
  return (plain === 'after' && /^cursors?$/i.test(parent)) || (plain === 'offset' && /^next/i.test(parent));
}

function isLink(name: string, member: Shape): boolean {
  if (wordsOf(name).some((word) => ['url', 'uri', 'href', 'link'].includes(word)) || member.format === 'uri' || member.format === 'url')
    return true;
  return (
    member.examples.some((example) => typeof example === 'string' && /^(https?:\/\/|\/)/.test(example)) ||
    /\bURL\b|\blink to\b/i.test(member.description)
  );
}
