/** What is answered for a thing that another tenant lacks: where the answer's schema is open, a failure has to be seen. */

import { responseFor, statusOf } from '../../core/operation.ts';
import { otherTenants } from '../keyring.ts';
import type { Inquiry } from './inquiry.ts';
import { OpenPlaces } from './open-places.ts';
import type { Sight } from './sight.ts';

/** Reads what exists once for each tenant with the keys of the other tenants, until one of them has none. What it answers is judged with all bodies. */
export async function seekAbsence(inquiry: Inquiry): Promise<readonly Sight[]> {
  const { lab } = inquiry;
  const places = new OpenPlaces(lab.contract);
  const operation = lab.contract.operations.find(
    (each) =>
      each.method === 'GET' &&
      each.resource?.by.size === 0 &&
      [...(responseFor(each, statusOf(each, 'absent'))?.content.values() ?? [])].some(
        ({ schema }) => places.visitorOf(schema) !== undefined,
      ),
  );
  if (operation === undefined) return [];
  for (const as of otherTenants(lab.keys)) {
    const reply = await inquiry.ask({ operation, as });
    if (reply?.response.status === statusOf(operation, 'absent')) break;
  }
  return [];
}
