/** Applies OpenAPI Overlays (1.0 and 1.1) to the file that they extend, and to the files that its references lead to. */

import { SpecError } from '../../errors.ts';
import { describeJson, isArray, isObject, type Json, type JsonObject, objectOrEmpty } from '../../json.ts';
import { getOrCompute } from '../../memo.ts';
import { publishedSchemaFile } from '../../shipped-files.ts';
import { checkAgainstSchema } from '../check-touchstone-file.ts';
import { rawOf, splitReference } from '../raw-document.ts';
import { combineOrigins, placeOfParsed, setOverlaid } from '../source-positions.ts';
import type { KeyPath } from './json-path.ts';
import { loadContractFile, loadFiles, type OpenRoot } from './load-document.ts';

/**
 * Reads a contract file. An overlay becomes the file that it extends, with its actions applied. That file may be an overlay too.
 * @throws {UsageError} if the file cannot be read.
 * @throws {SpecError} if an overlay is invalid, extends itself, or has an action that selects nothing.
 */
export const openOverlaidRoot: OpenRoot = async (entry, read, strict) => {
  const overlays: JsonObject[] = [];
  const files = [entry];
  let file = entry;
  let root = await loadContractFile(entry, read, { strict });
  while (root['overlay'] !== undefined) {
    await checkAgainstSchema(publishedSchemaFile('overlay'), file, root);
    overlays.unshift(root);
    const place = placeOfParsed(root, 'extends');
    file = splitReference(root, 'extends', place).file;
    const isCycle = files.includes(file);
    files.push(file);
    if (isCycle) throw new SpecError(place, `${files.join(' extends ')}; name the OpenAPI file that the overlay changes`);
    root = await loadContractFile(file, read, { place, strict });
  }
  if (overlays.length === 0) return { root };
  const overlaid = { entry, openApiFile: file, files };
  for (const each of [root, ...overlays]) setOverlaid(each, overlaid);
  const { selectPaths, selectPathsBehindReferences } = await import('./json-path.ts');
  const { document } = await loadFiles(entry, read, async () => ({ root, overlaid }), strict);
  let contents: JsonObject = Object.fromEntries(rawOf(document).files);
  const selectIn: SelectPaths = (query) => {
    const selectedPaths = selectPaths(query, contents[entry] ?? null);
    // By itself, JSONPath stops at a reference. A query with `..` sees the targets where they are, and would not end in a circle of references.
    if (selectedPaths.length > 0 || query.includes('..')) return selectedPaths.map((keys) => [entry, ...keys]);
    return selectPathsBehindReferences(query, contents, entry);
  };
  for (const action of overlays.flatMap((overlay) => overlay['actions'] as readonly JsonObject[]))
    contents = applyAction(contents, action, { entry, file, selectPaths: selectIn });
  const { [entry]: changed = null, ...others } = contents as Record<string, JsonObject>;
  return { root: changed as JsonObject, overlaid, others: new Map(Object.entries(others)) };
};

/** Returns the paths of the values that a query selects. Their first key is the file. */
type SelectPaths = (query: string) => readonly KeyPath[];

/** A member of an object or array, with the holder and the key that give its position. */
interface PlacedMember {
  readonly key: string | number;
  readonly value: Json;
  readonly origin: readonly [holder: object, key: string | number];
}

/** The OpenAPI file that overlays change: its name in the document, and its path. */
interface ExtendedFile {
  readonly entry: string;
  readonly file: string;
  readonly selectPaths: SelectPaths;
}

/** Applies an action to the files of a document, by path. */
function applyAction(contents: JsonObject, action: JsonObject, extended: ExtendedFile): JsonObject {
  const isRemoval = action['remove'] === true;
  if (!isRemoval) requireOneUpdate(action);
  const targets = createTargets(selectOrExplain(action, 'target', extended));
  const files: PlacedMember = { key: '', value: contents, origin: [contents, ''] };
  if (isRemoval) {
    if ([...targets.children.values()].some(({ isSelected }) => isSelected))
      throw new SpecError(placeOfParsed(action, 'remove'), 'the root cannot be removed; name a member of it');
    return changeSelected(files, targets, () => undefined)?.value as JsonObject;
  }
  const update = action['copy'] === undefined ? memberOf(action, 'update') : copiedMember(files, action, extended);
  const isVersion30 = String(objectOrEmpty(contents[extended.entry])['openapi']).startsWith('3.0');
  return changeSelected(files, targets, (member) => merge(member, update, isVersion30, true))?.value as JsonObject;
}

function requireOneUpdate(action: JsonObject): void {
  const isBoth = action['update'] !== undefined && action['copy'] !== undefined;
  if (!isBoth && (action['update'] !== undefined || action['copy'] !== undefined)) return;
  const actual = isBoth ? 'update and copy' : 'none of them';
  throw new SpecError(placeOfParsed(action, 'target'), `an action has one of update, copy and \`remove: true\`; this one has ${actual}`);
}

