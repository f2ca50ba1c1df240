import { Subject } from 'rxjs';
import { createActor, setup } from 'xstate';
import { component } from '../kernel/kit.ts';
import type { Address } from '../kernel/message.ts';
import { Run } from '../kernel/run.ts';
import { Wiring } from '../kernel/wiring.ts';
import { measure, reportMeasurement } from './measure.ts';

/** One place of a ring: adds what it is given and passes it on. */
interface PlaceContext {
  next: Address;
  passed: number;
  sum: number;
}
type PlaceEvent = { type: 'token.pass'; hops: number };

const { update, post } = component<PlaceContext, PlaceEvent>();

const place = setup({
  types: {} as { context: PlaceContext; events: PlaceEvent; input: { next: Address } },
  actions: {
    count: update((c, { hops }) => {
      c.passed++;
      c.sum = (c.sum + hops) | 0;
    }),
    pass: post((c, { hops }) => ({ to: c.next, type: 'token.pass', delay: 1, hops: hops + 1 })),
  },
}).createMachine({
  id: 'place',
  context: ({ input }) => ({ next: input.next, passed: 0, sum: 0 }),
  initial: 'even',
  states: {
    even: { on: { 'token.pass': { target: 'odd', actions: ['count', 'pass'] } } },
    odd: { on: { 'token.pass': { target: 'even', actions: ['count', 'pass'] } } },
  },
});

const places = 64;

/** A ring of 64 actors with 64 tokens under way: as many deliveries as it is asked for. */
function ring(engine: 'compiled' | 'xstate') {
  const wiring = new Wiring();
  wiring.zeroCopy = true;
  const addresses = Array.from({ length: places }, (_, index) => wiring.reserve(`Ring[${index}]`));
  for (const [index, address] of addresses.entries()) {
    wiring.place(address, place, { next: addresses[(index + 1) % places]! });
    wiring.begin({ to: address, type: 'token.pass', hops: 0 });
  }
  const run = new Run(wiring, { engine });
  let ticks = 0;
  return (messages: number) => {
    ticks += Math.ceil(messages / places);
    run.until(ticks - 1);
    return Math.ceil(messages / places) * places;
  };
}

/** The same ring without the kernel: XState actors that XState interprets, each behind an RxJS subject. */
function bareRing() {
  const queue: { to: number; hops: number }[] = [];
  const inboxes = Array.from({ length: places }, () => new Subject<PlaceEvent>());
  inboxes.forEach((inbox) => {
    const actor = createActor(place, { input: { next: 0 as Address } }).start();
    inbox.subscribe((event) => actor.send(event));
  });
  for (let to = 0; to < places; to++) queue.push({ to, hops: 0 });
  let first = 0;
  return (messages: number) => {
    for (let i = 0; i < messages; i++) {
      const { to, hops } = queue[first++]!;
      inboxes[to]!.next({ type: 'token.pass', hops });
      queue.push({ to: (to + 1) % places, hops: hops + 1 });
      if (first === 4096) {
        queue.splice(0, first);
        first = 0;
      }
    }
    return messages;
  };
}

const interpreted = ring('xstate');
const bare = bareRing();
const compiled = ring('compiled');

const measurement = measure(
  [
    { name: 'XState interprets, kernel delivers', run: () => ({ work: interpreted(20_000) }) },
    { name: 'XState interprets, subjects only', run: () => ({ work: bare(20_000) }) },
    { name: 'compiled', run: () => ({ work: compiled(2_000_000) }) },
  ],
  { unit: 'messages', baseline: 'XState interprets, subjects only' },
);
console.log(reportMeasurement(measurement, process.argv.includes('--json')));
