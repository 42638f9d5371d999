/** Whether a request that a pact sends is one that its contract understands, carries a key where one is needed, and can be filled in. */

import { nearest } from '../../../core/errors.ts';
import { headerOf, splitTarget } from '../../../core/exchange.ts';
import type { Credential, Operation } from '../../../core/operation.ts';
import type { PactFinding } from '../../../core/pact-check.ts';
import { injectedNames } from '../../../core/pact-injection.ts';
import type { RequestProblem } from '../../../core/request.ts';
import { splitQuery } from '../../../core/style.ts';
import { listInjections } from './injected.ts';
import { invalidQuestion } from './invalid-question.ts';
import { toOpenQuestion } from './question.ts';
import type { SentRequest } from './sent.ts';
import { findingAt, type Subject } from './subject.ts';

/** Judges the request of an interaction that expects a success, or that nothing changed. */
export function checkRequest(subject: Subject, sent: SentRequest): readonly PactFinding[] {
  return [...subject.reading.problems.map((problem) => explainProblem(subject, problem)), ...checkKey(subject, sent)];
}

/** Says what is wrong with a parameter of a request that is expected to succeed. */
function explainProblem(subject: Subject, problem: RequestProblem): PactFinding {
  const { operation, interaction } = subject;
  const [name = ''] = problem.parameters;
  const question = invalidQuestion(subject.contract, operation, problem);
  const isRefused = problem.answer === 'refused' && question === undefined;
  const meant = problem.class === 'undeclared' ? nearest(name, namesOf(operation)) : undefined;
  const way = meant === undefined ? 'correct the request' : `is ${meant} meant?`;
  const parameter = operation.parameters.find((each) => each.name === name && each.in === problem.in);
  const plain = problem.message.replace(/\.$/, '');
  const expects = `${operation.id} ${isRefused ? 'refuses it' : 'need not take it'}, and the pact expects ${interaction.response.status}`;
  return findingAt(subject, keysOf(subject, problem.in, name), {
    id: 'request/parameter',
    grade: isRefused ? 'impossible' : 'unpromised',
    message: `${plain}: ${expects}; ${way}`,
    clause: parameter?.place ?? operation.place,
    ...(question === undefined ? {} : { question: toOpenQuestion(question) }),
  });
}

function namesOf({ parameters }: Operation): readonly string[] {
  return parameters.map(({ name }) => name);
}

/** Where a parameter stands below its interaction; one that is missing stands where its request does. */
function keysOf({ interaction }: Subject, place: RequestProblem['in'], name: string): readonly string[] {
  const { request } = interaction;
  if (place === 'path') return ['request', 'path'];
  if (place === 'query') return request.query.has(name) ? ['request', 'query', name] : ['request'];
  return ['request', 'headers', name];
}

function checkKey(subject: Subject, sent: SentRequest): readonly PactFinding[] {
  const { operation, facts, isKnown, interaction } = subject;
  const isSettled = !isKnown || facts.some((fact) => fact.kind === 'key');
  if (operation.security.length === 0 || isSettled || carriesKey(operation, sent)) return [];
  const ways = operation.security.map((all) => all.map(describe).join(' and ')).join(', or ');
  const message = `the request carries no key, and ${operation.id} answers 401 without one: the pact expects ${interaction.response.status}; send ${ways}`;
  return [findingAt(subject, ['request'], { id: 'request/key', grade: 'impossible', message, clause: operation.place })];
}

/** Whether a request carries every key of one of the ways to show who asks, whatever the keys are. */
export function carriesKey({ security }: Operation, sent: SentRequest): boolean {
  return security.some((all) => all.every((credential) => isSent(credential, sent)));
}

function isSent({ carrier }: Credential, { request }: SentRequest): boolean {
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
export function checkInjections(subject: Subject): readonly PactFinding[] {
  const { contract, facts, isKnown, interaction } = subject;
  const injections = listInjections(subject);
  if (!isKnown || injections.length === 0) return [];
  const given = facts.map((fact) => injectedNames(contract, fact));
  if (given.includes(undefined)) return [];
  const names = new Set(given.flatMap((each) => [...(each ?? [])]));
  return injections.flatMap(({ values, keys, expression }) => {
    const missing = values.filter((name) => !names.has(name));
    if (missing.length === 0) return [];
    const meant = nearest(missing[0] ?? '', names);
    const states = interaction.states.map(({ name }) => `"${name}"`).join(' and ');
    const who = states === '' ? 'the interaction has no provider state that' : `${states} does not say what`;
    const way = meant === undefined ? 'add a state that does, such as "a thing exists"' : `is \${${meant}} meant?`;
    const message = `${who} ${states === '' ? 'gives' : ''} ${missing.join(' and ')}${states === '' ? '' : ' is'} for ${expression}, so the example would be sent; ${way}`;
    return [findingAt(subject, keys, { id: 'request/injection', grade: 'unpromised', message: message.replaceAll(/ {2,}/g, ' ') })];
  });
}
