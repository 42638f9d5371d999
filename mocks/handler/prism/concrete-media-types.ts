/** Replaces documented ranges of media types, such as `image/*`, by types that a response can have. Prism compares ranges as if they were types. */

import type { IHttpOperation, IMediaTypeContent } from '@stoplight/types';
import { matchesType, mediaTypeOf } from '../../../core/http/media-type.ts';

/** An operation whose documented ranges are the types that a request accepts. */
export function contentsFor<Resource extends IHttpOperation>(resource: Resource, accepts: readonly string[]): Resource {
  const hasRange = resource.responses.some(({ contents = [] }) => contents.some(({ mediaType }) => mediaType.includes('*')));
  if (!hasRange) return resource;
  const accepted = accepts.map(mediaTypeOf).filter((type) => !type.includes('*'));
  const responses = resource.responses.map((response) => ({
    ...response,
    contents: (response.contents ?? []).flatMap((content) => {
      const types = content.mediaType.includes('*') ? accepted.filter((type) => matchesType(content.mediaType, type)) : [];
      return [...types, concreteType(content)].map((mediaType) => ({ ...content, mediaType }));
    }),
  }));
  return { ...resource, responses };
}

/** The media type of a content; of a range, a type that fits its schema or its example. */
function concreteType({ mediaType, schema, examples = [] }: IMediaTypeContent): string {
  if (!mediaType.includes('*')) return mediaType;
  const [kind = '*'] = mediaType.split('/');
  const [example] = examples;
  const isText = schema?.type === 'string' || (example !== undefined && 'value' in example && typeof example.value === 'string');
  return typesByKind[kind] ?? (isText && kind === '*' ? 'text/plain' : 'application/json');
}

const typesByKind: Readonly<Record<string, string>> = {
  text: 'text/plain',
  image: 'image/png',
  audio: 'audio/mpeg',
  video: 'video/mp4',
  font: 'font/woff2',
};
