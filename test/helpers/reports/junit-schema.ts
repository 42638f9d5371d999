/** Validates JUnit files by junit-10.xsd, the schema by which the xUnit plugin of Jenkins accepts a file, with libxml2. */

import { readFileSync } from 'node:fs';
import { validateXML } from 'xmllint-wasm';

const schema = readFileSync(new URL('junit-10.xsd', import.meta.url), 'utf8');

/** Violations of documents; empty for valid ones. */
export async function complaintsAboutJunit(...texts: readonly string[]): Promise<readonly string[]> {
  const { errors } = await validateXML({
    xml: texts.map((contents, index) => ({ fileName: `${index}.xml`, contents })),
    schema: [{ fileName: 'junit-10.xsd', contents: schema }],
  });
  return errors.map(({ message }) => message);
}
