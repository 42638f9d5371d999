/** Comparing operations: which came and went, what each says of itself, and who may ask (OpenAPI 3.1 §4.8.30). */

import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { toPointer, valueAt } from '../../core/pointer.ts';
import { compareRequestBody, compareResponses } from './compare-bodies.ts';
import { compareParameters } from './compare-parameters.ts';
import { alongside, type Comparing, memberOf, type OperationPair, partOf, report, reportMember, reportMembers } from './comparing.ts';
import { type Described, listDescribed, refusedRequest, resolved } from './description.ts';
import { compareLifecycle, removalLevel } from './lifecycle.ts';
import { show, toKebab } from './schema-edit.ts';

/** Compares all operations, webhooks and callbacks, until it is to stop. Returns the names of those that were not compared, or only in part. */
export async function compareOperations(comparing: Comparing): Promise<readonly string[]> {
  const { document } = comparing;
  const old = listDescribed({ ...document, root: comparing.oldRoot });
  const next = listDescribed({ ...document, root: comparing.newRoot });
  const untouched: string[] = [];
  for (const [, before, after] of alongside(old, next)) {
    if (before === undefined) reportAdded(comparing, after);
    else if (after === undefined) reportRemoved(comparing, before, [...next.values()]);
    else if (!(await compareOperation({ comparing, operation: after.name, old: before, new: after }))) untouched.push(after.name);
  }
  return untouched;
}

function reportRemoved(comparing: Comparing, before: Described, next: readonly Described[]): void {
  const { document, newRoot } = comparing;
  const { name, path, item, method, isSentByServer } = before;
  const { level, why } = removalLevel(comparing, before.value, 'breaking');
  const paths = document.place(newRoot, 'paths');
  report(
    { comparing, operation: name },
    {
      id: 'operation/removed',
      level,
      before: memberOf(comparing, summaryOf(before), item, method.toLowerCase()),
      after: { value: undefined, place: next.find((each) => each.path === path)?.place ?? paths },
      subject: name,
      text: `${name} is gone`,
      reason: why || (isSentByServer ? 'A deployed client waits for it in vain.' : 'A deployed client that calls it finds nothing there.'),
      affects: ['clients', 'generated code'],
      find: isSentByServer ? undefined : () => refusedRequest(before, 'paths', `the new contract has no ${name}`, paths),
    },
  );
}

/** What an operation says of itself, in place of all that it holds. */
function summaryOf({ value, name }: Described): Json {
  return String(value['operationId'] ?? value['summary'] ?? name);
}

function reportAdded(comparing: Comparing, after: Described): void {
  report(
    { comparing, operation: after.name },
    {
      id: 'operation/added',
      level: 'compatible',
      before: { value: undefined, place: comparing.document.place(comparing.oldRoot, 'paths') },
      after: memberOf(comparing, summaryOf(after), after.item, after.method.toLowerCase()),
      subject: after.name,
      text: `${after.name} is new`,
    },
  );
}

/** Whether it was compared to its end. */
async function compareOperation(pair: OperationPair): Promise<boolean> {
  const { comparing, operation } = pair;
  if (!(await comparing.goOn())) return false;
  comparing.search.begin(operation);
  compareLifecycle(pair, { old: pair.old.value, new: pair.new.value }, 'operation', operation);
  compareWords(pair);
  compareSecurity(pair);
  compareParameters(pair);
  compareRequestBody(pair);
  if (!(await comparing.goOn())) return false;
  compareResponses(pair);
  return true;
}

/** What operations say that changes no exchange, and what generated code is named by. */
function compareWords(pair: OperationPair): void {
  const sides = { old: pair.old.value, new: pair.new.value };
  const keywords = new Set(Object.values(sides).flatMap(Object.keys));
  const isWord = (keyword: string): boolean => words.has(keyword) || (keyword.startsWith('x-') && !known.has(keyword));
  reportMembers(pair, sides, [...keywords].filter(isWord), (keyword) => ({
    id: `operation/${words.has(keyword) ? toKebab(keyword) : `extension-${keyword}`}-changed`,
    level: 'documentation',
  }));
  const [before, after] = [sides.old['operationId'], sides.new['operationId']];
  reportMembers(pair, sides, ['operationId'], () => ({
    id: 'operation/id-changed',
    level: before === undefined ? 'compatible' : 'risky',
    text: `operationId changed from ${show(before)} to ${show(after)}`,
    reason: 'Generated code is named by it.',
    affects: ['generated code'],
  }));
}

const words: ReadonlySet<string> = new Set(['summary', 'description', 'externalDocs', 'tags']);

/** The extensions that are compared by what they mean. */
const known: ReadonlySet<string> = new Set(['x-sunset', 'x-stability-level', 'x-collection', 'x-resource', 'x-parameter-rules']);

