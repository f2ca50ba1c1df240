import { setup } from 'xstate';
import { z } from 'zod';
import { component } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { Wiring } from '../../../kernel/wiring.ts';
import type { Machine } from '../../../machines/machine.ts';
import type { Trials } from '../trial.ts';
import { toyTrials } from './toy-trials.ts';

/*
 * A toy machine for tests: two guests ring a bell in one tick, whose porter asks a question when the second one comes first; two ticks later a coin is
 * tossed, and one of its sides is complained of. The order of the guests does nothing but shift the place of the coin among the picks.
 */

interface PorterContext {
  rings: number;
  mood: number;
}
const porter = component<PorterContext, { type: 'ring'; guest: number }>();
const porterMachine = setup({
  types: {} as { context: PorterContext; events: { type: 'ring'; guest: number }; input: object },
  guards: { isSurprised: porter.when((c, { guest }) => guest === 1 && c.rings === 0) },
  actions: {
    count: porter.update((c) => {
      c.rings++;
    }),
    wonder: porter.choose('mood', 2, (c, _event, pick) => {
      c.mood = pick;
    }),
  },
}).createMachine({
  id: 'porter',
  context: { rings: 0, mood: 0 },
  initial: 'on',
  states: {
    on: { on: { ring: [{ guard: 'isSurprised', actions: ['wonder', 'count'] }, { actions: 'count' }] } },
  },
});

interface GuestContext {
  readonly porter: Address;
  readonly guest: number;
}
const guest = component<GuestContext, { type: 'start' }>();
const guestMachine = setup({
  types: {} as { context: GuestContext; events: { type: 'start' }; input: GuestContext },
  actions: { ring: guest.post((c) => ({ to: c.porter, type: 'ring', guest: c.guest }) as never) },
}).createMachine({
  id: 'guest',
  context: ({ input }) => input,
  initial: 'on',
  states: { on: { on: { start: { actions: 'ring' } } } },
});

const coin = component<{ side: number }, { type: 'toss' }>();
const coinMachine = setup({
  types: {} as { context: { side: number }; events: { type: 'toss' }; input: object },
  actions: {
    toss: coin.choose('side', 2, (c, _event, pick) => {
      c.side = pick;
    }),
    complain: coin.report((c) =>
      c.side === 1 ? { property: 'the coin shows heads', why: 'it shows tails' } : undefined,
    ),
  },
}).createMachine({
  id: 'coin',
  context: { side: 0 },
  initial: 'on',
  states: { on: { on: { toss: { actions: ['toss', 'complain'] } } } },
});

const machine: Machine<unknown> = {
  name: 'shifted-coin',
  config: z.unknown(),
  programs: z.unknown(),
  mutants: new Map(),
  assemble: () => {
    const wiring = new Wiring();
    const porter = wiring.place('Porter', porterMachine, {});
    for (const guest of [0, 1])
      wiring.boot.push({
        to: wiring.place(`Guest[${guest}]`, guestMachine, { porter, guest }),
        type: 'start',
        delay: 1,
      });
    wiring.boot.push({ to: wiring.place('Coin', coinMachine, {}), type: 'toss', delay: 3 });
    return { wiring, result: () => null };
  },
  figures: () => [],
};

/** Trials of the toy machine. */
export const shiftedCoin = (): Trials => toyTrials(machine);
