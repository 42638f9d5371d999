/** A client of the business API that keeps a copy of one list, correctly or with one planted mistake. */

import { vi } from 'vitest';
import type { JsonObject } from '../../../../core/json.ts';
import { valueAt } from '../../../../core/pointer.ts';
import type { ExamRun, ExamRunEnd } from '../../../../mocks/exam/exam.ts';

/** The mistakes. */
export const mistakes = [
  'stores the checkpoint after the first page',
  'adds a second to the checkpoint',
  'drops changes in the second of the checkpoint',
  'uses its own clock as the checkpoint',
  'takes the checkpoint from a request after the last page',
  'reads the first page only',
  'stops at the first record that it knows',
  'adds a filter on the second page',
  'makes a cursor of its own',
  'takes an error for the last page',
  'retries at once after a 429',
  'retries at once after a 503',
  'repeats a rejected request',
  'misspells a parameter',
  'sends the key in the URL too',
  'runs in a web page',
  'sends two keys',
  'sends an instant without offset',
  'does not encode the plus sign',
  'removes the quotes of an ETag',
  'sends the ETag of another record',
  'reads a record again and again without its ETag',
  'sends parameters that exclude each other',
  'polls without a pause',
  'inserts a changed record again',
  'drops the last record of each page',
  'never replaces a record',
  'computes days in UTC',
  'drops records with an unknown state',
  'fails on an unknown state',
  'fails on an unknown field',
  'takes Retry-After for milliseconds',
  'reads Retry-After as a number only',
  'drops the filter after the first page',
  'drops the filter by open states after the first page',
  'drops the checkpoint after the first page',
  'stops after two pages',
  'adds a millisecond to the checkpoint',
  'reads changes of some states only',
  'cuts instants to days in UTC',
  'takes a phone number for granted',
  'takes an absent member for null',
  'takes the day of the newest change as the checkpoint',
  'compares instants as texts',
  'stores the checkpoint after each page, and takes it back after an error',
  'never removes what left its filter',
  'retries when its key has lost a scope',
] as const;

/** Behaviour that an exam does not count as a mistake. */
export const habits = [
  'asks for the day of its own clock',
  'reads each record twice without its ETag',
  'stores a cursor that it never sends',
  'writes instants in UTC',
  'stores some fields only',
] as const;

/** A mistake. */
export type ClientMistake = (typeof mistakes)[number];

const prefix = '/api/integrations/v1';
const states = ['pending', 'confirmed', 'preparing', 'ready', 'completed', 'cancelled', 'rejected', 'no_show'];
const fields = ['id', 'code', 'status', 'source', 'channel', 'fulfillment_type', 'customer', 'service', 'schedule', 'payment', 'totals'];
const knownFields = new Set([...fields, 'notes', 'table_assignment', 'changed_at']);

/** Settings of the client. */
interface ClientSettings {
  readonly list: 'orders' | 'reservations';
  readonly mistake?: ClientMistake | (typeof habits)[number] | undefined;
  /** False for a client that does not tell the mock what it stored. */
  readonly compares?: boolean;
}

/** Returns the command of an exam: it starts with an empty copy in the first run of each scenario. */
export function createExamClient(settings: ClientSettings): (run: ExamRun) => Promise<ExamRunEnd> {
  let client: ListClient | undefined;
  return async ({ scenario, run, mock }) => {
    if (run === 1 || client === undefined) client = new ListClient(mock.url, mock.keys, settings);
    const { checkpoint } = client;
    try {
      await client.synchronise();
      if (settings.compares !== false) mock.compare({ collection: settings.list, records: client.stored() });
      return { code: 0, output: '' };
    } catch (error) {
      // A process that is killed takes nothing back.
      if (settings.mistake === 'stores the checkpoint after each page, and takes it back after an error' && scenario !== 'killed')
        client.checkpoint = checkpoint;
      return { code: 1, output: error instanceof Error ? error.message : String(error) };
    }
  };
}

/** The client. */
class ListClient {
  private readonly url: string;
  private readonly keys: Readonly<Record<string, string>>;
  private readonly list: ClientSettings['list'];
  private readonly mistake: ClientSettings['mistake'];
  private readonly records: JsonObject[] = [];
  private readonly cursors = new Set<string>();
  checkpoint: string | undefined;

  constructor(url: string, keys: Readonly<Record<string, string>>, { list, mistake }: ClientSettings) {
    this.url = url;
    this.keys = keys;
    this.list = list;
    this.mistake = mistake;
  }

  /** The records as the client stored them. */
  stored(): readonly JsonObject[] {
    if (this.has('stores some fields only')) return this.records.map(({ id = null, changed_at = null }) => ({ id, changed_at }));
    const length = this.has('cuts instants to days in UTC') ? 10 : this.has('writes instants in UTC') ? 24 : 0;
    if (length > 0)
      return this.records.map((record) => ({
        ...record,
        changed_at: new Date(String(record['changed_at'])).toISOString().slice(0, length),
      }));
    if (!this.has('computes days in UTC')) return this.records;
    return this.records.map((record) => {
      const [date, time] = [valueAt(record, '/schedule/date'), valueAt(record, '/schedule/time')];
      const utc = new Date(`${String(date)}T${String(time)}:00+02:00`).toISOString().slice(0, 10);
      return { id: record['id'] ?? null, schedule: { date: utc } };
    });
  }

