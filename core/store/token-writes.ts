/** The conditional writes and the read behind the limiter: one row per key, with the bucket's state in `tat`. */
import {
  type BucketLimits,
  intervalOf,
  MICROS_PER_SECOND,
  type Micros,
  toleranceOf,
} from '../access/token-bucket.ts';
import type { Table } from './table.ts';

/** `count` requests of one key at one instant. */
export interface Spending {
  readonly digest: string;
  readonly limits: BucketLimits;
  readonly now: Micros;
  readonly count: number;
}

export interface TokenWrites {
  /** Starts a full bucket from now and returns the new state; undefined where the bucket is not full. */
  begin(spending: Spending): Promise<Micros | undefined>;
  /** Takes tokens from a bucket that is neither full nor empty; undefined where it is full, or has too few tokens. */
  advance(spending: Spending): Promise<Micros | undefined>;
  /** Replaces a state that no correct clock could have written, unless another process has done so already. */
  repair(spending: Spending, stored: Micros, tat: Micros): Promise<void>;
  read(digest: string): Promise<Micros | undefined>;
}

/** Seconds that a row stays after its bucket is full again. */
const KEPT_SECONDS = 3600;

export function createTokenWrites(table: Table): TokenWrites {
  async function write(
    { digest, limits, now }: Spending,
    state: string,
    condition: string,
    values: Readonly<Record<string, number>>,
  ): Promise<Micros | undefined> {
    const fullSeconds = (now + limits.burst * intervalOf(limits)) / MICROS_PER_SECOND;
    const row = await table.update(
      { digest },
      {
        UpdateExpression: `SET tat = ${state}, expiresAt = :expires`,
        ConditionExpression: condition,
        ExpressionAttributeValues: { ...values, ':expires': Math.ceil(fullSeconds) + KEPT_SECONDS },
        ReturnValues: 'UPDATED_NEW',
      },
    );
    return row === undefined ? undefined : Number(row.tat);
  }

  return {
    begin: (spending) =>
      write(spending, ':next', 'attribute_not_exists(tat) OR tat <= :now', {
        ':next': spending.now + spending.count * intervalOf(spending.limits),
        ':now': spending.now,
      }),
    advance(spending) {
      const { limits, now, count } = spending;
      const interval = intervalOf(limits);
      return write(spending, 'tat + :interval', 'tat > :now AND tat <= :latest', {
        ':interval': count * interval,
        ':now': now,
        ':latest': now + toleranceOf(limits) - (count - 1) * interval,
      });
    },
    async repair(spending, stored, tat) {
      await write(spending, ':tat', 'tat = :stored', { ':tat': tat, ':stored': stored });
    },
    async read(digest) {
      const row = await table.get({ digest }, true);
      return typeof row?.tat === 'number' ? row.tat : undefined;
    },
  };
}
