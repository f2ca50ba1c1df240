import type { ChipletMessage, ChipletMessages, MailboxItem } from '../../actors/chiplet/gpu/protocol.ts';
import type { GpuTiming } from '../../actors/chiplet/gpu/timing.ts';
import type { Observer } from '../../kernel/explore/observer.ts';
import { count, judgingOf, listOf } from '../judging.ts';

/*
 * What holds in every run of GPU chiplets (chiplet specification 7.3, 14). The properties see messages only.
 */

/** What the properties are told of the machine. */
export interface GpuContext {
  readonly timing: GpuTiming;
  /** True when a receive takes its value away. */
  readonly queue: boolean;
}

const judging = judgingOf<ChipletMessages>();

interface ToSend {
  /** By mailbox: what is to be sent, in the order of asking. */
  readonly wanted: Record<string, { readonly item: MailboxItem; readonly asker: string }[]>;
  /** By mailbox: the cycle in which a value left last. */
  readonly last: Record<string, number>;
}

/** M1, M3: what is to be sent leaves in this order, one a cycle. */
export const messagesLeaveInOrder = judging({
  sentence: 'values leave a chiplet in the order in which its kernels and its host send them, one a cycle',
  watches: ['mailbox.request', 'message.send'],
  begin: (): ToSend => ({ wanted: {}, last: {} }),
  see({ wanted, last }, { from: sender, to: actor, event }, tell) {
    if (event.type === 'mailbox.request') {
      for (const item of event.items)
        if (item.operation === 'send') listOf(wanted, actor).push({ item, asker: sender });
      return;
    }
    const before = last[sender] ?? 0;
    if (event.cycle <= before)
      tell([sender], `a value leaves in cycle ${event.cycle}, another one in cycle ${before}`);
    last[sender] = event.cycle;
    const queue = listOf(wanted, sender);
    // Several warps may send at a time: each in its own order.
    const askers = new Set<string>();
    const at = queue.findIndex(({ item, asker }) => {
      if (askers.has(asker)) return false;
      askers.add(asker);
      return item.value === event.value && item.peer.join() === event.dst.join();
    });
    if (at < 0)
      tell(
        [sender],
        `the value ${event.value} leaves for (${event.dst.join(', ')}), which is not to be sent next`,
      );
    else queue.splice(at, 1);
  },
});

interface Received {
  /** By mailbox and sender. */
  readonly arrived: Record<string, number[]>;
  readonly taken: Record<string, number>;
  /** By mailbox, asker and ticket. */
  readonly open: Record<string, ChipletMessage<'mailbox.request'>[]>;
}

/** M1, M2: received values are those that came, in order, each once. */
export const receivesGetWhatCame = ({ queue }: GpuContext) =>
  judging({
    sentence: 'a receive gets the next value that came from its sender, never before it came',
    watches: ['message.arrived', 'mailbox.request', 'mailbox.answer'],
    begin: (): Received => ({ arrived: {}, taken: {}, open: {} }),
    see({ arrived, taken, open }, { from: sender, to: actor, event }, tell) {
      if (event.type === 'message.arrived') {
        listOf(arrived, `${actor} ${event.src.join()}`).push(event.value);
        return;
      }
      if (event.type === 'mailbox.request') {
        listOf(open, `${actor} ${sender} ${event.ticket}`).push(event);
        return;
      }
      const request = listOf(open, `${sender} ${actor} ${event.ticket}`).shift();
      if (request === undefined) {
        tell([sender, actor], `an answer to ticket ${event.ticket}, which was not asked for`);
        return;
      }
      for (const [at, item] of request.items.entries()) {
        if (item.operation !== 'receive') continue;
        const key = `${sender} ${item.peer.join()}`;
        const index = queue ? (taken[key] ?? 0) : item.value;
        taken[key] = index + 1;
        const value = listOf(arrived, key)[index];
        if (value !== event.values[at])
          tell(
            [sender, actor],
            `value ${index} from (${item.peer.join(', ')}) is ${value ?? 'not there'}, received is ${event.values[at]}`,
          );
      }
    },
  });

interface Channels {
  /** By channel: the cycle from which on it is free. */
  readonly free: Record<string, number>;
  /** By channel, core and request: when its segment begins. */
  readonly due: Record<string, number[]>;
}

/** 7.3: bandwidth and latency of channels. */
export const channelsServeOneByOne = ({ timing }: GpuContext) =>
  judging({
    sentence: 'a memory channel serves one segment after the other and answers each after the fixed time',
    watches: ['memory.read', 'memory.write', 'memory.data'],
    begin: (): Channels => ({ free: {}, due: {} }),
    see({ free, due }, { from: sender, to: actor, event }, tell) {
      const { segmentCycles, ropCycles, dramCycles } = timing.memory;
      if (event.type !== 'memory.data') {
        const start = Math.max(event.cycle, free[actor] ?? 0);
        free[actor] = start + segmentCycles;
        if (event.type === 'memory.read') listOf(due, `${actor} ${sender} ${event.request}`).push(start);
        return;
      }
      const start = listOf(due, `${sender} ${actor} ${event.request}`).shift();
      const expected = (start ?? Number.NaN) + ropCycles + dramCycles;
      if (event.cycle !== expected)
        tell(
          [sender, actor],
          `request ${event.request} is answered in cycle ${event.cycle}, expected ${expected}`,
        );
    },
    atRest({ due }, tell) {
      const left = Object.values(due).filter((one) => one.length > 0).length;
      if (left > 0) tell([], `${left} segments never came`);
    },
  });

interface Grids {
  /** By dispatcher: blocks of its kernel, and how often each was given away and has ended. */
  readonly blocks: Record<string, number>;
  readonly given: Record<string, Record<string, number>>;
  readonly ended: Record<string, Record<string, number>>;
}

/** 7.3: every block of a grid runs once, and the kernel ends with the last. */
export const blocksRunOnce = judging({
  sentence: 'every block of a kernel runs once on one core, and the kernel ends with the last of them',
  watches: ['grid.launch', 'block.assign', 'block.done', 'grid.done'],
  begin: (): Grids => ({ blocks: {}, given: {}, ended: {} }),
  see({ blocks, given, ended }, { from: sender, to: actor, event }, tell) {
    if (event.type === 'grid.launch') {
      const { grid } = event.launch.value;
      blocks[actor] = grid[0] * grid[1] * grid[2];
      given[actor] = {};
      ended[actor] = {};
    } else if (event.type === 'block.assign') {
      given[sender] ??= {};
      count(given[sender], String(event.block), 1);
    } else if (event.type === 'block.done') {
      ended[actor] ??= {};
      count(ended[actor], String(event.block), 1);
    } else {
      const wanted = Array.from({ length: blocks[sender] ?? 0 }, (_, block) => block).join();
      for (const [what, counts] of [
        ['given away', given[sender]],
        ['ended', ended[sender]],
      ] as const) {
        const list = Object.entries(counts ?? {})
          .flatMap(([block, times]) => new Array<number>(times).fill(Number(block)))
          .sort((a, b) => a - b)
          .join();
        if (list !== wanted) tell([sender], `blocks ${list} were ${what}, expected ${wanted}`);
      }
    }
  },
});

/** The properties of GPU chiplets. */
export const gpuProperties = (context: GpuContext): readonly Observer[] => [
  messagesLeaveInOrder,
  receivesGetWhatCame(context),
  channelsServeOneByOne(context),
  blocksRunOnce,
];
