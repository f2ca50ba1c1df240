import type { FlitTboxContext } from '../../actors/sunway/engine/flit/flit-tbox.ts';
import { hasCome, type LdmContext } from '../../actors/sunway/ldm.ts';
import type { LockContext, LockEvent } from '../../actors/sunway/locks/lock.ts';
import type { MutexUnitContext } from '../../actors/sunway/locks/mutex-unit.ts';
import type {
  DescriptorIssue,
  LockRequest,
  MemoryWrite,
  ReplyIncrement,
  ReplyWatch,
  RmaData,
} from '../../actors/sunway/messages.ts';
import type { PacketArrive, PacketEnter } from '../../actors/sunway/network/packet.ts';
import type { SunwayMessage } from '../../actors/sunway/protocol.ts';
import type { BarrierContext } from '../../actors/sunway/sync/barrier.ts';
import { component } from '../../kernel/kit.ts';
import { type Mutants, mutantsOf } from '../mutant.ts';
import { as, type MessageChange, plantingIn, together } from '../planting.ts';
import type { SunwayParts } from './assembly.ts';
import { coreFaults } from './faults/core-faults.ts';
import { partFaults } from './faults/part-faults.ts';

const scratchpad = component<LdmContext, ReplyIncrement>();
const barriers = component<BarrierContext, SunwayMessage<'barrier.arrive'>>();
const waiters = component<LockContext, LockEvent>();
const { hearing, instead, replace, saying } = plantingIn<SunwayParts>();
const engines = ['tbox', 'flitTbox'] as const;
const scratchpads = ['ldm', 'portedLdm'] as const;

/** Engines that say something else wherever they deliver. */
const enginesSaying = (change: MessageChange<unknown>) =>
  together(
    saying(engines, 'receive', change),
    saying('transfer', ['deliver', 'countLocal'], change),
    saying('flitTransfer', ['writeBlock', 'countLocal'], change),
    saying(['rmaAnswer', 'flitAnswer'], 'countRemote', change),
  );

const allButLast = (tids: readonly number[]) => (tids.length > 1 ? tids.slice(0, -1) : tids);

/** Planted faults of Sunway nodes, by id (Sunway specification 12). */
export const sunwayMutants: Mutants<SunwayParts> = new Map([
  ...mutantsOf<SunwayParts>({
    'S-01': {
      sentence: 'a transfer counts its end twice in every word it names',
      mutate: enginesSaying((message) => (message.type === 'reply.increment' ? [message, message] : message)),
    },
    'S-02': {
      sentence: 'the bytes of a transfer are in place one cycle after they were counted',
      mutate: enginesSaying((message) =>
        message.type === 'ldm.write' ? { ...message, delay: (message.delay ?? 0) + 1 } : message,
      ),
    },
    'S-03': {
      sentence: 'a transfer writes its bytes four bytes too far',
      mutate: enginesSaying((message) =>
        message.type === 'ldm.write'
          ? { ...message, offset: as<{ readonly offset: number }>(message).offset + 4 }
          : message,
      ),
    },
    'S-04': {
      sentence: 'the last receiver of each cluster gets no copy of a broadcast',
      mutate: together(
        hearing<RmaData>('tbox', 'receive', (data) => ({ ...data, tids: allButLast(data.tids) })),
        hearing<PacketArrive, FlitTboxContext>('flitTbox', 'receive', (arrival, c) => {
          const { packet } = arrival;
          const content = packet.content as RmaData;
          const tids = allButLast(content.tids.filter((tid) => c.spec.value.tids.includes(tid)));
          return { ...arrival, packet: { ...packet, content: { ...content, tids } } };
        }),
      ),
    },
    'S-05': {
      sentence: 'the last byte of a put does not reach main memory',
      mutate: hearing<MemoryWrite>(['memoryCtrl', 'bankedMemory'], 'takeData', (write) => {
        const data = write.data.slice();
        data[data.length - 1] = 0;
        return { ...write, data };
      }),
    },
    'S-06': {
      sentence: 'a DMA barrier operation orders RMA',
      mutate: hearing<DescriptorIssue>(engines, ['enqueue', 'keepBeyond'], (issue) =>
        issue.kind === 'dmaBarrier' ? { ...issue, kind: 'rmaBarrier' } : issue,
      ),
    },
    'S-07': {
      sentence: 'a CPE goes on when its word is one short of what it waits for',
      mutate: hearing<ReplyWatch>(scratchpads, 'watch', (watch) => ({ ...watch, value: watch.value - 1 })),
    },
    'S-08': {
      sentence: 'a CPE that waits for a word is not woken by an increment',
      mutate: replace(scratchpads, {
        guards: { hasCome: scratchpad.when((c, { type }) => type !== 'reply.increment' && hasCome(c)) },
      }),
    },
    'S-09': {
      sentence: 'a barrier of a row or column opens when one member is still missing',
      mutate: together(
        replace('syncBarrier', {
          guards: {
            isLast: barriers.when<'barrier.arrive'>((c, { tid, members }) => {
              const missing = members.filter((one) => one !== tid && !c.arrived.includes(one));
              return missing.length === 0 || (missing.length === 1 && c.spec.value.line.kind !== 'pair');
            }),
          },
        }),
        // The one that is missing is let go as well.
        instead<BarrierContext>('syncBarrier', 'release', (release, c, event, out) => {
          c.arrived = [...c.arrived, ...c.members.filter((tid) => !c.arrived.includes(tid))];
          release(c, event, out);
        }),
      ),
    },
    'S-10': {
      sentence: 'a lock is granted to who asks for it while another core holds it',
      mutate: instead<MutexUnitContext, LockRequest>('mutexUnit', 'ask', (ask, c, request, out) => {
        c.held.delete(request.key);
        ask(c, request, out);
      }),
    },
    'S-11': {
      sentence: 'a lock goes to who asked for it last',
      mutate: replace('lock', {
        actions: {
          passOn: waiters.update((c) => {
            c.holder = c.queue.pop()!;
          }),
        },
      }),
    },
    'S-12': {
      sentence: 'a router makes no copy of a packet for the last of several clusters',
      mutate: hearing<PacketEnter>('router', 'enter', (entering) => {
        const { packet } = entering;
        const last = 2 ** Math.floor(Math.log2(packet.targets));
        const targets = packet.targets === last ? last : packet.targets - last;
        return { ...entering, packet: { ...packet, targets } };
      }),
    },
    'S-13': {
      sentence: 'a router hands the bytes of other CPEs over to its cluster twice',
      mutate: saying('router', ['allocate', 'allocateNext'], (message) => {
        if (message.type !== 'packet.arrive') return message;
        const { packet } = as<PacketArrive>(message);
        if (packet.content.type !== 'rma.data') return message;
        // The second time without the mark of the last bytes, so that no word counts twice.
        const again = { ...packet, content: { ...packet.content, last: false } };
        return [message, { ...message, packet: again }];
      }),
    },
    'S-31': {
      sentence: 'the bytes of a transfer are delivered a second time',
      mutate: enginesSaying((message) => (message.type === 'ldm.write' ? [message, message] : message)),
    },
  }),
  ...coreFaults,
  ...partFaults,
]);
