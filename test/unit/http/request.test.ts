import { describe, expect, it } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError } from '../../../core/contracts/errors.ts';
import { ROW_PARAMETERS } from '../../../core/contracts/parameters.ts';
import type { Route } from '../../../core/contracts/route.ts';
import { ROUTES } from '../../../core/contracts/routes.ts';
import { readHeader, readParameters, readRequestId } from '../../../core/http/request.ts';
import { type EventParts, gatewayEvent } from '../../builders/gateway-event.ts';

const PORT = { UNLOCODE: 'USLAX' };

function faultOf(parts: EventParts, route: Route = ROUTES.trend): ApiError {
  try {
    readParameters(route, gatewayEvent(parts));
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('no fault');
}

describe('readParameters', () => {
  it.each(['/v1/ports/USLAX/trend/', '/v1//ports/USLAX/trend', '/v1/ports/USLAX/trend//'])(
    'is not_found for %s, a path that the contract does not have, before any fault of a parameter',
    (rawPath) => {
      const { code, hint } = faultOf({ rawPath, path: PORT });
      expect(code).toBe('not_found');
      expect(hint).toMatch(/^All endpoints are GET and begin with \/v1/);
    },
  );

  it.each([
    ['formst', 'format'],
    ['fromat', 'format'],
    ['format ', 'format'],
    ['windw', 'window'],
    ['asOf', 'as_of'],
    ['da\nys', 'days'],
  ])('refuses %j, one edit from a parameter that it takes, without repeating it', (misspelt, meant) => {
    for (const query of [{ [misspelt]: ['7d'] }, { window: ['7d'], [misspelt]: ['csv', 'x'] }])
      expect(faultOf({ path: PORT, query })).toMatchObject({
        code: 'validation_failed',
        message: 'The name of a parameter is misspelt.',
        hint: `Did you mean ${meant}?`,
      });
  });

  it('ignores a name that is further from those that it takes, and any name where it takes none', () => {
    for (const name of ['fomt', 'Fomat', 'windows7', 'syad', 'date', 'start', 'end', 't', 'ts', 'tz', '_'])
      expect(() =>
        readParameters(ROUTES.trend, gatewayEvent({ path: PORT, query: { days: ['7'], [name]: ['1'] } })),
      ).not.toThrow();
    for (const route of [ROUTES.snapshot, ROUTES.health])
      expect(() =>
        readParameters(route, gatewayEvent({ path: PORT, query: { fomat: ['csv'], day: ['7'] } })),
      ).not.toThrow();
  });

  it('lists the parameters that choose rows, and the paths that take them', () => {
    const routes = Object.values<Route>(ROUTES);
    const names = new Set(routes.flatMap(({ query }) => Object.keys(query)));
    names.delete('format');
    expect(Object.keys(ROW_PARAMETERS).sort()).toEqual([...names].sort());
    for (const [name, paths] of Object.entries(ROW_PARAMETERS))
      expect([name, paths]).toEqual([
        name,
        routes.filter(({ query }) => name in query).map(({ paths: [preferred] }) => preferred),
      ]);
  });

  it('refuses a parameter of another resource that would choose rows, and names a request that works', () => {
    for (const route of Object.values<Route>(ROUTES))
      for (const name of Object.keys(ROW_PARAMETERS).filter((other) => !(other in route.query))) {
        const parts = { path: { UNLOCODE: 'USLAX', HS_CODE: '85' }, query: { [name]: ['1'] } };
        if (route === ROUTES.health) {
          expect(() => readParameters(route, gatewayEvent(parts))).not.toThrow();
          continue;
        }
        const fault = faultOf(parts, route);
        expect(fault).toMatchObject({
          code: 'validation_failed',
          message: `${name} is not a parameter of this resource.`,
        });
        expect(fault.hint).toMatch(/^Only \/v1.* takes? it\. Try GET \/v1\//);
      }
    expect(faultOf({ path: PORT, query: { days: ['7'], class: ['container'] } }).hint).toBe(
      'Only /v1/ports/{UNLOCODE}/waits takes it. Try GET /v1/ports/USLAX/trend?window=30d',
    );
  });

  it.each([['12h'], ['1d'], ['7'], ['7D'], ['07d'], [''], ['7d '], ['constructor']])(
    'refuses window=%j, naming what it must be like and a request that works',
    (window) => {
      const { code, message, hint } = faultOf({ path: PORT, query: { window: [window] } });
      expect(code).toBe('validation_failed');
      expect(message).toBe('window must be like 7d, 14d, 30d.');
      expect(hint).toBe('Try GET /v1/ports/USLAX/trend?window=30d');
    },
  );

  it.each<Record<string, string[]>>([
    { window: ['31d'] },
    { window: ['90d'] },
    { window: ['365d'] },
    { days: ['90'] },
  ])('says where longer histories than a window are: %j', (query) => {
    const { code, hint } = faultOf({ path: PORT, query });
    expect(code).toBe('validation_failed');
    expect(hint).toMatch(
      /^Try GET \S+\?window=30d and .* waits with from and to; .*dataset.*\/data\/latest\.json/,
    );
  });

  it.each([ROUTES.dwell, ROUTES.alerts])('takes days for window, and refuses both', (route) => {
    const read = (query: EventParts['query']) =>
      readParameters(route, gatewayEvent({ path: PORT, query })).query;
    expect(read({ days: ['9'] })).toMatchObject({ days: 9 });
    expect(read({ window: ['7d'] })).toMatchObject({ window: 7, days: undefined });
    expect(faultOf({ path: PORT, query: { window: ['7d'], days: ['7'] } }, route)).toMatchObject({
      code: 'conflict',
      message: 'window and days exclude each other.',
    });
    expect(faultOf({ path: PORT, query: { days: ['31'] } }, route).code).toBe('validation_failed');
  });

  it('takes conflict before every fault of a value, and unreadable before conflict', () => {
    expect(faultOf({ path: { UNLOCODE: 'x' }, query: { window: ['x', 'y'], days: [''] } }).code).toBe(
      'conflict',
    );
    expect(faultOf({ path: PORT, query: { window: ['%ZZ'], days: ['7'] } }).code).toBe('bad_request');
    expect(faultOf({ path: { UNLOCODE: '%ZZ' } }).code).toBe('bad_request');
    expect(faultOf({ path: PORT, query: { window: ['7d'], days: ['7'], fomat: ['csv'] } }).code).toBe(
      'conflict',
    );
    expect(faultOf({ path: PORT, query: { days: ['%ZZ'], fomat: ['csv'] } }).code).toBe('bad_request');
  });

  it('repeats no value of the path that has not been checked', () => {
    for (const UNLOCODE of ['a\nb', 'x'.repeat(5000), '\r\nX-Injected: 1'])
      expect(faultOf({ path: { UNLOCODE }, query: { window: ['7d'], days: ['7'] } })).toMatchObject({
        code: 'conflict',
        hint: 'Give one of them. Try GET /v1/ports/HKHKG/trend?window=30d',
      });
    const checked = { path: { UNLOCODE: 'NLRTM' }, query: { window: ['7d'], days: ['7'] } };
    expect(faultOf(checked).hint).toContain('/v1/ports/NLRTM/trend');
  });

  it('refuses a parameter given twice, even with one value', () => {
    expect(faultOf({ path: PORT, query: { window: ['7d', '7d'] } })).toMatchObject({
      code: 'validation_failed',
      message: 'window is given 2 times.',
      hint: 'Give it once. Try GET /v1/ports/USLAX/trend?window=30d',
    });
  });

  it('is validation_failed for a path parameter that is not there', () => {
    expect(faultOf({ query: { window: ['7d'] } }).code).toBe('validation_failed');
  });

  it.each([
    ['UsLax', 'Did you mean USLAX?'],
    ['us-la', undefined],
  ])('refuses the port %j with a hint', (port, hint) => {
    const fault = faultOf({ path: { UNLOCODE: port }, query: { window: ['7d'] } });
    expect(fault.code).toBe('validation_failed');
    expect(fault.hint).toBe(hint ?? 'Try GET /v1/ports/HKHKG/trend?window=30d');
  });

  it.each([
    [{ UNLOCODE: 'USLA%' }, ['7d']],
    [{ UNLOCODE: '%C3%28' }, ['7d']],
    [PORT, ['%4G']],
    [PORT, ['7d', '7%']],
  ])('cannot read the path %j with the window %j', (path, window) => {
    expect(faultOf({ path, query: { window } })).toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('percent sign'),
      hint: expect.stringContaining('%25'),
    });
  });
});

