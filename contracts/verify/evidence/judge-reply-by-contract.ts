/**
 * Judges one reply alone by the contract's description of its response. A reply that only repeats a wrong example of the file is told apart: that mistake is
 * the file's. Records, filters and pages are left to the rules.
 */

import { formatLocation, type SourceLocation } from '../../../core/errors.ts';
import { judgeResponse, type ResponseJudgement, type ResponseViolation } from '../../../core/http/check-response.ts';
import { isArray, isObject, type Json } from '../../../core/json.ts';
import { equal } from '../../../core/json-equality.ts';
import { getOrCompute, memoize } from '../../../core/memo.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { Document } from '../../../core/openapi/document.ts';
import { type ResponseRule, responseFor } from '../../../core/openapi/operation.ts';
import { type Schema, schemasAt } from '../../../core/openapi/schema-facts.ts';
import { fromPointer, toPointer, valueAt } from '../../../core/pointer.ts';
import type { Reply } from './call.ts';

/** What a reply says about the contract. */
export interface ReplyJudgement extends ResponseJudgement {
  /** The place of an example that breaks its own schema, and that the body repeats. Its violations are not among those of the reply. */
  readonly example?: SourceLocation;
}

const judgements = new WeakMap<Contract, WeakMap<Reply, ReplyJudgement>>();

/** Judges a reply, once. */
export function judgeByContract(contract: Contract, reply: Reply): ReplyJudgement {
  const ofContract = getOrCompute(judgements, contract, () => new WeakMap<Reply, ReplyJudgement>());
  return getOrCompute(ofContract, reply, () => {
    const { violations, notCompared } = judgeResponse(contract, reply);
    const rule = responseFor(reply.call.operation, reply.response.status);
    const examples = new Map(violations.map((each) => [each, rule === undefined ? undefined : exampleBehind(contract, reply, rule, each)]));
    const [example] = [...examples.values()].filter((each) => each !== undefined);
    if (example === undefined) return notCompared === undefined ? { violations } : { violations, notCompared };
    const reason = `it repeats the example at ${formatLocation(example)}, which breaks its own schema`;
    // What contains a wrong part of an example is wrong with it.
    const repeated = violations.filter((each) => examples.get(each) !== undefined);
    const isOwn = ({ part, path }: ResponseViolation): boolean =>
      !repeated.some((each) => each.part === part && `${each.path}/`.startsWith(`${path}/`));
    return { violations: violations.filter(isOwn), notCompared: notCompared ?? reason, example };
  });
}

/** The example from which a wrong value comes: that of the response, that of a schema which describes the value or what contains it, or a wrong one elsewhere. */
function exampleBehind(
  contract: Contract,
  { call, body }: Reply,
  rule: ResponseRule,
  { part, path }: ResponseViolation,
): SourceLocation | undefined {
  const wrong = part === 'body' ? valueAt(body, path) : undefined;
  if (wrong === undefined) return undefined;
  const isSource = (example: Json, below: string): boolean => equal(valueAt(example, below) ?? null, wrong);
  const ofResponse = [...rule.examples.values()].find(({ value }) => isSource(value, path));
  return (
    ofResponse?.place ??
    [...rule.content.values()].flatMap(({ schema }) => examplesAlong(call.operation.document, schema, path, isSource))[0] ??
    wrongExamplesOf(contract).find((each) => path !== '' && each.path.endsWith(path) && equal(each.value, wrong))?.place
  );
}

/** A value in an example of a response that breaks its schema, as a mock shows it at every operation with the same records. */
interface WrongValue {
  readonly path: string;
  readonly value: Json;
  readonly place: SourceLocation;
}

const wrongExamplesOf = memoize(({ operations }: Contract): readonly WrongValue[] =>
  operations
    .flatMap(({ responses }) => [...responses.values()])
    .flatMap(({ examples, content }) =>
      [...examples.values()].flatMap(({ value, place }) =>
        [...content.values()]
          .flatMap(({ validate }) => validate(value))
          .map(({ path }): WrongValue => ({ path, value: valueAt(value, path) ?? null, place })),
      ),
    ),
);

/** The examples of schemas along a path that have the wrong value, the nearest first. */
function examplesAlong(
  document: Document,
  schema: Schema,
  path: string,
  isSource: (example: Json, below: string) => boolean,
): readonly SourceLocation[] {
  const keys = fromPointer(path);
  const depths = [...keys.keys(), keys.length].toReversed();
  return depths.flatMap((depth) => {
    const below = toPointer(keys.slice(depth));
    const around = schemasAt(document, schema, toPointer(keys.slice(0, depth))).filter(isObject);
    return around.flatMap((each) => {
      const { example, examples } = each;
      if (example !== undefined && isSource(example, below)) return [document.place(each, 'example')];
      return isArray(examples) && examples.some((one) => isSource(one, below)) ? [document.place(each, 'examples')] : [];
    });
  });
}

/** Notes the examples that break their own schemas and that replies repeat; none without such a reply. */
export function noteWrongExamples(contract: Contract, replies: readonly Reply[]): readonly string[] {
  const places = new Set(replies.flatMap((reply) => judgeByContract(contract, reply).example ?? []).map(formatLocation));
  const [first, ...others] = places;
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : `, and ${others.length} others,`;
  return [
    `Responses repeat the example at ${first}${more} which ${others.length === 0 ? 'breaks its own schema' : 'break their own schemas'}: the target is probably a mock of this file, and the file itself is wrong`,
  ];
}
