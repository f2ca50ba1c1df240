import type { GlobalState } from '../../kernel/global-state.ts';
import { memoryIn } from '../../machines/cell/assembly.ts';
import type { AccessEvent } from './checker/log.ts';
import type { ByteContent } from './checker/serialisability.ts';

/** A write to a byte of a memory, as much of it as matters here. */
type Write = Pick<AccessEvent, 'mem' | 'a' | 'v' | 'out'>;

/**
 * The bytes that were written and not looked at yet, by memory: address, value and stamp of the last write by the memory's clock, in the order of addresses.
 *
 * Details: what memories hold is seen at the end of a tick, which is the end of a cycle; a burst machine shows several cycles in one tick, and what it holds is seen at the end of the last.
 */
export type WrittenBytes = Record<number, [address: number, value: number, stamp: number][]>;

/** Notes a write. */
export function noteWrite(written: WrittenBytes, { mem, a, v, out }: Write): void {
  written[mem] ??= [];
  const bytes = written[mem];
  let at = bytes.length;
  while (at > 0 && bytes[at - 1]![0] > a) at--;
  const known = bytes[at - 1];
  if (known?.[0] !== a) bytes.splice(at, 0, [a, v, out]);
  else if (out >= known[2]) [known[1], known[2]] = [v, out];
}

/** What the memories hold where they were written, memory by memory. */
export const contentsIn = (written: WrittenBytes, state: GlobalState): readonly ByteContent[] =>
  contents(written, (mem) => {
    const memory = memoryIn(<Context>(name: string) => state.actor<Context>(name).context, mem);
    return ([address]) => memory.read(address);
  });

/** What they hold if they have kept the last write. */
export const contentsSaid = (written: WrittenBytes): readonly ByteContent[] =>
  contents(
    written,
    () =>
      ([, value]) =>
        value,
  );

const contents = (
  written: WrittenBytes,
  reading: (mem: number) => (byte: WrittenBytes[number][number]) => number,
): readonly ByteContent[] => {
  const contents: ByteContent[] = [];
  for (const key in written) {
    const mem = Number(key);
    const read = reading(mem);
    for (const byte of written[mem]!) contents.push({ mem, address: byte[0], value: read(byte) });
  }
  return contents;
};
