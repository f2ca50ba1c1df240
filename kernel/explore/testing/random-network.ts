import { type AnyStateMachine, setup } from 'xstate';
import { RandomChoices } from '../../choices.ts';
import { component, refused } from '../../kit.ts';
import type { Address } from '../../message.ts';
import type { Network } from '../../network.ts';
import { Wiring } from '../../wiring.ts';

type Event = { readonly type: 'a' | 'b' | 'c'; readonly n: number } | { readonly type: 'alarm' };
interface Party {
  readonly peers: readonly Address[];
  readonly rules: readonly number[];
  n: number;
  saved: number;
  /** Messages that it may still send, so that a machine comes to its end. */
  fuel: number;
}
const { act } = component<Party, Event, Event>();

/** What a party does is a number for each kind of event: it says what is counted, sent, asked and set. */
function does(party: Party, out: Parameters<Parameters<typeof act>[0]>[2], rule: number, n: number): void {
  const bits = (shift: number, count: number) => Math.floor(rule / shift) % count;
  if (bits(1, 4) === 0) return;
  if (bits(1, 4) === 1) party.n = (party.n + n + 1) % 3;
  if (bits(4, 3) === 0) party.saved = (party.saved + 1) % 2;
  if (bits(12, 5) === 0) party.n = (party.n + out.pick('way', 2)) % 3;
  if (bits(60, 4) === 0) out.setTimer('alarm');
  if (bits(60, 4) === 1) out.cancelTimer('alarm');
  if (bits(240, 3) > 0 && party.fuel > 0) {
    party.fuel--;
    const answer =
      bits(720, 2) === 0 && out.from >= 0 ? out.from : party.peers[bits(1440, party.peers.length)]!;
    const type = (['a', 'b', 'c'] as const)[bits(5760, 3)]!;
    out.post({ to: answer, type, n: (party.n + bits(17_280, 2)) % 2 });
  }
}

const machine = setup({
  types: {} as { context: Party; events: Event; input: Pick<Party, 'peers' | 'rules'> },
  actions: {
    begin: act((party, _event, out) => does(party, out, party.rules[0]!, 0)),
    take: act<'a' | 'b' | 'c'>((party, { type, n }, out) =>
      does(party, out, party.rules[1 + 'abc'.indexOf(type)]!, n),
    ),
    ring: act((party, _event, out) => does(party, out, party.rules[4]!, 1)),
  },
}).createMachine({
  id: 'party',
  context: ({ input }) => ({ ...input, n: 0, saved: 0, fuel: 2 }),
  initial: 'first',
  entry: 'begin',
  states: {
    first: {
      on: {
        a: { actions: 'take' },
        b: { target: 'second', actions: 'take' },
        c: refused,
        alarm: { actions: 'ring' },
      },
    },
    second: {
      on: {
        a: { target: 'first', actions: 'take' },
        b: { actions: 'take' },
        c: { actions: 'take' },
        alarm: 'first',
      },
    },
  },
});

/** A few parties that do arbitrary things over an arbitrary network: the same for a seed each time. */
export function randomNetwork(seed: number): () => Wiring {
  const random = new RandomChoices(seed);
  const pick = (count: number) => random.pick('', count);
  const count = 2 + pick(2);
  const rules = Array.from({ length: count }, () => Array.from({ length: 5 }, () => pick(34_560)));
  const network: Network = {
    order: pick(2) === 0 ? 'unordered' : 'perChannel',
    duplicating: pick(3) === 0,
    lossy: [false, false, true, 1][pick(4)]!,
    partitions: pick(4) === 0 ? 1 : 0,
    ...(pick(3) === 0 && { crashes: { max: 1, recover: pick(2) === 0, keeps: ['saved', 'fuel'] } }),
  };
  return () => {
    const wiring = new Wiring(network);
    const all = Array.from({ length: count }, (_, at) => wiring.reserve(`Party[${at}]`));
    all.forEach((at, index) => {
      const peers = all.filter((one) => one !== at);
      wiring.place(at, machine as unknown as AnyStateMachine, { peers, rules: rules[index]! });
    });
    wiring.begin({ to: all[0]!, type: 'a', n: 1 });
    return wiring;
  };
}
