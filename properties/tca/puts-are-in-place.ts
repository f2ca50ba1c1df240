import type { GasnetCall } from '../../actors/tca/gasnet/calls.ts';
import { judged, property } from '../property.ts';
import { nodeIn, OpenCalls, said, type TcaContext } from './context.ts';

/** A put under way: which of its bytes have been written since it began. */
interface Put {
  readonly missing: Set<number>;
}

type PutCall = Extract<GasnetCall, { readonly call: 'put' }>;

function* addressesOf({ dst, shape }: PutCall): Generator<number> {
  for (let row = 0; row < shape.count; row++)
    for (let k = 0; k < shape.size; k++) yield dst + row * shape.dstStride + k;
}

/** A put that waits for the answer of its target has all its bytes in place when it returns (TCA specification 12.4; 19, I7, I12). */
export const putsAreInPlace = property<TcaContext>(
  'all bytes of a put are in place when it returns',
  (run, { config }) =>
    judged(said(run, 'gasnet.call', 'gasnet.return', 'memory.visible'), (found) => {
      /** By node: the put of its program. */
      const puts = new Map<number, Put>();
      const calls = new OpenCalls();

      return {
        see({ from, to, event }) {
          switch (event.type) {
            case 'gasnet.call': {
              const { call } = event;
              calls.begin(nodeIn(from), call);
              if (config.gasnet?.completion !== 'acked' || call.call !== 'put' || call.form !== 'blocking')
                return;
              puts.set(nodeIn(from), { missing: new Set(addressesOf(call)) });
              return;
            }
            case 'memory.visible':
              for (const { missing } of puts.values())
                if (missing.size > 0)
                  for (let k = 0; k < event.data.length; k++) missing.delete(event.addr + k);
              return;
            case 'gasnet.return': {
              const node = nodeIn(to);
              const ended = calls.end(node, event.answer);
              const put = puts.get(node);
              if (put === undefined || ended?.call !== 'put' || event.answer.answer !== 'done') return;
              puts.delete(node);
              const { size } = put.missing;
              if (event.answer.status === 'OK' && size > 0)
                found([from], `${size} bytes of a put are not in place, the first at ${[...put.missing][0]}`);
            }
          }
        },
      };
    }),
);
