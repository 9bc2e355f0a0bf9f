/** Parts that made-up replies of feeds of positions share. */
import type { FetchedFiles } from '../../core/upstream/source.ts';

export interface MadeVessel {
  readonly mmsi?: number;
  readonly latitude?: number;
  readonly longitude?: number;
  /** Seconds before the poll. */
  readonly age?: number;
  readonly [property: string]: unknown;
}

export const files = (texts: Readonly<Record<string, string>>): FetchedFiles =>
  new Map(Object.entries(texts).map(([name, text]) => [name, new TextEncoder().encode(text)]));

export const collection = (features: readonly object[], more: object = {}): string =>
  JSON.stringify({ type: 'FeatureCollection', features, ...more });
