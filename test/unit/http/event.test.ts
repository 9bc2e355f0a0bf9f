/** What the chain reads of a gateway event: headers in any case, and an id that the client did not choose. */
import { describe, expect, it } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { headerOf, requestIdOf } from '../../../core/http/request.ts';
import { gatewayEvent } from '../../builders/gateway-event.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ID = '3b241101-e2bb-4255-8caf-4136c566a962';

describe('a header', () => {
  const event = gatewayEvent({
    headers: { 'If-None-Match': ['"a"', '"b"'], 'if-none-match': ['"c"'], Accept: ['text/csv'] },
  });

  it('is read in whatever case it was sent, all its values in one line', () => {
    expect(headerOf(event, 'IF-NONE-MATCH')).toBe('"a", "b", "c"');
    expect(headerOf(event, 'accept')).toBe('text/csv');
  });

  it('that was not sent is undefined, not an empty line', () => {
    expect(headerOf(event, 'origin')).toBeUndefined();
    const none = { ...event, multiValueHeaders: null } as unknown as APIGatewayProxyEvent;
    expect(headerOf(none, 'origin')).toBeUndefined();
    const empty = { ...event, multiValueHeaders: { Origin: undefined } } as unknown as APIGatewayProxyEvent;
    expect(headerOf(empty, 'origin')).toBeUndefined();
  });
});

describe('the request id', () => {
  it('is the id of the gateway when no header has it', () => {
    expect(requestIdOf(gatewayEvent({ requestId: ID, headers: { Accept: ['*/*'] } }))).toBe(ID);
    const upper = ID.toUpperCase();
    expect(requestIdOf(gatewayEvent({ requestId: upper, headers: {} }))).toBe(upper);
    const none = { ...gatewayEvent({ requestId: ID }), multiValueHeaders: null };
    expect(requestIdOf(none as unknown as APIGatewayProxyEvent)).toBe(ID);
    const empty = { ...none, multiValueHeaders: { Origin: undefined } };
    expect(requestIdOf(empty as unknown as APIGatewayProxyEvent)).toBe(ID);
  });

  it.each([
    ['with something before it', `x${ID}`],
    ['with something behind it', `${ID}x`],
    ['of another form', 'abc'],
  ])('is a new one instead of an id %s', (_, requestId) => {
    expect(requestIdOf(gatewayEvent({ requestId }))).toMatch(UUID);
  });

  it('is a new one when any value of any header has the id, in either case', () => {
    for (const sent of [ID, `trace=${ID.toUpperCase()};`]) {
      const id = requestIdOf(gatewayEvent({ requestId: ID, headers: { A: ['1'], B: ['2', sent] } }));
      expect(id).toMatch(UUID);
      expect(id).not.toBe(ID);
    }
  });
});
