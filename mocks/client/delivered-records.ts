/** Remembers which exchange delivered each record of a list to a client. Its memory is bounded, so the oldest deliveries may be forgotten. */

import type { ListedPage } from '../handler/listed-page.ts';

/** A record in a page. */
export interface DeliveredRecord {
  /** Number of the exchange. */
  readonly number: number;
  readonly versionMs: number | undefined;
}

/** The newest delivery of a record, with all its versions. */
export interface NewestDelivery extends DeliveredRecord {
  readonly versions: Set<number | undefined>;
}

/** A page with the numbers of the first and the last exchange that delivered it. */
interface DeliveredPage {
  readonly first: number;
  last: number;
  readonly page: ListedPage;
}

/** Maximum number of remembered record keys. */
const keysMax = 200_000;

/** The delivered pages of a list. */
export class Deliveries {
  private pages: DeliveredPage[] = [];
  private keyCount = 0;
  /** True while no page was forgotten. */
  private isComplete = true;

  /** Adds a page, with the number of its exchange. */
  remember(number: number, page: ListedPage): void {
    const latest = this.pages.at(-1);
    // A page from the cache is the same object.
    if (latest?.page === page) latest.last = number;
    if (latest?.page === page || page.records.length === 0) return;
    this.pages.push({ first: number, last: number, page });
    this.keyCount += page.records.length;
    if (this.keyCount <= keysMax) return;
    this.isComplete = false;
    this.pages = this.pages.slice(this.pages.length >> 1);
    this.keyCount = this.pages.reduce((sum, each) => sum + each.page.records.length, 0);
  }

  /**
   * The number of the last exchange that delivered a record, and the version that it delivered; `undefined` for a record that was never delivered. `before` and
   * `pagesMax` limit the search to pages that were first delivered before an exchange, and to the latest pages.
   */
  deliveryOf(key: string, before: number, pagesMax: number): DeliveredRecord | undefined {
    const oldest = Math.max(0, this.pages.length - pagesMax);
    for (let index = this.pages.length - 1; index >= oldest; index -= 1) {
      const deliveredPage = this.pages[index];
      if (deliveredPage === undefined || deliveredPage.first >= before) continue;
      const record = deliveredPage.page.records.find((candidate) => String(candidate.key) === key);
      if (record !== undefined) return { number: deliveredPage.last, versionMs: record.versionMs };
    }
    return undefined;
  }

  /** The newest delivery of each record; `undefined` if there were too many to remember. */
  newest(): ReadonlyMap<string, NewestDelivery> | undefined {
    const newestByKey = new Map<string, NewestDelivery>();
    for (const { last, page } of this.pages)
      for (const { key, versionMs } of page.records) {
        const versions = newestByKey.get(String(key))?.versions ?? new Set();
        newestByKey.set(String(key), { number: last, versionMs, versions: versions.add(versionMs) });
      }
    return this.isComplete ? newestByKey : undefined;
  }
}
