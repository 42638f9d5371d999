/** Keys are read from a terminal, which is left as it was found. */

import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createKeyboard, isInForeground, type KeyInput, type KeyProcess } from '../../../../cli/mock/keyboard.ts';

/** A terminal that records what is done to it. */
class FakeInput extends EventEmitter implements KeyInput {
  readonly done: string[] = [];
  setRawMode(isRaw: boolean): void {
    this.done.push(isRaw ? 'raw' : 'cooked');
  }
  pause(): void {
    this.done.push('pause');
  }
  resume(): void {
    this.done.push('resume');
  }
  type(text: string): void {
    this.emit('data', Buffer.from(text));
  }
}

class FakeProcess extends EventEmitter implements KeyProcess {
  readonly pid = 42;
  readonly killed: unknown[] = [];
  kill(pid: number, signal: string): void {
    this.killed.push([pid, signal]);
  }
}

function open(isForeground = (): boolean => true) {
  const [input, process, heard] = [new FakeInput(), new FakeProcess(), [] as string[]];
  const release = createKeyboard(input, process, isForeground)((key) => heard.push(key));
  return { input, process, heard, release };
}

describe('the keyboard', () => {
  it('tells of each key, also when several come at once, and of Ctrl-C', () => {
    const { input, heard } = open();
    input.type('h');
    input.type('tT');
    input.type('\u0003');
    expect(heard).toEqual(['h', 't', 'T', '\u0003']);
  });

  it('takes no arrow for letters', () => {
    const { input, heard } = open();
    input.type('\u001b[A');
    expect(heard).toEqual([]);
  });

  it('is let go of', () => {
    const { input, process, heard, release } = open();
    release();
    input.type('h');
    process.emit('exit');
    expect(heard).toEqual([]);
    expect(input.done).toEqual(['raw', 'resume', 'pause', 'cooked']);
    expect([input.eventNames(), process.eventNames()]).toEqual([[], []]);
  });

  it('leaves the terminal as it was, whatever ends the process', () => {
    const { input, process } = open();
    process.emit('exit');
    expect(input.done.at(-1)).toBe('cooked');
  });

  it('suspends at Ctrl-Z, and takes the terminal again when it goes on in the foreground', () => {
    let isForeground = true;
    const { input, process, heard } = open(() => isForeground);
    input.type('\u001a');
    expect([heard, process.killed, input.done.at(-1)]).toEqual([[], [[42, 'SIGTSTP']], 'cooked']);
    isForeground = false;
    process.emit('SIGCONT');
    expect(input.done.at(-1)).toBe('cooked');
    isForeground = true;
    process.emit('SIGCONT');
    expect(input.done.at(-1)).toBe('raw');
  });
});

describe('a process', () => {
  it.each([
    ['42 (node) S 1 42 40 34816 42 4194304', true],
    ['42 (node) S 1 42 40 34816 40 4194304', false],
    ['42 (a) b (c) S 1 42 40 34816 42 4194304', true],
  ])('with the status %j is in the foreground: %s', (stat, expected) => {
    expect(isInForeground(() => stat)).toBe(expected);
  });

  it('is taken to be in the foreground where the system does not tell', () => {
    expect(
      isInForeground(() => {
        throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
      }),
    ).toBe(true);
  });
});
