/**
 * The states of ports between passes. A process works on a few ports at a time and knows many, so a state is packed: a tenth of
 * its objects, for a few milliseconds a pass.
 */
import { deserialize, serialize } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Locode } from '../reference/locode.ts';
import type { PortState } from './port-state.ts';

/** Packed bytes of one process. A port beyond them is read from the tables with every pass. */
const MAX_BYTES = 300 * 2 ** 20;

export class PortStates {
  private readonly packed = new Map<Locode, Buffer>();
  private bytes = 0;

  constructor(private readonly maxBytes = MAX_BYTES) {}

  get(port: Locode): PortState | undefined {
    const packed = this.packed.get(port);
    return packed && (deserialize(inflateRawSync(packed)) as PortState);
  }

  /** Where there is no room the port is forgotten rather than another one: all of them are asked for in turn. */
  set(port: Locode, state: PortState): void {
    const packed = deflateRawSync(serialize(state), { level: 1 });
    this.bytes -= this.packed.get(port)?.length ?? 0;
    this.packed.delete(port);
    if (this.bytes + packed.length > this.maxBytes) return;
    this.packed.set(port, packed);
    this.bytes += packed.length;
  }

  clear(): void {
    this.packed.clear();
    this.bytes = 0;
  }
}
