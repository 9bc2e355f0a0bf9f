import { describe, expect, it } from '@jest/globals';
import { isOnePlace } from '../../../core/calls/port-call.ts';
import { readPlace, readTime } from '../../../core/sources/hk-marine-department/parse.ts';

describe('places', () => {
  it.each([
    ['SOUTH EAST LAMMA ANCHORAGE', 'anchorage'],
    ['VICTORIA HARBOUR UNDEFINED ANCHORAGES', 'anchorage'],
    ['KAU YI CHAU DANGEROUS GOODS ANCHORAGE', 'anchorage'],
    ['KWAICHUNG CONTR. BERTH NO. 10 (TERMINAL7)', 'berth'],
    ['HONG KONG OFFSHORE LNG TERMINAL', 'berth'],
    ['YIU LIAN DOCK', 'berth'],
    ['CHINA MERCHANT TSING YI (FORMER EUROASIA)', 'berth'],
    ['SINOPEC', 'berth'],
    ['HK ELECTRIC CO. LAMMA ISLAND PO LO TSUI', 'berth'],
    ['CHINA CEMENT TAP SHEK KOK', 'berth'],
    ['KWUN TONG FISH MARKET', 'berth'],
    ['OCEAN TERMINAL/TSIM SHA TSUI', 'berth'],
    ['PERMANENT AVIATION FUEL FACILITY, TUEN MUN', 'berth'],
    ['STONECUTTER IS. (NGONG SHUEN CHAU) WEST', 'berth'],
    ['STONECUTTERS ISLAND PUBLIC CARGO WORKING AREA', 'berth'],
    ['TUEN MUN IMMIGRATION ANCHORAGE', 'anchorage'],
    ['TUEN MUN', 'moving'],
    ['POTOI ISLAND', 'moving'],
    ['TATHONG CHANNEL', 'moving'],
    ['WAGLAN PILOT STATION', 'moving'],
    ['MAWAN NORTHERN PART', 'moving'],
    ['CASTLE PEAK NO.11 BUOY', 'moving'],
    ['HEI LING CHAU TYPHOON SHELTER', 'moving'],
    ['TSING YI', 'moving'],
  ])('%s is %s', (name, zone) => {
    expect(readPlace(name).zone).toBe(zone);
  });

  it.each(['', 'ATLANTIS', 'EAST', 'UNKNOWN', '香港'])('%j is not known', (name) => {
    expect(readPlace(name).zone).toBeUndefined();
  });

  it('have one spelling', () => {
    expect(readPlace('  south  east Lamma\nanchorage ')).toEqual(readPlace('SOUTH EAST LAMMA ANCHORAGE'));
    expect(readPlace('KWAICHUNG CONTR. BERTH NO.18 (TERMINAL9)')).toEqual(
      readPlace('KWAICHUNG CONTR. BERTH NO. 18 (TERMINAL 9)'),
    );
  });

  it('of exact berths lie within the name that the reports use for all of them', () => {
    const [generic, seven, nineteen] = [
      'KWAI CHUNG CONTAINER TERMINAL',
      'KWAICHUNG CONTR. BERTH NO. 7 (TERMINAL 6)',
      'KWAICHUNG CONTR. BERTH NO.19 (TERMINAL 9)',
    ].map((name) => readPlace(name).place);
    expect(isOnePlace(generic ?? '', seven ?? '')).toBe(true);
    expect(isOnePlace(seven ?? '', nineteen ?? '')).toBe(false);
    expect(isOnePlace('YIU LIAN DOCK', readPlace('YIU LIAN DOCK NO.3/TSING YI').place)).toBe(true);
  });
});

describe('times', () => {
  const fetchedAt = Date.UTC(2025, 7, 17, 5, 30);
  it.each([
    ['2025/08/17 03:37', Date.UTC(2025, 7, 16, 19, 37)],
    ['16-AUG-2025 19:05', Date.UTC(2025, 7, 16, 11, 5)],
    ['01-Jan-2025 00:00', Date.UTC(2024, 11, 31, 16)],
    ['2011/11/22 16:30', Date.UTC(2011, 10, 22, 8, 30)],
  ])('%s is Hong Kong time', (text, at) => {
    expect(readTime(text, fetchedAt)).toBe(at);
  });

  it.each([
    ...['2025/8/17 3:37', '31-SEP-2025 10:00', '17-AGO-2025 10:00', '2025-08-17T10:00:00Z', 'now'],
    ...['2025/08/17 24:01', '17/08/2025 11:25', '-2025/08/17 11:25', '1969/12/31 23:00'],
  ])('refuses %s as an impossible time', (text) => {
    expect(readTime(text, fetchedAt)).toBe('impossible-time');
  });
});
