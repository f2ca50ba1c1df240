import type { PlainProtocol } from './plain-search.ts';

interface Party {
  /** A fork: who has it, and who waits for it; a philosopher: how many forks it has, -1 while it thinks. */
  holder?: number;
  next?: number;
  forks?: number;
}

/** Philosophers 0 to n - 1, and forks n to 2n - 1; each takes the lower fork first. */
export function plainPhilosophers(count: number): PlainProtocol<Party, string> {
  const seats = Array.from({ length: count }, (_, seat) => seat);
  const forksOf = (seat: number) => [seat, (seat + 1) % count].sort((a, b) => a - b).map((at) => count + at);
  return {
    ordered: true,
    parties: [
      ...seats.map((): Party => ({ forks: -1 })),
      ...seats.map((): Party => ({ holder: -1, next: -1 })),
    ],
    start: (_party, out, self) => self < count && out.set('hungry'),
    receive(party, message, out, from, self) {
      if (self < count) {
        party.forks = party.forks! + 1;
        if (party.forks === 1) out.send(forksOf(self)[1]!, 'ask');
        else out.set('full');
      } else if (message === 'ask' && party.holder === -1) {
        party.holder = from;
        out.send(from, 'grant');
      } else if (message === 'ask') party.next = from;
      else {
        party.holder = party.next!;
        party.next = -1;
        if (party.holder >= 0) out.send(party.holder, 'grant');
      }
    },
    timeOut(party, timer, out, self) {
      if (timer === 'hungry') {
        party.forks = 0;
        out.send(forksOf(self)[0]!, 'ask');
      } else {
        party.forks = -1;
        for (const fork of forksOf(self)) out.send(fork, 'release');
        out.set('hungry');
      }
    },
    safe: ({ parties }) =>
      seats.every((seat) => parties[seat]!.forks! < 2 || parties[(seat + 1) % count]!.forks! < 2),
  };
}
