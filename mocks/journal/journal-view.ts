/**
 * Shows kept exchanges as entries of the journal, without keys and personal data. `journal.ts` calls it for each entry that somebody reads, for each event,
 * and for findings of the client judge. It keeps no exchange.
 */

import type { Exchange, HttpHeaders, HttpResponse } from '../../core/http/exchange.ts';
import { getOrCompute } from '../../core/memo.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { createMask, type Mask, personal } from '../../core/redaction/mask-personal-data.ts';
import { createRedactor, type Redactor } from '../../core/redaction/redact-secrets.ts';
import { printInstant } from '../clock.ts';
import { readErrorMessage } from '../handler/error-response.ts';
import { preparedToHttpResponse } from '../handler/prepare-response.ts';
import type { ServedApi } from '../handler/served-api.ts';
import type { JournalEntry, JournalProblem, JournalSummary, KeptExchange } from './journal-types.ts';

/** Converts kept exchanges to entries without keys and personal data. */
interface EntryView {
  readonly summary: (kept: KeptExchange) => JournalSummary;
  readonly entry: (kept: KeptExchange) => JournalEntry;
}

/** Creates the view for the exchanges of the served APIs, which a reload may change. */
export function createEntryView(apis: () => readonly ServedApi[]): EntryView {
  const masks = new WeakMap<Contract, Mask>();
  const maskOf = ({ contract }: ServedApi): Mask => {
    return getOrCompute(masks, contract, () => createMask(contract));
  };
  const maskPersonal = (kept: KeptExchange, exchange: Exchange): Exchange => {
    // A request that reached no API may contain personal data of any API.
    const concerned = apis().filter(
      ({ contract }) => kept.response.context === undefined || contract.name === kept.response.context.contract,
    );
    return concerned.reduce((shown, api) => maskOf(api).mask(shown), exchange);
  };
  const redactors = new WeakMap<readonly ServedApi[], Redactor>();
  const currentRedactor = (): Redactor => {
    const all = apis();
    return getOrCompute(redactors, all, () => createRedactor(all.flatMap(({ keys }) => [...keys.byRole.values()]).map(asSecret)));
  };
  const reasonOf = ({ response: { status, body, context } }: KeptExchange): string | undefined => {
    if (status < 400) return undefined;
    const api = apis().find(({ contract }) => contract.name === context?.contract) ?? apis()[0];
    const message = readErrorMessage(body.toString(), api?.contract);
    return message === undefined ? undefined : currentRedactor().clean(message);
  };
  // Requests and error messages arrive without keys (`hide-keys.ts`). Response headers and bodies are cleaned here.
  const summary = (kept: KeptExchange): JournalSummary => {
    const { request } = maskPersonal(kept, { request: kept.request, response: { ...headOf(kept), body: '' } });
    return toSummary(kept, request.target, reasonOf(kept));
  };
  return {
    summary,
    entry: (kept) => {
      const { clean } = currentRedactor();
      const shown = maskPersonal(kept, { request: kept.request, response: preparedToHttpResponse(kept.response) });
      // An error message may repeat personal data of the target, so the whole body is masked.
      const mayRepeatTarget = shown.request.target !== kept.request.target && kept.response.status >= 400;
      return {
        ...summary(kept),
        requestHeaders: shown.request.headers,
        responseHeaders: cleanHeaders(shown.response.headers, clean),
        body: kept.bodyLength > 0 && !kept.hasBody ? null : mayRepeatTarget ? personal : clean(shown.response.body),
        bodyLength: kept.bodyLength,
      };
    },
  };
}

/** Returns status and headers of the response, which is all that a summary needs. */
function headOf({ response: { status, headers } }: KeptExchange): Pick<HttpResponse, 'status' | 'headers'> {
  return { status, headers };
}

function asSecret(value: string): { readonly name: string; readonly value: string } {
  return { name: 'KEY', value };
}

function toSummary(kept: KeptExchange, target: string, reason: string | undefined): JournalSummary {
  const { number, cursor, request, response } = kept;
  const { context } = response;
  // Messages quote invalid values.
  const isPersonal = target !== request.target;
  const hideQuoted = (problem: JournalProblem): JournalProblem => (isPersonal ? { ...problem, message: personal } : problem);
  return {
    number,
    instant: printInstant(kept.nowMs),
    wallInstant: new Date(kept.wallMs).toISOString(),
    contract: context?.contract ?? null,
    operation: context?.operation ?? null,
    role: context?.role ?? null,
    method: request.method,
    target,
    status: response.status,
    durationMs: Math.round(kept.durationMs * 100) / 100,
    isCached: context?.isCached ?? false,
    chaos: context?.chaos ?? [],
    problems: (context?.problems ?? []).map(hideQuoted),
    reason: reason === undefined ? null : isPersonal ? personal : reason,
    ...(cursor === undefined ? {} : { cursor }),
  };
}

function cleanHeaders(headers: HttpHeaders, clean: Redactor['clean']): HttpHeaders {
  const shown = Object.entries(headers).map(([name, value]) => [
    name,
    value === undefined || typeof value === 'string' ? value && clean(value) : value.map(clean),
  ]);
  return Object.fromEntries(shown);
}
