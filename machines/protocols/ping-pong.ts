import type { AnyStateMachine } from 'xstate';
import { z } from 'zod';
import { type PlayerContext, pingPongProtocol, player, playerKit } from '../../actors/protocols/ping-pong.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Machine } from '../machine.ts';
import { mutantSentences, mutantsOf, withMutants } from '../mutant.ts';
import { plantingIn } from '../planting.ts';
import { noPrograms } from './no-programs.ts';

const config = z.strictObject({
  limit: z.int().min(0).max(1_000_000).default(5).describe('counts beyond which is not looked'),
});

/** Configuration of ping-pong. */
export type PingPongConfig = z.output<typeof config>;

/** How far the players have counted. */
export interface PingPongResult {
  readonly pinger: number;
  readonly ponger: number;
}

interface Players {
  readonly pinger: AnyStateMachine;
  readonly ponger: AnyStateMachine;
}

const { replace } = plantingIn<Players>();

const mutants = mutantsOf<Players>({
  'counts-old-balls': {
    sentence: 'the ponger counts a ball that it has sent back before',
    mutate: replace('ponger', {
      guards: { isNext: playerKit.when((player, { value }) => value <= player.count) },
    }),
  },
  'counts-any-ball': {
    sentence: 'the pinger counts whatever comes back',
    mutate: replace('pinger', { guards: { isNext: playerKit.when(() => true) } }),
  },
  skips: {
    sentence: 'the ponger counts by two',
    mutate: replace('ponger', {
      actions: {
        count: playerKit.update((player) => {
          player.count += 2;
        }),
      },
    }),
  },
});

/** Two players that send each other a ball and count, each at most to a limit (specification of protocols, 3.3). */
export const pingPong: Machine<PingPongConfig, readonly unknown[], PingPongResult> = {
  name: 'ping-pong',
  config,
  programs: noPrograms,
  mutants: mutantSentences(mutants),
  asynchronous: true,
  protocol: pingPongProtocol,
  assemble: ({ config: { limit }, mutants: plants }) => {
    const players = withMutants<Players>({ pinger: player, ponger: player }, mutants, plants);
    const wiring = new Wiring({});
    const [first, second] = [wiring.reserve('Pinger'), wiring.reserve('Ponger')];
    wiring.place(first, players.pinger, { other: second, serves: true });
    wiring.place(second, players.ponger, { other: first, serves: false });
    const countOf = (context: object) => (context as PlayerContext).count;
    wiring.boundary = ({ actors }) =>
      actors.every(({ state, context }) => state === 'crashed' || countOf(context) <= limit);
    return {
      wiring,
      result: (run) => ({
        pinger: countOf(run.part(first).context),
        ponger: countOf(run.part(second).context),
      }),
    };
  },
  figures: (result) => [
    { label: 'pinger', value: String(result.pinger) },
    { label: 'ponger', value: String(result.ponger) },
  ],
};
