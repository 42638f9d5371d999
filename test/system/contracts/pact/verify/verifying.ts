/** Verifies the pacts of this package against any server of one of its APIs. */

import { fileURLToPath } from 'node:url';
import { type VerifyPactsOptions, verifyPacts } from '../../../../../contracts/pact/verify/verify-pacts.ts';
import { readPacts } from '../../../../../core/pact/read-pacts.ts';
import type { InteractionResult, PactVerification } from '../../../../../core/results/pact-verify-result.ts';
import { contractFile } from '../../../../../core/shipped-files.ts';
import { openContract } from '../../../../helpers/exchange-judge.ts';

const { pacts } = await readPacts([fileURLToPath(new URL('../../../../../contracts/pacts', import.meta.url))]);

/** Verifies the pacts of some providers at a server. */
export async function verifyShipped(
  providers: readonly string[],
  server: { readonly url: string; readonly keys: Readonly<Record<string, string>> },
  more: Partial<VerifyPactsOptions> = {},
): Promise<PactVerification> {
  const own = pacts.filter(({ provider }) => providers.includes(provider));
  const pairs = await Promise.all(own.map(async (pact) => ({ pact, contract: await openContract(contractFile(pact.provider)) })));
  const keys = Object.entries(server.keys).map(([role, value]) => [
    role,
    { variable: `KEY_${role.replaceAll(/\W/g, '_').toUpperCase()}`, value },
  ]);
  const result = await verifyPacts({ pairs, target: server.url, keys: Object.fromEntries(keys), ...more });
  const text = JSON.stringify(result);
  const shown = Object.keys(server.keys).filter((role) => text.includes(server.keys[role] ?? ''));
  if (shown.length > 0) throw new Error(`the result shows the keys ${shown.join(', ')}`);
  return result;
}

/** Number of interactions in the pacts of some providers. */
export function countShipped(...providers: readonly string[]): number {
  return pacts.filter(({ provider }) => providers.includes(provider)).reduce((sum, { interactions }) => sum + interactions.length, 0);
}

/** Failed interactions with the reason, one line each. */
export function complaintsOf({ interactions }: PactVerification): readonly string[] {
  return interactions.filter(({ verdict }) => verdict !== 'passed').map((each) => `${each.description}: ${whyOf(each)}`);
}

/** Why an interaction did not pass. */
export function whyOf({ verdict, reason, failures }: InteractionResult): string {
  const texts = failures.map(({ path, expected, actual, diagnosis }) => `${path} ${diagnosis ?? ''} (${expected}; ${actual})`);
  return [verdict, ...(reason === undefined ? [] : [reason]), ...texts].join(' | ');
}
