/** Finds the array of records in the response of a list, and tells lists from reads of one record that has arrays inside. */

import type { Operation } from '../openapi/operation.ts';
import { toPointer } from '../pointer.ts';
import type { Guess, Reason } from './guess.ts';
import { isSameNoun, nounsOfPath, plainName, singularOf, wordsOf } from './names.ts';
import type { Shape } from './shape.ts';

/** An array in a response. */
interface ArrayPlace {
  readonly keys: readonly string[];
  readonly element: Shape;
  /** The names beside the array, in all objects around it. */
  readonly siblings: readonly string[];
}

/** Guesses the array of records; `undefined` if the response has none. */
export function inferItems(operation: Operation, success: Shape, hasPages: boolean): Guess<string> | undefined {
  const places = [...arraysIn(success, [], [])].filter(({ element, keys }) => mayHoldRecords(element, keys));
  const ranked = places
    .map((place) => ({ place, ...rank(operation, place, places, hasPages) }))
    .sort((left, right) => right.confidence - left.confidence || left.place.keys.length - right.place.keys.length);
  const [best, second] = ranked;
  if (best === undefined) return undefined;
  const isTie = second !== undefined && second.confidence > best.confidence - 0.03 && second.place.keys.length === best.place.keys.length;
  return {
    value: toPointer(best.place.keys),
    confidence: isTie ? Math.min(best.confidence, 0.5) : best.confidence,
    reason: isTie ? { by: 'several-arrays', name: [best, second].map(({ place }) => place.keys.at(-1)).join(', ') } : best.reason,
  };
}

/** Depth of objects in which arrays are searched. */
const maxDepth = 3;

/** Arrays in a value, outermost first. Arrays in elements of arrays belong to records. */
function* arraysIn(shape: Shape, keys: readonly string[], siblings: readonly string[]): Generator<ArrayPlace> {
  const { element } = shape;
  if (element !== undefined) {
    yield { keys, element, siblings };
    return;
  }
  if (keys.length >= maxDepth) return;
  const names = [...shape.members.keys()];
  for (const [name, member] of shape.members)
    yield* arraysIn(member, [...keys, name], [...siblings, ...names.filter((each) => each !== name)]);
}

/** False for arrays that are about the response or the page. */
function mayHoldRecords(element: Shape, keys: readonly string[]): boolean {
  if (keys.some((key, depth) => notRecords.has(plainName(key)) && (depth === keys.length - 1 || plainName(key) !== 'meta'))) return false;
  return element.members.size > 0 || element.types.has('object');
}

const notRecords = new Set(
  'links,link,errors,error,warnings,messages,facets,included,schemas,meta,metadata,debug,notices,sorts,filters,aggregations,queryparameters'.split(
    ',',
  ),
);

interface Rank {
  readonly confidence: number;
  readonly reason: Reason;
}

function rank(operation: Operation, place: ArrayPlace, all: readonly ArrayPlace[], hasPages: boolean): Rank {
  const { keys, element } = place;
  const name = keys.at(-1) ?? '';
  const noun = nounsOfPath(operation.path).at(-1) ?? '';
  const listsByName =
    hasPages || wordsOf(operation.id).some((word) => ['list', 'index', 'search', 'find', 'query', 'browse'].includes(word));
  const endsWithParameter = /\}\/?$/.test(operation.path);
  const isMixed = element.types.has('string') || element.types.has('integer');
  const isOfRecord = endsWithParameter && !listsByName;
  if (keys.length === 0) return { confidence: isOfRecord || isMixed ? 0.6 : 0.97, reason: { by: 'array-body', name: '' } };
  const own = place.siblings.filter((sibling) => !isAboutPages(sibling) && !isCountOf(sibling, name));
  const doubt =
    doubtOf(own, place.siblings.length - own.length, hasPages, isSameNoun(name, noun)) + Number(isMixed) * 0.3 + Number(isOfRecord) * 0.3;
  const isLikely = listsByName || singularOf(noun) !== noun;
  const rule = rules.find(({ holds }) => holds({ name, noun, isOnly: all.length === 1 }));
  if (rule === undefined) return { confidence: 0.6 - doubt, reason: { by: 'several-arrays', name } };
  const isSupported = isLikely || (rule.by === 'container-name' && own.length === 0);
  return { confidence: (isSupported ? rule.supported : rule.alone) - doubt, reason: { by: rule.by, name } };
}

