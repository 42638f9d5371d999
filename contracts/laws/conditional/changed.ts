/** The law that any other tag is answered with the content. */

import type { Operation } from '../../../core/operation.ts';
import type { Call } from '../../call.ts';
import { conditionalCalls, foreignTag, isConditional, opaqueOf, readTagged, withTag } from '../../conditional.ts';
import { roomInQuickRun } from '../../guarded.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { locate } from '../../place.ts';
import { isSuccess, type Reply } from '../../reply.ts';

const always = { id: 'always', title: 'every conditional read were answered with 304' };
const frozen = { id: 'frozen', title: 'the tag stayed when the content changed' };
const anyRecord = { id: 'any-record', title: 'the tag of any record were current for all' };

/** The law. */
export const changed: Law = {
  id: 'conditional/changed',
  title: 'A tag that is not current is answered with the content',
  why: 'A client that is told that nothing changed keeps an old copy, and nobody notices.',
  strength: 'stated',
  rfc: 'RFC 9110 §13.1.2',
  clause: (operation) => (isConditional(operation) ? operation.responses.get('200')?.place : undefined),
  examine: async (lab, operation) => {
    const [first, second] = await conditionalCalls(lab, operation, 2);
    const made: Attempt[] = [];
    if (first !== undefined) made.push(await attempt(lab, first, foreignTag, always));
    const borrowed = lab.quick || first === undefined || second === undefined ? undefined : await tagOfAnother(lab, first, second);
    if (first !== undefined && borrowed !== undefined) made.push(await attempt(lab, first, borrowed, anyRecord));
    return {
      rivals: rivalsOf(lab, (operation.resource?.by.size ?? 0) > 0),
      judge: () => [...made.flatMap(judgeAttempt), ...judgeOverTime(lab, operation)],
    };
  },
};

function rivalsOf({ quick }: Lab, hasRecords: boolean): readonly Candidate[] {
  const missing = quick ? roomInQuickRun : 'two records with tags of their own';
  return [
    { ...always, missing: 'something that can be read' },
    ...(hasRecords
      ? [
          { ...anyRecord, missing },
          { ...frozen, missing: 'a record that changes during the run' },
        ]
      : []),
  ];
}

/** A tag that belongs to another record and not to this one. */
async function tagOfAnother(lab: Lab, call: Call, other: Call): Promise<string | undefined> {
  const [own, others] = [readTagged(await lab.ask(call)), readTagged(await lab.ask(other))];
  return own === undefined || others === undefined || opaqueOf(own) === opaqueOf(others) ? undefined : others;
}

interface Attempt {
  readonly tag: string;
  readonly rival: Omit<Candidate, 'missing'>;
  readonly plain: Reply;
  readonly reply: Reply;
  /** The plain read once more, where the conditional one failed. */
  readonly after: Reply | undefined;
}

async function attempt(lab: Lab, call: Call, tag: string, rival: Attempt['rival']): Promise<Attempt> {
  const [plain, reply] = [await lab.ask(call), await lab.ask(withTag(call, tag))];
  return { tag, rival, plain, reply, after: reply.response.status >= 400 ? await lab.again(call) : undefined };
}

function judgeAttempt({ tag, rival, plain, reply, after }: Attempt): readonly Finding[] {
  const { status, body } = reply.response;
  if (!isSuccess(plain)) return [];
  if (isSuccess(reply) && body !== '') return [{ kind: 'agrees', refutes: [rival.id] }];
  if (status >= 500) return [{ kind: 'obscured', by: 'response/no-server-error' }];
  const { id } = plain.call.operation;
  if (after !== undefined && !isSuccess(after)) return [{ kind: 'moved', what: `${id} stopped succeeding` }];
  return [
    {
      kind: 'contradicts',
      replies: [plain, reply],
      expected: `${id} with the tag ${tag}, which is not its own, is answered with the content`,
      actual: isSuccess(reply) ? `it is answered with ${status} and no body` : `it is answered with ${status}`,
      ...(status === 304 ? { rival } : {}),
      witnesses: [],
    },
  ];
}

/** Whatever was read twice, anywhere in the run, and had changed in between: its tag must have changed too. */
function judgeOverTime(lab: Lab, operation: Operation): readonly Finding[] {
  const last = new Map<string, Shown>();
  return lab.session.replies.flatMap((reply): readonly Finding[] => {
    if (reply.call.operation.id !== operation.id || (reply.call.as ?? 'full') !== 'full') return [];
    const [tag, record] = [readTagged(reply), locate(lab.contract, reply)?.record];
    if (tag === undefined || record === undefined) return [];
    const shown: Shown = { reply, tag, content: JSON.stringify(record) };
    const before = last.get(reply.request.target);
    last.set(reply.request.target, shown);
    return before === undefined || before.content === shown.content ? [] : judgeChange(before, shown);
  });
}

/** A record as one answer showed it. */
interface Shown {
  readonly reply: Reply;
  readonly tag: string;
  readonly content: string;
}

function judgeChange(before: Shown, after: Shown): readonly Finding[] {
  if (opaqueOf(before.tag) !== opaqueOf(after.tag)) return [{ kind: 'agrees', refutes: [frozen.id] }];
  // A weak tag may stand for contents that mean the same (RFC 9110 §8.8.1).
  if (after.tag.startsWith('W/')) return [];
  return [
    {
      kind: 'contradicts',
      replies: [before.reply, after.reply],
      expected: `${after.reply.call.operation.id} has another tag once its content has changed`,
      actual: `the content changed, and both answers have the tag ${after.tag}`,
      rival: frozen,
      witnesses: [],
    },
  ];
}
