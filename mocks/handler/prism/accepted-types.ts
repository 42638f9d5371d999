import { type HttpRequest, headerOf } from '../../../core/http/exchange.ts';

/** The media types that a request accepts, as sent; empty for any. Entries that are no media types are left out, since Prism fails at them. */
export function acceptedTypes({ headers }: HttpRequest): readonly string[] {
  const field = headerOf(headers, 'accept') ?? '';
  return field
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?:\s*;.*)?$/.test(entry));
}
