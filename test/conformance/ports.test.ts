/** `GET /v1/ports`: the ranking of all ports in one request. Ours, not part of the interface specification. */
import { describe, expect, it } from '@jest/globals';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { Snapshot } from '../../core/contracts/snapshot.ts';
import { get } from './service.ts';
import { expectError } from './statements.ts';

const portsOf = async (query = ''): Promise<PortRecord[]> => (await get(`/v1/ports${query}`)).json();

describe('4. The list of ports', () => {
  it('[S2.40] [S4.58] the figures of each port are those of its snapshot, by UN/LOCODE', async () => {
    const ports = await portsOf();
    expect(ports.length).toBeGreaterThan(1);
    expect(ports.map(({ port }) => port)).toEqual(ports.map(({ port }) => port).sort());
    for (const { port, last_observed, first_day, last_day, method, ...figures } of ports) {
      expect(['records', 'polls', 'positions']).toContain(method);
      const { as_of, congestion_score, avg_wait_hours, at_anchor, in_port } = figures;
      expect(last_observed).toBe(as_of);
      const reply = await get(`/v1/ports/${port}/snapshot`);
      if (reply.status === 404) {
        expect([as_of, congestion_score, avg_wait_hours, at_anchor, in_port]).toEqual(Array(5).fill(null));
        expect([first_day, last_day]).toEqual([null, null]);
        continue;
      }
      const snapshot = reply.json<Snapshot>();
      expect({ as_of, congestion_score, avg_wait_hours, at_anchor, in_port }).toEqual({
        as_of: snapshot.as_of,
        congestion_score: snapshot.congestion_score,
        avg_wait_hours: snapshot.avg_wait_hours,
        at_anchor: snapshot.vessels.at_anchor,
        in_port: snapshot.vessels.in_port,
      });
      // Observations up to midnight cover the day that ends then.
      const observedAt = Date.parse(snapshot.as_of);
      expect([observedAt, observedAt - 1].map((at) => new Date(at).toISOString().slice(0, 10))).toContain(
        last_day,
      );
      expect(first_day && last_day && first_day <= last_day).toBe(true);
    }
  });

  it('[S2.41] the CSV keeps its first columns', async () => {
    const { text } = await get('/v1/ports?format=csv');
    const [header = ''] = text.split('\n');
    expect(header).toBe(
      'port,name,country,latitude,longitude,sources,last_observed,as_of,congestion_score,avg_wait_hours,at_anchor,in_port,first_day,last_day,method,evidence,wait_basis,stopped_since',
    );
  });

  it('has a GeoJSON form with a tag: a point for each port, longitude first, and the other fields', async () => {
    const { json, headers } = await get('/v1/ports?sort=-in_port&format=geojson');
    expect(headers['content-type']).toBe('application/geo+json');
    expect(json()).toEqual({
      type: 'FeatureCollection',
      features: (await portsOf('?sort=-in_port')).map(({ latitude, longitude, ...properties }) => ({
        type: 'Feature',
        id: properties.port,
        geometry: { type: 'Point', coordinates: [longitude, latitude] },
        properties,
      })),
    });
    const again = await get('/v1/ports?sort=-in_port&format=geojson', {
      headers: { 'If-None-Match': headers.etag },
    });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('[S4.59] is sorted by any field, either way', async () => {
    const worst = await portsOf('?sort=-congestion_score');
    const scores = worst.map(({ congestion_score }) => congestion_score ?? -1);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    const names = (await portsOf('?sort=name')).map(({ name }) => name);
    expect(names).toEqual([...names].sort());
    const last = (await portsOf('?sort=-port')).map(({ port }) => port);
    expect(last).toEqual([...last].sort().reverse());
  });

  it('[S4.60] is of one country', async () => {
    const [first] = await portsOf();
    const chosen = await portsOf(`?country=${first?.country}&sort=-in_port`);
    expect(chosen.length).toBeGreaterThan(0);
    expect(new Set(chosen.map(({ country }) => country))).toEqual(new Set([first?.country]));
  });

  it('[S4.61] "sort" and "country" that are not allowed are 422 with a hint that names what is', async () => {
    for (const query of ['sort=score', 'sort=+port', 'sort=sources', 'sort=-', 'sort='])
      expect(expectError(await get(`/v1/ports?${query}`), 422, 'validation_failed').hint).toContain(
        'congestion_score',
      );
    for (const query of ['country=hk', 'country=H', 'country=HKG', 'country='])
      expectError(await get(`/v1/ports?${query}`), 422, 'validation_failed');
    const [first] = await portsOf();
    const { hint } = expectError(await get('/v1/ports?country=ZZ'), 422, 'validation_failed');
    expect(hint).toContain(first?.country);
  });
});
