import type { PlainProtocol } from './plain-search.ts';

/** What each replica has counted, up and down: the whole state of a replica. */
type Party = { counts: number[][]; left: number };

/** Replicas of a counter, of which each counts so often; what is true of a counter is asked of the lists of its updates. */
export function plainGossipCounter(
  updates: readonly number[],
  network: Pick<PlainProtocol<Party, number[][]>, 'losses'> = {},
): PlainProtocol<Party, number[][]> {
  const value = ({ counts }: Party) => counts.reduce((sum, [up, down]) => sum + up! - down!, 0);
  const known = ({ counts }: Party) => counts.map(([up, down]) => up! + down!).join();
  return {
    ...network,
    duplicating: true,
    parties: updates.map((left) => ({ counts: updates.map(() => [0, 0]), left })),
    start(party, out) {
      out.set('gossip');
      if (party.left > 0) out.set('update');
    },
    receive(party, counts) {
      party.counts = party.counts.map((entry, at) =>
        entry.map((count, way) => Math.max(count, counts[at]![way]!)),
      );
    },
    timeOut(party, timer, out, self) {
      if (timer === 'update') {
        party.counts[self]![out.pick(2)]!++;
        party.left--;
        if (party.left > 0) out.set('update');
        return;
      }
      out.set('gossip');
      updates.forEach((_, to) => {
        if (to !== self) out.send(to, party.counts);
      });
    },
    safe: ({ parties }) =>
      parties.every((one) =>
        parties.every((other) => known(one) !== known(other) || value(one) === value(other)),
      ),
  };
}
