/** The types of the business API, made by openapi-typescript of the contract 5c1bfe2869ec9d46. */

export interface paths {
    "/api/integrations/v1/whoami.php": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the identity of the key
         * @description Returns the caller's business and key, with the key's scopes and capabilities (§2.5, §4).
         */
        get: operations["getIdentity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/integrations/v1/menus/manifest.php": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up the version of the menu
         * @description Returns a lightweight manifest with the menu's version, so that you know whether to read the full menu (§4).
         */
        get: operations["getMenuManifest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/integrations/v1/menus/current.php": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the full menu
         * @description Returns the full menu, or 304 if your copy is still current (§4, rule 4).
         */
        get: operations["getMenu"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/integrations/v1/orders/index.php": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders
         * @description Returns one page of order summaries. Their sort order is not specified (§4, rules 1 to 3).
         */
        get: operations["listOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/integrations/v1/orders/view.php": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one order
         * @description Returns the complete order with its items, modifiers and option groups, or 304 if your copy is still current.
         *     Identify the order by either its `id` or its `code` (§4, rule 4).
         */
        get: operations["getOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/integrations/v1/reservations/index.php": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reservations
         * @description Returns one page of reservations, sorted by last change and then by id, highest first (§4, rules 1 to 3).
         */
        get: operations["listReservations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/integrations/v1/reservations/view.php": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one reservation
         * @description Returns the complete reservation, with its table assignment if one is active, or 304 if your copy is still current
         *     (§4, rules 4 and 5).
         */
        get: operations["getReservation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The body of every error response, for all operations (§2.1, §7). */
        Error: {
            /**
             * @description Always false on an error (§2.1).
             * @enum {boolean}
             */
            ok: false;
            /** @description What went wrong (§2.1). */
            error: {
                /** @description A machine-readable code; each status allows only the codes listed for it (§7). */
                code: string;
                /** @description A human-readable explanation (§2.1). */
                message: string;
                /** @description Identifies the request; quote it when you report a problem (§2.1). */
                request_id: string;
            };
        };
        /** @description What all success responses share. The document states `ok` only for errors (§2.1). */
        Success: {
            /**
             * @description Always true if it is present (§2.1).
             * @enum {boolean}
             */
            ok?: true;
        };
        /** @description The fields that an order has both in lists and in detail (§2.2). */
        Order: {
            /** @description The order's stable id; use it as your external key (§2.2). */
            id: number;
            /** @description The order's human-readable code (§2.2). */
            code: string;
            channel: components["schemas"]["Channel"];
            /** @description How the order is handed over (§2.2). */
            fulfillment_type: string;
            status: components["schemas"]["OrderStatus"];
            customer: components["schemas"]["Customer"];
            service: components["schemas"]["OrderService"];
            payment: components["schemas"]["OrderPayment"];
            totals: components["schemas"]["OrderTotals"];
            changed_at: components["schemas"]["ChangedAt"];
        };
        /** @description An order as it appears in lists, without the three arrays of the detail (§2.2). */
        OrderSummary: components["schemas"]["Order"];
        /** @description An order in detail, with three arrays that lists omit. The contents of their members are not specified (§2.2). */
        OrderDetail: {
            /** @description What was ordered (§2.2). */
            items: {
                id?: number;
                product_id?: number;
                variant_id?: number | null;
                name?: string;
                quantity?: number;
                unit_price?: number;
                modifiers_price?: number;
                total?: number;
            }[];
            /** @description The modifications to what was ordered (§2.2). */
            modifiers: {
                item_id?: number;
                add_on_id?: number;
                name?: string;
                price?: number;
            }[];
            /** @description The groups that the chosen options belong to (§2.2). */
            option_groups: {
                item_id?: number;
                name?: string;
                options?: {
                    variant_id?: number;
                    name?: string;
                    price?: number;
                }[];
            }[];
        } & components["schemas"]["Order"];
        /**
         * @description How the order was placed: for takeaway or at a table (§2.2).
         * @enum {string}
         */
        Channel: "takeaway" | "table";
        /** @description The person behind an order or a reservation (§2.2, §2.3). */
        Customer: {
            /** @description The customer's number (§2.2). */
            id: number;
            /** @description The customer's name (§2.2). */
            name: string;
            /** @description The customer's telephone number, if one is known (§2.2). */
            phone?: string | null;
            /** @description The customer's e-mail address, if one is known (§2.2). */
            email?: string | null;
        };
        /** @description How the order is served: when it is picked up, or at which table (§2.2). */
        OrderService: {
            /** @description How the order is picked up; may be null (§2.2). */
            pickup_mode?: string | null;
            /** @description The day on which the order is picked up; may be null (§2.2). */
            pickup_date?: string | null;
            /** @description The time at which the order is picked up; may be null (§2.2). */
            pickup_time?: string | null;
            /** @description The table that the order is served at (§2.2). */
            table?: {
                /** @description The table's display name (§2.2). */
                label: string;
                /** @description The number of the room (§2.2). */
                room_id: number;
                /** @description The number of the table in its room (§2.2). */
                room_table_id: number;
                /** @description What the table's QR code is for (§2.2). */
                qr_mode: string;
            } | null;
        };
        /** @description How and when the order is paid (§2.2). */
        OrderPayment: {
            /** @description How the order is to be paid (§2.2). */
            mode: string;
            /** @description The status of the payment (§2.2). */
            status: string;
            /** @description Who handles the payment (§2.2). */
            provider: string;
            /**
             * Format: date-time
             * @description The time of the payment, with its UTC offset (§2.2).
             */
            paid_at?: string | null;
        };
        /** @description What the order costs (§2.2). */
        OrderTotals: {
            /** @description The amount before the discount (§2.2). */
            subtotal: number;
            /** @description The discount (§2.2). */
            discount: number;
            /** @description The amount to pay (§2.2). */
            total: number;
            /** @description The currency of the three amounts (§2.2). */
            currency: string;
        };
        /** @description A reservation, with the same fields in lists and in detail (§2.3). */
        Reservation: {
            /** @description The reservation's stable id (§2.3). */
            id: number;
            status: components["schemas"]["ReservationStatus"];
            /** @description Where the reservation came from (§2.3). */
            source: string;
            customer: components["schemas"]["Customer"];
            schedule: components["schemas"]["ReservationSchedule"];
            /** @description Free text, if any (§2.3). */
            notes?: string | null;
            table_assignment?: components["schemas"]["TableAssignment"];
            changed_at: components["schemas"]["ChangedAt"];
        };
        /** @description When the guests arrive and how many there are, in the business's time zone (§2.3). */
        ReservationSchedule: {
            /**
             * Format: date
             * @description The day in the form YYYY-MM-DD (§2.3).
             */
            date: string;
            /** @description The time of day in the form HH:MM (§2.3). */
            time: string;
            /** @description The number of guests (§2.3). */
            people: number;
            /** @description The name of the time zone, in one to three parts: `UTC`, `Europe/Rome`, `America/Argentina/Salta` (§2.3). */
            timezone: string;
        };
        /** @description The table held for the guests, if an assignment is active; otherwise null or absent (§2.3). */
        TableAssignment: {
            /** @description The number of the assignment (§2.3). */
            id: number;
            /** @description The number of the room (§2.3). */
            room_id: number;
            /** @description The name of the room (§2.3). */
            room_name: string;
            /** @description The number of the table in its room (§2.3). */
            room_table_id: number;
            /** @description The code of the table (§2.3). */
            table_code: string;
            /** @description The table's display name (§2.3). */
            table_label: string;
            starts_at: components["schemas"]["AssignmentTime"];
            ends_at: components["schemas"]["AssignmentTime"];
            /** @description The number of guests that the table is held for (§2.3). */
            people: number;
        } | null;
        /** @description The start or end of an assignment, with a UTC offset or in the business's local time (§2.3). */
        AssignmentTime: string;
        /**
         * Format: date-time
         * @description The time of the last change, in ISO 8601 with a UTC offset (§2.2, §2.3).
         */
        ChangedAt: string;
        /** @description One page of the order list. Only this list also has `schema_version` and `business` (§2.4). */
        OrderPage: {
            schema_version?: components["schemas"]["SchemaVersion"];
            business?: components["schemas"]["Business"];
            /** @description The page and what is on it (§2.4). */
            data: {
                schema_version?: components["schemas"]["SchemaVersion"];
                business?: components["schemas"]["Business"];
                /** @description The orders on this page (§2.4). */
                orders: components["schemas"]["OrderSummary"][];
                page: components["schemas"]["Page"];
            };
        } & components["schemas"]["Success"];
        /** @description The version of the order list's format. Its type is not specified (§2.4). */
        SchemaVersion: string;
        /** @description The business that the orders belong to. Its type is not specified (§2.4). */
        Business: {
            id?: number;
            name?: string;
            timezone?: string;
        };
        /** @description One page of the reservation list (§2.4). */
        ReservationPage: {
            /** @description The page and what is on it (§2.4). */
            data: {
                /** @description The reservations on this page (§2.4). */
                reservations: components["schemas"]["Reservation"][];
                page: components["schemas"]["Page"];
            };
        } & components["schemas"]["Success"];
        /** @description Where the list continues (§2.4). */
        Page: {
            /** @description The opaque cursor for the next page (§2.4). */
            next_cursor?: string | null;
            /** @description True if more pages follow (§2.4). */
            has_more: boolean;
        };
        /** @description A JSON object about the business, the key, its scopes and its capabilities. Its field names are not specified (§2.5). */
        Identity: {
            business?: {
                id?: number;
                name?: string;
                timezone?: string;
                currency?: string;
            };
            key?: {
                id?: number;
                label?: string;
                status?: string;
            };
            scopes?: string[];
            capabilities?: string[];
        } & components["schemas"]["Success"];
        /** @description A lightweight JSON object about the menu's version. Its fields are not specified (§2.5, §4). */
        MenuManifest: {
            id?: number;
            name?: string;
            version?: string;
            revision?: number;
            updated_at?: string;
            counts?: {
                sections?: number;
                products?: number;
                variants?: number;
                add_ons?: number;
                allergens?: number;
            };
        } & components["schemas"]["Success"];
        /**
         * @description The full menu as a JSON object, with sections, products, variants, add-ons, allergens, ingredients and availability.
         *     Its field names are not specified (§2.5).
         */
        Menu: {
            id?: number;
            name?: string;
            version?: string;
            revision?: number;
            updated_at?: string;
            language?: string;
            currency?: string;
            sections?: {
                id?: number;
                name?: string;
                position?: number;
                products?: {
                    id?: number;
                    name?: string;
                    price?: number;
                    variants?: {
                        id?: number;
                        group?: string;
                        name?: string;
                        price?: number;
                    }[];
                    add_ons?: {
                        id?: number;
                        name?: string;
                        price?: number;
                    }[];
                    allergens?: string[];
                    ingredients?: string[];
                    availability?: {
                        available?: boolean;
                        services?: string[];
                    };
                }[];
            }[];
            allergens?: {
                id?: number;
                name?: string;
            }[];
        } & components["schemas"]["Success"];
        /** @description A body with one order. Where in the body it stands is not specified, so three places are allowed (§2.2). */
        OrderBody: {
            data: {
                order: components["schemas"]["OrderDetail"];
            };
        } & components["schemas"]["Success"];
        /** @description A body with one reservation. Where in the body it stands is not specified, so three places are allowed (§2.3). */
        ReservationBody: {
            data: {
                reservation: components["schemas"]["Reservation"];
            };
        } & components["schemas"]["Success"];
        /**
         * @description The status of an order. The allowed transitions are not specified (§3).
         * @enum {string}
         */
        OrderStatus: "pending" | "confirmed" | "preparing" | "ready" | "completed" | "cancelled" | "rejected" | "no_show";
        /**
         * @description The status of a reservation. The allowed transitions are not specified (§3).
         * @enum {string}
         */
        ReservationStatus: "pending" | "confirmed" | "cancelled" | "rejected" | "completed" | "no_show";
    };
    responses: {
        /** @description The identity of the key (§4). */
        Identity: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Identity"];
            };
        };
        /** @description The version of the menu (§4). */
        MenuManifest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MenuManifest"];
            };
        };
        /** @description The full menu, with the ETag of this version (§4, rule 4). */
        Menu: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Menu"];
            };
        };
        /** @description A page of orders (§4). */
        OrderPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OrderPage"];
            };
        };
        /** @description The complete order, with the ETag of this version (§4, rule 4). */
        Order: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OrderBody"];
            };
        };
        /** @description A page of reservations (§4). */
        ReservationPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ReservationPage"];
            };
        };
        /** @description The complete reservation, with the ETag of this version (§4, rules 4 and 5). */
        Reservation: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ReservationBody"];
            };
        };
        /** @description Your copy is still current, so no body is sent (§1; §4, rule 4). */
        Unchanged: {
            headers: {
                ETag: components["headers"]["UnchangedETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The API key is missing, invalid or expired (§5, rule 4; §7). */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error?: {
                        /** @enum {string} */
                        code?: "UNAUTHORIZED";
                    };
                } & components["schemas"]["Error"];
            };
        };
        /** @description The API key is valid but lacks the scope that the operation requires (§5, rule 4; §7). */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error?: {
                        /** @enum {string} */
                        code?: "FORBIDDEN";
                    };
                } & components["schemas"]["Error"];
            };
        };
        /** @description The business has no source menu. The error code is not specified (§4, §7). */
        NoMenu: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error?: {
                        code?: string;
                    };
                } & components["schemas"]["Error"];
            };
        };
        /** @description The order does not exist or belongs to another business (§7). */
        OrderNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error?: {
                        /** @enum {string} */
                        code?: "ORDER_NOT_FOUND";
                    };
                } & components["schemas"]["Error"];
            };
        };
        /** @description The reservation does not exist or belongs to another business (§7). */
        ReservationNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error?: {
                        /** @enum {string} */
                        code?: "RESERVATION_NOT_FOUND";
                    };
                } & components["schemas"]["Error"];
            };
        };
        /** @description A parameter is invalid, such as a malformed id, or the filters conflict (§7). */
        InvalidQuery: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error?: {
                        /** @enum {string} */
                        code?: "INVALID_QUERY";
                    };
                } & components["schemas"]["Error"];
            };
        };
        /** @description You sent too many requests; wait as long as `Retry-After` says. The limits are not specified (§7, §8). */
        RateLimited: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error?: {
                        /** @enum {string} */
                        code?: "RATE_LIMITED";
                    };
                } & components["schemas"]["Error"];
            };
        };
        /** @description The module or the environment is not yet available (§7). */
        NotReady: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error?: {
                        /** @enum {string} */
                        code?: "API_NOT_READY" | "ORDERS_NOT_READY";
                    };
                } & components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description The maximum number of records on a page (§4, §8).
         * @example 50
         */
        Limit: number;
        /**
         * @description Selects a further page. Copy it unchanged from `data.page.next_cursor`; never construct it yourself (§4).
         * @example b3JkZXJzOjQ3MDk
         */
        Cursor: string;
        /**
         * @description Selects records that changed at or after this time, which is your checkpoint (§4, rule 3).
         * @example 2026-10-03T16:10:30+02:00
         */
        UpdatedAfter: string;
        /**
         * @description Selects orders with any of these statuses, separated by commas (§4).
         * @example [
         *       "preparing",
         *       "ready"
         *     ]
         */
        OrderStatuses: components["schemas"]["OrderStatus"][];
        /**
         * @description Selects orders from any of these channels, separated by commas (§4).
         * @example [
         *       "takeaway"
         *     ]
         */
        Channels: components["schemas"]["Channel"][];
        /**
         * @description Selects reservations with any of these statuses, separated by commas (§4).
         * @example [
         *       "pending",
         *       "confirmed"
         *     ]
         */
        ReservationStatuses: components["schemas"]["ReservationStatus"][];
        /**
         * @description Selects reservations on or after this day (§4).
         * @example 2026-10-10
         */
        DateFrom: string;
        /**
         * @description Selects reservations on or before this day, which must not be before `date_from` (§4, §8).
         * @example 2026-10-11
         */
        DateTo: string;
        /**
         * @description Identifies the order by its id; do not combine with `code` (§4).
         * @example 4711
         */
        OrderId: number;
        /** @description Identifies the order by its code; do not combine with `id` (§4). */
        OrderCode: string;
        /**
         * @description Identifies the reservation by its id (§4).
         * @example 9021
         */
        ReservationId: number;
        /**
         * @description The ETag from an earlier 200 response. If nothing has changed since, the response is 304 without a body (§4, rule 4).
         * @example "3f9a1c72"
         */
        IfNoneMatch: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifies this version of the body; send it back in `If-None-Match` (§4, rule 4).
         * @example "3f9a1c72"
         */
        ETag: string;
        /**
         * @description The ETag of the copy that is still current. It may be left out (§4, rule 4).
         * @example "3f9a1c72"
         */
        UnchangedETag: string;
        /**
         * @description How long to wait, in seconds or until a date, as RFC 9110 defines it (§7).
         * @example 30
         */
        RetryAfter: string;
    };
    pathItems: never;
}
export type Error = components['schemas']['Error'];
export type Success = components['schemas']['Success'];
export type Order = components['schemas']['Order'];
export type OrderSummary = components['schemas']['OrderSummary'];
export type OrderDetail = components['schemas']['OrderDetail'];
export type Channel = components['schemas']['Channel'];
export type Customer = components['schemas']['Customer'];
export type OrderService = components['schemas']['OrderService'];
export type OrderPayment = components['schemas']['OrderPayment'];
export type OrderTotals = components['schemas']['OrderTotals'];
export type Reservation = components['schemas']['Reservation'];
export type ReservationSchedule = components['schemas']['ReservationSchedule'];
export type TableAssignment = components['schemas']['TableAssignment'];
export type AssignmentTime = components['schemas']['AssignmentTime'];
export type ChangedAt = components['schemas']['ChangedAt'];
export type OrderPage = components['schemas']['OrderPage'];
export type SchemaVersion = components['schemas']['SchemaVersion'];
export type Business = components['schemas']['Business'];
export type ReservationPage = components['schemas']['ReservationPage'];
export type Page = components['schemas']['Page'];
export type Identity = components['schemas']['Identity'];
export type MenuManifest = components['schemas']['MenuManifest'];
export type Menu = components['schemas']['Menu'];
export type OrderBody = components['schemas']['OrderBody'];
export type ReservationBody = components['schemas']['ReservationBody'];
export type OrderStatus = components['schemas']['OrderStatus'];
export type ReservationStatus = components['schemas']['ReservationStatus'];
export type ResponseIdentity = components['responses']['Identity'];
export type ResponseMenuManifest = components['responses']['MenuManifest'];
export type ResponseMenu = components['responses']['Menu'];
export type ResponseOrderPage = components['responses']['OrderPage'];
export type ResponseOrder = components['responses']['Order'];
export type ResponseReservationPage = components['responses']['ReservationPage'];
export type ResponseReservation = components['responses']['Reservation'];
export type ResponseUnchanged = components['responses']['Unchanged'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseNoMenu = components['responses']['NoMenu'];
export type ResponseOrderNotFound = components['responses']['OrderNotFound'];
export type ResponseReservationNotFound = components['responses']['ReservationNotFound'];
export type ResponseInvalidQuery = components['responses']['InvalidQuery'];
export type ResponseRateLimited = components['responses']['RateLimited'];
export type ResponseNotReady = components['responses']['NotReady'];
export type ParameterLimit = components['parameters']['Limit'];
export type ParameterCursor = components['parameters']['Cursor'];
export type ParameterUpdatedAfter = components['parameters']['UpdatedAfter'];
export type ParameterOrderStatuses = components['parameters']['OrderStatuses'];
export type ParameterChannels = components['parameters']['Channels'];
export type ParameterReservationStatuses = components['parameters']['ReservationStatuses'];
export type ParameterDateFrom = components['parameters']['DateFrom'];
export type ParameterDateTo = components['parameters']['DateTo'];
export type ParameterOrderId = components['parameters']['OrderId'];
export type ParameterOrderCode = components['parameters']['OrderCode'];
export type ParameterReservationId = components['parameters']['ReservationId'];
export type ParameterIfNoneMatch = components['parameters']['IfNoneMatch'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderUnchangedETag = components['headers']['UnchangedETag'];
export type HeaderRetryAfter = components['headers']['RetryAfter'];
export type $defs = Record<string, never>;
export interface operations {
    getIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Identity"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["NotReady"];
        };
    };
    getMenuManifest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MenuManifest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoMenu"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["NotReady"];
        };
    };
    getMenu: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag from an earlier 200 response. If nothing has changed since, the response is 304 without a body (§4, rule 4).
                 * @example "3f9a1c72"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Menu"];
            304: components["responses"]["Unchanged"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoMenu"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["NotReady"];
        };
    };
    listOrders: {
        parameters: {
            query?: {
                /**
                 * @description The maximum number of records on a page (§4, §8).
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Selects a further page. Copy it unchanged from `data.page.next_cursor`; never construct it yourself (§4).
                 * @example b3JkZXJzOjQ3MDk
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Selects records that changed at or after this time, which is your checkpoint (§4, rule 3).
                 * @example 2026-10-03T16:10:30+02:00
                 */
                updated_after?: components["parameters"]["UpdatedAfter"];
                /**
                 * @description Selects orders with any of these statuses, separated by commas (§4).
                 * @example [
                 *       "preparing",
                 *       "ready"
                 *     ]
                 */
                status?: components["parameters"]["OrderStatuses"];
                /**
                 * @description Selects orders from any of these channels, separated by commas (§4).
                 * @example [
                 *       "takeaway"
                 *     ]
                 */
                channel?: components["parameters"]["Channels"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OrderPage"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["InvalidQuery"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["NotReady"];
        };
    };
    getOrder: {
        parameters: {
            query?: {
                /**
                 * @description Identifies the order by its id; do not combine with `code` (§4).
                 * @example 4711
                 */
                id?: components["parameters"]["OrderId"];
                /** @description Identifies the order by its code; do not combine with `id` (§4). */
                code?: components["parameters"]["OrderCode"];
            };
            header?: {
                /**
                 * @description The ETag from an earlier 200 response. If nothing has changed since, the response is 304 without a body (§4, rule 4).
                 * @example "3f9a1c72"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Order"];
            304: components["responses"]["Unchanged"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["OrderNotFound"];
            422: components["responses"]["InvalidQuery"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["NotReady"];
        };
    };
    listReservations: {
        parameters: {
            query?: {
                /**
                 * @description The maximum number of records on a page (§4, §8).
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Selects a further page. Copy it unchanged from `data.page.next_cursor`; never construct it yourself (§4).
                 * @example b3JkZXJzOjQ3MDk
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Selects records that changed at or after this time, which is your checkpoint (§4, rule 3).
                 * @example 2026-10-03T16:10:30+02:00
                 */
                updated_after?: components["parameters"]["UpdatedAfter"];
                /**
                 * @description Selects reservations with any of these statuses, separated by commas (§4).
                 * @example [
                 *       "pending",
                 *       "confirmed"
                 *     ]
                 */
                status?: components["parameters"]["ReservationStatuses"];
                /**
                 * @description Selects reservations on or after this day (§4).
                 * @example 2026-10-10
                 */
                date_from?: components["parameters"]["DateFrom"];
                /**
                 * @description Selects reservations on or before this day, which must not be before `date_from` (§4, §8).
                 * @example 2026-10-11
                 */
                date_to?: components["parameters"]["DateTo"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ReservationPage"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["InvalidQuery"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["NotReady"];
        };
    };
    getReservation: {
        parameters: {
            query: {
                /**
                 * @description Identifies the reservation by its id (§4).
                 * @example 9021
                 */
                id: components["parameters"]["ReservationId"];
            };
            header?: {
                /**
                 * @description The ETag from an earlier 200 response. If nothing has changed since, the response is 304 without a body (§4, rule 4).
                 * @example "3f9a1c72"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Reservation"];
            304: components["responses"]["Unchanged"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ReservationNotFound"];
            422: components["responses"]["InvalidQuery"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["NotReady"];
        };
    };
}
