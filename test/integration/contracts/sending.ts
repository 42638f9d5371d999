import { onTestFinished, vi } from 'vitest';
import { type Delivery, openTarget, type Target, type TargetOptions } from '../../../contracts/verify/target/open-target.ts';

/** A target that closes when the test ends. */
export function open(url: string, options: Partial<TargetOptions> = {}): Target {
  const target = openTarget({ url, timeoutMs: 5000, headers: {}, environment: {}, ...options });
  onTestFinished(() => target.close());
  return target;
}

/** Sends one request. */
export function get(target: Target, path = '/x', headers: Readonly<Record<string, string | readonly string[]>> = {}): Promise<Delivery> {
  return target.send({ method: 'GET', target: path, headers });
}

/** The answer, when there must be one. */
export async function answerOf(delivery: Promise<Delivery>): Promise<Extract<Delivery, { kind: 'answer' }>> {
  const told = await delivery;
  if (told.kind === 'failure') throw new Error(`${told.cause}: ${told.message}`);
  return told;
}

/** The failure, when there must be one. */
export async function failureOf(delivery: Promise<Delivery>): Promise<Extract<Delivery, { kind: 'failure' }>> {
  const told = await delivery;
  if (told.kind === 'answer') throw new Error(`an answer came: ${told.response.status} ${told.response.body}`);
  return told;
}

/** Lets every certificate through until the test ends: tests have no authority that signs theirs. */
export function trustAll(): void {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => void vi.unstubAllEnvs());
}
