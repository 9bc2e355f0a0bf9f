/** Reads a gateway event for the chain. No other file knows API Gateway's event format. */
import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Every value of a header, joined as HTTP joins them; undefined when it was not sent. */
export function headerOf(event: APIGatewayProxyEvent, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const headers = event.multiValueHeaders ?? {};
  const values: string[] = [];
  for (const sent of Object.keys(headers))
    if (sent.toLowerCase() === wanted) values.push(...(headers[sent] ?? []));
  return values.length === 0 ? undefined : values.join(', ');
}

/**
 * The id of this request: the gateway's, when it is a UUID that the client cannot have chosen (API Gateway lets
 * a header override it), else a new one.
 */
export function requestIdOf(event: APIGatewayProxyEvent): string {
  const id = event.requestContext.requestId;
  if (!UUID.test(id)) return randomUUID();
  const wanted = id.toLowerCase();
  for (const values of Object.values(event.multiValueHeaders ?? {}))
    if (values?.some((value) => value.toLowerCase().includes(wanted))) return randomUUID();
  return id;
}
