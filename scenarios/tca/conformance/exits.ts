import type { Gasnet } from '../../../actors/tca/gasnet/gasnet.ts';
import type { Handler } from '../../../actors/tca/gasnet/handler.ts';
import type { Task } from '../../../actors/tca/gasnet/task.ts';
import type { ConformanceCase } from './case.ts';

/** A way to end a job: what each rank does after `ready`, and which codes the job may end with. */
interface Way {
  /** What has been done before: nothing, the start, or all of the beginning with a barrier. */
  readonly ready: 'nothing' | 'init' | 'attach';
  readonly codes: (nodes: number) => readonly number[];
  readonly act: (
    gasnet: Gasnet,
    handlers: { readonly exits: Handler; readonly replies: Handler },
  ) => Task<void>;
}

const code = 42;
const one = () => [code];
const each = (nodes: number) => Array.from({ length: nodes }, (_, rank) => code + rank);

/** What the others do for ever while one node ends the job. */
const endless = {
  *poll(gasnet: Gasnet): Task<void> {
    for (;;) yield* gasnet.poll();
  },
  *compute(gasnet: Gasnet): Task<void> {
    for (;;) yield* gasnet.compute(500);
  },
  *wait(gasnet: Gasnet): Task<void> {
    yield* gasnet.waitUntil(() => false);
  },
  *barrier(gasnet: Gasnet): Task<void> {
    yield* gasnet.barrier();
  },
  *put(gasnet: Gasnet): Task<void> {
    for (;;) yield* gasnet.put(gasnet.segment(0, 'gpu').base, gasnet.privateMemory.base, 5000);
  },
  *get(gasnet: Gasnet): Task<void> {
    for (;;) yield* gasnet.get(gasnet.privateMemory.base, gasnet.segment(0, 'gpu').base, 5000);
  },
} as const;

/** Rank 0 ends the job after a while, whatever the others are at. */
const whileOthers = (others: keyof typeof endless): Way => ({
  ready: 'attach',
  codes: one,
  *act(gasnet) {
    if (gasnet.rank > 0) yield* endless[others](gasnet);
    yield* gasnet.compute(20_000);
    yield* gasnet.exit(code);
  },
});

/** A handler ends the job; rank 0 has sent its message. */
const fromHandler = (which: 'exits' | 'replies', target: (nodes: number) => number): Way => ({
  ready: 'attach',
  codes: one,
  *act(gasnet, handlers) {
    if (gasnet.rank === 0)
      yield* gasnet.request(target(gasnet.nodes), 'short', gasnet.indexOf(handlers[which]));
    yield* endless.wait(gasnet);
  },
});

const ways: readonly Way[] = [
  // All of them, with one code and with one each.
  { ready: 'attach', codes: one, act: (gasnet) => gasnet.exit(code) },
  { ready: 'attach', codes: each, act: (gasnet) => gasnet.exit(code + gasnet.rank) },
  whileOthers('barrier'),
  whileOthers('poll'),
  whileOthers('compute'),
  whileOthers('wait'),
  whileOthers('put'),
  whileOthers('get'),
  fromHandler('exits', (nodes) => nodes - 1),
  fromHandler('replies', (nodes) => nodes - 1),
  fromHandler('exits', () => 0),
  { ready: 'nothing', codes: one, act: (gasnet) => gasnet.exit(code) },
  { ready: 'init', codes: one, act: (gasnet) => gasnet.exit(code) },
  {
    // One node ends the job while the others attach.
    ready: 'init',
    codes: one,
    *act(gasnet) {
      if (gasnet.rank > 0) yield* gasnet.attach();
      else yield* gasnet.compute(20_000);
      if (gasnet.rank > 0) yield* endless.wait(gasnet);
      yield* gasnet.exit(code);
    },
  },
  {
    // Two nodes at the same time.
    ready: 'attach',
    codes: (nodes) => each(nodes).filter((_, rank) => rank === 0 || rank === nodes - 1),
    *act(gasnet) {
      if (gasnet.rank > 0 && gasnet.rank < gasnet.nodes - 1) yield* endless.poll(gasnet);
      yield* gasnet.exit(code + gasnet.rank);
    },
  },
  {
    // Between notify and wait.
    ready: 'attach',
    codes: one,
    *act(gasnet) {
      yield* gasnet.barrierNotify(7);
      if (gasnet.rank === 0) yield* gasnet.exit(code);
      yield* gasnet.barrierWait(7);
      yield* endless.barrier(gasnet);
    },
  },
  {
    // With operations under way.
    ready: 'attach',
    codes: one,
    *act(gasnet) {
      const next = gasnet.segment((gasnet.rank + 1) % gasnet.nodes, 'gpu').base;
      for (let k = 0; k < 6; k++)
        yield* gasnet.putNb(next + 8192 * k, gasnet.segment(gasnet.rank, 'cpu').base, 8192, { bulk: true });
      if (gasnet.rank === 0) yield* gasnet.exit(code);
      yield* endless.wait(gasnet);
    },
  },
  {
    // In an access region, under a flood of messages.
    ready: 'attach',
    codes: one,
    *act(gasnet, { replies }) {
      yield* gasnet.beginRegion();
      const target = (gasnet.rank + 1) % gasnet.nodes;
      for (let k = 0; k < 20; k++) {
        yield* gasnet.request(target, 'short', gasnet.indexOf(replies), { args: [1] });
        if (gasnet.rank === 0 && k === 12) yield* gasnet.exit(code);
      }
      yield* endless.wait(gasnet);
    },
  },
];

/** C23: a job ends on all nodes, with a code that somebody gave, however it is ended. */
export const exits: ConformanceCase = {
  id: 'C23',
  title: 'eighteen ways to end a job: all nodes end, with one of the codes',
  mirrors: 'testexit',
  mandatory: true,
  variants: ways.length,
  program: ({ variant }) =>
    function* (gasnet) {
      const exitsAtOnce: Handler = (here) => here.exit(code);
      // A message with an argument is only answered.
      const replies: Handler = function* (here, token, { args }) {
        yield* token.reply('short', here.indexOf(args.length > 0 ? quiet : exitsAtOnce));
      };
      const quiet: Handler = () => {};
      const { ready, act } = ways[variant]!;
      if (ready !== 'nothing') yield* gasnet.init();
      if (ready === 'attach') {
        yield* gasnet.attach([exitsAtOnce, replies, quiet].map((handler) => ({ handler })));
        yield* gasnet.barrier();
      }
      yield* act(gasnet, { exits: exitsAtOnce, replies });
    },
  judge: ({ nodes }, { variant }) => {
    const allowed = ways[variant]!.codes(nodes.length);
    const found = nodes.map(({ exitCode }) => exitCode);
    const wrong = found.findIndex((given) => given === undefined || !allowed.includes(given));
    return wrong < 0
      ? undefined
      : `rank ${wrong} ended with ${found[wrong] ?? 'no code'}, expected ${allowed.join(' or ')}`;
  },
};
