/** How what a verification of pacts tells is made fit to be printed: without keys, without personal data. */

import type { Contract } from '../../../core/contract.ts';
import { createMask } from '../../../core/personal.ts';
import { createRedactor } from '../../../core/redaction.ts';
import type { Printing } from '../../counterexample.ts';
import type { Keyring } from '../../keyring.ts';
import { secretsOf } from '../../keyring.ts';

/** What must not be shown, and where the target is. */
export interface PrintingOptions {
  readonly keys: Keyring;
  readonly headers: Readonly<Record<string, { readonly variable: string; readonly value: string }>>;
  readonly url: string;
  readonly showPersonal: boolean;
}

/** Makes the printing of a contract's exchanges. */
export function createPactPrinting(contract: Contract, { keys, headers, url, showPersonal }: PrintingOptions): Printing {
  const gateway = Object.entries(headers);
  const secrets = [...secretsOf(keys), ...gateway.map(([, { variable, value }]) => ({ name: variable, value }))];
  const { clean } = createRedactor(secrets);
  const { mask, maskRecord } = createMask(contract);
  return {
    clean,
    mask: showPersonal ? (exchange) => exchange : mask,
    maskRecord: showPersonal ? (_, record) => record : (reply, record) => maskRecord(reply.call.operation, record),
    url,
    names: secrets.map(({ name }) => `$${name}`),
    headers: gateway.map(([name, { variable }]) => `${name}: $${variable}`),
  };
}
