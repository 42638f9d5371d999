/** The game's questions to the wiki, and what the game relies on in the answers. */

/** Type of an entry. */
export type EntryType = 'creature' | 'luogo' | 'reperto' | 'personaggio' | 'brand' | 'arma';

/** An entry as lists show it. */
export interface EntrySummary {
  readonly slug: string;
  readonly title: string;
  readonly type: EntryType;
  /** The path of the icon, relative to the site. */
  readonly icon_path: string;
  /** `YYYY-MM-DD HH:MM:SS` in an undocumented time zone; the game only compares such values with each other. */
  readonly updated_at: string;
}

/** An entry with its text. */
export interface Entry extends EntrySummary {
  /** HTML. */
  readonly body_public: string;
}

/** Selection of entries to list. */
export interface ListQuery {
  readonly type?: EntryType;
  readonly q?: string;
  readonly limit?: number;
  readonly page?: number;
}

/** One page of a list. */
export interface EntryPage {
  readonly entries: readonly EntrySummary[];
  /** Number of entries on a page; it may be less than requested. */
  readonly limit: number;
}

/** The wiki gave no answer that the game can use. */
export class WikiFailure extends Error {
  override readonly name = 'WikiFailure';
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Settings of a client. */
export interface WikiOptions {
  /** The address of the wiki, without a slash at the end. */
  readonly baseUrl: string;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Attempts for one request while the wiki is unavailable. Default: 4. */
  readonly attempts?: number;
  readonly fetch?: typeof globalThis.fetch;
}

/** Asks the wiki. */
export interface Wiki {
  /** One page; `undefined` when there is no such page. */
  readonly list: (query?: ListQuery) => Promise<EntryPage | undefined>;
  /** One entry; `undefined` when nobody may see an entry of this name. */
  readonly entry: (slug: string) => Promise<Entry | undefined>;
}

type Body = Readonly<Record<string, unknown>>;

/** The wiki at an address. */
export function openWiki({ baseUrl, sleep, attempts = 4, fetch = globalThis.fetch }: WikiOptions): Wiki {
  const read = async (path: string): Promise<Body | undefined> => {
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await ask(fetch, `${baseUrl}/api/v1/wiki${path}`);
      if (!(outcome instanceof WikiFailure)) return outcome;
      if (attempt >= attempts || !isPassing(outcome)) throw outcome;
      await sleep(500 * 2 ** (attempt - 1));
    }
  };
  return {
    list: async (query = {}) => {
      const body = await read(printQuery(query)).catch((error: unknown) => {
        // A page past the last one may be refused like a wrong number.
        if (error instanceof WikiFailure && error.status === 400 && (query.page ?? 1) > 1) return undefined;
        throw error;
      });
      return body === undefined ? undefined : readPage(body);
    },
    entry: async (slug) => {
      const body = await read(`/${encodeURIComponent(slug)}`);
      return body === undefined ? undefined : readEntry(body);
    },
  };
}

async function ask(fetch: typeof globalThis.fetch, url: string): Promise<Body | WikiFailure | undefined> {
  try {
    const response = await fetch(url, { headers: { Accept: 'application/json' } });
    const text = await response.text();
    if (response.status === 200) return JSON.parse(text) as Body;
    // A hidden entry may be answered in any of these ways; for a player they are the same.
    if ([401, 403, 404].includes(response.status)) return undefined;
    return new WikiFailure(`the wiki answered ${response.status} to ${url}`, response.status);
  } catch (error) {
    if (error instanceof TypeError) return new WikiFailure(`the wiki cannot be reached: ${error.message}`, 0);
    if (error instanceof SyntaxError) throw new WikiFailure('the wiki answered with something that is no JSON', 200);
    throw error;
  }
}

/** Limits are announced for the wiki, though not yet in effect. */
function isPassing({ status }: WikiFailure): boolean {
  return [0, 429, 500, 502, 503].includes(status);
}

function readPage({ data, meta }: Body): EntryPage {
  const limit = isObject(meta) ? meta['limit'] : undefined;
  if (!Array.isArray(data) || !data.every(isEntry) || typeof limit !== 'number')
    throw new WikiFailure('the wiki answered with no page of entries', 200);
  return { entries: data, limit };
}

function readEntry({ data }: Body): Entry {
  if (!isEntry(data) || typeof (data as Partial<Entry>).body_public !== 'string')
    throw new WikiFailure('the wiki answered with no entry', 200);
  return data as Entry;
}

function isEntry(value: unknown): value is EntrySummary {
  return isObject(value) && ['slug', 'title', 'type', 'icon_path', 'updated_at'].every((name) => typeof value[name] === 'string');
}

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function printQuery(query: ListQuery): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  return parameters.size === 0 ? '' : `?${parameters}`;
}
