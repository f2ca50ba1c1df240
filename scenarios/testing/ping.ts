import { setup } from 'xstate';
import { z } from 'zod';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { waitsFor } from '../../kernel/outcome.ts';
import { type Fixed, fixed } from '../../kernel/resource.ts';
import type { Run } from '../../kernel/run.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Assembly, Given, Machine } from '../../machines/machine.ts';

/*
 * A toy machine for tests: a server hits a ball to every player, each player hits it back one tick later, and the server writes down in which
 * order the balls came back. The order is what schedules change.
 */

type ServerEvent = { type: 'serve' } | { type: 'ball.back'; player: number; strength: number };
type PlayerEvent = { type: 'ball.hit'; round: number };

interface ServerContext {
  readonly players: readonly Address[];
  readonly rounds: number;
  readonly self: Address;
  readonly pause: number;
  round: number;
  missing: number;
  order: number;
  strength: number;
}

interface PlayerContext {
  readonly server: Address;
  readonly index: number;
  readonly strengthOf: Fixed<(round: number, player: number) => number>;
  readonly losesRound: number;
  hits: number;
}

const server = component<ServerContext, ServerEvent>();

const serverMachine = setup({
  types: {} as {
    context: ServerContext;
    events: ServerEvent;
    input: Pick<ServerContext, 'players' | 'rounds' | 'self' | 'pause'>;
  },
  guards: {
    lastRound: server.when<'serve'>((c) => c.round >= c.rounds),
    lastBall: server.when<'ball.back'>((c) => c.missing === 1),
  },
  actions: {
    beginRound: server.update<'serve'>((c) => {
      c.round++;
      c.missing = c.players.length;
    }),
    hitAll: server.post<'serve'>((c) =>
      c.players.map((to) => ({ to, type: 'ball.hit', delay: 1, round: c.round }) as never),
    ),
    countBall: server.update<'ball.back'>((c, { player, strength }) => {
      c.missing--;
      c.order = (Math.imul(c.order, 31) + player + 1) >>> 0;
      c.strength += strength;
    }),
    tellStrong: server.report<'ball.back'>((_, { player, strength }) =>
      strength > 100
        ? { property: 'no ball is too strong', why: `player ${player} hit with ${strength}` }
        : undefined,
    ),
    serveAgain: server.post((c) => ({ to: c.self, type: 'serve', delay: c.pause })),
  },
}).createMachine({
  id: 'server',
  context: ({ input }) => ({ ...input, round: 0, missing: 0, order: 0, strength: 0 }),
  initial: 'resting',
  states: {
    resting: {
      on: {
        serve: [
          { guard: 'lastRound', target: 'resting' },
          { target: 'waitingForBalls', actions: ['beginRound', 'hitAll'] },
        ],
      },
    },
    waitingForBalls: {
      tags: ['waiting'],
      meta: waitsFor<ServerContext>('the balls', (c) => c.players),
      on: {
        'ball.back': [
          { guard: 'lastBall', target: 'resting', actions: ['countBall', 'tellStrong', 'serveAgain'] },
          { actions: ['countBall', 'tellStrong'] },
        ],
      },
    },
  },
});

const player = component<PlayerContext, PlayerEvent>();

const playerMachine = setup({
  types: {} as { context: PlayerContext; events: PlayerEvent; input: Omit<PlayerContext, 'hits'> },
  guards: { losesIt: player.when<'ball.hit'>((c, { round }) => round === c.losesRound) },
  actions: {
    countHit: player.update((c) => {
      c.hits++;
    }),
    hitBack: player.post<'ball.hit'>(
      (c, { round }) =>
        ({
          to: c.server,
          type: 'ball.back',
          delay: 1,
          player: c.index,
          strength: c.strengthOf.value(round, c.index),
        }) as never,
    ),
  },
}).createMachine({
  id: 'player',
  context: ({ input }) => ({ ...input, hits: 0 }),
  initial: 'even',
  states: {
    even: {
      on: {
        'ball.hit': [
          { guard: 'losesIt', target: 'odd' },
          { target: 'odd', actions: ['countHit', 'hitBack'] },
        ],
      },
    },
    odd: {
      on: {
        'ball.hit': [
          { guard: 'losesIt', target: 'even' },
          { target: 'even', actions: ['countHit', 'hitBack'] },
        ],
      },
    },
  },
});

const config = z.strictObject({
  players: z.int().min(1).max(1024).describe('players on the other side'),
  rounds: z.int().min(0).max(1_000_000).default(3).describe('rounds that are played'),
  style: z.enum(['soft', 'strong']).default('soft').describe('how the players hit'),
  pause: z.int().min(1).optional().describe('ticks between the last ball of a round and the next round'),
});

const programs = z
  .union([
    z.strictObject({ strengths: z.array(z.int().min(0).max(1000)).describe('strength of each player') }),
    z.strictObject({ module: z.string().describe('a function from round and player to a strength') }),
  ])
  .optional();

type PingConfig = z.output<typeof config>;
type PingPrograms = z.output<typeof programs>;

/** What a run of the toy machine comes to. */
export interface PingResult {
  readonly rounds: number;
  /** A hash of the order in which the balls came back. */
  readonly order: number;
  readonly strength: number;
  readonly hits: readonly number[];
}

function strengths(
  given: PingPrograms,
  style: PingConfig['style'],
): (round: number, index: number) => number {
  if (given === undefined) return () => (style === 'soft' ? 1 : 2);
  if ('strengths' in given) return (_, index) => given.strengths[index] ?? 1;
  return (given as unknown as { program: (round: number, player: number) => number }).program;
}

/** The toy machine of the tests of this folder. */
export const ping: Machine<PingConfig, PingPrograms, PingResult> = {
  name: 'ping',
  config,
  programs,
  mutants: new Map([
    ['lostBall', 'player 0 loses the ball of round 2'],
    ['strongPlayer', 'player 0 hits far too strongly'],
  ]),
  check: (given, programs) =>
    programs !== undefined && 'strengths' in programs && programs.strengths.length !== given.players
      ? [
          {
            path: ['programs', 'strengths'],
            found: `${programs.strengths.length} strengths`,
            expected: `${given.players}, one for each player`,
          },
        ]
      : [],
  assemble: (given) => assemble(given),
  figures: (result) => [{ label: 'rounds', value: String(result.rounds) }],
};

function assemble({ config, programs, mutants }: Given<PingConfig, PingPrograms>): Assembly<PingResult> {
  const wiring = new Wiring();
  const self = wiring.reserve('Server');
  const players = Array.from({ length: config.players }, (_, index) => wiring.reserve(`Player[${index}]`));
  wiring.place(self, serverMachine, { players, rounds: config.rounds, self, pause: config.pause ?? 1 });
  const usual = strengths(programs, config.style);
  const strong = mutants.includes('strongPlayer');
  const strengthOf = fixed((round: number, index: number) =>
    strong && index === 0 ? 999 : usual(round, index),
  );
  for (const [index, address] of players.entries()) {
    const losesRound = index === 0 && mutants.includes('lostBall') ? 2 : -1;
    wiring.place(address, playerMachine, { server: self, index, strengthOf, losesRound });
  }
  wiring.boot.push({ to: self, type: 'serve' });
  return { wiring, result: (run) => resultOf(run, players) };
}

function resultOf(run: Run, players: readonly Address[]): PingResult {
  const { round, order, strength } = run.part('Server').context as unknown as ServerContext;
  return {
    rounds: round,
    order,
    strength,
    hits: players.map((at) => (run.part(at).context as unknown as PlayerContext).hits),
  };
}
