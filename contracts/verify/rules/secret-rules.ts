/**
 * Rules of the group `response` about secrets: no response, to a request of any rule, contains keys or credentials of others. Personal data is not their
 * subject.
 */

import { headerOf } from '../../../core/http/exchange.ts';
import { isObject, type Json, printJson } from '../../../core/json.ts';
import { placeOfClause, securityPlace } from '../../../core/openapi/clauses.ts';
import { isPlain, needsKey, type Operation, responseFor } from '../../../core/openapi/operation.ts';
import { schemasAt } from '../../../core/openapi/schema-facts.ts';
import { showPointer, toPointer } from '../../../core/pointer.ts';
import { createRedactor, type Redactor } from '../../../core/redaction/redact-secrets.ts';
import { isSuccess, type Reply } from '../evidence/call.ts';
import { secretsOf, unissuedKey, unknownCaller } from '../evidence/callers.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import { examineEveryReply } from './examinations/examine-every-reply.ts';
import { findCredentials } from './examinations/find-leaked-credentials.ts';
import { agrees, candidate, contradicts, type Judgement, type ResponsePart, type Rule } from './rule.ts';

/** Minimum length of a key. A shorter text may be in a response by chance. */
const keyLengthMin = 8;

const keyMutants = [
  candidate('key-in-success', 'a successful response to a request with a key, such as other rules send'),
  candidate('key-in-failure', 'an error response to a request with a key, such as other rules send'),
];

const noKeyRepeated: Rule = {
  id: 'response/no-key',
  title: 'No response repeats a key',
  why: 'Responses are kept in logs, caches and bug reports. A key inside them is leaked.',
  strength: 'stated',
  clause: (operation) => (needsKey(operation) ? securityPlace(operation) : undefined),
  examine: async (context, operation) => {
    const secrets = secretsOf(context.keys).filter(({ value }) => value.length >= keyLengthMin);
    const redactor = createRedactor([...secrets, { name: 'the key that was never issued', value: unissuedKey }]);
    return examineEveryReply(context, operation, keyMutants, (reply) => judgeRepeatedKey(context, redactor, reply));
  },
};

/** A key in a response: a sentence with its encoding, and the part of the response. */
interface LeakedKey {
  readonly actual: string;
  readonly part: ResponsePart;
}

/** Names of members that tell callers their own key, such as the `token` of a logged-in user. */
const isNameOfKey = /token|key|secret|session|jwt/i;

/** The body without the members by which a plain file says that it tells a key. */
function bodyWithoutOwnKey(reply: Reply): string {
  if (!isPlain(reply.call.operation) || !isObject(reply.body)) return reply.response.body;
  const without = (value: Json, pointer: string): Json =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value).flatMap(([name, member]) => {
            const at = `${pointer}${toPointer([name])}`;
            const isOwnKey = typeof member === 'string' && isNameOfKey.test(name) && isDocumentedMember(reply, at);
            return isOwnKey ? [] : [[name, without(member, at)]];
          }),
        )
      : value;
  return printJson(without(reply.body, ''));
}

function findLeakedKey(redactor: Redactor, reply: Reply): LeakedKey | undefined {
  const { headers, body } = reply.response;
  const leakInBody = redactor.find(body) && redactor.find(bodyWithoutOwnKey(reply));
  if (leakInBody !== undefined) return { actual: `the body contains a key (${leakInBody.encoding})`, part: 'body' };
  const [leakInHeader] = Object.keys(headers).flatMap((name): readonly LeakedKey[] => {
    const leak = redactor.find(`${name}: ${headerOf(headers, name) ?? ''}`);
    return leak === undefined ? [] : [{ actual: `the header ${name} contains a key (${leak.encoding})`, part: `header ${name}` }];
  });
  return leakInHeader;
}

function judgeRepeatedKey(context: RoundContext, redactor: Redactor, reply: Reply): Judgement | undefined {
  const leakedKey = findLeakedKey(redactor, reply);
  const mutant = keyMutants[isSuccess(reply) ? 0 : 1];
  if (leakedKey !== undefined)
    return contradicts({ replies: [reply], expected: `no response of ${reply.call.operation.id} may contain a key`, ...leakedKey, mutant });
  const { as = 'full' } = reply.call;
  const sent =
    reply.key === undefined ? [] : [...context.keys].filter(([role]) => role === as || (as === 'full' && role.startsWith('scheme:')));
  const hasKey = as === unknownCaller || sent.some(([, { value }]) => value.length >= keyLengthMin);
  return hasKey && mutant !== undefined ? agrees(mutant) : undefined;
}

const credentialShown = candidate('credential-shown', 'a successful response with a body, such as other rules get');

const noCredential: Rule = {
  id: 'response/no-credential',
  title: 'No response carries a credential or a payment provider’s reference',
  why: 'Read access to synchronised data must not allow payments, refunds or logins.',
  strength: 'implied',
  // Operations without a key may show examples of credentials in their texts.
  clause: (operation) => (needsKey(operation) ? placeOfClause(operation.document, '/info') : undefined),
  examine: async (context, operation) =>
    examineEveryReply(context, operation, [credentialShown], (reply) =>
      judgeCredential(reply, opaquePointers(operation, context.contract.error?.request)),
    ),
};

/** Pointers to cursors and request ids. They are opaque and may look like credentials. */
function opaquePointers({ collection }: Operation, request: string | undefined): readonly string[] {
  const next = collection?.page.style === 'cursor' ? [collection.page.next] : [];
  return request === undefined ? next : [...next, request];
}

function judgeCredential(reply: Reply, exemptPointers: readonly string[]): Judgement | undefined {
  if (reply.body === undefined) return undefined;
  const [first, ...others] = findCredentials(reply.body, exemptPointers).filter(({ pointer }) => !isDocumentedMember(reply, pointer));
  if (first === undefined) return isSuccess(reply) ? agrees(credentialShown) : undefined;
  return contradicts({
    replies: [reply],
    expected: `no response of ${reply.call.operation.id} may contain a credential`,
    actual: `${showPointer(first.pointer)} looks like ${first.what}${others.length === 0 ? '' : `; ${others.length} more values look like credentials`}`,
  });
}

/** True for a member that a plain file documents, such as the `clientSecret` of a client. Annotated contracts say what is a secret by their examples. */
function isDocumentedMember({ call: { operation }, response: { status } }: Reply, pointer: string): boolean {
  const content = isPlain(operation) ? [...(responseFor(operation, status)?.content.values() ?? [])] : [];
  return content.some(({ schema }) => schemasAt(operation.document, schema, pointer).length > 0);
}

/** The rules, in the order of a run. */
export const secretRules: readonly Rule[] = [noKeyRepeated, noCredential];
