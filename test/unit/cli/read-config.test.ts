/** The configuration file: its content, the lines of mistakes, the ban on keys, and the precedence of the command line. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Configured, withConfig } from '../../../cli/apply-config.ts';
import type { Arguments, Command } from '../../../cli/command.ts';
import { parseArguments } from '../../../cli/parse-arguments.ts';
import { parseConfig } from '../../../cli/read-config.ts';
import { loadCommands } from '../../../cli/run-command.ts';

/** Completes arguments of `verify` for its only target. */
function complete(given: Arguments, variables: Readonly<Record<string, string>>): Promise<Configured> {
  return withConfig(given, variables, given.lists['target']?.[0]);
}

const verifyCommand = (await loadCommands()).find(({ name }) => name === 'verify') as Command;

const secret = 'mock_full_b4767dbd21ed9ae36348';

const whole = `# yaml-language-server: $schema=./config.schema.json
defaults:
  contract: business
  keys:
    full: FULL_KEY
    other: OTHER_KEY
  headers: { X-Gate: GATE_TOKEN }
  rate: 30/min
  reports: { json: out.json }
targets:
  local:
    url: http://127.0.0.1:4010
  staging:
    url: https://staging.example.com/api
    contract: my-api.yaml
    keys: { full: STAGING_KEY }
    hidden: [secret-one]
    only: ['paging/*']
    skip: ['paging/ties']
    rate: 2
    budget: 100
    timeout: 5000
    seed: 3
    quick: true
    require: [paging/once, 'paging/c*']
    waivers:
      - fingerprint: 1c9a07-e3b0c4
        reason: ticket 7
    reports: { junit: out.xml, github: '-' }
`;

describe('a file', () => {
  test('has targets, completed with the defaults', async () => {
    const config = await parseConfig('conf/touchstone.config.yaml', whole);
    expect(config.target('local')).toMatchObject({
      url: 'http://127.0.0.1:4010',
      contracts: ['business'],
      keys: [
        { name: 'full', variable: 'FULL_KEY' },
        { name: 'other', variable: 'OTHER_KEY' },
      ],
      values: { rate: '30/min' },
      quick: false,
      waivers: undefined,
      lists: { report: ['json=conf/out.json'] },
    });
    expect(config.target('staging')).toMatchObject({
      contracts: ['conf/my-api.yaml'],
      keys: [{ variable: 'STAGING_KEY' }, { variable: 'OTHER_KEY' }],
      headers: [{ name: 'X-Gate', variable: 'GATE_TOKEN' }],
      values: { rate: '2', budget: '100', timeout: '5000', seed: '3', require: 'paging/once,paging/c*' },
      quick: true,
      waivers: [{ fingerprint: '1c9a07-e3b0c4', reason: 'ticket 7', place: { line: 27 } }],
      lists: { report: ['json=conf/out.json', 'junit=conf/out.xml', 'github=-'], hidden: ['secret-one'] },
    });
  });

  test('names one contract or several', async () => {
    const config = await parseConfig(
      'conf/c.yaml',
      'targets: { both: { url: http://x, contract: [business, wiki, a.yaml] }, none: { url: http://x } }',
    );
    expect(config.target('both').contracts).toEqual(['business', 'wiki', 'conf/a.yaml']);
    expect(config.target('none').contracts).toEqual([]);
    await expect(parseConfig('c.yaml', 'targets: { both: { url: http://x, contract: [] } }')).rejects.toThrow('c.yaml:1:');
  });

  test('may be JSON', async () => {
    const json = '{"targets":{"local":{"url":"http://x","waivers":"w.yaml"}}}';
    expect((await parseConfig('c.json', json)).target('local')).toMatchObject({ url: 'http://x', values: { waivers: 'w.yaml' } });
  });

  test('holds levels for diff, and then needs no target', async () => {
    const entry = { id: 'response-*', operation: 'GET *', level: 'risky', reason: 'agreed' };
    const config = await parseConfig('c.yaml', JSON.stringify({ diff: { levels: [entry] } }));
    expect(config.levels).toEqual([entry]);
    expect((await parseConfig('c.yaml', whole)).levels).toEqual([]);
  });

  const target = 'targets:\n  local:\n    url: http://x\n';
  test.each([
    [`${target}    budgets: 3\n`, 'c.yaml:4:5: targets.local must not have budgets; did you mean budget?'],
    [`${target}    budget: many\n`, 'c.yaml:4:5: targets.local.budget must be integer'],
    [`${target}    budget: 0\n`, 'c.yaml:4:5: targets.local.budget must be >= 1; found 0'],
    [`${target}    reports: { jnit: x }\n`, 'c.yaml:4:16: targets.local.reports must not have jnit; did you mean junit?'],
    [
      `${target}    waivers:\n      - fingerprint: 1c9a07-e3b0c4\n`,
      "c.yaml:5:9: targets.local.waivers.0 must have required property 'reason'",
    ],
    ['targets:\n  local:\n    rate: 2\n', "c.yaml:2:3: targets.local must have required property 'url'"],
    [`${target}    rate: often\n`, 'c.yaml:4:5: rate often is not a rate; write requests per second or minute'],
    [`defaults:\n  rate: 0\n${target}`, 'c.yaml:2:3: rate 0 is not a rate'],
    ['targets:\n  local:\n    url: localhost:80\n', 'c.yaml:3:5: the target localhost:80 is not a URL'],
    ['target:\n  local: 3\n', 'c.yaml:1:1: the file must not have target; did you mean targets?'],
    ['targets:\n  Local One:\n    url: http://x\n', 'c.yaml:2:3: '],
    ['diff:\n  levels:\n    - { id: a/b, level: braking, reason: x }\n', 'c.yaml:3:18: diff.levels.0.level must be'],
    ['diff:\n  levels:\n    - { id: a/b, level: risky }\n', "c.yaml:3:7: diff.levels.0 must have required property 'reason'"],
    ['diff:\n  levels:\n    - { id: typo, level: risky, reason: x }\n', 'c.yaml:3:9: diff.levels.0.id must match'],
    ['targets: {}\n', 'c.yaml:1:1: targets must not have fewer than 1 properties'],
    ['targets: [\n', 'c.yaml:'],
    ['', 'c.yaml:1:1: a configuration must be an object'],
  ])('is refused at its line: %j', async (text, message) => {
    await expect(parseConfig('c.yaml', text)).rejects.toThrow(message);
  });

  test('has meanings of provider states, also without targets', async () => {
    const { states } = await parseConfig('c.yaml', 'states:\n  order 5 is gone: { absent: orders, id: 5 }\n  nobody: the key is missing\n');
    expect(states).toEqual({ 'order 5 is gone': { absent: 'orders', id: 5 }, nobody: 'the key is missing' });
    await expect(parseConfig('c.yaml', 'states:\n  gone: { id: 5 }\n')).rejects.toThrow(/^c\.yaml:2:/);
  });

  test('lists its targets if the name is unknown', async () => {
    const config = await parseConfig('c.yaml', target);
    expect(() => config.target('locl')).toThrow('c.yaml has no target locl; did you mean local?');
    expect(() => config.target('toString')).toThrow('c.yaml has no target toString; it has local');
  });
});

