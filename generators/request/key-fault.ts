/** Requests that do not show who asks: without a key, with one that nobody gave out, or with one where none is read. */

import { type Arbitrary, constantFrom, tuple } from 'fast-check';
import type { Credential } from '../../core/operation.ts';
import type { BrokenRule, Fault } from './fault.ts';
import { isOpenToAll, type Proof, proofsFor } from './proof.ts';
import type { Desk } from './request-parts.ts';

/** A key that no server gives out. */
const unknownKey = 'not-a-key';

/** Requests without a valid key. There are none where the contract asks for no key. */
export function keyFaults(desk: Desk): readonly Arbitrary<Fault>[] {
  const { operation, options } = desk;
  if (isOpenToAll(operation)) return [];
  const proofsWith = (secret: string): readonly Proof[] =>
    operation.security.map((alternative) => alternative.map((credential) => ({ credential, secret, shown: secret })));
  const fault = (rule: BrokenRule, change: string, proofs: readonly Proof[]): readonly Arbitrary<Fault>[] =>
    proofs.length === 0
      ? []
      : [
          tuple(desk.parts(), constantFrom(...proofs)).map(
            ([parts, proof]): Fault => ({ rule, parameters: [], change, parts: { ...parts, proof } }),
          ),
        ];
  const [first] = proofsFor(operation, options)[0] ?? [];
  return [
    ...fault('missing-key', 'has no key', [[]]),
    ...fault('empty-key', 'has an empty key', proofsWith('')),
    ...fault('unknown-key', 'has a key that nobody gave out', proofsWith(unknownKey)),
    ...fault('wrong-carrier', 'has its key where none is read', misplaced(desk, first?.secret ?? unknownKey, first?.shown ?? unknownKey)),
  ];
}

/** The key in carriers that other APIs read. */
function misplaced({ operation }: Desk, secret: string, shown: string): readonly Proof[] {
  const credentials = operation.security.flat();
  const [credential] = credentials;
  if (credential === undefined) return [];
  const read = [...credentials.map(({ carrier }) => spell(carrier)), ...operation.parameters.map((each) => spell(each))];
  return elsewhere
    .filter((carrier) => !read.includes(spell(carrier)))
    .map((carrier) => [{ credential: { ...credential, carrier }, secret, shown }]);
}

type Carrier = Credential['carrier'];

const elsewhere: readonly Carrier[] = [
  { in: 'authorization', word: 'Token' },
  { in: 'authorization', word: 'Bearer' },
  { in: 'header', name: 'X-Api-Key' },
  { in: 'header', name: 'X-Access-Token' },
  { in: 'cookie', name: 'api_key' },
];

function spell(carrier: { readonly in: string; readonly name?: string; readonly word?: string }): string {
  return `${carrier.in} ${carrier.word ?? carrier.name ?? ''}`.toLowerCase();
}
