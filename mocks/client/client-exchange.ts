/** One finished exchange in the form that the client rules judge. Keys are hidden in it; personal data is hidden only in its summary. */

import { splitTarget } from '../../core/http/exchange.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { decodeOrKeep, splitQuery } from '../../core/parameters/query-string.ts';
import type { ServedApi } from '../handler/served-api.ts';
import { type RecordedExchange, withoutBody } from '../journal/journal.ts';
import type { JournalSummary, KeptExchange } from '../journal/journal-types.ts';

/** What a rule remembers of an exchange: its number, its connection, and the highest number of a connection of the client at that time. */
export type ExchangeMark = Readonly<Record<'number' | 'connection' | 'newestConnection', number>>;

/** One exchange of a client, as the client rules see it. */
export interface ClientExchange {
  readonly keptExchange: KeptExchange;
  readonly api: ServedApi;
  /** Absent for an unknown path. */
  readonly operation: Operation | undefined;
  readonly role: string;
  readonly mark: ExchangeMark;
  readonly target: string;
  /** The query parameters by name, decoded; the last one of equal names counts. */
  readonly query: ReadonlyMap<string, string>;
  readonly status: number;
  /** Real time at which the request arrived, and at which its response was sent, in milliseconds. */
  readonly arrivedMs: number;
  readonly sentMs: number;
  /** False if the client did not get the whole response. */
  readonly isDelivered: boolean;
  /** Returns the exchange without keys and personal data. */
  readonly summarize: (kept: KeptExchange) => JournalSummary;
}

/** The client of an exchange: where it sent it, with which key, and its newest connection. */
type Sender = Pick<ClientExchange, 'api' | 'operation' | 'role'> & Pick<ExchangeMark, 'newestConnection'>;

/** Reads an exchange of a client. */
export function readClientExchange({ keptExchange, summarize }: RecordedExchange, sender: Sender): ClientExchange {
  const { number, request, response, wallMs, durationMs, connection = 0 } = keptExchange;
  const { api, operation, role, newestConnection } = sender;
  const { target } = request;
  let query: ReadonlyMap<string, string> | undefined;
  return {
    keptExchange,
    api,
    operation,
    role,
    mark: { number, connection, newestConnection },
    target,
    get query() {
      query ??= new Map(splitQuery(splitTarget(target).query).map(([name, value]) => [name, decodeOrKeep(value)]));
      return query;
    },
    status: response.status,
    arrivedMs: wallMs - durationMs,
    sentMs: wallMs,
    isDelivered: response.context?.cut === undefined,
    summarize,
  };
}

/** The exchange without its bodies, for those who keep it for long. */
export function toKeep(exchange: ClientExchange): ClientExchange {
  return { ...exchange, keptExchange: withoutBody(exchange.keptExchange) };
}

/** False if another process sent an earlier exchange: its connection was open beside the one of this exchange. */
export function mayFollow({ mark }: ClientExchange, { connection, newestConnection }: ExchangeMark): boolean {
  return mark.connection === connection || mark.connection > newestConnection;
}
