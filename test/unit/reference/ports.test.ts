/** The port table as it lies in the repository: complete, in order, and where the ports really are. */
import { describe, expect, it } from '@jest/globals';
import { isLocode } from '../../../core/reference/codes.ts';
import { findPort, PORTS } from '../../../core/reference/ports.ts';
import { SOURCE_DECLARATIONS } from '../../../core/sources/declarations.ts';

describe('the port table', () => {
  it('has one well-formed row a code, in order', () => {
    const codes = PORTS.map((port) => port.locode);
    expect(codes.every(isLocode)).toBe(true);
    expect(codes).toEqual([...new Set(codes)].sort());
    for (const port of PORTS) {
      expect(port.countryCode).toBe(port.locode.slice(0, 2));
      expect(port.name.trim()).not.toBe('');
      expect(port.name).toMatch(/^[\x20-\x7e]+$/);
      expect(Math.abs(port.latitude)).toBeLessThanOrEqual(90);
      expect(Math.abs(port.longitude)).toBeLessThanOrEqual(180);
    }
  });

  it('has every port that a source covers', () => {
    const covered = SOURCE_DECLARATIONS.flatMap((declaration) => declaration.ports);
    expect(covered.filter((locode) => findPort(locode) === undefined)).toEqual([]);
  });

  it.each([
    ['USLAX', 33.75, -118.25],
    ['SGSIN', 1.26, 103.82],
    ['NLRTM', 51.9, 4.48],
    ['HKHKG', 22.27, 114.2],
    ['FIRAU', 61.13, 21.45],
  ])('places the harbour of %s', (locode, latitude, longitude) => {
    const port = findPort(locode);
    expect(port?.latitude).toBeCloseTo(latitude, 1);
    expect(port?.longitude).toBeCloseTo(longitude, 1);
  });

  it('knows nothing of a code that is not in it', () => {
    expect(findPort('ZZZZZ')).toBeUndefined();
  });
});
