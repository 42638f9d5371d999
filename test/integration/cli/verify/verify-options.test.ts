/** Mistakes on the command line of `verify`: each is reported before any request, names the way out, and never shows what may be a key. */

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { run } from '../../../../cli/run-command.ts';
import { startMock } from '../../../../mocks/start-mock.ts';
import { cert, key } from '../../../helpers/certificate.ts';
import { createTerminal } from '../../../helpers/reports/fake-terminal.ts';
import { closeServers, openServer, verifyOnTerminal } from '../verifying.ts';

let folder: string;
let requests = 0;
let url: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-options-'));
  mkdirSync(join(folder, 'made'));
});
beforeEach(async () => {
  requests = 0;
  ({ url } = await openServer((_request, response) => {
    requests += 1;
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
  }));
  vi.stubEnv('TEST_KEY', 'a-key');
  vi.stubEnv('TEST_EMPTY', '  ');
  vi.stubEnv('TEST_LINES', 'a\nkey');
  vi.stubEnv('TEST_SPACE', 'a-key ');
});
afterEach(closeServers);
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Message about a mistake. */
async function complaint(contract: string, ...options: readonly string[]): Promise<string> {
  const { code, out, error } = await verifyOnTerminal(contract, url, ...options);
  expect({ code, out, requests }).toEqual({ code: 2, out: '', requests: 0 });
  expect(error).toMatch(/^touchstone: [^\n]*\n$/);
  return error;
}

const full = ['--key', 'full=TEST_KEY'];

describe('what is to be judged', () => {
  it.each([
    [
      ['verify', '--target', 'http://127.0.0.1:1'],
      /needs a contract: name a file, or one of business, wiki, or a target in touchstone\.config\.yaml with --target NAME/,
    ],
    [
      ['verify', 'business', 'my-own-key', '--target', 'http://127.0.0.1:1'],
      /2 contracts are named, but one of them is neither a file nor one of business, wiki/,
    ],
    [['verify', 'wiki'], /needs a server: --target URL/],
    [['verify', 'wikki', '--target', 'http://127.0.0.1:1'], /wikki is neither a contract .* did you mean wiki\?/],
    [['verify', 'wiki', '--target', 'localhost:80'], /the target localhost:80 is not a URL/],
    [['verify', 'wiki', '--targt', 'x'], /has no option --targt; did you mean --target\?/],
  ])('is asked for: %j', async (args, message) => {
    const terminal = createTerminal();
    expect(await run(args, '0.0.0', terminal)).toBe(2);
    expect(terminal.printed().error).toMatch(message);
    expect(terminal.printed().error).not.toContain('my-own-key');
  });
});

describe('a key', () => {
  it.each<readonly [options: readonly string[], message: RegExp]>([
    [[], /business needs a key; .* as in --key full=FULL_KEY/],
    [['--key', 'other=TEST_KEY'], /business needs a key/],
    [['--key', 'full=TEST_EMPTY'], /--key full: the variable TEST_EMPTY is empty/],
    [['--key', 'full=TEST_LINES'], /variable TEST_LINES .* line break/],
    [['--key', 'full=TEST_SPACE'], /variable TEST_SPACE starts or ends with a space/],
    [['--key', 'full=PATHH'], /not set; write --key full=FULL_KEY after export/],
    [['--key', 'full=TEST_KEYY'], /an environment variable that is not set; did you mean --key full=TEST_KEY\?/],
    [
      ['--key', 'full=SOMETHING_ELSE_ENTIRELY'],
      /an environment variable that is not set; write --key full=FULL_KEY after export FULL_KEY=…/,
    ],
    [[...full, ...full], /--key full was given more than once/],
    [[...full, '--key', 'ful=TEST_KEY'], /a role that business does not have, ful; did you mean full\?/],
    [[...full, '--key', 'without:orders.rea=TEST_KEY'], /did you mean without:orders\.read\?/],
    [[...full, '--key', 'without:everything=TEST_KEY'], /roles are full, other, expired, without:identity, /],
    [[...full, '--key', '=TEST_KEY'], /--key is not of the form ROLE=ENV_VAR/],
  ])('%j', async (options, message) => {
    expect(await complaint('business', ...options)).toMatch(message);
  });

  it.each([
    ['full=mock_full_b4767dbd21ed9ae36348'],
    ['full=AKIAIOSFODNN7EXAMPLE'],
    ['full=sk-live-51H8x/Zq+9=='],
    ['mock_full_b4767dbd21ed9ae36348'],
    ['sk-live-51H8x/Zq+9==full'],
    ['Mock_full_b4767dbd21ed9ae36348=full'],
  ])('that stands on the command line itself is not repeated: %s', async (given) => {
    const said = await complaint('business', '--key', given);
    for (const secret of ['b4767dbd', 'AKIA', '51H8x']) expect(said).not.toContain(secret);
    expect(said).toContain('--key');
  });

  it('of a further tenant may have a role of its own, and one that is not needed does no harm', async () => {
    expect((await verifyOnTerminal('business', url, ...full, '--key', 'no-menu=TEST_KEY', '--key', 'without:menu=TEST_KEY')).code).toBe(3);
    expect((await verifyOnTerminal('wiki', url, ...full)).code).toBe(3);
  });
});

