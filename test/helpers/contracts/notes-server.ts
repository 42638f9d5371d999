/** A small server of the notes API. A test can make it answer some requests wrongly; all other answers are correct. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Contract } from '../../../core/openapi/contract.ts';
import { openContract } from '../exchange-judge.ts';
import { notesText } from './notes-contract.ts';

/** The contract of the API. */
export function notesContract(): Promise<Contract> {
  return openContract('verified-notes.yaml', notesText.replace("'422': { $ref: '#/components/responses/Bad' }", failures));
}

const failures = `'401': { $ref: '#/components/responses/Bad' }
        '422': { $ref: '#/components/responses/Bad' }
        '429': { $ref: '#/components/responses/Bad' }
        '503': { $ref: '#/components/responses/Bad' }`;

/** The key of the server. */
export const noteKey = 'note-key-5b0e1f77a2';

/** A running server. */
export interface NotesServer extends AsyncDisposable {
  readonly url: string;
  /** Requests so far, as `GET /notes?limit=1`. */
  readonly asked: string[];
  /** The header fields of each of these requests. */
  readonly headers: IncomingMessage['headers'][];
  /** Provider states received at /states, in Pact's protocol. */
  readonly told: { readonly action: string; readonly state: string }[];
  /** Changes the title of a note, and its ETag. */
  readonly rename: (id: number, title: string) => void;
  /** Notes that are missing from the list. */
  readonly away: Set<number>;
}

interface Note {
  readonly id: number;
  readonly at: string;
  readonly state: string;
  title: string;
  readonly seen: string;
}

/** Called before each request is answered. */
export type Interfere = (server: NotesServer, target: string) => void;

/** Starts a server on any free port of this machine. */
export async function startNotes(interfere: Interfere = () => undefined): Promise<NotesServer> {
  const notes: Note[] = [1, 2, 3, 4, 5].map((id) => ({
    id,
    at: `2026-03-0${id}T10:00:00+01:00`,
    state: id % 2 === 0 ? 'done' : 'open',
    title: `Note ${id}`,
    seen: 'public',
  }));
  const [asked, headers, told]: [string[], IncomingMessage['headers'][], NotesServer['told']] = [[], [], []];
  const server = createServer((request, response) => {
    const { method = '', url = '' } = request;
    if (url === '/states') {
      void hearState(request, response, told);
      return;
    }
    interfere(running, url);
    asked.push(`${method} ${url}`);
    headers.push(request.headers);
    answer(
      notes.filter(({ id }) => !running.away.has(id)),
      request,
      response,
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const running: NotesServer = {
    url: `http://127.0.0.1:${port}`,
    asked,
    headers,
    told,
    away: new Set(),
    rename: (id, title) => {
      for (const note of notes) if (note.id === id) note.title = title;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return running;
}

async function hearState(request: IncomingMessage, response: ServerResponse, told: NotesServer['told']): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  told.push(JSON.parse(Buffer.concat(chunks).toString()) as NotesServer['told'][number]);
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"id": 3}');
}

function answer(notes: readonly Note[], request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://notes');
  const mistake = url.searchParams.get('mistake') ?? '';
  const key = request.headers['x-key'] ?? request.headers.authorization?.replace(/^Bearer /, '');
  const reply = key === noteKey ? replyTo(notes, url, mistake, request.headers['if-none-match']) : failure(401, 'NO_KEY', mistake);
  response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
  response.end(reply.body === undefined ? undefined : JSON.stringify(reply.body));
}

interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

function failure(status: number, code: string, mistake: string): Reply {
  return { status, body: mistake === 'no-code' ? { error: { message: code } } : { code, error: { message: code } } };
}

function replyTo(notes: readonly Note[], url: URL, mistake: string, tagSent: string | undefined): Reply {
  if (mistake === 'throttle') return failure(429, 'TOO_MANY', mistake);
  if (url.pathname === '/notes') return replyWithList(notes, url, mistake);
  const note = notes.find(({ id }) => url.pathname === `/notes/${id}`);
  const given = mistake === 'other-record' ? notes[4] : note;
  if (given === undefined) return failure(404, 'NO_NOTE', mistake);
  const etag = `"${given.id}-${given.title}"`;
  if (tagSent === etag && mistake !== 'tag-ignored')
    return { status: 304, headers: { etag: mistake === 'tag-other' ? '"another"' : etag } };
  const shown = mistake === 'field-lost' ? { id: given.id } : { id: given.id, title: given.title, text: 'Long' };
  return { status: 200, body: { note: shown }, headers: { etag } };
}

function replyWithList(notes: readonly Note[], url: URL, mistake: string): Reply {
  const limit = Number(url.searchParams.get('limit') ?? 10);
  if (limit < 1 || limit > 50) return failure(422, 'BAD', mistake);
  const states = url.searchParams.get('state')?.split(',');
  const since = url.searchParams.get('since');
  const matching = notes
    .filter(({ state }) => states === undefined || mistake === 'filter-ignored' || states.includes(state))
    .filter(({ at }) => since === null || (mistake === 'bound-exclusive' ? at > since : at >= since))
    .toReversed();
  const start = mistake === 'first-again' ? 0 : Number((url.searchParams.get('cursor') ?? 'from-0').replace('from-', ''));
  const skipped = mistake === 'page-gap' && start > 0 ? 1 : 0;
  const page = matching.slice(start + skipped, start + skipped + (mistake === 'page-large' ? limit + 1 : limit));
  const records = mistake === 'type-changed' ? page.map((note) => ({ ...note, id: String(note.id) })) : page;
  const more = start + limit < matching.length;
  return {
    status: 200,
    body: { owner: { name: 'Ada Personal' }, notes: records, page: { more, next: more ? `from-${start + limit}` : null } },
  };
}
