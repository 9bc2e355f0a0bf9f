/** What each operation takes and returns, from the contract. The published declarations state the same without zod. */
import type { Parameter } from '../../core/contracts/parameters.ts';
import type { Route } from '../../core/contracts/route.ts';
import type { OperationId, ResponseOf, ROUTES } from '../../core/contracts/routes.ts';

export type { ErrorCode } from '../../core/contracts/errors.ts';
export type * from '../../core/contracts/routes.ts';

/** A value as it is given: one of the allowed words where the contract lists them, else the parsed value. */
type Given<P> = P extends Parameter<infer T, infer Sent> ? (string extends Sent ? T : Sent) : never;
type Required<P> = { readonly [N in keyof P]: Given<P[N]> };
type Optional<P> = { readonly [N in keyof P]?: Given<P[N]> | undefined };

/** One of the parameters `N`, which exclude each other; also none of them where one has a default. */
type Exclusive<Q, N extends keyof Q> = {
  [K in N]: ([Extract<Q[N], { default: unknown }>] extends [never]
    ? Required<Pick<Q, K>>
    : Optional<Pick<Q, K>>) & { readonly [Other in Exclude<N, K>]?: undefined };
}[N];

type ExclusiveNames<R> = R extends { exclusive: readonly (infer N extends string)[] } ? N : never;
type QueryParameters<R extends Route> = Optional<Omit<R['query'], 'format' | ExclusiveNames<R>>> &
  ([ExclusiveNames<R>] extends [never]
    ? unknown
    : Exclusive<R['query'], ExclusiveNames<R> & keyof R['query']>);

export type Operations = {
  readonly [O in OperationId]: {
    readonly parameters: Required<(typeof ROUTES)[O]['path']> & QueryParameters<(typeof ROUTES)[O]>;
    readonly format: (typeof ROUTES)[O]['query'] extends { format: unknown } ? 'json' | 'csv' : 'json';
    readonly response: ResponseOf<O>;
  };
};
