/**
 * Compares operations: added and removed ones, their own members, and their security requirements (OpenAPI 3.1 §4.8.30); and the file's root.
 * `compareContracts` calls it once. Parameters and bodies have files of their own.
 */

import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { toPointer, valueAt } from '../../core/pointer.ts';
import type { ChangeSide } from '../../core/results/contract-change.ts';
import { describeJsonChange } from './change-sentences.ts';
import { compareRequestBody, compareResponses } from './compare-bodies.ts';
import { compareLifecycle, removalLevel } from './compare-lifecycle.ts';
import { compareParameters } from './compare-parameters.ts';
import {
  type ComparisonContext,
  type DifferenceDetails,
  exchangePart,
  memberSide,
  type OperationPair,
  reportDifference,
  reportMemberChange,
  reportMemberChanges,
} from './comparison-context.ts';
import { type DocumentedOperation, listDocumentedOperations, resolveObject } from './documented-operation.ts';
import { pairRenamed } from './pair-renamed.ts';
import { toKebab } from './schemas/schema-edit.ts';
import { requestRefusedByNew } from './witnesses/witness-exchange.ts';

/** Compares all operations, webhooks and callbacks until an interruption. Returns the names of operations that were not fully compared. */
export async function compareOperations(context: ComparisonContext): Promise<readonly string[]> {
  const { document } = context;
  const old = listDocumentedOperations({ ...document, root: context.oldRoot });
  const next = listDocumentedOperations({ ...document, root: context.newRoot });
  const renamed = pairRenamed(old, next, identifyOperation);
  const unfinished: string[] = [];
  for (const [key, before] of old) {
    const newKey = renamed.get(key);
    const after = next.get(newKey ?? key);
    if (after === undefined) {
      reportRemoved(context, before, [...next.values()]);
      continue;
    }
    if (newKey !== undefined) reportRenamed(context, before, after);
    if (!(await compareOperation({ context, operation: after.name, old: before, new: after }))) unfinished.push(after.name);
  }
  const newKeys = new Set(renamed.values());
  for (const [key, after] of next) if (!old.has(key) && !newKeys.has(key)) reportAdded(context, after);
  return unfinished;
}

/** Identity of an operation under another path: its operationId, or its content without one. */
function identifyOperation({ value, isSentByServer }: DocumentedOperation): string {
  return `${String(isSentByServer)} ${typeof value['operationId'] === 'string' ? value['operationId'] : JSON.stringify(value)}`;
}

function reportRenamed(context: ComparisonContext, before: DocumentedOperation, after: DocumentedOperation): void {
  const paths = context.document.place(context.newRoot, 'paths');
  const { level, reason } = removalLevel(context, before.value, 'breaking');
  reportDifference(
    { context, operation: after.name },
    {
      id: 'operation/renamed',
      level,
      before: { value: before.name, place: before.place },
      after: { value: after.name, place: after.place },
      changedItem: before.name,
      text: `\`${before.name}\` is now \`${after.name}\``,
      reason: reason || 'A deployed client that calls the old path fails.',
      affects: ['clients', 'generated code'],
      findWitness: before.isSentByServer
        ? undefined
        : () => requestRefusedByNew(before, 'paths', `the new contract has no ${before.name}`, paths),
    },
  );
}

