import type { AnyStateMachine } from 'xstate';
import type { FlitTboxContext } from '../../actors/sunway/engine/flit/flit-tbox.ts';
import type { Serving } from '../../actors/sunway/engine/serving.ts';
import type { TboxContext } from '../../actors/sunway/engine/tbox.ts';
import type { LdmContext } from '../../actors/sunway/ldm.ts';
import type { LockContext, LockEvent } from '../../actors/sunway/locks/lock.ts';
import type { MutexUnitContext } from '../../actors/sunway/locks/mutex-unit.ts';
import type { BankedMemoryContext } from '../../actors/sunway/memory/arrival.ts';
import type { MemoryCtrlContext } from '../../actors/sunway/memory-ctrl.ts';
import type {
  DescriptorIssue,
  LockRequest,
  MemoryWrite,
  ReplyIncrement,
  ReplyWatch,
  RmaData,
} from '../../actors/sunway/messages.ts';
import type { PacketArrive, PacketEnter } from '../../actors/sunway/network/packet.ts';
import type { RouterContext } from '../../actors/sunway/network/router.ts';
import type { BarrierArrive, BarrierContext } from '../../actors/sunway/sync/barrier.ts';
import { component, type Outbox } from '../../kernel/kit.ts';
import type { LockstepEvent, Post } from '../../kernel/message.ts';
import type { Mutant, Mutants } from '../mutant.ts';
import { altered, planted, recipeOf } from '../planting.ts';
import type { SunwayParts } from './assembly.ts';
import { coreFaults } from './faults/core-faults.ts';
import { partFaults } from './faults/part-faults.ts';

const scratchpad = component<LdmContext, ReplyIncrement | ReplyWatch>();
const engine = component<TboxContext | FlitTboxContext, DescriptorIssue | RmaData | PacketArrive>();
/** Whose context does not matter. */
const anybody = component<Record<string, unknown>, LockstepEvent>();
const controller = component<MemoryCtrlContext | BankedMemoryContext, MemoryWrite>();
const switches = component<RouterContext, PacketEnter>();
const barriers = component<BarrierContext, BarrierArrive>();
const locks = component<MutexUnitContext, LockRequest>();
const waiters = component<LockContext, LockEvent>();

/** A state machine some of whose actions say something else. */
const saying = <M extends AnyStateMachine>(
  machine: M,
  names: readonly string[],
  change: (message: Post) => readonly Post[],
): M =>
  planted(machine, {
    actions: Object.fromEntries(
      names.map((name) => {
        const sound = recipeOf(machine, name);
        return [name, anybody.act((c, event, out) => sound(c, event, altered(out as Outbox, change)))];
      }),
    ),
  });

/** Parts whose engines say something else wherever they deliver. */
const withEngineSaying = (parts: SunwayParts, change: (message: Post) => readonly Post[]): SunwayParts => ({
  ...parts,
  tbox: saying(parts.tbox, ['receive'], change),
  transfer: saying(parts.transfer, ['deliver', 'countLocal'], change),
  rmaAnswer: saying(parts.rmaAnswer, ['countRemote'], change),
  flitTbox: saying(parts.flitTbox, ['receive'], change),
  flitTransfer: saying(parts.flitTransfer, ['writeBlock', 'countLocal'], change),
  flitAnswer: saying(parts.flitAnswer, ['countRemote'], change),
});

const withLdm = (parts: SunwayParts, actions: object): SunwayParts => ({
  ...parts,
  ldm: planted(parts.ldm, { actions }),
  portedLdm: planted(parts.portedLdm, { actions }),
});

/** Parts whose routers say something else wherever a packet leaves. */
const withRouterSaying = (parts: SunwayParts, change: (message: Post) => readonly Post[]): SunwayParts => ({
  ...parts,
  router: saying(parts.router, ['allocate', 'allocateNext'], change),
});

