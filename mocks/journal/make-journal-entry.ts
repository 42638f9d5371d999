/** Makes the entries of the journal from kept exchanges, without keys and personal data. Runs only when an entry is read, or becomes an event or a finding. */

import { type Exchange, type HttpResponse, mapHeaders } from '../../core/http/exchange.ts';
import { getOrCompute } from '../../core/memo.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { printInstant } from '../../core/query/instants.ts';
import { createMask, type Mask, personalPlaceholder } from '../../core/redaction/mask-personal-data.ts';
import { createRedactor, type Redactor } from '../../core/redaction/redact-secrets.ts';
import type { JournalProblem } from '../handler/call.ts';
import { readErrorMessage } from '../handler/error-response.ts';
import { preparedToHttpResponse } from '../handler/prepare-response.ts';
import type { ServedApi } from '../handler/served-api.ts';
import type { JournalEntry, JournalSummary, KeptExchange } from './journal-types.ts';

/** Converts kept exchanges to entries without keys and personal data. */
interface EntryMaker {
  readonly summary: (keptExchange: KeptExchange) => JournalSummary;
  readonly entry: (keptExchange: KeptExchange) => JournalEntry;
}

/** Creates the maker for the exchanges of the served APIs, which a reload may change. */
export function createEntryMaker(apis: () => readonly ServedApi[]): EntryMaker {
  const masks = new WeakMap<Contract, Mask>();
  const maskOf = ({ contract }: ServedApi): Mask => {
    return getOrCompute(masks, contract, () => createMask(contract));
  };
  const maskPersonal = (keptExchange: KeptExchange, exchange: Exchange): Exchange => {
    // A request that reached no API may contain personal data of any API.
    const concernedApis = apis().filter(
      ({ contract }) => keptExchange.response.context === undefined || contract.name === keptExchange.response.context.contract,
    );
    return concernedApis.reduce((maskedExchange, api) => maskOf(api).mask(maskedExchange), exchange);
  };
  const redactors = new WeakMap<readonly ServedApi[], Redactor>();
  const currentRedactor = (): Redactor => {
    const servedApis = apis();
    return getOrCompute(redactors, servedApis, () =>
      createRedactor(servedApis.flatMap(({ keys }) => [...keys.byRole.values()]).map(toSecret)),
    );
  };
  const reasonOf = ({ response: { status, body, context } }: KeptExchange): string | undefined => {
    if (status < 400) return undefined;
    const api = apis().find(({ contract }) => contract.name === context?.contract) ?? apis()[0];
    const message = readErrorMessage(body.toString(), api?.contract);
    return message === undefined ? undefined : currentRedactor().clean(message);
  };
  // Requests and error messages arrive without keys. Response headers and bodies are cleaned here.
  const summary = (keptExchange: KeptExchange): JournalSummary => {
    const { request } = maskPersonal(keptExchange, { request: keptExchange.request, response: { ...headOf(keptExchange), body: '' } });
    return toSummary(keptExchange, request.target, reasonOf(keptExchange));
  };
  return {
    summary,
    entry: (keptExchange) => {
      const { clean } = currentRedactor();
      const maskedExchange = maskPersonal(keptExchange, {
        request: keptExchange.request,
        response: preparedToHttpResponse(keptExchange.response),
      });
      // An error message may repeat personal data of the target, so the whole body is masked.
      const mayRepeatTarget = maskedExchange.request.target !== keptExchange.request.target && keptExchange.response.status >= 400;
      return {
        ...summary(keptExchange),
        requestHeaders: maskedExchange.request.headers,
        responseHeaders: mapHeaders(maskedExchange.response.headers, (_, value) => clean(value)),
        body:
          keptExchange.bodyLength > 0 && !keptExchange.hasBody
            ? null
            : mayRepeatTarget
              ? personalPlaceholder
              : clean(maskedExchange.response.body),
        bodyLength: keptExchange.bodyLength,
      };
    },
  };
}

/** Returns status and headers of the response, which is all that a summary needs. */
function headOf({ response: { status, headers } }: KeptExchange): Pick<HttpResponse, 'status' | 'headers'> {
  return { status, headers };
}

function toSecret(value: string): { readonly name: string; readonly value: string } {
  return { name: 'KEY', value };
}

function toSummary(keptExchange: KeptExchange, target: string, reason: string | undefined): JournalSummary {
  const { number, cursor, request, response } = keptExchange;
  const { context } = response;
  // Messages quote invalid values.
  const isPersonal = target !== request.target;
  const hideQuoted = (problem: JournalProblem): JournalProblem => (isPersonal ? { ...problem, message: personalPlaceholder } : problem);
  return {
    number,
    instant: printInstant(keptExchange.nowMs),
    wallInstant: new Date(keptExchange.wallMs).toISOString(),
    contract: context?.contract ?? null,
    operation: context?.operation ?? null,
    role: context?.role ?? null,
    method: request.method,
    target,
    status: response.status,
    durationMs: Math.round(keptExchange.durationMs * 100) / 100,
    isCached: context?.isCached ?? false,
    chaos: context?.chaos ?? [],
    problems: (context?.problems ?? []).map(hideQuoted),
    ...(context?.setAside === undefined || context.setAside.length === 0 ? {} : { setAside: context.setAside }),
    reason: reason === undefined ? null : isPersonal ? personalPlaceholder : reason,
    ...(cursor === undefined ? {} : { cursor }),
  };
}
