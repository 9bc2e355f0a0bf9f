/** Ports that would lie over each other, as one mark: counted, and as bad as the worst of them. */
import Supercluster, { type ClusterProperties } from 'supercluster';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { MovedPort } from '../api/files.ts';
import type { Place } from './projection.ts';

export interface MapPort extends MovedPort {
  /** Why it has no score; undefined where it has one. */
  readonly absence: string | undefined;
  /** It has months of figures that are not of now, and stands apart from the others. */
  readonly isSeason: boolean;
  /** Date of its figures, where it is a season or is not ranked: `Jan to Oct 2025`, `17 Oct 2025`. */
  readonly dated: string | undefined;
}

/** What a port is in a cluster, and what several of them are. */
interface Crowd
  extends Pick<PortRecord, 'name' | 'at_anchor' | 'in_port' | 'congestion_score' | 'stopped_since'> {
  /** Vessels in port of the largest, which has the name. */
  largest: number;
}

export type Cluster = Place & Readonly<Crowd> & ClusterProperties;

/** Width of the world at zoom 0, and the reach of a cluster there, screen pixels. */
const WORLD_PX = 256;
const REACH_PX = 22;
const MAX_ZOOM = 8;
const EVERYWHERE: [number, number, number, number] = [-180, -90, 180, 90];

const findCrowd = ({ name, at_anchor, in_port, congestion_score, stopped_since }: MapPort): Crowd => ({
  name,
  at_anchor,
  in_port,
  congestion_score,
  stopped_since,
  largest: in_port ?? 0,
});

function join(crowd: Crowd, other: Readonly<Crowd>): void {
  crowd.at_anchor = (crowd.at_anchor ?? 0) + (other.at_anchor ?? 0);
  crowd.in_port = (crowd.in_port ?? 0) + (other.in_port ?? 0);
  crowd.stopped_since ??= other.stopped_since;
  crowd.congestion_score = Math.max(crowd.congestion_score ?? 0, other.congestion_score ?? 0);
  if (other.largest > crowd.largest) {
    crowd.largest = other.largest;
    crowd.name = other.name;
  }
}

export function createClusters(ports: readonly MapPort[]) {
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
    at(width: number): readonly (MapPort | Cluster)[] {
      const zoom = Math.min(MAX_ZOOM + 1, Math.max(0, Math.floor(Math.log2(width / WORLD_PX))));
      return index.getClusters(EVERYWHERE, zoom).map(({ properties, geometry }) => {
        const [longitude = 0, latitude = 0] = geometry.coordinates;
        return 'cluster_id' in properties ? { ...properties, longitude, latitude } : properties;
      });
    },
    /** Width of the world in screen pixels on which a cluster falls apart. */
    splitWidth: (cluster: number): number => WORLD_PX * 2 ** index.getClusterExpansionZoom(cluster),
  };
}
