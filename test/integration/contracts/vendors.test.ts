/** The examples of vendors' APIs: an overlay that inference began and a person finished is enough for a mock that remembers, and for a verdict on every rule. */

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verify } from '../../../contracts/verify/verify.ts';
import { inferContract } from '../../../core/inference/infer-contract.ts';
import { toAnnotations } from '../../../core/inference/to-annotations.ts';
import { type Contract, loadContract } from '../../../core/openapi/contract.ts';
import type { CheckResult } from '../../../core/results/run-result.ts';
import { mutantsOf } from '../../../mocks/mutants/find-mutants.ts';
import { type RunningMock, startMock } from '../../../mocks/start-mock.ts';
import { repository } from '../../helpers/tree.ts';

/** More records than a page of the default size, so that every rule about pages is exercised. */
const sizes = { zendesk: { tickets: 110, users: 110 }, digitalocean: { droplets: 25, volumes: 25, keys: 25 } };

/** For each vendor: how records are written, and mutants that do not hide each other. */
const vendors = [
  {
    vendor: 'zendesk',
    annotated: 4,
    authorize: (key: string) => `Basic ${Buffer.from(`ada@example.com/token:${key}`).toString('base64')}`,
    path: '/api/v2/users',
    record: 'user',
    sent: { user: { name: 'Ada Lovelace', email: 'ada@example.com', role: 'agent' } },
    found: '?role=agent&page[size]=100',
    mutants: [
      'empty-key-accepted:zendesk',
      'default-limit-other:listTickets',
      'limit-maximum-higher:listUsers',
      'damaged-cursor-empty:zendesk',
      'identifier-malformed-absent:showTicket.ticket_id',
      'filter-ignored:listTickets.external_id',
      'filter-unknown-empty:listUsers.role',
      'absent-as-empty:showUser',
      'field-of-other-format:showTicket.created_at',
      'no-match-refused:listUsers',
    ],
  },
  {
    vendor: 'digitalocean',
    annotated: 6,
    authorize: (key: string) => `Bearer ${key}`,
    path: '/v2/volumes',
    record: 'volume',
    sent: { name: 'backups', size_gigabytes: 10, region: 'fra1' },
    found: '?name=backups',
    mutants: [
      'missing-key-accepted:getKey',
      'total-off-by-one:listKeys',
      'beyond-first-page:listKeys',
      'number-zero-error:listKeys.per_page',
      'filter-ignored:listVolumes.region',
      'default-limit-other:listVolumes',
      'field-missing:getVolume.tags',
      'identifier-continued:getVolume.volume_id',
      'page-overlap:listDroplets',
      'absent-as-first:getDroplet',
    ],
  },
] as const;

describe.each(vendors)('the example of $vendor', ({ vendor, annotated, authorize, path, record, sent, found, mutants }) => {
  const file = join(repository, `examples/${vendor}/${vendor}.overlay.yaml`);
  let contract: Contract;
  let mock: RunningMock;
  beforeAll(async () => {
    contract = await loadContract(file);
    mock = await startMock({ contracts: [file], fixedKeys: true, sizes: sizes[vendor] });
  });
  afterAll(() => mock.close());

  async function judge({ url, keys }: RunningMock, only: readonly string[] = []): Promise<readonly CheckResult[]> {
    const given = Object.fromEntries(Object.entries(keys).map(([role, value]) => [role, { variable: role.toUpperCase(), value }]));
    return (await verify({ contract, target: url, keys: given, only, seed: 1, budget: 400 }).result).checks;
  }

  it('states all that was inferred', async () => {
    const activeIn = (of: Contract): number => toAnnotations(inferContract(of)).filter(({ isActive }) => isActive).length;
    expect(activeIn(await loadContract(file.replace('.overlay.', '.openapi.')))).toBe(annotated);
    expect(activeIn(contract)).toBe(0);
  });

  it('is an API that remembers', async () => {
    const authorization = authorize(mock.keys['full'] ?? '');
    const send = (method: string, to: string, body?: object): Promise<Response> =>
      fetch(`${mock.url}${to}`, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const created = await send('POST', path, sent);
    expect(created.status).toBe(201);
    const { id } = ((await created.json()) as Record<string, { id: unknown }>)[record] ?? {};
    expect(await (await send('GET', `${path}/${id}`)).json()).toMatchObject({ [record]: { id } });
    expect(await (await send('GET', `${path}${found}`)).text()).toContain(JSON.stringify(id));
    expect((await send('DELETE', `${path}/${id}`)).ok).toBe(true);
    expect((await send('GET', `${path}/${id}`)).status).toBe(404);
  });

  it('is verified, rule by rule', async () => {
    // A mock throttles nobody by default.
    const open = (await judge(mock)).filter(({ rule, verdict }) => verdict !== 'holds' && rule !== 'availability/retry-after');
    expect(open.map(({ rule, operation, verdict, message }) => `${rule} at ${operation}: ${verdict} ${message}`)).toEqual([]);
  });

  it('kills its mutants', async () => {
    await using faulty = await startMock({ contracts: [file], fixedKeys: true, sizes: sizes[vendor], mutants });
    const known = mutantsOf(contract).filter(({ id }) => (mutants as readonly string[]).includes(id));
    const violated = (await judge(faulty, [...new Set(known.map(({ rule }) => rule))])).filter(({ verdict }) => verdict === 'violated');
    const survivors = known.filter(
      ({ id, rule }) => !violated.some((check) => check.rule === rule && [check.operation, vendor].includes(id.split(/[:.]/)[1] ?? '')),
    );
    expect(survivors.map(({ id }) => id)).toEqual([]);
    expect(known).toHaveLength(10);
  });
});
