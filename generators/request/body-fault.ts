/** Requests whose body is wrong: near misses of its schema, texts that are not JSON, and none where one is needed. */

import { type Arbitrary, constantFrom, tuple } from 'fast-check';
import { type Body, bodyRuleOf, toBody } from './body.ts';
import type { Fault } from './fault.ts';
import type { Desk } from './request-parts.ts';
import { missesOf, ruleOf } from './value-fault.ts';

/** Requests with a body that the contract refuses. */
export function bodyFaults(desk: Desk): readonly Arbitrary<Fault>[] {
  const rule = bodyRuleOf(desk.operation);
  if (rule === undefined) return [];
  const broken = tuple(desk.parts(), constantFrom('{', '{]', 'body=1', '"')).map(([parts, text]): Fault => {
    const body: Body = { text, type: rule.type, content: undefined };
    return { rule: 'json', parameters: [], change: 'has a body that is not JSON', parts: { ...parts, body }, unseen: 'malformed' };
  });
  const none = desk.parts().map(
    (parts): Fault => ({
      rule: 'required',
      parameters: [],
      change: 'has no body',
      parts: { ...parts, body: undefined },
      unseen: 'broken-rule',
    }),
  );
  const misses = missesOf(rule.schema, desk.operation.document);
  const wrong =
    misses === undefined
      ? []
      : [
          tuple(desk.parts(), misses).map(([parts, miss]): Fault => {
            const change = `has a body that ${miss.change}${miss.path === '' ? '' : ` at ${miss.path}`}`;
            return {
              rule: ruleOf(miss.keyword),
              parameters: [],
              change,
              parts: { ...parts, body: toBody(rule, miss.value) },
              unseen: 'malformed',
            };
          }),
        ];
  return [broken, ...(rule.required ? [none] : []), ...wrong];
}