/** Compares what stands at the top of both files. */
export function compareRoots(comparing: Comparing): void {
  const part = { comparing, operation: undefined };
  const roots = { old: comparing.oldRoot, new: comparing.newRoot };
  const [old, next] = [serversIn(roots.old), serversIn(roots.new)];
  for (const url of old.filter((each) => !next.includes(each)))
    reportMember(part, roots, 'servers', {
      id: 'contract/server-removed',
      level: 'risky',
      before: { value: url, place: comparing.document.place(roots.old, 'servers') },
      subject: url,
      text: `the server ${url} is no longer named`,
      reason: 'Clients that are deployed for it may find nobody there.',
    });
  for (const url of next.filter((each) => !old.includes(each)))
    reportMember(part, roots, 'servers', {
      id: 'contract/server-added',
      level: 'compatible',
      after: { value: url, place: comparing.document.place(roots.new, 'servers') },
      subject: url,
      text: `the server ${url} is new`,
    });
  const infoOf = ({ info }: JsonObject): JsonObject => (isObject(info) ? info : {});
  const info = { old: infoOf(roots.old), new: infoOf(roots.new) };
  reportMembers(part, info, ['title', 'description', 'summary', 'termsOfService', 'contact', 'license'], (keyword) => ({
    id: `contract/${keyword === 'termsOfService' ? 'terms' : keyword}-changed`,
    level: 'documentation',
    text: `info.${keyword} changed`,
  }));
}

function serversIn({ servers }: JsonObject): readonly string[] {
  return Array.isArray(servers) ? (servers as readonly Json[]).flatMap((each) => (isObject(each) ? [String(each['url'])] : [])) : [];
}

/** One alternative of a security requirement: the schemes that are all needed, each with its scopes. */
type Alternative = ReadonlyMap<string, readonly string[]>;

interface Requirement {
  readonly holder: JsonObject;
  readonly alternatives: readonly Alternative[];
}

/** Compares what an operation demands of keys. */
function compareSecurity(pair: OperationPair): void {
  if (pair.old.isSentByServer) return;
  const { oldRoot, newRoot } = pair.comparing;
  const [old, next] = [requirementOf(pair.old, oldRoot), requirementOf(pair.new, newRoot)];
  const part = partOf(pair, 'request', 'security');
  const holders = { old: old.holder, new: next.holder };
  const [before, after] = [old, next].map(({ alternatives }) => alternatives.map(tell).join(' or '));
  const lost = old.alternatives.filter((had) => !next.alternatives.some((wanted) => demandsNoMore(wanted, had)));
  const isGained = next.alternatives.some((had) => !old.alternatives.some((wanted) => demandsNoMore(wanted, had)));
  if (lost.length > 0)
    reportMember(part, holders, 'security', {
      id: 'operation/security-tightened',
      level: 'breaking',
      text: `${lost.map(tell).join(' or ')} is no longer enough; ${after} is needed`,
      reason: 'A deployed client whose key was enough is refused.',
    });
  else if (isGained || old.alternatives.length !== next.alternatives.length)
    reportMember(part, holders, 'security', {
      id: 'operation/security-relaxed',
      level: 'compatible',
      text: `${after} is enough now; before, ${before} was needed`,
    });
  compareSchemes(pair, old, next);
}

function requirementOf({ value }: Described, root: JsonObject): Requirement {
  const stated = value['security'] ?? root['security'];
  const alternatives = (Array.isArray(stated) ? (stated as readonly Json[]) : []).filter(isObject).map((each): Alternative => {
    const schemes = Object.entries(each);
    return new Map(schemes.map(([scheme, scopes]) => [scheme, Array.isArray(scopes) ? (scopes as readonly Json[]).map(String) : []]));
  });
  return {
    holder: value['security'] === undefined && root['security'] !== undefined ? root : value,
    alternatives: alternatives.length === 0 ? [new Map()] : alternatives,
  };
}

/** Whether whoever has the one alternative has the other too. */
function demandsNoMore(wanted: Alternative, had: Alternative): boolean {
  return [...wanted].every(([scheme, scopes]) => {
    const own = had.get(scheme);
    return own !== undefined && scopes.every((scope) => own.includes(scope));
  });
}

function tell(alternative: Alternative): string {
  const parts = [...alternative].map(([scheme, scopes]) => (scopes.length === 0 ? scheme : `${scheme} with ${scopes.join(' and ')}`));
  return parts.length === 0 ? 'no key' : parts.join(' together with ');
}

/** A scheme of the same name may carry keys in another way. */
function compareSchemes(pair: OperationPair, old: Requirement, next: Requirement): void {
  const { document, oldRoot, newRoot } = pair.comparing;
  for (const name of new Set(old.alternatives.flatMap((each) => [...each.keys()]))) {
    if (!next.alternatives.some((each) => each.has(name))) continue;
    const pointer = toPointer(['components', 'securitySchemes', name]);
    const [before, after] = [oldRoot, newRoot].map((root) => resolved(document, valueAt(root, pointer)));
    if (before === undefined || after === undefined) continue;
    const part = partOf(pair, 'request', `security scheme ${name}`);
    reportMembers(part, { old: before, new: after }, ['type', 'in', 'name', 'scheme', 'openIdConnectUrl'], (keyword) => ({
      id: `security-scheme/${toKebab(keyword)}-changed`,
      level: 'breaking',
      subject: `${name} ${keyword}`,
      text: `keys of ${name} are sent otherwise: ${keyword} changed from ${JSON.stringify(before[keyword])} to ${JSON.stringify(after[keyword])}`,
      reason: 'What deployed clients send is not found any more.',
    }));
  }
}
