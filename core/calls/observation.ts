/** The reports that sources return: one form for all, whatever the form of the upstream. */

import type { HsCode, Locode } from '../reference/codes.ts';
import type { VesselClass } from '../reference/figure-names.ts';
import type { Instant, Interval, Month } from '../reference/time.ts';

/** `moving`: a fairway, a pilot station, or any other place that is neither berth nor anchorage. */
export type Zone = 'anchorage' | 'berth' | 'moving';

/**
 * In which figures a call counts. `cargo`: in all. `visitor`, a merchant vessel that comes for bunkers, repairs or a
 * survey, and `unknown`, whose type the source does not state: in the counts of vessels, but in no wait and no score.
 * `ferry`: in none; every passenger vessel, and service craft: tugs, barges, fishing boats, pleasure craft and work
 * vessels. Stored calls and the dataset have these names.
 */
export const TRAFFIC = ['cargo', 'visitor', 'unknown', 'ferry'] as const;
export type Traffic = (typeof TRAFFIC)[number];

/** The traffic of a call made from several parts: the first of `TRAFFIC` that any of them has. */
export const foremostTraffic = (parts: readonly { readonly traffic: Traffic }[]): Traffic =>
  TRAFFIC.find((wanted) => parts.some(({ traffic }) => traffic === wanted)) ?? 'unknown';

export type { VesselClass };

/**
 * A vessel listed as in port, and its stated arrival. A `place` of the form `WIDER > EXACT` lies within another: a
 * vessel listed at the wider one later has not moved.
 */
export interface VesselInPort {
  /** The id that all lists of the source use, for example a call sign. */
  readonly vesselId: string;
  /** IMO number, where the list states a valid one. It identifies the vessel when its `vesselId` changes. */
  readonly imo?: string;
  readonly ataAt: Instant;
  readonly zone: Zone;
  readonly place: string;
  /** Cargo when absent. */
  readonly traffic?: Traffic;
  readonly vesselClass?: VesselClass;
}

/** A vessel that a poll lists as arrived recently; if it has departed, `zone` and `place` are its last position. */
export interface VesselArrived extends VesselInPort {
  readonly departed: boolean;
}

/** A vessel that a poll lists as departed recently, and the place that it left. */
export interface VesselDeparted {
  readonly vesselId: string;
  readonly atdAt: Instant;
  readonly zone: Zone;
  readonly place: string;
  /** Cargo when absent. */
  readonly traffic?: Traffic;
}

/** One look at a port by a source that only shows the present. An absent list was missing or refused: it is not empty. */
export interface PollObservation {
  readonly kind: 'poll';
  readonly port: Locode;
  readonly observedAt: Instant;
  readonly inPort?: readonly VesselInPort[];
  /** Vessels whose row of the in-port list could not be read: they are in port, but it is not known where. */
  readonly unreadable?: readonly string[];
  readonly arrived?: readonly VesselArrived[];
  readonly departed?: readonly VesselDeparted[];
  /** How far the lists of arrived and departed vessels reach back from the poll, milliseconds. They have every event since. */
  readonly reachMs?: number;
}

/** One place of a recorded call, with the times that the source states for it. */
export interface RecordedStop {
  readonly zone: Zone;
  readonly place: string;
  readonly ataAt?: Instant;
  readonly atdAt?: Instant;
  /** The vessel was there already when the source first saw it: `ataAt` is the latest possible start. */
  readonly startUnknown?: true;
  /** The vessel left at a time that the source does not know: `atdAt` only closes the stop for the counts. */
  readonly endUnknown?: true;
}