  async synchronise(): Promise<void> {
    await this.makeFirstRequests();
    const start = this.checkpoint;
    let newest = start;
    let cursor: string | undefined;
    let pages = 0;
    do {
      pages += 1;
      const body = await this.readPage(start, cursor);
      if (body === undefined) break;
      const page = valueAt(body, `/data/${this.list}`) as readonly JsonObject[];
      const isKnown = page.map((record) => this.isStored(record)).includes(true);
      for (const record of this.has('drops the last record of each page') ? page.slice(0, -1) : page) this.store(record, start);
      newest = newestOf(newest, page);
      this.storeEarly(newest);
      cursor = this.stops(isKnown, pages) ? undefined : this.nextCursor(body);
    } while (cursor !== undefined);
    this.checkpoint = await this.nextCheckpoint(newest);
    await this.readDetails();
  }

  private has(mistake: NonNullable<ClientSettings['mistake']>): boolean {
    return this.mistake === mistake;
  }

  private storeEarly(newest: string | undefined): void {
    if (this.has('stores the checkpoint after the first page')) this.checkpoint ??= newest;
    if (this.has('stores the checkpoint after each page, and takes it back after an error')) this.checkpoint = newest;
  }

  private stops(isKnown: boolean, pages: number): boolean {
    return (isKnown && this.has('stops at the first record that it knows')) || (pages === 2 && this.has('stops after two pages'));
  }

  private nextCursor(body: JsonObject): string | undefined {
    const next = valueAt(body, '/data/page/next_cursor');
    if (this.has('stores a cursor that it never sends')) this.cursors.add(String(next));
    if (typeof next !== 'string' || this.has('reads the first page only')) return undefined;
    return this.has('makes a cursor of its own') ? Buffer.from('page=2').toString('base64url') : next;
  }

  private async nextCheckpoint(newest: string | undefined): Promise<string | undefined> {
    if (newest === undefined) return undefined;
    if (this.has('uses its own clock as the checkpoint')) return '2026-11-25T12:00:00Z';
    if (this.has('takes the day of the newest change as the checkpoint')) return `${newest.slice(0, 10)}T00:00:00Z`;
    if (this.has('adds a millisecond to the checkpoint')) return new Date(Date.parse(newest) + 1).toISOString();
    if (this.has('adds a second to the checkpoint')) return new Date(Date.parse(newest) + 1000).toISOString();
    if (this.has('sends an instant without offset')) return newest.slice(0, 19);
    if (!this.has('takes the checkpoint from a request after the last page')) return newest;
    const body = await this.get(`/${this.list}/index.php?limit=1`);
    return String(valueAt(body, `/data/${this.list}/0/changed_at`));
  }

  private async makeFirstRequests(): Promise<void> {
    const path = `/${this.list}/index.php`;
    const times = this.has('repeats a rejected request') ? 3 : 0;
    for (let index = 0; index < times; index += 1) await this.get(`${path}?limit=500`).catch(expectRefusal);
    if (this.has('asks for the day of its own clock')) await this.get(`${path}?date_from=${new Date().toISOString().slice(0, 10)}`);
    if (this.has('polls without a pause')) for (let index = 0; index < 10; index += 1) await this.get(`${path}?limit=100`);
  }

  /** Reads a page; `undefined` for an error that the client takes for the end of the list. */
  private async readPage(start: string | undefined, cursor: string | undefined): Promise<JsonObject | undefined> {
    const query = new URLSearchParams({ limit: '100' });
    const forgets =
      (cursor !== undefined && this.has('drops the checkpoint after the first page')) || this.has('never removes what left its filter');
    if (start !== undefined && !forgets) query.set(this.has('misspells a parameter') ? 'updatedAfter' : 'updated_after', start);
    const filters = this.has('drops the filter after the first page')
      ? cursor === undefined
      : this.has('reads changes of some states only');
    if (filters) query.set('status', 'completed,cancelled');
    if (this.filtersByOpenStates(cursor)) query.set('status', 'pending,confirmed,preparing,ready');
    if (cursor !== undefined) query.set('cursor', cursor);
    if (cursor !== undefined && this.has('adds a filter on the second page')) query.set('status', 'completed');
    const text = this.has('does not encode the plus sign') ? query.toString().replaceAll('%2B', '+') : query.toString();
    const reading = this.get(`/${this.list}/index.php?${text}`);
    return this.has('takes an error for the last page') ? reading.catch(() => undefined) : reading;
  }

  private filtersByOpenStates(cursor: string | undefined): boolean {
    return (
      this.has('never removes what left its filter') ||
      (cursor === undefined && this.has('drops the filter by open states after the first page'))
    );
  }

