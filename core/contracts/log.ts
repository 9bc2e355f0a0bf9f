/** What functions log and measure; `lambdas/log.ts` writes it. */

export type Fields = Readonly<Record<string, unknown>>;

/** Writes one line. Values of a field may be errors; empty ones are left out. */
type WriteLine = (message: string, fields?: Fields) => void;

export interface Log {
  readonly info: WriteLine;
  readonly warn: WriteLine;
  readonly error: WriteLine;
  /** Publishes one value of a metric, with the dimension `service` and further ones. */
  metric(
    name: string,
    value: number,
    unit?: 'Count' | 'None',
    dimensions?: Readonly<Record<string, string>>,
  ): void;
}
