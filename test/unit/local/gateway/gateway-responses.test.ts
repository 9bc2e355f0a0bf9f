/** The gateway's own responses: substitution, defaults, and what stops the start. */
import { describe, expect, it } from '@jest/globals';
import { createGatewayResponses } from '../../../../local/gateway/gateway-responses.ts';

describe('gateway responses', () => {
  const context = {
    requestId: 'id',
    httpMethod: 'GET',
    path: '/dev/x',
    resourcePath: '/x',
    stage: 'dev',
    apiId: 'a',
    requestTimeEpoch: 1,
    sourceIp: '127.0.0.1',
    authorizer: { limit: '60' },
  };
  const declared = (
    type: string,
    template: string,
    headers: Record<string, string> = {},
    status?: number,
  ) => ({
    type,
    status,
    headers,
    template,
  });

  it('substitute what templates may speak of', () => {
    const template =
      '{"t":"$context.error.responseType","m":$context.error.messageString,"l":"$context.authorizer.limit","n":"$context.authorizer.none","i":"$context.identity.sourceIp."}';
    const respond = createGatewayResponses([
      declared('THROTTLED', template, {
        A: "'a, b'",
        L: 'context.authorizer.limit',
        N: 'context.authorizer.none',
      }),
    ]);
    const response = respond('THROTTLED', context);
    expect(JSON.parse(String(response.body))).toEqual({
      t: 'THROTTLED',
      m: 'Too Many Requests',
      l: '60',
      n: '',
      i: '127.0.0.1.',
    });
    expect(response).toMatchObject({
      status: 429,
      headers: [
        ['Content-Type', 'application/json'],
        ['A', 'a, b'],
        ['L', '60'],
      ],
    });
  });

  it.each([
    ['a type', declared('SURPRISE', ''), 'gateway response SURPRISE: its type'],
    ['a variable', declared('THROTTLED', '$context.nothing'), '$context.nothing is not supported'],
    ['a function', declared('THROTTLED', "$input.params('x')"), '$input is not supported'],
    [
      'a header',
      declared('THROTTLED', '', { A: 'method.request.header.X' }),
      'header value method.request.header.X',
    ],
    ['a header without quotes', declared('THROTTLED', '', { A: '1' }), 'header value 1 is not supported'],
  ])('refuse %s that is not supported', (_, model, complaint) => {
    expect(() => createGatewayResponses([model])).toThrow(complaint);
  });
});
