import { Run } from '../../../kernel/run.ts';
import { systemMachine } from '../../../machines/chiplet/system.ts';
import { type SystemProgram, systemConfig, systemPrograms } from '../../../machines/chiplet/system-config.ts';
import { besideAll } from '../../beside-scenario.ts';

/*
 * What stops a host program, or the kernel that it has launched (chiplet specification 4.5, 7.1, 13): operations that are none, devices that are not there, memory that is not its own, kernels that
 * do not fit. What a program is told last, and nothing else, says so.
 */

/** Operations one after the other, each perhaps by the answers before it, and a part of what the program is told. */
export type StoppedHost = readonly [
  operations: readonly (object | ((answers: readonly unknown[]) => object))[],
  why: string,
  kind?: 'cpu',
];

const launch = { op: 'launch', kernel: 'k', grid: [1, 1, 1], block: [1, 1, 1], args: [] };
/** An operation of each kind that is right. */
const right: Readonly<Record<string, object>> = {
  malloc: { bytes: 8 },
  free: { address: 8 },
  symbol: { name: 'a' },
  copyIn: { address: 8, type: 's32', values: [1] },
  copyOut: { address: 8, type: 's32', count: 1 },
  launch: {
    kernel: 'k',
    grid: [1, 1, 1],
    block: [1, 1, 1],
    args: [],
    dynamicSharedBytes: 0,
    cluster: [1, 1, 1],
  },
  compute: { instructions: 1 },
  access: { elements: 1 },
  send: { to: [0, 1], values: [1] },
  receive: { from: [0, 1], count: 1 },
  loadInts: { file: 'f', from: 0, to: 1 },
  output: { file: 'f', values: [1] },
};
/** For a field with such a value: those that it cannot have, and what is said of the first. */
const wrongOf = (value: unknown): readonly unknown[] => {
  if (typeof value === 'number') return [-1, 'x', null];
  if (typeof value === 'string') return [7, null];
  return [['x'], 'x', null, ...((value as readonly unknown[]).length > 1 ? [[1], [1, 1, 1, 1]] : [])];
};
const shown = (value: unknown): string =>
  value === null ? 'nothing' : typeof value === 'number' ? String(value) : JSON.stringify(value);

const shapes: readonly StoppedHost[] = Object.entries(right).flatMap(([op, fields]) =>
  Object.entries(fields).flatMap(([field, value]) =>
    wrongOf(value).map(
      (wrong): StoppedHost => [
        [{ op, ...fields, [field]: wrong }],
        `E-PROG found ${shown(wrong)} as ${field} of ${op}, expected `,
      ],
    ),
  ),
);

const device = ['malloc', 'free', 'symbol', 'copyIn', 'copyOut', 'launch'] as const;
const room = { op: 'malloc', bytes: 8 };
const at = (of: (address: number) => object) => (answers: readonly unknown[]) => of(answers[0] as number);

