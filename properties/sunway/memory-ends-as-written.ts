import { judged, property } from '../property.ts';
import { type SunwayPropertyContext, said } from './context.ts';

/**
 * A program that says how its memory ends is right: whatever the schedule and the level of detail (Sunway specification 12, P5, P14, P15).
 *
 * Details: the host tells a digest of its buffer in the end; programs as data may say which one it is.
 */
export const memoryEndsAsWritten = property<SunwayPropertyContext>(
  'main memory ends with what the program says, as if all CPEs had worked one after the other',
  (run, { programs }) =>
    judged(said(run, 'call.begin'), (found) => ({
      see({ to, event: { core, name, arguments: given } }) {
        if (core >= 0 || name !== 'tell' || given['name'] !== 'memory') return;
        const one = Array.isArray(programs) ? programs[-1 - core] : programs;
        const after = one && 'slave' in one ? one.memory.after : undefined;
        if (after !== undefined && given['value'] !== after)
          found([to], `its buffer ends with the digest ${given['value']}, expected ${after}`);
      },
    })),
);
