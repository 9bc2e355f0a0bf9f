/** What the chain takes from a gateway event. API Gateway's spelling of things ends here. */
import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Every value of a header, joined as HTTP joins them; undefined when it was not sent. */
export function headerOf(event: APIGatewayProxyEvent, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const values = Object.entries(event.multiValueHeaders ?? {})
    .filter(([sent]) => sent.toLowerCase() === wanted)
    .flatMap(([, all]) => all ?? []);
  return values.length === 0 ? undefined : values.join(', ');
}

/**
 * The id of this request: the gateway's, when it is a UUID that the client cannot have chosen (API Gateway lets
 * a header override it), else one made here.
 */
export function requestIdOf(event: APIGatewayProxyEvent): string {
  const id = event.requestContext.requestId;
  if (typeof id !== 'string' || !UUID.test(id)) return randomUUID();
  const wanted = id.toLowerCase();
  const sent = Object.values(event.multiValueHeaders ?? {}).flatMap((all) => all ?? []);
  return sent.some((value) => value.toLowerCase().includes(wanted)) ? randomUUID() : id;
}
