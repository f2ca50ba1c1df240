import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compile } from '../../kernel/compile.ts';
import type { Address, Post } from '../../kernel/message.ts';
import { silentPort } from '../../kernel/port.ts';
import { portedLdm } from './ported-ldm.ts';

/*
 * The ports of a scratchpad against a plain reckoning (Sunway specification 8.7): in each cycle its engine is first, 64 bytes a cycle, then the CPE,
 * which tries again in the next cycle where both touch a byte; whatever the order in which the messages of a cycle come.
 */

const [self, cpe, engine] = [0 as Address, 1 as Address, 2 as Address];
/** First of the bytes that are looked at, behind the page of the runtime, and how many there are. */
const [first, size] = [0x1000, 256];
/** The core whose scratchpad it is, another one, and what an engine has for one. */
const [own, other, byEngine] = [0, 1, -1];
/** The CPE asks in this cycle; others come in these. */
const asked = 2;
const cyclesMax = 5;

interface Event {
  readonly type: string;
  readonly offset?: number;
  readonly offsets?: readonly number[];
  readonly bytes?: number;
  readonly data?: Uint8Array;
  readonly tag?: number;
  readonly core?: number;
  readonly answerDelay?: number;
  readonly [further: string]: unknown;
}

/** What a scratchpad is asked for, and its messages to others than itself, each with the cycle in which it comes. */
function driven() {
  const tables = compile(portedLdm);
  const told: object[] = [];
  let turns: number[] = [];
  const port = {
    ...silentPort,
    self,
    from: engine,
    now: 0,
    observed: true,
    conflicts: 0,
    probe(probe: { readonly type: string }) {
      if (probe.type === 'ldm.conflict') port.conflicts++;
    },
    post({ delay = 0, ...message }: Post) {
      if (message.to === self) turns.push(port.now + delay);
      else told.push({ ...message, due: port.now + delay });
    },
  };
  const spec = { self, cpe, core: own, heapEnd: 0x8000, cacheFirst: 0x10000 };
  const state = tables.start(spec, port);
  const take = (event: Event): void => void tables.react(state, event, port);
  take({ type: 'ldm.statics', begins: false, end: first + size, variables: [] });
  return {
    told,
    take,
    port,
    state,
    /** Whether its own message for a later cycle is due; it is taken. */
    isDue: (): boolean => {
      const due = turns.includes(port.now);
      turns = turns.filter((one) => one !== port.now);
      return due;
    },
  };
}

const offset = fc.integer({ min: 0, max: size / 4 - 1 }).map((word) => first + 4 * word);
const range = fc
  .record({ offset, words: fc.constantFrom(1, 1, 2, 16, 40) })
  .map(({ offset: at, words }) => ({ offset: at, bytes: Math.min(4 * words, first + size - at) }));
const fill = fc.integer({ min: 1, max: 255 });
const lanes = fc.array(offset, { minLength: 2, maxLength: 4 });

const reading = range.map(({ offset: at, bytes }) => ({ type: 'ldm.read', offset: at, bytes, flag: false }));
const writing = fc.tuple(range, fill).map(([{ offset: at, bytes }, value]) => ({
  type: 'ldm.write',
  offset: at,
  data: new Uint8Array(bytes).fill(value),
  flag: false,
}));
const gathering = lanes.map((offsets) => ({ type: 'ldm.gather', offsets }));
const scattering = fc.tuple(lanes, fill).map(([offsets, value]) => ({
  type: 'ldm.scatter',
  offsets,
  data: Uint8Array.from({ length: 4 * offsets.length }, (_, k) => value + k),
}));
const increment = offset.map((at) => ({ type: 'reply.increment', offset: at, transfer: 0, role: 'local' }));

const access = fc.oneof(reading, writing, gathering, scattering);
/** What comes from elsewhere: an engine moves whole ranges, another CPE has loads, stores and vectors. */
const foreign = fc.oneof(
  fc.oneof(reading, writing).map((one) => ({ ...one, core: byEngine, tag: 5, answerDelay: 1 })),
  access.map((one) => ({ ...one, core: other, tag: 6, answerDelay: 3 })),
  increment,
);

/** Bytes of an event, as pieces: first byte and how many. */
const piecesOf = ({ offset: at = 0, offsets, bytes, data }: Event): readonly (readonly [number, number])[] =>
  offsets ? offsets.map((one) => [one, 4] as const) : [[at, bytes ?? data?.length ?? 4]];

