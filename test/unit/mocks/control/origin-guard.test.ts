/** Hosts and origins that the guard of the control endpoint accepts and refuses. */

import { describe, expect, it } from 'vitest';
import { createOriginGuard } from '../../../../mocks/control/origin-guard.ts';

const refusal = (headers: Readonly<Record<string, string>>, listening = '127.0.0.1', allowed: readonly string[] = []): string => {
  try {
    createOriginGuard(listening, allowed)(headers);
    return 'allowed';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

describe('the host of a program', () => {
  it.each([
    ['127.0.0.1:4010'],
    ['127.3.2.1'],
    ['LOCALHOST:4010'],
    ['localhost.:4010'],
    ['mock.localhost'],
    ['[::1]:4010'],
    ['192.168.1.7:4010', '0.0.0.0'],
    ['[fe80::1]:4010', '::'],
    ['192.168.1.7:4010', '192.168.1.7'],
    ['[fd00::2]', 'fd00::2'],
    ['mock:4010', '0.0.0.0', ['mock']],
    ['Mock.Example.org:80', '127.0.0.1', ['mock.example.org']],
  ])('%s may control a mock at %s', (host, listening = '127.0.0.1', allowed: readonly string[] = []) => {
    expect(refusal({ host }, listening, allowed)).toBe('allowed');
  });

  it.each([
    ['rebound.example.org'],
    ['127.0.0.1.example.org:4010'],
    ['localhost.example.org'],
    ['mock:4010', '0.0.0.0'],
    ['192.168.1.7:4010'],
    ['10.0.0.1', '192.168.1.7'],
    [''],
    ['example.org', '0.0.0.0', ['mock.example.org']],
  ])('%s may not control a mock at %s', (host, listening = '127.0.0.1', allowed: readonly string[] = []) => {
    expect(refusal({ host }, listening, allowed)).toMatch(/^The host .* may not control this mock; use .* --allowed-host /);
  });

  it('is required', () => {
    expect(refusal({})).toContain('may not control this mock');
  });
});

describe('the origin of a page', () => {
  const host = '127.0.0.1:4010';

  it.each([
    { origin: 'http://127.0.0.1:4010' },
    { origin: 'https://127.0.0.1:4010' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
  ])('%j may control the mock', (headers) => {
    expect(refusal({ host, ...(headers as Record<string, string>) })).toBe('allowed');
  });

  it.each([
    { origin: 'https://example.org' },
    { origin: 'http://127.0.0.1:5173' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://example.org', 'sec-fetch-site': 'same-origin' },
  ])('%j may not', (headers) => {
    expect(refusal({ host, ...(headers as Record<string, string>) })).toMatch(
      /^(The page|A page of another origin) .*may not control this mock/,
    );
  });
});
