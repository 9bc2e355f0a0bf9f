/** The gateway's own responses: substitution, defaults, and what stops the start. */
import { describe, expect, it } from '@jest/globals';
import { createGatewayResponses } from '../../../../local/gateway/gateway-responses.ts';

describe('gateway responses', () => {
  const context = { requestId: 'id', authorizer: { limit: '60' } };
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
      '{"l":"$context.authorizer.limit","n":"$context.authorizer.none","i":"$context.requestId."}';
    const respond = createGatewayResponses([
      declared('THROTTLED', template, {
        A: "'a, b'",
        L: 'context.authorizer.limit',
        N: 'context.authorizer.none',
      }),
    ]);
    const response = respond('THROTTLED', context);
    expect(JSON.parse(String(response.body))).toEqual({
      l: '60',
      n: '',
      i: 'id.',
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

  it('have the defaults of API Gateway where the template has none', () => {
    expect(createGatewayResponses([])('THROTTLED', context)).toEqual({
      status: 429,
      headers: [['Content-Type', 'application/json']],
      body: '{"message":"Too Many Requests"}',
    });
  });

  it.each([
    ['a type', declared('SURPRISE', ''), 'gateway response SURPRISE: its type'],
    ['a variable', declared('THROTTLED', '$context.nothing'), 'context.nothing is not supported'],
    ['a function', declared('THROTTLED', "$input.params('x')"), 'input.params is not supported'],
    [
      'a header',
      declared('THROTTLED', '', { A: 'method.request.header.X' }),
      'method.request.header.X is not supported',
    ],
    ['a header without quotes', declared('THROTTLED', '', { A: '1' }), '1 is not supported'],
  ])('refuse %s that is not supported', (_, model, complaint) => {
    expect(() => createGatewayResponses([model])).toThrow(complaint);
  });
});
