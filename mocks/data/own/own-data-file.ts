/** Reads a file of own data: records by tenant and collection, and single resources. */

import { formatLocation, nearest, type SourceLocation, SpecError } from '../../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { placeOf } from '../../../core/openapi/source-positions.ts';
import { toPointer, valueAt } from '../../../core/pointer.ts';
import type { ChangingDataset, Dataset } from '../dataset.ts';

/** A record of a file, and where it stands in it. */
export interface OwnRecord {
  readonly record: JsonObject;
  readonly path: Path;
}

/** Own content of one collection. */
export interface OwnCollection {
  /** `undefined` when only the head is given. */
  readonly records: readonly OwnRecord[] | undefined;
  /** True when the records are added to the mock's own instead of replacing them. */
  readonly extend: boolean;
  readonly head: OwnRecord | undefined;
}

/** Own content of something that exists once: by view, its plain one under `undefined`; `'none'` when the tenant has none. */
type OwnResource = 'none' | ReadonlyMap<string | undefined, OwnRecord>;

/** Own content of one tenant. */
interface OwnTenant {
  readonly collections: ReadonlyMap<string, OwnCollection>;
  readonly resources: ReadonlyMap<string, OwnResource>;
}

/** Content of a file for one API, by tenant. */
export type OwnContent = ReadonlyMap<string, OwnTenant>;

/** An API that own data can be given for. */
export interface DataTarget {
  readonly contract: Contract;
  readonly tenants: readonly string[];
}

/** Reads what a file holds for an API; mistakes are noted. Without `tenants`, what it holds belongs to the first tenant. */
export function readContent(file: OwnFile, { contract, tenants }: DataTarget): OwnContent {
  const { root } = file;
  checkMembers(file, root, [], ['contract', 'tenants', 'collections', 'resources']);
  const [first = ''] = tenants;
  const byTenant = membersOf(file, root, [], 'tenants');
  const content = new Map<string, OwnTenant>();
  if (root['collections'] !== undefined || root['resources'] !== undefined) content.set(first, readTenant(file, contract, root, []));
  for (const [tenant, value] of byTenant) {
    const path = ['tenants', tenant];
    if (!isKnown(file, path, 'tenant', tenant, tenants)) continue;
    if (content.has(tenant)) file.note(path, `collections and resources at the top belong to ${tenant} too; move them here`);
    const members = requireObject(file, path, value);
    checkMembers(file, members, path, ['collections', 'resources']);
    content.set(tenant, readTenant(file, contract, members, path));
  }
  if (content.size === 0 && root['tenants'] === undefined)
    file.note([], 'the file holds no data; put records under collections, and what exists once under resources');
  return content;
}

function readTenant(file: OwnFile, contract: Contract, value: JsonObject, path: Path): OwnTenant {
  const names = [...new Set(contract.collections.map((collection) => collection.name))];
  const singles = [...new Set(contract.resources.filter((resource) => resource.by.size === 0).map((resource) => resource.name))];
  const collections = membersOf(file, value, path, 'collections').filter(([name]) =>
    isKnown(file, [...path, 'collections', name], 'collection', name, names),
  );
  const resources = membersOf(file, value, path, 'resources').filter(([name]) =>
    isKnown(file, [...path, 'resources', name], 'resource', name, singles),
  );
  return {
    collections: new Map(collections.map(([name, member]) => [name, readCollection(file, member, [...path, 'collections', name])])),
    resources: new Map(resources.map(([name, member]) => [name, readResource(file, contract, name, member, [...path, 'resources', name])])),
  };
}

/** A collection is a list of records, or an object that says more. */
function readCollection(file: OwnFile, value: Json, path: Path): OwnCollection {
  if (Array.isArray(value)) return { records: readRecords(file, value, path), extend: false, head: undefined };
  const members = requireObject(file, path, value, 'a list of records, or an object with records, extend and head');
  checkMembers(file, members, path, ['records', 'extend', 'head']);
  const { records, extend, head } = members;
  if (extend !== undefined && typeof extend !== 'boolean')
    file.note([...path, 'extend'], `${describeOwnValue(extend)} is neither true nor false`);
  if (records !== undefined && !Array.isArray(records))
    file.note([...path, 'records'], `${describeOwnValue(records)} is no list of records`);
  return {
    records: Array.isArray(records) ? readRecords(file, records, [...path, 'records']) : undefined,
    extend: extend === true,
    head: head === undefined ? undefined : { record: requireObject(file, [...path, 'head'], head), path: [...path, 'head'] },
  };
}

