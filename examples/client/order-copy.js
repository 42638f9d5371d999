/** A client that keeps a copy of all orders of a business. */

const prefix = '/api/integrations/v1/orders';

/**
 * @typedef {{ id: number, status: string, changed_at: string }} Order
 * @typedef {{ data: { orders: Order[], page: { has_more: boolean, next_cursor: string | null } } }} OrderPage
 * @typedef {{ etag: string, order: unknown }} Details
 */

export class OrderCopy {
  /** The orders as the list shows them, by id. @type {Map<number, Order>} */
  orders = new Map();
  /** The largest `changed_at` of the last complete synchronisation. @type {string | undefined} */
  checkpoint;
  /** Orders that were read individually, with their ETags. @type {Map<number, Details>} */
  #details = new Map();
  #url;
  #key;

  /**
   * @param {string} url The address of the server, without a slash at the end.
   * @param {string} key The key of the business.
   */
  constructor(url, key) {
    this.#url = url;
    this.#key = key;
  }

  /**
   * Reads what changed since the checkpoint, page by page: everything at first.
   * The checkpoint moves only after the last page, so the next call after an interruption reads the changes again.
   */
  async synchronise() {
    let checkpoint = this.checkpoint;
    /** @type {string | null | undefined} */
    let cursor;
    do {
      // The filters stay the same on every page.
      const response = await this.#get('/index.php', { limit: '100', updated_after: this.checkpoint, cursor });
      const { data } = /** @type {OrderPage} */ (await response.json());
      for (const order of data.orders) {
        this.orders.set(order.id, order);
        if (checkpoint === undefined || Date.parse(order.changed_at) > Date.parse(checkpoint)) checkpoint = order.changed_at;
      }
      cursor = data.page.has_more ? data.page.next_cursor : undefined;
    } while (cursor);
    this.checkpoint = checkpoint;
  }

  /**
   * The complete order. Its ETag goes back to the server, so an unchanged order is not sent again.
   * @param {number} id
   */
  async details(id) {
    const known = this.#details.get(id);
    const response = await this.#get('/view.php', { id: String(id) }, known && { 'If-None-Match': known.etag });
    if (known !== undefined && response.status === 304) return known.order;
    const { data } = /** @type {{ data: { order: unknown } }} */ (await response.json());
    this.#details.set(id, { etag: response.headers.get('etag') ?? '', order: data.order });
    return data.order;
  }

  /**
   * @param {string} path
   * @param {Record<string, string | null | undefined>} query
   * @param {Record<string, string>} [headers]
   */
  async #get(path, query, headers) {
    const url = new URL(`${this.#url}${prefix}${path}`);
    for (const [name, value] of Object.entries(query)) if (value) url.searchParams.set(name, value);
    const response = await fetch(url, { headers: { 'X-SERVICE-API-Key': this.#key, ...headers } });
    if (!response.ok && response.status !== 304) throw new Error(`${response.status} from ${url.pathname}: ${await response.text()}`);
    return response;
  }
}
