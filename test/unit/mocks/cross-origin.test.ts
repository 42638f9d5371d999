/** Cross-origin requests: what a browser asks before and after (Fetch standard, CORS protocol). */

import { describe, expect, it } from 'vitest';
import { answerOptions, crossOriginHeaders } from '../../../mocks/response.ts';

const methods = ['GET', 'HEAD', 'OPTIONS'];

describe('OPTIONS', () => {
  it('grants a preflight what it asks for', () => {
    const headers = {
      origin: 'http://localhost:5173',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-service-api-key, if-none-match',
    };
    expect(answerOptions({ method: 'OPTIONS', target: '/anything', headers }, methods)).toEqual({
      status: 204,
      headers: {
        allow: 'GET, HEAD, OPTIONS',
        'access-control-allow-methods': 'GET, HEAD, OPTIONS',
        'access-control-allow-headers': 'x-service-api-key, if-none-match',
        'access-control-max-age': expect.stringMatching(/^\d+$/),
        vary: 'Access-Control-Request-Headers',
      },
      body: undefined,
    });
  });

  it('names the methods to anybody who asks, and grants no headers unasked', () => {
    const { status, headers } = answerOptions({ method: 'OPTIONS', target: '*', headers: {} }, methods);
    expect(status).toBe(204);
    expect(headers['allow']).toBe('GET, HEAD, OPTIONS');
    expect(headers).not.toHaveProperty('access-control-allow-headers');
  });
});

describe('every other answer', () => {
  it('may be read by any page, with the headers that a client needs', () => {
    expect(crossOriginHeaders['access-control-allow-origin']).toBe('*');
    const exposed = (crossOriginHeaders['access-control-expose-headers'] ?? '').split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['ETag', 'Retry-After', 'Allow', 'WWW-Authenticate']));
  });

  it('allows no credentials, since any origin may read', () => {
    expect(crossOriginHeaders).not.toHaveProperty('access-control-allow-credentials');
  });
});
