import { judged, property } from '../property.ts';
import { isLdm, type SunwayPropertyContext, said } from './context.ts';
import { firstDifference, ShadowBytes } from './shadow-bytes.ts';

const laneBytes = 4;

/** What a reader should get, in the order of its reads. */
interface Awaited {
  /** Where each of the words or the range was read. */
  readonly where: string;
  readonly data: Uint8Array;
}

/** What is read from an LDM is what was written there last; a word also has one more for each end that was counted in it (Sunway specification 3.3; 12, P1). */
export const ldmsKeepWhatIsWritten = property<SunwayPropertyContext>(
  'an LDM gives what was last written into it, and one more in a word for each end counted since',
  (run) =>
    judged(
      said(
        run,
        'ldm.read',
        'ldm.gather',
        'ldm.data',
        'ldm.write',
        'ldm.scatter',
        'reply.increment',
        'reply.event',
      ),
      (found) => {
        const ldms = new Map<string, ShadowBytes>();
        const awaited = new Map<string, Awaited[]>();
        const of = (name: string): ShadowBytes => {
          const known = ldms.get(name) ?? new ShadowBytes();
          ldms.set(name, known);
          return known;
        };
        const expect = (key: string, one: Awaited): void => {
          const known = awaited.get(key);
          if (known) known.push(one);
          else awaited.set(key, [one]);
        };
        return {
          see({ from, to, event }) {
            switch (event.type) {
              case 'ldm.write':
                of(to).put(event.offset, event.data);
                return;
              case 'ldm.scatter':
                for (const [lane, offset] of event.offsets.entries())
                  of(to).put(offset, event.data.subarray(laneBytes * lane, laneBytes * (lane + 1)));
                return;
              case 'reply.increment':
                of(to).increment(event.offset);
                return;
              case 'ldm.read': {
                const { offset, bytes, tag } = event;
                expect(`${to} ${from} ${tag}`, {
                  where: `${bytes} bytes at ${offset}`,
                  data: of(to).slice(offset, bytes),
                });
                return;
              }
              case 'ldm.gather': {
                const data = new Uint8Array(laneBytes * event.offsets.length);
                for (const [lane, offset] of event.offsets.entries())
                  data.set(of(to).slice(offset, laneBytes), laneBytes * lane);
                expect(`${to} ${from} 0`, { where: `the words at ${event.offsets.join(', ')}`, data });
                return;
              }
              case 'ldm.data': {
                if (!isLdm(from)) return;
                const one = awaited.get(`${from} ${to} ${event.tag}`)?.shift();
                if (one === undefined) found([from], `it sends bytes to ${to}, which has read none`);
                else if (one.data.length !== event.data.length)
                  found([from], `it gives ${event.data.length} bytes for ${one.where}`);
                else {
                  const at = firstDifference(one.data, event.data);
                  if (at >= 0)
                    found(
                      [from],
                      `of ${one.where}, byte ${at} is ${event.data[at]}, but what was written and counted makes ${one.data[at]}`,
                    );
                }
                return;
              }
              default: {
                const { offset, value } = event;
                const word = new DataView(of(from).slice(offset, laneBytes).buffer).getInt32(0, true);
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
