/** The cases of Prism's own test harness, in mock mode with OpenAPI 3: a person who comes from Prism finds the same answers. */

import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { startMock } from '../../../../mocks/start-mock.ts';
import { differences, type HarnessCase, harnessCases, parseResponse, type RawResponse } from './harness-case.ts';

const cases = harnessCases();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'touchstone-harness-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** Cases whose expectation is not ours, with the reason. */
const deliberate: Readonly<Record<string, string>> = {
  'generated-responses/too_complex-AC-1.oas3.txt': 'a list of 3000 elements is no reason to fail; Prism answers 500',
  'serialization/E2E-text-html-complex-serialisation.oas3.txt': 'an object under text/html is sent as JSON; Prism answers 500',
};

describe.skipIf(cases.length === 0)('the harness of Prism', () => {
  for (const each of cases) {
    it.skipIf(each.name in deliberate)(each.name, async () => {
      expect(differences(each, await play(each))).toEqual([]);
    });
  }
});

async function play(each: HarnessCase): Promise<RawResponse> {
  const file = path.join(folder, `${each.name.replaceAll(/\W+/g, '-')}.yaml`);
  fs.writeFileSync(file, each.document);
  const mock = await startMock({ contracts: [file], stateful: false, ...optionsOf(each) });
  try {
    const [program = '', ...words] = each.command.map((word) => word.replace(/(localhost|127\.0\.0\.1):4010/, `127.0.0.1:${mock.port}`));
    const { stdout } = await promisify(execFile)(program, ['-s', ...words], { timeout: 10_000 });
    return parseResponse(stdout);
  } finally {
    await mock.close();
  }
}

function optionsOf({ options }: HarnessCase): { readonly dynamic?: boolean; readonly errors?: boolean } {
  return { dynamic: options.includes('-d') || options.includes('--dynamic'), errors: options.includes('--errors') };
}
