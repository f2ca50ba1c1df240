import type { PlainProtocol } from './plain-search.ts';

type Entry = [ballot: number, value: number];
interface Party {
  ballot: number;
  phase: 'follows' | 'prepares' | 'leads';
  log: Entry[];
  /** Logs of who has promised, by server; null for who has not. */
  promises: (Entry[] | null)[];
  /** By slot: who has accepted. */
  accepts: number[][];
  chosen: number[];
}
type Message =
  | readonly ['command', value: number]
  | readonly ['prepare', ballot: number]
  | readonly ['promise', ballot: number, log: Entry[]]
  | readonly ['accept', ballot: number, slot: number, value: number]
  | readonly ['accepted', ballot: number, slot: number];
type Out = Parameters<PlainProtocol<Party, Message>['receive']>[2];

/** Paxos for a log; ballots from the number of servers on, each of the server at the place of its rest. */
export function plainMultiPaxos(
  count: number,
  commands: number,
  ballots: number,
): PlainProtocol<Party, Message> {
  const all = Array.from({ length: count }, (_, at) => at);
  const isMajority = (votes: number) => 2 * votes > count;
  const tell = (self: number, out: Out, message: Message) => {
    for (const to of all) if (to !== self) out.send(to, message);
  };
  const none = () => all.map(() => null);
  const follow = (party: Party, out: Out) => {
    Object.assign(party, { phase: 'follows', promises: none(), accepts: [] });
    out.set('prepare');
  };
  const write = ({ log, ballot }: Party, slot: number, value: number) => {
    while (log.length < slot) log.push([0, 0]);
    log[slot] = [ballot, value];
  };
  const propose = (party: Party, self: number, slot: number, value: number, out: Out) => {
    write(party, slot, value);
    party.accepts[slot] = [self];
    tell(self, out, ['accept', party.ballot, slot, value]);
  };
  const lead = (party: Party, self: number, out: Out) => {
    const logs = party.promises.filter((log) => log !== null);
    if (party.phase !== 'prepares' || !isMajority(logs.length)) return;
    out.cancel('prepare');
    party.phase = 'leads';
    party.promises = none();
    const slots = Math.max(...logs.map(({ length }) => length));
    for (let slot = 0; slot < slots; slot++) {
      let latest: Entry = [0, 0];
      for (const log of logs) if ((log[slot]?.[0] ?? 0) > latest[0]) latest = log[slot]!;
      propose(party, self, slot, latest[1], out);
    }
  };
  return {
    parties: all.map(() => ({
      ballot: 0,
      phase: 'follows',
      log: [],
      promises: none(),
      accepts: [],
      chosen: [],
    })),
    outside: all.flatMap((to) =>
      Array.from({ length: commands }, (_, at) => [to, ['command', at + 1] as const] as const),
    ),
    start: follow,
    receive(party, message, out, from, self) {
      if (message[0] === 'command') {
        if (party.phase === 'leads' && !party.log.some(([, value]) => value === message[1]))
          propose(party, self, party.log.length, message[1], out);
        return;
      }
      const [what, ballot] = message;
      if (what === 'prepare' && ballot > party.ballot) {
        party.ballot = ballot;
        out.send(from, ['promise', ballot, party.log]);
        follow(party, out);
      } else if (what === 'accept' && ballot >= party.ballot) {
        party.ballot = ballot;
        write(party, message[2], message[3]);
        out.send(from, ['accepted', ballot, message[2]]);
        follow(party, out);
      } else if (what === 'promise' && party.phase === 'prepares' && ballot === party.ballot) {
        party.promises[from] = message[2];
        lead(party, self, out);
      } else if (what === 'accepted' && party.phase === 'leads' && ballot === party.ballot) {
        const slot = message[2];
        party.accepts[slot] = [...new Set([...party.accepts[slot]!, from])].sort();
        if (!isMajority(party.accepts[slot].length)) return;
        while (party.chosen.length <= slot) party.chosen.push(-1);
        party.chosen[slot] = party.log[slot]![1];
      }
    },
    timeOut(party, _timer, out, self) {
      party.phase = 'prepares';
      party.ballot = (Math.floor(party.ballot / count) + 1) * count + self;
      party.promises[self] = structuredClone(party.log);
      tell(self, out, ['prepare', party.ballot]);
      lead(party, self, out);
    },
    within: ({ parties }) => parties.every(({ ballot }) => ballot < count + ballots),
    safe: ({ parties }) =>
      parties.every((one) =>
        parties.every((other) =>
          one.chosen.every(
            (value, slot) => value === -1 || [value, -1, undefined].includes(other.chosen[slot]),
          ),
        ),
      ),
  };
}
