import {
  type CycleBarrierContext,
  cycleBarrierKit,
  intervalOf,
  release,
} from '../../actors/chiplet/system/cycle-barrier.ts';
import { mutantsOf } from '../mutant.ts';
import { plantingIn } from '../planting.ts';
import type { SystemParts } from './system-assembly.ts';

const { act, when, probe } = cycleBarrierKit;

const { replace } = plantingIn<SystemParts>();

/** With the one that comes or leaves now, all but one are there. */
const isAlmostAll = ({ arrived, finished, chiplets }: CycleBarrierContext): boolean =>
  arrived.length + finished.length + 1 >= chiplets.length - 1;

/** Planted faults of the cycle barrier. */
export const cycleBarrierMutants = mutantsOf<SystemParts>({
  'B-01': {
    sentence: 'the barrier opens when one chiplet is still missing',
    mutate: replace('cycleBarrier', {
      guards: { isLast: when(isAlmostAll), leavesLast: when(isAlmostAll) },
    }),
  },
  'B-02': {
    sentence: 'who has arrived first is not released',
    mutate: replace('cycleBarrier', {
      actions: {
        release: act((b, _event, out) => {
          b.arrived.shift();
          release(b, out);
        }),
      },
    }),
  },
  'B-03': {
    sentence: 'the cycle of the next meeting grows by twice the interval',
    mutate: replace('cycleBarrier', {
      actions: {
        release: act((b, _event, out) => {
          b.cycle += intervalOf(b);
          release(b, out);
        }),
      },
    }),
  },
  'B-04': {
    sentence: 'the file keeps the chiplets of the last meeting',
    mutate: replace('cycleBarrier', {
      actions: {
        showFile: probe((b) => {
          const before = b.generation > 0 ? b.chiplets : [];
          const here = b.arrived.map((index) => b.chiplets[index]!);
          const lines = [...before, ...here].map(({ place }) => `${place.x}, ${place.y}\n`).join('');
          return { type: 'sync.file', text: `${b.cycle}\n${intervalOf(b)}\n${lines}` };
        }),
      },
    }),
  },
});
