import type { Address } from '../../../kernel/message.ts';
import type { Fixed } from '../../../kernel/resource.ts';
import type { Descriptor } from '../descriptor.ts';
import { receiversOf } from '../receivers.ts';
import { count, type LdmOut } from './ldm-access.ts';
import { routeOf, type TboxInput } from './tbox-input.ts';
import type { TransferOpen, TransferOver } from './within.ts';

/** What every transfer knows. */
export interface TransferHead {
  readonly spec: Fixed<TboxInput>;
  /** Null while the place is free. */
  descriptor: Descriptor | null;
  jitter: number;
}

export const engineOf = ({ spec }: TransferHead): Address => spec.value.self;
/** The CPE that issued it. */
export const issuer = ({ descriptor }: TransferHead): number => descriptor!.tid;
export const ownLdm = (c: TransferHead): Address => c.spec.value.ldms[issuer(c)]!;
export const controller = (c: TransferHead): Address => routeOf(c.spec.value.routes, c.descriptor!.memory);
/** The CPEs that a put or broadcast goes to. */
export const receivers = ({ descriptor, spec }: TransferHead): readonly number[] =>
  descriptor!.kind === 'rmaPut' ? [descriptor!.remoteTid] : receiversOf(descriptor!, spec.value.cpes.length);
export const receivingEngines = (c: TransferHead): readonly Address[] => [
  ...new Set(receivers(c).map((tid) => c.spec.value.engines[tid]!)),
];
export const isKind =
  (...kinds: readonly Descriptor['kind'][]) =>
  ({ descriptor }: TransferHead): boolean =>
    kinds.includes(descriptor!.kind);

/** Takes up a descriptor. */
export function latch(c: TransferHead, { descriptor, jitter }: TransferOpen): void {
  c.descriptor = descriptor;
  c.jitter = jitter;
}

/** Counts the end of the transfer in the word of its issuer. */
export function countLocal(c: TransferHead, _event: unknown, out: LdmOut): void {
  const { transfer, tid, localReply: word } = c.descriptor!;
  count(c, tid, word, transfer, 'local', out);
}

/** Tells the engine that nothing of the transfer is under way. */
export function overOf(c: TransferHead): TransferOver & { readonly to: Address } {
  const { transfer, tid, kind } = c.descriptor!;
  return { to: engineOf(c), type: 'transfer.over', transfer, tid, kind };
}
