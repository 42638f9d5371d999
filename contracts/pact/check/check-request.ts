/**
 * Whether a request is one that its contract understands, and gives a reason for the answer: a failure does not come by itself, nor a
 * success against its states.
 */

import type { Contract } from '../../../core/contract.ts';
import { follow } from '../../../core/document.ts';
import { nearest } from '../../../core/errors.ts';
import { type HttpRequest, headerOf, splitTarget } from '../../../core/exchange.ts';
import { isObject, type Json } from '../../../core/json.ts';
import { type Credential, type Operation, statusOf } from '../../../core/operation.ts';
import type { PactFinding } from '../../../core/pact/check-result.ts';
import type { StateCondition } from '../../../core/pact/provider-state.ts';
import { stateValueNames, expressionNames } from '../../../core/pact/state-generators.ts';
import type { Question } from '../../../core/profile.ts';
import type { RequestProblem } from '../../../core/request.ts';
import { splitQuery } from '../../../core/style.ts';
import { questionsBelow } from '../../openness.ts';
import { isQueryGenerated, listRequestGenerators } from '../../../core/pact/injection.ts';
import { type FindingDraft, createFinding, type CheckContext } from './check-context.ts';

/** Judges whether what is expected follows from the request and the states. */
export function checkCause(subject: CheckContext): readonly PactFinding[] {
  const { status } = subject.interaction.response;
  if (status < 400) return [...checkRequest(subject), ...checkContradictions(subject), ...(status === 304 ? checkConditional(subject) : [])];
  const refusal = status === statusOf(subject.operation, 'invalid');
  const found = refusal ? checkRefusal(subject) : explainFailure(subject);
  return found === undefined ? [] : [createFinding(subject, ['response', 'status'], { ...found, id: 'response/reason' })];
}

/** What states say that lets no success come. */
function checkContradictions(subject: CheckContext): readonly PactFinding[] {
  const { facts, operation, interaction } = subject;
  const against = facts.find((fact) => causesFailure(subject, fact));
  if (against === undefined) return [];
  const name = interaction.states[facts.indexOf(against)]?.name ?? '';
  const message = `the pact expects ${interaction.response.status} of ${operation.id} while "${name}"; expect the failure that follows, or take the state out`;
  return [createFinding(subject, ['response', 'status'], { id: 'response/reason', grade: 'impossible', message, clause: operation.place })];
}

/** Nothing is unmodified for whoever has no copy. */
function checkConditional(subject: CheckContext): readonly PactFinding[] {
  if (['if-none-match', 'if-modified-since'].some((name) => headerOf(subject.sent.headers, name) !== undefined)) return [];
  const message = `the pact expects 304, and the request tells of no copy; send If-None-Match with the ETag of an earlier answer`;
  return [createFinding(subject, ['request'], { id: 'response/reason', grade: 'impossible', message, clause: subject.operation.place })];
}

/** A request is refused when something is wrong with it that the contract says is refused. */
function checkRefusal(subject: CheckContext): Omit<FindingDraft, 'id'> | undefined {
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
      question,
    };
  }
  const message = `the pact expects ${status}, and nothing is wrong with the request; send one that ${operation.id} refuses, or expect its success`;
  return { grade: 'impossible', message, clause: operation.place };
}

/** A cursor tells nothing to those who read it; one that is written by hand, or goes with other filters, may well be damaged. */
function mayHaveDamagedCursor({ operation, reading, interaction }: CheckContext): boolean {
  const page = operation.collection?.page;
  if (page?.style !== 'cursor' || !reading.sent.has(page.cursor)) return false;
  return !isQueryGenerated(interaction, page.cursor) || page.fixed.some((name) => reading.sent.has(name));
}

type CauseProblem = Omit<FindingDraft, 'id'> | undefined;

/** Judges a failure that is not about parameters; `undefined` when there is a reason for it, or may be one. */
function explainFailure(subject: CheckContext): CauseProblem {
  // A state that is not known here may make anything true.
  return subject.isKnown ? failures[subject.interaction.response.status]?.(subject) : undefined;
}

/** By status. What a contract does not tie to a condition, such as 500, needs no reason. */
const failures: Readonly<Record<number, (subject: CheckContext) => CauseProblem>> = {
  401: explainUnauthenticated,
  403: explainForbidden,
  404: explainNotFound,
  429: (subject) => explainUnavailable(subject, 'throttled', 'the service allows no more requests'),
  503: (subject) => explainUnavailable(subject, 'unavailable', 'the service is not ready'),
};

