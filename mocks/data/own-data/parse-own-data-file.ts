/**
 * Reads the tenants, collections and resources of a file of own data, at the start and on each reload, and notes mistakes with their lines. The structure of
 * the file must have been checked before.
 */

import { didYouMean } from '../../../core/did-you-mean.ts';
import { formatLocation, type SourceLocation, SpecError } from '../../../core/errors.ts';
import { isObject, type Json, type JsonObject, objectOrEmpty, printJson } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { placeBelow } from '../../../core/openapi/source-positions.ts';
import { toPointer } from '../../../core/pointer.ts';
import { planWorld } from '../../world/plan-world.ts';

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

/** Own content of a singleton resource, by view (`undefined`: the plain one); `'none'` if the tenant has no such resource. */
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

/** Collections and resources as a file has them. */
interface TenantInFile {
  readonly collections?: Readonly<Record<string, readonly JsonObject[] | CollectionInFile>>;
  readonly resources?: Readonly<Record<string, JsonObject | null>>;
}

/** A collection with more than its records, as a file has it. */
interface CollectionInFile {
  readonly records?: readonly JsonObject[];
  readonly extend?: boolean;
  readonly head?: JsonObject;
}

/** Content of a file, as `specs/own-data.schema.json` describes it. */
interface OwnFileContent extends TenantInFile {
  readonly contract?: string;
  readonly tenants?: Readonly<Record<string, TenantInFile>>;
}

/** Reads the content of a file for an API and notes mistakes. Content outside `tenants` belongs to the first tenant. */
export function readContent(file: OwnFile, { contract, tenants }: DataTarget): OwnContent {
  const { collections, resources, tenants: byTenant } = file.root;
  const [firstTenant = ''] = tenants;
  const content = new Map<string, OwnTenant>();
  if (collections !== undefined || resources !== undefined) content.set(firstTenant, readTenant(file, contract, file.root, []));
  for (const [tenant, members] of knownEntries(file, ['tenants'], 'tenant', byTenant, tenants)) {
    const path = ['tenants', tenant];
    if (content.has(tenant)) file.note(path, `collections and resources at the top belong to ${tenant} too; move them here`);
    content.set(tenant, readTenant(file, contract, members, path));
  }
  if (content.size === 0 && byTenant === undefined)
    file.note([], 'the file has no data; put records under collections, and single objects under resources');
  return content;
}

function readTenant(file: OwnFile, contract: Contract, { collections, resources }: TenantInFile, path: Path): OwnTenant {
  const annotated = [...new Set(contract.collections.map((collection) => collection.name))];
  // Inferring takes long, so only a name that no annotation has asks for it.
  const isAnnotated = Object.keys(collections ?? {}).every((name) => annotated.includes(name));
  const names = isAnnotated ? annotated : [...new Set([...annotated, ...planWorld(contract).collections.map(({ name }) => name)])];
  const singleResources = [...new Set(contract.resources.filter((resource) => resource.by.size === 0).map((resource) => resource.name))];
  const [collectionsPath, resourcesPath] = [
    [...path, 'collections'],
    [...path, 'resources'],
  ];
  return {
    collections: new Map(
      knownEntries(file, collectionsPath, 'collection', collections, names).map(([name, collection]) => [
        name,
        readCollection(collection, [...collectionsPath, name]),
      ]),
    ),
    resources: new Map(
      knownEntries(file, resourcesPath, 'resource', resources, singleResources).map(([name, resource]) => [
        name,
        readResource(file, contract, name, resource, [...resourcesPath, name]),
      ]),
    ),
  };
}

/** Reads a collection: a list of records, or an object with records, extend and head. */
function readCollection(collection: readonly JsonObject[] | CollectionInFile, path: Path): OwnCollection {
  if (isRecordList(collection)) return { records: withPaths(collection, path), extend: false, head: undefined };
  const { records, extend = false, head } = collection;
  return {
    records: records === undefined ? undefined : withPaths(records, [...path, 'records']),
    extend,
    head: head === undefined ? undefined : { record: head, path: [...path, 'head'] },
  };
}

function isRecordList(collection: readonly JsonObject[] | CollectionInFile): collection is readonly JsonObject[] {
  return Array.isArray(collection);
}

function withPaths(records: readonly JsonObject[], path: Path): readonly OwnRecord[] {
  return records.map((record, index) => ({ record, path: [...path, index] }));
}

/** Reads a resource. If it has several views, the file must give all of them, since they show the same thing. */
function readResource(file: OwnFile, contract: Contract, name: string, resource: JsonObject | null, path: Path): OwnResource {
  if (resource === null) return 'none';
  const views = contract.resources.filter((each) => each.name === name && each.by.size === 0).map(({ view }) => view);
  if (views.every((view) => view === undefined)) return new Map([[undefined, { record: resource, path }]]);
  const expectedViews = views.map((view) => view ?? 'plain');
  const objects = new Map(knownEntries(file, path, 'view', resource, expectedViews).filter(([, value]) => isObject(value)));
  for (const missing of expectedViews.filter((view) => !objects.has(view)))
    file.note(
      path,
      `${name} has the views ${expectedViews.join(' and ')}, and ${missing} is missing; give every view as an object, or null if the tenant has no ${name}`,
    );
  return new Map(
    views.map((view) => {
      const viewName = view ?? 'plain';
      return [view, { record: objectOrEmpty(objects.get(viewName)), path: [...path, viewName] }];
    }),
  );
}

/** Returns the members of an object whose names the contract has, and notes the others. */
function knownEntries<Value>(
  file: OwnFile,
  path: Path,
  kind: string,
  values: Readonly<Record<string, Value>> = {},
  knownNames: readonly string[],
): readonly (readonly [string, Value])[] {
  return Object.entries(values).filter(([name]) => requireKnownName(file, [...path, name], kind, name, knownNames));
}

function requireKnownName(file: OwnFile, path: Path, kind: string, name: string, knownNames: readonly string[]): boolean {
  if (knownNames.includes(name)) return true;
  const list = knownNames.length === 0 ? 'there is none here' : `there ${knownNames.length === 1 ? 'is' : 'are'} ${knownNames.join(', ')}`;
  file.note(path, `there is no ${kind} ${name}; ${didYouMean(name, knownNames, list)}`);
  return false;
}

/** Shortens a value for a message. */
export function describeOwnValue(value: Json): string {
  const text = printJson(value);
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
  readonly root: OwnFileContent;
  /** Returns the place of the value at a path, or of its nearest parent. */
  readonly placeOf: (path: Path) => SourceLocation;
  /** Notes a mistake; reading may continue, so that one error shows all mistakes. */
  readonly note: (path: Path, message: string) => void;
  /** @throws {SpecError} with all noted mistakes, if there are any. */
  readonly finish: () => void;
}

/** Maximum number of mistakes in one message. */
const maxShownMistakes = 20;

/** Creates a file without mistakes, whose structure was checked. */
export function openOwnFile(name: string, root: JsonObject): OwnFile {
  const mistakes: Mistake[] = [];
  const placeOf = (path: Path): SourceLocation => placeBelow(name, root, path);
  return {
    // The schema describes the members.
    root: root as OwnFileContent,
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