/** Planted faults of Sunway nodes, by id (Sunway specification 12). */
export const sunwayMutants: Mutants<SunwayParts> = new Map<string, Mutant<SunwayParts>>([
  [
    'S-01',
    {
      sentence: 'a transfer counts its end twice in every word it names',
      mutate: (parts) =>
        withEngineSaying(parts, (message) =>
          message.type === 'reply.increment' ? [message, message] : [message],
        ),
    },
  ],
  [
    'S-02',
    {
      sentence: 'the bytes of a transfer are in place one cycle after they were counted',
      mutate: (parts) =>
        withEngineSaying(parts, (message) =>
          message.type === 'ldm.write' ? [{ ...message, delay: (message.delay ?? 0) + 1 }] : [message],
        ),
    },
  ],
  [
    'S-03',
    {
      sentence: 'a transfer writes its bytes four bytes too far',
      mutate: (parts) =>
        withEngineSaying(parts, (message) =>
          message.type === 'ldm.write'
            ? [{ ...message, offset: (message as unknown as { offset: number }).offset + 4 } as Post]
            : [message],
        ),
    },
  ],
  [
    'S-04',
    {
      sentence: 'the last receiver of each cluster gets no copy of a broadcast',
      mutate: (parts) => {
        const receive = recipeOf<TboxContext, RmaData>(parts.tbox, 'receive');
        const receivePacket = recipeOf<FlitTboxContext, PacketArrive>(parts.flitTbox, 'receive');
        const allButLast = (tids: readonly number[]) => (tids.length > 1 ? tids.slice(0, -1) : tids);
        return {
          ...parts,
          tbox: planted(parts.tbox, {
            actions: {
              receive: engine.act<'rma.data'>((c, message, out) => {
                receive(c, { ...message, tids: allButLast(message.tids) }, out as Outbox);
              }),
            },
          }),
          flitTbox: planted(parts.flitTbox, {
            actions: {
              receive: engine.act<'packet.arrive'>((c, message, out) => {
                const { packet } = message;
                const content = packet.content as RmaData;
                const tids = allButLast(content.tids.filter((tid) => c.spec.value.tids.includes(tid)));
                const changed = { ...packet, content: { ...content, tids } };
                receivePacket(c as FlitTboxContext, { ...message, packet: changed }, out as Outbox);
              }),
            },
          }),
        };
      },
    },
  ],
  [
    'S-05',
    {
      sentence: 'the last byte of a put does not reach main memory',
      mutate: (parts) => {
        const cut = (machine: SunwayParts['memoryCtrl'] | SunwayParts['bankedMemory']) => {
          const take = recipeOf<MemoryCtrlContext | BankedMemoryContext, MemoryWrite>(machine, 'takeData');
          return {
            takeData: controller.act<'memory.write'>((c, message, out) => {
              const data = message.data.slice();
              data[data.length - 1] = 0;
              take(c, { ...message, data }, out as Outbox);
            }),
          };
        };
        return {
          ...parts,
          memoryCtrl: planted(parts.memoryCtrl, { actions: cut(parts.memoryCtrl) }),
          bankedMemory: planted(parts.bankedMemory, { actions: cut(parts.bankedMemory) }),
        };
      },
    },
  ],
  [
    'S-06',
    {
      sentence: 'a DMA barrier operation orders RMA',
      mutate: (parts) => {
        const other = (message: DescriptorIssue): DescriptorIssue =>
          message.kind === 'dmaBarrier' ? { ...message, kind: 'rmaBarrier' } : message;
        const confused = <M extends SunwayParts['tbox'] | SunwayParts['flitTbox']>(machine: M): M => {
          const enqueue = recipeOf<Serving, DescriptorIssue>(machine, 'enqueue');
          const keepBeyond = recipeOf<Serving, DescriptorIssue>(machine, 'keepBeyond');
          return planted(machine, {
            actions: {
              enqueue: engine.act<'descriptor.issue'>((c, message, out) =>
                enqueue(c, other(message), out as Outbox),
              ),
              keepBeyond: engine.act<'descriptor.issue'>((c, message, out) =>
                keepBeyond(c, other(message), out as Outbox),
              ),
            },
          });
        };
        return { ...parts, tbox: confused(parts.tbox), flitTbox: confused(parts.flitTbox) };
      },
    },
  ],
  [
    'S-07',
    {
      sentence: 'a CPE goes on when its word is one short of what it waits for',
      mutate: (parts) => {
        const watch = recipeOf<LdmContext, ReplyWatch>(parts.ldm, 'watch');
        return withLdm(parts, {
          watch: scratchpad.act<'reply.watch'>((c, message, out) =>
            watch(c, { ...message, value: message.value - 1 }, out as Outbox),
          ),
        });
      },
    },
  ],
  [
    'S-08',
    {
      sentence: 'a CPE that waits for a word is not woken by an increment',
      mutate: (parts) =>
        withLdm(parts, {
          increment: scratchpad.update<'reply.increment'>((c, { offset }) => {
            c.bytes.setWord(offset, c.bytes.word(offset) + 1);
          }),
        }),
    },
  ],
  [
    'S-09',
    {
      sentence: 'a barrier of a row or column opens when one member is still missing',
      mutate: (parts) => {
        const isLast = barriers.when<'barrier.arrive'>((c, { tid, members }) => {
          const missing = members.filter((one) => one !== tid && !c.arrived.includes(one));
          return missing.length === 0 || (missing.length === 1 && c.spec.value.line.kind !== 'pair');
        });
        // The one that is missing is let go as well.
        const release = recipeOf<BarrierContext, BarrierArrive>(parts.syncBarrier, 'release');
        const releaseAll = barriers.act<'barrier.arrive'>((c, message, out) => {
          c.arrived = [...c.arrived, ...c.members.filter((tid) => !c.arrived.includes(tid))];
          release(c, message, out as Outbox);
        });
        return {
          ...parts,
          syncBarrier: planted(parts.syncBarrier, { guards: { isLast }, actions: { release: releaseAll } }),
        };
      },
    },
  ],
  [
    'S-10',
    {
      sentence: 'a lock is granted to who asks for it while another core holds it',
      mutate: (parts) => {
        const ask = recipeOf<MutexUnitContext, LockRequest>(parts.mutexUnit, 'ask');
        const actions = {
          ask: locks.act<'lock.request'>((c, message, out) => {
            c.held.delete(message.key);
            ask(c, message, out as Outbox);
          }),
        };
        return { ...parts, mutexUnit: planted(parts.mutexUnit, { actions }) };
      },
    },
  ],
  [
    'S-11',
    {
      sentence: 'a lock goes to who asked for it last',
      mutate: (parts) => {
        const actions = {
          passOn: waiters.update((c) => {
            c.holder = c.queue.pop()!;
          }),
        };
        return { ...parts, lock: planted(parts.lock, { actions }) };
      },
    },
  ],
  [
    'S-12',
    {
      sentence: 'a router makes no copy of a packet for the last of several clusters',
      mutate: (parts) => {
        const enter = recipeOf<RouterContext, PacketEnter>(parts.router, 'enter');
        return {
          ...parts,
          router: planted(parts.router, {
            actions: {
              enter: switches.act<'packet.enter'>((c, message, out) => {
                const { packet } = message;
                const last = 2 ** Math.floor(Math.log2(packet.targets));
                const targets = packet.targets === last ? last : packet.targets - last;
                enter(c, { ...message, packet: { ...packet, targets } }, out as Outbox);
              }),
            },
          }),
        };
      },
    },
  ],
  [
    'S-13',
    {
      sentence: 'a router hands the bytes of other CPEs over to its cluster twice',
      mutate: (parts) =>
        withRouterSaying(parts, (message) => {
          if (message.type !== 'packet.arrive') return [message];
          const { packet } = message as Post & PacketArrive;
          if (packet.content.type !== 'rma.data') return [message];
          // The second time without the mark of the last bytes, so that no word counts twice.
          const again = { ...packet, content: { ...packet.content, last: false } };
          return [message, { ...message, packet: again } as Post];
        }),
    },
  ],
  [
    'S-31',
    {
      sentence: 'the bytes of a transfer are delivered a second time',
      mutate: (parts) =>
        withEngineSaying(parts, (message) => (message.type === 'ldm.write' ? [message, message] : [message])),
    },
  ],
  ...coreFaults,
  ...partFaults,
]);
