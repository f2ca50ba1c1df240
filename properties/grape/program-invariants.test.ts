import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LaneBlock } from '../../actors/grape/block/lane-block.ts';
import { anyWord } from '../../actors/grape/block/words.arbitrary.ts';
import type { Item, Program, Ref, Slot } from '../../actors/grape/program.ts';
import { type Choices, RandomChoices, RecordingChoices } from '../../kernel/choices.ts';
import { PctChoices } from '../../kernel/schedules/pct.ts';
import { PosChoices } from '../../kernel/schedules/pos.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { assemble } from '../../machines/grape/assembler/assemble.ts';
import { AssemblyError } from '../../machines/grape/assembler/diagnostics.ts';
import { GrapeLibrary } from '../../machines/grape/library.ts';
import {
  alone,
  contentOf,
  contentOfPe,
  fitted,
  rewritten,
  seeded,
  seedingItems,
  smallChip,
  withoutHazards,
  withoutStreams,
} from './chip-runs.ts';
import { arbitrarySource } from './programs.arbitrary.ts';
import { trial } from './trial.ts';
import { workloads } from './workloads.ts';

const words = fc.array(anyWord, { minLength: 24, maxLength: 24 });

/** Any program, with values to calculate with. */
const anyProgram = fc
  .tuple(arbitrarySource, words)
  .map(([{ source, type }, data]) =>
    seeded(fitted(assemble(source, { type }).program, smallChip), data, smallChip.nPE),
  );

/** A program without hazards and without transfers of type II. */
const calmProgram = fc
  .tuple(arbitrarySource, words)
  .map(([{ source, type }, data]) =>
    seeded(fitted(withoutStreams(withoutHazards(source, type)), smallChip), data, smallChip.nPE),
  );

const isLook = ({ kind }: Item): boolean => kind === 'print' || kind === 'DBG' || kind === 'RRN';

describe('invariant 2: lanes are independent', () => {
  const spec = { nPE: 4, number: 0, lmShort: 512, grfShort: 64, bmShort: 2048, mode: 'pipelined' } as const;
  const everywhere = (ref: Ref | undefined): Ref | undefined =>
    ref?.kind === 'pe' ? { ...ref, kind: 't' } : ref;

  /** The slots of a program without what tells one PE from another. */
  const alike = (program: Program): readonly (Slot | undefined)[] =>
    Object.values(program.sections).flatMap((items) =>
      items.flatMap((item): readonly (Slot | undefined)[] => {
        if (item.kind === 'nop') return [undefined];
        if (item.kind !== 'slot') return [];
        const { bm, mul, add, ...rest } = item;
        const a = everywhere(add?.a);
        const b = everywhere(add?.b);
        return [
          {
            ...rest,
            ...(mul && { mul }),
            ...(add && { add: { ...add, ...(a && { a }), ...(b && { b }) } as NonNullable<Slot['add']> }),
            ...(bm?.toPe && { bm: { toPe: true, bm: bm.bm, pe: bm.pe } }),
          },
        ];
      }),
    );

  /** What each PE holds when PE p began with the data of number `order[p]`. */
  function run(slots: readonly (Slot | undefined)[], data: readonly bigint[], order: readonly number[]) {
    const block = new LaneBlock(spec);
    for (const [k, word] of data.entries()) block.writeBroadcast(2 * k, true, word);
    for (const item of seedingItems(data, spec.nPE))
      if (item.kind === 'slot')
        block.issue(item.bm ? { ...item, bm: { ...item.bm, peid: order.indexOf(item.bm.peid!) } } : item);
      else if (item.kind === 'nop') block.drain();
    block.drain();
    for (const slot of slots) {
      if (slot) block.issue(slot);
      else block.pass();
    }
    return order.map((_, pe) => contentOfPe(block, pe));
  }

  const program = arbitrarySource.map(({ source, type }) => alike(assemble(source, { type }).program));

  test('permuting the data of PEs permutes what they hold', () => {
    fc.assert(
      fc.property(
        program,
        words,
        fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
        (slots, data, order) => {
          const straight = run(slots, data, [0, 1, 2, 3]);

          expect(run(slots, data, order)).toEqual(order.map((one) => straight[one]));
        },
      ),
      { numRuns: effort({ short: 13, long: 60 }), seed: 2 },
    );
  });

  test('other data of one PE change nothing in the others', () => {
    fc.assert(
      fc.property(program, words, fc.nat(3), (slots, data, changed) => {
        // PE `changed` takes the data of its neighbour instead of its own.
        const order = [0, 1, 2, 3];
        const block = (other: boolean) => {
          const one = new LaneBlock(spec);
          for (const [k, word] of data.entries()) one.writeBroadcast(2 * k, true, word);
          for (const item of seedingItems(data, spec.nPE)) {
            if (item.kind === 'nop') one.drain();
            if (item.kind !== 'slot') continue;
            const { bm } = item;
            const addr = (bm?.bm.addr ?? 0) + (other && bm?.peid === changed ? 2 : 0);
            one.issue(bm ? { ...item, bm: { ...bm, bm: { ...bm.bm, addr } } } : item);
          }
          one.drain();
          for (const slot of slots) {
            if (slot) one.issue(slot);
            else one.pass();
          }
          return order.filter((pe) => pe !== changed).map((pe) => contentOfPe(one, pe));
        };

        expect(block(true)).toEqual(block(false));
      }),
      { numRuns: effort({ short: 13, long: 60 }), seed: 3 },
    );
  });
});

