/** The law that a record is the same by whichever parameter it is named. */

import { valueAt } from '../../../core/pointer.ts';
import type { Entry } from '../../../core/query.ts';
import { disagreements } from '../../agreement.ts';
import { isRecordRead, listOf, mostUnusual, type RecordRead, readSample } from '../../detail.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { locate, resourcePlace } from '../../place.ts';
import { isSuccess, type Reply } from '../../reply.ts';
import { callForRecord } from '../../sample.ts';
import { keyOf, type ListOperation } from '../../walk.ts';
import { describeRecords } from '../../words.ts';

/** The law. */
export const alternatives: Law = {
  id: 'details/alternatives',
  title: 'Each parameter that names a record finds the same record',
  why: 'People name a record by one thing and programs by another, and both must mean the same.',
  strength: 'stated',
  clause: (operation, contract) =>
    isRecordRead(operation, contract) && operation.resource.by.size > 1 ? resourcePlace(operation, 'by') : undefined,
  examine: async (lab, operation) => {
    const { contract } = lab;
    if (!isRecordRead(operation, contract)) throw new TypeError(`${operation.id} reads no record of a list`);
    const list = listOf(lab, operation);
    const [, ...others] = operation.resource.by.keys();
    const pairs: Pair[] = [];
    for (const parameter of others)
      for (const record of await recordsFor(lab, operation, parameter)) pairs.push(await readBoth(lab, operation, record, parameter));
    return { rivals: others.flatMap(rivalsOf), judge: () => pairs.map((pair) => judgePair(lab, list, pair)) };
  },
};

/** How many records are read by a second name. */
const sampled = 2;

interface Pair {
  readonly record: Entry;
  readonly parameter: string;
  readonly first: Reply;
  readonly other: Reply;
  /** The first reading, repeated where the two differ. */
  readonly again: Reply;
}

/** Records of the sample that no other record shares its name with: whether names are unique may be open. */
async function recordsFor(lab: Lab, operation: RecordRead, parameter: string): Promise<readonly Entry[]> {
  const field = operation.resource.by.get(parameter) ?? '';
  const { records } = await lab.universe(listOf(lab, operation));
  const count = (value: string): number => records.filter((record) => String(valueAt(record, field)) === value).length;
  const sample = (await readSample(lab, operation)).map(({ record }) => record);
  const unusual = mostUnusual(sample, operation, parameter);
  const ordered = [...new Set([...(unusual === undefined ? [] : [unusual]), ...sample])];
  const named = ordered.filter(
    (record) => callForRecord(operation, record, parameter) !== undefined && count(String(valueAt(record, field))) === 1,
  );
  return named.slice(0, lab.quick ? 1 : sampled);
}

async function readBoth(lab: Lab, operation: RecordRead, record: Entry, parameter: string): Promise<Pair> {
  const by = { operation, values: {} };
  const firstCall = callForRecord(operation, record) ?? by;
  const first = await lab.ask(firstCall);
  const other = await lab.ask(callForRecord(operation, record, parameter) ?? by);
  const isSame = first.response.status === other.response.status && textOf(lab, first) === textOf(lab, other);
  return { record, parameter, first, other, again: isSame ? first : await lab.again(firstCall) };
}

function textOf({ contract }: Lab, reply: Reply): string {
  return JSON.stringify(locate(contract, reply)?.record ?? null);
}

function rivalsOf(parameter: string): readonly Candidate[] {
  const missing = `a record whose ${parameter} no other record has`;
  return [
    { id: `${parameter}-finds-nothing`, title: `${parameter} found nothing`, missing },
    { id: `${parameter}-finds-other`, title: `${parameter} found another record, or another state of it`, missing },
  ];
}

function judgePair(lab: Lab, list: ListOperation, { record, parameter, first, other, again }: Pair): Finding {
  const key = keyOf(list, record);
  const named = describeRecords(list, [key]);
  const [one, two] = [locate(lab.contract, first), locate(lab.contract, other)];
  if (!isSuccess(first) || one === undefined) return { kind: 'obscured', by: 'details/reachable' };
  if (textOf(lab, first) !== textOf(lab, again)) return { kind: 'moved', what: `${named} did not stay as it was` };
  if (other.response.status >= 500) return { kind: 'obscured', by: 'response/no-server-error' };
  const { operation } = other.call;
  const field = operation.resource?.by.get(parameter) ?? '';
  const common = { kind: 'contradicts', replies: [first, other], witnesses: [key] } as const;
  if (two === undefined)
    return {
      ...common,
      expected: `${operation.id} finds ${named} by ${parameter} too`,
      actual: `it is answered with ${other.response.status}${isSuccess(other) ? ' and no record' : ''}`,
      records: [one.record],
      rival: { id: `${parameter}-finds-nothing`, title: `${parameter} found nothing` },
    };
  const isOther = keyOf(list, two.record) !== key;
  // Another record of the very same name is legal where names need not be unique.
  if (isOther && String(valueAt(two.record, field)) === String(valueAt(record, field)))
    return { kind: 'moved', what: `the ${parameter} of ${named} has another owner` };
  const [difference] = [...disagreements(one.record, two.record), ...disagreements(two.record, one.record)];
  if (difference === undefined) return { kind: 'agrees', refutes: [`${parameter}-finds-nothing`, `${parameter}-finds-other`] };
  return {
    ...common,
    expected: `${operation.id} gives ${named} by ${parameter} as it does otherwise`,
    actual: isOther ? `it gives ${describeRecords(list, [keyOf(list, two.record)])}` : `it differs at ${difference.at}`,
    records: [one.record, two.record],
    rival: { id: `${parameter}-finds-other`, title: `${parameter} found another record, or another state of it` },
  };
}
