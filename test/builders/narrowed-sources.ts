/** The sources of positions with few of their ports: a step costs time for every port, whether or not a vessel is received there. */

import type { DayFormat } from '../../core/positions/day-files.ts';
import { ANCHORAGE_AREAS } from '../../core/positions/port-areas.ts';
import { dayReader, pollReader } from '../../core/positions/steps.ts';
import type { Locode } from '../../core/reference/codes.ts';
import type { PortBox } from '../../core/reference/port-boxes.ts';
import {
  FILE_NAME,
  NOAA_FORMAT,
  source as noaaMarinecadastreAis,
} from '../../core/sources/noaa-marinecadastre-ais/source.ts';
import { OPEN_WATERS_FEED, source as openWatersAis } from '../../core/sources/open-waters-ais/source.ts';
import type { DaySource, PollSource } from '../../core/upstream/source.ts';

const hasAny = (ports: readonly Locode[], among: readonly Locode[]): boolean =>
  ports.some((port) => among.includes(port));

/** The polled source with the boxes of some ports and of Rotterdam, which shows that the feed is well. */
export function openWatersAround(ports: readonly Locode[]): {
  readonly source: PollSource;
  readonly boxes: readonly PortBox[];
} {
  const boxes = OPEN_WATERS_FEED.boxes.filter((box) => hasAny(box.ports, [...ports, 'NLRTM']));
  const served = boxes.flatMap((box) => box.ports);
  const approaches = (OPEN_WATERS_FEED.approaches ?? []).filter((approach) => hasAny(approach.ports, served));
  const declaration = { ...openWatersAis.declaration, boxes, approaches, ports: served };
  const feed = {
    ...OPEN_WATERS_FEED,
    declaration,
    boxes,
    approaches,
    canaryPorts: ['NLRTM'],
  };
  return { source: { ...openWatersAis, ...pollReader(feed), declaration }, boxes };
}

/** The source of day files with the boxes of some ports, in the regions that have any. */
export function noaaAround(ports: readonly Locode[]): {
  readonly source: DaySource;
  readonly format: DayFormat;
  readonly boxes: readonly PortBox[];
} {
  const regions = Object.entries(NOAA_FORMAT.regions)
    .map(([region, all]) => [region, all.filter((box) => hasAny(box.ports, ports))] as const)
    .filter(([, boxes]) => boxes.length > 0);
  const format = { ...NOAA_FORMAT, regions: Object.fromEntries(regions) };
  const boxes = regions.flatMap(([, some]) => some);
  const portsOf = (some: readonly PortBox[]): Locode[] => some.flatMap((box) => box.ports);
  const declaration = {
    ...noaaMarinecadastreAis.declaration,
    boxes,
    regions: Object.fromEntries(regions.map(([region, some]) => [region, portsOf(some)])),
    ports: portsOf(boxes),
  };
  const reader = dayReader({ format, fileName: FILE_NAME, anchorageAreas: ANCHORAGE_AREAS });
  return { source: { ...noaaMarinecadastreAis, ...reader, declaration }, format, boxes };
}
