import type { Address } from '../../kernel/message.ts';
import type { MemoryWrite, Packet, TcaMessage } from './protocol.ts';

/** Room of a receiving port (TCA specification 4): completions always find room. */
export interface PortCredits {
  /** Posted packets. */
  readonly writeHeaders: number;
  /** Units of 16 bytes of their data. */
  readonly writeUnits: number;
  /** Read requests, which are not posted. */
  readonly readHeaders: number;
}

/** Credits that a sender has left. */
export interface CreditsLeft {
  writeHeaders: number;
  writeUnits: number;
  readHeaders: number;
}

/** Bytes that a data credit stands for. */
export const creditBytes = 16;

/** Data credits of a write. */
export const unitsOf = ({ data }: Pick<MemoryWrite, 'data'>): number => Math.ceil(data.length / creditBytes);

/** Whether a sender has the credits for a packet. */
export function affords(left: CreditsLeft, packet: Packet): boolean {
  if (packet.type === 'tlp.read') return left.readHeaders > 0;
  if (packet.type === 'tlp.completion') return true;
  return left.writeHeaders > 0 && left.writeUnits >= unitsOf(packet);
}

/** Takes the credits for a packet that is sent. */
export function spend(left: CreditsLeft, packet: Packet): void {
  if (packet.type === 'tlp.read') left.readHeaders--;
  else if (packet.type === 'tlp.write') {
    left.writeHeaders--;
    left.writeUnits -= unitsOf(packet);
  }
}

/** Takes credits back. */
export function refund(left: CreditsLeft, { kind, headers, units }: TcaMessage<'fc.update'>): void {
  if (kind === 'NP') left.readHeaders += headers;
  else if (kind === 'P') {
    left.writeHeaders += headers;
    left.writeUnits += units;
  }
}

/** Gives the credits of a packet back to who sent it: it has left the buffer of the port. */
export function creditsBack(
  to: Address,
  packet: MemoryWrite | Extract<Packet, { type: 'tlp.read' }>,
  delay: number,
) {
  const write = packet.type === 'tlp.write';
  return {
    to,
    type: 'fc.update' as const,
    kind: write ? ('P' as const) : ('NP' as const),
    headers: 1,
    units: write ? unitsOf(packet) : 0,
    delay,
  };
}
