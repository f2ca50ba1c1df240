import type { GasnetCall } from '../../actors/tca/gasnet/calls.ts';
import { type AddressSet, addAddresses, deleteAddresses, lowestOf, noAddresses } from './address-set.ts';
import {
  callBegins,
  callEnds,
  noCalls,
  nodeIn,
  type OpenCalls,
  type TcaKnown,
  tcaProperty,
} from './context.ts';

type PutCall = Extract<GasnetCall, { readonly call: 'put' }>;

interface Puts {
  readonly calls: OpenCalls;
  /** By node: what the put of its program has still to write; null without one. */
  readonly missing: (AddressSet | null)[];
}

/** The bytes that a put writes. */
function addressesOf({ dst, shape: { size, count, dstStride, planes } }: PutCall): AddressSet {
  const addresses = noAddresses();
  for (let plane = 0; plane < (planes?.count ?? 1); plane++)
    for (let row = 0; row < count; row++)
      addAddresses(addresses, dst + plane * (planes?.dstStride ?? 0) + row * dstStride, size);
  return addresses;
}

/** A put that waits for the answer of its target has all its bytes in place when it returns (TCA specification 12.4; 19, I7, I12). */
export const putsAreInPlace = ({ config: { nodes, gasnet } }: TcaKnown) =>
  tcaProperty({
    sentence: 'all bytes of a put are in place when it returns',
    watches: ['gasnet.call', 'gasnet.return', 'memory.visible'],
    begin: (): Puts => ({ calls: noCalls(nodes), missing: new Array<null>(nodes).fill(null) }),
    see({ calls, missing }, { from, to, event }, found) {
      switch (event.type) {
        case 'gasnet.call': {
          const { call } = event;
          callBegins(calls, nodeIn(from), call, call.call);
          if (gasnet?.completion === 'acked' && call.call === 'put' && call.form === 'blocking')
            missing[nodeIn(from)] = addressesOf(call);
          return;
        }
        case 'memory.visible':
          for (const one of missing) if (one) deleteAddresses(one, event.addr, event.data.length);
          return;
        case 'gasnet.return': {
          const node = nodeIn(to);
          const left = missing[node];
          if (callEnds(calls, node, event.answer) !== 'put' || !left || event.answer.answer !== 'done')
            return;
          missing[node] = null;
          if (event.answer.status === 'OK' && left.size > 0)
            found([from], `${left.size} bytes of a put are not in place, the first at ${lowestOf(left)}`);
        }
      }
    },
  });
