/** The types of the business API, made by openapi-typescript of the contract fd15613c49d72882. */

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
         * @description Tells a caller which business and key it acts for, and which scopes and capabilities the key has (§2.5, §4).
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
         * @description Returns a lightweight manifest of the menu's version, so that a caller can tell whether to read the whole menu (§4).
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
         * @description Returns the whole menu document, or 304 when the caller's copy is still current (§4, rule 4).
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
         * @description Returns one page of order summaries. In which order the orders come is not shown (§4, rules 1 to 3).
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
         * @description Returns the complete order with its items, modifiers and option groups, or 304 when the caller's copy is still current.
         *     The order is named by its `id` or by its `code`: by exactly one of them (§4, rule 4).
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
         * @description Returns one page of reservations, sorted by their last change and then by id, the higher id first (§4, rules 1 to 3).
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
         * @description Returns the complete reservation, with its table assignment when one is active, or 304 when the caller's copy is still current
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
        /** @description Every failure has this shape, whichever operation it comes from (§2.1, §7). */
        Error: {
            /**
             * @description Always false on an error (§2.1).
             * @enum {boolean}
             */
            ok: false;
            /** @description What went wrong (§2.1). */
            error: {
                /** @description A code for machines; each status allows only the codes of its response (§7). */
                code: string;
                /** @description An explanation for people (§2.1). */
                message: string;
                /** @description Identifies the request; to be quoted when a problem is reported (§2.1). */
                request_id: string;
            };
        };
        /** @description What all successes have in common. Only of failures is it said that they carry `ok` (§2.1). */
        Success: {
            /**
             * @description Is true if a success carries it at all (§2.1).
             * @enum {boolean}
             */
            ok?: true;
        };
        /** @description The fields that an order has in lists and in its detail alike (§2.2). */
        Order: {
            /** @description The order's stable identity; callers use it as their external key (§2.2). */
            id: number;
            /** @description The order's code for people (§2.2). */
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
        /** @description An order as lists show it, without the three arrays of the detail (§2.2). */
        OrderSummary: components["schemas"]["Order"];
        /** @description An order as the detail shows it, with three arrays more than in lists. What their members hold is not shown (§2.2). */
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
            /** @description The modifications of what was ordered (§2.2). */
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
         * @description The way an order came in: for takeaway or from a table (§2.2).
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
                /** @description The table's name for people (§2.2). */
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
            /** @description How far the payment has come (§2.2). */
            status: string;
            /** @description Who handles the payment (§2.2). */
            provider: string;
            /**
             * Format: date-time
             * @description The moment of the payment, with its UTC offset (§2.2).
             */
            paid_at?: string | null;
        };
        /** @description What the order costs (§2.2). */
        OrderTotals: {
            /** @description The sum before the discount (§2.2). */
            subtotal: number;
            /** @description The discount (§2.2). */
            discount: number;
            /** @description The sum to be paid (§2.2). */
            total: number;
            /** @description The currency of the three amounts (§2.2). */
            currency: string;
        };
        /** @description A reservation, with the same fields in lists and in its detail (§2.3). */
        Reservation: {
            /** @description The reservation's stable identity (§2.3). */
            id: number;
            status: components["schemas"]["ReservationStatus"];
            /** @description Where the reservation came from (§2.3). */
            source: string;
            customer: components["schemas"]["Customer"];
            schedule: components["schemas"]["ReservationSchedule"];
            /** @description Free text, if there is any (§2.3). */
            notes?: string | null;
            table_assignment?: components["schemas"]["TableAssignment"];
            changed_at: components["schemas"]["ChangedAt"];
        };
        /** @description When the guests come and how many they are, in the time zone of the business (§2.3). */
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
        /** @description The table that is held for the guests, if an assignment is active; otherwise the field is null or absent (§2.3). */
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
            /** @description The table's name for people (§2.3). */
            table_label: string;
            starts_at: components["schemas"]["AssignmentTime"];
            ends_at: components["schemas"]["AssignmentTime"];
            /** @description The number of guests that the table is held for (§2.3). */
            people: number;
        } | null;
        /** @description The start or end of an assignment, with a UTC offset or in the local time of the business (§2.3). */
        AssignmentTime: string;
        /**
         * Format: date-time
         * @description The moment of the last change, in ISO 8601 with a UTC offset (§2.2, §2.3).
         */
        ChangedAt: string;
        /** @description One page of the order list. Only this list also carries `schema_version` and `business` (§2.4). */
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
        /** @description The version of the order list's shape. Its type is not shown (§2.4). */
        SchemaVersion: string;
        /** @description The business that the orders belong to. Its type is not shown (§2.4). */
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
        /** @description Where a list goes on (§2.4). */
        Page: {
            /** @description The opaque text that leads to the next page (§2.4). */
            next_cursor?: string | null;
            /** @description True while more pages exist (§2.4). */
            has_more: boolean;
        };
        /** @description A JSON object about the business, the key, its scopes and its capabilities. The names of its fields are not shown (§2.5). */
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
        /** @description A lightweight JSON object about the version of the menu. Its fields are not shown (§2.5, §4). */
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
         *     The names of its fields are not shown (§2.5).
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
        /** @description The body that holds one order. At which place it holds it is not shown, so any of three places will do (§2.2). */
        OrderBody: {
            data: {
                order: components["schemas"]["OrderDetail"];
            };
        } & components["schemas"]["Success"];
        /** @description The body that holds one reservation. At which place it holds it is not shown, so any of three places will do (§2.3). */
        ReservationBody: {
            data: {
                reservation: components["schemas"]["Reservation"];
            };
        } & components["schemas"]["Success"];
        /**
         * @description The state of an order. Which state may follow which is not shown (§3).
         * @enum {string}
         */
        OrderStatus: "pending" | "confirmed" | "preparing" | "ready" | "completed" | "cancelled" | "rejected" | "no_show";
        /**
         * @description The state of a reservation. Which state may follow which is not shown (§3).
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
        /** @description The whole menu, with the ETag of this version (§4, rule 4). */
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
        /** @description The caller's copy is still current, so no body is sent (§1; §4, rule 4). */
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
        /** @description The business has no source menu. The code of this failure is not shown (§4, §7). */
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
        /** @description A parameter is invalid, such as a wrong id, or the filters conflict (§7). */
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
        /** @description There were too many attempts, and the caller must wait as `Retry-After` says. The thresholds are not shown (§7, §8). */
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
         * @description How many records a page holds at most (§4, §8).
         * @example 50
         */
        Limit: number;
        /**
         * @description Leads to a further page. It is taken from `data.page.next_cursor` as it is and never constructed by the caller (§4).
         * @example b3JkZXJzOjQ3MDk
         */
        Cursor: string;
        /**
         * @description Asks for the records that changed from this moment on, the caller's checkpoint included (§4, rule 3).
         * @example 2026-10-03T16:10:30+02:00
         */
        UpdatedAfter: string;
        /**
         * @description Asks for orders in any of these states, separated by commas (§4).
         * @example [
         *       "preparing",
         *       "ready"
         *     ]
         */
        OrderStatuses: components["schemas"]["OrderStatus"][];
        /**
         * @description Asks for orders from any of these channels, separated by commas (§4).
         * @example [
         *       "takeaway"
         *     ]
         */
        Channels: components["schemas"]["Channel"][];
        /**
         * @description Asks for reservations in any of these states, separated by commas (§4).
         * @example [
         *       "pending",
         *       "confirmed"
         *     ]
         */
        ReservationStatuses: components["schemas"]["ReservationStatus"][];
        /**
         * @description Asks for reservations from this day on, the day included (§4).
         * @example 2026-10-10
         */
        DateFrom: string;
        /**
         * @description Asks for reservations up to this day, the day included. It must not lie before `date_from` (§4, §8).
         * @example 2026-10-11
         */
        DateTo: string;
        /**
         * @description Names the order by its identity; never together with `code` (§4).
         * @example 4711
         */
        OrderId: number;
        /** @description Names the order by its code; never together with `id` (§4). */
        OrderCode: string;
        /**
         * @description Names the reservation by its identity (§4).
         * @example 9021
         */
        ReservationId: number;
        /**
         * @description The ETag of an earlier 200 response. If nothing changed since, the answer is 304 without a body (§4, rule 4).
         * @example "3f9a1c72"
         */
        IfNoneMatch: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifies this version of the body, to be sent back in `If-None-Match` (§4, rule 4).
         * @example "3f9a1c72"
         */
        ETag: string;
        /**
         * @description The ETag of the copy that is still current. It may be left out (§4, rule 4).
         * @example "3f9a1c72"
         */
        UnchangedETag: string;
        /**
         * @description How long the caller must wait, as seconds or as a date in the forms of RFC 9110 (§7).
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
                 * @description The ETag of an earlier 200 response. If nothing changed since, the answer is 304 without a body (§4, rule 4).
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
                 * @description How many records a page holds at most (§4, §8).
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Leads to a further page. It is taken from `data.page.next_cursor` as it is and never constructed by the caller (§4).
                 * @example b3JkZXJzOjQ3MDk
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Asks for the records that changed from this moment on, the caller's checkpoint included (§4, rule 3).
                 * @example 2026-10-03T16:10:30+02:00
                 */
                updated_after?: components["parameters"]["UpdatedAfter"];
                /**
                 * @description Asks for orders in any of these states, separated by commas (§4).
                 * @example [
                 *       "preparing",
                 *       "ready"
                 *     ]
                 */
                status?: components["parameters"]["OrderStatuses"];
                /**
                 * @description Asks for orders from any of these channels, separated by commas (§4).
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
                 * @description Names the order by its identity; never together with `code` (§4).
                 * @example 4711
                 */
                id?: components["parameters"]["OrderId"];
                /** @description Names the order by its code; never together with `id` (§4). */
                code?: components["parameters"]["OrderCode"];
            };
            header?: {
                /**
                 * @description The ETag of an earlier 200 response. If nothing changed since, the answer is 304 without a body (§4, rule 4).
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
                 * @description How many records a page holds at most (§4, §8).
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Leads to a further page. It is taken from `data.page.next_cursor` as it is and never constructed by the caller (§4).
                 * @example b3JkZXJzOjQ3MDk
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Asks for the records that changed from this moment on, the caller's checkpoint included (§4, rule 3).
                 * @example 2026-10-03T16:10:30+02:00
                 */
                updated_after?: components["parameters"]["UpdatedAfter"];
                /**
                 * @description Asks for reservations in any of these states, separated by commas (§4).
                 * @example [
                 *       "pending",
                 *       "confirmed"
                 *     ]
                 */
                status?: components["parameters"]["ReservationStatuses"];
                /**
                 * @description Asks for reservations from this day on, the day included (§4).
                 * @example 2026-10-10
                 */
                date_from?: components["parameters"]["DateFrom"];
                /**
                 * @description Asks for reservations up to this day, the day included. It must not lie before `date_from` (§4, §8).
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
                 * @description Names the reservation by its identity (§4).
                 * @example 9021
                 */
                id: components["parameters"]["ReservationId"];
            };
            header?: {
                /**
                 * @description The ETag of an earlier 200 response. If nothing changed since, the answer is 304 without a body (§4, rule 4).
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
