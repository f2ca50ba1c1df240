import type { FlitTboxContext } from '../../actors/sunway/engine/flit/flit-context.ts';
import type { RmaAnswerContext } from '../../actors/sunway/engine/rma-answer.ts';
import type { TboxContext } from '../../actors/sunway/engine/tbox.ts';
import type { TransferContext } from '../../actors/sunway/engine/transfer.ts';
import type { TransferSource, TransferTurn } from '../../actors/sunway/engine/within.ts';
import type { LdmContext } from '../../actors/sunway/ldm.ts';
import type { BankedMemoryContext } from '../../actors/sunway/memory/arrival.ts';
import type { MemoryCtrlContext } from '../../actors/sunway/memory-ctrl.ts';
import type {
  DescriptorIssue,
  LockRelease,
  LockRequest,
  MemoryWrite,
  ReplyIncrement,
  ReplyWatch,
  RmaData,
  SyncArrive,
} from '../../actors/sunway/messages.ts';
import type { MutexUnitContext } from '../../actors/sunway/mutex-unit.ts';
import type { PacketArrive, PacketEnter } from '../../actors/sunway/network/packet.ts';
import type { RouterContext } from '../../actors/sunway/network/router.ts';
import { barrierMembers, type SyncNetContext } from '../../actors/sunway/sync-net.ts';
import { component, type Outbox } from '../../kernel/kit.ts';
import type { Post } from '../../kernel/message.ts';
import type { Mutant, Mutants } from '../mutant.ts';
import { altered, planted, recipeOf } from '../planting.ts';
import type { SunwayParts } from './assembly.ts';
import { coreFaults } from './faults/core-faults.ts';
import { partFaults } from './faults/part-faults.ts';

const scratchpad = component<LdmContext, ReplyIncrement | ReplyWatch>();
const engine = component<TboxContext, DescriptorIssue | RmaData>();
const transfers = component<TransferContext, TransferTurn | TransferSource>();
const answers = component<RmaAnswerContext, TransferSource>();
const flitEngine = component<FlitTboxContext, PacketArrive | DescriptorIssue>();
const controller = component<MemoryCtrlContext | BankedMemoryContext, MemoryWrite>();
const switches = component<RouterContext, PacketEnter>();
const wires = component<SyncNetContext, SyncArrive>();
const locks = component<MutexUnitContext, LockRequest | LockRelease>();

/** The actions of an engine that write into an LDM and count, where flits are moved. */
const flitDelivering = ['blockTurn', 'unpack', 'takeSource'] as const;

/** Parts whose engines say something else wherever they deliver. */
function withEngineSaying(parts: SunwayParts, change: (message: Post) => readonly Post[]): SunwayParts {
  const receive = recipeOf<TboxContext, RmaData>(parts.tbox, 'receive');
  const deliver = recipeOf<TransferContext>(parts.transfer, 'deliver');
  const countLocal = recipeOf<TransferContext>(parts.transfer, 'countLocal');
  const countRemote = recipeOf<RmaAnswerContext>(parts.rmaAnswer, 'countRemote');
  const saying = (out: object) => altered(out as Outbox, change);
  const flitActions = Object.fromEntries(
    flitDelivering.map((name) => {
      const sound = recipeOf<FlitTboxContext>(parts.flitTbox, name);
      return [name, flitEngine.act((c, event, out) => sound(c, event, altered(out as Outbox, change)))];
    }),
  );
  return {
    ...parts,
    tbox: planted(parts.tbox, {
      actions: { receive: engine.act<'rma.data'>((c, event, out) => receive(c, event, saying(out))) },
    }),
    transfer: planted(parts.transfer, {
      actions: {
        deliver: transfers.act((c, event, out) => deliver(c, event, saying(out))),
        countLocal: transfers.act((c, event, out) => countLocal(c, event, saying(out))),
      },
    }),
    rmaAnswer: planted(parts.rmaAnswer, {
      actions: { countRemote: answers.act((c, event, out) => countRemote(c, event, saying(out))) },
    }),
    flitTbox: planted(parts.flitTbox, { actions: flitActions }),
  };
}

const withLdm = (parts: SunwayParts, actions: object): SunwayParts => ({
  ...parts,
  ldm: planted(parts.ldm, { actions }),
  portedLdm: planted(parts.portedLdm, { actions }),
});

const withTbox = (parts: SunwayParts, actions: object, flitActions: object): SunwayParts => ({
  ...parts,
  tbox: planted(parts.tbox, { actions }),
  flitTbox: planted(parts.flitTbox, { actions: flitActions }),
});

