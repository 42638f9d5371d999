/** The law that what belongs to another tenant does not exist. */

import type { Operation } from '../../../core/operation.ts';
import { responseFor } from '../../../core/operation.ts';
import { type Call, encodeText } from '../../call.ts';
import { isConditional, readTagged, withTag } from '../../conditional.ts';
import { requestIdOf } from '../../failure.ts';
import { roomInQuickRun } from '../../guarded.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { isSuccess, type Reply } from '../../reply.ts';
import { type Comparison, differencesBetween, lastingDifferences } from '../../sameness.ts';
import { absentIdentity } from '../../sample.ts';
import { foreignBy, identityOf, otherKey, readTenants, showsRecord, type Tenants } from '../../tenant.ts';
import { keyOf } from '../../walk.ts';
import { showValue } from '../../words.ts';

/** The law. */
export const single: Law = {
  id: 'tenancy/single',
  title: "Another tenant's record looks exactly like one that does not exist",
  why: 'Whoever can tell the two apart learns what others have: how many there are, and in the worst case what is in them.',
  strength: 'stated',
  clause: (operation, contract) => {
    const { resource } = operation;
    const isConcerned = contract.tenancy && resource !== undefined && resource.by.size > 0;
    return isConcerned && contract.collections.some(({ name }) => name === resource.name) ? responseFor(operation, 404)?.place : undefined;
  },
  examine: async (lab, operation) => {
    const list = lab.listOf(operation);
    const tenants = list === undefined ? undefined : await readTenants(lab, list);
    if (tenants === undefined) return { untestable: otherKey };
    const names = [...(operation.resource?.by.keys() ?? [])];
    const looked = lab.quick ? names.slice(0, 1) : names;
    const probes: Probe[] = [];
    for (const name of looked) probes.push(...(await probe(lab, operation, tenants, name)));
    return { rivals: rivalsOf(lab, operation, names), judge: () => probes.flatMap((each) => judgeProbe(lab, each)) };
  },
};

function rivalsOf(lab: Lab, operation: Operation, names: readonly string[]): readonly Candidate[] {
  const missing = (name: string): string => `a record of another tenant whose ${name} none of the caller's own has`;
  return [
    ...names.map((name, index) => ({ ...shownBy(name), missing: lab.quick && index > 0 ? roomInQuickRun : missing(name) })),
    { ...told, missing: missing(names[0] ?? 'key') },
    ...(isConditional(operation) ? [{ ...unchanged, missing: lab.quick ? roomInQuickRun : 'a tag of a record of another tenant' }] : []),
  ];
}

function shownBy(name: string): Omit<Candidate, 'missing'> {
  return { id: `shown:${name}`, title: `everybody's records could be read by ${name}` };
}

const told = { id: 'told', title: 'a record of another tenant were answered otherwise than one that does not exist' };
const unchanged = { id: 'unchanged', title: 'the tag of a foreign record were enough' };

/** A foreign record that was asked for, beside one that does not exist. */
interface Probe {
  readonly name: string;
  readonly tenants: Tenants;
  readonly record: Tenants['walk']['records'][number];
  /** Each once, or twice when they differ. */
  readonly foreign: readonly Reply[];
  readonly absent: readonly Reply[];
  /** The foreign record, asked for with its tag. */
  readonly tagged: Reply | undefined;
}

async function probe(lab: Lab, operation: Operation, tenants: Tenants, name: string): Promise<readonly Probe[]> {
  const [record] = foreignBy(tenants, operation.resource?.by.get(name) ?? '');
  const value = record === undefined ? undefined : identityOf(operation, name, record);
  if (record === undefined || value === undefined) return [];
  const call: Call = { operation, values: { [name]: value } };
  const absentCall: Call = { operation, values: { [name]: absentIdentity(operation, name) } };
  const [foreign, absent] = [await lab.ask(call), await lab.ask(absentCall)];
  const isAlike = differencesBetween(absent, foreign, comparisonFor(lab)).length === 0;
  const again = isAlike ? [] : [await lab.again(absentCall), await lab.again(call)];
  const isFirst = [...(operation.resource?.by.keys() ?? [])][0] === name;
  const tagged = isFirst && isConditional(operation) && !lab.quick ? await askTagged(lab, call, tenants.role) : undefined;
  return [{ name, tenants, record, foreign: [foreign, ...again.slice(1)], absent: [absent, ...again.slice(0, 1)], tagged }];
}

