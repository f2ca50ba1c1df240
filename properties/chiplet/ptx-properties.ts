import { map, type Observable } from 'rxjs';
import type {
  BlockAssign,
  BlockDone,
  GridDone,
  GridLaunch,
  MailboxAnswer,
  MailboxItem,
  MailboxRequest,
  MemoryData,
  MemoryRead,
  MemoryWrite,
  MessageArrived,
  MessageSend,
} from '../../actors/chiplet/gpu/messages.ts';
import type { GpuTiming } from '../../actors/chiplet/gpu/timing.ts';
import { judged, type Property, property, type RunStreams } from '../property.ts';

/*
 * What holds in every run of GPU chiplets (chiplet specification 7.3, 14). The properties see messages only.
 */

/** What the properties are told of the machine. */
export interface GpuContext {
  readonly timing: GpuTiming;
  /** True when a receive takes its value away. */
  readonly queue: boolean;
}

type Message =
  | BlockAssign
  | BlockDone
  | GridDone
  | GridLaunch
  | MailboxAnswer
  | MailboxRequest
  | MemoryData
  | MemoryRead
  | MemoryWrite
  | MessageArrived
  | MessageSend;

/** A message between named actors. */
interface Said {
  readonly from: string;
  readonly to: string;
  readonly event: Message;
}

const said = ({ messages$ }: RunStreams): Observable<Said> =>
  messages$.pipe(
    // Messages of other kinds are looked at by their type alone.
    map(({ message, from, to }) => ({ from, to, event: message.event as unknown as Message })),
  );

/** The list of a key, made when it is first asked for. */
function listOf<T>(lists: Map<string, T[]>, key: string): T[] {
  const known = lists.get(key);
  if (known) return known;
  const made: T[] = [];
  lists.set(key, made);
  return made;
}

/** M1, M3: what is to be sent leaves in this order, one a cycle. */
export const messagesLeaveInOrder = property<GpuContext>(
  'values leave a chiplet in the order in which its kernels and its host send them, one a cycle',
  (run) =>
    judged(said(run), (found) => {
      const wanted = new Map<string, { readonly item: MailboxItem; readonly asker: string }[]>();
      const last = new Map<string, number>();
      return {
        see({ from: sender, to, event }) {
          if (event.type === 'mailbox.request')
            for (const item of event.items)
              if (item.operation === 'send') listOf(wanted, to).push({ item, asker: sender });
          if (event.type !== 'message.send') return;
          const before = last.get(sender) ?? 0;
          if (event.cycle <= before)
            found([sender], `a value leaves in cycle ${event.cycle}, another one in cycle ${before}`);
          last.set(sender, event.cycle);
          const queue = listOf(wanted, sender);
          // Several warps may send at a time: each in its own order.
          const askers = new Set<string>();
          const at = queue.findIndex(({ item, asker }) => {
            if (askers.has(asker)) return false;
            askers.add(asker);
            return item.value === event.value && item.peer.join() === event.dst.join();
          });
          if (at < 0)
            found(
              [sender],
              `the value ${event.value} leaves for (${event.dst.join(', ')}), which is not to be sent next`,
            );
          else queue.splice(at, 1);
        },
      };
    }),
);

/** M1, M2: received values are those that came, in order, each once. */
export const receivesGetWhatCame = property<GpuContext>(
  'a receive gets the next value that came from its sender, never before it came',
  (run, { queue }) =>
    judged(said(run), (found) => {
      const arrived = new Map<string, number[]>();
      const taken = new Map<string, number>();
      const open = new Map<string, MailboxRequest[]>();
      return {
        see({ from: sender, to, event }) {
          if (event.type === 'message.arrived')
            listOf(arrived, `${to} ${event.src.join()}`).push(event.value);
          if (event.type === 'mailbox.request') listOf(open, `${to} ${sender} ${event.ticket}`).push(event);
          if (event.type !== 'mailbox.answer') return;
          const request = listOf(open, `${sender} ${to} ${event.ticket}`).shift();
          if (request === undefined) {
            found([sender, to], `an answer to ticket ${event.ticket}, which was not asked for`);
            return;
          }
          for (const [at, item] of request.items.entries()) {
            if (item.operation !== 'receive') continue;
            const key = `${sender} ${item.peer.join()}`;
            const index = queue ? (taken.get(key) ?? 0) : item.value;
            taken.set(key, index + 1);
            const value = listOf(arrived, key)[index];
            if (value !== event.values[at])
              found(
                [sender, to],
                `value ${index} from (${item.peer.join(', ')}) is ${value ?? 'not there'}, received is ${event.values[at]}`,
              );
          }
        },
      };
    }),
);

/** 7.3: bandwidth and latency of channels. */
export const channelsServeOneByOne = property<GpuContext>(
  'a memory channel serves one segment after the other and answers each after the fixed time',
  (run, { timing }) =>
    judged(said(run), (found) => {
      const { segmentCycles, ropCycles, dramCycles } = timing.memory;
      const free = new Map<string, number>();
      const due = new Map<string, number[]>();
      return {
        see({ from: sender, to, event }) {
          if (event.type === 'memory.read' || event.type === 'memory.write') {
            const start = Math.max(event.cycle, free.get(to) ?? 0);
            free.set(to, start + segmentCycles);
            if (event.type === 'memory.read') listOf(due, `${to} ${sender} ${event.request}`).push(start);
          }
          if (event.type !== 'memory.data') return;
          const start = listOf(due, `${sender} ${to} ${event.request}`).shift();
          const expected = (start ?? Number.NaN) + ropCycles + dramCycles;
          if (event.cycle !== expected)
            found(
              [sender, to],
              `request ${event.request} is answered in cycle ${event.cycle}, expected ${expected}`,
            );
        },
        end() {
          if (!run.quiet) return;
          const left = [...due.values()].filter((one) => one.length > 0).length;
          if (left > 0) found([], `${left} segments never came`);
        },
      };
    }),
);

/** 7.3: every block of a grid runs once, and the kernel ends with the last. */
export const blocksRunOnce = property<GpuContext>(
  'every block of a kernel runs once on one core, and the kernel ends with the last of them',
  (run) =>
    judged(said(run), (found) => {
      const given = new Map<string, number[]>();
      const ended = new Map<string, number[]>();
      const blocks = new Map<string, number>();
      return {
        see({ from: sender, to, event }) {
          if (event.type === 'grid.launch') {
            const { grid } = event.launch.value;
            blocks.set(to, grid[0] * grid[1] * grid[2]);
            given.set(to, []);
            ended.set(to, []);
          }
          if (event.type === 'block.assign') listOf(given, sender).push(event.block);
          if (event.type === 'block.done') listOf(ended, to).push(event.block);
          if (event.type !== 'grid.done') return;
          const wanted = Array.from({ length: blocks.get(sender) ?? 0 }, (_, block) => block).join();
          for (const [what, lists] of [
            ['given away', given],
            ['ended', ended],
          ] as const) {
            const list = listOf(lists, sender)
              .sort((a, b) => a - b)
              .join();
            if (list !== wanted) found([sender], `blocks ${list} were ${what}, expected ${wanted}`);
          }
        },
      };
    }),
);

/** The properties of GPU chiplets. */
export const gpuProperties: readonly Property<GpuContext>[] = [
  messagesLeaveInOrder,
  receivesGetWhatCame,
  channelsServeOneByOne,
  blocksRunOnce,
];
