import type { CallBegin } from '../../actors/sunway/probes.ts';
import { type SunwayPropertyContext, sunwayProperty } from './context.ts';

/** The digest with which a host is to say that its buffer ends; undefined where it says something else, or may say what it likes. */
function expectedIn(
  { core, name, arguments: given }: CallBegin,
  programs: SunwayPropertyContext['programs'],
): string | undefined {
  if (core >= 0 || name !== 'tell' || given['name'] !== 'memory') return undefined;
  const one = Array.isArray(programs) ? programs[-1 - core] : programs;
  return one && 'slave' in one ? one.memory.after : undefined;
}

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
    judges: (event) => expectedIn(event, programs) !== undefined,
    see(_nothing: object, event, to) {
      const after = expectedIn(event, programs);
      const { arguments: given } = event;
      return after === undefined || given['value'] === after
        ? undefined
        : { actors: [to], why: `its buffer ends with the digest ${given['value']}, expected ${after}` };
    },
  }),
);