async function askTagged(lab: Lab, call: Call, role: string): Promise<Reply | undefined> {
  const tag = readTagged(await lab.ask({ ...call, as: role }));
  return tag === undefined ? undefined : lab.ask(withTag(call, tag));
}

/** What an answer must repeat of its request is no difference: the identifier that was asked for, and the number of the request. */
function comparisonFor(lab: Lab): Comparison {
  return {
    neutral: (text, reply) => {
      const asked = Object.values(reply.call.values ?? {}).map((value) => showValue(value));
      const own = [requestIdOf(lab.contract, reply), ...asked, ...asked.map(encodeText)].filter((each) => each !== undefined);
      return own.reduce((rest, each) => rest.replaceAll(new RegExp(`(?<!\\w)${escapePattern(each)}(?!\\w)`, 'g'), '‹own›'), text);
    },
  };
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function judgeProbe(lab: Lab, probed: Probe): readonly Finding[] {
  return [...judgePlain(lab, probed), ...judgeTagged(probed)];
}

function judgePlain(lab: Lab, probed: Probe): readonly Finding[] {
  const { name, record, foreign, absent } = probed;
  const [first, second] = foreign;
  const [none, noneAgain] = absent;
  if (first === undefined || none === undefined) return [];
  if (first.response.status >= 500) return [{ kind: 'obscured', by: 'response/no-server-error' }];
  if (isSuccess(none)) return [{ kind: 'obscured', by: 'details/absent' }];
  if (isSuccess(first)) {
    // The caller may have a record of the same identity; only the content tells whose it is.
    return showsRecord(first, record) ? [contradict(probed, [none, first], 'the record itself is shown', shownBy(name))] : [];
  }
  const lasting =
    second === undefined || noneAgain === undefined ? [] : lastingDifferences([none, noneAgain], [first, second], comparisonFor(lab));
  if (lasting.length === 0) return [{ kind: 'agrees', refutes: [`shown:${name}`, told.id] }];
  const isStatus = lasting.includes('status');
  const what = isStatus
    ? `it is answered with ${first.response.status}, and one that does not exist with ${none.response.status}`
    : `the two answers differ in ${lasting.slice(0, 3).join(', ')}`;
  return [contradict(probed, [none, first], what, told)];
}

function judgeTagged(probed: Probe): readonly Finding[] {
  const { tagged, foreign } = probed;
  const [plain] = foreign;
  if (tagged === undefined || plain === undefined || isSuccess(plain) || tagged.response.status >= 500) return [];
  if (tagged.response.status >= 400) return [{ kind: 'agrees', refutes: [unchanged.id] }];
  return [contradict(probed, [plain, tagged], `with its tag it is answered with ${tagged.response.status}`, unchanged)];
}

function contradict(
  { name, record, tenants }: Probe,
  replies: readonly Reply[],
  actual: string,
  rival: Omit<Candidate, 'missing'>,
): Finding {
  const [reply] = replies;
  const operation = reply?.call.operation;
  const value = operation === undefined ? undefined : identityOf(operation, name, record);
  return {
    kind: 'contradicts',
    replies,
    expected: `${operation?.id ?? ''} with ${name}=${showValue(value ?? null)}, another tenant's record, is answered as for none at all`,
    actual,
    records: [record],
    rival,
    witnesses: [keyOf(tenants.own.operation, record)],
  };
}
