import type { BusContext } from '../../../actors/cell/command-bus.ts';
import type { DmaContext } from '../../../actors/cell/dma-module.ts';
import type { MemoryContext } from '../../../actors/cell/memory-module.ts';
import type { CellEvents } from '../../../actors/cell/protocol.ts';
import type { ByteMemory } from '../../../actors/common/byte-memory.ts';
import { component } from '../../../kernel/kit.ts';
import type { Address, Post } from '../../../kernel/message.ts';
import { mutantsOf } from '../../mutant.ts';
import { extended, planted, plantingIn, postedBy, together } from '../../planting.ts';
import type { CellParts } from '../parts.ts';
import type { CellFault } from './mutant.ts';

type MemoryAccess = CellEvents<'Memory'>;
const bus = component<BusContext, CellEvents<'Bus'>>();
const dma = component<DmaContext, CellEvents<'Dma'>>();
const memory = component<MemoryContext, MemoryAccess>();

/** A memory that knows who wrote last. */
interface NotingMemory extends MemoryContext {
  last: { readonly t: number; readonly addr: number; readonly by: string } | null;
}
const noting = component<NotingMemory, MemoryAccess>();

/** A memory that shows each transfer the bytes as they were at its first read. */
interface CopyingMemory extends MemoryContext {
  readonly copies: Record<string, ByteMemory>;
}
const copying = component<CopyingMemory, MemoryAccess>();

/** The second step of an access: who made it, and the stamp of the first step. */
type EnteredAccess = Omit<MemoryAccess, 'type'> & {
  readonly type: 'memory.finish';
  readonly asker: Address;
  readonly entered: number;
};
const unlocked = component<MemoryContext, MemoryAccess | EnteredAccess>();

const { replace } = plantingIn<CellParts>();

const partyOf = ({ by, spu, id }: MemoryAccess): string => `${by} ${spu} ${id}`;

/** Faults of the command bus and the memories, which several parts share (Cell specification 21.4). */
export const sharedAccessFaults = mutantsOf<CellParts, CellFault>({
  'M-16': {
    sentence: 'the bus is released before the command is recorded',
    mustRaise: ['CK-14'],
    mutate: together(
      replace('dma', (machine) => {
        const command = postedBy<DmaContext>(machine, 'sendCommand');
        const release = postedBy<DmaContext>(machine, 'releaseBus');
        return {
          actions: {
            sendCommand: dma.post((module, event) => release(module, event)),
            releaseBus: dma.post((module, event) => command(module, event)),
          },
        };
      }),
      replace('bus', {
        actions: {
          // Records commands of whoever sends them.
          complain: bus.act((held, event, out) => {
            if (event.type !== 'bus.command') return;
            const { spu, dest, cmd, t } = event;
            held.commands++;
            const q = held.clock++;
            if (out.observed) out.probe({ type: 'CMD', t, spu, dest, cmd, q } as never);
          }),
        },
      }),
    ),
  },
  'M-20': {
    sentence: 'a write is lost when two parties write a byte in one cycle',
    mustRaise: ['CK-20'],
    mutate: (parts) => ({
      ...parts,
      memory: planted(
        extended(parts.memory, () => ({ last: null })),
        {
          actions: {
            perform: noting.update((memory, access) => {
              const { op, addr, value, t } = access;
              const by = partyOf(access);
              const { last } = memory;
              const lost =
                op === 'write' && last !== null && last.t === t && last.addr === addr && last.by !== by;
              if (op === 'write' && !lost) memory.bytes.write(addr, value);
              if (op === 'write') memory.last = { t, addr, by };
              memory.value = op === 'write' ? value : memory.bytes.read(addr);
              memory.clock += 2;
            }),
          },
        },
      ),
    }),
  },
  'M-21': {
    sentence: 'a transfer moves the bytes as they were when it began',
    mustRaise: ['CK-20'],
    mutate: (parts) => ({
      ...parts,
      memory: planted(
        extended(parts.memory, () => ({ copies: {} })),
        {
          actions: {
            perform: copying.update((memory, access) => {
              const { op, addr, value, by, spu, id } = access;
              if (op === 'write') memory.bytes.write(addr, value);
              const key = `${spu} ${id}`;
              if (op === 'read' && by === 'dma') memory.copies[key] ??= memory.bytes.fork();
              const source = by === 'dma' ? (memory.copies[key] ?? memory.bytes) : memory.bytes;
              memory.value = op === 'write' ? value : source.read(addr);
              memory.clock += 2;
            }),
          },
        },
      ),
    }),
  },
  'M-26': {
    sentence: 'a memory has no lock: two accesses interleave',
    mustRaise: ['CK-19'],
    scheduleDependent: true,
    mutate: (parts) => {
      const open = extended(parts.memory, () => ({}), {
        'memory.finish': { actions: ['perform', 'show', 'answer'] },
      });
      return {
        ...parts,
        memory: planted(open, {
          actions: {
            perform: unlocked.act((memory, event, out) => {
              if (event.type === 'memory.access') {
                const entered = memory.clock++;
                out.post({
                  ...event,
                  to: out.self,
                  type: 'memory.finish',
                  asker: out.from,
                  entered,
                } as never);
                return;
              }
              const { op, addr, value } = event;
              if (op === 'write') memory.bytes.write(addr, value);
              memory.value = op === 'write' ? value : memory.bytes.read(addr);
              memory.clock++;
            }),
            show: unlocked.probe((memory, event) => {
              if (event.type === 'memory.access') return undefined;
              const { op, addr, by, spu, id, t, entered } = event;
              const type = op === 'read' ? 'RD' : 'WR';
              return {
                type,
                t,
                mem: memory.spu,
                a: addr,
                v: memory.value,
                by,
                spu,
                id,
                in: entered,
                out: memory.clock - 1,
              };
            }),
            answer: unlocked.post((memory, event) =>
              event.type === 'memory.access'
                ? undefined
                : { to: event.asker, type: 'memory.reply', value: memory.value },
            ),
          },
        }),
      };
    },
  },
  'D-02': {
    sentence: 'the command bus never grants',
    mustRaise: ['CK-18', 'deadlock'],
    mutate: replace('bus', { actions: { grant: bus.post(() => undefined) } }),
  },
  'D-04': {
    sentence: 'a memory answers twice',
    mustRaise: ['error'],
    mutate: replace('memory', (machine) => {
      const answer = postedBy<MemoryContext>(machine, 'answer');
      return {
        actions: {
          answer: memory.post((one, event, envelope) => {
            const reply = answer(one, event, envelope) as Post;
            return [reply, reply];
          }),
        },
      };
    }),
  },
});
