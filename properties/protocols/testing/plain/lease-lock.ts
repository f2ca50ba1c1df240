import type { PlainProtocol } from './plain-search.ts';

/** All that any of the parties remembers, so that one type does. */
interface Party {
  /** Time: how far each clock is ahead; whether a tick is under way. */
  ahead?: number[];
  ticking?: boolean;
  /** The server: ticks left, tokens given, who waits. The client: ticks since its request, token held, rounds left. The storage: the highest token. */
  left?: number;
  token?: number;
  queue?: number[];
  elapsed?: number;
  phase?: 'resting' | 'asking' | 'holding';
  rounds?: number;
}
type Message =
  | readonly ['tick']
  | readonly ['ticked']
  | readonly ['request']
  | readonly [kind: 'grant' | 'write', token: number];

interface Size {
  readonly clients: number;
  readonly rounds: number;
  readonly lease: number;
  readonly drift: number;
  readonly margin: number;
}

/** Clients 0 to n - 1, the server n, the storage n + 1, the passing of time n + 2. */
export function plainLeaseLock({
  clients,
  rounds,
  lease,
  drift,
  margin,
}: Size): PlainProtocol<Party, Message> {
  const [server, storage, time, term] = [clients, clients + 1, clients + 2, lease - margin];
  type Out = Parameters<PlainProtocol<Party, Message>['receive']>[2];
  const rest = (client: Party, out: Out) => {
    Object.assign(client, { phase: 'resting', elapsed: 0, token: 0 });
    out.cancel('write');
    if (client.rounds! > 0) out.set('want');
  };
  const lend = (one: Party, out: Out) => {
    if (one.left !== 0 || one.queue!.length === 0) return;
    one.left = lease;
    out.send(one.queue!.shift()!, ['grant', ++one.token!]);
  };
  return {
    parties: [
      ...Array.from({ length: clients }, (): Party => ({ phase: 'resting', elapsed: 0, token: 0, rounds })),
      { left: 0, token: 0, queue: [] },
      { token: 0 },
      { ahead: Array.from({ length: clients + 1 }, () => 0), ticking: false },
    ],
    start(party, out, self) {
      if (self < clients) rest(party, out);
      if (self === time) out.set('tick');
    },
    receive(party, message, out, from, self) {
      const [what, token] = message;
      if (self === time) {
        party.ticking = false;
        out.set('tick');
      } else if (self === storage) {
        // A write that is refused is shown, so it was received: nothing else tells it from one that was not.
        party.token = Math.max(party.token!, token!);
        out.show();
      } else if (self === server) {
        if (what === 'request') party.queue!.push(from);
        else {
          if (party.left! > 0) party.left!--;
          out.send(from, ['ticked']);
        }
        lend(party, out);
      } else if (what === 'tick') {
        out.send(from, ['ticked']);
        if (party.phase !== 'resting') party.elapsed = Math.min(party.elapsed! + 1, term);
        if (party.phase === 'holding' && party.elapsed === term) rest(party, out);
      } else if (party.elapsed! >= term) rest(party, out);
      else {
        party.phase = 'holding';
        party.token = token!;
        out.set('write');
      }
    },
    timeOut(party, timer, out) {
      if (timer === 'want') {
        party.phase = 'asking';
        party.rounds!--;
        out.send(server, ['request']);
      } else if (timer === 'write') out.send(storage, ['write', party.token!]);
      else {
        const able = party.ahead!.map((_, at) => at).filter((at) => party.ahead![at]! < drift);
        const at = able[out.pick(able.length)]!;
        party.ahead![at]!++;
        party.ahead = party.ahead!.map((one) => one - Math.min(...party.ahead!));
        party.ticking = true;
        // The clock of the server is the first.
        out.send(at === 0 ? server : at - 1, ['tick']);
      }
    },
    safe: ({ parties }) => parties.filter(({ phase }) => phase === 'holding').length <= 1,
  };
}
