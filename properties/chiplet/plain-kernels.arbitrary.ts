import fc from 'fast-check';
import type { CompileOptions } from '../../actors/chiplet/ptx/compile-options.ts';
import { Draws } from './draws.ts';
import type { Dimensions } from './plain/plain-threads.ts';
import { groups, integers32, integers64 } from './plain-forms.ts';

/*
 * Kernels of all the instructions of PTX that a plain thread can follow (chiplet specification 7.1, 7.2): every thread has its own values and its own way
 * through branches and loops, meets the others at barriers, in shared memory and in exchanges between lanes, and stores all its registers in the end.
 */

/** A kernel, and what it is launched with. */
export interface PlainKernel {
  readonly text: string;
  readonly blocks: number;
  readonly threads: number;
  /** Shapes of the grid and of a block, of as many. */
  readonly grid: Dimensions;
  readonly block: Dimensions;
  /** Blocks of a cluster; absent for a grid without clusters. */
  readonly cluster?: Dimensions;
  /** Words of 32 bits that it reads, and those that all threads change. */
  readonly values: readonly number[];
  readonly sums: readonly number[];
  /** How its text is compiled, where that decides what it leaves. */
  readonly compiled?: Pick<CompileOptions, 'contraction' | 'approximations'>;
  /** Bytes that a thread stores. */
  readonly outBytes: number;
}

/** Bytes that a thread stores, and words of 32 bits that it reads. */
const outBytes = 160;
const plainInWords = 8;

/** What tells a thread where it is. */
const places = [
  ...['%tid', '%ntid', '%ctaid', '%nctaid'].flatMap((name) =>
    ['x', 'y', 'z'].map((axis) => `${name}.${axis}`),
  ),
  ...['%laneid', '%warpid', '%nwarpid'],
  ...['eq', 'lt', 'le', 'gt', 'ge'].map((which) => `%lanemask_${which}`),
];

