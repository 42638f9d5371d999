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
export class ClientExchange {
  readonly keptExchange: KeptExchange;
  readonly api: ServedApi;
  /** Absent for an unknown path. */
  readonly operation: Operation | undefined;
  readonly role: string;
  readonly mark: ExchangeMark;
  readonly target: string;
  readonly status: number;
  /** Real time at which the request arrived, and at which its response was sent, in milliseconds. */
  readonly arrivedMs: number;
  readonly sentMs: number;
  /** False if the client did not get the whole response. */
  readonly isDelivered: boolean;
  private readonly toSummary: (kept: KeptExchange) => JournalSummary;
  private queryParameters: ReadonlyMap<string, string> | undefined;

  constructor(
    { keptExchange: kept, summarize }: RecordedExchange,
    api: ServedApi,
    operation: Operation | undefined,
    role: string,
    newestConnection: number,
  ) {
    const { number, request, response, wallMs, durationMs, connection = 0 } = kept;
    this.mark = { number, connection, newestConnection };
    this.keptExchange = kept;
    this.api = api;
    this.operation = operation;
    this.role = role;
    this.target = request.target;
    this.status = response.status;
    this.arrivedMs = wallMs - durationMs;
    this.sentMs = wallMs;
    this.isDelivered = response.context?.cut === undefined;
    this.toSummary = summarize;
  }

  /** The query parameters by name, decoded; the last one of equal names counts. */
  get query(): ReadonlyMap<string, string> {
    this.queryParameters ??= new Map(splitQuery(splitTarget(this.target).query).map(([name, value]) => [name, decodeOrKeep(value)]));
    return this.queryParameters;
  }

  /** False if another process sent an earlier exchange: its connection was open beside the one of this exchange. */
  mayFollow({ connection, newestConnection }: ExchangeMark): boolean {
    return this.mark.connection === connection || this.mark.connection > newestConnection;
  }

  /** The exchange without keys and personal data. */
  summarize(): JournalSummary {
    return this.toSummary(this.keptExchange);
  }

  /** The same exchange without the body of its response. */
  withoutBody(): ClientExchange {
    return new ClientExchange(
      { keptExchange: withoutBody(this.keptExchange), summarize: this.toSummary },
      this.api,
      this.operation,
      this.role,
      this.mark.newestConnection,
    );
  }
}