describe('a header', () => {
  it.each([
    ['X-Gate=TEST_EMPTY', /--header X-Gate: the variable TEST_EMPTY is empty/],
    ['X-Gate: secret', /--header is not of the form NAME=ENV_VAR/],
    ['X-Gate=secret!', /is not followed by the name of an environment variable/],
    ['X Gate=TEST_KEY', /does not start with a valid header name/],
  ])('%s', async (given, message) => {
    const said = await complaint('wiki', '--header', given);
    expect(said).toMatch(message);
    expect(said).not.toContain('secret');
  });

  it('is given once, in whatever case', async () => {
    expect(await complaint('wiki', '--header', 'X-Gate=TEST_KEY', '--header', 'x-gate=TEST_KEY')).toMatch(
      /--header x-gate was given more than once/,
    );
  });
});

describe('a header from a command', () => {
  it.each([
    ['X-Gate', /is not of the form NAME=COMMAND/],
    ['X Gate=echo a', /does not start with a valid header name/],
    ['X-Gate=true', /--header-command X-Gate: the output of the command is empty/],
    ['X-Gate=echo no token >&2; exit 3', /the command ended with exit code 3 and printed: no token; run it in a shell and correct it/],
    ["X-Gate=printf 'a\\nb'", /has a line break or another character/],
  ])('%s is refused before a request', async (given, message) => {
    expect(await complaint('wiki', '--header-command', given)).toMatch(message);
  });

  it('cannot have a second value, or serve a watch that outlives it', async () => {
    expect(await complaint('wiki', '--header', 'X-Gate=TEST_KEY', '--header-command', 'x-gate=echo a')).toMatch(
      /the header x-gate has two values/,
    );
    expect(await complaint('wiki', '--header-command', 'X-Gate=echo a', '--watch', '1m')).toMatch(
      /--header-command cannot be combined with --watch/,
    );
  });

  it('is sent, and shown as the command that gives it', async () => {
    const [token, command] = ['token-b4767dbd21ed9ae36348', `printf 'Bearer %s' token-; printf b4767dbd21; printf ed9ae36348`];
    const sent = new Set<unknown>();
    await using mock = await startMock({
      contracts: ['wiki'],
      mutants: ['filter-ignored:listEntries.type'],
      onExchange: ({ request }) => sent.add(request.headers['authorization']),
    });
    const options = ['--header-command', `Authorization=${command}`, '--only', 'filters/sound', '--quick', '--report', 'json=-'];
    const { code, out, error } = await verifyOnTerminal('wiki', mock.url, ...options);
    expect([code, sent.size]).toEqual([1, 1]);
    expect(out).toContain(JSON.stringify(`curl -si -H "Authorization: $(${command})"`).slice(1, -1));
    for (const text of [out, error]) expect(text).not.toContain(token);
  });
});

describe('a client certificate', () => {
  it('is a pair of files, for a target with TLS', async () => {
    const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key);
    expect(await complaint('wiki', '--cert', certFile)).toMatch(/--cert and --client-key belong together/);
    expect(await complaint('wiki', '--cert', certFile, '--client-key', join(folder, 'no.pem'))).toMatch(
      /--client-key: the file \S+no\.pem cannot be read/,
    );
    expect(await complaint('wiki', '--cert', certFile, '--client-key', keyFile)).toMatch(
      /a client certificate needs TLS, but the target is http:/,
    );
    for (const file of [certFile, keyFile]) rmSync(file);
  });
});

describe('a number', () => {
  it.each([
    [['--seed', '-1'], /--seed -1 is not a whole number/],
    [['--budget', '0'], /--budget 0 is not a whole number from 1/],
    [['--timeout', '1.5'], /--timeout 1\.5/],
    [['--rate', '0'], /--rate 0 is not a rate; .* 2\/s or 30\/min/],
    [['--rate', '2/h'], /--rate 2\/h is not a rate/],
    [['--rate', '1e3'], /--rate 1e3 is not a rate/],
    [['--rate', '60001/min'], /up to 1000\/s/],
  ])('%j', async (options, message) => {
    expect(await complaint('wiki', ...options)).toMatch(message);
  });

  it.each(['2', '2/s', '0.5/s', '30/min', '1000/s'])('of requests is a rate as %s', async (rate) => {
    expect((await verifyOnTerminal('wiki', url, '--rate', rate, '--budget', '1')).code).toBe(3);
  });
});

describe('a pattern', () => {
  it('that matches nothing is reported', async () => {
    expect(await complaint('wiki', '--only', 'filters/soundd')).toContain('did you mean filters/sound?');
    expect(await complaint('wiki', '--skip', 'nothing*like*it')).toContain('matches no rule and no operation');
  });
});

describe('a report', () => {
  const at = (file: string): string => `json=${join(folder, file)}`;

  it.each<readonly [options: () => readonly string[], message: RegExp]>([
    [() => ['--report', at('made')], /made is a folder; name a file in it/],
    [() => ['--report', `jsn=${folder}/r`], /did you mean json\?/],
    [() => ['--report', `yaml=${folder}/r`], /formats are json/],
    [() => ['--report', 'json'], /has no file; write --report json=FILE/],
    [() => ['--report', at('r.json'), '--report', at('r.json')], /two reports would be written to/],
  ])('that cannot be written is told before the run', async (options, message) => {
    expect(await complaint('wiki', ...options())).toMatch(message);
  });

  it('below a file is told before the run', async () => {
    writeFileSync(join(folder, 'file'), '');
    expect(await complaint('wiki', '--report', at('file/r.json'))).toMatch(/a part of .*file is a file, not a folder; name another file/);
  });

  it('leaves nothing behind when the run does not begin', () => {
    expect(readdirSync(folder).toSorted()).toEqual(['file', 'made']);
  });
});
