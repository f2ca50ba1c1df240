import type { GlobalState } from '../../kernel/global-state.ts';
import { memoryIn } from '../../machines/cell/assembly.ts';
import type { AccessEvent } from './checker/log.ts';
import type { ByteContent } from './checker/serialisability.ts';

/** A write to a byte of a memory, as much of it as matters here. */
type Write = Pick<AccessEvent, 'mem' | 'a' | 'v' | 'out'>;

type Bytes = Record<number, [address: number, value: number, stamp: number][]>;

/**
 * The bytes that were written and not looked at yet, by memory: address, value and stamp of the last write by the memory's clock, in the order of addresses.
 *
 * Details: what memories hold is seen at the end of a tick, which is the end of a cycle. A burst machine shows many cycles in one tick: at the end of each of them but the last what its
 * writes said is taken, of its own bytes alone, or a burst would cost the square of its length; at the end of the tick all bytes of the tick are looked at.
 */
export interface WrittenBytes {
  /** Since the last cycle ended. */
  cycle: Bytes;
  /** Since the memories were looked at. */
  tick: Bytes;
}

/** Nothing was written yet. */
export const nothingWritten = (): WrittenBytes => ({ cycle: {}, tick: {} });

/** Notes a write. */
export function noteWrite({ cycle, tick }: WrittenBytes, write: Write): void {
  note(cycle, write);
  note(tick, write);
}

function note(written: Bytes, { mem, a, v, out }: Write): void {
  written[mem] ??= [];
  const bytes = written[mem];
  let at = bytes.length;
  while (at > 0 && bytes[at - 1]![0] > a) at--;
  const known = bytes[at - 1];
  if (known?.[0] !== a) bytes.splice(at, 0, [a, v, out]);
  else if (out >= known[2]) [known[1], known[2]] = [v, out];
}

/** What the memories hold at the end of a tick where they were written in it, memory by memory; the next tick begins. */
export function contentsIn(written: WrittenBytes, state: GlobalState): readonly ByteContent[] {
  const held = contents(written.tick, (mem) => {
    const memory = memoryIn(<Context>(name: string) => state.actor<Context>(name).context, mem);
    return ([address]) => memory.read(address);
  });
  written.cycle = {};
  written.tick = {};
  return held;
}

/** What they hold at the end of a cycle inside a tick, if they have kept the last write; the next cycle begins. */
export function contentsSaid(written: WrittenBytes): readonly ByteContent[] {
  const said = contents(
    written.cycle,
    () =>
      ([, value]) =>
        value,
  );
  written.cycle = {};
  return said;
}

const contents = (
  written: Bytes,
  reading: (mem: number) => (byte: Bytes[number][number]) => number,
): readonly ByteContent[] => {
  const contents: ByteContent[] = [];
  for (const key in written) {
    const mem = Number(key);
    const read = reading(mem);
    for (const byte of written[mem]!) contents.push({ mem, address: byte[0], value: read(byte) });
  }
  return contents;
};
