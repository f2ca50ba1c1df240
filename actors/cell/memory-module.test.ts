import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contractOf } from '../../kernel/contract.ts';
import { cycles } from '../../kernel/cycle-picture.ts';
import { ByteMemory } from '../common/byte-memory.ts';
import { memoryModule } from './memory-module.ts';
import { cellProtocol } from './protocol.ts';

const input = () => ({ spu: 1, bytes: new ByteMemory(6) });
const values = { addr: fc.integer({ min: -1, max: 6 }) };

for (const { sentence, failures } of contractOf('memory module', {
  machine: memoryModule,
  speaks: cellProtocol.roles.Memory,
  input,
  values,
})) {
  test(sentence, () => expect(failures()).toEqual([]));
}

test('accesses are served one at a time, in the order of the inbox, and stamped (Cell specification 10.2, 15.6)', () => {
  cycles(
    memoryModule,
    input(),
    `
    cycle          0    1
    memory.access  abc  a   a = op read, addr 4, value 0, by dma, spu 2, id 6, t 0, from 30; b = op write, addr 4, value 77, by spu, spu 1, id -1, t 0, from 20; c = op read, addr 4, value 0, by spu, spu 1, id -1, t 0, from 20
    state          i    .   i = idle
    memory.reply   abc  d   a = to 30, value 0; b = to 20, value 77; c = to 20, value 77; d = to 30, value 77
    RD             ab   c   a = mem 1, a 4, v 0, by dma, spu 2, id 6, in 0, out 1; b = mem 1, a 4, v 77, in 4, out 5; c = v 77, in 6, out 7
    WR             a    .   a = mem 1, a 4, v 77, by spu, spu 1, in 2, out 3
    report         .    .
  `,
  );
});

test('an access beside the memory is reported and not answered (Cell specification 15.6)', () => {
  cycles(
    memoryModule,
    input(),
    `
    cycle          0   1
    memory.access  ab  c   a = op read, addr 6, by dma, spu 2, from 30; b = op write, addr -1, value 7, by spu, spu 1, from 20; c = op read, addr 5, from 30
    state          i   .   i = idle
    memory.reply   .   a   a = to 30, value 0
    report         ab  .   a = why "dma 2 accessed address 6 of memory 1, which has 6 bytes"; b = why "spu 1 accessed address -1 of memory 1, which has 6 bytes"
  `,
  );
});