describe('invariant 5: masks', () => {
  const spec = { nPE: 3, number: 0, lmShort: 512, grfShort: 64, bmShort: 2048, mode: 'pipelined' } as const;
  const t: Ref = { kind: 't', addr: 0, long: true, vector: true, stride: 1, text: '' };

  /** Slots of random programs that do one thing, element by element, without what the pipeline forwards. */
  const anySlot = arbitrarySource.chain(({ source, type }) => {
    const slots = Object.values(assemble(source, { type }).program.sections)
      .flat()
      .filter((item): item is Slot => item.kind === 'slot')
      .flatMap(({ mul, add, vlen, line }): readonly Slot[] => {
        const bare = { kind: 'slot', line, vlen, mi: 0, mof: 0, moi: 0 } as const;
        return [...(mul ? [{ ...bare, mul }] : []), ...(add ? [{ ...bare, add }] : [])];
      })
      .filter(({ mul, add }) => {
        const dst = (mul ?? add)!.dst;
        const [one] = dst;
        const own = one && dst.length === 1 && one.vector && one.stride > 0 && one.kind !== 'ind';
        return (
          own && ![mul?.a, mul?.b, add?.a, add?.b].some((ref) => ref?.kind === 'ti' || ref?.kind === 'fb')
        );
      });
    return slots.length === 0 ? fc.constant(undefined) : fc.constantFrom(...slots);
  });

  /** A block whose mask registers 1 and 2 are complements: 1 where T is zero. */
  function masked(data: readonly bigint[], bits: readonly boolean[]) {
    const block = new LaneBlock(spec);
    for (const [k, word] of data.entries()) block.writeBroadcast(2 * k, true, word);
    for (const item of seedingItems(data, spec.nPE)) if (item.kind === 'slot') block.issue(item);
    block.drain();
    const bare: Slot = { kind: 'slot', line: 0, vlen: 4, mi: 0, mof: 0, moi: 0 };
    for (let pe = 0; pe < spec.nPE; pe++) {
      for (let k = 0; k < 4; k++) block.writeBroadcast(1024 + 2 * k, true, bits[4 * pe + k] ? 1n : 0n);
      block.issue({ ...bare, bm: { toPe: true, bm: { ...t, kind: 'bm', addr: 1024 }, pe: t, peid: pe } });
    }
    block.drain();
    const ask = (op: 'lnot' | 'passa', moi: number, dst: readonly Ref[]): Slot => ({
      ...bare,
      moi,
      add: { unit: 'ialu', op, signed: false, a: t, b: t, dst },
    });
    block.issue(ask('passa', 1, []));
    block.issue(ask('lnot', 2, []));
    block.drain();
    return block;
  }
  const content = (block: LaneBlock) => Array.from({ length: spec.nPE }, (_, pe) => contentOfPe(block, pe));
  const bits = fc.array(fc.boolean(), { minLength: 12, maxLength: 12 });

  test('a slot under a mask and then under its complement does what it does without', () => {
    fc.assert(
      fc.property(anySlot, words, bits, (slot, data, chosen) => {
        if (!slot) return;
        const [whole, parts] = [masked(data, chosen), masked(data, chosen)];
        whole.issue(slot);
        // What the first slot writes is not visible to the second: both read what was there.
        parts.issue({ ...slot, mi: 1 });
        parts.issue({ ...slot, mi: 2 });

        expect(content(parts)).toEqual(content(whole));
      }),
      { numRuns: effort({ short: 25, long: 150 }), seed: 5 },
    );
  });

  test('PEs in the mask do what they do without, the others nothing', () => {
    const ofPes = fc
      .array(fc.boolean(), { minLength: spec.nPE, maxLength: spec.nPE })
      .map((pes) => pes.flatMap((one) => [one, one, one, one]));
    fc.assert(
      fc.property(anySlot, words, ofPes, (slot, data, chosen) => {
        if (!slot) return;
        const [before, without, under] = [
          masked(data, chosen),
          masked(data, chosen),
          masked(data, chosen),
        ] as const;
        without.issue(slot);
        under.issue({ ...slot, mi: 1 });

        // Register 1 is set where the word of T is zero: where the element was not chosen.
        for (let pe = 0; pe < spec.nPE; pe++)
          expect(contentOfPe(under, pe)).toEqual(contentOfPe(chosen[4 * pe] ? before : without, pe));
      }),
      { numRuns: effort({ short: 25, long: 150 }), seed: 16 },
    );
  });

  test('elements that are masked off keep every bit, and a mask of ones is none', () => {
    fc.assert(
      fc.property(anySlot, words, (slot, data) => {
        if (!slot) return;
        const [none, ones, without, before] = [
          masked(data, new Array<boolean>(12).fill(true)),
          masked(data, new Array<boolean>(12).fill(false)),
          masked(data, new Array<boolean>(12).fill(false)),
          masked(data, new Array<boolean>(12).fill(true)),
        ] as const;
        none.issue({ ...slot, mi: 1 });
        ones.issue({ ...slot, mi: 1 });
        without.issue({ ...slot, mi: 0 });

        expect(content(none)).toEqual(content(before));
        expect(content(ones)).toEqual(content(without));
      }),
      { numRuns: effort({ short: 20, long: 100 }), seed: 6 },
    );
  });
});

