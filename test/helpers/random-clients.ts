/** Random correct clients: processes with one key that read lists and details in turns, meet chaos, give up or resume, and move their checkpoints. */

import type { JsonObject } from '../../core/json.ts';
import { valueAt } from '../../core/pointer.ts';
import type { ClientFinding } from '../../core/results/client-result.ts';
import { createDraw, type Draw } from '../../mocks/handler/values/draw.ts';
import { type ClientSequence, type SequenceReply, startSequence } from './client-sequence.ts';
import { survivableChaos } from './client-styles.ts';

/** A pagination that is not finished: where it began, its next page, and the newest change so far. */
interface Pagination {
  readonly start: string | undefined;
  cursor: string | undefined;
  newest: string | undefined;
}

/** What the processes of a client share: the mock, and the wait that a 429 asked for. */
interface SharedClient {
  readonly sequence: ClientSequence;
  nowMs: number;
  waitUntilMs: number;
}

/** Longest Retry-After of the chaos, with the second that a date rounds, in milliseconds. */
const longestWaitMs = 3000;

/** Number of times that a process synchronises. */
const roundCount = 4;

/** A process, on a connection of its own. */
class ClientProcess {
  private readonly client: SharedClient;
  private readonly draw: Draw;
  private readonly connection: number;
  private readonly list: 'orders' | 'reservations';
  private readonly query: string;
  private readonly isIncremental: boolean;
  /** True if it continues after a crash where it was, instead of from the start. */
  private readonly resumes: boolean;
  private readonly tries: number;
  private readonly troublePercent: number;
  private readonly tags = new Map<string, string>();
  private checkpoint: string | undefined;
  private pagination: Pagination | undefined;

  constructor(client: SharedClient, draw: Draw, connection: number) {
    this.client = client;
    this.draw = draw;
    this.connection = connection;
    this.list = this.pick(['orders', 'reservations']);
    this.isIncremental = this.pick([true, false]);
    const filter = this.isIncremental ? '' : this.pick(['', '&status=pending', '&status=completed,cancelled']);
    this.query = `limit=${this.pick([20, 50, 100])}${filter}`;
    this.resumes = this.pick([true, false]);
    this.tries = this.pick([1, 3, 6]);
    this.troublePercent = this.pick([0, 10, 30]);
  }

  /** Yields after each request, so that processes can take turns. */
  async *run(): AsyncGenerator<void, void, undefined> {
    for (let round = 1; round <= roundCount; round += 1) {
      yield* this.synchronise(round < roundCount);
      if (this.list === 'orders' && this.pick([true, false])) yield* this.readDetails();
      this.client.sequence.clock.advance(this.pick(['PT1S', 'PT1H', 'P1D', 'P3D']));
    }
  }

  private async *synchronise(mayBeKilled: boolean): AsyncGenerator<void, void, undefined> {
    if (!this.resumes) this.pagination = undefined;
    this.pagination ??= { start: this.isIncremental ? this.checkpoint : undefined, cursor: undefined, newest: this.checkpoint };
    const { pagination } = this;
    do {
      const start = pagination.start === undefined ? '' : `&updated_after=${encodeURIComponent(pagination.start)}`;
      const cursor = pagination.cursor === undefined ? '' : `&cursor=${encodeURIComponent(pagination.cursor)}`;
      const page = await this.send(`${this.list}/index.php?${this.query}${start}${cursor}`);
      yield;
      const isKilled = mayBeKilled && this.resumes && this.draw.whole(1, 20) === 1;
      if (page === undefined || isKilled) return;
      const changes = recordsOf(page, this.list).map((record) => String(record['changed_at']));
      pagination.newest = [pagination.newest ?? '', ...changes].sort((left, right) => Date.parse(left) - Date.parse(right)).at(-1);
      const hasMore = valueAt(page.body, '/data/page/has_more') === true;
      pagination.cursor = hasMore ? String(valueAt(page.body, '/data/page/next_cursor')) : undefined;
    } while (pagination.cursor !== undefined);
    this.checkpoint = pagination.newest;
    this.pagination = undefined;
  }

  private async *readDetails(): AsyncGenerator<void, void, undefined> {
    const preview = await this.send('orders/index.php?limit=3');
    yield;
    for (const { id } of preview === undefined ? [] : recordsOf(preview, 'orders')) {
      const target = `orders/view.php?id=${String(id)}`;
      const tag = this.tags.get(target);
      const reply = await this.send(target, tag === undefined ? {} : { 'if-none-match': tag });
      if (reply?.status === 200) this.tags.set(target, String(reply.headers['etag']));
      yield;
    }
  }

  /** Sends a request until nothing disturbs it; `undefined` if the process gives up. */
  private async send(target: string, headers: Readonly<Record<string, string>> = {}): Promise<SequenceReply | undefined> {
    const { client, connection } = this;
    for (let attempt = 0; attempt < this.tries; attempt += 1) {
      const afterMs = Math.max(this.pick([100, 200, 1000, 5000]), client.waitUntilMs - client.nowMs);
      client.nowMs += afterMs + 1;
      const chaos = this.draw.whole(1, 100) <= this.troublePercent ? this.pick(survivableChaos) : undefined;
      const isAbandoned = chaos === 'timeout';
      const reply = await client.sequence.send(`/api/integrations/v1/${target}`, {
        headers: chaos === undefined || isAbandoned ? headers : { ...headers, 'mock-chaos': chaos },
        connection,
        afterMs,
        isAbandoned,
      });
      if (chaos === undefined) return reply;
      if (reply.status === 429) client.waitUntilMs = client.nowMs + longestWaitMs;
    }
    return undefined;
  }

  private pick<Value>(values: readonly [Value, ...(readonly Value[])]): Value {
    return this.draw.oneOf(values) ?? values[0];
  }
}

function recordsOf({ body }: SequenceReply, list: string): readonly JsonObject[] {
  return valueAt(body, `/data/${list}`) as readonly JsonObject[];
}

/** Runs up to three processes, and returns the findings of the judge. */
export async function findingsOfRandomClient(seed: number): Promise<readonly ClientFinding[]> {
  const draw = createDraw(seed);
  const sequence = await startSequence({ seed: 1 + (seed % 5) });
  const client: SharedClient = { sequence, nowMs: 0, waitUntilMs: 0 };
  // They connect before any of them reads on, since the judge takes later connections for the same process.
  const open = new Set([1, 2, 3].slice(0, draw.whole(1, 3)).map((connection) => new ClientProcess(client, draw, connection).run()));
  for (const process of open) await process.next();
  while (open.size > 0) {
    const [process] = draw.shuffle([...open]);
    if (process !== undefined && (await process.next()).done === true) open.delete(process);
  }
  return sequence.report().findings;
}
