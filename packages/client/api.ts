// Written by `npm run openapi` from the contract; do not edit.
export interface paths {
    "/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Availability probe
         * @description Shows that the API responds. It needs no key, does not count against a limit, and is never cached.
         */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/meta/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Data sources and last fetch times
         * @description One row for each upstream source that was fetched at least once. Only a successful fetch changes the time, so an old time means that the source is down.
         */
        get: operations["sources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Data sources and last fetch times (alias of /v1/meta/sources)
         * @description The same as `/v1/meta/sources`, which is preferred. This path remains for existing clients.
         */
        get: operations["sourcesAlias"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Covered ports
         * @description The ports that the service covers, with their position and the newest figures of each: a ranking of all ports in one request. `as_of` gives the figures that were known then; name, position, sources and method are those of now.
         */
        get: operations["ports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Largest changes over a week (beta)
         * @description The covered ports by the size of `congestion_score_change`, up or down, ports without one after them, ports that have not been observed last, ties by UN/LOCODE. Each figure is compared with the same figure at the same hour seven days before.
         */
        get: operations["changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ports/{UNLOCODE}/trend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Time series of congestion metrics
         * @description One point a UTC day, oldest first. Give exactly one of `window` and `days`; `until` moves the window back, `as_of` gives what was known then. Days without a reliable value for every field are omitted, never filled with zeros.
         */
        get: operations["trend"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ports/{UNLOCODE}/waits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Wait statistics day by day
         * @description One row a UTC day, unsmoothed, from `from` to `to`, at most 366 days apart; by default the last 30 days; `as_of` gives what was known then. `avg_wait_hours` of the trend can be recomputed from the rows. The Lite plan does not include it.
         */
        get: operations["waits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ports/{UNLOCODE}/forecast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The next seven days, with the error of such forecasts (beta)
         * @description Seven days of one figure as a band of 80 % and its middle, and in `skill` how far such forecasts of this port were off, beside two simple rules: the newest value, and the median of 28 days. A forecast is issued once a UTC day, when the first observation of that day is read, from the complete days before it; an issued forecast is stored and never changed, and `as_of` gives it as it was served. It is of the port as a whole, not of one vessel or berth. Without enough history or fresh observations there are no rows but a `reason`. Beta: its form can change; the changelog announces it. The Lite plan does not include it.
         */
        get: operations["forecast"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ports/{UNLOCODE}/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Latest point-in-time snapshot
         * @description The state of the port at `as_of`, the time of the newest good observation, which is not the time of the request; the parameter `as_of` gives the last one of a past day.
         */
        get: operations["snapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ports/{UNLOCODE}/dwell": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Dwell and wait sequences derived from vessel calls
         * @description Closed periods, chosen by their end and oldest first: waits at anchor and stays at berth. `until` moves the window back. A wait that is still open shows in the snapshot. A covered port without periods returns an empty list.
         */
        get: operations["dwell"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ports/{UNLOCODE}/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Thresholds, change points and unusual figures
         * @description Thresholds that were crossed, levels that changed and figures that are unusual for the port, newest first; the last of the running day too. A window has the alerts with start of its first day < `as_of` <= end of its last, so adjacent windows share none; `until` moves it back, `as_of` gives what was known then. The numbers in `explain` can be recomputed from the trend, those of `at_anchor` from dwell, of the `berthings` of a whole day from the waits.
         */
        get: operations["alerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Alerts of all ports, as a list or a feed
         * @description The alerts of every covered port since a UTC day, at most 90 days back, newest day first: as JSON, CSV, Atom or JSON Feed. An alert keeps its `id` while it changes, so that a reader shows it once; entries lead to the page of the port. A full page is followed by one that continues `after` its last id.
         */
        get: operations["alertFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hs/{code}/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Monthly import momentum by HS code (beta)
         * @description Import momentum of the newest 36 months, oldest first: 100 is the same three months a year before. A code without data whose chapter exists returns an empty list. `as_of` gives what was known then. Beta: its form can change; the changelog announces it. The Lite plan does not include it.
         */
        get: operations["hsImports"];
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
        /** @description Why the request failed, and what to do. */
        ErrorEnvelope: {
            /**
             * @description Machine-readable key.
             * @enum {string}
             */
            code: "bad_request" | "auth_missing" | "auth_invalid" | "auth_forbidden" | "not_found" | "conflict" | "validation_failed" | "rate_limited" | "internal_error" | "upstream_error";
            /** @description One line for people. */
            message: string;
            /**
             * Format: uuid
             * @description Equals the x-request-id header.
             */
            request_id: string;
            /** @description What to do next. */
            hint?: string;
        };
        /** @description One alert of the port. */
        Alert: {
            /**
             * @description What raised the alert: a figure at or above a line for all ports (`threshold`), a level that changed (`change_point`), or a figure that the port has hardly seen (`unusual`).
             * @enum {string}
             */
            type: "threshold" | "change_point" | "unusual";
            /**
             * @description The figure that it is about.
             * @enum {string}
             */
            metric: "congestion_score" | "avg_wait_hours" | "at_anchor" | "berthings";
            /**
             * @description How severe: by the line that was reached, or by the size of the change.
             * @enum {string}
             */
            severity: "low" | "medium" | "high";
            /**
             * Format: double
             * @description Fractional change: 1 is a doubling, -0.5 a halving.
             * @example 0.6613
             */
            change_pct: number;
            /**
             * Format: date-time
             * @description End of the last day used, or the newest observation when that day still runs; for `berthings` the end of the hour at which it was known. ISO 8601 in UTC, whole seconds.
             * @example 2026-11-20T12:00:00Z
             */
            as_of: string;
            /**
             * @description The reason, in one line; its numbers can be recomputed from the API.
             * @example congestion_score 0.76 is at or above 0.75 for 2 days (28-day median 0.41).
             */
            explain: string;
            /**
             * Format: date-time
             * @description For `berthings` when the closure began: the hour after the last berthing. Absent until twelve hours of it are over, and for other figures. ISO 8601 in UTC, whole seconds.
             * @example 2026-11-20T12:00:00Z
             */
            began?: string;
        };
        /** @description One alert, with its port. */
        PortAlert: {
            /**
             * @description Stays the same while the figures of the alert change: UTC day, port, metric and type.
             * @example 2025-09-22.TWKHH.berthings.unusual
             */
            id: string;
            /**
             * @description UN/LOCODE of the port, upper case.
             * @example HKHKG
             */
            port: string;
            /**
             * @description ISO 3166-1 alpha-2 code of the country.
             * @example HK
             */
            country: string;
            /**
             * @description What raised the alert: a figure at or above a line for all ports (`threshold`), a level that changed (`change_point`), or a figure that the port has hardly seen (`unusual`).
             * @enum {string}
             */
            type: "threshold" | "change_point" | "unusual";
            /**
             * @description The figure that it is about.
             * @enum {string}
             */
            metric: "congestion_score" | "avg_wait_hours" | "at_anchor" | "berthings";
            /**
             * @description How severe: by the line that was reached, or by the size of the change.
             * @enum {string}
             */
            severity: "low" | "medium" | "high";
            /**
             * Format: double
             * @description Fractional change: 1 is a doubling, -0.5 a halving.
             * @example 0.6613
             */
            change_pct: number;
            /**
             * Format: date-time
             * @description End of the last day used, or the newest observation when that day still runs; for `berthings` the end of the hour at which it was known. ISO 8601 in UTC, whole seconds.
             * @example 2026-11-20T12:00:00Z
             */
            as_of: string;
            /**
             * @description The reason, in one line; its numbers can be recomputed from the API.
             * @example congestion_score 0.76 is at or above 0.75 for 2 days (28-day median 0.41).
             */
            explain: string;
            /**
             * Format: date-time
             * @description For `berthings` when the closure began: the hour after the last berthing. Absent until twelve hours of it are over, and for other figures. ISO 8601 in UTC, whole seconds.
             * @example 2026-11-20T12:00:00Z
             */
            began?: string;
        };
        /** @description A covered port with its newest figures. */
        PortRecord: {
            /**
             * @description UN/LOCODE of the port, upper case.
             * @example HKHKG
             */
            port: string;
            /**
             * @description Name of the port.
             * @example Hong Kong
             */
            name: string;
            /**
             * @description ISO 3166-1 alpha-2 code of the country.
             * @example HK
             */
            country: string;
            /**
             * Format: double
             * @description Degrees north, WGS 84.
             * @example 22.2667
             */
            latitude: number;
            /**
             * Format: double
             * @description Degrees east, WGS 84.
             * @example 114.2
             */
            longitude: number;
            /** @description Ids of the sources that cover the port. In CSV, separated by a space. */
            sources: string[];
            /**
             * Format: date-time
             * @description Newest observation; null when nothing has been observed yet.
             * @example 2026-11-20T12:00:00Z
             */
            last_observed: string | null;
            /**
             * Format: date-time
             * @description Newest observation behind the figures, as in the snapshot; null when nothing has been observed yet.
             * @example 2026-11-20T12:00:00Z
             */
            as_of: string | null;
            /**
             * Format: double
             * @description Congestion score of the snapshot, 0 to 1; null when nothing has been observed yet.
             * @example 0.412
             */
            congestion_score: number | null;
            /**
             * Format: double
             * @description Average wait of the snapshot in hours; null when nothing has been observed yet.
             * @example 11.3
             */
            avg_wait_hours: number | null;
            /**
             * Format: int32
             * @description Vessels waiting at anchor; part of in_port; null when nothing has been observed yet.
             * @example 9
             */
            at_anchor: number | null;
            /**
             * Format: int32
             * @description Vessels in port: at anchor, at berth or moving; null when nothing has been observed yet.
             * @example 41
             */
            in_port: number | null;
            /**
             * Format: date
             * @description First UTC day that the observations cover; null when nothing has been observed yet.
             * @example 2025-10-04
             */
            first_day: string | null;
            /**
             * Format: date
             * @description Last UTC day that the observations cover; null when nothing has been observed yet.
             * @example 2026-11-20
             */
            last_day: string | null;
            /**
             * @description What the figures are made from: `records` that state event times, `polls` of a list of vessels, or vessel `positions`.
             * @enum {string|null}
             */
            method: "records" | "polls" | "positions" | null;
            /**
             * @description What the data rest on, by the published rule: `observed`, this deployment has fetched them and they are not stale; else the source is `recorded`, a real reply in the repository passes its tests; `read`, tests have read a real reply that is kept elsewhere; `expected`, published formats only. `given`: a person gave the service a table of calls. `simulated`: made-up sample data.
             * @example recorded
             * @enum {string}
             */
            evidence: "observed" | "recorded" | "given" | "read" | "expected" | "simulated";
            /**
             * @description What avg_wait_hours rests on: `berthed`, the waits of vessels that have berthed; `open`, those of vessels still waiting, as none has berthed yet; `mixed`, both. null without a figure.
             * @enum {string|null}
             */
            wait_basis: "berthed" | "mixed" | "open" | null;
            /**
             * Format: date-time
             * @description Beginning of the closure while berthings have surely stopped: the hour after the last one before the first twelve hours with at most a tenth of the usual number. Null otherwise, also while berthings are back for less than a day within a closure.
             * @example 2026-11-20T12:00:00Z
             */
            stopped_since: string | null;
        };
        /** @description A port, and how far its figures moved in seven days. */
        PortChange: {
            /**
             * @description UN/LOCODE of the port, upper case.
             * @example HKHKG
             */
            port: string;
            /**
             * @description Name of the port.
             * @example Hong Kong
             */
            name: string;
            /**
             * @description ISO 3166-1 alpha-2 code of the country.
             * @example HK
             */
            country: string;
            /**
             * Format: date-time
             * @description Newest observation behind the figures, as in the snapshot; null when nothing has been observed yet.
             * @example 2026-11-20T12:00:00Z
             */
            as_of: string | null;
            /**
             * Format: double
             * @description Congestion score of the snapshot, 0 to 1; null when nothing has been observed yet.
             * @example 0.412
             */
            congestion_score: number | null;
            /**
             * Format: double
             * @description congestion_score less the same figure seven days before as_of. By the calls known now. null where the port was not observed then, or for less than a week before.
             * @example 0.118
             */
            congestion_score_change: number | null;
            /**
             * Format: double
             * @description Average wait of the snapshot in hours; null when nothing has been observed yet.
             * @example 11.3
             */
            avg_wait_hours: number | null;
            /**
             * Format: double
             * @description avg_wait_hours less the same figure seven days before as_of, hours. By the calls known now. null where the port was not observed then, or for less than a week before.
             * @example 4.2
             */
            avg_wait_hours_change: number | null;
            /**
             * Format: int32
             * @description Vessels waiting at anchor; part of in_port; null when nothing has been observed yet.
             * @example 9
             */
            at_anchor: number | null;
            /**
             * Format: int32
             * @description at_anchor less the same count seven days before as_of. By the calls known now. null where the port was not observed then, or for less than a week before.
             * @example 12
             */
            at_anchor_change: number | null;
            /** @description Daily scores of the 30 UTC days that end with the day of as_of, oldest first; empty while nothing has been observed. In CSV, separated by a space, a day without a score empty. */
            scores: (number | null)[];
        };
        /** @description One closed wait or berth stay. */
        DwellPeriod: {
            /**
             * Format: date-time
             * @description Start of the period. ISO 8601 in UTC, whole seconds.
             * @example 2026-11-20T12:00:00Z
             */
            start: string;
            /**
             * Format: date-time
             * @description End of the period. ISO 8601 in UTC, whole seconds.
             * @example 2026-11-20T12:00:00Z
             */
            end: string;
            /**
             * @description `wait` at anchor, or `berth` alongside.
             * @enum {string}
             */
            kind: "wait" | "berth";
            /**
             * Format: double
             * @description Duration in hours.
             * @example 14.25
             */
            hours: number;
        };
        /** @description One day of a forecast. */
        ForecastDay: {
            /**
             * Format: date
             * @description UTC calendar day.
             * @example 2026-11-21
             */
            date: string;
            /**
             * Format: double
             * @description Below this in one case of ten.
             * @example 7.4
             */
            p10: number;
            /**
             * Format: double
             * @description The forecast: as likely above as below.
             * @example 11.8
             */
            p50: number;
            /**
             * Format: double
             * @description Above this in one case of ten. From p10 to p90 is the band of 80 %.
             * @example 18.9
             */
            p90: number;
            /**
             * @description How p50 is made: `regression`, from the waits that the average keeps and the queue, as the methodology states; `median`, the median of 28 days, or `persistence`, the newest value, where that was better.
             * @enum {string}
             */
            method: "regression" | "median" | "persistence";
        };
        /** @description How good the forecasts for one horizon were. */
        HorizonSkill: {
            /**
             * Format: int32
             * @description Days ahead; 1 is the day that was running when the forecast was issued.
             * @example 1
             */
            horizon: number;
            /**
             * Format: double
             * @description Mean absolute error of p50, in the unit of the figure: hours, vessels or score.
             * @example 1.52
             */
            error: number;
            /**
             * Format: double
             * @description Error divided by that of the newest value: below 1 is better than it; null where that error is 0.
             * @example 0.98
             */
            ratio_to_persistence: number | null;
            /**
             * Format: double
             * @description Error divided by that of the median of 28 days: below 1 is better than it; null where that error is 0.
             * @example 0.6
             */
            ratio_to_median: number | null;
            /**
             * Format: double
             * @description Share of the outcomes that lay from p10 to p90; 0.8 is right.
             * @example 0.79
             */
            coverage: number;
        };
        /** @description How good forecasts of this figure of this port were. */
        ForecastSkill: {
            /**
             * @description `issued`: measured on the forecasts that were issued and stored. `rolling`, until 60 of these are known: on forecasts made afterwards from each past day, with nothing that came later.
             * @enum {string}
             */
            basis: "issued" | "rolling";
            /**
             * Format: int32
             * @description Forecasts that were measured.
             * @example 120
             */
            origins: number;
            /**
             * Format: date
             * @description First day from which one of them looks ahead.
             * @example 2026-07-15
             */
            from: string;
            /**
             * Format: date
             * @description Last such day.
             * @example 2026-11-12
             */
            to: string;
            /** @description One element a horizon, the nearest first. */
            horizons: components["schemas"]["HorizonSkill"][];
        };
        /** @description Forecast of one figure of a port. */
        PortForecast: {
            /**
             * @description UN/LOCODE of the port, upper case.
             * @example HKHKG
             */
            port: string;
            /**
             * @description The figure: `avg_wait_hours` and `congestion_score` as in the trend, or `at_anchor`, the mean number of vessels at anchor over the day.
             * @example avg_wait_hours
             * @enum {string}
             */
            metric: "avg_wait_hours" | "at_anchor" | "congestion_score";
            /**
             * Format: date-time
             * @description Newest observation behind the response; null when nothing has been observed yet.
             * @example 2026-11-20T12:00:00Z
             */
            as_of: string | null;
            /**
             * Format: int32
             * @description Days with a value of the figure that the forecast rests on, at most 400.
             * @example 214
             */
            history_days: number;
            /** @description How good such forecasts were, for this port and this figure; null with the reason `short_history`. */
            skill: components["schemas"]["ForecastSkill"] | null;
            /**
             * @description Why there are no rows: `short_history`, fewer than 90 days of history; `stale`, the newest observation of the port is older than a day. null with rows.
             * @enum {string|null}
             */
            reason: "short_history" | "stale" | null;
            /** @description The forecast was made afterwards, from an archive, by what was known on its day: it was never served then, and no `issued` skill counts it. */
            replayed: boolean;
            /** @description Seven days, oldest first, from the day of `as_of` on; none with a reason. */
            rows: components["schemas"]["ForecastDay"][];
        };
        /** @description That the service can be reached. */
        HealthRecord: {
            /**
             * @description Always `ok` when the API responds.
             * @constant
             */
            status: "ok";
            /**
             * Format: date-time
             * @description Time of the response. ISO 8601 in UTC, whole seconds.
             * @example 2026-11-20T12:00:00Z
             */
            time: string;
            /**
             * @description AWS region, or `local` on one machine.
             * @example eu-north-1
             */
            region: string;
        };
        /** @description Import index of one month. */
        HsImportPoint: {
            /**
             * @description Calendar month.
             * @example 2026-09
             */
            month: string;
            /**
             * Format: double
             * @description Import momentum: 100 is the same three months a year before.
             * @example 104.2
             */
            index: number;
        };
        /** @description Figures of a port at its newest observation. */
        Snapshot: {
            /**
             * @description UN/LOCODE of the port, upper case.
             * @example HKHKG
             */
            port: string;
            /**
             * Format: date-time
             * @description Newest good observation behind the response. ISO 8601 in UTC, whole seconds.
             * @example 2026-11-20T12:00:00Z
             */
            as_of: string;
            /**
             * Format: double
             * @description Congestion score, 0 (free) to 1, the mean of three terms.
             * @example 0.412
             */
            congestion_score: number;
            /**
             * Format: double
             * @description Mean hours between arrival and first berth, over seven days of berthings.
             * @example 11.3
             */
            avg_wait_hours: number;
            /** @description Vessel counts. Vessels laid up for over 60 days are not counted. */
            vessels: {
                /**
                 * Format: int32
                 * @description Calls that began in the 24 hours up to as_of.
                 * @example 24
                 */
                arrivals_24h: number;
                /**
                 * Format: int32
                 * @description Calls that ended in the 24 hours up to as_of.
                 * @example 22
                 */
                departures_24h: number;
                /**
                 * Format: int32
                 * @description Vessels waiting at anchor; part of in_port.
                 * @example 9
                 */
                at_anchor: number;
                /**
                 * Format: int32
                 * @description Vessels in port: at anchor, at berth or moving.
                 * @example 41
                 */
                in_port: number;
            };
        };
        /** @description Replies that were not accepted, since the last one that was. */
        NotAccepted: {
            /**
             * Format: date-time
             * @description The first of them. ISO 8601 in UTC, whole seconds.
             * @example 2026-11-20T12:00:00Z
             */
            since: string;
            /**
             * @description `refused`: it cannot be read; `held`: what it says is implausible.
             * @enum {string}
             */
            outcome: "refused" | "held";
            /**
             * @description Why the newest of them was not, in one sentence.
             * @example TWKHH in-port: 0 rows, 1,322 in the last reply
             */
            reason: string;
        };
        /** @description The release of the dataset that the tables began with. */
        ImportedRelease: {
            /**
             * Format: date
             * @description UTC day that names it.
             * @example 2026-11-01
             */
            release: string;
            /**
             * Format: date-time
             * @description When it was written; null where it does not say so.
             * @example 2026-11-20T12:00:00Z
             */
            made: string | null;
            /** @description Its figures were computed later, from an archive, and were not served on their days. */
            replayed: boolean;
        };
        /** @description A table of calls, as the person who gave it states it. */
        GivenTable: {
            /**
             * @description One of the same name replaces it.
             * @example tarragona-2019
             */
            name: string;
            /**
             * @description Null where it is not stated.
             * @example Port of Tarragona
             */
            publisher: string | null;
            /**
             * @description Null where it is not stated.
             * @example CC BY 4.0
             */
            licence: string | null;
            /**
             * @description Null where it is not stated.
             * @example Port of Tarragona, CC BY 4.0
             */
            attribution: string | null;
            /** @description Its single calls may be passed on. */
            calls: boolean;
            /** @description Ports whose figures it is in. */
            ports: string[];
        };
        /** @description An upstream source and its newest fetch. */
        SourceRecord: {
            /**
             * @description Id of the upstream data source.
             * @example hk-marine-department
             */
            source: string;
            /**
             * Format: date-time
             * @description Newest successful fetch; a failed fetch does not change it. ISO 8601 in UTC, whole seconds.
             * @example 2026-11-20T12:00:00Z
             */
            last_fetch_iso: string;
            /**
             * @description What the data rest on, by the published rule: `observed`, this deployment has fetched them and they are not stale; else the source is `recorded`, a real reply in the repository passes its tests; `read`, tests have read a real reply that is kept elsewhere; `expected`, published formats only. `given`: a person gave the service a table of calls. `simulated`: made-up sample data.
             * @example recorded
             * @enum {string}
             */
            evidence: "observed" | "recorded" | "given" | "read" | "expected" | "simulated";
            /** @description Absent while the newest reply is an accepted one. */
            not_accepted?: components["schemas"]["NotAccepted"];
            /** @description Where the first figures of the source come from a release of another service; absent where all are of replies that this one has read. */
            imported?: components["schemas"]["ImportedRelease"];
            /** @description The tables that count, of the source `call-tables` alone. */
            tables?: components["schemas"]["GivenTable"][];
        };
        /** @description Figures of one UTC day. */
        TrendPoint: {
            /**
             * Format: date
             * @description UTC calendar day.
             * @example 2026-11-20
             */
            date: string;
            /**
             * Format: double
             * @description Congestion score, 0 (free) to 1, the mean of three terms.
             * @example 0.412
             */
            congestion_score: number;
            /**
             * Format: double
             * @description Mean hours between arrival and first berth, over seven days of berthings.
             * @example 11.3
             */
            avg_wait_hours: number;
            /**
             * Format: int32
             * @description Distinct vessels in port at any time of the day.
             * @example 74
             */
            vessels: number;
        };
        /** @description Waits of the vessels that berthed on one UTC day. */
        WaitDay: {
            /**
             * Format: date
             * @description UTC calendar day.
             * @example 2026-11-20
             */
            date: string;
            /**
             * Format: int32
             * @description Cargo calls with a known wait that berthed on the day.
             * @example 5
             */
            berthed: number;
            /**
             * Format: int32
             * @description Calls of berthed that waited at anchor before the berth.
             * @example 3
             */
            waited: number;
            /**
             * Format: double
             * @description Share of berthed that waited 3 h or more; null on a day without a berthing.
             * @example 0.6
             */
            delayed_share: number | null;
            /**
             * Format: double
             * @description Mean wait of the berthed calls, zeros included; null on a day without a berthing.
             * @example 5.2
             */
            mean_hours: number | null;
            /**
             * Format: double
             * @description Median wait of the berthed calls, zeros included; null on a day without a berthing.
             * @example 4
             */
            median_hours: number | null;
            /**
             * Format: double
             * @description 90th percentile of these waits; null on a day without a berthing.
             * @example 11.2
             */
            p90_hours: number | null;
            /**
             * Format: double
             * @description Longest of these waits; null on a day without a berthing.
             * @example 12
             */
            max_hours: number | null;
            /**
             * Format: int32
             * @description Cargo calls that still waited at the end of the day; at the newest observation while the day is running; null on a day without coverage.
             * @example 2
             */
            waiting: number | null;
            /**
             * Format: double
             * @description Share of the day that the observations cover so far, from the first data of the port on.
             * @example 1
             */
            coverage: number;
            /**
             * Format: double
             * @description Sum of the hours that the calls of waiting had waited so far; null on a day without coverage.
             * @example 31.5
             */
            waiting_hours: number | null;
            /** @description Each wait of the calls of waited, ascending, to the second (4 decimals). In CSV, separated by a space. */
            waits: number[];
            /**
             * Format: int32
             * @description Waits of more than 25 days, which are not for a berth: of calls that berthed on the day, or open at its end. They are in no other figure of the row.
             * @example 0
             */
            excluded: number;
            /**
             * Format: int32
             * @description First berths of vessels whose type the source does not state. They are in no other figure; with `class`, 0.
             * @example 0
             */
            unknown_type: number;
            /**
             * Format: int32
             * @description Cargo calls that arrived in the observed part of the 28 days that end with the day; null on a day without coverage.
             * @example 140
             */
            recent_arrivals: number | null;
            /**
             * Format: double
             * @description Hours that cargo calls waited in these days, so far; null on a day without coverage.
             * @example 760.25
             */
            recent_wait_hours: number | null;
        };
    };
    responses: {
        /** @description The key is missing, malformed or unknown. */
        KeyRefused: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "Cache-Control": components["headers"]["NotCacheable"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The rate limit or the monthly quota is used up. */
        Limited: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "Cache-Control": components["headers"]["NotCacheable"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The service failed. */
        Failed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "Cache-Control": components["headers"]["NotCacheable"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description A component of the service failed. */
        PartFailed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "Cache-Control": components["headers"]["NotCacheable"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description A dependency of the service does not respond. */
        Unavailable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "Cache-Control": components["headers"]["NotCacheable"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The service did not respond in time. */
        TimedOut: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "Cache-Control": components["headers"]["NotCacheable"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
    };
    parameters: {
        /**
         * @description ETag of an earlier response, a list of them, or `*`: an unchanged response is a 304.
         * @example "1yEpphPYmuyaFwlFBCYNM8ysBh_nIq3-9btHdxmT9C8"
         */
        IfNoneMatch: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Id of this request, a new UUID on every response.
         * @example 0f4f2a54-6c1e-4b0a-9d5e-2f6f0d8f3a71
         */
        RequestId: string;
        /**
         * @description The response may be cached for five minutes.
         * @example public, max-age=300
         */
        Cacheable: "public, max-age=300";
        /**
         * @description The response may be cached for five minutes, except before the first observation.
         * @example public, max-age=300
         */
        CacheableOnceFilled: "public, max-age=300" | "no-store";
        /**
         * @description Errors and health are never cached.
         * @example no-store
         */
        NotCacheable: "no-store";
        /**
         * @description A cache may reuse a response for the same key and encoding only, and, where a stage allows origins, for the same origin.
         * @example X-API-Key, Accept-Encoding
         */
        Vary: "X-API-Key, Accept-Encoding" | "X-API-Key, Accept-Encoding, Origin";
        /**
         * @description Clients must not guess another content type.
         * @example nosniff
         */
        NoSniff: "nosniff";
        /**
         * @description Strong validator: equal bytes have equal tags.
         * @example "1yEpphPYmuyaFwlFBCYNM8ysBh_nIq3-9btHdxmT9C8"
         */
        ETag: string;
        /**
         * @description The minute's allotment of the key.
         * @example 60
         */
        RateLimitLimit: number;
        /**
         * @description Requests left of the allotment. The burst beyond it is tolerance and not counted here.
         * @example 57
         */
        RateLimitRemaining: number;
        /**
         * @description UTC epoch second at which the full allotment is available again.
         * @example 1795176003
         */
        RateLimitReset: number;
        /**
         * @description Seconds to wait before the next attempt.
         * @example 1
         */
        RetryAfter: number;
        /**
         * @description Points from a retained alias to the preferred path.
         * @example <../v1/meta/sources>; rel="successor-version"
         */
        Successor: string;
        /**
         * @description On a response to `as_of`: `backfilled` where a back-fill computed figures of it, which were not available on that day.
         * @example backfilled
         */
        Vintages: "backfilled";
        /**
         * @description On an empty response to `as_of`: the first UTC day with a vintage.
         * @example 2026-11-01
         */
        VintagesFrom: string;
        /**
         * @description On CSV: suggested file name.
         * @example inline; filename="TWKHH-trend-30d.csv"
         */
        ContentDisposition: string;
    };
    pathItems: never;
}
export type ErrorEnvelope = components['schemas']['ErrorEnvelope'];
export type Alert = components['schemas']['Alert'];
export type PortAlert = components['schemas']['PortAlert'];
export type PortRecord = components['schemas']['PortRecord'];
export type PortChange = components['schemas']['PortChange'];
export type DwellPeriod = components['schemas']['DwellPeriod'];
export type ForecastDay = components['schemas']['ForecastDay'];
export type HorizonSkill = components['schemas']['HorizonSkill'];
export type ForecastSkill = components['schemas']['ForecastSkill'];
export type PortForecast = components['schemas']['PortForecast'];
export type HealthRecord = components['schemas']['HealthRecord'];
export type HsImportPoint = components['schemas']['HsImportPoint'];
export type Snapshot = components['schemas']['Snapshot'];
export type NotAccepted = components['schemas']['NotAccepted'];
export type ImportedRelease = components['schemas']['ImportedRelease'];
export type GivenTable = components['schemas']['GivenTable'];
export type SourceRecord = components['schemas']['SourceRecord'];
export type TrendPoint = components['schemas']['TrendPoint'];
export type WaitDay = components['schemas']['WaitDay'];
export type ResponseKeyRefused = components['responses']['KeyRefused'];
export type ResponseLimited = components['responses']['Limited'];
export type ResponseFailed = components['responses']['Failed'];
export type ResponsePartFailed = components['responses']['PartFailed'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseTimedOut = components['responses']['TimedOut'];
export type ParameterIfNoneMatch = components['parameters']['IfNoneMatch'];
export type HeaderRequestId = components['headers']['RequestId'];
export type HeaderCacheable = components['headers']['Cacheable'];
export type HeaderCacheableOnceFilled = components['headers']['CacheableOnceFilled'];
export type HeaderNotCacheable = components['headers']['NotCacheable'];
export type HeaderVary = components['headers']['Vary'];
export type HeaderNoSniff = components['headers']['NoSniff'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderRateLimitLimit = components['headers']['RateLimitLimit'];
export type HeaderRateLimitRemaining = components['headers']['RateLimitRemaining'];
export type HeaderRateLimitReset = components['headers']['RateLimitReset'];
export type HeaderRetryAfter = components['headers']['RetryAfter'];
export type HeaderSuccessor = components['headers']['Successor'];
export type HeaderVintages = components['headers']['Vintages'];
export type HeaderVintagesFrom = components['headers']['VintagesFrom'];
export type HeaderContentDisposition = components['headers']['ContentDisposition'];
export type $defs = Record<string, never>;
export interface operations {
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Availability probe */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "time": "2025-10-04T14:20:27Z",
                     *       "region": "local"
                     *     }
                     */
                    "application/json": components["schemas"]["HealthRecord"];
                };
            };
            /** @description The service failed. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description A component of the service failed. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description The service did not respond in time. */
            504: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    sources: {
        parameters: {
            query?: {
                /**
                 * @description Format of the response.
                 * @example csv
                 */
                format?: "json" | "csv";
            };
            header?: {
                /**
                 * @description ETag of an earlier response, a list of them, or `*`: an unchanged response is a 304.
                 * @example "1yEpphPYmuyaFwlFBCYNM8ysBh_nIq3-9btHdxmT9C8"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Data sources and last fetch times */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["Cacheable"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "source": "fintraffic-digitraffic",
                     *         "last_fetch_iso": "2019-10-23T12:42:00Z",
                     *         "evidence": "recorded"
                     *       },
                     *       {
                     *         "source": "hk-marine-department",
                     *         "last_fetch_iso": "2025-10-04T14:19:27Z",
                     *         "evidence": "recorded"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["SourceRecord"][];
                    /**
                     * @example source,last_fetch_iso,evidence,imported_release,imported_made,imported_replayed
                     *     fintraffic-digitraffic,2019-10-23T12:42:00Z,recorded,,,
                     *     hk-marine-department,2025-10-04T14:19:27Z,recorded,,,
                     */
                    "text/csv": string;
                };
            };
            /** @description The data have not changed since the response whose tag was sent in If-None-Match. No body. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["Cacheable"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            401: components["responses"]["KeyRefused"];
            /** @description The key is known but not allowed. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description A parameter is misspelt, or has a value that is not allowed. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            429: components["responses"]["Limited"];
            500: components["responses"]["Failed"];
            502: components["responses"]["PartFailed"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    sourcesAlias: {
        parameters: {
            query?: {
                /**
                 * @description Format of the response.
                 * @example csv
                 */
                format?: "json" | "csv";
            };
            header?: {
                /**
                 * @description ETag of an earlier response, a list of them, or `*`: an unchanged response is a 304.
                 * @example "1yEpphPYmuyaFwlFBCYNM8ysBh_nIq3-9btHdxmT9C8"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Data sources and last fetch times */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["Cacheable"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    Link: components["headers"]["Successor"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "source": "fintraffic-digitraffic",
                     *         "last_fetch_iso": "2019-10-23T12:42:00Z",
                     *         "evidence": "recorded"
                     *       },
                     *       {
                     *         "source": "hk-marine-department",
                     *         "last_fetch_iso": "2025-10-04T14:19:27Z",
                     *         "evidence": "recorded"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["SourceRecord"][];
                    /**
                     * @example source,last_fetch_iso,evidence,imported_release,imported_made,imported_replayed
                     *     fintraffic-digitraffic,2019-10-23T12:42:00Z,recorded,,,
                     *     hk-marine-department,2025-10-04T14:19:27Z,recorded,,,
                     */
                    "text/csv": string;
                };
            };
            /** @description The data have not changed since the response whose tag was sent in If-None-Match. No body. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["Cacheable"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    Link: components["headers"]["Successor"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            401: components["responses"]["KeyRefused"];
            /** @description The key is known but not allowed. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description A parameter is misspelt, or has a value that is not allowed. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            429: components["responses"]["Limited"];
            500: components["responses"]["Failed"];
            502: components["responses"]["PartFailed"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    ports: {
        parameters: {
            query?: {
                /**
                 * @description Field to sort by, UN/LOCODE by default; a minus before it puts the highest value first. Ports without a value come last, ties are by UN/LOCODE.
                 * @example -congestion_score
                 */
                sort?: "port" | "-port" | "name" | "-name" | "country" | "-country" | "latitude" | "-latitude" | "longitude" | "-longitude" | "last_observed" | "-last_observed" | "as_of" | "-as_of" | "congestion_score" | "-congestion_score" | "avg_wait_hours" | "-avg_wait_hours" | "at_anchor" | "-at_anchor" | "in_port" | "-in_port" | "first_day" | "-first_day" | "last_day" | "-last_day" | "method" | "-method" | "evidence" | "-evidence" | "wait_basis" | "-wait_basis" | "stopped_since" | "-stopped_since";
                /**
                 * @description Only the ports of this country: its ISO 3166-1 alpha-2 code.
                 * @example TW
                 */
                country?: string;
                /**
                 * @description The figures as they were served at the end of this UTC day: nothing that became known later. A day before the first vintage gives nothing, and the header `X-Vintages-From` says where the vintages begin.
                 * @example 2025-08-31
                 */
                as_of?: string;
                /**
                 * @description Format of the response: `geojson` is for maps.
                 * @example csv
                 */
                format?: "json" | "csv" | "geojson";
            };
            header?: {
                /**
                 * @description ETag of an earlier response, a list of them, or `*`: an unchanged response is a 304.
                 * @example "1yEpphPYmuyaFwlFBCYNM8ysBh_nIq3-9btHdxmT9C8"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Covered ports */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheableOnceFilled"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Vintages": components["headers"]["Vintages"];
                    "X-Vintages-From": components["headers"]["VintagesFrom"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "port": "FIDLS",
                     *         "name": "Taalintehdas",
                     *         "country": "FI",
                     *         "latitude": 60.0167,
                     *         "longitude": 22.5083,
                     *         "sources": [
                     *           "fintraffic-digitraffic"
                     *         ],
                     *         "last_observed": null,
                     *         "as_of": null,
                     *         "congestion_score": null,
                     *         "avg_wait_hours": null,
                     *         "at_anchor": null,
                     *         "in_port": null,
                     *         "first_day": null,
                     *         "last_day": null,
                     *         "method": "records",
                     *         "evidence": "recorded",
                     *         "wait_basis": null,
                     *         "stopped_since": null
                     *       },
                     *       {
                     *         "port": "TWKHH",
                     *         "name": "Kaohsiung",
                     *         "country": "TW",
                     *         "latitude": 22.6167,
                     *         "longitude": 120.25,
                     *         "sources": [
                     *           "tipc-taiwan"
                     *         ],
                     *         "last_observed": "2025-10-04T14:05:00Z",
                     *         "as_of": "2025-10-04T14:05:00Z",
                     *         "congestion_score": 0.149,
                     *         "avg_wait_hours": 6.8,
                     *         "at_anchor": 1,
                     *         "in_port": 124,
                     *         "first_day": "2025-01-02",
                     *         "last_day": "2025-10-04",
                     *         "method": "records",
                     *         "evidence": "read",
                     *         "wait_basis": "berthed",
                     *         "stopped_since": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["PortRecord"][];
                    /**
                     * @example port,name,country,latitude,longitude,sources,last_observed,as_of,congestion_score,avg_wait_hours,at_anchor,in_port,first_day,last_day,method,evidence,wait_basis,stopped_since
                     *     FIDLS,Taalintehdas,FI,60.0167,22.5083,fintraffic-digitraffic,,,,,,,,,records,recorded,,
                     *     TWKHH,Kaohsiung,TW,22.6167,120.25,tipc-taiwan,2025-10-04T14:05:00Z,2025-10-04T14:05:00Z,0.149,6.8,1,124,2025-01-02,2025-10-04,records,read,berthed,
                     */
                    "text/csv": string;
                    /**
                     * @example {
                     *       "type": "FeatureCollection",
                     *       "features": [
                     *         {
                     *           "type": "Feature",
                     *           "id": "FIDLS",
                     *           "geometry": {
                     *             "type": "Point",
                     *             "coordinates": [
                     *               22.5083,
                     *               60.0167
                     *             ]
                     *           },
                     *           "properties": {
                     *             "port": "FIDLS",
                     *             "name": "Taalintehdas",
                     *             "country": "FI",
                     *             "sources": [
                     *               "fintraffic-digitraffic"
                     *             ],
                     *             "last_observed": null,
                     *             "as_of": null,
                     *             "congestion_score": null,
                     *             "avg_wait_hours": null,
                     *             "at_anchor": null,
                     *             "in_port": null,
                     *             "first_day": null,
                     *             "last_day": null,
                     *             "method": "records",
                     *             "evidence": "recorded",
                     *             "wait_basis": null,
                     *             "stopped_since": null
                     *           }
                     *         },
                     *         {
                     *           "type": "Feature",
                     *           "id": "TWKHH",
                     *           "geometry": {
                     *             "type": "Point",
                     *             "coordinates": [
                     *               120.25,
                     *               22.6167
                     *             ]
                     *           },
                     *           "properties": {
                     *             "port": "TWKHH",
                     *             "name": "Kaohsiung",
                     *             "country": "TW",
                     *             "sources": [
                     *               "tipc-taiwan"
                     *             ],
                     *             "last_observed": "2025-10-04T14:05:00Z",
                     *             "as_of": "2025-10-04T14:05:00Z",
                     *             "congestion_score": 0.149,
                     *             "avg_wait_hours": 6.8,
                     *             "at_anchor": 1,
                     *             "in_port": 124,
                     *             "first_day": "2025-01-02",
                     *             "last_day": "2025-10-04",
                     *             "method": "records",
                     *             "evidence": "read",
                     *             "wait_basis": "berthed",
                     *             "stopped_since": null
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/geo+json": {
                        /** @constant */
                        type: "FeatureCollection";
                        /** @description A point for each port, in the order of the list. */
                        features: {
                            /** @constant */
                            type: "Feature";
                            /**
                             * @description UN/LOCODE of the port, upper case.
                             * @example HKHKG
                             */
                            id: string;
                            geometry: {
                                /** @constant */
                                type: "Point";
                                /** @description Longitude, then latitude, WGS 84. */
                                coordinates: number[];
                            };
                            properties: {
                                /**
                                 * @description UN/LOCODE of the port, upper case.
                                 * @example HKHKG
                                 */
                                port: string;
                                /**
                                 * @description Name of the port.
                                 * @example Hong Kong
                                 */
                                name: string;
                                /**
                                 * @description ISO 3166-1 alpha-2 code of the country.
                                 * @example HK
                                 */
                                country: string;
                                /** @description Ids of the sources that cover the port. In CSV, separated by a space. */
                                sources: string[];
                                /**
                                 * Format: date-time
                                 * @description Newest observation; null when nothing has been observed yet.
                                 * @example 2026-11-20T12:00:00Z
                                 */
                                last_observed: string | null;
                                /**
                                 * Format: date-time
                                 * @description Newest observation behind the figures, as in the snapshot; null when nothing has been observed yet.
                                 * @example 2026-11-20T12:00:00Z
                                 */
                                as_of: string | null;
                                /**
                                 * Format: double
                                 * @description Congestion score of the snapshot, 0 to 1; null when nothing has been observed yet.
                                 * @example 0.412
                                 */
                                congestion_score: number | null;
                                /**
                                 * Format: double
                                 * @description Average wait of the snapshot in hours; null when nothing has been observed yet.
                                 * @example 11.3
                                 */
                                avg_wait_hours: number | null;
                                /**
                                 * Format: int32
                                 * @description Vessels waiting at anchor; part of in_port; null when nothing has been observed yet.
                                 * @example 9
                                 */
                                at_anchor: number | null;
                                /**
                                 * Format: int32
                                 * @description Vessels in port: at anchor, at berth or moving; null when nothing has been observed yet.
                                 * @example 41
                                 */
                                in_port: number | null;
                                /**
                                 * Format: date
                                 * @description First UTC day that the observations cover; null when nothing has been observed yet.
                                 * @example 2025-10-04
                                 */
                                first_day: string | null;
                                /**
                                 * Format: date
                                 * @description Last UTC day that the observations cover; null when nothing has been observed yet.
                                 * @example 2026-11-20
                                 */
                                last_day: string | null;
                                /**
                                 * @description What the figures are made from: `records` that state event times, `polls` of a list of vessels, or vessel `positions`.
                                 * @enum {string|null}
                                 */
                                method: "records" | "polls" | "positions" | null;
                                /**
                                 * @description What the data rest on, by the published rule: `observed`, this deployment has fetched them and they are not stale; else the source is `recorded`, a real reply in the repository passes its tests; `read`, tests have read a real reply that is kept elsewhere; `expected`, published formats only. `given`: a person gave the service a table of calls. `simulated`: made-up sample data.
                                 * @example recorded
                                 * @enum {string}
                                 */
                                evidence: "observed" | "recorded" | "given" | "read" | "expected" | "simulated";
                                /**
                                 * @description What avg_wait_hours rests on: `berthed`, the waits of vessels that have berthed; `open`, those of vessels still waiting, as none has berthed yet; `mixed`, both. null without a figure.
                                 * @enum {string|null}
                                 */
                                wait_basis: "berthed" | "mixed" | "open" | null;
                                /**
                                 * Format: date-time
                                 * @description Beginning of the closure while berthings have surely stopped: the hour after the last one before the first twelve hours with at most a tenth of the usual number. Null otherwise, also while berthings are back for less than a day within a closure.
                                 * @example 2026-11-20T12:00:00Z
                                 */
                                stopped_since: string | null;
                            };
                        }[];
                    };
                };
            };
            /** @description The data have not changed since the response whose tag was sent in If-None-Match. No body. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheableOnceFilled"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Vintages": components["headers"]["Vintages"];
                    "X-Vintages-From": components["headers"]["VintagesFrom"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            401: components["responses"]["KeyRefused"];
            /** @description The key is known but not allowed. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description A parameter is misspelt, or has a value that is not allowed. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            429: components["responses"]["Limited"];
            500: components["responses"]["Failed"];
            502: components["responses"]["PartFailed"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    changes: {
        parameters: {
            query?: {
                /**
                 * @description Most ports of the response, 1 to 500.
                 * @example 10
                 */
                limit?: number;
                /**
                 * @description Format of the response.
                 * @example csv
                 */
                format?: "json" | "csv";
            };
            header?: {
                /**
                 * @description ETag of an earlier response, a list of them, or `*`: an unchanged response is a 304.
                 * @example "1yEpphPYmuyaFwlFBCYNM8ysBh_nIq3-9btHdxmT9C8"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Largest changes over a week (beta) */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheableOnceFilled"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "port": "TWKHH",
                     *         "name": "Kaohsiung",
                     *         "country": "TW",
                     *         "as_of": "2025-10-04T14:05:00Z",
                     *         "congestion_score": 0.149,
                     *         "congestion_score_change": 0.08,
                     *         "avg_wait_hours": 6.8,
                     *         "avg_wait_hours_change": 6,
                     *         "at_anchor": 1,
                     *         "at_anchor_change": -6,
                     *         "scores": [
                     *           0.099,
                     *           0.089,
                     *           0.089,
                     *           0.102,
                     *           0.093,
                     *           0.083,
                     *           0.101,
                     *           0.107,
                     *           0.119,
                     *           0.134,
                     *           0.125,
                     *           0.128,
                     *           0.122,
                     *           0.111,
                     *           0.101,
                     *           0.082,
                     *           0.063,
                     *           0.6,
                     *           0.6,
                     *           0.255,
                     *           0.017,
                     *           0.052,
                     *           0.074,
                     *           0.099,
                     *           null,
                     *           null,
                     *           0.156,
                     *           0.153,
                     *           0.157,
                     *           0.153
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["PortChange"][];
                    /**
                     * @example port,name,country,as_of,congestion_score,congestion_score_change,avg_wait_hours,avg_wait_hours_change,at_anchor,at_anchor_change,scores
                     *     TWKHH,Kaohsiung,TW,2025-10-04T14:05:00Z,0.149,0.08,6.8,6,1,-6,0.099 0.089 0.089 0.102 0.093 0.083 0.101 0.107 0.119 0.134 0.125 0.128 0.122 0.111 0.101 0.082 0.063 0.6 0.6 0.255 0.017 0.052 0.074 0.099   0.156 0.153 0.157 0.153
                     */
                    "text/csv": string;
                };
            };
            /** @description The data have not changed since the response whose tag was sent in If-None-Match. No body. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheableOnceFilled"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            401: components["responses"]["KeyRefused"];
            /** @description The key is known but not allowed. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description A parameter is misspelt, or has a value that is not allowed. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            429: components["responses"]["Limited"];
            500: components["responses"]["Failed"];
            502: components["responses"]["PartFailed"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    trend: {
        parameters: {
            query?: {
                /**
                 * @description The last N UTC calendar days, today (running values) included. Excludes `days`; one of them must be given.
                 * @example 30d
                 */
                window?: "7d" | "14d" | "30d";
                /**
                 * @description Alias of `window`: a whole number of days, 1 to 30. Excludes `window`; one of them must be given.
                 * @example 30
                 */
                days?: number;
                /**
                 * @description Last UTC day of the window, included; by default today. A day outside the data gives an empty list.
                 * @example 2025-08-31
                 */
                until?: string;
                /**
                 * @description The figures as they were served at the end of this UTC day: nothing that became known later. A day before the first vintage gives nothing, and the header `X-Vintages-From` says where the vintages begin.
                 * @example 2025-08-31
                 */
                as_of?: string;
                /**
                 * @description Format of the response.
                 * @example csv
                 */
                format?: "json" | "csv";
            };
            header?: {
                /**
                 * @description ETag of an earlier response, a list of them, or `*`: an unchanged response is a 304.
                 * @example "1yEpphPYmuyaFwlFBCYNM8ysBh_nIq3-9btHdxmT9C8"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description UN/LOCODE of the port, upper case.
                 * @example TWKHH
                 */
                UNLOCODE: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Time series of congestion metrics */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["Cacheable"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Vintages": components["headers"]["Vintages"];
                    "X-Vintages-From": components["headers"]["VintagesFrom"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "date": "2025-10-02",
                     *         "congestion_score": 0.153,
                     *         "avg_wait_hours": 4.8,
                     *         "vessels": 151
                     *       },
                     *       {
                     *         "date": "2025-10-03",
                     *         "congestion_score": 0.157,
                     *         "avg_wait_hours": 5.8,
                     *         "vessels": 155
                     *       },
                     *       {
                     *         "date": "2025-10-04",
                     *         "congestion_score": 0.153,
                     *         "avg_wait_hours": 6.8,
                     *         "vessels": 138
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["TrendPoint"][];
                    /**
                     * @example date,congestion_score,avg_wait_hours,vessels
                     *     2025-10-02,0.153,4.8,151
                     *     2025-10-03,0.157,5.8,155
                     *     2025-10-04,0.153,6.8,138
                     */
                    "text/csv": string;
                };
            };
            /** @description The data have not changed since the response whose tag was sent in If-None-Match. No body. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["Cacheable"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Vintages": components["headers"]["Vintages"];
                    "X-Vintages-From": components["headers"]["VintagesFrom"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            401: components["responses"]["KeyRefused"];
            /** @description The key is known but not allowed. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description Nothing is there. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description Parameters exclude each other. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description A parameter is misspelt, or has a value that is not allowed. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            429: components["responses"]["Limited"];
            500: components["responses"]["Failed"];
            502: components["responses"]["PartFailed"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    waits: {
        parameters: {
            query?: {
                /**
                 * @description First UTC day, included; by default 29 days before `to`.
                 * @example 2025-08-01
                 */
                from?: string;
                /**
                 * @description Last UTC day, included; by default today.
                 * @example 2025-08-31
                 */
                to?: string;
                /**
                 * @description Only calls of this vessel class, where the source states it; `other` is any other type that it states. A day on which no class is known is omitted.
                 * @example container
                 */
                class?: "container" | "bulk" | "tanker" | "other";
                /**
                 * @description The figures as they were served at the end of this UTC day: nothing that became known later. A day before the first vintage gives nothing, and the header `X-Vintages-From` says where the vintages begin.
                 * @example 2025-08-31
                 */
                as_of?: string;
                /**
                 * @description Format of the response.
                 * @example csv
                 */
                format?: "json" | "csv";
            };
            header?: {
                /**
                 * @description ETag of an earlier response, a list of them, or `*`: an unchanged response is a 304.
                 * @example "1yEpphPYmuyaFwlFBCYNM8ysBh_nIq3-9btHdxmT9C8"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description UN/LOCODE of the port, upper case.
                 * @example TWKHH
                 */
                UNLOCODE: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Wait statistics day by day */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["Cacheable"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Vintages": components["headers"]["Vintages"];
                    "X-Vintages-From": components["headers"]["VintagesFrom"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "date": "2025-09-23",
                     *         "berthed": 0,
                     *         "waited": 0,
                     *         "delayed_share": null,
                     *         "mean_hours": null,
                     *         "median_hours": null,
                     *         "p90_hours": null,
                     *         "max_hours": null,
                     *         "waiting": 0,
                     *         "coverage": 1,
                     *         "waiting_hours": 0,
                     *         "waits": [],
                     *         "excluded": 1,
                     *         "unknown_type": 0,
                     *         "recent_arrivals": 817,
                     *         "recent_wait_hours": 2271.5
                     *       },
                     *       {
                     *         "date": "2025-10-04",
                     *         "berthed": 17,
                     *         "waited": 3,
                     *         "delayed_share": 0.1765,
                     *         "mean_hours": 11.89,
                     *         "median_hours": 0,
                     *         "p90_hours": 30.61,
                     *         "max_hours": 139.13,
                     *         "waiting": 1,
                     *         "coverage": 0.5868,
                     *         "waiting_hours": 28.3833,
                     *         "waits": [
                     *           27,
                     *           36.0333,
                     *           139.1333
                     *         ],
                     *         "excluded": 0,
                     *         "unknown_type": 0,
                     *         "recent_arrivals": 840,
                     *         "recent_wait_hours": 2920.5
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["WaitDay"][];
                    /**
                     * @example date,berthed,waited,delayed_share,mean_hours,median_hours,p90_hours,max_hours,waiting,coverage,waiting_hours,waits,excluded,unknown_type,recent_arrivals,recent_wait_hours
                     *     2025-09-23,0,0,,,,,,0,1,0,,1,0,817,2271.5
                     *     2025-10-04,17,3,0.1765,11.89,0,30.61,139.13,1,0.5868,28.3833,27 36.0333 139.1333,0,0,840,2920.5
                     */
                    "text/csv": string;
                };
            };
            /** @description The data have not changed since the response whose tag was sent in If-None-Match. No body. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["Cacheable"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Vintages": components["headers"]["Vintages"];
                    "X-Vintages-From": components["headers"]["VintagesFrom"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            401: components["responses"]["KeyRefused"];
            /** @description The key is known but not allowed. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description Nothing is there. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description A parameter is misspelt, or has a value that is not allowed. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            429: components["responses"]["Limited"];
            500: components["responses"]["Failed"];
            502: components["responses"]["PartFailed"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    forecast: {
        parameters: {
            query?: {
                /**
                 * @description The figure to forecast.
                 * @example at_anchor
                 */
                metric?: "avg_wait_hours" | "at_anchor" | "congestion_score";
                /**
                 * @description The figures as they were served at the end of this UTC day: nothing that became known later. A day before the first vintage gives nothing, and the header `X-Vintages-From` says where the vintages begin.
                 * @example 2025-08-31
                 */
                as_of?: string;
                /**
                 * @description Format of the response.
                 * @example csv
                 */
                format?: "json" | "csv";
            };
            header?: {
                /**
                 * @description ETag of an earlier response, a list of them, or `*`: an unchanged response is a 304.
                 * @example "1yEpphPYmuyaFwlFBCYNM8ysBh_nIq3-9btHdxmT9C8"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description UN/LOCODE of the port, upper case.
                 * @example TWKHH
                 */
                UNLOCODE: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The next seven days, with the error of such forecasts (beta) */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["Cacheable"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Vintages": components["headers"]["Vintages"];
                    "X-Vintages-From": components["headers"]["VintagesFrom"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "port": "TWKHH",
                     *       "metric": "avg_wait_hours",
                     *       "as_of": "2025-10-04T00:05:00Z",
                     *       "history_days": 257,
                     *       "skill": {
                     *         "basis": "rolling",
                     *         "origins": 211,
                     *         "from": "2025-02-14",
                     *         "to": "2025-09-26",
                     *         "horizons": [
                     *           {
                     *             "horizon": 1,
                     *             "error": 0.3412,
                     *             "ratio_to_persistence": 0.6259,
                     *             "ratio_to_median": 0.2476,
                     *             "coverage": 0.8431
                     *           },
                     *           {
                     *             "horizon": 2,
                     *             "error": 0.3954,
                     *             "ratio_to_persistence": 0.455,
                     *             "ratio_to_median": 0.2778,
                     *             "coverage": 0.8477
                     *           }
                     *         ]
                     *       },
                     *       "reason": null,
                     *       "replayed": true,
                     *       "rows": [
                     *         {
                     *           "date": "2025-10-04",
                     *           "p10": 5.3,
                     *           "p50": 5.7,
                     *           "p90": 6.3,
                     *           "method": "regression"
                     *         },
                     *         {
                     *           "date": "2025-10-05",
                     *           "p10": 4.6,
                     *           "p50": 5.4,
                     *           "p90": 5.9,
                     *           "method": "regression"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PortForecast"];
                    /**
                     * @example port,metric,as_of,history_days,replayed,skill_basis,skill_origins,skill_from,skill_to,error,ratio_to_persistence,ratio_to_median,coverage,date,p10,p50,p90,method
                     *     TWKHH,avg_wait_hours,2025-10-04T00:05:00Z,257,true,rolling,211,2025-02-14,2025-09-26,0.3412,0.6259,0.2476,0.8431,2025-10-04,5.3,5.7,6.3,regression
                     *     TWKHH,avg_wait_hours,2025-10-04T00:05:00Z,257,true,rolling,211,2025-02-14,2025-09-26,0.3954,0.455,0.2778,0.8477,2025-10-05,4.6,5.4,5.9,regression
                     */
                    "text/csv": string;
                };
            };
            /** @description The data have not changed since the response whose tag was sent in If-None-Match. No body. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["Cacheable"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Vintages": components["headers"]["Vintages"];
                    "X-Vintages-From": components["headers"]["VintagesFrom"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            401: components["responses"]["KeyRefused"];
            /** @description The key is known but not allowed. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description Nothing is there. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description A parameter is misspelt, or has a value that is not allowed. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            429: components["responses"]["Limited"];
            500: components["responses"]["Failed"];
            502: components["responses"]["PartFailed"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    snapshot: {
        parameters: {
            query?: {
                /**
                 * @description The figures as they were served at the end of this UTC day: nothing that became known later. A day before the first vintage gives nothing, and the header `X-Vintages-From` says where the vintages begin.
                 * @example 2025-08-31
                 */
                as_of?: string;
            };
            header?: {
                /**
                 * @description ETag of an earlier response, a list of them, or `*`: an unchanged response is a 304.
                 * @example "1yEpphPYmuyaFwlFBCYNM8ysBh_nIq3-9btHdxmT9C8"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description UN/LOCODE of the port, upper case.
                 * @example TWKHH
                 */
                UNLOCODE: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Latest point-in-time snapshot */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["Cacheable"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Vintages": components["headers"]["Vintages"];
                    "X-Vintages-From": components["headers"]["VintagesFrom"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "port": "TWKHH",
                     *       "as_of": "2025-10-04T14:05:00Z",
                     *       "congestion_score": 0.149,
                     *       "avg_wait_hours": 6.8,
                     *       "vessels": {
                     *         "arrivals_24h": 21,
                     *         "departures_24h": 25,
                     *         "at_anchor": 1,
                     *         "in_port": 124
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Snapshot"];
                };
            };
            /** @description The data have not changed since the response whose tag was sent in If-None-Match. No body. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["Cacheable"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Vintages": components["headers"]["Vintages"];
                    "X-Vintages-From": components["headers"]["VintagesFrom"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            401: components["responses"]["KeyRefused"];
            /** @description The key is known but not allowed. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description Nothing is there. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description A parameter is misspelt, or has a value that is not allowed. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            429: components["responses"]["Limited"];
            500: components["responses"]["Failed"];
            502: components["responses"]["PartFailed"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    dwell: {
        parameters: {
            query?: {
                /**
                 * @description The last N UTC calendar days, today (running values) included. Excludes `days`.
                 * @example 30d
                 */
                window?: "7d" | "14d" | "30d";
                /**
                 * @description Alias of `window`: a whole number of days, 1 to 30. Excludes `window`.
                 * @example 30
                 */
                days?: number;
                /**
                 * @description Last UTC day of the window, included; by default today. A day outside the data gives an empty list.
                 * @example 2025-08-31
                 */
                until?: string;
                /**
                 * @description Format of the response.
                 * @example csv
                 */
                format?: "json" | "csv";
            };
            header?: {
                /**
                 * @description ETag of an earlier response, a list of them, or `*`: an unchanged response is a 304.
                 * @example "1yEpphPYmuyaFwlFBCYNM8ysBh_nIq3-9btHdxmT9C8"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description UN/LOCODE of the port, upper case.
                 * @example TWKHH
                 */
                UNLOCODE: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Dwell and wait sequences derived from vessel calls */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["Cacheable"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "start": "2025-10-01T18:15:00Z",
                     *         "end": "2025-10-04T07:42:03Z",
                     *         "kind": "berth",
                     *         "hours": 61.45
                     *       },
                     *       {
                     *         "start": "2025-10-01T22:31:00Z",
                     *         "end": "2025-10-04T07:59:00Z",
                     *         "kind": "wait",
                     *         "hours": 57.47
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["DwellPeriod"][];
                    /**
                     * @example start,end,kind,hours
                     *     2025-10-01T18:15:00Z,2025-10-04T07:42:03Z,berth,61.45
                     *     2025-10-01T22:31:00Z,2025-10-04T07:59:00Z,wait,57.47
                     */
                    "text/csv": string;
                };
            };
            /** @description The data have not changed since the response whose tag was sent in If-None-Match. No body. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["Cacheable"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            401: components["responses"]["KeyRefused"];
            /** @description The key is known but not allowed. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description Nothing is there. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description Parameters exclude each other. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description A parameter is misspelt, or has a value that is not allowed. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            429: components["responses"]["Limited"];
            500: components["responses"]["Failed"];
            502: components["responses"]["PartFailed"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    alerts: {
        parameters: {
            query?: {
                /**
                 * @description The last N UTC calendar days, today (running values) included. Excludes `days`.
                 * @example 30d
                 */
                window?: "7d" | "14d" | "30d";
                /**
                 * @description Alias of `window`: a whole number of days, 1 to 30. Excludes `window`.
                 * @example 30
                 */
                days?: number;
                /**
                 * @description Last UTC day of the window, included; by default today. A day outside the data gives an empty list.
                 * @example 2025-08-31
                 */
                until?: string;
                /**
                 * @description The figures as they were served at the end of this UTC day: nothing that became known later. A day before the first vintage gives nothing, and the header `X-Vintages-From` says where the vintages begin.
                 * @example 2025-08-31
                 */
                as_of?: string;
                /**
                 * @description Only alerts of this type.
                 * @example threshold
                 */
                type?: "threshold" | "change_point" | "unusual";
                /**
                 * @description Only alerts of this severity or a higher one.
                 * @example high
                 */
                severity?: "low" | "medium" | "high";
                /**
                 * @description Only alerts about this figure.
                 * @example congestion_score
                 */
                metric?: "congestion_score" | "avg_wait_hours" | "at_anchor" | "berthings";
                /**
                 * @description Format of the response.
                 * @example csv
                 */
                format?: "json" | "csv";
            };
            header?: {
                /**
                 * @description ETag of an earlier response, a list of them, or `*`: an unchanged response is a 304.
                 * @example "1yEpphPYmuyaFwlFBCYNM8ysBh_nIq3-9btHdxmT9C8"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description UN/LOCODE of the port, upper case.
                 * @example TWKHH
                 */
                UNLOCODE: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Thresholds, change points and unusual figures */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["Cacheable"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Vintages": components["headers"]["Vintages"];
                    "X-Vintages-From": components["headers"]["VintagesFrom"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "type": "unusual",
                     *         "metric": "berthings",
                     *         "severity": "high",
                     *         "change_pct": -0.9091,
                     *         "as_of": "2025-09-22T18:00:00Z",
                     *         "explain": "berthings 3 in 24 hours, 33 is usual in these hours (median of the 28 days before): the flow is broken, and the score says so.",
                     *         "began": "2025-09-21T21:00:00Z"
                     *       },
                     *       {
                     *         "type": "unusual",
                     *         "metric": "berthings",
                     *         "severity": "medium",
                     *         "change_pct": -0.8421,
                     *         "as_of": "2025-09-22T06:00:00Z",
                     *         "explain": "berthings 3 in 12 hours, 19 is usual in these hours (median of the 28 days before): the flow is broken, and the score says so.",
                     *         "began": "2025-09-21T21:00:00Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Alert"][];
                    /**
                     * @example type,metric,severity,change_pct,as_of,explain,began
                     *     unusual,berthings,high,-0.9091,2025-09-22T18:00:00Z,"berthings 3 in 24 hours, 33 is usual in these hours (median of the 28 days before): the flow is broken, and the score says so.",2025-09-21T21:00:00Z
                     *     unusual,berthings,medium,-0.8421,2025-09-22T06:00:00Z,"berthings 3 in 12 hours, 19 is usual in these hours (median of the 28 days before): the flow is broken, and the score says so.",2025-09-21T21:00:00Z
                     */
                    "text/csv": string;
                };
            };
            /** @description The data have not changed since the response whose tag was sent in If-None-Match. No body. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["Cacheable"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Vintages": components["headers"]["Vintages"];
                    "X-Vintages-From": components["headers"]["VintagesFrom"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            401: components["responses"]["KeyRefused"];
            /** @description The key is known but not allowed. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description Nothing is there. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description Parameters exclude each other. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description A parameter is misspelt, or has a value that is not allowed. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            429: components["responses"]["Limited"];
            500: components["responses"]["Failed"];
            502: components["responses"]["PartFailed"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    alertFeed: {
        parameters: {
            query?: {
                /**
                 * @description First UTC day, included; by default six days before today.
                 * @example 2025-09-01
                 */
                since?: string;
                /**
                 * @description Only the alerts of ports of this country: its ISO 3166-1 alpha-2 code.
                 * @example TW
                 */
                country?: string;
                /**
                 * @description Only the alerts of this port: its UN/LOCODE, upper case.
                 * @example TWKHH
                 */
                port?: string;
                /**
                 * @description Only alerts of this type.
                 * @example threshold
                 */
                type?: "threshold" | "change_point" | "unusual";
                /**
                 * @description Only alerts of this severity or a higher one.
                 * @example high
                 */
                severity?: "low" | "medium" | "high";
                /**
                 * @description Only alerts about this figure.
                 * @example congestion_score
                 */
                metric?: "congestion_score" | "avg_wait_hours" | "at_anchor" | "berthings";
                /**
                 * @description The `id` of the last alert of the page before: the response continues after it.
                 * @example 2025-09-22.TWKHH.berthings.unusual
                 */
                after?: string;
                /**
                 * @description Alerts in the response, 1 to 500; 100 by default.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description Format of the response: `atom` and `jsonfeed` are for feed readers.
                 * @example atom
                 */
                format?: "json" | "csv" | "atom" | "jsonfeed";
            };
            header?: {
                /**
                 * @description ETag of an earlier response, a list of them, or `*`: an unchanged response is a 304.
                 * @example "1yEpphPYmuyaFwlFBCYNM8ysBh_nIq3-9btHdxmT9C8"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Alerts of all ports, as a list or a feed */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["Cacheable"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "2025-09-22.TWKHH.berthings.unusual",
                     *         "port": "TWKHH",
                     *         "country": "TW",
                     *         "type": "unusual",
                     *         "metric": "berthings",
                     *         "severity": "high",
                     *         "change_pct": -0.9091,
                     *         "as_of": "2025-09-22T18:00:00Z",
                     *         "explain": "berthings 3 in 24 hours, 33 is usual in these hours (median of the 28 days before): the flow is broken, and the score says so.",
                     *         "began": "2025-09-21T21:00:00Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["PortAlert"][];
                    /**
                     * @example id,port,country,type,metric,severity,change_pct,as_of,explain,began
                     *     2025-09-22.TWKHH.berthings.unusual,TWKHH,TW,unusual,berthings,high,-0.9091,2025-09-22T18:00:00Z,"berthings 3 in 24 hours, 33 is usual in these hours (median of the 28 days before): the flow is broken, and the score says so.",2025-09-21T21:00:00Z
                     */
                    "text/csv": string;
                    /**
                     * @example <?xml version="1.0" encoding="utf-8"?>
                     *     <feed xmlns="http://www.w3.org/2005/Atom">
                     *       <id>tag:port-congestion-data-service,2026:alerts</id>
                     *       <title>Port Congestion Data Service: alerts</title>
                     *       <updated>2025-09-22T18:00:00Z</updated>
                     *       <author><name>Port Congestion Data Service</name></author>
                     *       <link rel="self" href="https://data.example/v1/alerts?format=atom"/>
                     *       <link rel="alternate" href="https://data.example/"/>
                     *       <entry>
                     *         <id>tag:port-congestion-data-service,2026:alerts/2025-09-22.TWKHH.berthings.unusual</id>
                     *         <title>TWKHH: berthings, high</title>
                     *         <updated>2025-09-22T18:00:00Z</updated>
                     *         <link rel="alternate" href="https://data.example/?port=TWKHH"/>
                     *         <category term="high"/>
                     *         <category term="unusual"/>
                     *         <content type="text">berthings 3 in 24 hours, 33 is usual in these hours (median of the 28 days before): the flow is broken, and the score says so.</content>
                     *       </entry>
                     *     </feed>
                     */
                    "application/atom+xml": string;
                    /**
                     * @example {
                     *       "version": "https://jsonfeed.org/version/1.1",
                     *       "title": "Port Congestion Data Service: alerts",
                     *       "home_page_url": "https://data.example/",
                     *       "feed_url": "https://data.example/v1/alerts?format=jsonfeed",
                     *       "authors": [
                     *         {
                     *           "name": "Port Congestion Data Service"
                     *         }
                     *       ],
                     *       "items": [
                     *         {
                     *           "id": "tag:port-congestion-data-service,2026:alerts/2025-09-22.TWKHH.berthings.unusual",
                     *           "url": "https://data.example/?port=TWKHH",
                     *           "title": "TWKHH: berthings, high",
                     *           "content_text": "berthings 3 in 24 hours, 33 is usual in these hours (median of the 28 days before): the flow is broken, and the score says so.",
                     *           "date_modified": "2025-09-22T18:00:00Z",
                     *           "tags": [
                     *             "high",
                     *             "unusual"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/feed+json": {
                        /** @constant */
                        version: "https://jsonfeed.org/version/1.1";
                        /**
                         * @description Title.
                         * @example Port Congestion Data Service: alerts
                         */
                        title: string;
                        /**
                         * @description Address of the explorer.
                         * @example https://data.example/
                         */
                        home_page_url: string;
                        /**
                         * @description Address of the feed, with its filters.
                         * @example https://data.example/v1/alerts?format=jsonfeed
                         */
                        feed_url: string;
                        /** @description Who publishes the feed. */
                        authors: {
                            /**
                             * @description Name.
                             * @example Port Congestion Data Service
                             */
                            name: string;
                        }[];
                        /** @description Newest first. */
                        items: {
                            /**
                             * @description Stays the same while the alert is changed.
                             * @example tag:port-congestion-data-service,2026:alerts/1
                             */
                            id: string;
                            /**
                             * @description Address of the port's page.
                             * @example https://data.example/?port=HKHKG
                             */
                            url: string;
                            /**
                             * @description Port, metric and severity.
                             * @example HKHKG: congestion_score, high
                             */
                            title: string;
                            /**
                             * @description The sentence of the alert.
                             * @example congestion_score 0.76 is at or above 0.75 for 2 days (28-day median 0.41).
                             */
                            content_text: string;
                            /**
                             * Format: date-time
                             * @description Time of the alert. ISO 8601 in UTC, whole seconds.
                             * @example 2026-11-20T12:00:00Z
                             */
                            date_modified: string;
                            /** @description Severity and type. */
                            tags: string[];
                        }[];
                    };
                };
            };
            /** @description The data have not changed since the response whose tag was sent in If-None-Match. No body. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["Cacheable"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            401: components["responses"]["KeyRefused"];
            /** @description The key is known but not allowed. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description A parameter is misspelt, or has a value that is not allowed. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            429: components["responses"]["Limited"];
            500: components["responses"]["Failed"];
            502: components["responses"]["PartFailed"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    hsImports: {
        parameters: {
            query?: {
                /**
                 * @description The figures as they were served at the end of this UTC day: nothing that became known later. A day before the first vintage gives nothing, and the header `X-Vintages-From` says where the vintages begin.
                 * @example 2025-08-31
                 */
                as_of?: string;
                /**
                 * @description Format of the response.
                 * @example csv
                 */
                format?: "json" | "csv";
            };
            header?: {
                /**
                 * @description ETag of an earlier response, a list of them, or `*`: an unchanged response is a 304.
                 * @example "1yEpphPYmuyaFwlFBCYNM8ysBh_nIq3-9btHdxmT9C8"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description HS code: 2, 4, 6, 8 or 10 digits.
                 * @example 85
                 */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Monthly import momentum by HS code (beta) */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["Cacheable"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Vintages": components["headers"]["Vintages"];
                    "X-Vintages-From": components["headers"]["VintagesFrom"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "month": "2024-11",
                     *         "index": 108.1
                     *       },
                     *       {
                     *         "month": "2024-12",
                     *         "index": 108.2
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["HsImportPoint"][];
                    /**
                     * @example month,index
                     *     2024-11,108.1
                     *     2024-12,108.2
                     */
                    "text/csv": string;
                };
            };
            /** @description The data have not changed since the response whose tag was sent in If-None-Match. No body. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["Cacheable"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Vintages": components["headers"]["Vintages"];
                    "X-Vintages-From": components["headers"]["VintagesFrom"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            401: components["responses"]["KeyRefused"];
            /** @description The key is known but not allowed. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description Nothing is there. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description A parameter is misspelt, or has a value that is not allowed. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["NotCacheable"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            429: components["responses"]["Limited"];
            500: components["responses"]["Failed"];
            502: components["responses"]["PartFailed"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
}
