/** A mock at a terminal: keys control it, and it reloads when its files change. */

import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../../../cli/run-command.ts';
import { fixture } from '../../../helpers/judged-mock.ts';
import { ask } from '../../../helpers/plain-client.ts';
import { createTerminal, type TestTerminal } from '../../../helpers/reports/fake-terminal.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-session-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Session {
  readonly terminal: TestTerminal;
  readonly port: number;
  readonly code: Promise<number>;
  readonly press: (key: string) => void;
  readonly isHeld: () => boolean;
}

async function start(args: readonly string[], hasKeyboard = true): Promise<Session> {
  let listener: ((key: string) => void) | undefined;
  const terminal = createTerminal();
  const keyboard = (hear: (key: string) => void): (() => void) => {
    listener = hear;
    return () => {
      listener = undefined;
    };
  };
  const code = run(['mock', '--port', '0', ...args], '0.0.0', hasKeyboard ? { ...terminal, keyboard } : terminal);
  await terminal.until('http://127.0.0.1:');
  const port = Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(terminal.printed().out)?.[1]);
  return { terminal, port, code, press: (key) => listener?.(key), isHeld: () => listener !== undefined };
}

/** Output since a key was pressed. */
function pressed({ terminal, press }: Session, key: string): string {
  const { length } = terminal.printed().out;
  press(key);
  return terminal.printed().out.slice(length);
}

describe('keys', { timeout: 60_000 }, () => {
  it('move the clock, switch chaos, clear the screen and stop the mock', async () => {
    const session = await start([fixture('library')]);
    expect(session.terminal.printed().out).toContain('Press h for all keys, q or Ctrl-C to stop.');
    expect(pressed(session, 'h')).toMatch(/ {2}t {2}move the clock forward by an hour\n/);
    expect(pressed(session, 't')).toBe('The clock is at 2026-03-29T17:00:00Z.\n');
    expect(pressed(session, 'T')).toBe('The clock is at 2026-03-30T17:00:00Z.\n');
    expect(pressed(session, 'x')).toBe('Chaos is on: 503 10%; latency 100ms..400ms.\n');
    expect(pressed(session, 'x')).toBe('Chaos is off.\n');
    expect(pressed(session, 'z')).toBe('');
    session.press('r');
    await session.terminal.until('Reloaded.\n');
    await ask(session, '/books');
    // The line of an exchange is printed a moment after the answer.
    await session.terminal.until('GET  /books ');
    expect((await ask(session, '/__mock/journal')).text).toContain('/books');
    const cleared = pressed(session, 'c');
    expect([cleared.startsWith('\u001b[2J'), cleared.includes('Touchstone mock')]).toEqual([true, true]);
    expect((await ask(session, '/__mock/journal')).text).not.toContain('/books');
    session.press('q');
    expect(await session.code).toBe(0);
    expect([session.isHeld(), /\nStopped\b.*\n$/.test(session.terminal.printed().out)]).toEqual([false, true]);
  });

  it('bring back the chaos that the mock was started with', async () => {
    const session = await start([fixture('library'), '--chaos', '429 5%']);
    expect(pressed(session, 'x')).toBe('Chaos is off.\n');
    expect(pressed(session, 'x')).toBe('Chaos is on: 429 5%.\n');
    session.press('\u0003');
    expect(await session.code).toBe(0);
  });

  it.each([[['--json']], [['--no-keys']]])('are left alone with %j', async (options) => {
    const session = await start([fixture('library'), ...options]);
    expect(session.isHeld()).toBe(false);
    session.terminal.interrupt();
    expect(await session.code).toBe(0);
    expect(session.terminal.printed().out).not.toContain('h shows the keys');
  });

  it('are not spoken of where there is no keyboard', async () => {
    const session = await start([fixture('library')], false);
    session.terminal.interrupt();
    expect(await session.code).toBe(0);
    expect(session.terminal.printed().out).toContain('Press Ctrl-C to stop.');
    expect(session.terminal.printed().out).not.toContain('h shows the keys');
  });
});

const hours = (text: string): string => `resources: { hours: { weekdays: '${text}' } }`;

describe('files', { timeout: 60_000 }, () => {
  it('are read again when they change, however they are written', async () => {
    const [written, replaced] = [join(folder, 'written.yaml'), join(folder, 'replaced.yaml')];
    writeFileSync(written, hours('8 to 12'));
    writeFileSync(replaced, hours('9 to 13'));
    const session = await start([fixture('library'), '--data', replaced, '--data', written]);
    expect((await ask(session, '/opening-hours')).at('/weekdays')).toBe('8 to 12');
    writeFileSync(written, 'resources: {}\ncollections: {}');
    await session.terminal.until(`Reloaded after a change to ${written}.`);
    expect((await ask(session, '/opening-hours')).at('/weekdays')).toBe('9 to 13');
    // Most editors write a new file and rename it over the old one.
    const neighbour = join(folder, 'neighbour.tmp');
    writeFileSync(neighbour, hours('10 to 14'));
    renameSync(neighbour, replaced);
    await session.terminal.until(`Reloaded after a change to ${replaced}.`);
    expect((await ask(session, '/opening-hours')).at('/weekdays')).toBe('10 to 14');
    session.terminal.interrupt();
    expect(await session.code).toBe(0);
    expect(session.terminal.printed().error).toBe('');
  });

  it('that are broken are told of, and the mock goes on', async () => {
    const data = join(folder, 'broken.yaml');
    writeFileSync(data, hours('8 to 12'));
    const session = await start([fixture('library'), '--json', '--data', data]);
    writeFileSync(data, 'resources: { hurs: {} }');
    await session.terminal.until('"event":"reload-failed"');
    expect(session.terminal.printed().error).toBe(
      `touchstone: ${data}:1:14: /resources/hurs: there is no resource hurs; did you mean hours?\nThe mock continues with the previous version. Correct the file and save it.\n`,
    );
    expect((await ask(session, '/opening-hours')).at('/weekdays')).toBe('8 to 12');
    writeFileSync(data, hours('9 to 13'));
    await session.terminal.until('"event":"reload",');
    expect((await ask(session, '/opening-hours')).at('/weekdays')).toBe('9 to 13');
    session.terminal.interrupt();
    expect(await session.code).toBe(0);
  });

  it('that are broken from the start are an error', async () => {
    const data = join(folder, 'wrong.yaml');
    writeFileSync(data, 'resources: { hurs: {} }');
    const terminal = createTerminal();
    expect(await run(['mock', fixture('library'), '--port', '0', '--data', data], '0.0.0', terminal)).toBe(2);
    expect(terminal.printed().error).toContain(`${data}:1:14: /resources/hurs: there is no resource hurs; did you mean hours?`);
  });
});
