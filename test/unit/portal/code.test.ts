/** The code of a request: that it names the request, reads the key from the environment, and quotes what is typed. */
import { describe, expect, it } from '@jest/globals';
import { PortCongestionClient } from '../../../client/index.ts';
import { OPERATION_IDS } from '../../../core/contracts/routes.ts';
import { asCsv, buildRequest } from '../../../portal/request/built-request.ts';
import { exampleValues } from '../../../portal/request/operation-form.ts';
import { curlCode, KEY_VARIABLE, pythonCode, typescriptCode } from '../../../portal/request/request-code.ts';

const BASE = 'https://api.example.com';
const requests = OPERATION_IDS.map((operation) => buildRequest(operation, exampleValues(operation))).flatMap(
  (request) => [request, asCsv(request)].filter((one) => one !== undefined),
);

describe.each(requests.map((request) => [request.path, request] as const))(
  'the code of %s',
  (path, request) => {
    it('names the address, and the key only where one is needed', () => {
      for (const code of [curlCode(request, BASE), pythonCode(request, BASE)]) {
        expect(code).toContain(BASE + path);
        expect(code.includes(KEY_VARIABLE)).toBe(request.authenticated);
      }
      expect(typescriptCode(request, BASE).includes(KEY_VARIABLE)).toBe(request.authenticated);
    });

    it('calls a method that the client has', () => {
      const [, method = ''] = /client\.(\w+)\(/.exec(typescriptCode(request, BASE)) ?? [];
      expect(Object.getOwnPropertyNames(PortCongestionClient.prototype)).toContain(method);
    });
  },
);

describe('what is typed', () => {
  const nasty = buildRequest('snapshot', { UNLOCODE: `a'"\\$(rm)\n` });

  it('stays inside its quotes', () => {
    expect(curlCode(nasty, BASE)).toContain(`'${BASE}/v1/ports/a'\\''%22%5C%24(rm)%0A/snapshot'`);
    expect(pythonCode(nasty, BASE)).toContain(JSON.stringify(BASE + nasty.path));
    expect(typescriptCode(nasty, BASE)).toContain(`snapshot('a\\'"\\\\$(rm)\\n')`);
  });
});
