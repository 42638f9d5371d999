/** Splits the body of a form (`multipart/form-data`, RFC 7578) into its named parts. What a part contains is read by its caller. */

export interface BodyPart {
  readonly name: string;
  /** Its media type; empty if it has none. */
  readonly type: string;
  readonly text: string;
}

/** Splits a `multipart/form-data` body into its named parts; `undefined` if the boundary does not divide it. */
export function splitMultipart(body: string, boundary: string): readonly BodyPart[] | undefined {
  if (boundary === '') return undefined;
  const pieces = `\r\n${body}`.split(`\r\n--${boundary}`);
  const end = pieces.findIndex((piece, index) => index > 0 && piece.startsWith('--'));
  if (end < 1) return undefined;
  return pieces.slice(1, end).flatMap((piece) => {
    const [head = '', ...content] = piece.replace(/^[ \t]*\r\n/, '').split('\r\n\r\n');
    const name = /^content-disposition:[^\r\n]*;\s*name="?((?<=")[^"\r\n]*|[^";\r\n]*)/im.exec(head)?.[1];
    if (name === undefined) return [];
    return [{ name, type: /^content-type:\s*([^\r\n]*)/im.exec(head)?.[1]?.trim() ?? '', text: content.join('\r\n\r\n') }];
  });
}