function explainUnauthenticated(subject: CheckContext): CauseProblem {
  const { operation, facts } = subject;
  // Where nobody needs a key, only what is hidden could be answered so, and contracts leave that open.
  if (operation.security.length === 0 || !carriesKey(subject) || facts.some((fact) => fact.kind === 'key')) return undefined;
  const why = 'the request carries a key, and no state says that it is unknown';
  return withoutCause(subject, why, 'leave the key out, or add a state such as "the key is unknown"');
}

function explainForbidden(subject: CheckContext): CauseProblem {
  const scopes = subject.operation.security.flat().flatMap((each) => each.scopes);
  const isFounded = subject.facts.some((fact) => fact.kind === 'no-scope' && scopes.includes(fact.scope));
  const [scope] = scopes;
  if (isFounded || scope === undefined) return undefined;
  return withoutCause(subject, 'no state says that the key lacks the scope', `add the state "the key lacks the scope ${scope}"`);
}

function explainNotFound(subject: CheckContext): CauseProblem {
  const { contract, operation, facts } = subject;
  const { resource, collection } = operation;
  if (facts.some((fact) => causesFailure(subject, fact))) return undefined;
  const [beyond] = questionsBelow(contract, `${operation.pointer}/x-collection/page/beyond`);
  if (resource === undefined && beyond !== undefined) {
    const why = `what a page past the end answers is an open question (${beyond.question})`;
    return { ...withoutCause(subject, why, 'do not rely on it'), question: beyond };
  }
  const [field] = resource?.by.values() ?? [];
  const noun = resource?.name ?? collection?.name ?? 'thing';
  const way = field === undefined ? `add the state "no ${noun} exists"` : `add a state such as "no ${noun} has this ${field.slice(1)}"`;
  return withoutCause(subject, 'no state says that there is none', way);
}

function explainUnavailable(subject: CheckContext, kind: 'throttled' | 'unavailable', state: string): CauseProblem {
  if (subject.facts.some((fact) => fact.kind === kind)) return undefined;
  return withoutCause(subject, 'no state says so', `add the state "${state}"`);
}

function withoutCause({ operation, interaction }: CheckContext, why: string, way: string): Omit<FindingDraft, 'id'> {
  const message = `the pact expects ${interaction.response.status} of ${operation.id}, and ${why}; ${way}`;
  return { grade: 'unpromised', message, clause: operation.place };
}

/** Whether a fact makes the operation fail. */
function causesFailure({ operation, reading }: CheckContext, fact: StateCondition): boolean {
  if (fact.kind === 'key') return operation.security.length > 0;
  if (fact.kind === 'no-scope')
    return operation.security.length > 0 && operation.security.every((all) => all.some(({ scopes }) => scopes.includes(fact.scope)));
  if (fact.kind === 'throttled' || fact.kind === 'unavailable') return true;
  const { resource } = operation;
  if (fact.kind === 'no-resource') return resource?.name === fact.resource && resource.by.size === 0;
  if (fact.kind !== 'no-record' || resource?.name !== fact.collection) return false;
  const [parameter] = [...resource.by].find(([, field]) => field === fact.field) ?? [];
  return (
    parameter !== undefined &&
    reading.sent.has(parameter) &&
    (fact.value === undefined || String(fact.value) === String(reading.values.get(parameter)))
  );
}

/** Judges the request of an interaction that expects a success, or that nothing changed. */
function checkRequest(subject: CheckContext): readonly PactFinding[] {
  return [...subject.reading.problems.map((problem) => explainParameter(subject, problem)), ...checkKey(subject)];
}

/** Says what is wrong with a parameter of a request that is expected to succeed. */
function explainParameter(subject: CheckContext, problem: RequestProblem): PactFinding {
  const { operation, interaction } = subject;
  const [name = ''] = problem.parameters;
  const question = invalidQuestion(subject.contract, operation, problem);
  const isRefused = problem.answer === 'refused' && question === undefined;
  const meant = problem.class === 'undeclared' ? nearest(name, namesOf(operation)) : undefined;
  const way = meant === undefined ? 'correct the request' : `is ${meant} meant?`;
  const parameter = operation.parameters.find((each) => each.name === name && each.in === problem.in);
  const plain = problem.message.replace(/\.$/, '');
  const expects = `${operation.id} ${isRefused ? 'refuses it' : 'need not take it'}, and the pact expects ${interaction.response.status}`;
  return createFinding(subject, keysOf(subject, problem.in, name), {
    id: 'request/parameter',
    grade: isRefused ? 'impossible' : 'unpromised',
    message: `${plain}: ${expects}; ${way}`,
    clause: parameter?.place ?? operation.place,
    question,
  });
}

