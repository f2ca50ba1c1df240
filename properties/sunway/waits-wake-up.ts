import { type Found, together } from '../../kernel/explore/observer.ts';
import { isLdm, sunwayProperty } from './context.ts';

/** A word as the messages to its LDM leave it. */
const wordIn = (data: Uint8Array, at: number): number =>
  new DataView(data.buffer, data.byteOffset, data.byteLength).getInt32(at, true);

interface Wait {
  readonly offset: number;
  readonly value: number;
}

interface Memory {
  /** Words that were counted in or stored, by LDM and offset. */
  readonly words: Record<string, Record<number, number>>;
  /** By LDM: the word that its CPE waits for, and, once it has come far enough, the cycles since then. */
  readonly waits: Record<string, Wait>;
  readonly reached: Record<string, number>;
}

function wordsOf({ words }: Memory, name: string): Record<number, number> {
  words[name] ??= {};
  return words[name];
}

function store(words: Record<number, number>, offset: number, data: Uint8Array): void {
  // Reply words are aligned to 4 bytes; what is stored beside them is kept as well, since any of it may become one.
  for (let at = (4 - (offset % 4)) % 4; at + 4 <= data.length; at += 4)
    if (words[offset + at] !== undefined || data.length <= 64) words[offset + at] = wordIn(data, at);
}

/** Notes that the word that a CPE waits for has come far enough. */
function note(memory: Memory, name: string): void {
  const wait = memory.waits[name];
  if (wait && memory.reached[name] === undefined && (memory.words[name]?.[wait.offset] ?? 0) >= wait.value)
    memory.reached[name] = 0;
}

/** A CPE is woken: what is wrong with that. */
function wake({ waits, reached }: Memory, name: string, value: number): Found | undefined {
  const wait = waits[name];
  const cycles = reached[name];
  delete waits[name];
  delete reached[name];
  if (wait === undefined) return { actors: [name], why: 'it wakes a CPE that waits for nothing' };
  const what = `the word at ${wait.offset} has`;
  if (cycles === undefined)
    return { actors: [name], why: `it wakes its CPE at ${value} when ${what} not reached ${wait.value}` };
  return cycles <= 1
    ? undefined
    : { actors: [name], why: `it wakes its CPE ${cycles} cycles after ${what} reached ${wait.value}` };
}

/** No lost wake-up, no early one: a CPE goes on when its word has come far enough, and not before (Sunway specification 3.3; 12, P10). */
export const waitsWakeUp = sunwayProperty(
  'a CPE that waits for a word goes on in the cycle in which the word has come far enough, and not before',
  ['ldm.write', 'ldm.scatter', 'reply.increment', 'reply.watch', 'reply.event'],
  () => ({
    begin: (): Memory => ({ words: {}, waits: {}, reached: {} }),
    advance({ reached }: Memory, ticks) {
      for (const name in reached) reached[name]! += ticks;
      return undefined;
    },
    see(memory: Memory, event, to, from) {
      if (event.type === 'reply.event') return wake(memory, from, event.value);
      if (!isLdm(to)) return undefined;
      switch (event.type) {
        case 'ldm.write':
          store(wordsOf(memory, to), event.offset, event.data);
          break;
        case 'ldm.scatter':
          for (const [lane, offset] of event.offsets.entries())
            store(wordsOf(memory, to), offset, event.data.subarray(4 * lane, 4 * lane + 4));
          break;
        case 'reply.increment': {
          const words = wordsOf(memory, to);
          words[event.offset] = (words[event.offset] ?? 0) + 1;
          break;
        }
        default:
          memory.waits[to] = { offset: event.offset, value: event.value };
          delete memory.reached[to];
      }
      note(memory, to);
      return undefined;
    },
    atRest: ({ waits, reached }: Memory) =>
      together(
        Object.keys(reached)
          .sort()
          .map((name) => ({
            actors: [name],
            why: `its CPE still waits for ${waits[name]!.value} in the word at ${waits[name]!.offset}, which has come that far`,
          })),
      ),
  }),
);
