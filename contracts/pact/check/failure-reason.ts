/** Whether an interaction that expects a failure says why it should come: a key, a scope, what is not there, or trouble. */

import { isAgainst } from './against.ts';
import { openPlace } from './known.ts';
import { toOpenQuestion } from './question.ts';
import { carriesKey } from './request.ts';
import type { SentRequest } from './sent.ts';
import type { Found, Subject } from './subject.ts';

type Reason = Omit<Found, 'id'> | undefined;

/** Judges a failure that is not about parameters; `undefined` when there is a reason for it, or may be one. */
export function explainFailure(subject: Subject, sent: SentRequest): Reason {
  // A state that is not known here may make anything true.
  return subject.isKnown ? failures[subject.interaction.response.status]?.(subject, sent) : undefined;
}

/** By status. What a contract does not tie to a condition, such as 500, needs no reason. */
const failures: Readonly<Record<number, (subject: Subject, sent: SentRequest) => Reason>> = {
  401: explainUnauthenticated,
  403: explainForbidden,
  404: explainAbsent,
  429: (subject) => explainTrouble(subject, 'throttled', 'the service allows no more requests'),
  503: (subject) => explainTrouble(subject, 'unavailable', 'the service is not ready'),
};

function explainUnauthenticated(subject: Subject, sent: SentRequest): Reason {
  const { operation, facts } = subject;
  // Where nobody needs a key, only what is hidden could be answered so, and contracts leave that open.
  if (operation.security.length === 0 || !carriesKey(operation, sent) || facts.some((fact) => fact.kind === 'key')) return undefined;
  const why = 'the request carries a key, and no state says that it is unknown';
  return unfounded(subject, why, 'leave the key out, or add a state such as "the key is unknown"');
}

function explainForbidden(subject: Subject): Reason {
  const scopes = subject.operation.security.flat().flatMap((each) => each.scopes);
  const isFounded = subject.facts.some((fact) => fact.kind === 'no-scope' && scopes.includes(fact.scope));
  const [scope] = scopes;
  if (isFounded || scope === undefined) return undefined;
  return unfounded(subject, 'no state says that the key lacks the scope', `add the state "the key lacks the scope ${scope}"`);
}

function explainAbsent(subject: Subject): Reason {
  const { contract, operation, facts } = subject;
  const { resource, collection } = operation;
  if (facts.some((fact) => isAgainst(subject, fact))) return undefined;
  const beyond = openPlace(contract, operation, '/x-collection/page/beyond');
  if (resource === undefined && beyond !== undefined) {
    const why = `what a page past the end answers is an open question (${beyond.question})`;
    return { ...unfounded(subject, why, 'do not rely on it'), question: toOpenQuestion(beyond) };
  }
  const [field] = resource?.by.values() ?? [];
  const noun = resource?.name ?? collection?.name ?? 'thing';
  const way = field === undefined ? `add the state "no ${noun} exists"` : `add a state such as "no ${noun} has this ${field.slice(1)}"`;
  return unfounded(subject, 'no state says that there is none', way);
}

function explainTrouble(subject: Subject, kind: 'throttled' | 'unavailable', state: string): Reason {
  if (subject.facts.some((fact) => fact.kind === kind)) return undefined;
  return unfounded(subject, 'no state says so', `add the state "${state}"`);
}

function unfounded({ operation, interaction }: Subject, why: string, way: string): Omit<Found, 'id'> {
  const message = `the pact expects ${interaction.response.status} of ${operation.id}, and ${why}; ${way}`;
  return { grade: 'unpromised', message, clause: operation.place };
}
