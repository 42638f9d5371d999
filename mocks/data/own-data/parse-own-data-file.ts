/**
 * Parses a file of own data into tenants, collections and resources, and collects its mistakes with their lines. `read-own-data.ts` calls it for each file at
 * the start and at each reload. Then `check-own-data.ts` checks schemas, and adds mistakes with their places to the same file. `add-own-data.ts` then puts the
 * content over a dataset.
 */

import { didYouMean } from '../../../core/did-you-mean.ts';
import { formatLocation, type SourceLocation, SpecError } from '../../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { createDocument, placeBelow } from '../../../core/openapi/document.ts';
import { toPointer } from '../../../core/pointer.ts';

/** A record with its path in the file. */
export interface OwnRecord {
  readonly record: JsonObject;
  readonly path: Path;
}

/** Own content of one collection. */
export interface OwnCollection {
  /** `undefined` if the file has only the head. */
  readonly records: readonly OwnRecord[] | undefined;
  /** True if the records are added to those of the dataset instead of replacing them. */
  readonly extend: boolean;
  readonly head: OwnRecord | undefined;
}

/** Own content of a resource that exists once, by view (`undefined`: the plain one); `'none'` if the tenant has no such resource. */
export type OwnResource = 'none' | ReadonlyMap<string | undefined, OwnRecord>;

/** Own content of one tenant. */
interface OwnTenant {
  readonly collections: ReadonlyMap<string, OwnCollection>;
  readonly resources: ReadonlyMap<string, OwnResource>;
}

/** Content of a file for one API, by tenant. */
export type OwnContent = ReadonlyMap<string, OwnTenant>;

/** An API that own data may be for. */
export interface DataTarget {
  readonly contract: Contract;
  readonly tenants: readonly string[];
}

/** Reads the content of a file for an API and notes mistakes. Content outside `tenants` belongs to the first tenant. */
export function readContent(file: OwnFile, { contract, tenants }: DataTarget): OwnContent {
  const { root } = file;
  checkMembers(file, root, [], ['contract', 'tenants', 'collections', 'resources']);
  const [firstTenant = ''] = tenants;
  const byTenant = membersOf(file, root, [], 'tenants');
  const content = new Map<string, OwnTenant>();
  if (root['collections'] !== undefined || root['resources'] !== undefined) content.set(firstTenant, readTenant(file, contract, root, []));
  for (const [tenant, value] of byTenant) {
    const path = ['tenants', tenant];
    if (!requireKnownName(file, path, 'tenant', tenant, tenants)) continue;
    if (content.has(tenant)) file.note(path, `collections and resources at the top belong to ${tenant} too; move them here`);
    const members = requireObject(file, path, value);
    checkMembers(file, members, path, ['collections', 'resources']);
    content.set(tenant, readTenant(file, contract, members, path));
  }
  if (content.size === 0 && root['tenants'] === undefined)
    file.note([], 'the file has no data; put records under collections, and single objects under resources');
  return content;
}

function readTenant(file: OwnFile, contract: Contract, value: JsonObject, path: Path): OwnTenant {
  const names = [...new Set(contract.collections.map((collection) => collection.name))];
  const singleResources = [...new Set(contract.resources.filter((resource) => resource.by.size === 0).map((resource) => resource.name))];
  const collections = membersOf(file, value, path, 'collections').filter(([name]) =>
    requireKnownName(file, [...path, 'collections', name], 'collection', name, names),
  );
  const resources = membersOf(file, value, path, 'resources').filter(([name]) =>
    requireKnownName(file, [...path, 'resources', name], 'resource', name, singleResources),
  );
  return {
    collections: new Map(collections.map(([name, member]) => [name, readCollection(file, member, [...path, 'collections', name])])),
    resources: new Map(resources.map(([name, member]) => [name, readResource(file, contract, name, member, [...path, 'resources', name])])),
  };
}

/** Reads a collection: a list of records, or an object with records, extend and head. */
function readCollection(file: OwnFile, value: Json, path: Path): OwnCollection {
  if (Array.isArray(value)) return { records: readRecords(file, value, path), extend: false, head: undefined };
  const members = requireObject(file, path, value, 'a list of records, or an object with records, extend and head');
  checkMembers(file, members, path, ['records', 'extend', 'head']);
  const { records, extend, head } = members;
  if (extend !== undefined && typeof extend !== 'boolean')
    file.note([...path, 'extend'], `${describeOwnValue(extend)} is neither true nor false`);
  if (records !== undefined && !Array.isArray(records))
    file.note([...path, 'records'], `${describeOwnValue(records)} is not a list of records`);
  return {
    records: Array.isArray(records) ? readRecords(file, records, [...path, 'records']) : undefined,
    extend: extend === true,
    head: head === undefined ? undefined : { record: requireObject(file, [...path, 'head'], head), path: [...path, 'head'] },
  };
}

