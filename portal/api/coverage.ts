/** The coverage list: every port of every source, as the build states it. */

/** A port of a source, as `coverage.json` lists it. */
export interface CoveredPort {
  readonly port: string;
  readonly name: string;
  readonly country: string;
  readonly source: string;
  /** What its data rest on before a deployment has observed it. */
  readonly evidence: string;
  readonly freshness: string;
  readonly since: string;
  readonly endpoints: Readonly<Record<string, string>>;
  /** For a port read by positions: the box in which it is read, in degrees. Ports that lie close together share one. */
  readonly box?: Bounds;
  /** For a port read by positions: areas outside of the box where its vessels lie. */
  readonly approaches?: readonly ListedApproach[];
  /** For a port read by positions: anchorages that a public document places. Empty where none was found. */
  readonly anchorages?: readonly ListedGround[];
  /** For a port read by positions: where pilots board, as a public document places it. Empty where none was found. */
  readonly pilot_grounds?: readonly ListedGround[];
  /** Set where neither was found: the UTC day of the search, and what it found instead. */
  readonly grounds_not_found?: { readonly searched: string; readonly remark?: string };
}

interface Bounds {
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
}

interface ListedApproach extends Bounds {
  readonly name: string;
  readonly kind: string;
  readonly reason: string;
  readonly source: string;
}

export interface ListedGround {
  readonly name: string;
  readonly source: string;
  /** Where the document was read. Absent for a law or an approach. */
  readonly address?: string;
  /** UTC day of the document's text, or of the last check against it. */
  readonly as_of: string;
  /** Nautical miles from the port's point to its nearest and farthest corner. */
  readonly nearest_nm: number;
  readonly farthest_nm: number;
  /** Why vessels there do not count for the port; undefined where they do. */
  readonly out_of_reach?: string;
}

export const COVERAGE_LIST = '/docs/coverage.json';
