/** The API as the tools see it: an operation with its parameters, and the list of ports behind the provenance. */
import type { PortOrder } from '../../core/contracts/ports.ts';
import type { Route } from '../../core/contracts/route.ts';
import { type OperationId, type PortRecord, type ResponseOf, ROUTES } from '../../core/contracts/routes.ts';
import { type ClientOptions, createClient, PortCongestionError, retryAfterSeconds } from '../client/index.ts';
import { type GivenTable, isTables } from './provenance.ts';

/** How long the service lets a response be cached. */
const LIST_MS = 300_000;
/** MCP clients abandon a call after 60 seconds: retries end before that, and a longer wait is an error that states it. */
const PATIENCE = { maxRetries: 2, maxRetryAfterSeconds: 20 } as const;

/** Why a tool has no response, in the form of the API's error envelope. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: string;
  readonly hint: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, stated: Pick<ToolError, 'code'> & Partial<Omit<ToolError, keyof Error>>) {
    super(message);
    this.code = stated.code;
    this.hint = stated.hint;
    this.requestId = stated.requestId;
    this.retryAfterSeconds = stated.retryAfterSeconds;
  }
}

type Values = Readonly<Record<string, unknown>>;

/** Requests an operation with those of the given parameters that it takes. Rejects with a `ToolError`. */
type Request = <O extends OperationId>(
  operation: O,
  given: Values,
  signal: AbortSignal,
) => Promise<ResponseOf<O>>;

export interface Service {
  readonly request: Request;
  /** Covered ports as they are now: every call is a request, so that a disabled key gets no list. */
  ports(signal: AbortSignal, sort?: PortOrder): Promise<readonly PortRecord[]>;
  /** The tables of calls of the service, at most five minutes old; none without a request where none of the ports has one. */
  tablesBehind(ports: readonly PortRecord[], signal: AbortSignal): Promise<readonly GivenTable[]>;
  /** The cached list of at most five minutes' age, requested again when one of these ports has no data in it. */
  portsAround(codes: readonly string[], signal: AbortSignal): Promise<readonly PortRecord[]>;
}

const own = (given: Values, names: object): Values =>
  Object.fromEntries(Object.entries(given).filter(([name, value]) => name in names && value !== undefined));

export function createService(options: ClientOptions): Service {
  const client = createClient({ ...PATIENCE, ...options });
  const now = options.now ?? Date.now;
  let newest: readonly PortRecord[] = [];
  let until = 0;
  let tables: readonly GivenTable[] = [];
  let tablesUntil = 0;

  const request: Request = async (operation, given, signal) => {
    const { paths, path, query }: Route = ROUTES[operation];
    const init = { params: { path: own(given, path), query: own(given, query) }, signal };
    try {
      // The parameters are those of the route table, from which the types of the client are made too.
      const { data, error, response } = await client.GET(paths[0] as '/v1/ports', init as never);
      if (error === undefined) return data as never;
      throw new ToolError(error.message, {
        code: error.code,
        hint: error.hint,
        requestId: error.request_id,
        retryAfterSeconds: retryAfterSeconds(response.headers.get('Retry-After'), now()),
      });
    } catch (thrown) {
      throw thrown instanceof PortCongestionError
        ? new ToolError(thrown.message, { code: thrown.code })
        : thrown;
    }
  };

  const ports = async (signal: AbortSignal, sort?: PortOrder): Promise<readonly PortRecord[]> => {
    newest = await request('ports', { sort }, signal);
    until = now() + LIST_MS;
    return newest;
  };
  return {
    request,
    ports,
    async tablesBehind(ports, signal) {
      if (!ports.some(({ sources }) => sources.some(isTables))) return [];
      if (now() < tablesUntil) return tables;
      tables = (await request('sources', {}, signal)).flatMap((record) => record.tables ?? []);
      tablesUntil = now() + LIST_MS;
      return tables;
    },
    portsAround: (codes, signal) => {
      const observed = new Set(newest.flatMap(({ port, as_of }) => (as_of === null ? [] : port)));
      return now() < until && codes.every((code) => observed.has(code))
        ? Promise.resolve(newest)
        : ports(signal);
    },
  };
}