// What the chain reads of a gateway event: headers in any case, and an id that the client did not choose.

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ID = '3b241101-e2bb-4255-8caf-4136c566a962';

describe('a header', () => {
  const event = gatewayEvent({
    headers: { 'If-None-Match': ['"a"', '"b"'], 'if-none-match': ['"c"'], Accept: ['text/csv'] },
  });

  it('is read in whatever case it was sent, all its values in one line', () => {
    expect(readHeader(event, 'IF-NONE-MATCH')).toBe('"a", "b", "c"');
    expect(readHeader(event, 'accept')).toBe('text/csv');
  });

  it('that was not sent is undefined, not an empty line', () => {
    expect(readHeader(event, 'origin')).toBeUndefined();
    const none = { ...event, multiValueHeaders: null } as unknown as APIGatewayProxyEvent;
    expect(readHeader(none, 'origin')).toBeUndefined();
    const empty = { ...event, multiValueHeaders: { Origin: undefined } } as unknown as APIGatewayProxyEvent;
    expect(readHeader(empty, 'origin')).toBeUndefined();
  });
});

describe('the request id', () => {
  it('is the id of the gateway when no header has it', () => {
    expect(readRequestId(gatewayEvent({ requestId: ID, headers: { Accept: ['*/*'] } }))).toBe(ID);
    const upper = ID.toUpperCase();
    expect(readRequestId(gatewayEvent({ requestId: upper, headers: {} }))).toBe(upper);
    const none = { ...gatewayEvent({ requestId: ID }), multiValueHeaders: null };
    expect(readRequestId(none as unknown as APIGatewayProxyEvent)).toBe(ID);
    const empty = { ...none, multiValueHeaders: { Origin: undefined } };
    expect(readRequestId(empty as unknown as APIGatewayProxyEvent)).toBe(ID);
  });

  it.each([
    ['with something before it', `x${ID}`],
    ['with something behind it', `${ID}x`],
    ['of another form', 'abc'],
  ])('is a new one instead of an id %s', (_, requestId) => {
    expect(readRequestId(gatewayEvent({ requestId }))).toMatch(UUID);
  });

  it('is a new one when any value of any header has the id, in either case', () => {
    for (const sent of [ID, `trace=${ID.toUpperCase()};`]) {
      const id = readRequestId(gatewayEvent({ requestId: ID, headers: { A: ['1'], B: ['2', sent] } }));
      expect(id).toMatch(UUID);
      expect(id).not.toBe(ID);
    }
  });
});
