import type { PlainProtocol } from './plain-search.ts';

interface Party {
  clock: number;
  rounds: number;
  /** Times of requests, by process; 0 for none. */
  queue: number[];
  acks: number;
  inside: boolean;
}
type Message = readonly ['request', time: number] | readonly ['ack'] | readonly ['release'];
type Out = Parameters<PlainProtocol<Party, Message>['receive']>[2];

/** Lamport's mutual exclusion among so many processes, which enter so often. */
export function plainLamportMutex(count: number, rounds: number): PlainProtocol<Party, Message> {
  const all = Array.from({ length: count }, (_, at) => at);
  const tell = (self: number, out: Out, message: Message) => {
    for (const to of all) if (to !== self) out.send(to, message);
  };
  /** By time, then by number, in one number. */
  const rank = (party: Party, at: number) => party.queue[at]! * count + at;
  const enter = (party: Party, self: number, out: Out) => {
    const first = all.every(
      (at) => at === self || party.queue[at] === 0 || rank(party, self) < rank(party, at),
    );
    if (party.inside || party.queue[self] === 0 || party.acks < count - 1 || !first) return;
    party.inside = true;
    out.set('leave');
  };
  return {
    ordered: true,
    parties: all.map(() => ({ clock: 0, rounds, queue: all.map(() => 0), acks: 0, inside: false })),
    start: (_party, out) => out.set('want'),
    receive(party, [what, time], out, from, self) {
      if (what === 'request') {
        party.queue[from] = time;
        party.clock = Math.max(party.clock, time);
        out.send(from, ['ack']);
      } else if (what === 'ack') party.acks++;
      else party.queue[from] = 0;
      enter(party, self, out);
    },
    timeOut(party, timer, out, self) {
      if (timer === 'want') {
        party.rounds--;
        party.clock++;
        party.queue[self] = party.clock;
        tell(self, out, ['request', party.clock]);
        return;
      }
      party.inside = false;
      party.queue[self] = 0;
      party.acks = 0;
      tell(self, out, ['release']);
      if (party.rounds > 0) out.set('want');
    },
    safe: ({ parties }) => parties.filter(({ inside }) => inside).length <= 1,
  };
}
