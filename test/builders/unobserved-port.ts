/** The figures of a covered port before anything has been observed. */
export const UNOBSERVED = {
  last_observed: null,
  as_of: null,
  congestion_score: null,
  avg_wait_hours: null,
  at_anchor: null,
  in_port: null,
  first_day: null,
  last_day: null,
  wait_basis: null,
  stopped_since: null,
} as const;
