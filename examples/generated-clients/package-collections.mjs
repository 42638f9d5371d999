/** Writes the Postman collections of the package, without the converter's random ids, so that the same contract gives the same file. */

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import converter from 'openapi-to-postmanv2';
import { contractFile, loadContract, plainDocument } from 'touchstone';

const convert = promisify(converter.convertV2);
const options = { parametersResolution: 'Example', enableOptionalParameters: false };
const drawn = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

for (const contract of ['business', 'wiki']) {
  const file = contractFile(contract);
  const data = plainDocument(await loadContract(file));
  const { result, reason, output } = await convert({ type: 'json', data: structuredClone(data) }, options);
  if (!result) throw new Error(`${contract}: ${reason}`);
  const [{ data: collection }] = output;
  // A test compares this digest with that of the current contract.
  const digest = createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 16);
  collection.info.description = `The ${contract} API, of the contract ${digest}. Set apiKey to a key that touchstone mock prints.`;
  collection.variable = [
    { key: 'baseUrl', value: 'http://127.0.0.1:4010' },
    { key: 'apiKey', value: '' },
  ];
  const text = JSON.stringify(collection, (_, value) => (typeof value === 'string' && drawn.test(value) ? undefined : value));
  writeFileSync(file.replace(/[^/\\]+$/, `postman/${contract}.json`), `${text}\n`);
}
