/** The figures of a covered port without observations. Their basis and the closure, which are null too, are left out. */
export const UNOBSERVED_PORT = {
  last_observed: null,
  as_of: null,
  congestion_score: null,
  avg_wait_hours: null,
  at_anchor: null,
  in_port: null,
  first_day: null,
  last_day: null,
} as const;
