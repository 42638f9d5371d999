import { type InferredWrite, isSure } from '../../core/inference/guess.ts';
import { plainName, singularOf, wordsOf } from '../../core/inference/names.ts';
import type { Shape } from '../../core/inference/shape.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import type { DataRecord } from '../../core/query/query.ts';

/**
 * What an action such as `cancel` changes: a member that lists the result of the verb, or a flag with its name and the number of those who set it. DELETE undoes,
 * as does a verb such as `unlock`. Empty if the file shows neither.
 */
export function changesOfAction(operation: Operation, record: DataRecord, shape: Shape): JsonObject {
  const { method } = operation;
  const verb = verbOf(operation);
  const isUndone = isUndoing(operation);
  const flags = resultsOf(hasPrefix(verb) ? verb.slice(2) : verb);
  const results = method === 'DELETE' ? new Set<string>() : resultsOf(verb);
  for (const [name, member] of shape.members) {
    if (!(name in record)) continue;
    const result = member.listed.find((value) => typeof value === 'string' && results.has(plainName(value)));
    if (result !== undefined) return { [name]: result };
    const word = wordsOf(name)
      .filter((each) => each !== 'is')
      .join('');
    if (typeof record[name] !== 'boolean' || !flags.has(word)) continue;
    return record[name] === isUndone ? { [name]: !isUndone, ...countAfter(record, flags, isUndone ? -1 : 1) } : {};
  }
  return {};
}

/** A new record, whatever its example shows: what an action undoes has not been done to it yet. */
export function beforeActions(record: DataRecord, writes: readonly InferredWrite[], shape: Shape): DataRecord {
  const undoing = writes.filter(({ kind, operation }) => isSure(kind) && kind.value === 'action' && isUndoing(operation));
  return Object.assign({}, record, ...undoing.map(({ operation }) => changesOfAction(operation, record, shape)));
}

function verbOf({ path }: Operation): string {
  return plainName(path.split(/[/:]/).at(-1) ?? '');
}

function isUndoing(operation: Operation): boolean {
  return operation.method === 'DELETE' || hasPrefix(verbOf(operation));
}

function hasPrefix(verb: string): boolean {
  return verb.startsWith('un') && verb.length > 4;
}

/** The changed number of those who set a flag: `favoritesCount` beside `favorited`. */
function countAfter(record: DataRecord, flags: ReadonlySet<string>, step: number): JsonObject {
  for (const [name, value] of Object.entries(record)) {
    const words = wordsOf(name);
    const isCount = words.length > 1 && ['count', 'counts', 'total'].includes(words.at(-1) ?? '');
    if (isCount && typeof value === 'number' && flags.has(singularOf(words.slice(0, -1).join(''))))
      return { [name]: Math.max(0, value + step) };
  }
  return {};
}

/** What a thing is after a verb: `cancelled` or `canceled` after `cancel`. */
function resultsOf(verb: string): ReadonlySet<string> {
  const stem = verb.replace(/e$/, '');
  const regular = [`${stem}ed`, `${stem}${stem.at(-1)}ed`, `${stem}d`, verb.replace(/y$/, 'ied'), verb.replace(/ate$/, 'e')];
  return new Set([verb, ...regular, ...(irregular[verb] ?? [])]);
}

const irregular: Readonly<Record<string, readonly string[]>> = {
  send: ['sent'],
  pay: ['paid'],
  start: ['running', 'active'],
  resume: ['active', 'running'],
  enable: ['active', 'enabled'],
  disable: ['inactive', 'disabled'],
  reopen: ['open'],
};
