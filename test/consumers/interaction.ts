/** One interaction of a consumer with a provider: Pact's mock server answers as the consumer expects, and the consumer's code asks. */

import { setTimeout } from 'node:timers/promises';
import { MatchersV3, PactV4 } from '@pact-foundation/pact';
import { inject } from 'vitest';
import { openBody } from './tidy.ts';

type Unconfigured = ReturnType<PactV4['addInteraction']>;
type Requested = ReturnType<Unconfigured['withRequest']>;
type Configured = ReturnType<Requested['willRespondWith']>;

/** The request and the expected response. */
export interface Interaction {
  readonly description: string;
  /** Provider states with their parameters. */
  readonly given?: Readonly<Record<string, Params>>;
  readonly path: Expected;
  readonly query?: Readonly<Record<string, Expected | ReturnType<typeof injectedNumber>>>;
  readonly headers?: Readonly<Record<string, Expected>>;
  readonly status: number;
  readonly responseHeaders?: Readonly<Record<string, Expected>>;
  /** Example and matchers in one; nothing is expected of a body that is not given. */
  readonly body?: unknown;
  /** The reason why the pact promises nothing of the body but that it is a JSON object. `body` then only answers the test. */
  readonly open?: string;
}

/** The parameters of a state. */
export type Params = Readonly<
  Record<string, string | number | boolean | null | Readonly<Record<string, string | number | boolean | null>>>
>;

/** A text, or a matcher with an example. */
export type Expected = Parameters<Unconfigured['withRequest']>[1];

/** A value that the verifier fills in from the provider state; it may stand at the end of a path. */
export function injected(name: string, example: string, before = ''): ReturnType<typeof MatchersV3.fromProviderState<string>> {
  return MatchersV3.fromProviderState(`${before}\${${name}}`, before + example);
}

/** The same for a number. */
export function injectedNumber(name: string, example: number): ReturnType<typeof MatchersV3.fromProviderState<number>> {
  return MatchersV3.fromProviderState(`\${${name}}`, example);
}

/** Plays one interaction with the consumer's code, and writes it into the pact. */
export type Play = <T>(interaction: Interaction, drive: (baseUrl: string) => Promise<T>) => Promise<T>;

/** The pact of a consumer with a provider. */
export function startPactVerifier(consumer: string, provider: string): Play {
  const pact = new PactV4({ consumer, provider, dir: inject('pactFolder'), logLevel: 'error', cors: false });
  return async (interaction, drive) => {
    let result: { readonly value: Awaited<ReturnType<typeof drive>> } | undefined;
    await configure(pact, interaction).executeTest(async ({ url, port }) => {
      result = { value: await drive(url) };
      await settle(pact, port);
    });
    if (result === undefined) throw new Error(`the consumer was not asked to do anything: ${interaction.description}`);
    return result.value;
  };
}

/**
 * Pact's native mock server answers first and notes the request afterwards; whoever looks in between is told that no request came. Waits at most a few
 * seconds for a request that really never came.
 */
async function settle(pact: PactV4, port: number): Promise<void> {
  const core: { readonly mockServerMatchedSuccessfully: (port: number) => boolean } = pact['pact'];
  for (let look = 0; look < 300 && !core.mockServerMatchedSuccessfully(port); look += 1) await setTimeout(10);
}

function configure(pact: PactV4, interaction: Interaction): Configured {
  const { description, given = {}, path, query = {}, headers = {}, status, responseHeaders = {}, body, open } = interaction;
  let pending = pact.addInteraction().uponReceiving(description);
  for (const [name, params] of Object.entries(given)) pending = pending.given(name, params as Record<string, string>);
  if (open !== undefined) pending = pending.comment({ key: openBody, value: open });
  return pending
    .withRequest('GET', path, (request) => {
      request.query({ ...query }).headers({ ...headers });
    })
    .willRespondWith(status, (response) => {
      response.headers({ ...responseHeaders });
      if (body !== undefined) response.jsonBody(body);
    });
}
