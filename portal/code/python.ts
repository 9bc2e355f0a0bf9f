/** A built request as a Python program that needs only the standard library and honours `Retry-After`. */
import { KEY_HEADER } from '../../core/contracts/headers.ts';
import type { BuiltRequest } from '../request/built-request.ts';
import { KEY_VARIABLE } from './curl.ts';

/** JSON strings are Python strings. */
const quoted = (text: string): string => JSON.stringify(text);

const READING = {
  json: { imports: 'json', read: 'json.load(response)', show: 'print(json.dumps(data, indent=2))' },
  csv: {
    imports: 'csv\nimport io',
    read: 'list(csv.DictReader(io.TextIOWrapper(response, "utf-8")))',
    show: 'for row in data:\n    print(row)',
  },
} as const;

export function pythonCode(request: BuiltRequest, baseUrl: string): string {
  const { imports, read, show } = READING[request.format];
  const headers = request.authenticated
    ? `{${quoted(KEY_HEADER)}: os.environ[${quoted(KEY_VARIABLE)}]}`
    : '{}';
  return `import ${imports}
${request.authenticated ? 'import os\n' : ''}import random
import time
import urllib.error
import urllib.request

request = urllib.request.Request(
    ${quoted(baseUrl + request.path)},
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