/** Types of what changes memory at once. */
const atomicTypes = {
  add: ['u32', 's32', 'u64', 'f32'],
  min: [...integers32, ...integers64],
  max: [...integers32, ...integers64],
  and: ['b32', 'b64'],
  or: ['b32', 'b64'],
  xor: ['b32', 'b64'],
  exch: ['b32', 'b64'],
  cas: ['b32', 'b64'],
  inc: ['u32'],
  dec: ['u32'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const registers: Readonly<Record<string, readonly string[]>> = {
  '16': ['%h0', '%h1', '%h2', '%h3'],
  '32': ['%r0', '%r1', '%r2', '%r3', '%r4', '%r5', '%r6', '%r7'],
  '64': ['%d0', '%d1', '%d2', '%d3'],
  f32: ['%f0', '%f1', '%f2', '%f3'],
  f64: ['%g0', '%g1'],
};
const predicates = ['%p0', '%p1', '%p2', '%p3'];

/** Writes the lines of one kernel. */
class KernelWriter {
  readonly lines: string[] = [];
  #labels = 0;
  readonly #draws: Draws;
  readonly #name: string;
  readonly #threads: number;

  readonly #carries: boolean;

  constructor(name: string, threads: number, draws: readonly number[], carries: boolean) {
    this.#carries = carries;
    this.#name = name;
    this.#threads = threads;
    this.#draws = new Draws(draws);
  }

  statements(count: number, depth: number): void {
    for (let left = count; left > 0; left--) this.#statement(depth);
  }

  #statement(depth: number): void {
    switch (this.#draws.below(depth === 0 ? 12 : 10)) {
      case 0:
        if (depth < 2) this.#parting(depth);
        else this.#instruction();
        return;
      case 1:
        if (depth < 2) this.#loop(depth);
        else this.#instruction();
        return;
      case 2:
        this.#memory();
        return;
      case 10:
        this.#meeting();
        return;
      case 11:
        this.#lanes();
        return;
      default:
        this.#instruction();
    }
  }

  #register(type: string): string {
    if (type === '?' || type === 'pred') return this.#draws.pick(predicates);
    if (type === '??') return this.#draws.pick(['%p0|%p1', '%p2|%p3', '%p1|%p3']);
    if (type === '#') return String(this.#draws.below(this.#draws.once(4) ? 80 : 33));
    return this.#draws.pick(registers[type.startsWith('f') ? type : type.slice(1)]!);
  }

  #guard(): string {
    return this.#draws.once(5) ? `@${this.#draws.once(2) ? '!' : ''}${this.#draws.pick(predicates)} ` : '';
  }

  #instruction(): void {
    const draws = this.#draws;
    if (draws.once(9)) {
      this.#rarely();
      return;
    }
    const [name, target, ...sources] = draws.pick(draws.pick(groups)) as readonly [
      string,
      string,
      ...string[],
    ];
    const written = sources.map((type, k) => {
      const last = k === sources.length - 1 && sources.length > 1;
      if (last && /^[us](32|64)$/.test(type) && draws.once(4)) return this.#number(type);
      if (last && /^f(32|64)$/.test(type) && draws.once(6))
        return type === 'f32' ? draws.pick(['0f40490FDB', '0fbf000000', '0f00000001']) : '0d3FF8000000000000';
      return this.#register(type);
    });
    // The sign of what is no number is left open, so that a number is put in its place.
    const [, type] = /^copysign\.(f\d+)$/.exec(name) ?? [];
    if (type)
      this.#line(
        `min.${type} ${written[0]}, ${written[0]}, ${type === 'f32' ? '0f7F000000' : '0d7FE0000000000000'};`,
      );
    this.#line(`${this.#guard()}${name} ${[this.#register(target), ...written].join(', ')};`);
  }

  /** A number as it may be written. */
  #number(type: string): string {
    const small = this.#draws.below(100);
    return this.#draws.pick([
      String(small),
      `0x${small.toString(16)}`,
      ...(type.startsWith('s') ? [`-${small + 1}`] : ['0xfffffff0']),
    ]);
  }

  /** Where a thread is, constants, functions, and sums longer than a register. */
  #rarely(): void {
    const draws = this.#draws;
    const target = this.#register('b32');
    switch (draws.below(this.#carries ? 5 : 4)) {
      case 0:
        this.#line(`mov.u32 ${target}, ${draws.pick(places)};`);
        return;
      case 1:
        this.#line(`ld.const.u32 ${target}, [table+${4 * draws.below(5)}];`);
        return;
      case 2:
        this.#line(`and.b32 %r12, ${this.#register('b32')}, 3;`);
        this.#line('shl.b32 %r12, %r12, 2;');
        this.#line('cvt.u64.u32 %x5, %r12;');
        this.#line('mov.u64 %x6, table;');
        this.#line('add.u64 %x5, %x5, %x6;');
        this.#line(`ld.const.u32 ${target}, [%x5+4];`);
        return;
      case 3: {
        const [one, other, back] = ['given', 'other', 'back'].map((name) => `${name}${this.#labels++}`);
        this.#line('{');
        for (const name of [one, other, back]) this.#line(`.param .b32 ${name};`);
        this.#line(`st.param.b32 [${one}], ${this.#register('b32')};`);
        this.#line(`st.param.b32 [${other}], ${this.#register('b32')};`);
        this.#line(`call${draws.once(2) ? '.uni' : ''} (${back}), twist, (${one}, ${other});`);
        this.#line(`ld.param.b32 ${target}, [${back}];`);
        this.#line('}');
        return;
      }
      default: {
        const name = draws.pick(['add', 'sub']);
        const [a, b] = [this.#register('b32'), this.#register('b32')];
        this.#line(`${name}.cc.u32 ${target}, ${a}, ${b};`);
        if (draws.once(2)) this.#line(`${name}c.cc.u32 ${this.#register('b32')}, ${b}, ${a};`);
        this.#line(`${name}c.u32 ${this.#register('b32')}, ${this.#register('b32')}, ${a};`);
      }
    }
  }

  /** One way or the other, by the thread. */
  #parting(depth: number): void {
    const [other, end] = [this.#label(), this.#label()];
    const p = this.#draws.pick(predicates);
    const table = this.#draws.once(4);
    if (table) {
      const name = `T${this.#name}${this.#labels++}`;
      const first = this.#label();
      this.#line(`and.b32 %r12, ${this.#register('b32')}, 1;`);
      this.lines.push(`${name}: .branchtargets ${first}, ${other};`);
      this.#line(`brx.idx %r12, ${name};`);
      this.lines.push(`${first}:`);
    } else this.#line(`@${this.#draws.once(2) ? '!' : ''}${p} bra ${other};`);
    this.statements(1 + this.#draws.below(3), depth + 1);
    this.#line(this.#draws.once(2) ? `bra ${end};` : `bra.uni ${end};`);
    this.lines.push(`${other}:`);
    this.statements(this.#draws.below(3), depth + 1);
    this.lines.push(`${end}:`);
  }

  /** So often as the thread says. */
  #loop(depth: number): void {
    const again = this.#label();
    const counter = `%r${13 + depth}`;
    this.#line(`and.b32 ${counter}, ${this.#draws.pick(['%r8', this.#register('b32')])}, 3;`);
    this.lines.push(`${again}:`);
    this.statements(1 + this.#draws.below(3), depth + 1);
    this.#line(`sub.s32 ${counter}, ${counter}, 1;`);
    this.#line(`setp.ge.s32 %p4, ${counter}, 0;`);
    this.#line(`@%p4 bra ${again};`);
  }

  /** A thread's own places in global and local memory; and changes of what all threads share, in any order. */
  #memory(): void {
    const draws = this.#draws;
    const at = 128 + 8 * draws.below(4);
    switch (draws.below(6)) {
      case 0: {
        const type = draws.pick(['u8', 's8', 'u16', 's16', 'u32', 'b32', 'f32', 'u64', 'f64']);
        const holder =
          type.endsWith('8') || type.endsWith('16') ? '32' : type.startsWith('f') ? type : type.slice(1);
        const [space, base] = draws.pick([
          ['global', '%x2'],
          ['local', '%x3'],
        ] as const);
        const from = type.endsWith('8') ? draws.below(8) : type.endsWith('16') ? 2 * draws.below(4) : 0;
        this.#line(
          `st.${space}.${type.replace('s8', 'u8')} [${base}+${at + from}], ${draws.pick(registers[holder]!)};`,
        );
        this.#line(`ld.${space}.${type} ${draws.pick(registers[holder]!)}, [${base}+${at + from}];`);
        return;
      }
      case 1: {
        const [a, b] = [this.#register('b32'), this.#register('b32')];
        this.#line(`st.global.v2.u32 [%x2+${at}], {${a}, ${b}};`);
        this.#line(`ld.global.v2.f32 {%f0, %f1}, [%x2+${at}];`);
        return;
      }
      case 2:
        this.#line(`ld.global.v4.u32 {%r4, %r1, %r6, %r3}, [%x1${draws.once(2) ? '+16' : ''}];`);
        return;
      case 3: {
        // What a thread alone changes has an old value that depends on nobody.
        const operation = draws.pick(Object.keys(atomicTypes) as (keyof typeof atomicTypes)[]);
        const type = draws.pick(atomicTypes[operation]);
        const operand = () => this.#register(type);
        const operands = operation === 'cas' ? [operand(), operand()] : [operand()];
        this.#line(
          `${this.#guard()}atom.global.${operation}.${type} ${operand()}, [%x2+${at}], ${operands.join(', ')};`,
        );
        return;
      }
      case 4: {
        const [operation, type, place] = draws.pick([
          ['add', 'u32', 0],
          ['min', 'u32', 4],
          ['max', 'u32', 8],
          ['and', 'b32', 12],
          ['or', 'b32', 16],
          ['xor', 'b32', 20],
        ] as const);
        this.#line(
          `${this.#guard()}red.global.${operation}.${type} [%x4+${place}], ${this.#register('b32')};`,
        );
        return;
      }
      default: {
        const [low, high] = [this.#register('b32'), this.#register('b32')];
        if (draws.once(2)) this.#line(`mov.b64 ${this.#register('b64')}, {${low}, ${high}};`);
        else this.#line(`mov.b64 {%r2, %r5}, ${this.#register('b64')};`);
      }
    }
  }

  /** Every thread leaves a word in shared memory, and takes that of another one. */
  #meeting(): void {
    const source = this.#register('b32');
    this.#line(`shl.b32 %r12, %r11, 2;`);
    this.#line(`cvt.u64.u32 %x5, %r12;`);
    this.#line(`mov.u64 %x6, near;`);
    this.#line(`add.u64 %x5, %x5, %x6;`);
    this.#line(`st.shared.u32 [%x5], ${source};`);
    this.#line('bar.sync 0;');
    this.#line(`xor.b32 %r12, %r12, ${4 * this.#draws.below(this.#threads)};`);
    this.#line(`cvt.u64.u32 %x5, %r12;`);
    this.#line(`add.u64 %x5, %x5, %x6;`);
    this.#line(`ld.shared.u32 ${this.#register('b32')}, [%x5];`);
    this.#line('bar.sync 0;');
    if (!this.#draws.once(3)) return;
    this.#line(`red.shared.add.u32 [%x5], ${this.#register('b32')};`);
    this.#line('membar.cta;');
    this.#line('bar.sync 0;');
    this.#line(`ld.shared.u32 ${this.#register('b32')}, [%x5];`);
    this.#line('bar.sync 0;');
  }

  /** Lanes of a warp exchange words, or vote. */
  #lanes(): void {
    const draws = this.#draws;
    if (draws.once(2)) {
      const mode = draws.pick(['all', 'any', 'uni', 'ballot']);
      const target = mode === 'ballot' ? this.#register('b32') : draws.pick(predicates);
      this.#line(
        `vote.sync.${mode}.${mode === 'ballot' ? 'b32' : 'pred'} ${target}, ${draws.pick(predicates)}, -1;`,
      );
      return;
    }
    const mode = draws.pick(['up', 'down', 'bfly', 'idx']);
    const target = `${this.#register('b32')}${draws.once(2) ? `|${draws.pick(predicates)}` : ''}`;
    this.#line(
      `shfl.sync.${mode}.b32 ${target}, ${this.#register('b32')}, ${draws.below(32)}, ${mode === 'up' ? 0 : 31}, -1;`,
    );
  }

  #label(): string {
    return `L${this.#name}${this.#labels++}`;
  }

  #line(text: string): void {
    this.lines.push(`  ${text}`);
  }
}

