/** A fault of the gateway's own, answered with a gateway response. */
import type { GatewayResponseType } from './gateway-responses.ts';

/** What the authorizer said of the caller, as events and gateway responses carry it. */
export type AuthorizerContext = Readonly<Record<string, unknown>>;

export class Refused extends Error {
  override readonly name = 'Refused';
  /** @param authorizer absent when the request was refused before the authorizer was asked */
  constructor(
    readonly type: GatewayResponseType,
    readonly authorizer?: AuthorizerContext,
  ) {
    super(type);
  }
}
