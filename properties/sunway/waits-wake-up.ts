import { judged, property } from '../property.ts';
import { isLdm, type SunwayPropertyContext, said } from './context.ts';

/** A word as the messages to its LDM leave it. */
const wordIn = (data: Uint8Array, at: number): number =>
  new DataView(data.buffer, data.byteOffset, data.byteLength).getInt32(at, true);

/** No lost wake-up, no early one: a CPE goes on when its word has come far enough, and not before (Sunway specification 3.3; 12, P10). */
export const waitsWakeUp = property<SunwayPropertyContext>(
  'a CPE that waits for a word goes on in the cycle in which the word has come far enough, and not before',
  (run) =>
    judged(
      said(run, 'ldm.write', 'ldm.scatter', 'reply.increment', 'reply.watch', 'reply.event'),
      (found) => {
        /** Words that were counted in or waited for, by LDM. */
        const words = new Map<string, Map<number, number>>();
        const waits = new Map<string, { readonly offset: number; readonly value: number; reached: number }>();
        const wordsOf = (name: string): Map<number, number> => {
          const known = words.get(name) ?? new Map<number, number>();
          words.set(name, known);
          return known;
        };
        const look = (name: string, tick: number): void => {
          const wait = waits.get(name);
          if (wait && wait.reached < 0 && (wordsOf(name).get(wait.offset) ?? 0) >= wait.value)
            wait.reached = tick;
        };
        const store = (name: string, offset: number, data: Uint8Array): void => {
          const all = wordsOf(name);
          // Reply words are aligned to 4 bytes; what is stored beside them is kept as well, since any of it may become one.
          for (let at = (4 - (offset % 4)) % 4; at + 4 <= data.length; at += 4)
            if (all.has(offset + at) || data.length <= 64) all.set(offset + at, wordIn(data, at));
        };
        return {
          see({ tick, from, to, event }) {
            if (event.type === 'reply.event') {
              const wait = waits.get(from);
              if (wait === undefined) found([from], 'it wakes a CPE that waits for nothing');
              else if (wait.reached < 0)
                found(
                  [from],
                  `it wakes its CPE at ${event.value} when the word at ${wait.offset} has not reached ${wait.value}`,
                );
              else if (tick > wait.reached + 1)
                found(
                  [from],
                  `it wakes its CPE ${tick - wait.reached} cycles after the word at ${wait.offset} has reached ${wait.value}`,
                );
              waits.delete(from);
              return;
            }
            if (!isLdm(to)) return;
            switch (event.type) {
              case 'ldm.write':
                store(to, event.offset, event.data);
                break;
              case 'ldm.scatter':
                for (const [lane, offset] of event.offsets.entries())
                  store(to, offset, event.data.subarray(4 * lane, 4 * lane + 4));
                break;
              case 'reply.increment':
                wordsOf(to).set(event.offset, (wordsOf(to).get(event.offset) ?? 0) + 1);
                break;
              default:
                waits.set(to, { offset: event.offset, value: event.value, reached: -1 });
            }
            look(to, tick);
          },
          end() {
            if (!run.quiet) return;
            for (const [name, { offset, value, reached }] of waits)
              if (reached >= 0)
                found(
                  [name],
                  `its CPE still waits for ${value} in the word at ${offset}, which has come that far`,
                );
          },
        };
      },
    ),
);
