import type { DescriptorKind } from '../../actors/sunway/descriptor.ts';
import { judged, property } from '../property.ts';
import { inWords, type SunwayPropertyContext, said } from './context.ts';

const orders = (barrier: DescriptorKind, kind: DescriptorKind): boolean =>
  barrier === 'allBarrier' || barrier.slice(0, 3) === kind.slice(0, 3);
const isBarrier = (kind: DescriptorKind): boolean => kind.endsWith('Barrier');

/** Transfers behind a barrier operation of their CPE touch nothing before all earlier ones are written (Sunway specification 7.2; 12, P20). */
export const barrierOperationsOrder = property<SunwayPropertyContext>(
  'what a barrier operation holds back touches nothing before all earlier transfers of its CPE are written',
  (run) =>
    judged(
      said(
        run,
        'descriptor.issue',
        'transfer.complete',
        'memory.read',
        'ldm.read',
        'memory.write',
        'rma.data',
      ),
      (found) => {
        /** By core: its transfers that are not complete and its barrier operations, in the order of issue. */
        const issued = new Map<string, { transfer: number; kind: DescriptorKind; tid: number }[]>();
        const coreOf = new Map<number, string>();
        const judge = (name: string, transfer: number): void => {
          const core = coreOf.get(transfer);
          const queue = core === undefined ? undefined : issued.get(core);
          if (queue === undefined) return;
          const at = queue.findIndex((one) => one.transfer === transfer);
          if (at < 0) return;
          const { kind } = queue[at]!;
          const barrier = queue.findLastIndex(
            (one, k) => k < at && isBarrier(one.kind) && orders(one.kind, kind),
          );
          if (barrier < 0) return;
          const earlier = queue
            .slice(0, barrier)
            .find((one) => !isBarrier(one.kind) && orders(queue[barrier]!.kind, one.kind));
          if (earlier)
            found(
              [name],
              `${inWords(queue[at]!)} begins behind a ${queue[barrier]!.kind}, before an earlier ${earlier.kind} is complete`,
            );
        };
        return {
          see({ from, to, event }) {
            switch (event.type) {
              case 'descriptor.issue': {
                const { transfer, kind, tid } = event;
                coreOf.set(transfer, from);
                issued.set(from, [...(issued.get(from) ?? []), { transfer, kind, tid }]);
                return;
              }
              case 'transfer.complete': {
                const core = coreOf.get(event.transfer);
                if (core === undefined) return;
                const left = issued.get(core)!.filter(({ transfer }) => transfer !== event.transfer);
                // Barrier operations that nothing is before have done their work.
                while (left.length > 0 && isBarrier(left[0]!.kind)) left.shift();
                issued.set(core, left);
                coreOf.delete(event.transfer);
                return;
              }
              case 'ldm.read':
                if (event.core < 0) judge(to, event.tag);
                return;
              default:
                judge(to, event.transfer);
            }
          },
        };
      },
    ),
);
