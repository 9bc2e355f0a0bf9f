/** The service level objectives; docs/slo.md states them in words, and the alarms watch them. */
export const OBJECTIVES = {
  /** Share of requests that get a response other than a 5xx, over thirty days. */
  availability: 0.999,
  /** 95 of 100 requests get a response within this, in milliseconds. */
  p95LatencyMs: 300,
} as const;

/** Share of requests that may fail. */
export const ERROR_BUDGET = 1 - OBJECTIVES.availability;

/**
 * Burn rates that raise an alarm: the rate that spends 2 % of thirty days' budget in one hour, and the one that
 * spends 5 % in six hours. The short window ends the alarm soon after the fault.
 * Beyer et al., The Site Reliability Workbook, chapter 5.
 */
export const BURN_RATES = [
  { name: 'Fast', rate: 14.4, longMinutes: 60, shortMinutes: 5 },
  { name: 'Slow', rate: 6, longMinutes: 360, shortMinutes: 30 },
] as const;
