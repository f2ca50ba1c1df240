import type { ChipletAddress } from '../../actors/chiplet/ptx/message-code.ts';
import { findCycle } from '../../kernel/wait-cycle.ts';
import { chipletName } from './gpu-chiplet.ts';
import type { ChipletState } from './system-result.ts';

/** A request of a chiplet that stands still, and what is known of the other side. */
interface Wait {
  readonly at: ChipletAddress;
  readonly what: string;
  /** The chiplet that would have to act; undefined when the message is under way, or when there is none who will ever send it. */
  readonly on: string | undefined;
}

const same = (one: ChipletAddress, other: ChipletAddress): boolean =>
  one[0] === other[0] && one[1] === other[1];

function waitsOf(states: readonly ChipletState[]): readonly Wait[] {
  return states.flatMap(({ at, waiting, received }) =>
    waiting.map(({ who, operation, peer, cycle }): Wait => {
      const since = `${operation === 'send' ? 'sends to' : 'wants a value of'} (${peer.join(', ')}) since cycle ${cycle}`;
      const told = (more: string, on?: string): Wait => ({ at, what: `${who} ${since}${more}`, on });
      const other = states.find((one) => same(one.at, peer));
      if (other === undefined) return told(': no chiplet is there');
      if (operation === 'send') return told('', chipletName(peer));
      const sent = other.trace.filter(({ dst }) => same(dst, at)).length;
      const came = received.find(({ source }) => same(source, peer))?.values.length ?? 0;
      if (sent > came) return told(`: ${sent - came} of the ${sent} that were sent are under way`);
      if (other.ended) return told(`: its program has ended after sending ${sent}`);
      return told('', chipletName(peer));
    }),
  );
}

/** Who waits for what in a system that stands still (chiplet specification 13, E-DEADLOCK): each request a sentence. */
export const blockedText = (states: readonly ChipletState[]): readonly string[] =>
  waitsOf(states).map(({ at, what }) => `${chipletName(at)}: ${what}`);

/** Chiplets that wait for each other, in the order of waiting; none when no circle is among them. */
export function waitingCircle(states: readonly ChipletState[]): readonly string[] {
  const waits = waitsOf(states);
  return findCycle(
    new Map(
      states.map(({ at }) => [
        chipletName(at),
        waits.filter((one) => same(one.at, at)).flatMap(({ on }) => (on === undefined ? [] : [on])),
      ]),
    ),
  );
}
