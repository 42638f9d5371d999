import { plainName, wordsOf } from '../../core/inference/names.ts';
import type { Shape } from '../../core/inference/shape.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import type { DataRecord } from '../../core/query/query.ts';

/** What an action such as `cancel` changes: a member that lists the result of the verb, or a flag with its name. Empty if the file shows neither. */
export function changesOfAction({ path }: Operation, record: DataRecord, shape: Shape): JsonObject {
  const verb = plainName(path.split(/[/:]/).at(-1) ?? '');
  const isUndone = verb.startsWith('un') && verb.length > 4;
  const [results, flags] = [resultsOf(verb), resultsOf(isUndone ? verb.slice(2) : verb)];
  for (const [name, member] of shape.members) {
    if (!(name in record)) continue;
    const result = member.listed.find((value) => typeof value === 'string' && results.has(plainName(value)));
    if (result !== undefined) return { [name]: result };
    const word = wordsOf(name)
      .filter((each) => each !== 'is')
      .join('');
    if (typeof record[name] === 'boolean' && flags.has(word)) return { [name]: !isUndone };
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
