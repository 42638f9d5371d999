/** Runs against targets that have next to nothing, and what each rule says about that. */

import type { VerifyOptions } from '../../../contracts/verify/run-options.ts';
import { verify } from '../../../contracts/verify/verify.ts';
import type { CheckResult } from '../../../core/results/run-result.ts';
import { type Answer, contractOf, fakeClock, fakeTarget, namedKeys } from '../../helpers/engine.ts';
import { type SecondOptions, type SecondServer, startSecondServer } from '../../second/second-server.ts';

/** Result of a rule for one dataset. */
export interface Said extends CheckResult {
  readonly world: string;
}

type Given = Pick<VerifyOptions, 'keys' | 'hidden'>;

export async function judgePoorWorlds(): Promise<readonly Said[]> {
  const all: Said[] = [];
  for (const [world, judge] of Object.entries(worlds)) for (const result of await judge()) all.push({ ...result, world });
  return all;
}

/** Few worlds, since one run judges all rules. In each of them the target does as documented, or answers nothing. */
const worlds: Readonly<Record<string, () => Promise<readonly CheckResult[]>>> = {
  'a tenant that has nothing, and another one': () =>
    judge({ api: 'business', data: 'none' }, ({ keys }) => ({
      keys: namedKeys({ full: keys['no-menu'] ?? '', other: keys['other'] ?? '' }),
    })),
  'one record, and one key': () =>
    judge({ api: 'business', data: 'one' }, ({ keys }) => ({ keys: namedKeys({ full: keys['full'] ?? '' }) })),
  'counted pages of nothing': () => judge({ api: 'wiki', data: 'none' }, () => ({ hidden: ['no-such-entry'] })),
  'one counted record': () => judge({ api: 'wiki', data: 'one' }, () => ({})),
  'counted pages behind a login': () => judgeFake('wiki', () => failed(401, 'UNAUTHORIZED'), {}),
  'an operation that looks at its parameters first': () =>
    judgeFake(
      'plain',
      ({ target }) => (target === '/greeting' ? { body: { text: 'Good day' } } : { status: 400, body: { why: 'incomplete' } }),
      {
        keys: namedKeys({ full: 'the-key-of-the-vault', expired: 'the-key-of-last-year', 'without:open': 'the-key-of-the-door' }),
      },
    ),
};

async function judge(options: SecondOptions, given: (server: SecondServer) => Given): Promise<readonly CheckResult[]> {
  await using server = await startSecondServer(options);
  const { checks: rules } = await verify({ contract: await contractOf(options.api), target: server.url, ...given(server) }).result;
  return rules;
}

type Answering = Parameters<typeof fakeTarget>[0];

async function judgeFake(name: 'business' | 'wiki' | 'plain', answer: Answering, given: Given): Promise<readonly CheckResult[]> {
  const connect = (): ReturnType<typeof fakeTarget> => fakeTarget(answer);
  const contract = await contractOf(name);
  const { checks: rules } = await verify({ contract, target: 'http://target.example', connect, clock: fakeClock(), ...given }).result;
  return rules;
}

function failed(status: number, code: string): Answer {
  return { status, body: { ok: false, error: { code, message: 'Not for you', request_id: 'r-1' } } };
}
