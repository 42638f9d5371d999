import type { SourceLocation } from '../../../core/errors.ts';
import { isArray, type Json, type JsonObject } from '../../../core/json.ts';
import { isSameValue } from '../../../core/json-equality.ts';
import { rawOf } from '../../../core/openapi/raw-document.ts';
import { type ComparisonContext, memberSide, type OperationPair, reportChangedMembers, reportDifference } from '../comparison-context.ts';
import { describeJsonChange, toKebab } from '../describe-value-change.ts';
import type { EntryPair } from '../pair-renamed-entries.ts';
import { compareLifecycle } from './compare-lifecycle.ts';
import { compareParameters } from './compare-parameters.ts';
import { compareRequestBody } from './compare-request-body.ts';
import { compareResponses } from './compare-responses.ts';
import { compareSecurity, compareUnnamedSchemes } from './compare-security.ts';
import { compareServers } from './compare-servers.ts';
import { type DocumentedOperation, pairOperations } from './documented-operations.ts';
import { rateRemoval } from './sunset-announcement.ts';

/** Compares all operations, webhooks and callbacks until an interruption. Returns the names of operations that were not fully compared. */
export async function compareOperations(context: ComparisonContext): Promise<readonly string[]> {
  const { document, oldRoot, newRoot } = context;
  const paired = pairOperations({ ...rawOf(document), root: oldRoot }, { ...rawOf(document), root: newRoot });
  compareUnnamedSchemes(context, paired);
  const movedPrefixes = countMovedPrefixes(paired);
  const newPlaces = new Map(paired.flatMap(({ new: after }) => (after === undefined ? [] : [[after.path, after.place]])));
  const unfinished: string[] = [];
  for (const { key, newKey, old: before, new: after } of paired) {
    if (before === undefined) reportAdded(context, after);
    else if (after === undefined) reportRemoved(context, before, newPlaces.get(before.path));
    else {
      if (newKey !== key) reportRenamed(context, before, after, movedPrefixes);
      if (!(await compareOperation({ context, operation: after.name, old: before, new: after }))) unfinished.push(after.name);
    }
  }
  return unfinished;
}

/** Number of renamed operations by the prefix that their paths lost and the one that they got. */
function countMovedPrefixes(paired: readonly EntryPair<DocumentedOperation>[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { key, newKey, old, new: next } of paired) {
    const prefixes = old && next && newKey !== key ? movedPrefix(old, next)?.join(' ') : undefined;
    if (prefixes !== undefined) counts.set(prefixes, (counts.get(prefixes) ?? 0) + 1);
  }
  return counts;
}

/** Both paths without the segments in which they end alike; `undefined` if more or less than the path changed. */
function movedPrefix(old: DocumentedOperation, next: DocumentedOperation): readonly [old: string, next: string] | undefined {
  if (old.method !== next.method || old.path === next.path) return undefined;
  const [from, to] = [old.path.split('/'), next.path.split('/')];
  while (from.length > 2 && to.length > 2 && from.at(-1) === to.at(-1)) {
    from.pop();
    to.pop();
  }
  return [from.join('/'), to.join('/')];
}

/** Reports a renamed operation. Operations below a path that moved are one edit, so they have one text. */
function reportRenamed(
  context: ComparisonContext,
  before: DocumentedOperation,
  after: DocumentedOperation,
  movedPrefixes: ReadonlyMap<string, number>,
): void {
  const paths = context.document.place(context.newRoot, 'paths');
  const prefix = movedPrefix(before, after);
  const edit = prefix?.join(' ');
  const isMovedWithOthers = edit !== undefined && (movedPrefixes.get(edit) ?? 0) > 1;
  const [from, to] = prefix !== undefined && isMovedWithOthers ? prefix : [before.name, after.name];
  reportDifference(
    { context, operation: after.name },
    {
      id: 'operation/renamed',
      ...rateRemoval(context, before.value, { level: 'breaking', reason: reasonOfRename(before, after) }),
      before: { value: from, place: before.place },
      after: { value: to, place: after.place },
      changedItem: from,
      ...(isMovedWithOthers ? { edit } : {}),
      text: `${isMovedWithOthers ? 'the path prefix ' : ''}\`${from}\` is now \`${to}\``,
      affects: ['clients', 'generated code'],
      findWitness: before.isSentByServer
        ? undefined
        : () => context.exchanges.refusedByNew(before, 'paths', `the new contract has no ${before.name}`, paths),
    },
  );
}

function reasonOfRename(before: DocumentedOperation, after: DocumentedOperation): string {
  if (before.isSentByServer) return 'The server no longer sends it to the old address.';
  return `A deployed client that calls the old ${before.path === after.path ? 'method' : 'path'} fails.`;
}

