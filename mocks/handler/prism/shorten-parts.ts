/** Size in characters up to which Prism reads a part of a multipart body. Its parser takes 50 ms for 200 KB. */
const maxPart = 4096;

/** A multipart body whose large parts, such as files, have only their beginning; other bodies stay. */
export function shortenParts(body: string, contentType: string): string {
  const boundary = /^multipart\/.*\bboundary=(?:"([^"]+)"|([^\s;]+))/is
    .exec(contentType)
    ?.slice(1)
    .find((each) => each !== undefined);
  if (boundary === undefined || body.length <= maxPart) return body;
  return body
    .split(`--${boundary}`)
    .map((part) => (part.length <= maxPart ? part : `${part.slice(0, maxPart)}\r\n`))
    .join(`--${boundary}`);
}
