import type { Gasnet } from '../../../actors/tca/gasnet/gasnet.ts';
import type { Handler } from '../../../actors/tca/gasnet/handler.ts';
import type { Task } from '../../../actors/tca/gasnet/task.ts';
import type { ConformanceCase } from './case.ts';
import { agree } from './judge.ts';
import { enter, leave } from './party.ts';

const fatal = 'no node ends the job with a fatal error';
const fatalCode = 255;
type Handlers = Readonly<Record<'holds' | 'repliesHeld' | 'quiet', Handler>>;
type Deed = (gasnet: Gasnet, handlers: Handlers) => Task<void>;

const locks = (...steps: readonly (readonly [Parameters<Gasnet['hsl']>[0], number?])[]): Deed =>
  function* (gasnet) {
    for (const [action, lock] of steps) yield* gasnet.hsl(action, lock);
  };

const ask = (which: keyof Handlers): Deed =>
  function* (gasnet, handlers) {
    yield* gasnet.request(gasnet.nodes - 1, 'short', gasnet.indexOf(handlers[which]));
    yield* gasnet.waitUntil(() => false);
  };

/** What a program may not do with locks; any of these ends the job. */
const illegal: readonly Deed[] = [
  locks(['holdInterrupts'], ['holdInterrupts']),
  locks(['resumeInterrupts']),
  locks(['init', 1], ['init', 1]),
  locks(['init', 1], ['destroy', 1], ['destroy', 1]),
  locks(['init', 1], ['unlock', 1]),
  locks(['init', 1], ['init', 2], ['lock', 1], ['lock', 2], ['unlock', 1]),
  locks(['init', 1], ['lock', 1], ['lock', 1]),
  locks(['init', 1], ['lock', 1], ['trylock', 1]),
  function* (gasnet) {
    yield* locks(['init', 1], ['lock', 1])(gasnet, {} as Handlers);
    yield* gasnet.poll();
  },
  function* (gasnet, { quiet }) {
    yield* locks(['init', 1], ['lock', 1])(gasnet, {} as Handlers);
    yield* gasnet.request(0, 'short', gasnet.indexOf(quiet));
  },
  function* (gasnet, { quiet }) {
    yield* locks(['holdInterrupts'])(gasnet, {} as Handlers);
    yield* gasnet.request(0, 'short', gasnet.indexOf(quiet));
  },
  ask('holds'),
  ask('repliesHeld'),
];

/** C17: handler-safe locks: what is allowed, and thirteen uses that are not. */
export const handlerLocks: ConformanceCase = {
  id: 'C17',
  title: 'locks keep handlers and program apart; thirteen wrong uses end the job, long holds are shown',
  mirrors: 'testhsl',
  mandatory: false,
  variants: 1 + illegal.length,
  hurts: [fatal],
  program: ({ seed, variant }) =>
    function* (gasnet) {
      let shared = 0;
      let answered = 0;
      const adds: Handler = function* (here, token) {
        yield* here.hsl('lock', 1);
        const before = shared;
        yield* here.compute(50);
        shared = before + 1;
        yield* here.hsl('unlock', 1);
        agree('a reply', yield* token.reply('short', here.indexOf(quiet)), 'OK');
      };
      const holds: Handler = function* (here) {
        yield* here.hsl('init', 9);
        yield* here.hsl('lock', 9);
      };
      const repliesHeld: Handler = function* (here, token) {
        yield* here.hsl('init', 9);
        yield* here.hsl('lock', 9);
        yield* token.reply('short', here.indexOf(quiet));
      };
      const quiet: Handler = () => {
        answered++;
      };
      const party = yield* enter(gasnet, seed, [adds, holds, repliesHeld, quiet]);
      if (variant > 0) {
        if (party.rank === 0) yield* illegal[variant - 1]!(gasnet, { holds, repliesHeld, quiet });
        yield* gasnet.waitUntil(() => false);
      }
      yield* gasnet.hsl('init', 1);
      agree('the locks are made', yield* gasnet.barrier(), 'OK');
      const rounds = 6;
      for (let round = 0; round < rounds; round++) {
        agree('a request', yield* gasnet.request(party.further(1), 'short', gasnet.indexOf(adds)), 'OK');
        yield* gasnet.hsl('lock', 1);
        const before = shared;
        // Longer than is wise, the last three times.
        yield* gasnet.compute(round < rounds - 3 ? 300 : 150_000);
        shared = before + 1;
        yield* gasnet.hsl('unlock', 1);
        yield* gasnet.hsl('holdInterrupts');
        yield* gasnet.hsl('resumeInterrupts');
      }
      yield* gasnet.waitUntil(() => answered === rounds);
      yield* leave(party);
      agree('what both have added', shared, 2 * rounds);
      yield* gasnet.hsl('destroy', 1);
    },
  judge: ({ nodes }, { variant }) => {
    const wrong = nodes.findIndex(({ exitCode }) => exitCode !== (variant > 0 ? fatalCode : undefined));
    const wanted = variant > 0 ? `${fatalCode}` : 'no code';
    return wrong < 0
      ? undefined
      : `rank ${wrong} ended with ${nodes[wrong]!.exitCode ?? 'no code'}, expected ${wanted}`;
  },
  follow: (run, { variant, config }) => {
    let long = 0;
    run.probes$.subscribe(({ probe }) => {
      if (probe.type === 'hsl.long') long++;
    });
    return () => {
      const told = run.outcome.violations.filter(
        ({ property, why }) => property === fatal && why.includes('EHSL'),
      );
      if (variant > 0 && told.length === 0) return 'a wrong use of a lock was not told';
      if (variant === 0 && run.outcome.violations.some(({ property }) => property === fatal))
        return 'a right use of a lock was refused';
      if (variant === 0 && long !== 3 * config.nodes)
        return `${long} long holds were shown, expected ${3 * config.nodes}`;
      return undefined;
    };
  },
};
