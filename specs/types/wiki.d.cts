/** The types of the wiki API, made by openapi-typescript of the contract cb5f51d079fd3679. */

export interface paths {
    "/api/v1/wiki": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List or search entries
         * @description Returns one page of the entries that you may see, without their bodies (§2, §4).
         */
        get: operations["listEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wiki/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one entry
         * @description Returns one entry with its body (§4).
         */
        get: operations["getEntry"];
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
        /** @description The body of every success response (§2). */
        Success: {
            /**
             * @description Always true in a success response (§2).
             * @enum {boolean}
             */
            ok: true;
            /** @description The entries of a list, or one entry (§2). */
            data: unknown;
            /** @description Metadata about the response (§2). */
            meta: {
                /**
                 * @description The version of the API (§2, §9).
                 * @enum {string}
                 */
                version: "v1";
            };
        };
        /** @description The body of every error response (§2). */
        Error: {
            /**
             * @description Always false in an error response (§2).
             * @enum {boolean}
             */
            ok: false;
            /** @description What went wrong (§2). */
            error: {
                /** @description A machine-readable code; each status allows only the code listed for it (§2, §7). */
                code: string;
                /** @description A human-readable explanation (§7). */
                message: string;
            };
        };
        /** @description The fields that an entry has both in lists and on its own (§2). */
        Entry: {
            /** @description Identifies the entry in its path (§2). */
            slug: string;
            /** @description The title of the entry (§2). */
            title: string;
            type: components["schemas"]["EntryType"];
            visibility: components["schemas"]["Visibility"];
            /** @description The relative path of the icon image, without scheme or host (§2). */
            icon_path: string;
            /**
             * Format: date-time-local
             * @description The time of the last change, as YYYY-MM-DD HH:MM:SS. Its time zone is not specified (§2).
             */
            updated_at: string;
        };
        /** @description An entry as it appears in lists, without its body (§2). */
        EntrySummary: components["schemas"]["Entry"];
        /** @description An entry on its own, with its body (§2, §4). */
        EntryDetail: {
            /** @description The text of the entry; it may contain HTML (§2). */
            body_public: string;
        } & components["schemas"]["Entry"];
        /**
         * @description What the entry is about: a creature, place, find, character, brand or weapon (§1, §2).
         * @enum {string}
         */
        EntryType: "creature" | "luogo" | "reperto" | "personaggio" | "brand" | "arma";
        /**
         * @description Who may see the entry: everyone; editors, admins and, later, players who unlocked it; or only admins (§2; §5, rule 3).
         *     Whether and how it changes is not specified (§3).
         * @enum {string}
         */
        Visibility: "public" | "team" | "admin";
        /** @description One page of the list (§2, §4). */
        EntryPage: {
            /** @description The entries on this page (§2). */
            data: components["schemas"]["EntrySummary"][];
            /** @description The page, and the total number of entries (§2). */
            meta: {
                /** @description The number of this page (§2). */
                page: number;
                /** @description The maximum number of entries on a page (§2). */
                limit: number;
                /** @description The total number of entries (§2). */
                total: number;
            };
        } & WithRequired<components["schemas"]["Success"], "data" | "meta">;
        /** @description A body with one entry (§2, §4). */
        EntryBody: {
            data: components["schemas"]["EntryDetail"];
        } & WithRequired<components["schemas"]["Success"], "data">;
    };
    responses: {
        /** @description OK, with a page of entries (§4, §7). */
        EntryPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EntryPage"];
            };
        };
        /** @description OK, with the entry and its body (§4, §7). */
        Entry: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EntryBody"];
            };
        };
        /** @description The request is invalid. The conditions are not specified (§7). */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error?: {
                        /** @enum {string} */
                        code?: "BAD_REQUEST";
                    };
                } & components["schemas"]["Error"];
            };
        };
        /** @description The caller is not authenticated. The conditions are not specified (§7). */
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
        /** @description The caller may not see this. The conditions are not specified (§7). */
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
        /** @description No entry has this slug. Whether this also applies to a page after the last is not specified (§4, §7). */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error?: {
                        /** @enum {string} */
                        code?: "NOT_FOUND";
                    };
                } & components["schemas"]["Error"];
            };
        };
        /** @description The server failed (§7). */
        ServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error?: {
                        /** @enum {string} */
                        code?: "SERVER_ERROR";
                    };
                } & components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description Selects entries of this type (§4).
         * @example creature
         */
        Type: components["schemas"]["EntryType"];
        /**
         * @description Selects entries that match this text. The fields searched and the treatment of case are not specified (§4).
         * @example sale
         */
        Query: string;
        /**
         * @description The maximum number of entries on a page. Its own limits are not specified (§4, §8).
         * @example 30
         */
        Limit: number;
        /**
         * @description The number of the page, counted from 1 (§4, §8).
         * @example 1
         */
        Page: number;
        /**
         * @description Identifies the entry (§4).
         * @example lupo-di-sale
         */
        Slug: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Success = components['schemas']['Success'];
export type Error = components['schemas']['Error'];
export type Entry = components['schemas']['Entry'];
export type EntrySummary = components['schemas']['EntrySummary'];
export type EntryDetail = components['schemas']['EntryDetail'];
export type EntryType = components['schemas']['EntryType'];
export type Visibility = components['schemas']['Visibility'];
export type EntryPage = components['schemas']['EntryPage'];
export type EntryBody = components['schemas']['EntryBody'];
export type ResponseEntryPage = components['responses']['EntryPage'];
export type ResponseEntry = components['responses']['Entry'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseServerError = components['responses']['ServerError'];
export type ParameterType = components['parameters']['Type'];
export type ParameterQuery = components['parameters']['Query'];
export type ParameterLimit = components['parameters']['Limit'];
export type ParameterPage = components['parameters']['Page'];
export type ParameterSlug = components['parameters']['Slug'];
export type $defs = Record<string, never>;
export interface operations {
    listEntries: {
        parameters: {
            query?: {
                /**
                 * @description Selects entries of this type (§4).
                 * @example creature
                 */
                type?: components["parameters"]["Type"];
                /**
                 * @description Selects entries that match this text. The fields searched and the treatment of case are not specified (§4).
                 * @example sale
                 */
                q?: components["parameters"]["Query"];
                /**
                 * @description The maximum number of entries on a page. Its own limits are not specified (§4, §8).
                 * @example 30
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The number of the page, counted from 1 (§4, §8).
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["EntryPage"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    getEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifies the entry (§4).
                 * @example lupo-di-sale
                 */
                slug: components["parameters"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Entry"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
}
type WithRequired<T, K extends keyof T> = T & {
    [P in K]-?: T[P];
};
