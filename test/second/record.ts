/** Knows the records of the business API as facts, before any open question of their spelling is answered. */

/** Who ordered or reserved. A guest left neither phone nor email. */
export interface Customer {
  readonly id: number;
  readonly name: string;
  readonly phone: string | undefined;
  readonly email: string | undefined;
}

/** What every record has. */
export interface Row {
  readonly id: number;
  readonly tenant: string;
  readonly status: string;
  readonly customer: Customer;
  readonly changed: number;
  /** A place in an order that has nothing to do with anything else. */
  readonly rank: number;
  /** How often the record was changed since the server started. */
  readonly revision: number;
}

/** One thing that was ordered. */
export interface Item {
  readonly name: string;
  readonly quantity: number;
  readonly cents: number;
}

/** An order. */
export interface OrderRow extends Row {
  readonly code: string;
  readonly channel: 'takeaway' | 'table';
  readonly fulfillment: string;
  readonly pickup: { readonly mode: string; readonly date: string; readonly time: string } | undefined;
  readonly table: { readonly label: string; readonly room: number; readonly table: number; readonly qr: string } | undefined;
  readonly payment: { readonly mode: string; readonly status: string; readonly provider: string; readonly paidAt: number | undefined };
  readonly discount: number;
  readonly items: readonly Item[];
}

/** A table that is held for a reservation. */
export interface Assignment {
  readonly id: number;
  readonly room: number;
  readonly roomName: string;
  readonly table: number;
  readonly code: string;
  readonly label: string;
  readonly minutes: number;
}

/** A reservation. */
export interface ReservationRow extends Row {
  readonly source: string;
  readonly date: string;
  readonly time: string;
  readonly people: number;
  readonly notes: string | undefined;
  readonly assignment: Assignment | undefined;
}
