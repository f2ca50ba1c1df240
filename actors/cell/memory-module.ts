import { setup } from 'xstate';
import type { ByteMemory } from '../common/byte-memory.ts';
import { cellProtocol } from './protocol.ts';

/** A memory module: its bytes and the clock that stamps accesses. */
export interface MemoryContext {
  readonly spu: number;
  readonly bytes: ByteMemory;
  /** Counts entries and completions: the order of accesses to this memory (Cell specification 10.2). */
  clock: number;
  /** The byte of the access under way. */
  value: number;
}

/** What a memory module is made from. */
export interface MemoryInput {
  readonly spu: number;
  readonly bytes: ByteMemory;
}

const role = cellProtocol.roles.Memory;
const { update, post, when, probe, report } = role.component<MemoryContext>();

/** One memory module (Cell specification 15.6): one access at a time, in the order of its inbox. */
export const memoryModule = setup({
  types: role.types<MemoryContext, MemoryInput>(),
  guards: { inRange: when((memory, { addr }) => addr >= 0 && addr < memory.bytes.size) },
  actions: {
    perform: update((memory, { op, addr, value }) => {
      if (op === 'write') memory.bytes.write(addr, value);
      memory.value = op === 'write' ? value : memory.bytes.read(addr);
      memory.clock += 2;
    }),
    show: probe((memory, { op, addr, by, spu, id, t }) => ({
      type: op === 'read' ? 'RD' : 'WR',
      t,
      mem: memory.spu,
      a: addr,
      v: memory.value,
      by,
      spu,
      id,
      in: memory.clock - 2,
      out: memory.clock - 1,
    })),
    answer: post((memory, _access, { from }) => ({ to: from, type: 'memory.reply', value: memory.value })),
    refuse: report((memory, { addr, by, spu }) => ({
      property: 'only addresses 0..memSize-1 are touched',
      why: `${by} ${spu} accessed address ${addr} of memory ${memory.spu}, which has ${memory.bytes.size} bytes`,
    })),
  },
}).createMachine({
  id: 'memory',
  context: ({ input }) => ({ spu: input.spu, bytes: input.bytes, clock: 0, value: 0 }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        'memory.access': [
          { guard: 'inRange', actions: ['perform', 'show', 'answer'] },
          { actions: 'refuse' },
        ],
      },
    },
  },
});
