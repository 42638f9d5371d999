/** The law about keys in answers. */

import { headerOf } from '../../../core/exchange.ts';
import { createRedactor, type Redactor } from '../../../core/redaction.ts';
import { nobody, stranger, strangersKey } from '../../call.ts';
import { inspectReplies } from '../../inspection.ts';
import { type Keyring, secretsOf } from '../../keyring.ts';
import type { Lab } from '../../lab.ts';
import type { Finding, Law } from '../../law.ts';
import { isSuccess, type Reply } from '../../reply.ts';
import { needsKey } from '../../sample.ts';

/** A shorter key could stand in an answer by chance. */
const shortest = 8;

const rivals = [
  {
    id: 'in-successes',
    title: 'a success repeated the key of its request',
    missing: 'a success that was asked for with a key, such as other laws ask for',
  },
  {
    id: 'in-failures',
    title: 'a failure repeated the key of its request',
    missing: 'a failure of a request with a key, such as other laws bring about',
  },
];

/** The law. */
export const noKey: Law = {
  id: 'response/no-key',
  title: 'No answer repeats a key',
  why: 'Answers are kept in logs, caches and bug reports; a key that stands in them is out.',
  strength: 'stated',
  clause: (operation) => (needsKey(operation) ? operation.document.place(operation.value, 'security') : undefined),
  examine: async (lab, operation) => {
    const redactor = redactorOf(lab.keys);
    return inspectReplies(lab, operation, rivals, (reply) => inspect(lab, redactor, reply));
  },
};

const redactors = new WeakMap<Keyring, Redactor>();

function redactorOf(keys: Keyring): Redactor {
  const secrets = secretsOf(keys).filter(({ value }) => value.length >= shortest);
  const redactor = redactors.get(keys) ?? createRedactor([...secrets, { name: 'the key that was never issued', value: strangersKey }]);
  redactors.set(keys, redactor);
  return redactor;
}

const found = new WeakMap<Reply, string | false>();

/** Where an answer holds a key, and how it is written there. */
function findKey(redactor: Redactor, reply: Reply): string | false {
  const known = found.get(reply);
  if (known !== undefined) return known;
  const { headers, body } = reply.response;
  const inBody = redactor.find(body);
  const name = Object.keys(headers).find((each) => redactor.find(`${each}: ${headerOf(headers, each) ?? ''}`) !== undefined);
  const field = name === undefined ? undefined : redactor.find(`${name}: ${headerOf(headers, name) ?? ''}`);
  const result =
    inBody === undefined
      ? field !== undefined && `the header ${name ?? ''} holds a key (${field.encoding})`
      : `its body holds a key (${inBody.encoding})`;
  found.set(reply, result);
  return result;
}

function inspect(lab: Lab, redactor: Redactor, reply: Reply): Finding | undefined {
  const where = findKey(redactor, reply);
  const rival = rivals[isSuccess(reply) ? 0 : 1];
  if (where !== false)
    return {
      kind: 'contradicts',
      replies: [reply],
      expected: `no answer of ${reply.call.operation.id} holds a key`,
      actual: where,
      witnesses: [],
      ...(rival === undefined ? {} : { rival }),
    };
  const { as = 'full' } = reply.call;
  const hasKey = as === stranger || (as !== nobody && (lab.keys.get(as)?.value.length ?? 0) >= shortest);
  return hasKey && rival !== undefined ? { kind: 'agrees', refutes: [rival.id] } : undefined;
}
