/** A server that does nothing but send prebuilt bytes: node bare.mjs PORT FOLDER */

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const [port, folder] = process.argv.slice(2);
const { page, order, etag } = JSON.parse(readFileSync(join(folder, 'answers.json'), 'utf8'));
const [pageBytes, orderBytes] = [Buffer.from(page), Buffer.from(order)];
const type = 'application/json; charset=utf-8';

createServer((incoming, outgoing) => {
  if (incoming.headers['if-none-match'] === etag) {
    outgoing.writeHead(304, { etag }).end();
    return;
  }
  const isPage = incoming.url.includes('/orders/index.php');
  const bytes = isPage ? pageBytes : orderBytes;
  outgoing.writeHead(200, { 'content-type': type, 'content-length': bytes.length, ...(isPage ? {} : { etag }) }).end(bytes);
}).listen(Number(port), '127.0.0.1');
