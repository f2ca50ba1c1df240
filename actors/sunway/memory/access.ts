import type { Outbox } from '../../../kernel/kit.ts';
import type { LockstepEvent } from '../../../kernel/message.ts';
import type { ByteMemory } from '../../common/byte-memory.ts';
import type { MemoryAccess } from '../messages.ts';
import type { MemoryVisible } from '../probes.ts';
import type { Shape } from '../transfer/strided.ts';
import type { MemoryCtrlInput } from './controller-input.ts';

/** The DRAM of a controller: its ranges, and the bytes of each. */
export interface Dram {
  readonly spec: { readonly value: Pick<MemoryCtrlInput, 'ranges'> };
  readonly bytes: readonly ByteMemory[];
}

/** The bytes that keep an address, and the address of the first of them. */
export function memoryAt(
  { spec, bytes: all }: Dram,
  address: number,
): { readonly bytes: ByteMemory; readonly base: number } {
  const { ranges } = spec.value;
  const k = ranges.findIndex(({ first, bytes }) => address >= first && address < first + bytes);
  if (k < 0) throw new Error(`found address ${address}, expected one that this controller keeps`);
  return { bytes: all[k]!, base: ranges[k]!.first };
}

/** The bytes that an access of a core touches. */
export const touched = ({ memory, bytes }: MemoryAccess): Shape => ({
  memory,
  bytes,
  blockSize: 0,
  stride: 0,
});

/** Shows that bytes can be read from now on; -1 for a transfer that is none. */
export function showVisible(
  { memory, bytes: len, blockSize: bsize, stride }: Shape,
  transfer: number,
  core: number,
  out: Pick<Outbox<LockstepEvent, MemoryVisible>, 'probe'>,
): void {
  out.probe({ type: 'memory.visible', memory, len, bsize, stride, transfer, core });
}

/** Carries out an access of a core, and shows what it changed; gives what was there before, nothing of a store. */
export function changeBytes(
  dram: Dram,
  access: MemoryAccess,
  out: Pick<Outbox<LockstepEvent, MemoryVisible>, 'observed' | 'probe'>,
): Uint8Array {
  const { kind, memory, data, value, core } = access;
  const { bytes, base } = memoryAt(dram, memory);
  const offset = memory - base;
  const stores = kind === 'store' || kind === 'writeBack';
  const before = stores ? data.slice(0, 0) : bytes.slice(offset, offset + access.bytes);
  if (stores) bytes.put(offset, data);
  if (kind === 'add') {
    const sum = new Uint8Array(4);
    new DataView(sum.buffer).setInt32(0, new DataView(before.buffer).getInt32(0, true) + value, true);
    bytes.put(offset, sum);
  }
  if (out.observed && (stores || kind === 'add')) showVisible(touched(access), -1, core, out);
  return before;
}
