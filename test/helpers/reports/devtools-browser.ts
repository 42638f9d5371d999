/** A browser for tests, driven by the DevTools protocol over two pipes, without a port or a library. It records every request of a page. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** Path of an installed Chromium browser, if there is one. */
export const chromium: string | undefined = [
  process.env['TOUCHSTONE_CHROMIUM'] ?? 'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
].find((candidate) => {
  try {
    execFileSync(candidate, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

/** A running browser. */
export interface Browser extends AsyncDisposable {
  /** Opens an empty tab. */
  readonly newPage: () => Promise<Page>;
}

/** A tab. */
export interface Page {
  /** Loads an address and waits until the page is complete. */
  readonly open: (url: string) => Promise<void>;
  /** The value of an expression in the page; of a promise, its result. */
  readonly evaluate: <T>(expression: string) => Promise<T>;
  /** Clicks with the mouse in the middle of the first element that matches a selector. */
  readonly click: (selector: string) => Promise<void>;
  /** Presses a key. */
  readonly press: (key: string) => Promise<void>;
  /** Types a text into the focused element. */
  readonly type: (text: string) => Promise<void>;
  /** Any other command of the protocol. */
  readonly send: (method: string, params?: object) => Promise<Record<string, unknown>>;
  /** Every requested address so far. */
  readonly requests: readonly string[];
  /** Errors in the page so far: exceptions and refused loads. */
  readonly complaints: readonly string[];
}

type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
};

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
  '--remote-debugging-pipe',
  '--window-size=1200,900',
];

/** Starts a browser with a new profile. */
export function openBrowser(): Browser {
  const profile = mkdtempSync(join(tmpdir(), 'touchstone-browser-'));
  const child = spawn(chromium ?? '', [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    // A process group of its own: the command may be a script, and the processes below it would write to the profile while it is removed.
    detached: true,
  });
  const line = connect(child);
  return {
    newPage: () => openPage(line),
    [Symbol.asyncDispose]: async () => {
      const exit = once(child, 'exit');
      process.kill(-Number(child.pid), 'SIGKILL');
      await exit;
      rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** An unanswered command. */
interface Question {
  readonly resolve: (value: Record<string, unknown>) => void;
  readonly reject: (error: Error) => void;
}

/** The two pipes as questions with answers, and events. */
interface Line {
  readonly send: (method: string, params: object, sessionId?: string) => Promise<Record<string, unknown>>;
  readonly listen: (listener: (message: Message) => void) => void;
}

function connect(child: ChildProcess): Line {
  const [, , , input, output] = child.stdio as unknown as readonly [unknown, unknown, unknown, Writable, Readable];
  const waiting = new Map<number, Question>();
  const listeners: ((message: Message) => void)[] = [];
  const hear = (message: Message): void => {
    const asked = waiting.get(message.id ?? -1);
    waiting.delete(message.id ?? -1);
    if (asked === undefined) for (const listener of listeners) listener(message);
    else if (message.error === undefined) asked.resolve(message.result ?? {});
    else asked.reject(new Error(message.error.message));
  };
  let rest = Buffer.alloc(0);
  output.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      const message = JSON.parse(rest.subarray(0, end).toString()) as Message;
      rest = rest.subarray(end + 1);
      hear(message);
    }
  });
  const giveUp = (reason: string): void => {
    for (const { reject } of waiting.values()) reject(new Error(reason));
  };
  // Writing to a browser that has ended fails. The handler below reports its end.
  input.on('error', () => undefined);
  child.once('exit', (code) => giveUp(`the browser ended with exit code ${code}`));
  child.once('error', (error) => giveUp(error.message));
  let last = 0;
  const send: Line['send'] = (method, params, sessionId) => {
    last += 1;
    const id = last;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      input.write(`${JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`);
    });
  };
  return { send, listen: (listener) => void listeners.push(listener) };
}

async function openPage(line: Line): Promise<Page> {
  const { targetId } = await line.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await line.send('Target.attachToTarget', { targetId, flatten: true });
  const send = (method: string, params: object = {}): Promise<Record<string, unknown>> => line.send(method, params, String(sessionId));
  const requests: string[] = [];
  const complaints: string[] = [];
  const loads: (() => void)[] = [];
  line.listen((message) => {
    if (message.sessionId !== sessionId) return;
    const { method, params = {} } = message;
    if (method === 'Network.requestWillBeSent') requests.push((params['request'] as { readonly url: string }).url);
    if (method === 'Runtime.exceptionThrown' || method === 'Log.entryAdded' || method === 'Page.javascriptDialogOpening')
      complaints.push(JSON.stringify(params));
    if (method === 'Page.loadEventFired') loads.shift()?.();
  });
  for (const domain of ['Page', 'Runtime', 'Log', 'Network', 'DOM', 'Accessibility']) await send(`${domain}.enable`);
  const evaluate = async <T>(expression: string): Promise<T> => {
    const { result, exceptionDetails } = await send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
      userGesture: true,
    });
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return (result as { readonly value: T }).value;
  };
  return {
    requests,
    complaints,
    send,
    evaluate,
    open: async (url) => {
      const loaded = new Promise<void>((resolve) => loads.push(resolve));
      await send('Page.navigate', { url });
      await loaded;
    },
    click: async (selector) => {
      const [x, y] = await evaluate<readonly [number, number]>(
        `(() => { const element = document.querySelector(${JSON.stringify(selector)}); element.scrollIntoView({ block: 'center' });
          const { x, y, width, height } = element.getBoundingClientRect(); return [x + width / 2, y + height / 2]; })()`,
      );
      for (const type of ['mousePressed', 'mouseReleased'])
        await send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
    },
    press: async (key) => {
      const codes: Readonly<Record<string, number>> = { Tab: 9, Enter: 13, Space: 32 };
      const text = key === 'Enter' ? '\r' : key === 'Space' ? ' ' : '';
      const params = { key: key === 'Space' ? ' ' : key, code: key, windowsVirtualKeyCode: codes[key] ?? 0 };
      await send('Input.dispatchKeyEvent', { type: text === '' ? 'rawKeyDown' : 'keyDown', ...params, ...(text === '' ? {} : { text }) });
      await send('Input.dispatchKeyEvent', { type: 'keyUp', ...params });
    },
    type: async (text) => void (await send('Input.insertText', { text })),
  };
}