/** What stands before a kernel: an array, and functions of which one calls the other. */
const surroundings = `.const .align 4 .b32 table[5] = {3, 0x7fffffff, 4294967295, 17};
.func (.param .b32 back) halved(.param .b32 a)
{
  .reg .b32 %r<2>;
  .reg .pred %p<1>;
  ld.param.b32 %r0, [a];
  and.b32 %r1, %r0, 1;
  setp.eq.u32 %p0, %r1, 0;
  @%p0 bra EVEN;
  mad.lo.u32 %r0, %r0, 3, 1;
  bra DONE;
EVEN:
  shr.u32 %r0, %r0, 1;
DONE:
  st.param.b32 [back], %r0;
  ret;
}
.func (.param .b32 back) twist(.param .b32 a, .param .b32 b)
{
  .reg .b32 %r<3>;
  .param .b32 given;
  .param .b32 got;
  ld.param.b32 %r0, [a];
  ld.param.b32 %r1, [b];
  st.param.b32 [given], %r0;
  call.uni (got), halved, (given);
  ld.param.b32 %r2, [got];
  xor.b32 %r2, %r2, %r1;
  st.param.b32 [back], %r2;
  ret;
}
`;

/** Loads what a thread begins with. */
const prologue = `  .reg .pred %p<5>;
  .reg .b16 %h<4>;
  .reg .b32 %r<16>;
  .reg .b64 %d<4>;
  .reg .b64 %x<7>;
  .reg .f32 %f<4>;
  .reg .f64 %g<2>;
  .shared .align 8 .b8 near[512];
  .local .align 8 .b8 own[192];
  mov.u32 %r9, %tid.z;
  mov.u32 %r10, %ntid.y;
  mad.lo.u32 %r9, %r9, %r10, %tid.y;
  mad.lo.u32 %r11, %r9, %ntid.x, %tid.x;
  mul.lo.u32 %r10, %r10, %ntid.x;
  mul.lo.u32 %r10, %r10, %ntid.z;
  mov.u32 %r9, %ctaid.z;
  mad.lo.u32 %r9, %r9, %nctaid.y, %ctaid.y;
  mad.lo.u32 %r9, %r9, %nctaid.x, %ctaid.x;
  mad.lo.u32 %r8, %r9, %r10, %r11;
  ld.param.u64 %x1, [in];
  mad.wide.u32 %x1, %r8, 32, %x1;
  ld.param.u64 %x2, [out];
  mad.wide.u32 %x2, %r8, 160, %x2;
  mov.u64 %x3, own;
  ld.param.u64 %x4, [sums];
  ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%x1];
  ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%x1+16];
  mov.b64 %d0, {%r0, %r1};
  mov.b64 %d1, {%r2, %r3};
  cvt.s64.s32 %d2, %r4;
  cvt.u64.u32 %d3, %r5;
  cvt.u16.u32 %h0, %r0;
  cvt.u16.u32 %h1, %r1;
  cvt.s16.s32 %h2, %r6;
  cvt.u16.u32 %h3, %r8;
  cvt.rn.f32.s32 %f0, %r2;
  ld.global.f32 %f1, [%x1+12];
  cvt.rn.f32.s32 %f2, %r6;
  mul.f32 %f2, %f2, 0f3dcccccd;
  mov.f32 %f3, 0f3fc00000;
  cvt.f64.f32 %g0, %f1;
  cvt.rn.f64.s64 %g1, %d0;
  setp.lt.s32 %p0, %r0, %r1;
  setp.eq.u32 %p1, %r11, 3;
  setp.gt.u32 %p2, %r6, 16;
  setp.ne.s32 %p3, %r4, %r5;
`;