/** How the name of an array shows that it holds the records, the strongest first. */
const rules: readonly {
  readonly by: Reason['by'];
  readonly holds: (array: { readonly name: string; readonly noun: string; readonly isOnly: boolean }) => boolean;
  /** The confidence if the operation looks like a list, and if it does not. */
  readonly supported: number;
  readonly alone: number;
}[] = [
  { by: 'path-noun', holds: ({ name, noun }) => isNounOf(name, noun), supported: 0.97, alone: 0.97 },
  { by: 'container-name', holds: ({ name }) => containers.has(plainName(name)), supported: 0.95, alone: 0.85 },
  { by: 'only-array', holds: ({ isOnly }) => isOnly, supported: 0.92, alone: 0.7 },
];

/** True for `versions` or `version` below `/things/{id}/versions`, and for `sets` below `/component_sets`. */
function isNounOf(name: string, noun: string): boolean {
  return isSameNoun(name, noun) || (noun !== '' && name.length > 3 && plainName(noun).endsWith(singularOf(plainName(name))));
}

/** A record with members of its own is no envelope, whatever its arrays are called: the more of them, and an identity, the less it is one. */
function doubtOf(own: readonly string[], aboutPages: number, hasPages: boolean, isNoun: boolean): number {
  if (own.length === 0) return 0;
  const hasIdentity = own.some((name) => ['id', 'uuid', 'gid', 'sid', 'key', 'slug'].includes(wordsOf(name).at(-1) ?? ''));
  const isEnvelope = aboutPages >= 3 || (!hasIdentity && (own.length <= 2 || (isNoun && hasPages)));
  return isEnvelope ? 0.04 : hasPages && own.length <= 2 ? 0.08 : 0.35;
}

/** The names that hold records in the envelopes of many APIs. */
const containers = new Set(
  (
    'data,items,item,results,result,records,record,values,value,entries,entry,content,contents,elements,list,rows,nodes,hits,docs,documents,objects,' +
    'resources,collection,embedded,edges,page,response'
  ).split(','),
);

/** True for a member such as `articlesCount` beside `articles`. */
export function isCountOf(sibling: string, name: string): boolean {
  const [plain, noun] = [plainName(sibling), singularOf(plainName(name))];
  return (
    noun !== '' &&
    ['count', 'total', 'totals', 'totalcount'].some(
      (end) => plain === `${noun}s${end}` || plain === `${noun}${end}` || plain === `${end}${noun}s`,
    )
  );
}

/** True for the name of a member about the page or the response, such as `total_count` or `_links`. */
export function isAboutPages(name: string): boolean {
  const words = wordsOf(name);
  return (
    words.length > 0 && (words.every((word) => pageWords.has(word)) || (words.length > 1 && ['sort', 'order'].includes(words[0] ?? '')))
  );
}

const pageWords = new Set(
  (
    'total,count,counts,num,number,of,size,limit,offset,skip,page,pages,per,next,prev,previous,first,last,start,end,cursor,cursors,more,has,is,' +
    'link,links,meta,metadata,paging,pagination,pager,object,type,kind,uri,url,href,request,id,success,status,ok,error,errors,warning,warnings,' +
    'message,messages,included,facets,token,query,self,etag,from,to,after,before,result,results,item,items,record,records,element,elements,' +
    'entries,available,current,max,min,took,time,timestamp,context,version,sort,sorted,order,filter,filters,search,info,response,code,' +
    'continuation,marker,remaining,truncated,complete,incomplete,list,index,embedded,empty,pageable,schemas,resources,service,' +
    'operation,resource,unified,raw,exceeded,sync,batch,estimated,hits,processing,ms,expand,fields,matched,returned,jsonapi'
  ).split(','),
);