/** Parts whose routers say something else wherever a packet leaves. */
function withRouterSaying(parts: SunwayParts, change: (message: Post) => readonly Post[]): SunwayParts {
  const actions = Object.fromEntries(
    ['enter', 'goOn', 'takeCredit'].map((name) => {
      const sound = recipeOf<RouterContext>(parts.router, name);
      return [name, switches.act((c, event, out) => sound(c, event, altered(out as Outbox, change)))];
    }),
  );
  return { ...parts, router: planted(parts.router, { actions }) };
}

const withLocks = (parts: SunwayParts, actions: object): SunwayParts => ({
  ...parts,
  mutexUnit: planted(parts.mutexUnit, { actions }),
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
        const unpack = recipeOf<FlitTboxContext, PacketArrive>(parts.flitTbox, 'unpack');
        const allButLast = (tids: readonly number[]) => (tids.length > 1 ? tids.slice(0, -1) : tids);
        return withTbox(
          parts,
          {
            receive: engine.act<'rma.data'>((c, message, out) => {
              receive(c, { ...message, tids: allButLast(message.tids) }, out as Outbox);
            }),
          },
          {
            unpack: flitEngine.act<'packet.arrive'>((c, message, out) => {
              const { packet } = message;
              const { content } = packet;
              if (content.type !== 'rma.data') unpack(c, message, out as Outbox);
              else {
                const tids = allButLast(content.tids.filter((tid) => c.spec.value.tids.includes(tid)));
                const changed = { ...packet, content: { ...content, tids } };
                unpack(c, { ...message, packet: changed }, out as Outbox);
              }
            }),
          },
        );
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
        const enqueue = recipeOf<TboxContext, DescriptorIssue>(parts.tbox, 'enqueue');
        const keepBeyond = recipeOf<TboxContext, DescriptorIssue>(parts.tbox, 'keepBeyond');
        const flitAccept = recipeOf<FlitTboxContext, DescriptorIssue>(parts.flitTbox, 'accept');
        const other = (message: DescriptorIssue): DescriptorIssue =>
          message.kind === 'dmaBarrier' ? { ...message, kind: 'rmaBarrier' } : message;
        return withTbox(
          parts,
          {
            enqueue: engine.act<'descriptor.issue'>((c, message, out) =>
              enqueue(c, other(message), out as Outbox),
            ),
            keepBeyond: engine.act<'descriptor.issue'>((c, message, out) =>
              keepBeyond(c, other(message), out as Outbox),
            ),
          },
          {
            accept: flitEngine.act<'descriptor.issue'>((c, message, out) =>
              flitAccept(c, other(message), out as Outbox),
            ),
          },
        );
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
        const arrive = recipeOf<SyncNetContext, SyncArrive>(parts.syncNet, 'arrive');
        return {
          ...parts,
          syncNet: planted(parts.syncNet, {
            actions: {
              arrive: wires.act<'sync.arrive'>((c, message, out) => {
                arrive(c, message, out as Outbox);
                const { kind, index, mask } = message;
                const open = c.open.get(`${kind} ${index} ${mask}`);
                const missing = barrierMembers(kind, index, mask).filter(
                  (tid) => tid < c.spec.value.cpes.length && !open?.arrived.includes(tid),
                );
                const [last] = missing;
                if (open && kind !== 'pair' && missing.length === 1)
                  arrive(c, { ...message, tid: last! }, out as Outbox);
              }),
            },
          }),
        };
      },
    },
  ],
  [
    'S-10',
    {
      sentence: 'a lock is granted to who asks for it while another core holds it',
      mutate: (parts) => {
        const request = recipeOf<MutexUnitContext, LockRequest>(parts.mutexUnit, 'request');
        return withLocks(parts, {
          request: locks.act<'lock.request'>((c, message, out) => {
            const held = c.locks.get(message.key);
            if (held?.waiting.length === 0) c.locks.delete(message.key);
            request(c, message, out as Outbox);
          }),
        });
      },
    },
  ],
  [
    'S-11',
    {
      sentence: 'a lock goes to who asked for it last',
      mutate: (parts) => {
        const release = recipeOf<MutexUnitContext, LockRelease>(parts.mutexUnit, 'release');
        return withLocks(parts, {
          release: locks.act<'lock.release'>((c, message, out) => {
            c.locks.get(message.key)?.waiting.reverse();
            release(c, message, out as Outbox);
          }),
        });
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