function selectOrExplain(action: JsonObject, field: 'target' | 'copy', { file, selectPaths }: ExtendedFile): readonly KeyPath[] {
  const query = String(action[field]);
  const place = placeOfParsed(action, field);
  try {
    const selectedPaths = selectPaths(query);
    if (selectedPaths.length > 0) return selectedPaths;
  } catch (cause) {
    throw new SpecError(place, `${query} cannot be evaluated as a JSONPath: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
  throw new SpecError(place, `${query} selects nothing in ${file}; correct the path, or remove this action`);
}

/** The value that an action copies. */
function copiedMember(files: PlacedMember, action: JsonObject, extended: ExtendedFile): PlacedMember {
  const selectedPaths = selectOrExplain(action, 'copy', extended);
  const [keys = [], ...otherPaths] = selectedPaths;
  if (otherPaths.length > 0) {
    const message = `${String(action['copy'])} selects ${selectedPaths.length} values; write a path to one value`;
    throw new SpecError(placeOfParsed(action, 'copy'), message);
  }
  return keys.reduce((member, key) => memberOf(member.value as object, key), files);
}

function isPrimitive(value: Json): boolean {
  return !isObject(value) && !isArray(value);
}

/** The selected values as a tree of keys, so that each holder is copied once. */
interface Targets {
  isSelected: boolean;
  readonly children: Map<string | number, Targets>;
}

function createTargets(paths: readonly KeyPath[]): Targets {
  const root: Targets = { isSelected: false, children: new Map() };
  for (const keys of paths) {
    const target = keys.reduce(
      (holder, key) => getOrCompute(holder.children, key, () => ({ isSelected: false, children: new Map() })),
      root,
    );
    target.isSelected = true;
  }
  return root;
}

/** Copies a value with its selected members changed, or removed where `change` returns `undefined`. */
function changeSelected(
  member: PlacedMember,
  targets: Targets,
  change: (member: PlacedMember) => PlacedMember | undefined,
): PlacedMember | undefined {
  const { value } = member;
  const isHolder = targets.children.size > 0 && typeof value === 'object' && value !== null;
  const changedMember = !isHolder
    ? member
    : withMembers(
        member,
        listMembers(value).flatMap((each) => {
          const memberTargets = targets.children.get(each.key);
          return memberTargets === undefined ? [each] : (changeSelected(each, memberTargets, change) ?? []);
        }),
      );
  return targets.isSelected ? change(changedMember) : changedMember;
}

/** Merges an update into a value, as the specification says. `mayAppend` is true for the selected value itself, not for values below it. */
function merge(member: PlacedMember, update: PlacedMember, isVersion30: boolean, mayAppend = false): PlacedMember {
  const { value } = member;
  if (isObject(value) && isObject(update.value)) {
    refuseBesideReference(value, update, isVersion30);
    const updates = new Map(listMembers(update.value).map((each) => [each.key, each]));
    const mergedMembers = listMembers(value).map((each) => {
      const replacement = updates.get(each.key);
      return replacement === undefined ? each : merge(each, replacement, isVersion30);
    });
    return withMembers(member, [...mergedMembers, ...[...updates.values()].filter(({ key }) => !Object.hasOwn(value, key))]);
  }
  if (isArray(value) && (isArray(update.value) || mayAppend)) {
    return withMembers(member, [...listMembers(value), ...(isArray(update.value) ? listMembers(update.value) : [update])]);
  }
  if (isPrimitive(value) && isPrimitive(update.value)) return { ...update, key: member.key };
  const { file, line } = placeOfParsed(...member.origin);
  const message = `${describeJson(update.value)} cannot replace ${describeJson(value)} of ${file}:${line}; write a value of the same type, or remove the old one first`;
  throw new SpecError(placeOfParsed(...update.origin), message);
}

/** Members beside a `$ref` have no effect in OpenAPI 3.0, and in 3.1 only beside references to schemas. */
function refuseBesideReference(value: JsonObject, update: PlacedMember, isVersion30: boolean): void {
  const reference = value['$ref'];
  if (typeof reference !== 'string' || (update.value as JsonObject)['$ref'] !== undefined) return;
  const isIgnored = isVersion30 || /^#\/components\/(?!schemas\/)/.test(reference);
  const isDescription = !isVersion30 && Object.keys(update.value as JsonObject).every((key) => key === 'summary' || key === 'description');
  if (!isIgnored || isDescription) return;
  throw new SpecError(
    placeOfParsed(...update.origin),
    `OpenAPI ignores members beside the reference to ${reference}; let the target select what it refers to, or remove the reference first`,
  );
}

function memberOf(holder: object, key: string | number): PlacedMember {
  return { key, value: (holder as JsonObject)[key] ?? null, origin: [holder, key] };
}

function listMembers(holder: object): readonly PlacedMember[] {
  const keys = isArray(holder) ? holder.keys() : Object.keys(holder);
  return [...keys].map((key) => memberOf(holder, key));
}

/** A copy of a member whose value has other members. Each keeps its position. */
function withMembers(member: PlacedMember, members: readonly PlacedMember[]): PlacedMember {
  const value = isArray(member.value)
    ? members.map((each) => each.value)
    : Object.fromEntries(members.map((each) => [each.key, each.value]));
  const origins = members.map(({ origin }) => origin);
  return { ...member, value: combineOrigins(member.value as object, value, origins) };
}
