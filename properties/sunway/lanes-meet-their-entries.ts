import { judged, property } from '../property.ts';
import { type SunwayPropertyContext, said } from './context.ts';

const rowBytes = 64;
const entryBytes = 4;

/** Lane i of a table lookup reads or writes the entry of lane i that its offset names, and no other lane's (Sunway specification 6.10; 12, P16). */
export const lanesMeetTheirEntries = property<SunwayPropertyContext>(
  'each lane of a lookup or write meets the entry of its own lane that its offset names',
  (run) =>
    judged(said(run, 'call.begin', 'ldm.gather', 'ldm.scatter'), (found) => {
      const calls = new Map<
        number,
        { readonly offsets: readonly number[]; readonly values?: readonly number[] }
      >();
      return {
        see({ to, event }) {
          if (event.type === 'call.begin') {
            const { name, core } = event;
            if (name !== 'ptab_lookup' && name !== 'ptab_write') return;
            // The name of the call says what its arguments are.
            const { voffset, vbase_addr, value } = event.arguments as {
              readonly voffset: readonly number[];
              readonly vbase_addr: readonly number[];
              readonly value?: readonly number[];
            };
            const offsets = voffset.map(
              (offset, lane) =>
                rowBytes * Math.floor(((vbase_addr[lane]! + offset) % 2 ** 32) / 4) + entryBytes * lane,
            );
            calls.set(core, { offsets, ...(value && { values: value }) });
            return;
          }
          const call = calls.get(event.core);
          calls.delete(event.core);
          if (call === undefined) {
            found([to], 'a vector comes that no lookup and no write has asked for');
            return;
          }
          const lane = call.offsets.findIndex((offset, k) => offset !== event.offsets[k]);
          if (lane >= 0)
            found(
              [to],
              `lane ${lane} goes to byte ${event.offsets[lane]}, but its offset names byte ${call.offsets[lane]}`,
            );
          if (event.type === 'ldm.gather' || call.values === undefined) return;
          const { buffer, byteOffset } = event.data;
          const wrong = call.values.findIndex(
            (value, k) => new DataView(buffer, byteOffset).getUint32(entryBytes * k, true) !== value >>> 0,
          );
          if (wrong >= 0) found([to], `lane ${wrong} does not write its value ${call.values[wrong]}`);
        },
      };
    }),
);
