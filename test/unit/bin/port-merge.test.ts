/** Which list wins for which field of a port, and what is left to a person to decide. */
import { describe, expect, it } from '@jest/globals';
import {
  type Listing,
  readPortAreas,
  readSafeSeaNet,
  readSeaPorts,
  readUnlocode,
  readWorldPortIndex,
} from '../../../bin/ports/port-lists.ts';
import { distanceKm, mergePorts, type PortLists, sameClock } from '../../../bin/ports/port-merge.ts';

const at = (latitude: number, longitude: number) => ({ latitude, longitude });

function lists(said: Partial<Record<keyof PortLists, Record<string, Listing>>>): PortLists {
  const list = (name: keyof PortLists) => new Map(Object.entries(said[name] ?? {}));
  return {
    worldPortIndex: list('worldPortIndex'),
    unlocode: list('unlocode'),
    safeSeaNet: list('safeSeaNet'),
    portAreas: list('portAreas'),
    seaPorts: list('seaPorts'),
  };
}

const harbour = { name: 'HARBOUR', position: at(60, 25) };
const town = { name: 'Town', position: at(60.2, 25), timeZone: 'Europe/Helsinki' };

describe('merging', () => {
  it('takes the place of the World Port Index, the name of sea-ports and the zone of the place', () => {
    const given = lists({ worldPortIndex: { FIXXX: harbour }, seaPorts: { FIXXX: town } });
    const { ports, doubts } = mergePorts(['FIXXX'], given, {}, () => 'Europe/Helsinki');
    expect(ports).toEqual([
      {
        locode: 'FIXXX',
        name: 'Town',
        countryCode: 'FI',
        latitude: 60,
        longitude: 25,
        timeZone: 'Europe/Helsinki',
      },
    ]);
    expect(doubts).toEqual([]);
  });

  it('lists each wanted port once, in order of code', () => {
    const given = lists({ seaPorts: { FIBBB: town, FIAAA: town } });
    const { ports } = mergePorts(['FIBBB', 'FIAAA', 'FIBBB'], given, {}, () => 'Europe/Helsinki');
    expect(ports.map((port) => port.locode)).toEqual(['FIAAA', 'FIBBB']);
  });

  it('names the zone of the country when the place is at sea, in its present spelling', () => {
    const given = lists({
      worldPortIndex: { INXXX: harbour },
      seaPorts: { INYYY: { name: 'Other', timeZone: 'Asia/Calcutta' } },
    });
    const { ports } = mergePorts(['INXXX'], given, {}, () => 'Etc/GMT-5');
    expect(ports[0]?.timeZone).toBe('Asia/Kolkata');
  });

  it('doubts lists that are far apart until an override decides', () => {
    const far = { ...town, position: at(10, 25) };
    const given = lists({ worldPortIndex: { FIXXX: harbour }, seaPorts: { FIXXX: far } });
    const merged = mergePorts(['FIXXX'], given, {}, () => 'Europe/Helsinki');
    expect(merged.doubts).toEqual([expect.stringContaining('km apart')]);
    const decided = mergePorts(
      ['FIXXX'],
      given,
      { FIXXX: { reason: 'seen', name: 'Pier' } },
      () => 'Europe/Helsinki',
    );
    expect(decided.doubts).toEqual([]);
    expect(decided.ports[0]?.name).toBe('Pier');
  });

  it('doubts a zone that shows another time than the rest of the country', () => {
    const given = lists({ worldPortIndex: { FIXXX: harbour }, seaPorts: { FIYYY: town } });
    const { doubts } = mergePorts(['FIXXX'], given, {}, () => 'Europe/Stockholm');
    expect(doubts).toEqual([expect.stringContaining('Europe/Helsinki in the rest of the country')]);
  });

  it('leaves out what it cannot complete, and says what was missing', () => {
    const { ports, doubts } = mergePorts(['ZZZZZ'], lists({}), {}, () => 'Etc/GMT');
    expect(ports).toEqual([]);
    expect(doubts).toEqual(['ZZZZZ left out: no position, name, time zone']);
  });
});

it('measures along the great circle', () => {
  expect(distanceKm(at(0, 0), at(0, 180))).toBeCloseTo(20_015, 0);
  expect(distanceKm(at(51.9, 4.48), at(51.9, 4.48))).toBe(0);
});

it('compares clocks, not names', () => {
  expect(sameClock('Europe/Helsinki', 'Europe/Mariehamn')).toBe(true);
  expect(sameClock('Europe/Helsinki', 'Europe/Stockholm')).toBe(false);
});

describe('reading the lists', () => {
  it('takes the largest harbour of a code from the World Port Index', () => {
    const text = [
      'Main Port Name,UN/LOCODE,Harbor Size,Latitude,Longitude',
      'Pier,FI XXX,Very Small,1,2',
      'Port,FI XXX,Large,3,4',
      'Nowhere, ,Large,5,6',
    ].join('\n');
    expect([...readWorldPortIndex(text)]).toEqual([
      ['FIXXX', { name: 'Port', position: at(3, 4), size: 'Large' }],
    ]);
  });

  it('leaves a place out that is blank or off the globe', () => {
    expect(readUnlocode('locode,name_ascii,lat,lon\nFIXXX,Port,,\n').get('FIXXX')).toEqual({ name: 'Port' });
    expect(readSafeSeaNet('locode,location_name,lat,lon\nFIXXX,Port,91,0\n').get('FIXXX')).toEqual({
      name: 'Port',
    });
  });

  it('places a port in the middle of its areas', () => {
    const text =
      'locode,port_area_code,port_area_name,lat,lon\nFIXXX,A,a,60,20\nFIXXX,B,b,61,22\nFIXXX,C,c,,\n';
    expect(readPortAreas(text).get('FIXXX')?.position).toEqual(at(60.5, 21));
  });

  it('turns the longitude-first pairs of sea-ports round', () => {
    const list = readSeaPorts({
      FIXXX: { name: 'Town', coordinates: [25, 60.2], timezone: 'Europe/Helsinki' },
    });
    expect(list.get('FIXXX')).toEqual(town);
  });
});
