import type { PlainProtocol } from './plain-search.ts';

interface Party {
  phase: 'idle' | 'takesPart' | 'leads' | 'follows';
  leader: number;
}
type Message = readonly [what: 'election' | 'elected', id: number];

/** Chang and Roberts, with these identities around the ring. */
export function plainRingElection(ids: readonly number[]): PlainProtocol<Party, Message> {
  const next = (self: number) => (self + 1) % ids.length;
  return {
    parties: ids.map(() => ({ phase: 'idle', leader: -1 })),
    start: (_party, out) => out.set('stand'),
    receive(party, [what, id], out, _from, self) {
      const own = ids[self]!;
      if (what === 'elected') {
        // It has gone round, or is known already.
        if (party.phase === 'follows' || (party.phase === 'leads' && id === own)) return;
        out.cancel('stand');
        Object.assign(party, { phase: 'follows', leader: id });
        out.send(next(self), ['elected', id]);
      } else if (party.phase === 'idle') {
        party.phase = 'takesPart';
        out.cancel('stand');
        out.send(next(self), ['election', Math.max(id, own)]);
      } else if (party.phase === 'takesPart' && id > own) out.send(next(self), ['election', id]);
      else if (party.phase === 'takesPart' && id === own) {
        Object.assign(party, { phase: 'leads', leader: own });
        out.send(next(self), ['elected', own]);
      }
    },
    timeOut(party, _timer, out, self) {
      party.phase = 'takesPart';
      out.send(next(self), ['election', ids[self]!]);
    },
    safe: ({ parties }) =>
      parties.every(({ phase }, at) => phase !== 'leads' || ids[at] === Math.max(...ids)),
  };
}
