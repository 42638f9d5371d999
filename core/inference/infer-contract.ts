/**
 * Infers the collections of a loaded contract from its paths, parameters and schemas, for the mock and for `touchstone infer`. Annotations of the file are
 * guesses of full confidence.
 */

import type { Filter } from '../annotations/annotations.ts';
import { getOrCompute } from '../memo.ts';
import type { Contract } from '../openapi/contract.ts';
import { foreignPagingOf } from '../openapi/foreign-paging.ts';
import { linksOf } from '../openapi/links.ts';
import type { Operation } from '../openapi/operation.ts';
import { toPointer } from '../pointer.ts';
import type { Guess, Inference, InferredCollection, InferredDetail, InferredList, Reference } from './guess.ts';
import { inferError, inferLogin } from './infer-api.ts';
import { inferInstant, inferKey, inferReferences } from './infer-fields.ts';
import { inferFilters, inferSort } from './infer-filters.ts';
import { inferItems } from './infer-items.ts';
import { findPageParameters, inferPaging } from './infer-paging.ts';
import { inferWrites, overlap, sharesSchema } from './infer-writes.ts';
import { isSameNoun, nounsOfPath, parametersOfPath, plainName, singularOf, withoutParameterNames } from './names.ts';
import { type Shape, shapeOfSuccess } from './shape.ts';

/** Infers everything that the engine knows of. It sends nothing and reads no files. */
export function inferContract(contract: Contract): Inference {
  const operations = contract.operations.map((operation) => readOperation(operation));
  const lists = operations.flatMap((each) => (each.items === undefined ? [] : [{ ...each, items: each.items }]));
  const bases = groupByBase(operations, lists);
  const drafts = [...bases].flatMap(([base, members]) => draftCollection(base, members) ?? []);
  const merged = mergeViews(drafts);
  const named = nameCollections(merged);
  const targets = [...named]
    .filter(([draft]) => isNamedByFields(draft))
    .map(([draft, name]) => ({ name, noun: nounsOfPath(draft.base).at(-1) ?? name, isNested: draft.base.includes('{}') }));
  const unique = targets.filter(
    (target) => !target.isNested || !targets.some((other) => other !== target && !other.isNested && isSameNoun(other.noun, target.noun)),
  );
  return {
    collections: [...named].map(([draft, name]) => toCollection(draft, name, named, unique)),
    logins: contract.operations.flatMap((operation) => inferLogin(operation) ?? []),
    error: inferError(contract),
  };
}

/** True for a collection whose records others may name: each can be read, or its noun is a plural. */
function isNamedByFields({ base, details }: DraftCollection): boolean {
  const noun = nounsOfPath(base).at(-1) ?? '';
  return details.length > 0 || singularOf(noun) !== noun;
}

/** An operation with what is known of its response. */
interface ReadOperation {
  readonly operation: Operation;
  readonly success: Shape;
  /** The array of records, for an operation that lists some. */
  readonly items: Guess<string> | undefined;
}

function readOperation(operation: Operation): ReadOperation {
  const success = shapeOfSuccess(operation);
  return { operation, success, items: operation.method === 'GET' ? itemsOf(operation, success) : undefined };
}

function itemsOf(operation: Operation, success: Shape): Guess<string> | undefined {
  const { collection, resource } = operation;
  if (collection !== undefined) return { value: collection.items, confidence: 1, reason: { by: 'annotation', name: 'x-collection' } };
  if (resource !== undefined) return undefined;
  const foreign = foreignPagingOf(operation);
  if (foreign?.items !== undefined && success.at(foreign.items)?.element !== undefined)
    return { value: foreign.items, confidence: 0.98, reason: { by: 'vendor-extension', name: foreign.extension } };
  const pages = findPageParameters(operation);
  const guess = inferItems(operation, success, pages.all.size > (pages.limit === undefined ? 0 : 1) || pages.limit !== undefined);
  // At the path of one record, an array is a part of it unless everything speaks for a list.
  const least = operation.path.endsWith('}') ? 0.9 : 0.5;
  return guess === undefined || guess.confidence < least ? undefined : guess;
}

/** The operations of a base path: those at the path itself, and those at the path with a key below it. */
interface BaseMembers {
  readonly lists: (ReadOperation & { readonly items: Guess<string> })[];
  readonly atBase: ReadOperation[];
  readonly atKey: ReadOperation[];
  readonly belowKey: ReadOperation[];
}