/** All that stops a host. */
export const stoppedHosts: readonly StoppedHost[] = [
  ...shapes,
  ...device.map(
    (op): StoppedHost => [
      [{ op, ...right[op] }],
      `E-PROG found ${op} on a CPU chiplet, expected a GPU chiplet`,
      'cpu',
    ],
  ),
  [
    [{ op: 'mallock' }],
    'E-PROG found "mallock" as an operation, expected an object with an op of: malloc, free',
  ],
  [['malloc' as never], 'E-PROG found "malloc" as an operation'],
  [
    [{ op: 'compute', instructions: Number.NaN }],
    'E-PROG found NaN as instructions of compute, expected a number of at least 0',
  ],
  [[{ op: 'malloc', bytes: 2 ** 40 }], 'E-MEM found no room for 1099511627776 bytes'],
  [[{ op: 'malloc', bytes: 1.5 }], 'E-PROG found 1.5 as bytes of malloc'],
  [[{ op: 'symbol', name: 'none' }], '"none"'],
  [[{ op: 'free', address: 3 }], 'E-MEM found no allocation at 3, expected one to free'],
  [
    [room, at((address) => ({ op: 'free', address })), at((address) => ({ op: 'free', address }))],
    'E-MEM found no allocation at 65536, expected one to free',
  ],
  [
    [room, at((address) => ({ op: 'copyIn', address, type: 's32', values: [1, 2, 3] }))],
    'E-MEM found copyIn of 12 bytes at 65536, expected an allocation',
  ],
  [
    [room, at((address) => ({ op: 'copyIn', address: address + 4, type: 'f64', values: [1] }))],
    'E-MEM found copyIn of 8 bytes at 65540, expected an allocation',
  ],
  [
    [room, at((address) => ({ op: 'copyOut', address, type: 'u16', count: 5 }))],
    'E-MEM found copyOut of 10 bytes at 65536, expected an allocation',
  ],
  [
    [{ op: 'loadInts', file: 'none', from: 0, to: 1 }],
    'E-FILE found integers 0 to 1 of "none", expected them in one of: few',
  ],
  [[{ op: 'loadInts', file: 'few', from: 0, to: 4 }], 'E-FILE found integers 0 to 4 of "few"'],
  [[{ op: 'loadInts', file: 'few', from: 2, to: 1 }], 'E-FILE found integers 2 to 1 of "few"'],
  [
    [{ ...launch, kernel: 'none' }],
    'E-PROG found no kernel "none", expected one of: k, trap, wide, fixed, far',
  ],
  [[{ ...launch, args: [1] }], 'E-LAUNCH k: found 1 parameters, expected 0: none'],
  [[{ ...launch, args: [{ bytes: [1] }] }], 'E-LAUNCH k: found 1 parameters'],
  [
    [{ ...launch, block: [1025, 1, 1] }],
    'E-LAUNCH k: found a grid of 1 x 1 x 1 blocks of 1025 x 1 x 1 threads',
  ],
  [[{ ...launch, grid: [0, 1, 1] }], 'E-LAUNCH k: found a grid of 0 x 1 x 1 blocks'],
  [
    [{ ...launch, cluster: [2, 1, 1] }],
    'E-LAUNCH k: found clusters of 2 x 1 x 1 blocks in a grid of 1 x 1 x 1',
  ],
  [
    [{ ...launch, kernel: 'fixed' }],
    'E-LAUNCH fixed: found clusters of 2 x 1 x 1 blocks in a grid of 1 x 1 x 1',
  ],
  [
    [{ ...launch, kernel: 'fixed', grid: [2, 1, 1], cluster: [1, 1, 1] }],
    'E-LAUNCH fixed: found clusters of 1 x 1 x 1 blocks, expected 2 x 1 x 1, which .reqnctapercluster fixes',
  ],
  [[{ ...launch, dynamicSharedBytes: 50_000 }], 'a block of k needs '],
  [[{ ...launch, kernel: 'wide' }], 'a block of wide needs '],
  [
    [{ ...launch, kernel: 'fixed', grid: [2, 1, 1], dynamicSharedBytes: 40_000 }],
    'a cluster of 2 blocks of fixed needs ',
  ],
  [
    [{ ...launch, kernel: 'trap', block: [64, 1, 1] }],
    'E-TRAP found the end of all work: kernel trap, block 0, thread 0, pc 0',
  ],
  [
    [{ ...launch, kernel: 'far', grid: [3, 1, 1], block: [70, 1, 1] }],
    'E-MEM found an access of 4 bytes at 0x8, expected one within an allocation: kernel far, block 2, thread 65, pc ',
  ],
];

const text = `.version 8.6
.target sm_90
.address_size 64
.visible .entry k() { ret; }
.visible .entry trap() { trap; ret; }
.visible .entry wide() { .shared .align 4 .b8 much[49156]; st.shared.u32 [much], 1; ret; }
.visible .entry fixed() .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }
.visible .entry far() { .reg .pred %p<2>; .reg .b32 %t, %b; .reg .b64 %d; mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; setp.eq.u32 %p0, %t, 65; setp.eq.and.u32 %p1, %b, 2, %p0; mov.u64 %d, 8; @%p1 ld.global.u32 %t, [%d]; ret; }
`;

/** Kernels and data of all; the kernels are compiled once. */
const given = systemPrograms.parse({
  kernels: [{ name: 'stopped.ptx', text }],
  data: { few: [1, 2, 3] },
  hosts: {},
});

/** What a program is told; empty when it comes to its end. */
export function toldTo(
  [operations, , kind = 'gpu' as never]: StoppedHost,
  coreDetail: 'core' | 'warp',
): readonly string[] {
  const config = systemConfig.parse({
    coreDetail,
    network: { A: 2, F: 1 },
    chiplets: [{ x: 0, y: 0, kind, program: 'own', ...(kind === ('gpu' as never) && { cores: 2 }) }],
  });
  const programs = {
    ...given,
    hosts: {
      own: {
        module: 'own',
        *program(): ReturnType<SystemProgram> {
          const answers: unknown[] = [];
          for (const one of operations)
            answers.push(yield (typeof one === 'function' ? one(answers) : one) as never);
        },
      },
    },
  };
  const { wiring } = systemMachine.assemble({
    name: 'stopped',
    config,
    programs,
    mutants: [],
    scheduled: false,
  });
  return new Run(wiring).toEnd().violations.map(({ why }) => why);
}

/** The first host that is not stopped as it must be; undefined when there is none. */
export function stopFault(rows: readonly StoppedHost[]): string | undefined {
  for (const [number, row] of rows.entries())
    for (const detail of number < shapes.length ? (['core'] as const) : (['core', 'warp'] as const)) {
      const told = toldTo(row, detail);
      if (told.length !== 1 || !told[0]!.includes(row[1]))
        return `a program that does ${JSON.stringify(row[0])} is told ${JSON.stringify(told)}, not ${JSON.stringify(row[1])}`;
    }
  return undefined;
}

/** Hosts are stopped where they must be. */
export const hostsAreStopped = besideAll(() => stopFault(stoppedHosts));
