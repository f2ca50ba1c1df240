import { cpuCosts } from '../../actors/chiplet/gpu/host-operations.ts';
import type { Address } from '../../kernel/message.ts';
import type { Wiring } from '../../kernel/wiring.ts';
import {
  type ChipletGiven,
  type ChipletParts,
  chipletName,
  soundChipletParts,
  wireHost,
} from './gpu-chiplet.ts';

/** The addresses of the parts of a CPU chiplet. */
export interface CpuChiplet {
  readonly host: Address;
  readonly mailbox: Address;
}

/** Wires a CPU chiplet (chiplet specification 8); its program begins in tick 0. */
export function wireCpuChiplet(
  wiring: Wiring,
  given: ChipletGiven,
  parts: ChipletParts = soundChipletParts,
): CpuChiplet {
  const own = {
    host: wiring.reserve(`${chipletName(given.at)}.Host`),
    mailbox: wiring.reserve(`${chipletName(given.at)}.Mailbox`),
  };
  wireHost(wiring, given, own, null, cpuCosts, parts);
  return own;
}
