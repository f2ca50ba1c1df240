import { setup } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import type { Probe } from '../../../kernel/message.ts';
import { Wiring } from '../../../kernel/wiring.ts';

/** A way out of a place: where it leads, and what is shown on it. */
export interface Way {
  readonly to: number;
  readonly shows: readonly string[];
}

/** The ways out of each place; a walk begins at place 0. */
export type WayMap = readonly (readonly Way[])[];

interface Walker {
  readonly map: WayMap;
  at: number;
}
type Said = Probe & { readonly what: string };

const { act } = component<Walker, { type: 'go' }>();

/** Goes from place to place, any way. */
const walker = setup({
  types: {} as { context: Walker; events: { type: 'go' }; input: { readonly map: WayMap } },
  actions: {
    go: act((me, _event, out) => {
      const ways = me.map[me.at]!;
      if (ways.length === 0) return;
      const { to, shows } = ways[out.pick('way', ways.length)]!;
      for (const what of shows) out.probe<Said>({ type: 'said', what });
      me.at = to;
      out.post({ to: out.self, type: 'go' });
    }),
  },
}).createMachine({
  id: 'walker',
  context: ({ input }) => ({ map: input.map, at: 0 }),
  initial: 'walking',
  states: { walking: { on: { go: { actions: 'go' } } } },
});

/** Walkers that know nothing of each other, each with a map of its own. */
export const walkers = (maps: readonly WayMap[]) => (): Wiring => {
  const wiring = new Wiring({});
  maps.forEach((map, number) => {
    const at = wiring.place(`Walker[${number}]`, walker, { map });
    wiring.begin({ to: at, type: 'go' });
  });
  return wiring;
};