/** A port call as a record with event times; a later record of the same `callId` counts before an earlier one. */
export interface CallRecord {
  readonly callId: string;
  readonly vesselId: string;
  readonly traffic: Traffic;
  readonly vesselClass?: VesselClass;
  /** When the source last changed the record; it orders the records of one call. */
  readonly recordedAt: Instant;
  /** In any order. */
  readonly stops: readonly RecordedStop[];
  /** Arrival in the port area, where the source states it apart from those of the stops. */
  readonly ataAt?: Instant;
  /** The vessel was already there when the source first saw it: the ATA is the latest possible one. */
  readonly ataInferred?: true;
  readonly atdAt?: Instant;
  readonly cancelled?: boolean;
  /** The time by which the source's list is cut into windows; see `CallsObservation.complete`. */
  readonly listedAt?: Instant;
  /**
   * Which times of an earlier record still count where this one leaves them out. `times`: missing times of the call and
   * of the stops listed here. `fields`: also a stop of a zone without a stop here, for a source with at most one stop a zone. `log`: also the stops before and
   * after those listed here, of a source whose reply may have a part of a log. Absent: none.
   */
  readonly keepsEarlier?: 'times' | 'fields' | 'log';
  /** Times of the record contradict one another, so the wait is in no figure. */
  readonly waitKnown?: false;
}

export const byCallId = (a: CallRecord, b: CallRecord): number => (a.callId < b.callId ? -1 : 1);

/** Records of one port: every call event of `[coveredFromAt, observedAt]` is in this batch or in an earlier one. */
export interface CallsObservation {
  readonly kind: 'call-batch';
  readonly port: Locode;
  readonly observedAt: Instant;
  readonly coveredFromAt: Instant;
  /** Parts of that span for which the batch has no records; calls listed in them are not withdrawn. */
  readonly missing?: readonly Interval[];
  readonly records: readonly CallRecord[];
  /**
   * The batch has every record with `listedAt` in `[fromAt, toAt)`, as of `recordedAt`: an older call of that
   * window without a record is withdrawn.
   */
  readonly complete?: CompleteList;
  /** The batch has the calls that arrived in this span, as far as the source states; none is withdrawn for its lack. */
  readonly window?: Interval;
  /** Set by a feed of changes: the batch has every record of the port that the source changed since then. */
  readonly changesFromAt?: Instant;
  /**
   * For a source with several records of one call, or without ends: overlapping records of a vessel are merged, and a
   * later arrival, here or in one of these, closes a call without a departure at its last known event.
   */
  readonly arrivalsElsewhere?: readonly VesselArrival[];
}

interface CompleteList {
  readonly fromAt: Instant;
  readonly toAt: Instant;
  readonly recordedAt: Instant;
  /** Ids of calls that the list has, in rows that could not be read. */
  readonly unreadable?: readonly string[];
}

export interface VesselArrival {
  readonly vesselId: string;
  readonly port: Locode;
  readonly ataAt: Instant;
}

/** One month's import value of one commodity, in US dollars. */
export interface TradeValue {
  readonly code: HsCode;
  readonly month: Month;
  readonly value: number;
}

/** Import values as published at `observedAt`, of one measure, which is part of a series' identity. */
export interface TradeObservation {
  readonly kind: 'trade';
  readonly measure: string;
  readonly observedAt: Instant;
  readonly values: readonly TradeValue[];
}

export const NOTICE_REASONS = [
  'unknown-place',
  'unknown-remark',
  'contradicted-call',
  'withdrawn-call',
  'revoked',
  'state-reset',
  'anchorages-changed',
  'ports-changed',
  'uncredited-feed',
] as const;
type NoticeReason = (typeof NOTICE_REASONS)[number];

/** A doubt about an accepted record, or something else that an operator should know; logged and counted. */
export interface Notice {
  /**
   * `unknown-place`: the source's table lacks a place name. `unknown-remark`: rows have a remark that is not read. `contradicted-call`: a record states another time than an earlier one.
   * `withdrawn-call`: the source no longer lists the call. `revoked`: accepted replies were taken back. From positions: `state-reset`, the state before cannot be used; `anchorages-changed`, other areas label stays;
   * `ports-changed`, stays of these ports are assigned otherwise; `uncredited-feed`, the attribution lacks a feed.
   */
  readonly reason: NoticeReason;
  /** One line for the log: which record, which value. */
  readonly detail: string;
}

export type PortObservation = PollObservation | CallsObservation;
export type Observation = PortObservation | TradeObservation;
