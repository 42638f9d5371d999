/**
 * When a document is prepared for a comparison, adds to each place the component that states its value, so that an edit is recognised even if lines and files
 * move.
 */

import path from 'node:path';
import type { SourceLocation } from '../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { getOrCompute } from '../../core/memo.ts';
import type { Document } from '../../core/openapi/document.ts';
import { type MemberMeaning, membersOf } from '../../core/openapi/member-meanings.ts';
import { followOnce, rawOf } from '../../core/openapi/raw-document.ts';
import { fromPointer, toPointer } from '../../core/pointer.ts';
import type { ChangeSide } from '../../core/results/diff-result.ts';

/** A place, and what states the value there. It stays the same if lines move, lists are sorted, or the component moves to another file. */
export interface ContractPlace extends SourceLocation {
  /** The component, such as `schemas/Email`; absent for what an operation or the file itself states. */
  readonly component?: string | undefined;
  /** Keys from the component, or from the root of the file. Elements of lists are named by what identifies them. */
  readonly pointer?: string | undefined;
}

/** The old or the new state of a changed value, with what states it. */
export interface EditedSide extends ChangeSide {
  readonly place: ContractPlace;
}

/** A document whose places are of this kind. */
export interface PlacedDocument extends Document {
  readonly place: (value: object, key?: string | number) => ContractPlace;
}

/** The holder of a value, and its key there. */
interface Parent {
  readonly holder: object;
  readonly key: string;
}

type Owner = Pick<ContractPlace, 'component' | 'pointer'>;

/** Adds the component and the pointer to the places of a document. */
export function withContractPlaces(document: Document): PlacedDocument {
  const roots: ReadonlySet<object> = new Set(rawOf(document).files.values());
  const parents = new WeakMap<object, Parent>();
  const references: JsonObject[] = [];
  for (const root of rawOf(document).files.values()) collectParents(root, 'keywords', { parents, references });
  const components = nameComponents(document, references);
  const owners = new WeakMap<object, Owner>();
  const ownerOf = (value: object): Owner =>
    getOrCompute(owners, value, () => {
      const component = components.get(value);
      if (component !== undefined) return { component, pointer: '' };
      const parent = parents.get(value);
      return parent === undefined ? { pointer: roots.has(value) ? '' : undefined } : below(ownerOf(parent.holder), parent.key);
    });
  return {
    ...document,
    place: (value, key) => ({
      ...document.place(value, key),
      ...(key === undefined ? ownerOf(value) : below(ownerOf(value), String(key))),
    }),
  };
}

function below({ component, pointer }: Owner, key: string): Owner {
  return { component, pointer: pointer === undefined ? undefined : `${pointer}${toPointer([key])}` };
}

/** Notes the holder and the key of every object below a value, and the objects that refer to another file or component. */
function collectParents(
  value: Json,
  meaning: MemberMeaning,
  found: { readonly parents: WeakMap<object, Parent>; readonly references: JsonObject[] },
): void {
  if (meaning === 'keywords' && isObject(value) && typeof value['$ref'] === 'string') found.references.push(value);
  const identities = new Set<string>();
  for (const { key, member, meaning: inner } of membersOf(value, meaning)) {
    if (typeof member !== 'object' || member === null) continue;
    const identity = typeof key === 'number' ? identityInList(member) : undefined;
    const isUnique = identity !== undefined && !identities.has(identity);
    if (isUnique) identities.add(identity);
    found.parents.set(member, { holder: value as object, key: isUnique ? identity : String(key) });
    collectParents(member, inner, found);
  }
}

/** What identifies an element of a list, so that its position does not matter. */
function identityInList(element: Json): string | undefined {
  if (!isObject(element)) return undefined;
  const { $ref: reference, in: place, name, title, url } = element;
  if (typeof name === 'string') return `${String(place ?? '')} ${name}`;
  return [reference, title, url].find((each) => typeof each === 'string');
}

/** Names of components: what other files refer to, and the members of `components`. */
function nameComponents(document: Document, references: readonly JsonObject[]): ReadonlyMap<object, string> {
  const targets = references.flatMap((holder) => {
    const name = nameOfTarget(String(holder['$ref']));
    return name === undefined ? [] : [[followOnce(document, holder), name] as const];
  });
  const members = [...rawOf(document).files.values()].flatMap(({ components }) =>
    membersIn(components).flatMap(([kind, named]) => membersIn(named).map(([name, value]) => [value, `${kind}/${name}`] as const)),
  );
  return new Map([...targets, ...members].flatMap(([value, name]) => (isObject(value) ? [[value, name]] : [])));
}

function membersIn(value: Json | undefined): readonly (readonly [string, Json])[] {
  return Object.entries(isObject(value) ? value : {});
}

/** Name of the target of a reference to another file; `undefined` for a value of the same file. */
function nameOfTarget(reference: string): string | undefined {
  const [file = '', fragment = ''] = reference.split('#', 2);
  const name = fragment === '' || fragment === '/' ? path.basename(file, path.extname(file)) : fromPointer(fragment).at(-1);
  return file === '' ? undefined : `schemas/${name ?? ''}`;
}