function readRecords(file: OwnFile, values: readonly Json[], path: Path): readonly OwnRecord[] {
  return values.flatMap((value, index) => {
    if (isObject(value)) return [{ record: value, path: [...path, index] }];
    file.note([...path, index], `${describeOwnValue(value)} is not a record; write an object`);
    return [];
  });
}

/** Reads a resource. If it has several views, the file must give all of them, since they show the same thing. */
function readResource(file: OwnFile, contract: Contract, name: string, value: Json, path: Path): OwnResource {
  if (value === null) return 'none';
  const views = contract.resources.filter((resource) => resource.name === name && resource.by.size === 0).map(({ view }) => view);
  if (views.every((view) => view === undefined)) return new Map([[undefined, { record: requireObject(file, path, value), path }]]);
  const members = requireObject(file, path, value);
  const expectedViews = views.map((view) => view ?? 'plain');
  checkMembers(file, members, path, expectedViews);
  for (const missing of expectedViews.filter((view) => members[view] === undefined))
    file.note(
      path,
      `${name} has the views ${expectedViews.join(' and ')}, and ${missing} is missing; give every view, or null if the tenant has no ${name}`,
    );
  const presentViews = views.filter((view) => members[view ?? 'plain'] !== undefined);
  return new Map(
    presentViews.map((view) => {
      const viewPath = [...path, view ?? 'plain'];
      return [view, { record: requireObject(file, viewPath, members[view ?? 'plain'] ?? null), path: viewPath }];
    }),
  );
}

function membersOf(file: OwnFile, value: JsonObject, path: Path, name: string): readonly (readonly [string, Json])[] {
  const member = value[name];
  return member === undefined ? [] : Object.entries(requireObject(file, [...path, name], member));
}

function requireObject(file: OwnFile, path: Path, value: Json, expectation = 'an object'): JsonObject {
  if (isObject(value)) return value;
  file.note(path, `${describeOwnValue(value)} is not ${expectation}`);
  return {};
}

function checkMembers(file: OwnFile, value: JsonObject, path: Path, knownNames: readonly string[]): void {
  for (const name of Object.keys(value)) requireKnownName(file, [...path, name], 'member', name, knownNames);
}

function requireKnownName(file: OwnFile, path: Path, kind: string, name: string, knownNames: readonly string[]): boolean {
  if (knownNames.includes(name)) return true;
  const list = knownNames.length === 0 ? 'there is none here' : `there ${knownNames.length === 1 ? 'is' : 'are'} ${knownNames.join(', ')}`;
  file.note(path, `there is no ${kind} ${name}; ${didYouMean(name, knownNames, list)}`);
  return false;
}

/** Shortens a value for a message. */
export function describeOwnValue(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Keys from the root of a file to a value. */
type Path = readonly (string | number)[];

/** A mistake in a file. */
interface Mistake {
  readonly place: SourceLocation;
  readonly message: string;
}

/** A file of own data with the mistakes found so far. */
export interface OwnFile {
  readonly root: JsonObject;
  /** Returns the place of the value at a path, or of its nearest parent. */
  readonly placeOf: (path: Path) => SourceLocation;
  /** Notes a mistake; reading may continue, so that one error shows all mistakes. */
  readonly note: (path: Path, message: string) => void;
  /** @throws {SpecError} with all noted mistakes, if there are any. */
  readonly finish: () => void;
}

/** Maximum number of mistakes in one message. */
const maxShownMistakes = 20;

/** Creates a file without mistakes. */
export function openOwnFile(name: string, root: JsonObject): OwnFile {
  const mistakes: Mistake[] = [];
  const document = createDocument(name, new Map([[name, root]]));
  const placeOf = (path: Path): SourceLocation => placeBelow(document, root, path);
  return {
    root,
    placeOf,
    note: (path, message) => {
      mistakes.push({ place: placeOf(path), message: path.length === 0 ? message : `${toPointer(path)}: ${message}` });
    },
    finish: () => {
      const [firstMistake, ...otherMistakes] = mistakes;
      if (firstMistake === undefined) return;
      const lines = otherMistakes.slice(0, maxShownMistakes - 1).map(({ place, message }) => `${formatLocation(place)}: ${message}`);
      const moreCount = mistakes.length - maxShownMistakes;
      throw new SpecError(
        firstMistake.place,
        [firstMistake.message, ...lines, ...(moreCount > 0 ? [`and ${moreCount} more`] : [])].join('\n'),
      );
    },
  };
}
