import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { RandomChoices } from '../choices.ts';
import { component } from '../kit.ts';
import type { Address } from '../message.ts';
import { effort } from '../testing/effort.ts';
import { Wiring } from '../wiring.ts';
import { Explorer } from './explorer.ts';
import type { Observer } from './observer.ts';

/* What an actor shows may depend on the order of two messages that leave it in the same state: no order may be left out that observers see. */

type Said = { readonly type: 'begin' } | { readonly type: 'say'; readonly v: number };

/** What an actor does with a message in a mood. */
interface Step {
  readonly next: number;
  readonly shows: number;
  readonly post: { readonly peer: number; readonly v: number } | undefined;
}

interface Teller {
  readonly peers: readonly Address[];
  readonly greets: readonly { readonly peer: number; readonly v: number }[];
  readonly table: readonly (readonly Step[])[];
  mood: number;
}

const { act } = component<Teller, Said>();

const teller = setup({
  types: {} as { context: Teller; events: Said; input: Omit<Teller, 'mood'> },
  actions: {
    tell: act((self, event, out) => {
      if (event.type === 'begin') {
        for (const { peer, v } of self.greets)
          out.post({ to: self.peers[peer]!, type: 'say', v, delay: 1 } as never);
        return;
      }
      const { next, shows, post } = self.table[self.mood]![event.v]!;
      if (shows > 0) out.probe({ type: 'shown', n: shows, mood: self.mood } as never);
      // What is posted is the last word: no run is without end.
      if (post && event.v < 2) out.post({ to: self.peers[post.peer]!, type: 'say', v: 2 } as never);
      self.mood = next;
    }),
  },
}).createMachine({
  id: 'teller',
  context: ({ input }) => ({ ...input, mood: 0 }),
  on: { '*': { actions: 'tell' } },
});

function randomTellers(seed: number): () => Wiring {
  const draw = new RandomChoices(seed);
  const pick = (count: number) => draw.pick('tellers', count);
  const count = 2 + pick(2);
  const moods = 1 + pick(2);
  const word = () => ({ peer: pick(count), v: pick(2) });
  const specs = Array.from({ length: count }, () => ({
    greets: Array.from({ length: 1 + pick(2) }, word),
    table: Array.from({ length: moods }, () =>
      Array.from({ length: 3 }, () => ({
        next: pick(moods),
        shows: pick(3),
        post: pick(4) === 0 ? word() : undefined,
      })),
    ),
  }));
  return () => {
    const wiring = new Wiring();
    const peers = specs.map((_, index) => wiring.reserve(`Teller[${index}]`));
    specs.forEach((spec, index) => {
      wiring.place(peers[index]!, teller, { ...spec, peers });
      wiring.begin({ to: peers[index]!, type: 'begin' });
    });
    return wiring;
  };
}

/** Finds each pair of things that are shown one right after the other. */
const pairs: Observer<{ last: string }> = {
  sentence: 'pairs',
  watches: ['shown'],
  begin: () => ({ last: '' }),
  see: (memory, observation) => {
    if (observation.kind === 'message') return undefined;
    const { n } = observation.probe as unknown as { n: number };
    const { last } = memory;
    memory.last = `${observation.actor} ${n}`;
    return last === '' ? undefined : { actors: [], why: '', property: `${last}, ${memory.last}` };
  },
};

/** Counts what all together have shown. */
const sum: Observer<{ sum: number }> = {
  sentence: 'sum',
  watches: ['shown'],
  begin: () => ({ sum: 0 }),
  see: (memory, observation) => {
    if (observation.kind === 'probe') memory.sum += (observation.probe as unknown as { n: number }).n;
    return undefined;
  },
  atRest: (memory) => ({ actors: [], why: '', property: `sum ${memory.sum}` }),
};

test.each([
  ['pairs', pairs],
  ['sums', sum],
])('with and without reduction observers find the same %s', (_, observer) => {
  let saved = 0;
  for (let seed = 0; seed < effort({ short: 180, long: 6000 }); seed++) {
    const make = randomTellers(seed);
    const explored = (reduction: boolean) =>
      new Explorer(make, { reduction, observers: [observer], findingsMax: Number.POSITIVE_INFINITY }).toEnd();
    const [all, fewer] = [explored(false), explored(true)];
    const found = ({ findings }: typeof all) => findings.map(({ what }) => what).sort();

    expect(found(fewer), `seed ${seed}`).toEqual(found(all));
    expect(fewer.states).toBe(all.states);
    saved += all.transitions - fewer.transitions;
  }
  // It is a reduction after all.
  expect(saved).toBeGreaterThan(0);
});
