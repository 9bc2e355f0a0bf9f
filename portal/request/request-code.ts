/** A built request as code in three languages. The key comes from the environment, never from the page. */
import { KEY_HEADER } from '../../core/contracts/headers.ts';
import type { BuiltRequest } from './built-request.ts';

/** Name of the environment variable with the key in all examples. */
export const KEY_VARIABLE = 'PCD_API_KEY';

/** A quoted word for a shell. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A curl command. */
export function curlCode(request: BuiltRequest, baseUrl: string): string {
  const key = request.authenticated ? `  -H "${KEY_HEADER}: $${KEY_VARIABLE}" \\\n` : '';
  return `curl --silent --show-error --fail-with-body \\\n${key}  ${shellQuoted(baseUrl + request.path)}\n`;
}

/** JSON strings are also Python strings. */
const pythonQuoted = (text: string): string => JSON.stringify(text);

const READING = {
  json: { imports: 'json', read: 'json.load(response)', show: 'print(json.dumps(data, indent=2))' },
  csv: {
    imports: 'csv\nimport io',
    read: 'list(csv.DictReader(io.TextIOWrapper(response, "utf-8")))',
    show: 'for row in data:\n    print(row)',
  },
} as const;

/** A Python program that needs only the standard library and honours `Retry-After`. */
export function pythonCode(request: BuiltRequest, baseUrl: string): string {
  const { imports, read, show } = READING[request.format];
  const headers = request.authenticated
    ? `{${pythonQuoted(KEY_HEADER)}: os.environ[${pythonQuoted(KEY_VARIABLE)}]}`
    : '{}';
  return `import ${imports}
${request.authenticated ? 'import os\n' : ''}import random
import time
import urllib.error
import urllib.request

request = urllib.request.Request(
    ${pythonQuoted(baseUrl + request.path)},
    headers=${headers},
)

for wait in (1, 2, 4, 8, None):
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            data = ${read}
        break
    except urllib.error.HTTPError as error:
        if wait is None or (error.code != 429 and error.code < 500):
            raise SystemExit(error.read().decode())
        seconds = error.headers.get("Retry-After")
        time.sleep(float(seconds) if seconds else wait * random.uniform(0.8, 1.2))

${show}
`;
}

/** Escaped as in JSON, in single quotes. */
const typescriptQuoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** The arguments of the client's method: the path parameter, then the query as options. */
function argumentsOf({ values }: BuiltRequest): string {
  const subject = values.UNLOCODE ?? values.code;
  const options = Object.entries(values).flatMap(([name, value]) => {
    if (name === 'days') return [`days: ${Number(value)}`];
    return name === 'window' || name === 'until' ? [`${name}: ${typescriptQuoted(value)}`] : [];
  });
  const parts = [
    ...(subject === undefined ? [] : [typescriptQuoted(subject)]),
    ...(options.length === 0 ? [] : [`{ ${options.join(', ')} }`]),
  ];
  return parts.join(', ');
}

/** A TypeScript program on the typed client, which retries and revalidates. */
export function typescriptCode(request: BuiltRequest, baseUrl: string): string {
  const method = request.format === 'csv' ? `${request.operation}Csv` : request.operation;
  const key = request.authenticated ? `\n  apiKey: process.env.${KEY_VARIABLE},` : '';
  const show = request.format === 'csv' ? 'data' : 'JSON.stringify(data, null, 2)';
  return `import { PortCongestionClient } from 'port-congestion-client';

const client = new PortCongestionClient({
  baseUrl: ${typescriptQuoted(baseUrl)},${key}
});

const data = await client.${method}(${argumentsOf(request)});
console.log(${show});
`;
}
