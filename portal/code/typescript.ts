/** A built request as a TypeScript program on the typed client, which retries and revalidates. */
import type { BuiltRequest } from '../request/built-request.ts';
import { KEY_VARIABLE } from './curl.ts';

/** As JSON escapes it, between the quotes of the other kind. */
const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** The arguments of the client's method: the path parameter, then the query as options. */
function argumentsOf({ values }: BuiltRequest): string {
  const subject = values.UNLOCODE ?? values.code;
  const options = Object.entries(values).flatMap(([name, value]) => {
    if (name === 'days') return [`days: ${Number(value)}`];
    return name === 'window' || name === 'until' ? [`${name}: ${quoted(value)}`] : [];
  });
  const parts = [
    ...(subject === undefined ? [] : [quoted(subject)]),
    ...(options.length === 0 ? [] : [`{ ${options.join(', ')} }`]),
  ];
  return parts.join(', ');
}

export function typescriptCode(request: BuiltRequest, baseUrl: string): string {
  const method = request.format === 'csv' ? `${request.operation}Csv` : request.operation;
  const key = request.authenticated ? `\n  apiKey: process.env.${KEY_VARIABLE},` : '';
  const show = request.format === 'csv' ? 'data' : 'JSON.stringify(data, null, 2)';
  return `import { PortCongestionClient } from 'port-congestion-client';

const client = new PortCongestionClient({
  baseUrl: ${quoted(baseUrl)},${key}
});

const data = await client.${method}(${argumentsOf(request)});
console.log(${show});
`;
}
