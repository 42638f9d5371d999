/** Records of the shipped datasets and instants, for the tests of this folder. */

import type { JsonObject } from '../../../../core/json.ts';
import { type BusinessSettings, createBusinessDatasets } from '../../../../mocks/data/business/business-dataset.ts';
import type { Dataset, DatasetSettings } from '../../../../mocks/data/dataset.ts';
import { createWikiDatasets } from '../../../../mocks/data/wiki/wiki-dataset.ts';

/** The clock that a mock shows unless told otherwise: the evening of the day on which Rome's clocks went forward. */
export const defaultClock: number = Date.parse('2026-03-29T18:00:00+02:00');

/** The seed that a mock has unless told otherwise. */
export const defaultDataset: DatasetOptions = { seed: 1, nowMs: defaultClock };

/** A dataset and an instant of it. */
interface DatasetOptions extends DatasetSettings {
  readonly nowMs: number;
}

/** A business dataset and an instant of it. */
type BusinessOptions = DatasetOptions & BusinessSettings;

/** The businesses of a seed at one instant. */
export function createBusinessDataset({ nowMs, ...choice }: BusinessOptions): Dataset {
  return createBusinessDatasets(choice).at(nowMs);
}

/** The wiki of a seed at one instant. */
export function createWikiDataset({ nowMs, ...choice }: DatasetOptions): Dataset {
  return createWikiDatasets(choice).at(nowMs);
}

/** The tenants of the business dataset. */
export const tenants = ['full', 'other', 'no-menu'] as const;

/** A customer of either kind of record. */
export interface Customer {
  readonly id: number;
  readonly name: string;
  readonly phone: string | null;
  readonly email: string | null;
}

/** A line of an order. */
export interface Item {
  readonly id: number;
  readonly product_id: number;
  readonly variant_id: number | null;
  readonly name: string;
  readonly quantity: number;
  readonly unit_price: number;
  readonly modifiers_price: number;
  readonly total: number;
}

export interface Order {
  readonly id: number;
  readonly code: string;
  readonly channel: string;
  readonly fulfillment_type: string;
  readonly status: string;
  readonly customer: Customer;
  readonly service: {
    readonly pickup_mode: string | null;
    readonly pickup_date: string | null;
    readonly pickup_time: string | null;
    readonly table: { readonly label: string; readonly room_id: number; readonly room_table_id: number; readonly qr_mode: string } | null;
  };
  readonly payment: { readonly mode: string; readonly status: string; readonly provider: string; readonly paid_at: string | null };
  readonly totals: { readonly subtotal: number; readonly discount: number; readonly total: number; readonly currency: string };
  readonly changed_at: string;
  readonly items: readonly Item[];
  readonly modifiers: readonly { readonly item_id: number; readonly add_on_id: number; readonly name: string; readonly price: number }[];
  readonly option_groups: readonly {
    readonly item_id: number;
    readonly name: string;
    readonly options: readonly { readonly variant_id: number }[];
  }[];
}

export interface Reservation {
  readonly id: number;
  readonly status: string;
  readonly source: string;
  readonly customer: Customer;
  readonly schedule: { readonly date: string; readonly time: string; readonly people: number; readonly timezone: string };
  readonly notes: string | null;
  readonly table_assignment: {
    readonly id: number;
    readonly room_id: number;
    readonly room_name: string;
    readonly room_table_id: number;
    readonly table_code: string;
    readonly table_label: string;
    readonly starts_at: string;
    readonly ends_at: string;
    readonly people: number;
  } | null;
  readonly changed_at: string;
}

export interface WikiEntry {
  readonly slug: string;
  readonly title: string;
  readonly type: string;
  readonly visibility: string;
  readonly icon_path: string;
  readonly updated_at: string;
  readonly body_public: string;
}

/** The orders of a business. */
export function ordersOf(tenant: string, options: BusinessOptions = defaultDataset): readonly Order[] {
  return recordsOf<Order>(createBusinessDataset(options), tenant, 'orders');
}

/** The reservations of a business. */
export function reservationsOf(tenant: string, options: BusinessOptions = defaultDataset): readonly Reservation[] {
  return recordsOf<Reservation>(createBusinessDataset(options), tenant, 'reservations');
}

/** The entries of the wiki, hidden ones included. */
export function entriesOf(options: DatasetOptions = defaultDataset): readonly WikiEntry[] {
  return recordsOf<WikiEntry>(createWikiDataset(options), 'public', 'entries');
}

/** Number of values of each kind. */
export function countBy<T>(values: readonly T[], keyOf: (value: T) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(keyOf(value), (counts.get(keyOf(value)) ?? 0) + 1);
  return counts;
}

/** The different values of a list, sorted. */
export function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort();
}

/** The shapes above are what the datasets are tested for, so here they are only claimed. */
function recordsOf<T>(dataset: Dataset, tenant: string, collection: string): readonly T[] {
  const records: readonly JsonObject[] = dataset.records(tenant, collection);
  return records as unknown as readonly T[];
}
