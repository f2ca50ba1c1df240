import type { PlainProtocol, PlainState } from './plain-search.ts';

type Party = { value: number };

/** Values all around: of each machine, then those on their way from it, the youngest first. */
const around = ({ parties, messages }: PlainState<Party, number>): number[] =>
  parties.flatMap(({ value }, self) => [
    value,
    ...messages
      .filter(([from]) => from === self)
      .map(([, , told]) => told)
      .reverse(),
  ]);

/** How many machines, or values on their way, are privileged: the first where it equals the last, any other where it differs from the one before. */
export const privileges = (state: PlainState<Party, number>): number => {
  const ring = around(state);
  return ring.filter((value, at) => (at === 0 ? value === ring[ring.length - 1] : value !== ring[at - 1]))
    .length;
};

/** Dijkstra's ring of `count` machines, of `states` states each, from any beginning. */
export function plainKStateRing(count: number, states: number): PlainProtocol<Party, number> {
  return {
    ordered: true,
    parties: Array.from({ length: count }, () => ({ value: 0 })),
    start(machine, out, self) {
      machine.value = out.pick(states);
      out.send((self + 1) % count, out.pick(states));
    },
    receive(machine, told, out, _from, self) {
      if (self > 0) machine.value = told;
      else if (machine.value === told) machine.value = (told + 1) % states;
      out.send((self + 1) % count, machine.value);
    },
    // At least one privilege there always is.
    safe: (state) => privileges(state) >= 1,
  };
}