/** A memory that is right by construction. */
class Plain {
  readonly bytes = new Uint8Array(size);

  /** Carries out an event; the bytes that it reads, none for one that writes. */
  carryOut(event: Event): Uint8Array | undefined {
    const pieces = piecesOf(event);
    if (event.type === 'reply.increment') {
      const view = new DataView(this.bytes.buffer);
      const at = event.offset! - first;
      view.setInt32(at, view.getInt32(at, true) + 1, true);
      return undefined;
    }
    const { data } = event;
    let done = 0;
    const read: number[] = [];
    for (const [at, bytes] of pieces) {
      if (data) this.bytes.set(data.subarray(done, done + bytes), at - first);
      else read.push(...this.bytes.subarray(at - first, at - first + bytes));
      done += bytes;
    }
    return data ? undefined : Uint8Array.from(read);
  }
}

const answerTo = (event: Event, to: Address, read: Uint8Array | undefined, due: number) => ({
  to,
  type: read ? 'ldm.data' : 'ldm.stored',
  // Answers to vectors have no tag.
  tag: event.offsets ? 0 : event.tag,
  ...(read && { data: read }),
  due,
});

test('its engine is first in each cycle, the CPE behind it, whatever comes first', () => {
  fc.assert(
    fc.property(
      access.map((one) => ({ ...one, core: own, tag: 4, answerDelay: 2 })),
      fc.array(fc.record({ cycle: fc.nat(cyclesMax), event: foreign, isLate: fc.boolean() }), {
        maxLength: 8,
      }),
      fc.array(fc.boolean(), { minLength: 16, maxLength: 16 }),
      (asking, coming, turnsFirst) => {
        const machine = driven();
        const plain = new Plain();
        const expected: object[] = [];
        let [waiting, conflicts, at] = [false, 0, asked];
        const busy = new Map<number, (readonly [number, number])[]>();
        const took = (cycle: number, pieces: readonly (readonly [number, number])[]): void =>
          void busy.set(cycle, [...(busy.get(cycle) ?? []), ...pieces]);

        for (let cycle = 0; cycle < 16; cycle++) {
          machine.port.now = cycle;
          const due = machine.isDue();
          if (due && turnsFirst[cycle]) machine.take({ type: 'ldm.turn' });
          const now = coming.filter((one) => one.cycle === cycle);
          for (const isLate of [false, true]) {
            if (isLate && cycle === asked) {
              machine.port.from = cpe;
              machine.take(asking);
              waiting = true;
            }
            for (const { event } of now.filter((one) => one.isLate === isLate) as readonly {
              event: Event;
            }[]) {
              machine.port.from = engine;
              machine.take(event);
              const read = plain.carryOut(event);
              if (event.type === 'reply.increment') took(cycle, piecesOf(event));
              else {
                expected.push(answerTo(event, engine, read, cycle + event.answerDelay!));
                const [[from, bytes] = [0, 0]] = piecesOf(event);
                if (event.core === byEngine)
                  for (let done = 0; done < bytes; done += 64)
                    took(cycle + done / 64, [[from + done, Math.min(64, bytes - done)]]);
              }
            }
          }
          // The answer of the own access counts from the cycle in which it had its turn.
          if (waiting && cycle >= at) {
            const meets = (busy.get(cycle) ?? []).some(([a, m]) =>
              piecesOf(asking).some(([b, n]) => a < b + n && b < a + m),
            );
            if (meets) [at, conflicts] = [cycle + 1, conflicts + 1];
            else {
              expected.push(answerTo(asking, cpe, plain.carryOut(asking), cycle + asking.answerDelay));
              waiting = false;
            }
          }
          if (due && !turnsFirst[cycle]) machine.take({ type: 'ldm.turn' });
        }

        const inOrder = (list: readonly object[]) => list.map((one) => JSON.stringify(one)).sort();
        expect(inOrder(machine.told)).toEqual(inOrder(expected));
        const { bytes } = machine.state.context as unknown as {
          readonly bytes: { slice(from: number, to: number): Uint8Array };
        };
        expect(bytes.slice(first, first + size)).toEqual(plain.bytes);
        expect(machine.port.conflicts).toBe(conflicts);
        expect(machine.state.value).toBe('ready');
      },
    ),
    { numRuns: 400, seed: 5101 },
  );
});