function readRecords(file: OwnFile, values: readonly Json[], path: Path): readonly OwnRecord[] {
  return values.flatMap((value, index) => {
    if (isObject(value)) return [{ record: value, path: [...path, index] }];
    file.note([...path, index], `${describeOwnValue(value)} is no record; a record is an object`);
    return [];
  });
}

/** A resource with views is given whole: its views are present and absent together, and tell of the same thing. */
function readResource(file: OwnFile, contract: Contract, name: string, value: Json, path: Path): OwnResource {
  if (value === null) return 'none';
  const views = contract.resources.filter((resource) => resource.name === name && resource.by.size === 0).map(({ view }) => view);
  const named = views.filter((view) => view !== undefined);
  if (named.length === 0) return new Map([[undefined, { record: requireObject(file, path, value), path }]]);
  const members = requireObject(file, path, value);
  const expected = views.map((view) => view ?? 'plain');
  checkMembers(file, members, path, expected);
  for (const missing of expected.filter((view) => members[view] === undefined))
    file.note(
      path,
      `${name} is shown in the views ${expected.join(' and ')}, and ${missing} is missing; give each of them, or null for none at all`,
    );
  const given = views.filter((view) => members[view ?? 'plain'] !== undefined);
  return new Map(
    given.map((view) => {
      const at = [...path, view ?? 'plain'];
      return [view, { record: requireObject(file, at, members[view ?? 'plain'] ?? null), path: at }];
    }),
  );
}

function membersOf(file: OwnFile, value: JsonObject, path: Path, name: string): readonly (readonly [string, Json])[] {
  const member = value[name];
  return member === undefined ? [] : Object.entries(requireObject(file, [...path, name], member));
}

function requireObject(file: OwnFile, path: Path, value: Json, what = 'an object'): JsonObject {
  if (isObject(value)) return value;
  file.note(path, `${describeOwnValue(value)} is not ${what}`);
  return {};
}

function checkMembers(file: OwnFile, value: JsonObject, path: Path, known: readonly string[]): void {
  for (const name of Object.keys(value)) isKnown(file, [...path, name], 'member', name, known);
}

function isKnown(file: OwnFile, path: Path, kind: string, name: string, known: readonly string[]): boolean {
  if (known.includes(name)) return true;
  const meant = nearest(name, known);
  const all = known.length === 0 ? 'there is none here' : `there ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}`;
  file.note(path, `there is no ${kind} ${name}; ${meant === undefined ? all : `is ${meant} meant?`}`);
  return false;
}