describe('invariant 6: a program without hazards', () => {
  test('does the same in the pipeline as in the simple simulator', () => {
    fc.assert(
      fc.property(calmProgram, (program) => {
        const [pipelined, functional] = [alone(program), alone(program, { mode: 'functional' })];

        expect([functional.content, functional.outputs]).toEqual([pipelined.content, pipelined.outputs]);
      }),
      { numRuns: effort({ short: 24, long: 120 }), seed: 7 },
    );
  });

  test('does the same with more nops between its slots, where nothing is forwarded', () => {
    fc.assert(
      fc.property(calmProgram, fc.array(fc.nat(3), { minLength: 7, maxLength: 7 }), (program, counts) => {
        let at = 0;
        const forwards = (ref: Ref | undefined) => ref?.kind === 'ti' || ref?.kind === 'fb';
        const spaced = rewritten(program, (item) => {
          const count = counts[at++ % counts.length]!;
          if (item.kind !== 'slot' || count === 0) return [item];
          const { mul, add } = item;
          if ([mul?.a, mul?.b, add?.a, add?.b].some(forwards)) return [item];
          return [{ kind: 'nop', line: 0, vlen: 4, count }, item];
        });

        expect(alone(spaced).content).toEqual(alone(program).content);
      }),
      { numRuns: effort({ short: 16, long: 80 }), seed: 8 },
    );
  });
});

test('invariant 7: cycle parameters change how long a program takes, never what it does', () => {
  const config = fc.record({
    slotMin: fc.integer({ min: 1, max: 7 }),
    idpHeader: fc.nat(3),
    idpLatency: fc.integer({ min: 1, max: 6 }),
    levelCycles: fc.integer({ min: 1, max: 3 }),
    outCycles: fc.integer({ min: 1, max: 3 }),
    emLatency: fc.nat(12),
  });
  fc.assert(
    fc.property(anyProgram.map(withoutStreams), config, (program, changes) => {
      const [usual, other, quick] = [alone(program), alone(program, changes), alone(program, { slotMin: 1 })];

      expect([other.content, other.outputs]).toEqual([usual.content, usual.outputs]);
      expect(usual.cycles).toBeGreaterThanOrEqual(quick.cycles);
    }),
    { numRuns: effort({ short: 13, long: 60 }), seed: 9 },
  );
});

