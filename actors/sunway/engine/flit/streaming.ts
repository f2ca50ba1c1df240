import { packetBytes } from '../../network/packet.ts';
import { engineRma, engineSlot } from '../../timing/rma-time.ts';
import { perCycle, wholeCycles } from '../../timing/thousandths.ts';
import type { TimingTable } from '../../timing/timing-table.ts';

/** Bytes that are streamed out of an LDM, packet by packet. */
export interface Streaming {
  readonly len: number;
  /** When the first byte is read and when the last one was, in thousandths. */
  readonly start: number;
  readonly end: number;
  /** Bytes asked for, and the offsets of those that have not come, as packets; bytes that came. */
  asked: number;
  reading: number[];
  come: number;
}

/** The next slot of the engine for so many bytes: when the engine is free again, in thousandths, and how the bytes are read. */
export function takeSlot(
  timing: TimingTable,
  freeAt: number,
  ready: number,
  len: number,
  jitter: number,
): { readonly freeAt: number; readonly source: Streaming } {
  const { start, end } = engineSlot(timing, freeAt, ready, len);
  const later = jitter * perCycle;
  return {
    freeAt: end,
    source: { len, start: start + later, end: end + later, asked: 0, reading: [], come: 0 },
  };
}

/** The packets that may be read by now, as offsets with their bytes. Gives the cycle of the next one, -1 when all are asked for. */
export function askForPackets(
  timing: TimingTable,
  source: Streaming,
  now: number,
  read: (offset: number, bytes: number) => void,
): number {
  while (source.asked < source.len) {
    if (source.asked > 0) {
      const next = wholeCycles(source.start + engineRma(timing, source.asked));
      if (next > now) return next;
    }
    const bytes = Math.min(packetBytes, source.len - source.asked);
    source.reading.push(source.asked);
    read(source.asked, bytes);
    source.asked += bytes;
  }
  return -1;
}

/** Bytes of an LDM came: where they begin in the transfer. */
export function takePacket(source: Streaming, bytes: number): number {
  source.come += bytes;
  return source.reading.shift()!;
}
