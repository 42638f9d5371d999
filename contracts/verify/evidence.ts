/**
 * The wrong answers on which a violation rests, in the form in which causes are compared. `play-run.ts` asks for them when a round is over, since what a
 * mutant predicts depends on everything that the round has read.
 */

import { createHash } from 'node:crypto';
import type { MutantIdentity } from '../../core/mutants/mutant-catalogue.ts';
import { isList, type ListOperation } from '../../core/openapi/list-operation.ts';
import type { WrongAnswer } from '../../core/results/run-result.ts';
import { subjectInAnyOperation } from './check-outcome.ts';
import { type Call, type Reply, recordsIn } from './engine/call.ts';
import { forgottenFilter, repeatedIn, tieMutant, tieOfMissing, tieOfRepeated } from './engine/page-sizes.ts';
import { callFor, type Pagination, type PaginationPlan, toFilterArguments } from './engine/paginate.ts';
import { type PredictableMutant, predictableMutants } from './engine/predictable-mutants.ts';
import type { RunContext } from './engine/run-context.ts';
import type { Snapshot } from './engine/snapshot.ts';
import { explanationsOf, leftOut } from './rules/explain-selection.ts';
import type { AnswerPart, Contradiction } from './rules/rule.ts';

/** Wrong answers of one violation that are compared; more say nothing new. */
const most = 100;

/** The wrong answers of a contradiction, and of the others of the same subject. */
export function evidenceOf(context: RunContext, contradiction: Contradiction): readonly WrongAnswer[] {
  const answers: WrongAnswer[] = [];
  const seen = new Set<string>();
  for (const each of contradiction.members ?? [contradiction]) {
    const answer = toWrongAnswer(context, each);
    const text = JSON.stringify(answer);
    if (answer === undefined || seen.has(text)) continue;
    seen.add(text);
    answers.push(answer);
    if (answers.length === most) break;
  }
  return answers;
}

function toWrongAnswer(context: RunContext, contradiction: Contradiction): WrongAnswer | undefined {
  const { replies, route, suspects = [] } = contradiction;
  const [suspect, ...others] = suspects;
  const reply = suspect?.reply ?? replies.at(-1);
  if (reply === undefined) return undefined;
  const part = suspect?.part ?? partOf(contradiction);
  const call = route === undefined ? reply.call : callFor(route, {});
  const predicted =
    part === 'records' ? predictedBy(context, reply, route) : (contradiction.mutants ?? [contradiction.mutant ?? []].flat());
  const fields = part === 'records' && isList(call.operation) ? filteredFields(call.operation, call) : [];
  const [other] = others;
  return {
    operation: call.operation.id,
    ...describeCall(call, part === 'records'),
    caller: call.as ?? 'full',
    status: reply.response.status,
    part,
    ...(fields.length === 0 ? {} : { fields }),
    ...(other === undefined ? {} : { or: { ...describeCall(other.reply.call, false), part: other.part } }),
    mutants: predicted.map((mutant) => subjectInAnyOperation(call.operation.id, { mutant })),
  };
}

/** The part of an answer that a contradiction is about, where the rule does not say it. */
function partOf({ part, route, records = [], replies }: Contradiction): AnswerPart {
  const last = replies.at(-1)?.call.operation;
  return part ?? (route !== undefined || (records.length > 0 && last?.collection !== undefined) ? 'records' : 'answer');
}

function describeCall(call: Call, isReading: boolean): Pick<WrongAnswer, 'request' | 'selection' | 'parameters'> {
  const { operation, raw = [], segments = {}, as = 'full', headers = {}, carrier = 0 } = call;
  const page = operation.collection?.page;
  const size = page?.limit;
  const paging = page === undefined ? [] : [size, page.style === 'cursor' ? page.cursor : page.style === 'page' ? page.page : page.offset];
  const values = Object.entries(call.values ?? {}).map(([name, value]) => [name, [value].flat().join(',')] as const);
  const outside = [operation.id, as, raw.toSorted(), Object.entries(segments).toSorted(), Object.keys(headers).toSorted(), carrier];
  const filters = values.filter(([name]) => !paging.includes(name)).toSorted();
  const sent = isReading ? values.filter(([name]) => !paging.includes(name) || name === size) : values;
  const written = raw.map((piece) => piece.split('=', 1)[0] ?? piece);
  return {
    request: digest([outside, sent.toSorted()]),
    selection: digest([outside, filters]),
    parameters: [...new Set([...filters.map(([name]) => name), ...Object.keys(segments), ...written])].toSorted(),
  };
}

function filteredFields({ collection }: ListOperation, { values = {} }: Call): readonly string[] {
  return Object.keys(values).flatMap((name) => {
    const filter = collection.filters.get(name);
    return filter === undefined ? [] : 'fields' in filter ? filter.fields : [filter.field];
  });
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8);
}

/** Every mutant that predicts what a list gave. */
function predictedBy(context: RunContext, reply: Reply, route: PaginationPlan | undefined): readonly MutantIdentity[] {
  const { operation, as = 'full' } = reply.call;
  const snapshot = isList(operation) ? context.takenSnapshot(operation, as) : undefined;
  if (!isList(operation) || snapshot === undefined) return [];
  const paginations = context.paginations.filter((each) => (route === undefined ? each.replies.includes(reply) : isOf(route, each)));
  const whole = paginations.find(({ end }) => end === 'complete');
  const pagination = whole ?? paginations[0];
  return [
    ...(whole === undefined ? predictPage(context, operation, reply) : predictFilters(context, snapshot, whole)),
    ...(pagination === undefined ? [] : predictPages(context, snapshot, pagination)),
  ];
}

function isOf({ operation, values, limit, as }: PaginationPlan, pagination: Pagination): boolean {
  return (
    pagination.operation === operation &&
    pagination.limit === limit &&
    (pagination.as ?? 'full') === (as ?? 'full') &&
    JSON.stringify(pagination.values) === JSON.stringify(values)
  );
}

/** Mutants of filters that give just what a whole pagination gave. */
function predictFilters(context: RunContext, snapshot: Snapshot, pagination: Pagination): readonly PredictableMutant[] {
  return explanationsOf(context, snapshot, pagination, predictableMutants(context.contract, snapshot.operation));
}

/** Mutants of filters that let through every record of a page that does not belong there. */
function predictPage({ contract }: RunContext, list: ListOperation, reply: Reply): readonly PredictableMutant[] {
  const given = toFilterArguments(reply.call.values ?? {});
  const wrong = (recordsIn(reply) ?? []).filter((record) => !list.collection.query.matches(record, given));
  if (wrong.length === 0) return [];
  return predictableMutants(contract, list).filter((mutant) => wrong.every((record) => mutant.accepts(record, given)));
}

/** Mutants of paging: what is lost or repeated ties with an edge, and what does not belong stands on later pages only. */
function predictPages(context: RunContext, snapshot: Snapshot, pagination: Pagination): readonly MutantIdentity[] {
  const { missing } = pagination.end === 'complete' ? leftOut(context, snapshot, pagination) : { missing: [] };
  const repeated = repeatedIn(context, snapshot, pagination);
  const [lost, twice] = [tieOfMissing(pagination, missing), tieOfRepeated(pagination, repeated)];
  const forgotten = forgottenFilter(snapshot.operation, pagination);
  return [
    ...(missing.length > 0 && lost !== undefined ? [tieMutant('tie-skipped', lost)] : []),
    ...(repeated.length > 0 && twice !== undefined ? [tieMutant('tie-repeated', twice)] : []),
    ...(forgotten === undefined ? [] : [forgotten]),
  ];
}
