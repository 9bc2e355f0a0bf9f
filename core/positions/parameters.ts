/** The engine's parameters. A run uses one set from start to end: a state belongs to the set that made it. */

const MINUTE = 60;
const HOUR = 60 * MINUTE;

export interface EngineParameters {
  /** Rows of one vessel that are out of order by less than this many seconds are put in order. */
  readonly reorderSeconds: number;
  /** Positions of one MMSI that no single vessel can have sailed between are kept apart, on so many tracks at most. */
  readonly tracksPerVessel: number;
  /** A track with fewer fixes reports nothing: it is an outlier or a garbled MMSI. */
  readonly minFixes: number;
  /** Knots that a vessel may have made good between two fixes, whatever speed it states. */
  readonly reachKnots: number;
  /** Within this many seconds it cannot have made good much more than the speeds that it states at both ends. */
  readonly steadySeconds: number;
  /** Metres that a position may be off. */
  readonly reachMetres: number;
  /** A fix at this speed or below is slow, in 0.1 knots. */
  readonly slowSpeed: number;
  /** A slow fix at this speed or below lies still: it gives the place and the kind, and the borders of the stop. */
  readonly stillSpeed: number;
  /** A still fix sets a border that was within this many seconds of it. */
  readonly stillSeconds: number;
  /** A vessel that makes no more than this for as long as a wait, and no way ahead, waits; in 0.1 knots. */
  readonly driftSpeed: number;
  /** A vessel adrift that makes way ahead for so long has left. */
  readonly driftSeconds: number;
  /** Faster fixes in a row that a stop outlives before it is confirmed. */
  readonly fastTolerated: number;
  /** A stop is confirmed after this many seconds. */
  readonly confirmSeconds: number;
  /** Knots made good from the begin of a stop, at most, for it to be confirmed. */
  readonly confirmKnots: number;
  /** A confirmed stop ends when fixes were fast for this many seconds, and at least `endFixes` of them. */
  readonly endSeconds: number;
  readonly endFixes: number;
  /** It ends at once when two fast fixes in a row have left its last slow position by more than this many metres. */
  readonly leaveMetres: number;
  /** A slow fix this many metres off, with faster ones between, is of another stop where the last one lay firm. */
  readonly shiftMetres: number;
  /** A slow fix this many metres off, and more for what it may have drifted, belongs to another stop. */
  readonly jumpMetres: number;
  /** The same after a pause of more than `pauseSeconds`, in which an anchored vessel swings. */
  readonly moveMetres: number;
  readonly pauseSeconds: number;
  /** A vessel that was silent for longer has left, unless it is received again near where it was. */
  readonly silenceSeconds: number;
  /** A vessel that is silent for longer has left, wherever it is received again. */
  readonly maxSilenceSeconds: number;
  /**
   * An outage of the receivers is no silence of the vessel. A vessel that was not received for longer than this has left,
   * outage or not: on a weekly service it is back at its berth by then.
   */
  readonly maxAbsenceSeconds: number;
  readonly returnMetres: number;
  /** Stops of one kind in one place are one stay when no more than this many seconds lie between. */
  readonly joinSeconds: number;
  readonly joinMetres: number;
  /** Shorter stops are dropped. */
  readonly minStopSeconds: number;
  readonly minBerthSeconds: number;
  readonly minWaitSeconds: number;
  /** A stay of the same port that begins within this many seconds of the last belongs to the same call. */
  readonly sameCallSeconds: number;
  /** A port received for so long shows which vessels are in it, so that one first received there later has arrived since. */
  readonly provenSeconds: number;
  /** A stay that ended so many seconds ago changes no more. */
  readonly settledSeconds: number;
  /** A state forgets a track after this many seconds without a fix. */
  readonly forgetSeconds: number;
}

/**
 * For fixes one to five minutes apart. Where two sources give other values: 60 knots, 15 minutes
 * to confirm and to end, four hours of silence, and the least lengths are those of the methodology.
 */
export const DEFAULT_PARAMETERS: EngineParameters = {
  reorderSeconds: 30,
  tracksPerVessel: 4,
  minFixes: 4,
  reachKnots: 60,
  steadySeconds: 15 * MINUTE,
  reachMetres: 500,
  slowSpeed: 10,
  stillSpeed: 5,
  stillSeconds: 30 * MINUTE,
  driftSpeed: 25,
  driftSeconds: HOUR,
  fastTolerated: 2,
  confirmSeconds: 15 * MINUTE,
  confirmKnots: 0.7,
  endSeconds: 15 * MINUTE,
  endFixes: 4,
  leaveMetres: 400,
  shiftMetres: 150,
  jumpMetres: 250,
  moveMetres: 800,
  pauseSeconds: 20 * MINUTE,
  silenceSeconds: 4 * HOUR,
  maxSilenceSeconds: 12 * HOUR,
  maxAbsenceSeconds: 6 * 24 * HOUR,
  returnMetres: 300,
  joinSeconds: 2 * HOUR,
  joinMetres: 400,
  minStopSeconds: 30 * MINUTE,
  minBerthSeconds: HOUR,
  minWaitSeconds: 3 * HOUR,
  sameCallSeconds: 12 * HOUR,
  provenSeconds: 24 * HOUR,
  settledSeconds: 3 * 24 * HOUR,
  forgetSeconds: 14 * 24 * HOUR,
};

/** Polls have one position per vessel, in the order of time. */
export const POLL_PARAMETERS: EngineParameters = { ...DEFAULT_PARAMETERS, reorderSeconds: 0 };
