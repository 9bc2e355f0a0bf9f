/** The figures of a covered port of which nothing has been observed, without their basis and the stop, which are null too. */
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
