import { isLdm, sunwayProperty } from './context.ts';
import { firstDifference, ShadowBytes } from './shadow-bytes.ts';

const laneBytes = 4;

/** A read that is not answered. */
interface Read {
  /** What was read, in words: the range, or the words of a vector. */
  readonly what: string;
  readonly offsets: readonly number[];
  /** Bytes at each of the offsets. */
  readonly bytes: number;
  /** What they were when it was asked and, where ports take their turns, after each change until the answer. */
  readonly states: Uint8Array[];
}

/** An LDM as messages tell it. */
interface Ldm {
  readonly bytes: ShadowBytes;
  /** Reads that are not answered, by reader and tag, in their order. */
  readonly reads: Record<string, Read[]>;
  /** The word that its CPE waits for, and what it was when it had come far enough. More may be counted before the CPE hears of it. */
  watch: { readonly offset: number; readonly value: number; told?: number } | undefined;
}

interface Memory {
  readonly ldms: Record<string, Ldm>;
}

function ldmOf({ ldms }: Memory, name: string): Ldm {
  ldms[name] ??= { bytes: new ShadowBytes(), reads: {}, watch: undefined };
  return ldms[name];
}

function look({ bytes: memory }: Ldm, { offsets, bytes }: Pick<Read, 'offsets' | 'bytes'>): Uint8Array {
  const [first = 0] = offsets;
  if (offsets.length === 1) return memory.slice(first, bytes);
  const data = new Uint8Array(bytes * offsets.length);
  for (const [lane, offset] of offsets.entries()) data.set(memory.slice(offset, bytes), bytes * lane);
  return data;
}

function expect(ldm: Ldm, key: string, read: Omit<Read, 'states'>): void {
  ldm.reads[key] ??= [];
  ldm.reads[key].push({ ...read, states: [look(ldm, read)] });
}

/** A word that is waited for may have come far enough. */
function wake({ bytes, watch }: Ldm): void {
  if (watch === undefined || watch.told !== undefined) return;
  const word = bytes.word(watch.offset);
  if (word >= watch.value) watch.told = word;
}

/** What is wrong with the bytes that a reader gets. */
function answerWrong({ what, states }: Read, data: Uint8Array): string | undefined {
  const [first] = states;
  if (first!.length !== data.length) return `it gives ${data.length} bytes for ${what}`;
  if (states.some((state) => firstDifference(state, data) < 0)) return undefined;
  const at = firstDifference(first!, data);
  return `of ${what}, byte ${at} is ${data[at]}, but what was written and counted makes ${first![at]}`;
}

/** What is read from an LDM is what was written there last; a word also has one more for each end that was counted in it (Sunway specification 3.3; 12, P1). */
export const ldmsKeepWhatIsWritten = sunwayProperty(
  'an LDM gives what was last written into it, and one more in a word for each end counted since',
  [
    'ldm.read',
    'ldm.gather',
    'ldm.data',
    'ldm.write',
    'ldm.scatter',
    'reply.increment',
    'reply.watch',
    'reply.event',
  ],
  ({ config }) => {
    /** An access of a CPE has its turn behind those of its engine in the same cycle, or later (8.7): it may see what came meanwhile. */
    const takesTurns = config.fidelity === 'flit';
    const change = (ldm: Ldm): void => {
      wake(ldm);
      if (!takesTurns) return;
      for (const read of Object.values(ldm.reads).flat()) {
        const state = look(ldm, read);
        if (read.states.every((one) => firstDifference(one, state) >= 0)) read.states.push(state);
      }
    };
    return {
      begin: (): Memory => ({ ldms: {} }),
      see(memory: Memory, event, to, from) {
        const isFromLdm = event.type === 'ldm.data' || event.type === 'reply.event';
        if (isFromLdm && !isLdm(from)) return undefined;
        const ldm = ldmOf(memory, isFromLdm ? from : to);
        switch (event.type) {
          case 'ldm.write':
            ldm.bytes.put(event.offset, event.data);
            change(ldm);
            return undefined;
          case 'ldm.scatter':
            for (const [lane, offset] of event.offsets.entries())
              ldm.bytes.put(offset, event.data.subarray(laneBytes * lane, laneBytes * (lane + 1)));
            change(ldm);
            return undefined;
          case 'reply.increment':
            ldm.bytes.increment(event.offset);
            change(ldm);
            return undefined;
          case 'ldm.read': {
            const { offset, bytes, tag } = event;
            const what = `${bytes} bytes at ${offset}`;
            expect(ldm, `${from} ${tag}`, { what, offsets: [offset], bytes });
            return undefined;
          }
          case 'ldm.gather': {
            const { offsets } = event;
            expect(ldm, `${from} 0`, {
              what: `the words at ${offsets.join(', ')}`,
              offsets,
              bytes: laneBytes,
            });
            return undefined;
          }
          case 'ldm.data': {
            const key = `${to} ${event.tag}`;
            const [read, ...others] = ldm.reads[key] ?? [];
            if (read === undefined)
              return { actors: [from], why: `it sends bytes to ${to}, which has read none` };
            if (others.length > 0) ldm.reads[key] = others;
            else delete ldm.reads[key];
            const why = answerWrong(read, event.data);
            return why === undefined ? undefined : { actors: [from], why };
          }
          case 'reply.watch':
            ldm.watch = { offset: event.offset, value: event.value };
            change(ldm);
            return undefined;
          default: {
            const { offset, value } = event;
            const word = ldm.watch?.told ?? ldm.bytes.word(offset);
            ldm.watch = undefined;
            return word === value
              ? undefined
              : {
                  actors: [from],
                  why: `it says that the word at ${offset} is ${value}, but stores and counts make ${word}`,
                };
          }
        }
      },
    };
  },
);
