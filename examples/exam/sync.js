/** Keeps a copy of all orders in a file, as a scheduled job would. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OrderCopy } from '../client/order-copy.js';

const { API_URL = '', API_KEY = '', API_CONTROL_URL, EXAM_FOLDER = '.' } = process.env;
const file = join(EXAM_FOLDER, 'orders.json');
const copy = new OrderCopy(API_URL, API_KEY);

if (existsSync(file)) {
  const { orders, checkpoint } = JSON.parse(readFileSync(file, 'utf8'));
  copy.orders = new Map(orders);
  copy.checkpoint = checkpoint;
}
await copy.synchronise();
writeFileSync(file, JSON.stringify({ orders: [...copy.orders], checkpoint: copy.checkpoint }));

// The mock compares the copy with its own records.
if (API_CONTROL_URL !== undefined) {
  const body = JSON.stringify({ collection: 'orders', records: [...copy.orders.values()] });
  const response = await fetch(`${API_CONTROL_URL}/client/compare`, { method: 'POST', body });
  if (!response.ok) throw new Error(await response.text());
}
