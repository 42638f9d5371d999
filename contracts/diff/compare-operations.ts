/** Comparing operations: which came and went, and what each says of itself. */

import { isObject, type Json } from '../../core/json.ts';
import { compareRequestBody, compareResponses } from './compare-bodies.ts';
import { compareParameters } from './compare-parameters.ts';
import { compareSecurity } from './compare-security.ts';
import { type Comparing, isSame, member, nothing, reportAt, something } from './comparing.ts';
import { type Described, listDescribed, type OperationPair } from './description.ts';
import { compareLifecycle, removalLevel } from './lifecycle.ts';
import { show } from './schema-edit.ts';
import { requestOf } from './witness.ts';

/** Compares all operations, webhooks and callbacks, until it is to stop. Returns the names of those that were not compared, or only in part. */
export async function compareOperations(comparing: Comparing): Promise<readonly string[]> {
  const { document } = comparing;
  const old = listDescribed({ ...document, root: comparing.oldRoot });
  const next = listDescribed({ ...document, root: comparing.newRoot });
  const untouched: string[] = [];
  for (const [key, before] of old) {
    const after = next.get(key);
    if (after === undefined) reportRemoved(comparing, before, [...next.values()]);
    else if (!(await compareOperation(comparing, { old: before, new: after }))) untouched.push(after.name);
  }
  for (const [key, after] of next) if (!old.has(key)) reportAdded(comparing, after);
  return untouched;
}

function reportRemoved(comparing: Comparing, before: Described, next: readonly Described[]): void {
  const { level, why } = removalLevel(comparing, before.value, 'breaking');
  const rest = next.find(({ path }) => path === before.path);
  const pair = { old: before, new: before };
  reportAt(comparing, before.name, {
    id: 'operation/removed',
    level,
    before: something(comparing, summaryOf(before), before.item, before.method.toLowerCase()),
    after: nothing(rest?.place ?? comparing.document.place(comparing.newRoot, 'paths')),
    subject: before.name,
    text: `${before.name} is gone`,
    reason:
      why || (before.isSentByServer ? 'A deployed client waits for it in vain.' : 'A deployed client that calls it finds nothing there.'),
    affects: ['clients', 'generated code'],
    find: before.isSentByServer
      ? undefined
      : () => ({
          verdict: 'witnessed',
          witness: {
            exchange: { request: requestOf(pair) },
            pointer: '',
            value: undefined,
            refusedBy: 'new',
            keyword: 'paths',
            message: `the new contract has no ${before.name}`,
            place: comparing.document.place(comparing.newRoot, 'paths'),
          },
        }),
  });
}

/** What an operation says of itself, in place of all that it holds. */
function summaryOf({ value, name }: Described): Json {
  return String(value['operationId'] ?? value['summary'] ?? name);
}

function reportAdded(comparing: Comparing, after: Described): void {
  reportAt(comparing, after.name, {
    id: 'operation/added',
    level: 'compatible',
    before: nothing(comparing.document.place(comparing.oldRoot, 'paths')),
    after: something(comparing, summaryOf(after), after.item, after.method.toLowerCase()),
    subject: after.name,
    text: `${after.name} is new`,
  });
}

/** Whether it was compared to its end. */
async function compareOperation(comparing: Comparing, pair: OperationPair): Promise<boolean> {
  if (!(await comparing.goOn())) return false;
  const sides = { old: pair.old.value, new: pair.new.value };
  comparing.search.begin(pair.new.name);
  compareLifecycle(comparing, pair.new.name, 'operation', pair.new.name, sides, '');
  compareWords(comparing, pair);
  compareSecurity(comparing, pair);
  compareParameters(comparing, pair);
  compareRequestBody(comparing, pair);
  if (!(await comparing.goOn())) return false;
  compareResponses(comparing, pair);
  return true;
}

/** What operations say that changes no exchange. */
function compareWords(comparing: Comparing, pair: OperationPair): void {
  const [old, next] = [pair.old.value, pair.new.value];
  const keywords = new Set(
    [...Object.keys(old), ...Object.keys(next)].filter((keyword) => keyword in words || isForeignExtension(keyword)),
  );
  for (const keyword of keywords) {
    if (isSame(old[keyword], next[keyword])) continue;
    reportAt(comparing, pair.new.name, {
      id: `operation/${words[keyword] ?? `extension-${keyword}`}-changed`,
      level: 'documentation',
      before: member(comparing, old, keyword),
      after: member(comparing, next, keyword),
      subject: keyword,
      text: `${keyword} changed`,
    });
  }
  compareName(comparing, pair);
}

/** The keywords that hold words, and what they are called in ids. */
const words: Readonly<Record<string, string>> = {
  summary: 'summary',
  description: 'description',
  externalDocs: 'external-docs',
  tags: 'tags',
};

function compareName(comparing: Comparing, { old, new: next }: OperationPair): void {
  const [before, after] = [old.value['operationId'], next.value['operationId']];
  if (isSame(before, after)) return;
  reportAt(comparing, next.name, {
    id: 'operation/id-changed',
    level: before === undefined ? 'compatible' : 'risky',
    before: member(comparing, old.value, 'operationId'),
    after: member(comparing, next.value, 'operationId'),
    subject: 'operationId',
    text: `operationId changed from ${show(before)} to ${show(after)}`,
    reason: 'Generated code is named by it.',
    affects: ['generated code'],
  });
}

/** The extensions that are compared by what they mean. */
const known: ReadonlySet<string> = new Set(['x-sunset', 'x-stability-level', 'x-collection', 'x-resource', 'x-parameter-rules']);

function isForeignExtension(keyword: string): boolean {
  return keyword.startsWith('x-') && !known.has(keyword);
}

/** Compares what stands at the top of both files. */
export function compareRoots(comparing: Comparing): void {
  const [old, next] = [comparing.oldRoot, comparing.newRoot];
  const [before, after] = [old['servers'], next['servers']];
  const urlsOf = (value: Json | undefined): readonly string[] =>
    Array.isArray(value) ? (value as readonly Json[]).flatMap((each) => (isObject(each) ? [String(each['url'])] : [])) : [];
  for (const url of urlsOf(before).filter((each) => !urlsOf(after).includes(each)))
    reportAt(comparing, undefined, {
      id: 'contract/server-removed',
      level: 'risky',
      before: { value: url, place: comparing.document.place(old, 'servers') },
      after: member(comparing, next, 'servers'),
      subject: url,
      text: `the server ${url} is no longer named`,
      reason: 'Clients that are deployed for it may find nobody there.',
    });
  for (const url of urlsOf(after).filter((each) => !urlsOf(before).includes(each)))
    reportAt(comparing, undefined, {
      id: 'contract/server-added',
      level: 'compatible',
      before: member(comparing, old, 'servers'),
      after: { value: url, place: comparing.document.place(next, 'servers') },
      subject: url,
      text: `the server ${url} is new`,
    });
  const [info, newInfo] = [old['info'], next['info']].map((value) => (isObject(value) ? value : {}));
  for (const keyword of ['title', 'description', 'summary', 'termsOfService', 'contact', 'license'])
    if (info !== undefined && newInfo !== undefined && !isSame(info[keyword], newInfo[keyword]))
      reportAt(comparing, undefined, {
        id: `contract/${keyword === 'termsOfService' ? 'terms' : keyword}-changed`,
        level: 'documentation',
        before: member(comparing, info, keyword),
        after: member(comparing, newInfo, keyword),
        subject: keyword,
        text: `info.${keyword} changed`,
      });
}
