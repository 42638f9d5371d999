/** Asking two contracts for the same list of the same records, until they answer differently. */

import type { Json } from '../../../core/json.ts';
import { fromPointer, valueAt } from '../../../core/pointer.ts';
import { type Arguments, createQuery, type Entry, type KindOf, type Query } from '../../../core/query.ts';
import type { Collection } from '../../../core/rules.ts';
import type { ListOperation, Values } from '../../walk.ts';
import { type Asked, ask, refusalOf, toExchange } from './asking.ts';
import type { ListPair } from './pair.ts';
import { openPool, type Pool } from './pool.ts';
import type { Search } from './rule-change.ts';
import { isSame, show } from './spot.ts';

/** Records, and the values to ask for them with. */
export interface Trial {
  readonly values: Values;
  readonly records: readonly Entry[];
}

/** The rules of a list that its evaluator reads. */
export type ListRules = Pick<Collection, 'key' | 'order' | 'filters' | 'visible'>;

/** What tells two contracts apart. */
export interface Contest {
  /** What both are asked, in this order, until they answer differently. */
  readonly trials: (pool: Pool) => Iterable<Trial>;
  /** What changes of the rules: applied to those of the old contract, it shows what this change alone does. */
  readonly edit: (rules: ListRules) => ListRules;
  /** How values compare once this is changed, if that has changed with it. */
  readonly kindOf?: KindOf;
  /** What an answer is; the keys of the records unless said otherwise. */
  readonly answer?: (query: Query, records: readonly Entry[], values: Arguments, side: 'old' | 'next') => Json;
  /** The word that the answers differ by. */
  readonly keyword: string;
}

/** No search asks more often than this. */
const most = 20_000;

/** Looks for records that the two contracts answer differently, and would if nothing else had changed. */
export function searchList(pair: ListPair, contest: Contest): Search {
  const pool = openPool(pair);
  if (pool === undefined) return { tried: 0, witness: undefined };
  const judge = createJudge(pair, contest);
  let tried = 0;
  for (const trial of contest.trials(pool)) {
    if (tried >= most) break;
    tried += 1;
    const witness = judge(trial, pool);
    if (witness !== undefined) return { tried, witness };
  }
  return { tried, witness: undefined };
}

type Judge = (trial: Trial, pool: Pool) => Search['witness'];

function createJudge(pair: ListPair, contest: Contest): Judge {
  const { old, next } = pair;
  const answer = contest.answer ?? ((query, records, values) => keysIn(query, records, values, old.operation.collection.key));
  const before = old.operation.collection.query;
  const alone = createQuery(contest.edit(old.operation.collection), contest.kindOf ?? old.operation.collection.kindOf);
  const after = createQuery(contest.edit(next.operation.collection), next.operation.collection.kindOf);
  const asking = remember((values) => ask(pair, values));
  return ({ values, records }, pool) => {
    const asked = asking(values);
    if (asked === undefined) return undefined;
    const expected = answer(before, records, asked.old.values, 'old');
    if (isSame(expected, answer(alone, records, asked.old.values, 'next'))) return undefined;
    if (!records.every(pool.allows)) return undefined;
    const refused = refusalOf(asked.next);
    const actual = refused === undefined ? answer(after, records, asked.next.values, 'next') : null;
    if (isSame(expected, actual)) return undefined;
    const told = tell(old.operation, expected);
    const message =
      refused === undefined
        ? `the old contract answers with ${told}; the new one with ${tell(old.operation, actual)}`
        : `the old contract answers with ${told}; the new one refuses the request: ${refused.message}`;
    return {
      exchange: toExchange(asked.request),
      pointer: '',
      value: undefined,
      refusedBy: refused === undefined ? undefined : 'new',
      keyword: contest.keyword,
      message,
      place: undefined,
      records: { given: records, before: expected, after: actual },
    };
  };
}

/** The keys of the records that a list shows, in its order. */
function keysIn(query: Query, records: readonly Entry[], values: Arguments, key: string): Json {
  const { records: shown } = query.page(query.sort(records), values, { skip: 0 }, Infinity);
  return shown.map((record) => valueAt(record, key) ?? null);
}

function tell({ collection }: ListOperation, answer: Json): string {
  if (!Array.isArray(answer)) return show(answer);
  const field = fromPointer(collection.key).at(-1) ?? 'record';
  const keys = (answer as readonly Json[]).map((key) => `${field} ${show(key)}`);
  return keys.length === 0 ? 'no record' : keys.join(', ');
}

/** Many trials ask the same of other records. */
function remember(make: (values: Values) => Asked | undefined): (values: Values) => Asked | undefined {
  const known = new Map<string, Asked | undefined>();
  return (values) => {
    const text = JSON.stringify(values);
    if (!known.has(text)) known.set(text, make(values));
    return known.get(text);
  };
}
