/** `touchstone mock --journal` and `--no-control`. */

import { describe, expect, it } from 'vitest';
import { run } from '../../../cli/run-command.ts';
import { ask } from '../../helpers/plain-client.ts';
import { createTerminal } from '../../helpers/reports/fake-terminal.ts';
import { wiki } from '../../helpers/request-targets.ts';

async function withMock(args: readonly string[], use: (server: { readonly port: number }) => Promise<void>): Promise<void> {
  const terminal = createTerminal();
  const code = run(['mock', 'wiki', '--port', '0', ...args], '0.0.0', terminal);
  await terminal.until('http://127.0.0.1:');
  await use({ port: Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(terminal.printed().out)?.[1]) });
  terminal.interrupt();
  expect(await code).toBe(0);
}

describe('the control interface of `touchstone mock`', () => {
  it('has a journal of the requested size', async () => {
    await withMock(['--journal', '2'], async (mock) => {
      for (const limit of [1, 2, 3]) await ask(mock, `${wiki}?limit=${limit}`);
      const { at } = await ask(mock, '/__mock/journal');
      expect(at('/entries')).toMatchObject([{ number: 2 }, { number: 3 }]);
      expect((await ask(mock, '/__mock/clock', {}, 'POST', '{"advance":"P1D"}')).status).toBe(200);
    });
  });

  it('is turned off by --no-control', async () => {
    await withMock(['--no-control'], async (mock) => {
      expect((await ask(mock, '/__mock/clock', {}, 'POST', '{"advance":"P1D"}')).status).toBe(404);
    });
  });

  it.each([
    ['--journal', 'all'],
    ['--journal', '10001'],
  ])('is not asked for with %s %s', async (option, value) => {
    const terminal = createTerminal();
    expect(await run(['mock', '--port', '0', option, value], '0.0.0', terminal)).toBe(2);
    expect(terminal.printed().error).toContain(`--journal ${value} is not a whole number from 0 to 10000`);
  });
});