describe('invariant 8: observation changes nothing', () => {
  test('a program does the same without its lines that show something', () => {
    fc.assert(
      fc.property(anyProgram, (program) => {
        const blind = rewritten(program, (item) => (isLook(item) ? [] : [item]));
        const [seen, unseen] = [alone(program), alone(blind)];

        expect([unseen.content, unseen.cycles]).toEqual([seen.content, seen.cycles]);
      }),
      { numRuns: effort({ short: 13, long: 60 }), seed: 10 },
    );
  });

  test('a run is the same word by word and cycle by cycle when it is watched, and when it is repeated', () => {
    fc.assert(
      fc.property(anyProgram, (program) => {
        const quiet = alone(program);
        const watched = new GrapeLibrary(program, smallChip);
        let events = 0;
        watched.simulation.probes$.subscribe(() => events++);
        watched.simulation.messages$.subscribe(() => events++);
        watched.simulation.ticks$.subscribe(() => watched.simulation.snapshot());
        watched.runAlone();

        expect(events).toBeGreaterThan(0);
        expect(watched.simulation.fingerprint).toBe(quiet.library.simulation.fingerprint);
        expect(watched.cycles).toBe(quiet.library.cycles);
        expect(alone(program).library.simulation.fingerprint).toBe(quiet.library.simulation.fingerprint);
      }),
      { numRuns: 25, seed: 11 },
    );
  });
});

test('invariant 9: lanes do what the reference does, through the whole machine', () => {
  fc.assert(
    fc.property(anyProgram, fc.constantFrom('pipelined' as const, 'functional' as const), (program, mode) => {
      const [lanes, reference] = [alone(program, { mode }), alone(program, { mode, engine: 'reference' })];

      expect([lanes.content, lanes.outputs, lanes.cycles]).toEqual([
        reference.content,
        reference.outputs,
        reference.cycles,
      ]);
    }),
    { numRuns: effort({ short: 16, long: 80 }), seed: 12 },
  );
});

describe('invariant 15: constants', () => {
  test('there is one place for each word of a length', () => {
    fc.assert(
      fc.property(arbitrarySource, ({ source, type }) => {
        const { constants } = assemble(source, { type }).program;

        expect(new Set(constants.map(({ long, word }) => `${long} ${word}`)).size).toBe(constants.length);
        expect(new Set(constants.map(({ addr }) => addr)).size).toBe(constants.length);
      }),
      { numRuns: effort({ short: 40, long: 200 }), seed: 13 },
    );
  });

  test('where they lie changes no result', () => {
    const source = workloads.kernel().programs.source as string;
    const program = assemble(
      `${source}loop body\nfmul $lr8v f"1.25" $t\nfadd $ti fl"0.3" $t\nfsub $ti f"7" $lr40v\nuadd $lr56v il"3" $lr56v\nnop\n`,
    ).program;
    const moved = (ref: Ref | undefined) => {
      const from = program.constants.find(
        ({ addr, long }) => ref?.kind === 'lm' && ref.addr === addr && ref.long === long,
      );
      return from ? { ...ref!, addr: 400 + 2 * program.constants.indexOf(from) } : ref;
    };
    const elsewhere: Program = {
      ...rewritten(program, (item) => {
        if (item.kind !== 'slot') return [item];
        const [mul, add] = [item.mul, item.add].map((op) => op && { ...op, a: moved(op.a), b: moved(op.b) });
        return [{ ...item, ...(mul && { mul }), ...(add && { add }) } as Slot];
      }),
      constants: program.constants.map((constant, at) => ({ ...constant, addr: 400 + 2 * at })),
    };
    const results = [program, elsewhere].map((one) => {
      const library = new GrapeLibrary(one, { hostCall: 0 });
      library.init();
      for (let index = 0; index < 4; index++)
        library.sendJParticle({ xj: index * 1.7, mj: 2 - index, nj: index }, index);
      library.sendIParticle([{ xi: 0.25 }, { xi: -3 }, { xi: 2 }]);
      library.run(2);
      return library.getWords();
    });

    expect(program.constants.length).toBeGreaterThan(3);
    expect(results[1]).toEqual(results[0]);
  });
});

