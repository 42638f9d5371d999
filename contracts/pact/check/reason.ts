/** Whether an interaction gives a reason for the answer that it expects: a failure does not come by itself, nor a success against its states. */

import { headerOf } from '../../../core/exchange.ts';
import { statusOf } from '../../../core/operation.ts';
import type { PactFinding } from '../../../core/pact-check.ts';
import { isAgainst } from './against.ts';
import { explainFailure } from './failure-reason.ts';
import { isInjected } from './injected.ts';
import { invalidQuestion } from './invalid-question.ts';
import { toOpenQuestion } from './question.ts';
import { checkRequest } from './request.ts';
import type { SentRequest } from './sent.ts';
import { type Found, findingAt, type Subject } from './subject.ts';

/** Judges whether what is expected follows from the request and the states. */
export function checkReason(subject: Subject, sent: SentRequest): readonly PactFinding[] {
  const { status } = subject.interaction.response;
  if (status < 400)
    return [...checkRequest(subject, sent), ...contradictions(subject), ...(status === 304 ? checkConditional(subject, sent) : [])];
  const refusal = status === statusOf(subject.operation, 'invalid');
  const found = refusal ? checkRefusal(subject) : explainFailure(subject, sent);
  return found === undefined ? [] : [findingAt(subject, ['response', 'status'], { ...found, id: 'response/reason' })];
}

/** What states say that lets no success come. */
function contradictions(subject: Subject): readonly PactFinding[] {
  const { facts, operation, interaction } = subject;
  const against = facts.find((fact) => isAgainst(subject, fact));
  if (against === undefined) return [];
  const name = interaction.states[facts.indexOf(against)]?.name ?? '';
  const message = `the pact expects ${interaction.response.status} of ${operation.id} while "${name}"; expect the failure that follows, or take the state out`;
  return [findingAt(subject, ['response', 'status'], { id: 'response/reason', grade: 'impossible', message, clause: operation.place })];
}

/** Nothing is unmodified for whoever has no copy. */
function checkConditional(subject: Subject, { request }: SentRequest): readonly PactFinding[] {
  if (headerOf(request.headers, 'if-none-match') !== undefined || headerOf(request.headers, 'if-modified-since') !== undefined) return [];
  const message = `the pact expects 304, and the request tells of no copy; send If-None-Match with the ETag of an earlier answer`;
  return [findingAt(subject, ['request'], { id: 'response/reason', grade: 'impossible', message, clause: subject.operation.place })];
}

/** A request is refused when something is wrong with it that the contract says is refused. */
function checkRefusal(subject: Subject): Omit<Found, 'id'> | undefined {
  const { reading, operation, contract, isKnown, interaction } = subject;
  const { status } = interaction.response;
  const stated = reading.problems.filter((problem) => invalidQuestion(contract, operation, problem) === undefined);
  if (stated.some(({ answer }) => answer === 'refused') || mayHaveDamagedCursor(subject) || !isKnown) return undefined;
  const [open] = reading.problems;
  const question = open === undefined ? undefined : invalidQuestion(contract, operation, open);
  if (open !== undefined) {
    const plain = open.message.replace(/\.$/, '');
    const why =
      question === undefined
        ? `the contract says that it is ${open.answer}`
        : `whether it is refused is an open question (${question.question})`;
    return {
      grade: question === undefined ? 'impossible' : 'unpromised',
      message: `the pact expects ${status}, and of the request only this is wrong: ${plain}; ${why}, so send what the contract refuses`,
      clause: operation.place,
      ...(question === undefined ? {} : { question: toOpenQuestion(question) }),
    };
  }
  const message = `the pact expects ${status}, and nothing is wrong with the request; send one that ${operation.id} refuses, or expect its success`;
  return { grade: 'impossible', message, clause: operation.place };
}

/** A cursor tells nothing to those who read it; one that is written by hand, or goes with other filters, may well be damaged. */
function mayHaveDamagedCursor({ operation, reading, interaction }: Subject): boolean {
  const page = operation.collection?.page;
  if (page?.style !== 'cursor' || !reading.sent.has(page.cursor)) return false;
  return !isInjected({ interaction }, 'query', page.cursor) || page.fixed.some((name) => reading.sent.has(name));
}
