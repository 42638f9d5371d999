/** What a file of own data may hold, and reading it: whose records, of which collection, and what exists once. */

import type { Contract } from '../../core/contract.ts';
import { nearest } from '../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { OwnFile, Path } from './mistake.ts';

/** A record of a file, and where it stands in it. */
export interface OwnRecord {
  readonly record: JsonObject;
  readonly path: Path;
}

/** Own content of one collection. */
export interface OwnCollection {
  /** `undefined` when only the head is given. */
  readonly records: readonly OwnRecord[] | undefined;
  /** Whether the records come to those that are there, rather than instead of them. */
  readonly extend: boolean;
  readonly head: OwnRecord | undefined;
}

/** Own content of something that exists once: by view, its plain one under `undefined`; `'none'` when the tenant has none. */
export type OwnResource = 'none' | ReadonlyMap<string | undefined, OwnRecord>;

/** Own content of one tenant. */
export interface OwnTenant {
  readonly collections: ReadonlyMap<string, OwnCollection>;
  readonly resources: ReadonlyMap<string, OwnResource>;
}

/** What a file holds for one API, by tenant. */
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
  if (extend !== undefined && typeof extend !== 'boolean') file.note([...path, 'extend'], `${show(extend)} is neither true nor false`);
  if (records !== undefined && !Array.isArray(records)) file.note([...path, 'records'], `${show(records)} is no list of records`);
  return {
    records: Array.isArray(records) ? readRecords(file, records, [...path, 'records']) : undefined,
    extend: extend === true,
    head: head === undefined ? undefined : { record: requireObject(file, [...path, 'head'], head), path: [...path, 'head'] },
  };
}

function readRecords(file: OwnFile, values: readonly Json[], path: Path): readonly OwnRecord[] {
  return values.flatMap((value, index) => {
    if (isObject(value)) return [{ record: value, path: [...path, index] }];
    file.note([...path, index], `${show(value)} is no record; a record is an object`);
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
  file.note(path, `${show(value)} is not ${what}`);
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
export function show(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