/** A value as a message repeats it: short, on one line. */
export function describeOwnValue(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** The keys that lead from the top of a file to a value. */
type Path = readonly (string | number)[];

/** Something that is wrong in a file. */
interface Mistake {
  readonly place: SourceLocation;
  readonly message: string;
}

/** A file of own data as it was read, and what was found to be wrong with it so far. */
export interface OwnFile {
  readonly file: string;
  readonly root: JsonObject;
  /** Notes a mistake. Whether it can be read on after it, the caller knows. */
  readonly note: (path: Path, message: string) => void;
  /** @throws {SpecError} with every mistake that was noted, if there is one. */
  readonly finish: () => void;
}

/** Errors that one message shows; a generated file easily has hundreds of the same. */
const shownMost = 20;

/** A file whose mistakes are to be gathered. */
export function openOwnFile(file: string, root: JsonObject): OwnFile {
  const mistakes: Mistake[] = [];
  return {
    file,
    root,
    note: (path, message) => {
      mistakes.push({ place: placeIn(file, root, path), message: path.length === 0 ? message : `${toPointer(path)}: ${message}` });
    },
    finish: () => {
      const [first, ...others] = mistakes;
      if (first === undefined) return;
      const lines = others.slice(0, shownMost - 1).map(({ place, message }) => `${formatLocation(place)}: ${message}`);
      const left = mistakes.length - shownMost;
      throw new SpecError(first.place, [first.message, ...lines, ...(left > 0 ? [`and ${left} more`] : [])].join('\n'));
    },
  };
}

/** Position of the deepest existing value on a path; a missing member is reported at its object. */
export function placeIn(file: string, root: JsonObject, path: Path): SourceLocation {
  let place = placeOf(root);
  let current: Json | undefined = root;
  for (const key of path) {
    if (typeof current !== 'object' || current === null) break;
    const holder: JsonObject = current as JsonObject;
    if (!Object.hasOwn(holder, key)) break;
    place = placeOf(holder, key) ?? place;
    current = holder[key];
  }
  return place ?? { file, line: 1, column: 1 };
}

/** The dataset with the contents of files over it, in the order in which they were given: the last one speaks. Own records are there at every instant. */
export function withOwnData(
  base: ChangingDataset,
  contract: Pick<Contract, 'collections'>,
  contents: readonly OwnContent[],
): ChangingDataset {
  return contents.reduce((dataset, content) => layOver(dataset, contract, content), base);
}

function layOver(base: ChangingDataset, contract: Pick<Contract, 'collections'>, content: OwnContent): ChangingDataset {
  const keys = new Map(contract.collections.map(({ name, key }) => [name, key]));
  const merged = new WeakMap<readonly JsonObject[], Map<OwnCollection, readonly JsonObject[]>>();
  const replaced = new Map<OwnCollection, readonly JsonObject[]>();
  const collectionOf = (tenant: string, name: string): OwnCollection | undefined => content.get(tenant)?.collections.get(name);
  const recordsOf = (dataset: Dataset, tenant: string, name: string): readonly JsonObject[] => {
    const own = collectionOf(tenant, name);
    if (own?.records === undefined) return dataset.records(tenant, name);
    if (!own.extend) return kept(replaced, own, () => (own.records ?? []).map(({ record }) => record));
    const below = dataset.records(tenant, name);
    const known = merged.get(below) ?? new Map<OwnCollection, readonly JsonObject[]>();
    merged.set(below, known);
    return kept(known, own, () => extend(below, own, keys.get(name) ?? ''));
  };
  const lay = (dataset: Dataset): Dataset => ({
    ...(dataset.nowMs === undefined ? {} : { nowMs: dataset.nowMs }),
    tenants: base.tenants,
    records: (tenant, name) => recordsOf(dataset, tenant, name),
    // An index of the dataset below knows nothing of own records; the collections that have none keep theirs.
    ...(dataset.history === undefined
      ? {}
      : {
          history: (tenant: string, name: string) =>
            collectionOf(tenant, name)?.records === undefined ? dataset.history?.(tenant, name) : undefined,
        }),
    head: (tenant, name) => collectionOf(tenant, name)?.head?.record ?? dataset.head(tenant, name),
    resource: (tenant, name, view, caller) => {
      const own = content.get(tenant)?.resources.get(name);
      return own === undefined ? dataset.resource(tenant, name, view, caller) : showOwn(own, view);
    },
  });
  const laid = new WeakMap<Dataset, Dataset>();
  return {
    tenants: base.tenants,
    at: (nowMs) => {
      const below = base.at(nowMs);
      const dataset = laid.get(below) ?? lay(below);
      laid.set(below, dataset);
      return dataset;
    },
  };
}

/** Own records take the place of those with the same key. */
function extend(below: readonly JsonObject[], own: OwnCollection, key: string): readonly JsonObject[] {
  const records = (own.records ?? []).map(({ record }) => record);
  const identities = new Set(records.map((record) => JSON.stringify(valueAt(record, key))));
  return [...below.filter((record) => !identities.has(JSON.stringify(valueAt(record, key)))), ...records];
}

function showOwn(own: OwnResource, view: string | undefined): JsonObject | undefined {
  return own === 'none' ? undefined : own.get(view)?.record;
}

/** The same array for the same question, each time. */
function kept<K extends object, V>(known: Map<K, V>, key: K, make: () => V): V {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}
