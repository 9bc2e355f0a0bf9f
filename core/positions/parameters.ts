/** The engine's parameters. A run uses one set from start to end: a state belongs to the set that made it. */

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/**
 * For fixes one to five minutes apart. Other sources give other values: 60 knots, 15 minutes to confirm and to end,
 * four hours of silence; the least lengths are those of the methodology.
 */
export const DEFAULT_PARAMETERS = {
  /** Rows of one vessel that are out of order by less than this many seconds are put in order. */
  reorderSeconds: 30,
  /** Most tracks of one MMSI: positions that a single vessel cannot have sailed between go to different tracks. */
  tracksPerVessel: 4,
  /** A track with fewer fixes reports nothing: it is an outlier or a garbled MMSI. */
  minFixes: 4,
  /** Knots that a vessel may have made good between two fixes, whatever speed it states. */
  reachKnots: 60,
  /** Within this many seconds it cannot have made good much more than the speeds stated at both ends. */
  steadySeconds: 15 * MINUTE,
  /** Metres that a position may be off. */
  reachMetres: 500,
  /** A fix at this speed or below is slow, in 0.1 knots. */
  slowSpeed: 10,
  /** A slow fix at this speed or below lies still: it gives the place and the kind, and the borders of the stop. */
  stillSpeed: 5,
  /** A still fix sets a border that was within this many seconds of it. */
  stillSeconds: 30 * MINUTE,
  /** A vessel below this speed for as long as a wait, without way ahead, waits; in 0.1 knots. */
  driftSpeed: 25,
  /** A vessel adrift that makes way ahead for this long has left. */
  driftSeconds: HOUR,
  /** Number of faster fixes in a row that a stop survives before it is confirmed. */
  fastTolerated: 2,
  confirmSeconds: 15 * MINUTE,
  /** Most knots made good since the beginning of a stop for it to be confirmed. */
  confirmKnots: 0.7,
  /** A confirmed stop ends when fixes were fast for this many seconds, and at least `endFixes` of them. */
  endSeconds: 15 * MINUTE,
  endFixes: 4,
  /** It ends at once when two fast fixes in a row have left its last slow position by more than this many metres. */
  leaveMetres: 400,
  /** A slow fix this many metres off, after faster ones, belongs to another stop if the vessel had moored firmly. */
  shiftMetres: 150,
  /** A slow fix this many metres off, and more for what it may have drifted, belongs to another stop. */
  jumpMetres: 250,
  /** The same after a pause of more than `pauseSeconds`, in which an anchored vessel swings. */
  moveMetres: 800,
  pauseSeconds: 20 * MINUTE,
  /** A vessel that was silent for longer has left, unless it is received again near where it was. */
  silenceSeconds: 4 * HOUR,
  /** A vessel that is silent for longer has left, wherever it is received again. */
  maxSilenceSeconds: 12 * HOUR,
  /**
   * A receiver outage does not mean that the vessel went silent. One not received for longer than this has left, outage or
   * not: on a weekly service it is back at its berth by then.
   */
  maxAbsenceSeconds: 6 * 24 * HOUR,
  returnMetres: 300,
  /** Stops of one kind in one place are one stay when no more than this many seconds lie between. */
  joinSeconds: 2 * HOUR,
  joinMetres: 400,
  minStopSeconds: 30 * MINUTE,
  minBerthSeconds: HOUR,
  minWaitSeconds: 3 * HOUR,
  /** A stay of the same port that begins within this many seconds of the last belongs to the same call. */
  sameCallSeconds: 12 * HOUR,
  /** A port received for this long shows all vessels in it: one first received there later has arrived since. */
  provenSeconds: 24 * HOUR,
  /** A stay that ended this many seconds ago changes no more. */
  settledSeconds: 3 * 24 * HOUR,
  /** A state forgets a track after this many seconds without a fix. */
  forgetSeconds: 14 * 24 * HOUR,
};

export type EngineParameters = Readonly<typeof DEFAULT_PARAMETERS>;

/** Polls have one position per vessel, in the order of time. */
export const POLL_PARAMETERS: EngineParameters = { ...DEFAULT_PARAMETERS, reorderSeconds: 0 };