/** Stores everything that a thread has. */
const epilogue = `
  st.global.v4.u32 [%x2], {%r0, %r1, %r2, %r3};
  st.global.v4.u32 [%x2+16], {%r4, %r5, %r6, %r7};
  st.global.v2.u64 [%x2+32], {%d0, %d1};
  st.global.v2.u64 [%x2+48], {%d2, %d3};
  st.global.u16 [%x2+64], %h0;
  st.global.u16 [%x2+66], %h1;
  st.global.u16 [%x2+68], %h2;
  st.global.u16 [%x2+70], %h3;
  st.global.v4.f32 [%x2+80], {%f0, %f1, %f2, %f3};
  st.global.v2.f64 [%x2+96], {%g0, %g1};
  selp.u32 %r0, 1, 0, %p0;
  selp.u32 %r1, 1, 0, %p1;
  selp.u32 %r2, 1, 0, %p2;
  selp.u32 %r3, 1, 0, %p3;
  st.global.v4.u32 [%x2+112], {%r0, %r1, %r2, %r3};
  ret;
}`;

const word = fc.oneof(
  fc.nat(40),
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  fc.integer({ min: -40, max: -1 }).map((one) => one + 2 ** 32),
  fc.constantFrom(2 ** 31, 2 ** 31 - 1, 2 ** 32 - 1, 0x3f80_0000, 0xbf00_0000, 0x7f7f_ffff, 0x4b00_0001),
);

