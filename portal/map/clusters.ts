/** Ports that would lie over each other, as one mark: counted, and as bad as the worst of them. */
import Supercluster from 'supercluster';
import type { Place } from './projection.ts';

export interface MapPort extends Place {
  readonly port: string;
  readonly name: string;
  /** Undefined where nothing has been observed. */
  readonly score: number | undefined;
  /** Why it has no figures; undefined where it has. */
  readonly absence: string | undefined;
  readonly atAnchor: number;
  readonly inPort: number;
  /** Of when its figures are, where they are much older than the newest of any port: `17 Oct 2025`. */
  readonly dated: string | undefined;
  /** Of the score, within seven days; undefined where it is not known. */
  readonly weekChange: number | undefined;
  /** Berthings have stopped. */
  readonly isStopped: boolean;
}

/** What a port is in a cluster, and what several of them are. */
interface Crowd {
  atAnchor: number;
  inPort: number;
  score: number | undefined;
  isStopped: boolean;
  /** Name and vessels in port of the largest. */
  name: string;
  largest: number;
}

export interface Cluster extends Place, Readonly<Crowd> {
  readonly cluster: number;
  readonly count: number;
}

export interface Clusters {
  /** Ports and clusters on a world of `width` screen pixels. */
  at(width: number): readonly (MapPort | Cluster)[];
  /** Width of the world in screen pixels on which a cluster falls apart. */
  splitWidth(cluster: number): number;
}

/** Width of the world at zoom 0, and the reach of a cluster there, screen pixels. */
const WORLD_PX = 256;
const REACH_PX = 22;
const MAX_ZOOM = 8;
const EVERYWHERE: [number, number, number, number] = [-180, -90, 180, 90];

const findCrowd = ({ atAnchor, inPort, score, isStopped, name }: MapPort): Crowd => ({
  atAnchor,
  inPort,
  score,
  isStopped,
  name,
  largest: inPort,
});

function join(crowd: Crowd, other: Readonly<Crowd>): void {
  crowd.atAnchor += other.atAnchor;
  crowd.inPort += other.inPort;
  crowd.isStopped ||= other.isStopped;
  if (other.score !== undefined) crowd.score = Math.max(crowd.score ?? 0, other.score);
  if (other.largest > crowd.largest) {
    crowd.largest = other.largest;
    crowd.name = other.name;
  }
}

export function createClusters(ports: readonly MapPort[]): Clusters {
  const index = new Supercluster<MapPort, Crowd>({
    radius: REACH_PX,
    extent: WORLD_PX,
    maxZoom: MAX_ZOOM,
    map: findCrowd,
    reduce: join,
  });
  index.load(
    ports.map((port) => ({
      type: 'Feature',
      properties: port,
      geometry: { type: 'Point', coordinates: [port.longitude, port.latitude] },
    })),
  );
  return {
    at(width) {
      const zoom = Math.min(MAX_ZOOM + 1, Math.max(0, Math.floor(Math.log2(width / WORLD_PX))));
      return index.getClusters(EVERYWHERE, zoom).map(({ properties, geometry }) => {
        if (!('cluster_id' in properties)) return properties;
        const [longitude = 0, latitude = 0] = geometry.coordinates;
        const {
          cluster_id: cluster,
          point_count: count,
          cluster: _,
          point_count_abbreviated: __,
          ...crowd
        } = properties;
        return { ...crowd, cluster, count, longitude, latitude };
      });
    },
    splitWidth: (cluster) => WORLD_PX * 2 ** index.getClusterExpansionZoom(cluster),
  };
}
