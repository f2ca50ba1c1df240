import type { Payload } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import type { MemoryWrite, Packet, TcaMessage } from './protocol.ts';

/*
 * A packet on its next way, written out field by field: spreading it costs a tenth of a run.
 */

/** A write for the next part, `delay` sub-ticks from now. */
export const writeTo = (
  { addr, data, source, channel, seq }: MemoryWrite,
  to: Address,
  delay: number,
  input: number,
): Payload<MemoryWrite> => ({ to, delay, type: 'tlp.write', addr, data, source, channel, seq, input });

/** A read for the next part. */
export const readTo = (
  { addr, bytes, tag, channel, requester }: TcaMessage<'tlp.read'>,
  to: Address,
  delay: number,
): Payload<TcaMessage<'tlp.read'>> => ({ to, delay, type: 'tlp.read', addr, bytes, tag, channel, requester });

/** A completion for the next part. */
export const completionTo = (
  { tag, requester, offset, data }: TcaMessage<'tlp.completion'>,
  to: Address,
  delay: number,
): Payload<TcaMessage<'tlp.completion'>> => ({
  to,
  delay,
  type: 'tlp.completion',
  tag,
  requester,
  offset,
  data,
});

/** The input of a write that has not been on a link. */
export const noInput = -1;

/** A packet of any kind for the next part. */
export function packetTo(
  packet: Packet,
  to: Address,
  delay: number,
  input: number = noInput,
): Payload<Packet> {
  if (packet.type === 'tlp.write') return writeTo(packet, to, delay, input);
  return packet.type === 'tlp.read' ? readTo(packet, to, delay) : completionTo(packet, to, delay);
}