function reportRemoved(context: ComparisonContext, before: DocumentedOperation, next: readonly DocumentedOperation[]): void {
  const { document, newRoot } = context;
  const { name, path, pathItem: item, method, isSentByServer } = before;
  const { level, reason: removalReason } = removalLevel(context, before.value, 'breaking');
  const paths = document.place(newRoot, 'paths');
  reportDifference(
    { context, operation: name },
    {
      id: 'operation/removed',
      level,
      before: memberSide(context, shortTextOf(before), item, method.toLowerCase()),
      after: { value: undefined, place: next.find((each) => each.path === path)?.place ?? paths },
      changedItem: name,
      text: `${name} was removed`,
      reason: removalReason || (isSentByServer ? 'A deployed client never receives it again.' : 'A deployed client that calls it fails.'),
      affects: ['clients', 'generated code'],
      findWitness: isSentByServer ? undefined : () => requestRefusedByNew(before, 'paths', `the new contract has no ${name}`, paths),
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
  compareParameters(pair);
  compareRequestBody(pair);
  if (!(await context.shouldContinue())) return false;
  compareResponses(pair);
  return true;
}

/** Compares descriptions, extensions and `operationId`: nothing that a request or response shows. */
function compareDescriptiveKeys(pair: OperationPair): void {
  const sides = { old: pair.old.value, new: pair.new.value };
  const keywords = new Set(Object.values(sides).flatMap(Object.keys));
  const isDescriptive = (keyword: string): boolean =>
    descriptiveKeys.has(keyword) || (keyword.startsWith('x-') && !comparedExtensions.has(keyword));
  reportMemberChanges(pair, sides, [...keywords].filter(isDescriptive), (keyword) => ({
    id: `operation/${descriptiveKeys.has(keyword) ? toKebab(keyword) : `extension-${keyword}`}-changed`,
    level: 'documentation',
    text: `the ${keyword} changed`,
  }));
  const [before, after] = [sides.old['operationId'], sides.new['operationId']];
  reportMemberChanges(pair, sides, ['operationId'], () => ({
    id: 'operation/id-changed',
    level: before === undefined ? 'compatible' : 'risky',
    text: describeJsonChange('operationId', before, after),
    reason: 'Generated code takes its names from it.',
    affects: ['generated code'],
  }));
}

const descriptiveKeys: ReadonlySet<string> = new Set(['summary', 'description', 'externalDocs', 'tags']);

/** Extensions that other functions compare. */
const comparedExtensions: ReadonlySet<string> = new Set([
  'x-sunset',
  'x-stability-level',
  'x-collection',
  'x-resource',
  'x-parameter-rules',
]);

/** Compares servers and `info` of both files. */
export function compareRoots(context: ComparisonContext): void {
  const part = { context, operation: undefined };
  const roots = { old: context.oldRoot, new: context.newRoot };
  const [old, next] = [serversIn(roots.old), serversIn(roots.new)];
  for (const url of new Set([...old, ...next])) {
    const isGone = !next.includes(url);
    if (old.includes(url) && !isGone) continue;
    const value = (holder: JsonObject): ChangeSide => ({ value: url, place: context.document.place(holder, 'servers') });
    reportMemberChange(part, roots, 'servers', {
      id: `contract/server-${isGone ? 'removed' : 'added'}`,
      level: isGone ? 'risky' : 'compatible',
      ...(isGone ? { before: value(roots.old) } : { after: value(roots.new) }),
      changedItem: url,
      text: `the server ${url} was ${isGone ? 'removed' : 'added'}`,
      ...(isGone ? { reason: 'Clients that are deployed with this address may no longer reach the server.' } : {}),
    });
  }
  compareComponentNames(context);
  const infoOf = ({ info }: JsonObject): JsonObject => (isObject(info) ? info : {});
  const info = { old: infoOf(roots.old), new: infoOf(roots.new) };
  reportMemberChanges(part, info, ['title', 'description', 'summary', 'termsOfService', 'contact', 'license'], (keyword) => ({
    id: `contract/${keyword === 'termsOfService' ? 'terms' : keyword}-changed`,
    level: 'documentation',
    text: `info.${keyword} changed`,
  }));
}

/** Reports renamed components. Their content is compared where operations use them. */
function compareComponentNames(context: ComparisonContext): void {
  for (const kind of ['schemas', 'parameters', 'responses', 'headers']) {
    const componentsOf = (root: JsonObject): JsonObject => {
      const components = valueAt(root, toPointer(['components', kind]));
      return isObject(components) ? components : {};
    };
    const [old, next] = [componentsOf(context.oldRoot), componentsOf(context.newRoot)];
    const renamed = pairRenamed(new Map(Object.entries(old)), new Map(Object.entries(next)), JSON.stringify);
    for (const [before, name] of renamed)
      reportDifference(
        { context, operation: undefined },
        {
          id: 'contract/component-renamed',
          level: 'documentation',
          before: memberSide(context, before, old, before),
          after: memberSide(context, name, next, name),
          changedItem: before,
          text: `the component \`${before}\` is now \`${name}\``,
          reason: 'Only generated code may take its names from it.',
        },
      );
  }
}

function serversIn({ servers }: JsonObject): readonly string[] {
  return Array.isArray(servers) ? (servers as readonly Json[]).flatMap((each) => (isObject(each) ? [String(each['url'])] : [])) : [];
}

/** One alternative of a security requirement: all its schemes are needed, each with its scopes. */
type SecurityAlternative = ReadonlyMap<string, readonly string[]>;

interface SecurityRequirement {
  readonly holder: JsonObject;
  readonly alternatives: readonly SecurityAlternative[];
}

/** Compares the security requirements of an operation. */
function compareSecurity(pair: OperationPair): void {
  if (pair.old.isSentByServer) return;
  const { oldRoot, newRoot } = pair.context;
  const [old, next] = [securityRequirementOf(pair.old, oldRoot), securityRequirementOf(pair.new, newRoot)];
  const part = exchangePart(pair, 'request', 'security');
  const holders = { old: old.holder, new: next.holder };
  const [before, after] = [old, next].map(({ alternatives }) => alternatives.map(describeAlternative).join(' or '));
  const isTightened = old.alternatives.some((held) => !next.alternatives.some((required) => isMetBy(required, held)));
  const isRelaxed = next.alternatives.some((held) => !old.alternatives.some((required) => isMetBy(required, held)));
  const edit = `${before ?? ''} → ${after ?? ''}`;
  const text = `security changed from ${before ?? ''} to ${after ?? ''}`;
  if (isTightened)
    reportMemberChange(part, holders, 'security', {
      id: 'operation/security-tightened',
      level: 'breaking',
      edit,
      text: describeTightened(old, next) ?? text,
      reason: 'A deployed client whose key was enough is refused.',
    });
  else if (isRelaxed || old.alternatives.length !== next.alternatives.length)
    reportMemberChange(part, holders, 'security', {
      id: 'operation/security-relaxed',
      edit,
      ...rateRelaxed(old, next, text),
    });
  compareSchemes(pair, old, next);
}

function securityRequirementOf({ value }: DocumentedOperation, root: JsonObject): SecurityRequirement {
  const stated = value['security'] ?? root['security'];
  const alternatives = (Array.isArray(stated) ? (stated as readonly Json[]) : []).filter(isObject).map((each): SecurityAlternative => {
    const schemes = Object.entries(each);
    return new Map(schemes.map(([scheme, scopes]) => [scheme, Array.isArray(scopes) ? (scopes as readonly Json[]).map(String) : []]));
  });
  return {
    holder: value['security'] === undefined && root['security'] !== undefined ? root : value,
    alternatives: alternatives.length === 0 ? [new Map()] : alternatives,
  };
}

/** True if a key with the schemes and scopes of `held` is enough for `required`. */
function isMetBy(required: SecurityAlternative, held: SecurityAlternative): boolean {
  return [...required].every(([scheme, scopes]) => {
    const heldScopes = held.get(scheme);
    return heldScopes !== undefined && scopes.every((scope) => heldScopes.includes(scope));
  });
}

/** A leak if a weaker key is enough now; a further scheme alone opens nothing to the keys of before. */
function rateRelaxed(
  old: SecurityRequirement,
  next: SecurityRequirement,
  text: string,
): Pick<DifferenceDetails, 'level' | 'text'> & Partial<DifferenceDetails> {
  if (!next.alternatives.some((each) => isWeaker(each, old.alternatives))) return { level: 'compatible', text };
  const reason = 'Whoever was refused before may now read what the operation returns.';
  return { level: 'security', text: describeRelaxed(old, next) ?? text, reason, affects: ['server'] };
}

/** True if an alternative asks for less than one of the old ones. */
function isWeaker(alternative: SecurityAlternative, old: readonly SecurityAlternative[]): boolean {
  return old.some((held) => isMetBy(alternative, held)) && !old.some((required) => isMetBy(required, alternative));
}

/** Sentence on scopes that are newly required, if nothing else changed. */
function describeTightened(old: SecurityRequirement, next: SecurityRequirement): string | undefined {
  const added = [...scopesOf(next)].filter((scope) => !scopesOf(old).has(scope));
  if (schemesOf(old) === '') return 'a key is now required';
  if (schemesOf(old) !== schemesOf(next) || added.length === 0) return undefined;
  return `keys now need the scope ${added.map((scope) => `\`${scope}\``).join(' and ')}`;
}

/** Sentence on keys or scopes that are no longer required, if nothing else changed. */
function describeRelaxed(old: SecurityRequirement, next: SecurityRequirement): string | undefined {
  const gone = [...scopesOf(old)].filter((scope) => !scopesOf(next).has(scope));
  if (next.alternatives.some((each) => each.size === 0)) return 'no key is required any more';
  if (schemesOf(old) !== schemesOf(next) || gone.length === 0) return undefined;
  return `keys no longer need the scope ${gone.map((scope) => `\`${scope}\``).join(' and ')}`;
}

function scopesOf({ alternatives }: SecurityRequirement): ReadonlySet<string> {
  return new Set(alternatives.flatMap((each) => [...each.values()].flat()));
}

function schemesOf({ alternatives }: SecurityRequirement): string {
  return alternatives.map((each) => [...each.keys()].join('+')).join();
}

function describeAlternative(alternative: SecurityAlternative): string {
  const parts = [...alternative].map(([scheme, scopes]) => (scopes.length === 0 ? scheme : `${scheme} with ${scopes.join(' and ')}`));
  return parts.length === 0 ? 'no key' : parts.join(' together with ');
}

/** Compares the security schemes that both versions of an operation use: a change of their members moves the key elsewhere. */
function compareSchemes(pair: OperationPair, old: SecurityRequirement, next: SecurityRequirement): void {
  const { document, oldRoot, newRoot } = pair.context;
  for (const name of new Set(old.alternatives.flatMap((each) => [...each.keys()]))) {
    if (!next.alternatives.some((each) => each.has(name))) continue;
    const pointer = toPointer(['components', 'securitySchemes', name]);
    const [before, after] = [oldRoot, newRoot].map((root) => resolveObject(document, valueAt(root, pointer)));
    if (before === undefined || after === undefined) continue;
    const part = exchangePart(pair, 'request', `security scheme ${name}`);
    reportMemberChanges(part, { old: before, new: after }, ['type', 'in', 'name', 'scheme', 'openIdConnectUrl'], (keyword) => ({
      id: `security-scheme/${toKebab(keyword)}-changed`,
      level: 'breaking',
      changedItem: `${name} ${keyword}`,
      text: `${keyword} of the security scheme \`${name}\` changed from ${JSON.stringify(before[keyword])} to ${JSON.stringify(after[keyword])}`,
      reason: 'The server no longer finds the key that deployed clients send.',
    }));
  }
}
