import type { CallBegin } from '../../actors/sunway/probes.ts';
import { together } from '../../kernel/explore/observer.ts';
import { sunwayProperty } from './context.ts';

const rowBytes = 64;
const entryBytes = 4;

/** What a lookup or a write is about to do. */
interface Call {
  /** Where each lane goes, in bytes, and what it writes. */
  readonly offsets: readonly number[];
  readonly values?: readonly number[];
}

interface Memory {
  /** By core. */
  readonly calls: Record<number, Call>;
}

function callOf(given: CallBegin['arguments']): Call {
  // The name of the call says what its arguments are.
  const { voffset, vbase_addr, value } = given as {
    readonly voffset: readonly number[];
    readonly vbase_addr: readonly number[];
    readonly value?: readonly number[];
  };
  const offsets = voffset.map(
    (offset, lane) => rowBytes * Math.floor(((vbase_addr[lane]! + offset) % 2 ** 32) / 4) + entryBytes * lane,
  );
  return { offsets, ...(value && { values: value }) };
}

/** Lane i of a table lookup reads or writes the entry of lane i that its offset names, and no other lane's (Sunway specification 6.10; 12, P16). */
export const lanesMeetTheirEntries = sunwayProperty(
  'each lane of a lookup or write meets the entry of its own lane that its offset names',
  ['call.begin', 'ldm.gather', 'ldm.scatter'],
  () => ({
    begin: (): Memory => ({ calls: {} }),
    judges: ({ type }) => type !== 'call.begin',
    see({ calls }: Memory, event, to) {
      if (event.type === 'call.begin') {
        const { name, core } = event;
        if (name === 'ptab_lookup' || name === 'ptab_write') calls[core] = callOf(event.arguments);
        return undefined;
      }
      const call = calls[event.core];
      delete calls[event.core];
      if (call === undefined)
        return { actors: [to], why: 'a vector comes that no lookup and no write has asked for' };
      const all: string[] = [];
      const lane = call.offsets.findIndex((offset, k) => offset !== event.offsets[k]);
      if (lane >= 0)
        all.push(
          `lane ${lane} goes to byte ${event.offsets[lane]}, but its offset names byte ${call.offsets[lane]}`,
        );
      const wrong = event.type === 'ldm.gather' ? -1 : wrongLane(call, event.data);
      if (wrong >= 0) all.push(`lane ${wrong} does not write its value ${call.values?.[wrong]}`);
      return together(all.map((why) => ({ actors: [to], why })));
    },
  }),
);

/** The first lane that writes something else than its value; -1 for none. */
function wrongLane({ values = [] }: Call, { buffer, byteOffset }: Uint8Array): number {
  return values.findIndex(
    (value, k) => new DataView(buffer, byteOffset).getUint32(entryBytes * k, true) !== value >>> 0,
  );
}
