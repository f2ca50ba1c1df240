import { placeOf } from '../address-map.ts';
import type { LocalWork, RuntimeContext, RuntimeOut } from './runtime-context.ts';

/** Has the copier or a memory of this node do something; it answers the runtime. */
export function carryOut(c: RuntimeContext, one: LocalWork, out: RuntimeOut): void {
  const { copier, memories } = c.spec;
  const address = one.work === 'load' ? one.src : one.dst;
  const memory = memories[placeOf(address).region as 'cpu' | 'gpu'];
  switch (one.work) {
    case 'copy':
    case 'fill': {
      const { dst, bytes } = one;
      const source = one.work === 'copy' ? { src: one.src } : { src: dst, value: one.value };
      out.post({ to: copier, type: 'copy.job', ...source, dst, bytes });
      return;
    }
    case 'store':
      out.post({
        to: memory,
        type: 'memory.store',
        addr: one.dst,
        data: one.data,
      });
      return;
    case 'load':
      out.post({
        to: memory,
        type: 'memory.load',
        addr: one.src,
        bytes: one.bytes,
      });
      return;
    default:
      one satisfies never;
  }
}