function namesOf({ parameters }: Operation): readonly string[] {
  return parameters.map(({ name }) => name);
}

/** Where a parameter stands below its interaction; one that is missing stands where its request does. */
function keysOf({ interaction }: CheckContext, place: RequestProblem['in'], name: string): readonly string[] {
  const { request } = interaction;
  if (place === 'path') return ['request', 'path'];
  if (place === 'query') return request.query.has(name) ? ['request', 'query', name] : ['request'];
  return ['request', 'headers', name];
}

function checkKey(subject: CheckContext): readonly PactFinding[] {
  const { operation, facts, isKnown, interaction } = subject;
  const isSettled = !isKnown || facts.some((fact) => fact.kind === 'key');
  if (operation.security.length === 0 || isSettled || carriesKey(subject)) return [];
  const ways = operation.security.map((all) => all.map(describe).join(' and ')).join(', or ');
  const message = `the request carries no key, and ${operation.id} answers 401 without one: the pact expects ${interaction.response.status}; send ${ways}`;
  return [createFinding(subject, ['request'], { id: 'request/key', grade: 'impossible', message, clause: operation.place })];
}

/** Whether a request carries every key of one of the ways to show who asks, whatever the keys are. */
function carriesKey({ operation, sent }: CheckContext): boolean {
  return operation.security.some((all) => all.every((credential) => isSent(credential, sent)));
}

function isSent({ carrier }: Credential, request: HttpRequest): boolean {
  if (carrier.in === 'authorization') {
    const [word = '', ...rest] = (headerOf(request.headers, 'authorization') ?? '').split(' ');
    return word.toLowerCase() === carrier.word.toLowerCase() && rest.join('') !== '';
  }
  if (carrier.in === 'header') return (headerOf(request.headers, carrier.name) ?? '') !== '';
  if (carrier.in === 'query') return splitQuery(splitTarget(request.target).query).some(([name]) => name === carrier.name);
  return (headerOf(request.headers, 'cookie') ?? '').split(/;\s*/).some((each) => each.startsWith(`${carrier.name}=`));
}

function describe({ carrier }: Credential): string {
  return carrier.in === 'authorization' ? `Authorization: ${carrier.word} KEY` : `the ${carrier.in} ${carrier.name}`;
}

/** Values that are injected must be given by a state: otherwise the example is sent, and nobody notices. */
export function checkGenerators(subject: CheckContext): readonly PactFinding[] {
  const { contract, facts, isKnown, interaction } = subject;
  const injections = listRequestGenerators(interaction.request.generators);
  if (!isKnown || injections.length === 0) return [];
  const given = facts.map((fact) => stateValueNames(contract, fact));
  if (given.includes(undefined)) return [];
  const names = new Set(given.flatMap((each) => [...(each ?? [])]));
  return injections.flatMap(({ keys, expression }) => {
    const missing = expressionNames(expression).filter((name) => !names.has(name));
    if (missing.length === 0) return [];
    const meant = nearest(missing[0] ?? '', names);
    const states = interaction.states.map(({ name }) => `"${name}"`).join(' and ');
    const who = states === '' ? 'the interaction has no provider state that' : `${states} does not say what`;
    const way = meant === undefined ? 'add a state that does, such as "a thing exists"' : `is \${${meant}} meant?`;
    const message = `${who} ${states === '' ? 'gives' : ''} ${missing.join(' and ')}${states === '' ? '' : ' is'} for ${expression}, so the example would be sent; ${way}`;
    return [
      createFinding(subject, ['request', 'generators', ...keys], {
        id: 'request/injection',
        grade: 'unpromised',
        message: message.replaceAll(/ {2,}/g, ' '),
      }),
    ];
  });
}

/** The question about the answer to a problem; `undefined` when the contract states the answer. */
function invalidQuestion(contract: Contract, operation: Operation, problem: RequestProblem): Question | undefined {
  const parameters = operation.value['parameters'];
  const written = (Array.isArray(parameters) ? (parameters as readonly Json[]) : []).map((each) => follow(operation.document, each));
  const own = written.filter(isObject).find((each) => problem.parameters.includes(String(each['name'])));
  if (isObject(own?.['x-invalid']) && own['x-invalid'][problem.class] !== undefined) return undefined;
  const asked = isObject(own?.['schema']) ? own['schema']['x-unspecified'] : undefined;
  if (typeof asked === 'string' && problem.class === 'out-of-range') return contract.questions.get(asked);
  return questionsBelow(contract, `/x-invalid/${problem.class}`)[0];
}