const blocksMost = fc.constantFrom<Dimensions>([1, 1, 1], [2, 1, 1], [1, 2, 1], [1, 1, 2]);
const blockShapes = fc.constantFrom<Dimensions>(
  [32, 1, 1],
  [64, 1, 1],
  [8, 4, 1],
  [4, 2, 4],
  [4, 4, 4],
  [16, 1, 4],
);

/** A kernel of a name for one or two blocks of one or two warps; with `carries` also with sums that addc takes on, which is a message elsewhere. */
export const plainKernelNamed = (name: string, carries = false): fc.Arbitrary<PlainKernel> =>
  fc
    .record({
      grid: blocksMost,
      block: blockShapes,
      count: fc.integer({ min: 1, max: 30 }),
      draws: fc.noBias(fc.array(fc.nat(99_999), { minLength: 400, maxLength: 400, size: 'max' })),
      words: fc.array(word, { minLength: 32, maxLength: 32, size: 'max' }),
      sums: fc.array(word, { minLength: 6, maxLength: 6 }),
    })
    .map(({ grid, block, count, draws, words, sums }) => {
      const [blocks, threads] = [grid, block].map(([x, y, z]) => x * y * z) as [number, number];
      const writer = new KernelWriter(name, threads, draws, carries);
      writer.statements(count, 0);
      const head = `${surroundings}.visible .entry ${name}(.param .u64 in, .param .u64 out, .param .u64 sums)\n{\n`;
      return {
        text: `${head}${prologue}${writer.lines.join('\n')}${epilogue}`,
        blocks,
        threads,
        grid,
        block,
        // Neighbours have other words, and no two threads the same.
        values: Array.from(
          { length: blocks * threads * plainInWords },
          (_, at) =>
            (words[(at * 7 + Math.floor(at / 8)) % words.length]! + (at % 3 === 0 ? at : 0)) % 2 ** 32,
        ),
        sums,
        outBytes,
      };
    });
