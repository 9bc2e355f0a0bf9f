/** The conditional writes and the read of which the limiter is made: one row a key, `tat` is the bucket's state. */
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
  /** A full bucket begins anew from now. Undefined where it is not full; else the state written. */
  begin(spending: Spending): Promise<Micros | undefined>;
  /** A bucket neither full nor empty moves on, whoever moved it before. Undefined where it is full, or too empty. */
  advance(spending: Spending): Promise<Micros | undefined>;
  /** Puts a state that no clock in step could have made right, unless somebody did so before. */
  repair(spending: Spending, held: Micros, tat: Micros): Promise<void>;
  read(digest: string): Promise<Micros | undefined>;
}

/** Seconds that a row is kept beyond the moment at which its bucket is full. */
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
    async repair(spending, held, tat) {
      await write(spending, ':tat', 'tat = :held', { ':tat': tat, ':held': held });
    },
    async read(digest) {
      const row = await table.get({ digest }, true);
      return typeof row?.tat === 'number' ? row.tat : undefined;
    },
  };
}
