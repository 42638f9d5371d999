/** NODE_DEBUG prints what the mock and the verifier decide, without keys. */

import { afterAll, expect, it, vi } from 'vitest';
import { endAll, finish, run } from '../../../helpers/program.ts';

vi.setConfig({ testTimeout: 60_000 });
afterAll(endAll);

interface Banner {
  readonly url: string;
  readonly keys: Readonly<Record<string, string>>;
}

it('logs the decisions of both, without keys', async () => {
  const logged = { NODE_DEBUG: 'touchstone-*' };
  const mock = run(['mock', 'business', '--port', '0', '--json'], logged);
  const [line = ''] = await mock.lines(1);
  const { url, keys } = JSON.parse(line) as Banner;
  const key = keys['full'] ?? '';
  const options = ['--target', url, '--key', 'full=FULL_KEY', '--only', 'filters/sound', '--only', 'keys/expired'];
  const { error } = await finish(['verify', 'business', ...options], { ...logged, FULL_KEY: key });
  // The key is in the query too.
  await fetch(`${url}/api/integrations/v1/orders/index.php?limit=101&key=${key}`, { headers: { Authorization: `Bearer ${key}` } });
  mock.process.kill();
  const log = error + (await mock.ended).error;
  const lines = [
    /^TOUCHSTONE-VERIFY \d+: .*filters\/sound at listOrders$/m,
    /^TOUCHSTONE-VERIFY \d+: {3}request \d+: GET \/api\/integrations\/v1\/orders\/index\.php\?\S*status=\S+, 200$/m,
    /^TOUCHSTONE-VERIFY \d+: {3}request \d+: its response is used again$/m,
    /^TOUCHSTONE-VERIFY \d+: filters\/sound at listOrders: holds$/m,
    /^TOUCHSTONE-VERIFY \d+: {3}killed: .*filter-ignored:listOrders\.status/m,
    /^TOUCHSTONE-VERIFY \d+: keys\/expired at listOrders: not-testable, .*--key expired=/m,
    /^TOUCHSTONE-MOCK \d+: GET \S+\/orders\/index\.php\?\S*status=\S+: 200, listOrders, key full, computed$/m,
    /^TOUCHSTONE-MOCK \d+: GET \S+\?limit=101&key=\$KEY: 422, listOrders, key full, computed, limit out-of-range, key undeclared$/m,
  ];
  for (const line of lines) expect(log).toMatch(line);
  expect(key).toMatch(/^mock_full_/);
  expect(log).not.toContain(key);
});
