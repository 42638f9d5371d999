/** The types of the wiki API, made by openapi-typescript of the contract 0d807e862af8819c. */

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
         * @description Returns one page of the entries that the caller may see, without their bodies (§2, §4).
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
        /** @description The envelope of every success (§2). */
        Success: {
            /**
             * @description Always true on a success (§2).
             * @enum {boolean}
             */
            ok: true;
            /** @description The entries of a list, or one entry (§2). */
            data: unknown;
            /** @description What is to be known about the answer itself (§2). */
            meta: {
                /**
                 * @description The version of the interface (§2, §9).
                 * @enum {string}
                 */
                version: "v1";
            };
        };
        /** @description The envelope of every failure (§2). */
        Error: {
            /**
             * @description Always false on a failure (§2).
             * @enum {boolean}
             */
            ok: false;
            /** @description What went wrong (§2). */
            error: {
                /** @description A code for machines; each status allows only the code of its response (§2, §7). */
                code: string;
                /** @description An explanation for people (§7). */
                message: string;
            };
        };
        /** @description The fields that an entry has in lists and on its own alike (§2). */
        Entry: {
            /** @description Identifies the entry in the path of the single read (§2). */
            slug: string;
            /** @description The title of the entry (§2). */
            title: string;
            type: components["schemas"]["EntryType"];
            visibility: components["schemas"]["Visibility"];
            /** @description The relative path of the icon image, without scheme and host (§2). */
            icon_path: string;
            /**
             * Format: date-time-local
             * @description The moment of the last change in the form YYYY-MM-DD HH:MM:SS. Its time zone is not shown (§2).
             */
            updated_at: string;
        };
        /** @description An entry as lists show it, without its body (§2). */
        EntrySummary: components["schemas"]["Entry"];
        /** @description An entry as the single read shows it (§2, §4). */
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
         * @description Who may see the entry: everyone; editors, admins and later players who unlocked it; or admins alone (§2; §5, rule 3).
         *     Whether and how it changes from one to another is not shown (§3).
         * @enum {string}
         */
        Visibility: "public" | "team" | "admin";
        /** @description One page of the list (§2, §4). */
        EntryPage: {
            /** @description The entries on this page (§2). */
            data: components["schemas"]["EntrySummary"][];
            /** @description The page, and how many entries there are (§2). */
            meta: {
                /** @description The number of this page (§2). */
                page: number;
                /** @description How many entries a page holds at most (§2). */
                limit: number;
                /** @description The total number of entries (§2). */
                total: number;
            };
        } & WithRequired<components["schemas"]["Success"], "data" | "meta">;
        /** @description The body that holds one entry (§2, §4). */
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
        /** @description The request is bad. Which conditions lead here is not shown (§7). */
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
        /** @description The caller is not known. Which conditions lead here is not shown (§7). */
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
        /** @description The caller may not see this. Which conditions lead here is not shown (§7). */
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
        /** @description No entry has this slug. Whether a page past the last one is answered like this as well is not shown (§4, §7). */
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
         * @description Asks for entries of this type (§4).
         * @example creature
         */
        Type: components["schemas"]["EntryType"];
        /**
         * @description Asks for entries that match this text. Which fields are searched, and whether case matters, is not shown (§4).
         * @example sale
         */
        Query: string;
        /**
         * @description How many entries a page holds at most. The smallest and the largest value are not shown (§4, §8).
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
                 * @description Asks for entries of this type (§4).
                 * @example creature
                 */
                type?: components["parameters"]["Type"];
                /**
                 * @description Asks for entries that match this text. Which fields are searched, and whether case matters, is not shown (§4).
                 * @example sale
                 */
                q?: components["parameters"]["Query"];
                /**
                 * @description How many entries a page holds at most. The smallest and the largest value are not shown (§4, §8).
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
