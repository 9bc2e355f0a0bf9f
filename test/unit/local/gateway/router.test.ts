/** Which route a path finds, and which paths of a template are refused. */
import { describe, expect, it } from '@jest/globals';
import { createRouter } from '../../../../local/gateway/router.ts';

describe('routes', () => {
  const route = (path: string) => ({ method: 'GET', path });

  it('prefer what is literal', () => {
    const match = createRouter([route('/v1/{id}'), route('/v1/health')]);
    expect(match('GET', '/v1/health')?.pathParameters).toBeNull();
    expect(match('GET', '/v1/other')?.pathParameters).toEqual({ id: 'other' });
    expect(match('GET', '')).toBeUndefined();
    expect(match('GET', '*')).toBeUndefined();
  });

  it('ignore one trailing slash, and no other empty segment', () => {
    const match = createRouter([route('/v1/{id}'), route('/v1/{id}/trend'), route('/v1/health')]);
    expect(match('GET', '/v1/health/')?.route.path).toBe('/v1/health');
    expect(match('GET', '/v1/a/')?.pathParameters).toEqual({ id: 'a' });
    expect(match('GET', '/v1/a/trend/')?.route.path).toBe('/v1/{id}/trend');
    for (const path of ['/', '//', '/v1/', '/v1/health//', '/v1//health', '//v1/health', '/v1//trend'])
      expect(match('GET', path)).toBeUndefined();
  });

  it.each([
    [['/v1/{proxy+}'], 'segment {proxy+} is not supported'],
    [['/v1/a{b}'], 'segment a{b} is not supported'],
  ])('refuse %j', (paths, complaint) => {
    expect(() => createRouter(paths.map(route))).toThrow(complaint);
  });
});
