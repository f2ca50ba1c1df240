import { deviceBase, localWindow, parameterWindow, sharedWindow } from './address-space.ts';
import { clusterStep } from './cluster.ts';
import type { AccessSpace } from './instruction.ts';
import { type LaneWriter, nameOfKind, OperandMismatch } from './lane-writer.ts';
import type { Form, ResolvedOperand } from './resolved.ts';
import { bitsOf } from './value-type.ts';

/*
 * Where the bytes are that an instruction touches (chiplet specification 7.1): the space, the address of each lane, its checks. Addresses are left in
 * `w.touched` for statistics and timing.
 */

/** Spaces that an instruction may name. */
export const spaces = ['global', 'shared', 'const', 'local', 'param'];

/** A space; `frame` is local memory by the frame of a function, `cluster` shared memory of any block of a cluster. */
export type PlacedSpace = AccessSpace | 'frame' | 'cluster';

/** The space that an instruction works on: the one it names, or that of its variable. Parameters of called functions lie in local memory. */
export const spaceOf = (
  { words, written }: Form,
  [first, second]: readonly ResolvedOperand[],
): PlacedSpace => {
  const named = words.find((word) => spaces.includes(word)) as AccessSpace | undefined;
  const memory = first?.kind === 'memory' ? first : second;
  const variable = memory?.kind === 'memory' ? memory.space : null;
  const cluster = named === 'shared' && written.includes('shared::cluster');
  if (variable === null || variable === 'reg') return cluster ? 'cluster' : (named ?? 'generic');
  if (named !== undefined && named !== variable && !(named === 'param' && variable === 'frame'))
    throw new OperandMismatch(
      `a variable of .${variable === 'frame' ? 'param' : variable}`,
      `one of .${named}`,
    );
  return variable;
};

export type MemoryOperand = Extract<ResolvedOperand, { kind: 'memory' }>;

/** The operand that must be an address. Errors: `OperandMismatch`. */
export const memoryOf = (operand: ResolvedOperand): MemoryOperand => {
  if (operand.kind !== 'memory') throw new OperandMismatch(nameOfKind(operand), 'an address in brackets');
  return operand;
};

/**
 * The address of a lane, as a number.
 *
 * Details: written so that the engine reckons with 32-bit integers as long as addresses are small. Those in registers of 32 bits wrap around: compilers write negative ones with an offset that
 * makes them positive (PTX ISA, "Addresses as operands": truncated to the width of the space).
 */
export function addressText(writer: LaneWriter, { base, offset, framed }: MemoryOperand): string {
  const by = writer.constant(offset);
  if (base === null) return framed ? `${by} + w.frame` : by;
  if (base.special) throw new OperandMismatch(base.name, 'a register with an address');
  if (base.type === 'pred' || bitsOf(base.type) < 32)
    throw new OperandMismatch(base.name, 'a register of 32 or 64 bits');
  const at = writer.source(base);
  if (bitsOf(base.type) === 32) return unsigned(offset === 0 ? `i[${at} + l]` : `(i[${at} + l] + ${by} | 0)`);
  const [low, high] = [`i[${at} + 2 * l]`, `i[${at} + 2 * l + 1]`];
  return `(${high} === 0 ? ${unsigned(low)} : (${low} >>> 0) + ${high} * 4294967296) + ${by}`;
}

/** A 32-bit integer without its sign; what has none stays a small integer. */
const unsigned = (text: string): string => `(${text} >= 0 ? ${text} : ${text} + 4294967296)`;

/** What has to be at hand before the lanes, and the statements that check `at` and set `x`, an index of bytes in the views. */
export interface Place {
  readonly before: string;
  readonly locate: string;
}

/** Where the bytes of an address are. `size` is what a lane touches. */
export function placeOf(space: PlacedSpace, size: number, writes: boolean): Place {
  // Sizes are powers of two.
  const aligned = size === 1 ? '' : `if ((at & ${size - 1}) !== 0) w.misaligned(at, ${size}, l);`;
  const device = `if (at < low || at + ${size} > high) { if (!memory.find(at, ${size})) w.outside(at, ${size}, l); low = memory.low; high = memory.high; }`;
  const claim = writes ? 'memory.claim();' : '';
  const beforeDevice = `const memory = w.memory; ${claim} let low = memory.low, high = memory.high; const touched = w.touched;`;
  const shared = `if (!(at >= 0 && at + ${size} <= near.bytes.length)) w.outside(at, ${size}, l, 'shared');`;
  const local = `if (!(at >= 0 && at + ${size} <= w.localBytes)) w.outside(at, ${size}, l, 'local');`;
  const near = `if (at < ${clusterStep}) { ${shared} x = at; views = near; } else { views = w.sharedOfCluster(at, ${size}, l); x = at % ${clusterStep}; }`;
  const parameter = `at -= ${parameterWindow}; if (${writes} || at + ${size} > w.home.kernel.parameterBytes) w.outside(generic, ${size}, l, ${writes ? "'writable'" : "'parameter'"}); x = at; views = w.parameters;`;
  const localTouched = '(at >>> 2) * 128 + l * 4';
  switch (space) {
    case 'global':
    case 'const':
      return {
        before: `${beforeDevice} const { bytes, halves, words } = memory;`,
        locate: `${device} ${aligned} touched[l] = at; const x = at - ${deviceBase};`,
      };
    case 'shared':
      return {
        before: `const { bytes, halves, words } = w.shared; const end = bytes.length - ${size}; const touched = w.touched;`,
        locate: `if (at < 0 || at > end) w.outside(at, ${size}, l, 'shared'); ${aligned} touched[l] = at; const x = at;`,
      };
    case 'cluster':
      return {
        before: 'const near = w.shared; const touched = w.touched;',
        locate: `${aligned} let x, views; ${near} touched[l] = at; const { bytes, halves, words } = views;`,
      };
    case 'local':
    case 'frame':
      return {
        before: 'const { bytes, halves, words } = w.local; const touched = w.touched;',
        locate: `${local} ${aligned} touched[l] = ${localWindow} + w.localTouched + ${localTouched}; const x = w.localOf(l) + at;`,
      };
    default:
      return {
        before: `${beforeDevice} const near = w.shared, own = w.local;`,
        locate: `let at = generic, x, views; if (generic >= ${parameterWindow}) { ${parameter} touched[l] = generic; } else if (generic >= ${sharedWindow}) { at -= ${sharedWindow}; ${near} touched[l] = generic; } else if (generic >= ${localWindow}) { at -= ${localWindow}; ${local} x = w.localOf(l) + at; views = own; touched[l] = ${localWindow} + w.localTouched + ${localTouched}; } else { ${device} x = at - ${deviceBase}; views = memory; touched[l] = at; } ${aligned} const { bytes, halves, words } = views;`,
      };
  }
}

/** What the address of a lane is called in the text of `placeOf`. */
export const addressName = (space: PlacedSpace): string => (space === 'generic' ? 'generic' : 'at');

/** The space as it is told: parameters of calls are parameters. */
export const shown = (space: PlacedSpace): AccessSpace => {
  if (space === 'cluster') return 'shared';
  return space === 'frame' ? 'param' : space;
};
