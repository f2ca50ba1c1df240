import type { CpeOperation } from '../cpe-api.ts';
import type { CpeIdentity } from '../cpe-identity.ts';
import { runtimeWords } from '../runtime-words.ts';
import { descriptor } from './descriptors.ts';
import type { Primitive, Script } from './primitive.ts';

type Calls<Shape> = Extract<CpeOperation, Shape>;
type OneToOne = Calls<{ readonly op: 'rma_get' | 'rma_iget' | 'rma_put' | 'rma_iput' }>;
/** A broadcast or multicast that one CPE issues. */
export type OneToMany = Exclude<Calls<{ readonly other: boolean }>, { readonly root: number }>;

/** The descriptor of a get or put between two LDMs. */
export const pairDescriptor = (
  kind: 'rmaGet' | 'rmaPut',
  { l_addr, len, r_tid, r_addr, r_rply }: Omit<OneToOne, 'op'>,
  localReply: number,
): Primitive =>
  descriptor({
    kind,
    ldm: l_addr,
    len,
    remoteTid: r_tid,
    remote: r_addr,
    localReply,
    remoteReply: r_rply,
  });

/** Whose rows or columns a broadcast goes to: the array is all columns (specification 4.2). */
export function receiverLines(
  group: OneToMany['group'],
  mask: number | undefined,
  { rid, cid }: CpeIdentity,
): { readonly shape: 'row' | 'column'; readonly mask: number } {
  switch (group) {
    case 'array':
      return { shape: 'column', mask: 0xff };
    case 'row':
      return { shape: 'row', mask: mask ?? 1 << rid };
    case 'column':
      return { shape: 'column', mask: mask ?? 1 << cid };
  }
}

/** The descriptor of a broadcast or multicast. */
export const broadcastDescriptor = (call: OneToMany, identity: CpeIdentity, localReply: number): Primitive =>
  descriptor({
    kind: 'rmaBcast',
    ldm: call.src,
    len: call.len,
    remote: call.dst,
    ...receiverLines(call.group, 'mask' in call ? call.mask : undefined, identity),
    other: call.other,
    localReply,
    remoteReply: call.r_rply,
  });

/** The blocking form of any RMA transfer: it waits for the word of the runtime in the local role (specification 3.3). */
export function* blockingRma(issue: Primitive): Script {
  yield issue;
  yield { op: 'wait', word: runtimeWords.rma, value: 'issued' };
  return 0;
}

/** The form that returns when it is issued. */
export function* issuedRma(issue: Primitive): Script {
  yield issue;
  return 0;
}
