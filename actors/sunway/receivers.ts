import { arrayCpes, columnOf, rowOf } from './array/identity.ts';
import type { Descriptor } from './descriptor.ts';

/** The CPEs that get a copy of a broadcast, ascending; `available` are those that take part (specification 4.2). */
export function receiversOf(
  { shape, mask, other, tid }: Pick<Descriptor, 'shape' | 'mask' | 'other' | 'tid'>,
  available: number,
): readonly number[] {
  const receivers: number[] = [];
  for (let one = 0; one < Math.min(arrayCpes, available); one++) {
    if (other && one === tid) continue;
    const line = shape === 'row' ? rowOf(one) : columnOf(one);
    if ((mask >> line) & 1) receivers.push(one);
  }
  return receivers;
}
