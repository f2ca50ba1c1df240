import type { GasnetCall } from '../../actors/tca/gasnet/calls.ts';
import { judged, property } from '../property.ts';
import { AddressSet } from './address-set.ts';
import { nodeIn, OpenCalls, said, type TcaContext } from './context.ts';

type PutCall = Extract<GasnetCall, { readonly call: 'put' }>;

/** The bytes that a put writes. */
function addressesOf({ dst, shape: { size, count, dstStride, planes } }: PutCall): AddressSet {
  const addresses = new AddressSet();
  for (let plane = 0; plane < (planes?.count ?? 1); plane++)
    for (let row = 0; row < count; row++)
      addresses.add(dst + plane * (planes?.dstStride ?? 0) + row * dstStride, size);
  return addresses;
}

/** A put that waits for the answer of its target has all its bytes in place when it returns (TCA specification 12.4; 19, I7, I12). */
export const putsAreInPlace = property<TcaContext>(
  'all bytes of a put are in place when it returns',
  (run, { config }) =>
    judged(said(run, 'gasnet.call', 'gasnet.return', 'memory.visible'), (found) => {
      /** By node: what the put of its program has still to write. */
      const puts = new Map<number, AddressSet>();
      const calls = new OpenCalls();

      return {
        see({ from, to, event }) {
          switch (event.type) {
            case 'gasnet.call': {
              const { call } = event;
              calls.begin(nodeIn(from), call);
              if (config.gasnet?.completion !== 'acked' || call.call !== 'put' || call.form !== 'blocking')
                return;
              puts.set(nodeIn(from), addressesOf(call));
              return;
            }
            case 'memory.visible':
              for (const missing of puts.values()) missing.delete(event.addr, event.data.length);
              return;
            case 'gasnet.return': {
              const node = nodeIn(to);
              const ended = calls.end(node, event.answer);
              const missing = puts.get(node);
              if (missing === undefined || ended?.call !== 'put' || event.answer.answer !== 'done') return;
              puts.delete(node);
              const { size, lowest } = missing;
              if (event.answer.status === 'OK' && size > 0)
                found([from], `${size} bytes of a put are not in place, the first at ${lowest}`);
            }
          }
        },
      };
    }),
);
