/** One round: every law looks at every operation that it is about, the lists are read a last time, and then all is judged. */

import { SpecError } from '../core/errors.ts';
import type { Operation } from '../core/operation.ts';
import type { RunEvent } from '../core/verdict.ts';
import { type Call, toRequest, Unwritable } from './call.ts';
import type { Lab, LabSettings } from './lab.ts';
import type { Examination, Law } from './law.ts';
import { Blocked } from './losses.ts';
import { conclude, failed, type Outcome, withoutEvidence } from './outcome.ts';
import { refusedOperations, withinScope } from './refused-key.ts';
import { exampleCall } from './sample.ts';
import { readChangedAgain } from './second-look.ts';
import { BudgetSpent } from './session.ts';
import type { Route } from './walk.ts';

/** A law at an operation. */
export interface Subject {
  readonly law: Law;
  readonly operation: Operation;
}

/** What contradicted a law: single requests, and whole walks. */
export interface Suspects {
  readonly calls: readonly Call[];
  readonly routes: readonly Route[];
}

/** Nothing is suspected before the first look. */
export const noSuspects: Suspects = { calls: [], routes: [] };

/** A subject that is looked at again, with the calls that contradicted it before. */
export interface Task extends Subject {
  readonly suspects: Suspects;
}

/** A subject and what a round concluded of it. */
export interface Concluded extends Subject {
  readonly outcome: Outcome;
}

/** A round that is over: its outcomes, and the lab that has its answers. */
export interface Round {
  readonly concluded: readonly Concluded[];
  readonly lab: Lab;
}

/** Plays a round. The others, if there may be any, are not judged: they ask what those that ask nothing themselves look at. */
export async function playRound(
  settings: LabSettings,
  lab: Lab,
  tasks: readonly Task[],
  title: string,
  tell: (event: RunEvent) => void,
  others?: readonly Subject[],
): Promise<Round> {
  const examined: (Subject & { readonly result: Examination | Outcome })[] = [];
  for (const [index, task] of tasks.entries()) {
    tell({ kind: 'phase', title, done: index, of: tasks.length });
    examined.push({ law: task.law, operation: task.operation, result: await examine(lab, task) });
  }
  tell({ kind: 'phase', title, done: tasks.length, of: tasks.length });
  const mayAsk = others !== undefined;
  const passive = new Set(examined.flatMap(({ operation, result }) => (mayAsk && 'isPassive' in result ? [operation] : [])));
  const asking = [
    ...[...passive].map((operation) => async () => void (await lab.ask(await exampleCall(lab, operation)))),
    ...(others ?? [])
      .filter(({ operation }) => passive.has(operation))
      .map(
        ({ law, operation }) =>
          async () =>
            void (await law.examine(lab, operation)),
      ),
  ];
  for (const [index, ask] of asking.entries()) {
    tell({ kind: 'phase', title: 'asking on behalf of these', done: index, of: asking.length });
    const failure = (await guard(ask))?.failure;
    if (failure !== undefined) tell({ kind: 'failed', error: failure });
  }
  settings.session.reserve(0);
  const closing = await guard(async () => {
    await lab.readAgain();
    await readChangedAgain(lab);
  });
  if (closing !== undefined && examined.length > 0) tell({ kind: 'waiting', seconds: 0, because: closing.message });
  // Without the last reading nobody knows what moved, so nothing can be judged.
  const hasReadAgain = closing?.failure === undefined;
  const refused = refusedOperations(settings.session.replies);
  const concluded = examined.map(({ law, operation, result }) => {
    const outcome = 'judge' in result ? (hasReadAgain ? concludeOrFail(result) : closing) : result;
    return { law, operation, outcome: withinScope(operation, outcome, refused) };
  });
  return { concluded, lab };
}

function concludeOrFail(examination: Examination): Outcome {
  try {
    return conclude(examination);
  } catch (error) {
    return error instanceof SpecError ? withoutEvidence('blocked', error.message) : failed(error);
  }
}

async function examine(lab: Lab, { law, operation, suspects }: Task): Promise<Examination | Outcome> {
  let result: Examination | Outcome | undefined;
  const failure = await guard(async () => {
    const examination = await law.examine(lab, operation);
    result = 'untestable' in examination ? withoutEvidence('not-testable', examination.untestable) : examination;
  });
  // Laws about whatever was asked must see it asked again; that something is not available now is no reason not to judge the rest.
  const again: (Outcome | undefined)[] = [];
  for (const call of suspects.calls) again.push(await guard(async () => void (await lab.ask(call))));
  for (const route of suspects.routes) again.push(await guard(async () => void (await lab.walk(route))));
  return (
    again.find((outcome) => outcome?.failure !== undefined) ?? result ?? failure ?? withoutEvidence('not-exercised', 'Nothing was seen')
  );
}

/** What keeps a law from being judged is an outcome of its own, a mistake of ours included. */
async function guard(work: () => Promise<void>): Promise<Outcome | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    // What cannot be judged for a mistake of the contract is no mistake of ours.
    if (error instanceof Blocked || error instanceof SpecError) return withoutEvidence('blocked', error.message);
    if (error instanceof BudgetSpent) return withoutEvidence('not-exercised', error.message);
    if (error instanceof Unwritable) {
      const open = [{ id: 'unchecked', title: 'the law did not hold', missing: error.message }];
      return withoutEvidence('not-exercised', `The data lacks ${error.message}`, open);
    }
    return failed(error);
  }
}

/** The requests of what contradicts a law, each once; those of a walk follow each other, since a cursor is worth nothing by itself. */
export function suspectsOf({ contradictions }: Outcome, settings: LabSettings): Suspects {
  const routes = contradictions.flatMap(({ route }) => route ?? []);
  const calls = contradictions.flatMap(({ replies, route }) => (route === undefined ? replies.map((reply) => reply.call) : []));
  const texts = calls.map((call) => JSON.stringify(toRequest(call, settings.session.keys)));
  return { calls: calls.filter((_, index) => texts.indexOf(texts[index] ?? '') === index), routes };
}