/** Reports a removed operation. `newPlace` is the place of another operation of its path. */
function reportRemoved(context: ComparisonContext, before: DocumentedOperation, newPlace: SourceLocation | undefined): void {
  const { document, newRoot } = context;
  const { name, pathItem: item, method, isSentByServer } = before;
  const paths = document.place(newRoot, 'paths');
  reportDifference(
    { context, operation: name },
    {
      id: 'operation/removed',
      ...rateRemoval(context, before.value, {
        level: 'breaking',
        reason: isSentByServer ? 'A deployed client never receives it again.' : 'A deployed client that calls it fails.',
      }),
      before: memberSide(context, shortTextOf(before), item, method.toLowerCase()),
      after: { value: undefined, place: newPlace ?? paths },
      changedItem: name,
      text: `${name} was removed`,
      affects: ['clients', 'generated code'],
      findWitness: isSentByServer
        ? undefined
        : () => context.exchanges.refusedByNew(before, 'paths', `the new contract has no ${name}`, paths),
    },
  );
}

/** Short text that stands for an operation in reports. */
function shortTextOf({ value, name }: DocumentedOperation): Json {
  return String(value['operationId'] ?? value['summary'] ?? name);
}

function reportAdded(context: ComparisonContext, after: DocumentedOperation): void {
  reportDifference(
    { context, operation: after.name },
    {
      id: 'operation/added',
      level: 'compatible',
      before: { value: undefined, place: context.document.place(context.oldRoot, 'paths') },
      after: memberSide(context, shortTextOf(after), after.pathItem, after.method.toLowerCase()),
      changedItem: after.name,
      text: `${after.name} was added`,
    },
  );
}

/** Compares one operation; false if an interruption stopped it. */
async function compareOperation(pair: OperationPair): Promise<boolean> {
  const { context, operation } = pair;
  if (!(await context.shouldContinue())) return false;
  context.search.startOperation(operation);
  compareLifecycle(pair, { old: pair.old.value, new: pair.new.value }, 'operation', operation);
  compareDescriptiveKeys(pair);
  compareSecurity(pair);
  if (!pair.old.isSentByServer) compareOwnServers(pair);
  compareParameters(pair);
  compareRequestBody(pair);
  if (!(await context.shouldContinue())) return false;
  compareResponses(pair);
  return true;
}

/** Compares the servers of an operation if it or its path states its own in either document. */
function compareOwnServers(pair: OperationPair): void {
  const { oldRoot, newRoot } = pair.context;
  const holderOf = ({ value, pathItem }: DocumentedOperation, root: JsonObject): JsonObject =>
    [value, pathItem].find(({ servers }) => Array.isArray(servers) && servers.length > 0) ?? root;
  const holders = { old: holderOf(pair.old, oldRoot), new: holderOf(pair.new, newRoot) };
  if (holders.old !== oldRoot || holders.new !== newRoot) compareServers(pair, 'operation', holders);
}

/** Compares descriptions, extensions and `operationId`: nothing that a request or response shows. */
function compareDescriptiveKeys(pair: OperationPair): void {
  const sides = { old: pair.old.value, new: pair.new.value };
  const keywords = new Set(Object.values(sides).flatMap(Object.keys));
  const isDescriptive = (keyword: string): boolean =>
    descriptiveKeys.has(keyword) || (keyword.startsWith('x-') && !comparedExtensions.has(keyword));
  const isReordered = (keyword: string): boolean => {
    const [old, next] = [sides.old[keyword], sides.new[keyword]];
    return keyword === 'tags' && isArray(old) && isArray(next) && isSameValue(old.map(String).toSorted(), next.map(String).toSorted());
  };
  const described = [...keywords].filter((keyword) => isDescriptive(keyword) && !isReordered(keyword));
  reportChangedMembers(pair, sides, described, (keyword, happened) => ({
    id: `operation/${descriptiveKeys.has(keyword) ? toKebab(keyword) : `extension-${keyword}`}-changed`,
    level: 'documentation',
    text: `the ${keyword} ${happened}`,
  }));
  const [before, after] = [sides.old['operationId'], sides.new['operationId']];
  reportChangedMembers(pair, sides, ['operationId'], () => ({
    id: 'operation/id-changed',
    level: before === undefined ? 'compatible' : 'risky',
    text: describeJsonChange('operationId', before, after),
    reason: 'Generated code takes its names from it.',
    affects: ['generated code'],
  }));
}

const descriptiveKeys: ReadonlySet<string> = new Set(['summary', 'description', 'externalDocs', 'tags']);

/** Extensions with comparisons of their own. */
const comparedExtensions: ReadonlySet<string> = new Set([
  'x-sunset',
  'x-stability-level',
  'x-collection',
  'x-resource',
  'x-parameter-rules',
]);