function groupByBase(
  operations: readonly ReadOperation[],
  lists: readonly (ReadOperation & { readonly items: Guess<string> })[],
): ReadonlyMap<string, BaseMembers> {
  const bases = new Map<string, BaseMembers>();
  const at = (base: string): BaseMembers => getOrCompute(bases, base, () => ({ lists: [], atBase: [], atKey: [], belowKey: [] }));
  for (const list of lists) at(basePathOf(list.operation)).lists.push(list);
  for (const each of operations) {
    if (each.items !== undefined) continue;
    const path = basePathOf(each.operation);
    const [, base = ''] = /^(.+)\/\{\}(?:\.\w+)?$/.exec(path) ?? [];
    if (base !== '') at(base).atKey.push(each);
    else at(path).atBase.push(each);
    const [, owner = ''] = /^(.+)\/\{\}\/[^{}/]+$/.exec(path) ?? /^(.+)\/\{\}:\w+$/.exec(path) ?? [];
    // What is written where a list is read belongs to that list.
    if (owner !== '' && (bases.get(path)?.lists.length ?? 0) === 0) at(owner).belowKey.push(each);
  }
  return bases;
}

/** The path of the collection: `/orders` for `/orders/list`. */
function basePathOf({ path }: Operation): string {
  return withoutParameterNames(path).replace(/\/(list|index|all)(\.\w+)?$/i, '');
}

/** A collection before it has a name. */
interface DraftCollection {
  readonly base: string;
  readonly record: Shape;
  readonly key: Guess<string> | undefined;
  readonly lists: readonly (ReadOperation & { readonly items: Guess<string> })[];
  readonly details: readonly InferredDetail[];
  readonly members: BaseMembers;
}

function draftCollection(base: string, members: BaseMembers): DraftCollection | undefined {
  const { lists, atBase, atKey } = members;
  const noun = nounsOfPath(base).at(-1) ?? '';
  const [list] = lists;
  const reads = atKey.filter(({ operation }) => operation.method === 'GET');
  const [read] = reads;
  const isCreated = atBase.some(({ operation }) => operation.method === 'POST' || operation.method === 'PUT');
  // Without a list, a path with a key is a collection only if records get into it.
  if (list === undefined && (read === undefined || !isCreated)) return undefined;
  const element = list === undefined ? undefined : (list.success.at(`${list.items.value}/0`) ?? list.success.at(list.items.value)?.element);
  const parameter = parametersOfPath(atKey[0]?.operation.path ?? '').at(-1);
  const places = reads.map((each) => ({ each, at: placeOfRecord(each, element, noun) }));
  const record = element ?? read?.success.at(places[0]?.at.value ?? '');
  if (record === undefined) return undefined;
  const stated = list?.operation.collection?.key;
  const key: Guess<string> | undefined =
    stated === undefined
      ? (keyByLink(members, record, reads) ?? inferKey(record, noun, parameter))
      : { value: stated, confidence: 1, reason: { by: 'annotation', name: 'x-collection' } };
  const details = places.map(({ each, at }) => ({
    operation: each.operation,
    at,
    parameter: parametersOfPath(each.operation.path).at(-1) ?? '',
  }));
  return { base, record, key, lists, details, members };
}

/** The member of a record that a link gives to the read of one record. */
function keyByLink({ lists, atBase, atKey }: BaseMembers, record: Shape, reads: readonly ReadOperation[]): Guess<string> | undefined {
  const link = [...lists, ...atBase, ...atKey]
    .flatMap(({ operation }) => linksOf(operation))
    .find(({ target, parameter, member }) =>
      reads.some(
        ({ operation: { id, path } }) =>
          id === target && parametersOfPath(path).at(-1) === parameter && record.members.get(member)?.isScalar === true,
      ),
    );
  return link === undefined ? undefined : { value: toPointer([link.member]), confidence: 0.98, reason: { by: 'link', name: link.name } };
}

