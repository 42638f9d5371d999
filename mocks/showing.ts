/** Kept exchanges as they may be shown: without keys, and without personal fields. */

import type { Contract } from '../core/contract.ts';
import type { Exchange, HttpHeaders, HttpResponse } from '../core/exchange.ts';
import { createMask, type Mask } from '../core/personal.ts';
import { personal } from '../core/personal-text.ts';
import { createRedactor, type Redactor } from '../core/redaction.ts';
import { printInstant } from './clock.ts';
import type { JournalEntry, JournalProblem, JournalSummary, KeptExchange } from './journal-entry.ts';
import { toText } from './response.ts';
import type { ServedApi } from './served-api.ts';

/** Shows kept exchanges. */
export interface Showing {
  readonly summary: (kept: KeptExchange) => JournalSummary;
  readonly entry: (kept: KeptExchange) => JournalEntry;
}

/** Shows the exchanges of some APIs; which those are may change while the mock runs. */
export function createShowing(apis: () => readonly ServedApi[]): Showing {
  const masks = new WeakMap<Contract, Mask>();
  const maskOf = ({ contract }: ServedApi): Mask => {
    const mask = masks.get(contract) ?? createMask(contract);
    masks.set(contract, mask);
    return mask;
  };
  const hide = (kept: KeptExchange, exchange: Exchange): Exchange => {
    // What never came to an API may hold what is personal in any of them.
    const concerned = apis().filter(
      ({ contract }) => kept.response.context === undefined || contract.name === kept.response.context.contract,
    );
    return concerned.reduce((shown, api) => maskOf(api).mask(shown), exchange);
  };
  const redactors = new WeakMap<readonly ServedApi[], Redactor>();
  const redactor = (): Redactor => {
    const all = apis();
    const made = redactors.get(all) ?? createRedactor(all.flatMap(({ keys }) => [...keys.byRole.values()]).map(asSecret));
    redactors.set(all, made);
    return made;
  };
  // The mock hides keys in what it tells of requests, and in the texts of failures; contents and headers are looked through here once more.
  const summary = (kept: KeptExchange): JournalSummary => {
    const { request } = hide(kept, { request: kept.request, response: { ...headOf(kept), body: '' } });
    return summarise(kept, request.target);
  };
  return {
    summary,
    entry: (kept) => {
      const { clean } = redactor();
      const shown = hide(kept, { request: kept.request, response: toText(kept.response) });
      // The texts of a failure may repeat what was asked for.
      const isTold = shown.request.target !== kept.request.target && kept.response.status >= 400;
      return {
        ...summary(kept),
        requestHeaders: shown.request.headers,
        responseHeaders: cleanHeaders(shown.response.headers, clean),
        body: kept.bodyLength > 0 && !kept.hasBody ? null : isTold ? personal : clean(shown.response.body),
        bodyLength: kept.bodyLength,
      };
    },
  };
}

/** What a summary tells of an answer; its body is not looked at. */
function headOf({ response: { status, headers } }: KeptExchange): Pick<HttpResponse, 'status' | 'headers'> {
  return { status, headers };
}

function asSecret(value: string): { readonly name: string; readonly value: string } {
  return { name: 'KEY', value };
}

function summarise(kept: KeptExchange, target: string): JournalSummary {
  const { number, cursor, request, response } = kept;
  const { context } = response;
  // What is wrong with a value is told by quoting it.
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
    isKept: context?.isKept ?? false,
    trouble: context?.trouble ?? [],
    problems: (context?.problems ?? []).map(hideQuoted),
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