describe('a key in the file', () => {
  test.each([
    [
      `targets:\n  a:\n    url: http://x\n    keys: { full: ${secret} }\n`,
      'c.yaml:4:13: keys.full is not the name of an environment variable',
    ],
    ['targets:\n  a:\n    url: http://x\n    keys:\n      full: akia1234567890abcdef\n', 'c.yaml:5:7: keys.full'],
    ['targets:\n  a:\n    url: http://x\n    keys:\n      without:x.read: eyJhbGciOi.x.y\n', 'write without:x.read: WITHOUT_X_READ_KEY'],
    [
      'targets:\n  a:\n    url: http://x\n    headers: { Authorization: Bearer abc }\n',
      'c.yaml:4:16: headers.Authorization is not the name',
    ],
    [`defaults:\n  keys: { full: ${secret} }\n  budgt: 3\ntargets: 3\n`, 'c.yaml:2:11: keys.full'],
    ['targets:\n  a:\n    url: https://user:pa55word@x\n', 'c.yaml:3:5: url contains a user name or a password'],
  ])('is refused, and never repeated: %#', async (text, message) => {
    const told = await parseConfig('c.yaml', text).then(
      () => '',
      (error: Error) => error.message,
    );
    expect(told).toContain(message);
    for (const shown of [secret, 'akia', 'eyJ', 'Bearer', 'pa55word']) expect(told).not.toContain(shown);
  });

  test('is not repeated by another message', async () => {
    const text = `targets:\n  a:\n    url: http://x\n    budget: ${secret}\n`;
    await expect(parseConfig('c.yaml', text)).rejects.toThrow(/^c\.yaml:4:5: targets\.a\.budget must be integer$/);
  });
});

