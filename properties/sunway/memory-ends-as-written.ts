import { sunwayProperty } from './context.ts';

/**
 * A program that says how its memory ends is right: whatever the schedule and the level of detail (Sunway specification 12, P5, P14, P15).
 *
 * Details: the host tells a digest of its buffer in the end; programs as data may say which one it is.
 */
export const memoryEndsAsWritten = sunwayProperty(
  'main memory ends with what the program says, as if all CPEs had worked one after the other',
  ['call.begin'],
  ({ programs }) => ({
    begin: () => ({}),
    see(_nothing: object, { core, name, arguments: given }, to) {
      if (core >= 0 || name !== 'tell' || given['name'] !== 'memory') return undefined;
      const one = Array.isArray(programs) ? programs[-1 - core] : programs;
      const after = one && 'slave' in one ? one.memory.after : undefined;
      return after === undefined || given['value'] === after
        ? undefined
        : { actors: [to], why: `its buffer ends with the digest ${given['value']}, expected ${after}` };
    },
  }),
);
