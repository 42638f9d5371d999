/** For any requests, the contract guarantees every expectation of the recorded pact, and its examples match their rules. */

import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkPacts } from '../../../../contracts/pact/check/check-pacts.ts';
import type { Profile } from '../../../../core/annotations/apply-profile.ts';
import type { Json } from '../../../../core/json.ts';
import type { Contract } from '../../../../core/openapi/contract.ts';
import type { Operation } from '../../../../core/openapi/operation.ts';
import { contractFile } from '../../../../core/shipped-files.ts';
import { badRequestFor } from '../../../../generators/requests/bad-request-arbitrary.ts';
import { asReceived } from '../../../../generators/requests/generated-request.ts';
import { requestFor } from '../../../../generators/requests/request-arbitrary.ts';
import type { RequestOptions } from '../../../../generators/requests/request-parts.ts';
import { notesText } from '../../../helpers/contracts/notes-contract.ts';
import { openContract } from '../../../helpers/exchange-judge.ts';
import { type RecordingMock, recordBusiness, recordText, recordWiki } from '../../../helpers/recording-mock.ts';
import { type BodyRules, mismatches } from '../../../unit/mocks/pact/matching.ts';

/** Knowledge of a client: keys, and values of received records. */
async function knowledgeOf({ api, get }: RecordingMock, lists: readonly string[]): Promise<RequestOptions> {
  const bodies = await Promise.all(lists.map((list) => get(list)));
  const values = (name: string): readonly Json[] => bodies.flatMap((body) => findAll(body ?? null, name)).slice(0, 5);
  const known = {
    id: values('id'),
    code: values('code'),
    slug: values('slug'),
    cursor: values('next_cursor'),
    updated_after: values('changed_at'),
  };
  return { known, keys: () => api.keys.byRole.get('full') };
}

function findAll(value: Json, name: string): readonly Json[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((each) => findAll(each, name));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    ...(key === name && member !== null ? [member as Json] : []),
    ...findAll(member as Json, name),
  ]);
}

function requestsTo(operation: Operation, options: RequestOptions): readonly ReturnType<typeof asReceived>[] {
  const good = fc.sample(requestFor(operation, options), { seed: 11, numRuns: 4 });
  const bad = fc.sample(badRequestFor(operation, options), { seed: 12, numRuns: 3 }).map(({ request }) => request);
  return [...good, ...bad].map(asReceived);
}

/** A profile that answers every question by its last choice. */
async function lastChoices(name: string): Promise<Profile> {
  const { questions } = await openContract(contractFile(name));
  const answered = [...questions.values()].filter(({ choices }) => choices.size > 0);
  return Object.fromEntries(answered.map(({ id, choices }) => [id, [...choices.keys()].at(-1) ?? '']));
}

describe.each([
  [
    'business',
    () => recordBusiness(),
    ['/api/integrations/v1/orders/index.php?limit=2', '/api/integrations/v1/reservations/index.php?limit=2'],
  ],
  ['wiki', () => recordWiki(), ['/api/v1/wiki?limit=5']],
  ['notes', () => recordText(notesText), ['/notes']],
  [
    'business, whose open questions are answered otherwise,',
    async () => recordBusiness({ profile: await lastChoices('business') }),
    ['/api/integrations/v1/orders/index.php?limit=2'],
  ],
  [
    'wiki, whose open questions are answered otherwise,',
    async () => recordWiki({ profile: await lastChoices('wiki') }),
    ['/api/v1/wiki?limit=5'],
  ],
] as const)('the recorded pact of a client that asks %s anything', (_name, start, lists) => {
  let mock: RecordingMock;
  let contract: Contract;
  beforeAll(async () => {
    mock = await start();
    const options = await knowledgeOf(mock, lists);
    for (const operation of mock.api.contract.operations) for (const request of requestsTo(operation, options)) await mock.send(request);
    contract = await openContract(mock.api.contract.document.file);
  });

  it('has examples that satisfy their own rules', () => {
    const file = JSON.parse(mock.text()) as {
      readonly interactions: readonly {
        readonly response: { readonly body?: { readonly content: Json }; readonly matchingRules?: { readonly body?: BodyRules } };
      }[];
    };
    for (const { response } of file.interactions) {
      if (response.body !== undefined)
        expect(mismatches(response.body.content, response.body.content, response.matchingRules?.body ?? {})).toEqual([]);
    }
    expect(file.interactions.length).toBeGreaterThan(2);
  });

  it('expects nothing that the contract does not promise', async () => {
    const { pacts, count } = await checkPacts({ pairs: [{ pact: mock.pact(), contract }] });
    const findings = pacts.flatMap(({ interactions }) =>
      interactions.flatMap((each) => each.findings.map(({ id, message }) => `${each.description}: ${id} ${message}`)),
    );
    expect(findings).toEqual([]);
    expect(count.interactions).toBe(mock.pact().interactions.length);
  });

  it('has each interaction once', () => {
    const names = mock.pact().interactions.map(({ description, states }) => JSON.stringify([description, states]));
    expect(new Set(names).size).toBe(names.length);
  });
});
