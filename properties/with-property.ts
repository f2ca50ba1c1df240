import type { Observer } from '../kernel/explore/observer.ts';
import type { MachineProperties } from './properties.ts';
import { watch } from './property.ts';

/** The properties of a machine with one more, which runs and `check` judge. */
export function withProperty(
  properties: MachineProperties | undefined,
  observer: Observer,
): MachineProperties {
  const { sentences = [], sentencesOf, observers } = properties ?? {};
  return {
    sentences: [...sentences, observer.sentence],
    ...(sentencesOf && { sentencesOf: (given) => [...sentencesOf(given), observer.sentence] }),
    watch: (run, given, assembly) => {
      const others = properties?.watch(run, given, assembly);
      const own = watch(run, [observer]);
      const end = () => {
        others?.end();
        own.end();
      };
      // Nothing is known of all when nothing is known of some.
      if (others && !('judged' in others)) return { end };
      return {
        get judged() {
          return [...(others?.judged ?? []), ...(own.judged ?? [])];
        },
        end,
      };
    },
    observers: (given, assembly) => [...(observers?.(given, assembly) ?? []), observer],
  };
}