/** Where the response of a read has its record: at the root, or in a member with the record's schema or members. */
function placeOfRecord({ operation, success }: ReadOperation, element: Shape | undefined, noun: string): Guess<string> {
  const stated = operation.resource?.at;
  if (stated !== undefined) return { value: stated, confidence: 1, reason: { by: 'annotation', name: 'x-resource' } };
  const candidates = [
    { pointer: '', shape: success, name: '' },
    ...[...success.members]
      .filter(([, member]) => member.members.size > 0)
      .map(([name, shape]) => ({ pointer: toPointer([name]), shape, name })),
    // Some APIs return one record as a list of one.
    ...[...success.members].flatMap(([name, { element: only }]) =>
      only === undefined ? [] : [{ pointer: toPointer([name, 0]), shape: only, name }],
    ),
  ];
  const rootHasOwn =
    (success.members.size > 1 && !candidates.some(({ name }) => isSameNoun(name, noun) || name === 'data')) || candidates.length === 1;
  if (element === undefined) {
    const wrapped = candidates.find(({ name }) => name !== '' && (isSameNoun(name, noun) || ['data', 'result', 'item'].includes(name)));
    const found = wrapped !== undefined && success.members.size <= 3 ? wrapped : candidates[0];
    return { value: found?.pointer ?? '', confidence: 0.9, reason: { by: 'member-name', name: found?.name ?? '' } };
  }
  const shared = candidates.find(({ shape }) => sharesSchema(shape, element));
  if (shared !== undefined) return { value: shared.pointer, confidence: 0.97, reason: { by: 'same-schema', name: shared.name } };
  const scored = candidates
    .map((candidate) => ({ candidate, score: overlap(candidate.shape, element) }))
    .sort((left, right) => right.score - left.score);
  const [best] = scored;
  if (best !== undefined && best.score >= 0.5)
    return { value: best.candidate.pointer, confidence: 0.93, reason: { by: 'member-name', name: best.candidate.name } };
  const named = candidates.find(({ name }) => isSameNoun(name, noun) || name === 'data');
  if (named !== undefined) return { value: named.pointer, confidence: 0.85, reason: { by: 'member-name', name: named.name } };
  return { value: '', confidence: rootHasOwn ? 0.7 : 0.5, reason: { by: 'member-name', name: '' } };
}

/** Lists of another collection's records, such as `/pet/findByStatus` or `/users/{id}/orders`, join that collection. */
function mergeViews(drafts: readonly DraftCollection[]): readonly DraftCollection[] {
  const owners = new Map<DraftCollection, DraftCollection>();
  for (const draft of drafts) {
    const owner = draft.details.length > 0 ? undefined : drafts.find((other) => other !== draft && isViewOf(draft, other));
    if (owner !== undefined && !owners.has(owner)) owners.set(draft, owner);
  }
  const kept = drafts.filter((draft) => !owners.has(draft));
  return kept.map((draft) => {
    const views = [...owners].filter(([, owner]) => owner === draft).map(([view]) => view);
    return { ...draft, lists: [...draft.lists, ...views.flatMap(({ lists }) => lists)] };
  });
}

function isViewOf(view: DraftCollection, owner: DraftCollection): boolean {
  if (view.lists.length === 0 || !sharesSchema(view.record, owner.record)) return false;
  const isBelow = view.base.startsWith(`${owner.base}/`) && !view.base.slice(owner.base.length).includes('{}');
  if (isBelow) return true;
  const [noun, ownerNoun] = [view, owner].map(({ base }) => nounsOfPath(base).at(-1) ?? '');
  const isTopLevel = !owner.base.includes('{}') && owner.lists.length > 0;
  return (
    isTopLevel &&
    isSameNoun(noun ?? '', ownerNoun ?? '') &&
    view.base.endsWith(`/${owner.base.split('/').at(-1)}`) &&
    parentField(view) !== undefined
  );
}

/** The field of a nested list's records that names the parent: `user_id` for `/users/{}/orders`. */
function parentField({ base, record }: Pick<DraftCollection, 'base' | 'record'>): string | undefined {
  const [, parent] = /([^/{}]+)\/\{\}\/[^/{}]+$/.exec(base) ?? [];
  if (parent === undefined) return undefined;
  const noun = plainName(singularOf(parent));
  return [...record.members].find(
    ([name, member]) => member.isScalar && ['id', 'gid', 'sid', 'uuid'].some((end) => plainName(name) === `${noun}${end}`),
  )?.[0];
}

