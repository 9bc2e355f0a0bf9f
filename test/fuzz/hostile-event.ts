/** Gateway events with values that no HTTP request could carry: handlers must not rely on the gateway's checks. */
import fc, { type Arbitrary } from 'fast-check';
import type { KeyContext } from '../../core/access/entitlements.ts';
import type { Parameter } from '../../core/contracts/parameters.ts';
import { OPERATION_IDS, type OperationId, ROUTES, type Route } from '../../core/contracts/routes.ts';
import { type EventParts, STARTER_KEY } from '../builders/gateway-event.ts';
import { hostileText, nearlyValid } from './hostile-text.ts';

export interface HostileEvent extends EventParts {
  readonly operation: OperationId;
}

const value = (parameter: Parameter<unknown>): Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(parameter.example) },
    { weight: 2, arbitrary: nearlyValid(parameter.example) },
    { weight: 2, arbitrary: hostileText },
  );

const ID = '3b241101-e2bb-4255-8caf-4136c566a962';
const requestIds = fc.oneof(fc.constantFrom(ID, ID.toUpperCase(), `${ID}\r\n`, ''), hostileText);
const keys = fc.constantFrom<KeyContext>(
  STARTER_KEY,
  STARTER_KEY,
  STARTER_KEY,
  STARTER_KEY,
  { ...STARTER_KEY, tier: 'lite' as const },
  { digest: STARTER_KEY.digest, state: 'disabled' as const },
);
const headers = fc.dictionary(
  fc.oneof(fc.constantFrom('If-None-Match', 'x-request-id', 'Origin', 'X-API-Key', '__proto__'), hostileText),
  fc.array(fc.oneof(hostileText, fc.constantFrom('*', ID, 'https://a.example')), { maxLength: 3 }),
  { maxKeys: 3 },
);

function eventOf(operation: OperationId): Arbitrary<HostileEvent> {
  const route: Route = ROUTES[operation];
  const path = fc.record(
    Object.fromEntries(Object.entries(route.path).map(([name, parameter]) => [name, value(parameter)])),
    { noNullPrototype: true },
  );
  const query = fc.record(
    Object.fromEntries(
      Object.entries(route.query).map(([name, parameter]) => [
        name,
        fc.array(value(parameter), { maxLength: 2 }),
      ]),
    ),
    { requiredKeys: [] as string[], noNullPrototype: true },
  ) as Arbitrary<Record<string, string[]>>;
  return fc.record({
    operation: fc.constant(operation),
    method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD'),
    resource: fc.constantFrom(...route.paths),
    path,
    query,
    headers,
    requestId: requestIds,
    key: keys,
  });
}

export const hostileEvent: Arbitrary<HostileEvent> = fc.oneof(...OPERATION_IDS.map(eventOf));
