import { expect, test } from 'vitest';
import type { Address } from '../../kernel/message.ts';
import { Run } from '../../kernel/run.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { ByteMemory } from '../common/byte-memory.ts';
import { addressOf } from './address-map.ts';
import { hostMemory } from './host-memory.ts';

/** What a read of bytes of a memory of 4096 bytes comes to. */
function read(addr: number, bytes: number): string | undefined {
  const wiring = new Wiring();
  const memory = wiring.place('Memory', hostMemory, {
    cpu: 0 as Address,
    down: 0 as Address,
    bytes: new ByteMemory(4096),
    size: 4096,
    readLatency: 1,
    completionBytes: 128,
  });
  wiring.begin({ to: memory, type: 'tlp.read', addr, bytes, tag: 0, channel: 0, requester: 0 });
  return new Run(wiring).until(0).failure?.message;
}

test.each([
  ['behind the end of the memory', addressOf(0, 'gpu', 4000), 128],
  // Bit 31 of an offset is the sign of a whole number of 32 bits.
  ['2 GiB behind its beginning', addressOf(0, 'gpu', 2 ** 31), 128],
  ['of very many bytes', addressOf(0, 'cpu', 0), 2 ** 31],
])('a read %s is refused', (_name, addr, bytes) => {
  expect(read(addr, bytes)).toContain('EUR');
});