/** Gives each collection a name of its own: its noun, with as many nouns before it as are needed. */
function nameCollections(drafts: readonly DraftCollection[]): ReadonlyMap<DraftCollection, string> {
  const nounsOf = (draft: DraftCollection): readonly string[] => nounsOfPath(draft.base);
  const stated = (draft: DraftCollection): string | undefined => draft.lists[0]?.operation.collection?.name;
  return new Map(
    drafts.map((draft) => {
      const nouns = nounsOf(draft);
      const end = (count: number, of: readonly string[]): string => of.slice(-count).join('-').toLowerCase();
      for (let count = 1; count < nouns.length; count += 1) {
        const rivals = drafts.filter((other) => other !== draft && end(count, nounsOf(other)) === end(count, nouns));
        if (rivals.every((other) => nounsOf(other).length > nouns.length)) return [draft, stated(draft) ?? end(count, nouns)] as const;
      }
      return [draft, stated(draft) ?? (nouns.join('-').toLowerCase() || 'records')] as const;
    }),
  );
}

function toCollection(
  draft: DraftCollection,
  name: string,
  named: ReadonlyMap<DraftCollection, string>,
  targets: readonly { readonly name: string; readonly noun: string }[],
): InferredCollection {
  const { base, record, key, details, members } = draft;
  return {
    name,
    base,
    key,
    version: inferInstant(record, 'changed'),
    created: inferInstant(record, 'created'),
    parents: inferParents(base, named),
    lists: draft.lists.map((list) => toList(list, draft)),
    details,
    writes: inferWrites(members, draft),
    references: [
      ...referencesByLink(draft, named),
      ...inferReferences(
        record,
        key?.value,
        nounsOfPath(base).at(-1) ?? '',
        targets.filter((target) => target.name !== name),
      ),
    ].filter(({ field }, index, all) => all.findIndex((other) => other.field === field) === index),
  };
}

/** The members of records that links give to the reads of other collections. */
function referencesByLink(draft: DraftCollection, named: ReadonlyMap<DraftCollection, string>): readonly Reference[] {
  const links = [...draft.lists, ...draft.details].flatMap(({ operation }) => linksOf(operation));
  return links.flatMap(({ name, target, parameter, member }) => {
    const [, other] =
      [...named].find(
        ([each]) => each !== draft && each.details.some((detail) => detail.operation.id === target && detail.parameter === parameter),
      ) ?? [];
    const field = toPointer([member]);
    if (other === undefined || field === draft.key?.value || draft.record.members.get(member)?.isScalar !== true) return [];
    return [{ field, target: { value: other, confidence: 0.97, reason: { by: 'link', name } } }];
  });
}

function toList({ operation, success, items }: ReadOperation & { readonly items: Guess<string> }, draft: DraftCollection): InferredList {
  const record = success.at(`${items.value}/0`) ?? success.at(items.value)?.element ?? draft.record;
  const { all } = findPageParameters(operation);
  const sort = inferSort(operation, record);
  const others = new Set([...all, ...(sort === undefined ? [] : [sort.value.parameter, sort.value.direction ?? ''])]);
  const filters = new Map(inferFilters(operation, record, others));
  const path = basePathOf(operation);
  const field = path === draft.base ? undefined : parentField({ base: path, record });
  const parameter = parametersOfPath(operation.path).at(-1);
  if (field !== undefined && parameter !== undefined) {
    const filter: Filter = { operator: 'equals', field: toPointer([field]), as: undefined };
    filters.set(parameter, { value: filter, confidence: 0.93, reason: { by: 'path-parameter', name: field } });
  }
  return { operation, items, filters, sort, paging: inferPaging(operation, success, items.value) };
}

function inferParents(base: string, named: ReadonlyMap<DraftCollection, string>): readonly (Guess<string> | undefined)[] {
  const parts = base.split('/{}');
  return parts.slice(0, -1).map((_, index) => {
    const parentBase = parts.slice(0, index + 1).join('/{}');
    const noun = nounsOfPath(parts[index] ?? '').at(-1) ?? '';
    const exact = [...named].find(([draft]) => draft.base === parentBase);
    if (exact !== undefined) return { value: exact[1], confidence: 0.97, reason: { by: 'path-below', name: noun } };
    const alike = [...named].filter(([draft]) => isSameNoun(nounsOfPath(draft.base).at(-1) ?? '', noun) && !draft.base.includes('{}'));
    const [found] = alike;
    return found === undefined || alike.length > 1
      ? undefined
      : { value: found[1], confidence: 0.92, reason: { by: 'path-noun', name: noun } };
  });
}
