import { judged, property } from '../property.ts';
import { isLdm, type SunwayPropertyContext, said } from './context.ts';
import { firstDifference, ShadowBytes } from './shadow-bytes.ts';

const laneBytes = 4;

/** What a reader should get, in the order of its reads. */
interface Awaited {
  /** Where each of the words or the range was read. */
  readonly where: string;
  /** Reads those bytes as they are now. */
  readonly look: () => Uint8Array;
  /** What they were when it was asked and, where ports take their turns, after each change until the answer. */
  readonly states: Uint8Array[];
}

/** What is read from an LDM is what was written there last; a word also has one more for each end that was counted in it (Sunway specification 3.3; 12, P1). */
export const ldmsKeepWhatIsWritten = property<SunwayPropertyContext>(
  'an LDM gives what was last written into it, and one more in a word for each end counted since',
  (run, { config }) =>
    judged(
      said(
        run,
        'ldm.read',
        'ldm.gather',
        'ldm.data',
        'ldm.write',
        'ldm.scatter',
        'reply.increment',
        'reply.watch',
        'reply.event',
      ),
      (found) => {
        const ldms = new Map<string, ShadowBytes>();
        const awaited = new Map<string, Awaited[]>();
        /** By LDM: reads that are not answered. */
        const reading = new Map<string, Awaited[]>();
        /** By LDM: the word that its CPE waits for, and what it was when it had come far enough. More may be counted before the CPE hears of it. */
        const watched = new Map<string, { readonly offset: number; readonly value: number; told?: number }>();
        const of = (name: string): ShadowBytes => {
          const known = ldms.get(name) ?? new ShadowBytes();
          ldms.set(name, known);
          return known;
        };
        const wordAt = (name: string, offset: number): number =>
          new DataView(of(name).slice(offset, laneBytes).buffer).getInt32(0, true);
        const expect = (name: string, key: string, where: string, look: () => Uint8Array): void => {
          const one = { where, look, states: [look()] };
          const known = awaited.get(key);
          if (known) known.push(one);
          else awaited.set(key, [one]);
          reading.set(name, [...(reading.get(name) ?? []), one]);
        };
        /** A word that is waited for may have come far enough. An access of a CPE has its turn behind those of its engine in the same cycle, or later (8.7): it may see what came meanwhile. */
        const change = (name: string): void => {
          const watch = watched.get(name);
          if (watch && watch.told === undefined) {
            const word = wordAt(name, watch.offset);
            if (word >= watch.value) watch.told = word;
          }
          if (config.fidelity !== 'flit') return;
          for (const { look, states } of reading.get(name) ?? []) states.push(look());
        };
        return {
          see({ from, to, event }) {
            switch (event.type) {
              case 'ldm.write':
                of(to).put(event.offset, event.data);
                change(to);
                return;
              case 'ldm.scatter':
                for (const [lane, offset] of event.offsets.entries())
                  of(to).put(offset, event.data.subarray(laneBytes * lane, laneBytes * (lane + 1)));
                change(to);
                return;
              case 'reply.increment':
                of(to).increment(event.offset);
                change(to);
                return;
              case 'ldm.read': {
                const { offset, bytes, tag } = event;
                expect(to, `${to} ${from} ${tag}`, `${bytes} bytes at ${offset}`, () =>
                  of(to).slice(offset, bytes),
                );
                return;
              }
              case 'ldm.gather': {
                const { offsets } = event;
                expect(to, `${to} ${from} 0`, `the words at ${offsets.join(', ')}`, () => {
                  const data = new Uint8Array(laneBytes * offsets.length);
                  for (const [lane, offset] of offsets.entries())
                    data.set(of(to).slice(offset, laneBytes), laneBytes * lane);
                  return data;
                });
                return;
              }
              case 'ldm.data': {
                if (!isLdm(from)) return;
                const one = awaited.get(`${from} ${to} ${event.tag}`)?.shift();
                if (one === undefined) {
                  found([from], `it sends bytes to ${to}, which has read none`);
                  return;
                }
                reading.set(
                  from,
                  reading.get(from)!.filter((other) => other !== one),
                );
                const [first] = one.states;
                if (first!.length !== event.data.length)
                  found([from], `it gives ${event.data.length} bytes for ${one.where}`);
                else if (one.states.every((state) => firstDifference(state, event.data) >= 0)) {
                  const at = firstDifference(first!, event.data);
                  found(
                    [from],
                    `of ${one.where}, byte ${at} is ${event.data[at]}, but what was written and counted makes ${first![at]}`,
                  );
                }
                return;
              }
              case 'reply.watch':
                watched.set(to, { offset: event.offset, value: event.value });
                change(to);
                return;
              default: {
                const { offset, value } = event;
                const word = watched.get(from)?.told ?? wordAt(from, offset);
                watched.delete(from);
                if (word !== value)
                  found(
                    [from],
                    `it says that the word at ${offset} is ${value}, but stores and counts make ${word}`,
                  );
              }
            }
          },
        };
      },
    ),
);
