import type { Outbox } from '../../../kernel/kit.ts';
import type { Fixed } from '../../../kernel/resource.ts';
import type { LdmRead, LdmWrite, ReplyIncrement } from '../messages.ts';
import type { TboxInput } from './tbox-input.ts';

/** What an engine says to the LDMs of its CPEs. */
export type LdmOut = Outbox<LdmRead | LdmWrite | ReplyIncrement>;
/** Who knows them. */
interface Knowing {
  readonly spec: Fixed<Pick<TboxInput, 'ldms'>>;
}

/** Counts the end of a transfer in a word of an LDM, in this cycle. */
export function count(
  { spec }: Knowing,
  tid: number,
  offset: number,
  transfer: number,
  role: 'local' | 'remote',
  out: LdmOut,
): void {
  if (offset === 0) return;
  out.post({ to: spec.value.ldms[tid]!, type: 'reply.increment', offset, transfer, role });
}

/** Writes bytes of a transfer into an LDM, in this cycle. */
export function writeLdm(
  { spec }: Knowing,
  tid: number,
  offset: number,
  data: Uint8Array,
  transfer: number,
  out: LdmOut,
): void {
  out.post({
    to: spec.value.ldms[tid]!,
    type: 'ldm.write',
    offset,
    data,
    tag: transfer,
    core: -1,
    flag: false,
    answerDelay: -1,
  });
}

/** Reads the source of a transfer from an LDM; the bytes are there in the next cycle. */
export function readLdm(
  { spec }: Knowing,
  tid: number,
  offset: number,
  bytes: number,
  transfer: number,
  out: LdmOut,
): void {
  out.post({
    to: spec.value.ldms[tid]!,
    type: 'ldm.read',
    offset,
    bytes,
    tag: transfer,
    core: -1,
    flag: false,
    answerDelay: 1,
  });
}
