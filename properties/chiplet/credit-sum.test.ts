import { expect, test } from 'vitest';
import type { InputChannelContext } from '../../actors/chiplet/network/input-channel.ts';
import type { OutputChannelContext } from '../../actors/chiplet/network/output-channel.ts';
import type { NetworkMessage } from '../../actors/chiplet/network/protocol.ts';
import type { RouterContext } from '../../actors/chiplet/network/router-context.ts';
import { RandomChoices } from '../../kernel/choices.ts';
import type { Address } from '../../kernel/message.ts';
import { Run, type RunOptions } from '../../kernel/run.ts';
import { networkMachine } from '../../machines/chiplet/network-machine.ts';
import { type ChipletGiven, givenOf } from './trial.ts';

/** Traffic that fills buffers for some hundred cycles. */
const crowd = { pattern: 'uniform', rate: 0.1, cycles: 120, packets: 60, flits: [1, 4, 7] } as const;

interface Sums {
  /** Channels of links whose places did not add up after the turns of a cycle, as text, the first few. */
  readonly wrong: readonly string[];
  /** Places that were found at each kind of place at any time: none may stay unseen. */
  readonly seen: Readonly<Record<'behind' | 'waiting' | 'flying' | 'returning', number>>;
}

/** Counts the places of the buffer behind every channel of every link, after the turns of each cycle (chiplet specification 14, N2). */
function sumsOf(given: ChipletGiven, options: RunOptions = {}): Sums {
  const { wiring, wired } = networkMachine.assemble(given);
  const { V, B } = given.config.network;
  const run = new Run(wiring, options);
  const contextOf = <C>(address: Address): C => run.part(address).context as unknown as C;
  const wrong: string[] = [];
  const seen = { behind: 0, waiting: 0, flying: 0, returning: 0 };
  for (let cycle = 0; cycle < 400 && wrong.length < 5; cycle++) {
    run.until(2 * cycle);
    const underWay = new Map<string, number>();
    for (const { to, event } of run.snapshot().messages) {
      if (event.type !== 'flit.arrive' && event.type !== 'credit.return') continue;
      const { port, channel, type } = event as
        | NetworkMessage<'flit.arrive'>
        | NetworkMessage<'credit.return'>;
      const key = `${type} ${to}.${port}.${channel}`;
      underWay.set(key, (underWay.get(key) ?? 0) + 1);
    }
    for (const { from, port, to } of wired.links) {
      const { leaving } = contextOf<RouterContext>(wired.routers[from]!);
      const farPort = wired.links.find((back) => back.from === to && back.to === from)!.port;
      for (let channel = 0; channel < V; channel++) {
        const free = contextOf<OutputChannelContext>(wired.outputs[from]![port * V + channel]!).credits;
        const behind = contextOf<InputChannelContext>(wired.inputs[to]![farPort * V + channel]!).flits.length;
        const waiting = leaving.filter((flit) => flit.port === port && flit.channel === channel).length;
        const flying = underWay.get(`flit.arrive ${wired.routers[to]}.${farPort}.${channel}`) ?? 0;
        const returning = underWay.get(`credit.return ${wired.routers[from]}.${port}.${channel}`) ?? 0;
        seen.behind += behind;
        seen.waiting += waiting;
        seen.flying += flying;
        seen.returning += returning;
        if (free < 0 || free > B || free + behind + waiting + flying + returning !== B)
          wrong.push(
            `cycle ${cycle}, ${from}.${port}.${channel}: ${[free, behind, waiting, flying, returning]}`,
          );
      }
    }
  }
  return { wrong, seen };
}

test.each([
  ['first in, first out', {}],
  ['one place a buffer', { B: 1, O: 1 }],
  ['a random stream a router', { random: 'perRouter' }],
])(
  'free, filled and promised places make up the buffer behind every channel in every cycle: %s',
  (_, network) => {
    const given = givenOf({ A: 3, V: 2, B: 3, ...network }, crowd);
    for (const options of [{}, { choices: new RandomChoices(5) }]) {
      const { wrong, seen } = sumsOf(given, options);

      expect(wrong).toEqual([]);
      expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
    }
  },
);

test.each(['credit-lost', 'tail-lost'])('the sum does not come out with a planted fault: %s', (mutant) => {
  expect(sumsOf(givenOf({ A: 3, V: 2, B: 3 }, crowd, [mutant])).wrong).not.toEqual([]);
});