describe('invariant 19: what is refused leaves nothing behind', () => {
  test('calls with wrong counts and indices change no part of the chip', () => {
    const library = new GrapeLibrary(assemble(workloads.kernel().programs.source as string).program, {
      hostCall: 0,
      emLong: 64,
    });
    const chip = () => {
      const { Host: _host, ...parts } = library.simulation.fingerprints;
      return parts;
    };
    const cold = chip();
    expect(library.run(1)).toBe(-1);
    expect(library.sendIParticle([{ xi: 1 }])).toBe(-1);
    expect(chip()).toEqual(cold);

    library.init();
    library.sendIParticle([{ xi: 1 }]);
    const before = chip();

    const codes = [
      library.run(-1),
      library.run(1.5),
      library.type2Run(1, []),
      library.sendJParticle({ xj: 1 }, -1),
      library.sendJParticle({ xj: 1 }, 64),
      library.sendIParticle(new Array(9).fill({ xi: 1 })),
      library.sendIParticle([{ xi: 1 }], 2),
      library.sendHltData(3, {}),
      library.sendEltData(5, {}),
    ];
    expect(codes).toEqual(new Array(9).fill(-2));
    expect(chip()).toEqual(before);
  });

  test('a transfer beyond its region moves no pointer, writes no word, and the next run is as ever', () => {
    const source =
      'bvar long a elt fix64to72rs\nevar jdata 0 4\nloop body\nidp jdata\nnop 5\nrrn uadd a fix72to64r\nnop 5\n';
    const library = new GrapeLibrary(assemble(source).program, { hostCall: 0 });
    library.init();
    for (let index = 0; index < 4; index++) library.sendEltData(0, { a: 10 ** index }, index);
    const out: (number | bigint)[] = [];
    const code = library.type2Run(3, out);
    const memory = library.simulation.part('ExternalMemory').context as unknown as { pointers: number[] };

    expect(code).toBe(-4);
    expect(out).toEqual([11n, 1100n]);
    expect(memory.pointers).toEqual([4]);
    const again: (number | bigint)[] = [];
    expect(library.type2Run(2, again)).toBe(0);
    expect(again).toEqual([11n, 1100n]);
  });

  test('a program that names PEs or blocks beyond those of the chip is not built', () => {
    const declared = 'bvar long a elt flt64to72\nevar jdata 0 9\nloop body\n';
    const beyond = [
      'bm a $lr0 2',
      'bm $lr0 a 7',
      'idp jdata 1 2',
      'rrn 2 a flt72to64',
      'print 2 0 f a',
      'print 0 2 f $lr0',
    ];
    for (const line of beyond) {
      const { program } = assemble(`${declared}vlen 1\n${line}\n`);

      expect(() => new GrapeLibrary(program, { nBB: 2, nPE: 2 })).toThrow('the chip has 2 of 2 PEs');
      expect(() => new GrapeLibrary(program, { nBB: 3, nPE: 8 })).not.toThrow();
    }
  });

  test('a source with one wrong line is no program', () => {
    fc.assert(
      fc.property(arbitrarySource, fc.nat(), ({ source, type }, place) => {
        const lines = source.split('\n');
        lines.splice(place % lines.length, 0, 'fadd $t');

        expect(() => assemble(lines.join('\n'), { type })).toThrow(AssemblyError);
      }),
      { numRuns: effort({ short: 13, long: 60 }), seed: 14 },
    );
  });
});

describe('invariant 20: the order of messages in a cycle changes nothing', () => {
  const producers: readonly (readonly [string, (seed: number) => Choices])[] = [
    ['random', (seed) => new RandomChoices(seed)],
    ['PCT', (seed) => new PctChoices(seed)],
    ['POS', (seed) => new PosChoices(seed)],
  ];

  describe.each(producers)('%s schedules', (_, make) => {
    test.each(Object.entries(workloads))(
      'of the workload %s end as first come, first served',
      (_name, workload) => {
        const first = trial(workload());
        for (let seed = 0; seed < 6; seed++) {
          const other = trial(workload(), { choices: make(seed) });

          expect(other.raised).toEqual([]);
          expect(other.run.fingerprints).toEqual(first.run.fingerprints);
          expect(other.run.fingerprint).toBe(first.run.fingerprint);
          expect(other.result).toEqual(first.result);
          expect(other.warnings).toEqual(first.warnings);
        }
      },
    );

    test('of random programs end as first come, first served', () => {
      fc.assert(
        fc.property(anyProgram, fc.nat(), (program, seed) => {
          const [first, other] = [undefined, make(seed)].map((choices) => {
            const library = new GrapeLibrary(program, smallChip, choices ? { choices } : {});
            library.runAlone();
            const { simulation } = library;
            return [simulation.fingerprint, simulation.outcome.ticks, contentOf(simulation, library.config)];
          });

          expect(other).toEqual(first);
        }),
        { numRuns: 15, seed: 15 },
      );
    });
  });

  test('there is something to choose: many messages of a cycle could come in another order', () => {
    const recording = new RecordingChoices(new RandomChoices(1));
    trial(workloads.stream(), { choices: recording });

    expect(recording.tape.length).toBeGreaterThan(1000);
  });
});
