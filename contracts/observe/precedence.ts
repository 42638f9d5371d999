/** Which failure is told when several apply: requests with two mistakes, and trouble that came by itself. */

import type { Operation } from '../../core/operation.ts';
import { statusOf } from '../../core/operation.ts';
import type { Question } from '../../core/profile.ts';
import type { Condition } from '../../core/rules.ts';
import { type Call, nobody, stranger } from '../call.ts';
import { isStated, questionsBelow } from '../openness.ts';
import type { Reply } from '../reply.ts';
import { needsKey } from '../sample.ts';
import type { Inquiry } from './inquiry.ts';
import { choicesWhere, type Sight } from './sight.ts';

/** Sends requests that fail for two reasons, after making sure that each of them is one. */
export async function observePrecedence(inquiry: Inquiry): Promise<readonly Sight[]> {
  const { contract, replies } = inquiry.lab;
  const [question] = questionsBelow(contract, '/x-api/precedence');
  if (question === undefined) return [];
  const trouble = replies.flatMap((reply) => troubled(question, reply));
  const wrong = isStated(contract, 'malformed') ? contract.operations.flatMap(malformedCall)[0] : undefined;
  if (wrong === undefined) return trouble;
  const control = await inquiry.ask(wrong);
  if (control?.response.status !== statusOf(wrong.operation, 'invalid')) return trouble;
  const sights: Sight[] = [];
  for (const { call, conditions, what } of doubledCalls(inquiry, wrong))
    sights.push(...tell(question, conditions, await inquiry.ask(call), what));
  return [...trouble, ...sights];
}

/** A request with a parameter that nothing could read. */
function malformedCall(operation: Operation): readonly Call[] {
  if (operation.method !== 'GET' || operation.collection === undefined || !needsKey(operation) || operation.invalid.malformed !== 'refused')
    return [];
  const parameter = operation.parameters.find((each) => each.in === 'query' && each.kinds.includes('integer'));
  return parameter === undefined ? [] : [{ operation, raw: [`${encodeURIComponent(parameter.name)}=abc`] }];
}

interface Doubled {
  readonly call: Call;
  readonly conditions: readonly Condition[];
  readonly what: string;
}

function doubledCalls({ lab }: Inquiry, wrong: Call): readonly Doubled[] {
  const scopes = wrong.operation.security.flat().flatMap((credential) => credential.scopes);
  const lacking = [...lab.keys.keys()].find((role) => scopes.some((scope) => role === `without:${scope}`));
  const { id } = wrong.operation;
  return [
    ...(lacking === undefined
      ? []
      : [
          {
            call: { ...wrong, as: lacking },
            conditions: ['forbidden', 'invalid'] as const,
            what: `${id} without the scope and with an invalid parameter`,
          },
        ]),
    {
      call: { ...wrong, as: nobody },
      conditions: ['unauthenticated', 'invalid'],
      what: `${id} without a key and with an invalid parameter`,
    },
  ];
}

/** A target that throttles or is not ready says so to a caller without a key, too, or it does not come that far. */
function troubled(question: Question, reply: Reply): readonly Sight[] {
  const { call, response } = reply;
  const isNobody = (call.as === nobody || call.as === stranger) && needsKey(call.operation);
  if (!isNobody || (response.status !== 429 && response.status !== 503)) return [];
  const conditions: readonly Condition[] = ['unauthenticated', response.status === 429 ? 'throttled' : 'unavailable'];
  return tell(question, conditions, reply, `${call.operation.id} without a valid key`);
}

function tell(question: Question, conditions: readonly Condition[], reply: Reply | undefined, what: string): readonly Sight[] {
  const told = conditions.find((condition) => reply !== undefined && statusOf(reply.call.operation, condition) === reply.response.status);
  if (reply === undefined || told === undefined) return [];
  const suits = choicesWhere(question, (name) => {
    const ranks = question.choices.get(name);
    const rankOf = (condition: Condition): number => (Array.isArray(ranks) ? ranks.indexOf(condition) : -1);
    return conditions.every((condition) => rankOf(told) <= rankOf(condition));
  });
  return [{ question, suits, what: `${what} was answered with ${reply.response.status}` }];
}
