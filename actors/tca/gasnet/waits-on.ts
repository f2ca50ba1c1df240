import type { Address } from '../../../kernel/message.ts';
import { replies } from './layout.ts';
import type { RuntimeContext } from './runtime-context.ts';

/** Whose word would let a runtime go on that waits: what a deadlock report names. Nobody when a message of any node would do. */
export function waitsOn({
  blocked,
  goal,
  barrier,
  segments,
  groups,
  freed,
  spec,
}: RuntimeContext): Address[] {
  const { senders, receivers, node } = spec;
  const full = blocked.at(-1);
  if (full) return [...(senders?.[full.peer]?.slice(full.ring, full.ring + 1) ?? [])];
  if (goal.goal === 'barrier') {
    const heardFrom = (node - 2 ** barrier.round + 2 * receivers.length) % receivers.length;
    return receivers[heardFrom]!.slice(replies, replies + 1);
  }
  if (goal.goal === 'attach')
    return receivers.flatMap((rings, peer) =>
      segments[peer] || peer === node ? [] : rings.slice(replies, replies + 1),
    );
  if (goal.goal !== 'groups') return [];
  return goal.handles.flatMap((handle) =>
    Object.entries(groups[handle]?.acks ?? {}).flatMap(([key, sequence]) => {
      const [peer, ring] = key.split(' ').map(Number) as [number, number];
      return freed[peer]![ring]! > sequence ? [] : (senders?.[peer]?.slice(ring, ring + 1) ?? []);
    }),
  );
}