  private isStored({ id, changed_at }: JsonObject): boolean {
    return this.records.some((record) => record['id'] === id && record['changed_at'] === changed_at);
  }

  private store(record: JsonObject, start: string | undefined): void {
    const isUnknown = !states.includes(String(record['status']));
    const surprise = this.surpriseIn(record, isUnknown);
    if (surprise !== undefined) throw new Error(surprise);
    if (isUnknown && this.has('drops records with an unknown state')) return;
    if (record['changed_at'] === start && this.has('drops changes in the second of the checkpoint')) return;
    const at = this.records.findIndex(({ id }) => id === record['id']);
    const isOlder = String(record['changed_at']) < String(this.records[at]?.['changed_at'] ?? '');
    if (isOlder && this.has('compares instants as texts')) return;
    if (at < 0 || this.has('inserts a changed record again')) this.records.push(record);
    else if (!this.has('never replaces a record')) this.records[at] = record;
  }

  /** What makes the client fail. */
  private surpriseIn(record: JsonObject, isUnknown: boolean): string | undefined {
    const phone = valueAt(record, '/customer/phone');
    const extra = Object.keys(record).find((name) => !knownFields.has(name));
    if (isUnknown && this.has('fails on an unknown state')) return `unknown state ${String(record['status'])}`;
    if (extra !== undefined && this.has('fails on an unknown field')) return `unknown field ${extra}`;
    if (typeof phone !== 'string' && this.has('takes a phone number for granted')) return 'no phone number';
    return phone === undefined && this.has('takes an absent member for null') ? 'no member phone' : undefined;
  }

  /** Reads the first two orders, and the first one again with its ETag. */
  private async readDetails(): Promise<void> {
    if (this.list !== 'orders') return;
    const [one = '', other = ''] = this.records
      .map(({ id, code }) => `/orders/view.php?id=${String(id)}|${String(code)}`)
      .map((text) => text.split('|')[0]);
    const { headers } = await this.send(one);
    const tag = headers.get('etag') ?? '';
    const second = this.has('sends the ETag of another record') ? other : one;
    const times = this.has('reads a record again and again without its ETag') ? 5 : 1;
    const condition =
      times > 1 || tag === '' ? {} : { 'if-none-match': this.has('removes the quotes of an ETag') ? tag.replaceAll('"', '') : tag };
    for (let index = 0; index < times; index += 1) await this.send(second, condition);
    if (this.has('reads each record twice without its ETag')) for (const target of [one, other, other]) await this.send(target);
    if (this.has('sends parameters that exclude each other')) await this.send(`${one}&code=A`);
  }

  private async get(target: string): Promise<JsonObject> {
    let response = await this.send(target);
    const retries =
      (response.status === 503 && this.has('retries at once after a 503')) ||
      (response.status === 403 && this.has('retries when its key has lost a scope'))
        ? 5
        : this.has('retries at once after a 429')
          ? 1
          : 0;
    for (let index = 0; index < retries && !response.ok; index += 1) response = await this.send(target);
    if (this.has('takes Retry-After for milliseconds') || this.has('reads Retry-After as a number only'))
      response = await this.retryThrottled(target, response);
    if (!response.ok) throw new Error(`${response.status} from ${target}`);
    return (await response.json()) as JsonObject;
  }

  /** Waits for Retry-After as the client reads it, on the clock of the test, and sends the request again. */
  private async retryThrottled(target: string, response: Response): Promise<Response> {
    if (response.status !== 429) return response;
    const waitMs = Number(response.headers.get('retry-after')) * (this.has('takes Retry-After for milliseconds') ? 1 : 1000);
    vi.setSystemTime(Date.now() + (waitMs || 0));
    return this.retryThrottled(target, await this.send(target));
  }

  private async send(target: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const key = this.keys['full'] ?? '';
    const url = `${this.url}${prefix}${target}${this.has('sends the key in the URL too') ? `&key=${key}` : ''}`;
    const response = await fetch(url, {
      headers: {
        'X-SERVICE-API-Key': key,
        ...(this.has('sends two keys') ? { authorization: `Bearer ${this.keys['other'] ?? ''}` } : {}),
        ...(this.has('runs in a web page') ? { origin: 'https://shop.example' } : {}),
        ...headers,
      },
    });
    if (!response.ok) await response.clone().arrayBuffer();
    return response;
  }
}

/** The newest change of a page, or the one before if that is newer. */
function newestOf(earlier: string | undefined, page: readonly JsonObject[]): string | undefined {
  const changes = [...(earlier === undefined ? [] : [earlier]), ...page.map((record) => String(record['changed_at']))];
  return changes.sort((left, right) => Date.parse(left) - Date.parse(right)).at(-1);
}

/** The client knows that the request is wrong, and sends it again anyway. */
function expectRefusal(error: unknown): void {
  if (!(error instanceof Error) || !error.message.startsWith('422')) throw error;
}
