/** The law that a percent-encoded identifier is the same identifier. */

import type { Parameter } from '../../../core/parameter.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { Entry } from '../../../core/query.ts';
import { encodeText } from '../../call.ts';
import { isRecordRead, listOf, mostUnusual, type RecordRead } from '../../detail.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { callByText, encodeEveryByte, nameIn, textNames } from '../../named-read.ts';
import { isSuccess, type Reply } from '../../reply.ts';
import { callForRecord, spread } from '../../sample.ts';

/** The law. */
export const encoded: Law = {
  id: 'details/encoded',
  title: 'An identifier in percent-encoding is the same identifier',
  why: 'Some clients escape more than others; a server that looks at the escapes has two names for one record.',
  strength: 'required',
  slow: true,
  rfc: 'RFC 3986 §6.2.2.2',
  clause: (operation, contract) => (isRecordRead(operation, contract) ? textNames(operation)[0]?.place : undefined),
  examine: async (lab, operation) => {
    if (!isRecordRead(operation, lab.contract)) throw new TypeError(`${operation.id} reads no record of a list`);
    const pairs: Pair[] = [];
    for (const parameter of textNames(operation))
      for (const [index, record] of (await recordsFor(lab, operation, parameter)).entries()) {
        const pair = await readBoth(lab, operation, parameter, record, index % 2 === 0);
        if (pair !== undefined) pairs.push(pair);
      }
    return { rivals, judge: () => pairs.map((pair) => judgePair(lab, pair)) };
  },
};

const rivals: readonly Candidate[] = [
  {
    id: 'still-encoded',
    title: 'a letter in percent-encoding were another letter',
    missing: 'a record with a text that identifies it and that can be read',
  },
];

interface Pair {
  readonly parameter: Parameter;
  readonly name: string;
  readonly plain: Reply;
  readonly encoded: Reply;
  /** The plain reading, repeated when the other one did not find it. */
  readonly again: Reply;
}

async function recordsFor(lab: Lab, operation: RecordRead, parameter: Parameter): Promise<readonly Entry[]> {
  const universe = await lab.universe(listOf(lab, operation));
  const isPlain = (record: Entry): boolean => {
    const name = String(valueAt(record, operation.resource.by.get(parameter.key) ?? ''));
    return encodeText(name) === name;
  };
  // A name that is sent as it stands tells most: one that needs escapes is not even found plainly where escapes are not read.
  const plain = [...spread(universe, 1), ...universe.records].find(isPlain);
  const unusual = mostUnusual(universe.records, operation, parameter.key);
  return [plain ?? unusual ?? []].flat();
}

async function readBoth(lab: Lab, operation: RecordRead, parameter: Parameter, record: Entry, isUpper: boolean): Promise<Pair | undefined> {
  const call = callForRecord(operation, record, parameter.key);
  const name = String(valueAt(record, operation.resource.by.get(parameter.key) ?? ''));
  // Dots alone mean something else in a path, however they are written (RFC 3986 §6.2.2.3).
  if (call === undefined || /^\.*$/.test(name)) return undefined;
  const plain = await lab.ask(call);
  const encoded = await lab.ask(callByText(operation, parameter, encodeEveryByte(name, isUpper)));
  const isMissing = isSuccess(plain) && nameIn(lab, parameter, encoded) !== nameIn(lab, parameter, plain);
  return { parameter, name, plain, encoded, again: isMissing ? await lab.again(call) : plain };
}

function judgePair(lab: Lab, { parameter, name, plain, encoded: other, again }: Pair): Finding {
  const { operation } = plain.call;
  if (!isSuccess(plain)) return { kind: 'obscured', by: 'details/reachable' };
  if (!isSuccess(again)) return { kind: 'moved', what: `${parameter.name} ${name} is not there any more` };
  if (other.response.status >= 500) return { kind: 'obscured', by: 'response/no-server-error' };
  const found = nameIn(lab, parameter, other);
  if (found === nameIn(lab, parameter, plain)) return { kind: 'agrees', refutes: ['still-encoded'] };
  return {
    kind: 'contradicts',
    replies: [plain, other],
    expected: `${operation.id} finds ${parameter.name} ${name} also when each of its bytes is percent-encoded`,
    actual: `it is answered with ${other.response.status}${typeof found === 'string' ? ` and ${parameter.name} ${found}` : ''}`,
    rival: { id: 'still-encoded', title: 'a letter in percent-encoding were another letter' },
    witnesses: [],
  };
}
