import type { DescriptorKind } from '../../actors/sunway/descriptor.ts';
import type { Found } from '../../kernel/explore/observer.ts';
import { inWords, sunwayProperty } from './context.ts';

interface Issued {
  readonly transfer: number;
  readonly kind: DescriptorKind;
  readonly tid: number;
}

interface Memory {
  /** By core: its transfers that are not complete and its barrier operations, in the order of issue. */
  readonly issued: Record<string, readonly Issued[]>;
  /** By transfer: its core. */
  readonly coreOf: Record<number, string>;
}

const orders = (barrier: DescriptorKind, kind: DescriptorKind): boolean =>
  barrier === 'allBarrier' || barrier.slice(0, 3) === kind.slice(0, 3);
const isBarrier = ({ kind }: Issued): boolean => kind.endsWith('Barrier');

/** Transfers behind a barrier operation of their CPE touch nothing before all earlier ones are written (Sunway specification 7.2; 12, P20). */
export const barrierOperationsOrder = sunwayProperty(
  'what a barrier operation holds back touches nothing before all earlier transfers of its CPE are written',
  ['descriptor.issue', 'transfer.complete', 'memory.read', 'ldm.read', 'memory.write', 'rma.data'],
  () => ({
    begin: (): Memory => ({ issued: {}, coreOf: {} }),
    see({ issued, coreOf }: Memory, event, to, from) {
      switch (event.type) {
        case 'descriptor.issue': {
          const { transfer, kind, tid } = event;
          coreOf[transfer] = from;
          issued[from] = [...(issued[from] ?? []), { transfer, kind, tid }];
          return undefined;
        }
        case 'transfer.complete': {
          const core = coreOf[event.transfer];
          if (core === undefined) return undefined;
          const left = issued[core]!.filter(({ transfer }) => transfer !== event.transfer);
          // Barrier operations that nothing is before have done their work.
          const first = left.findIndex((one) => !isBarrier(one));
          const over = first < 0 ? left : left.slice(0, first);
          for (const { transfer } of [event, ...over]) delete coreOf[transfer];
          issued[core] = left.slice(over.length);
          return undefined;
        }
        case 'ldm.read':
          return event.core < 0 ? judge(issued[coreOf[event.tag] ?? ''], event.tag, to) : undefined;
        default:
          return judge(issued[coreOf[event.transfer] ?? ''], event.transfer, to);
      }
    },
  }),
);

/** Looks whether a transfer may begin, which shows at a part of the machine. */
function judge(queue: readonly Issued[] | undefined, transfer: number, name: string): Found | undefined {
  const at = queue?.findIndex((one) => one.transfer === transfer) ?? -1;
  if (queue === undefined || at < 0) return undefined;
  const { kind } = queue[at]!;
  const barrier = queue.findLastIndex((one, k) => k < at && isBarrier(one) && orders(one.kind, kind));
  if (barrier < 0) return undefined;
  const earlier = queue
    .slice(0, barrier)
    .find((one) => !isBarrier(one) && orders(queue[barrier]!.kind, one.kind));
  return (
    earlier && {
      actors: [name],
      why: `${inWords(queue[at]!)} begins behind a ${queue[barrier]!.kind}, before an earlier ${earlier.kind} is complete`,
    }
  );
}