describe('on the command line', () => {
  let folder: string;
  let file: string;
  const environment = { FULL_KEY: 'key-of-full', OTHER_KEY: 'key-of-other', STAGING_KEY: 'key-of-staging', GATE_TOKEN: 'token' };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'touchstone-config-'));
    file = relative('', join(folder, 'c.yaml'));
    writeFileSync(file, whole);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const configure = (...args: readonly string[]): Promise<Configured> =>
    complete(parseArguments(verifyCommand, ['--config', file, ...args]), environment);

  test('a name stands for all settings of its target', async () => {
    const { args, waivers } = await configure('--target', 'staging');
    expect(args.positionals).toEqual([join(folder, 'my-api.yaml')].map((each) => relative('', each)));
    expect(args.values).toMatchObject({
      target: 'https://staging.example.com/api',
      rate: '2',
      budget: '100',
      require: 'paging/once,paging/c*',
    });
    expect(args.lists).toMatchObject({ key: ['full=STAGING_KEY', 'other=OTHER_KEY'], header: ['X-Gate=GATE_TOKEN'], only: ['paging/*'] });
    expect(args.switches.has('quick')).toBe(true);
    expect(waivers).toMatchObject([{ fingerprint: '1c9a07-e3b0c4' }]);
  });

  test('each option replaces the setting of the file', async () => {
    const { args, waivers } = await configure(
      ...['wiki', '--target', 'staging', '--budget', '7', '--key', 'full=MINE', '--header', 'x-gate=MY_GATE', '--only', 'keys/*'],
      ...['--report', 'html=x.html', '--waivers', 'w.yaml'],
    );
    expect(args.positionals).toEqual(['wiki']);
    expect(args.values).toMatchObject({ budget: '7', rate: '2', waivers: 'w.yaml' });
    expect(args.lists).toMatchObject({
      key: ['other=OTHER_KEY', 'full=MINE'],
      header: ['x-gate=MY_GATE'],
      only: ['keys/*'],
      report: ['html=x.html'],
    });
    expect(waivers).toBeUndefined();
  });

  test('a URL needs no file, and ignores it', async () => {
    const given = parseArguments(verifyCommand, ['wiki', '--target', 'http://127.0.0.1:1']);
    expect(await complete(given, environment)).toMatchObject({ args: { positionals: ['wiki'], lists: given.lists }, waivers: undefined });
  });

  test('a URL gets the defaults, unless they are for another contract', async () => {
    const { args } = await configure('--target', 'http://127.0.0.1:1');
    expect(args.positionals).toEqual(['business']);
    expect(args.values).toMatchObject({ target: 'http://127.0.0.1:1', rate: '30/min' });
    expect(args.lists).toMatchObject({ key: ['full=FULL_KEY', 'other=OTHER_KEY'], header: ['X-Gate=GATE_TOKEN'] });
    const other = await configure('wiki', '--target', 'http://127.0.0.1:1');
    expect([other.args.values['rate'], other.args.lists['key']]).toEqual([undefined, undefined]);
  });

  test('--url replaces the URL of a named target, and needs one', async () => {
    const { args } = await configure('--target', 'staging', '--url', 'https://preview.example.com');
    expect(args.values).toMatchObject({ target: 'https://preview.example.com', budget: '100' });
    await expect(configure('--target', 'http://x', '--url', 'http://y')).rejects.toThrow('--url replaces the URL of a named target');
  });

  test('a variable of the command line replaces one that is not set', async () => {
    const given = parseArguments(verifyCommand, ['--config', file, '--target', 'local', '--key', 'other=MINE']);
    expect((await complete(given, { FULL_KEY: 'x', GATE_TOKEN: 'x', MINE: 'x' })).args.lists['key']).toContain('other=MINE');
  });

  describe('variables in texts', () => {
    const variable = (name: string): string => `$\{${name}}`;
    const text = [
      'targets:',
      ...['  preview:', `    url: https://${variable('BRANCH')}.example.com`, `    only: ['${variable('GROUP')}/*']`],
      ...['  open:', '    url: https://x', `    reports: { json: "${variable('NAME')}.json" }`],
    ].join('\n');
    const read = async (name: string, variables: Record<string, string>): Promise<Configured> => {
      const path = join(folder, 'v.yaml');
      writeFileSync(path, text);
      return complete(parseArguments(verifyCommand, ['--config', path, '--target', name]), variables);
    };

    test('are filled in', async () => {
      const { args } = await read('preview', { BRANCH: 'fix-1', GROUP: 'paging' });
      expect([args.values['target'], args.lists['only']]).toEqual(['https://fix-1.example.com', ['paging/*']]);
      expect((await read('open', { NAME: 'run' })).args.lists['report']).toEqual([`json=${join(folder, 'run.json')}`]);
    });

    test('are an error at their line if they are not set, and only for the named target', async () => {
      await expect(read('preview', { BRANCH: 'x' })).rejects.toThrow(/v\.yaml:4:12: the environment variable GROUP is not set/);
      await expect(read('preview', { GROUP: 'x' })).rejects.toThrow(/v\.yaml:3:5: the environment variable BRANCH is not set/);
    });

    test('must give a URL without a password', async () => {
      await expect(read('preview', { BRANCH: 'me:pa55word@x', GROUP: 'x' })).rejects.toThrow('url contains a user name or a password');
      await expect(read('preview', { BRANCH: 'a b', GROUP: 'x' })).rejects.toThrow(/v\.yaml:3:5/);
    });

    test('never name keys', async () => {
      const keyed = `targets:\n  a:\n    url: http://x\n    keys: { full: "${variable('FULL_KEY')}" }\n`;
      await expect(parseConfig('c.yaml', keyed)).rejects.toThrow('keys.full is not the name of an environment variable');
    });
  });

  test('a file named by --config is always read', async () => {
    const missing = parseArguments(verifyCommand, ['--config', join(folder, 'none.yaml'), '--target', 'http://x']);
    await expect(complete(missing, environment)).rejects.toThrow(/none\.yaml cannot be read \(ENOENT\)/);
  });

  test('a name without a file is refused with advice', async () => {
    const given = parseArguments(verifyCommand, ['--target', 'staging']);
    await expect(complete(given, environment)).rejects.toThrow(
      '--target staging is not a URL, and no touchstone.config.yaml here defines a target of that name',
    );
  });
});
