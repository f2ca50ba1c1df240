import type { HostCall } from '../../actors/grape/host-calls.ts';
import type { HostRecord } from '../../actors/grape/host-words.ts';
import {
  type GrapeConfig,
  type GrapePrograms,
  grapeConfig,
  grapePrograms,
} from '../../machines/grape/config.ts';
import type { Given } from '../../machines/machine.ts';

/** What a run of the chip is made from. */
export type GrapeGiven = Given<GrapeConfig, GrapePrograms>;

/** A type I kernel that does much in few slots: masks, roundings, forwarding, an old value read on purpose, reductions of all sorts. */
export const kernelSource = `
var vector long xi hlt flt64to72
bvar long xj elt flt64to72
bvar short mj elt flt64to36
bvar short nj elt fix32to36rs
var short lmj
var vector long sum rrn flt72to64 fadd
var vector short low rrn flt36to64 fadd
var vector long exact rrn flt72to64 faddABO
var vector long times rrn fix72to64r uadd
var vector long last rrn fix72to64w upassb
initialization
vlen 4
uxor $t $t $t
nop
loop initialization
vlen 4
uxor $t $t $t
upassa $ti $ti $lr40v
upassa $ti $ti $lr48v
upassa $ti $ti $lr56v
upassa $ti $ti $lr24v
loop body
vlen 1
bm xj $lr0v
bm mj lmj
vlen 4
nop
mof 1
fsub $lr0 xi $t $lr8v
fmul $ti lmj $t $r20v
nop
mi 1
fadd $lr40v $t $lr40v
mi 0
fadd $lr24v $r20v $r24v
uinc $lr56v $lr56v $lr56v
fadd $lr48v $lr8v $lr48v
fadd $lr48v $lr40v $lr32v
nop
loop finalization
vlen 4
upassa $lr40v $lr40v sum
upassa $lr24v $lr24v low
upassa $lr48v $lr48v exact
upassa $lr56v $lr56v times
upassa $lr32v $lr32v last
`;

/** A type II program: all modes of idp, reductions to the host of several words and kinds, one without output. */
export const streamSource = `
bvar long a elt flt64to72
bvar short b elt flt64to36
bvar short c elt flt64to36
bvar vector long w elt1 fix64to72rs
bvar vector long s
evar jdata 0 64
evar wide 1 16
loop body
idp jdata
nop 4
vlen 1
bm a $lr0v
vlen 4
idp wide 1 -1
nop 4
bm w $lr8v
nop
fmul $lr0 f"1.25" $lr16v $t
iadd $pe $lr8v $lr8v
fadd $ti $lr16v $r24v
bm $lr16v s 1
nop
rrn fadd s 4 flt72to64
nop 4
rrn fadd b 1r flt36to64
nop 3
bm $lr8v s 0
nop
rrn imax s 4 fix72to64r
nop 4
rrn upassb s 2o fix72to64l
nop 3
idp wide 2 0
nop 3
idp jdata 2 1
nop 3
rrn faddO a flt72to64
nop 3
rrn 1 w 3 fix72to64w
nop 3
`;

/** As `streamSource` in little, without the nops that wait for the ports. */
export const hurriedSource = `
bvar long a elt flt64to72
bvar vector long s
evar jdata 0 64
loop body
vlen 4
idp jdata
rrn fadd s flt72to64
rrn upassb a 1 fix72to64r
bm a $lr0v
nop
bm $lr0v s 0
nop
`;

const value = (at: number): number => (((at * 37) % 23) - 11) * 1.1 ** (at % 9);

const kernelRecord = (at: number): HostRecord => ({ xj: value(at), mj: value(at + 5), nj: at - 3 });

/** Calls that send j records, i particles, run some passes and fetch the results; a second run with fewer passes. */
export function kernelCalls(nBB: number, passes: number, particles: number): readonly HostCall[] {
  const records = Array.from({ length: nBB * passes }, (_, at) => kernelRecord(at));
  return [
    { call: 'init' },
    ...records.map((record, index): HostCall => ({ call: 'sendEltData', num: 0, record, index })),
    {
      call: 'sendIParticle',
      particles: Array.from({ length: particles }, (_, at) => ({ xi: value(at + 40) })),
    },
    { call: 'run', n: passes },
    { call: 'getResult' },
    { call: 'run', n: 1 },
    { call: 'getResult' },
  ];
}

/** Calls that fill both tables of `streamSource` and run it twice. */
export function streamCalls(nBB: number, passes: number): readonly HostCall[] {
  const wide = (at: number): HostRecord => ({ w: [at, -at, 3 * at, at - 9] });
  return [
    { call: 'init' },
    // One record is never written: it reads as zeros.
    ...Array.from({ length: nBB * passes - 1 }, (_, index): HostCall => {
      const record = { a: value(index), b: value(index + 3), c: value(index + 7) };
      return { call: 'sendEltData', num: 0, record, index };
    }),
    ...Array.from(
      { length: passes + 1 },
      (_, index): HostCall => ({ call: 'sendEltData', num: 1, record: wide(index), index }),
    ),
    { call: 'type2Run', n: passes },
    { call: 'type2Run', n: 1 },
  ];
}

/** A run of a source with calls of the host, on a chip of so many blocks and PEs. */
export const given = (
  name: string,
  source: string,
  host: readonly HostCall[],
  config: Partial<GrapeConfig> = {},
  mutants: readonly string[] = [],
): GrapeGiven => ({
  name,
  config: grapeConfig.parse({ nBB: 3, nPE: 2, hostCall: 20, ...config }),
  programs: grapePrograms.parse({ source, host }) as GrapePrograms,
  mutants,
  scheduled: false,
});

/** The workloads that faults are shown on. */
export const workloads = {
  kernel: (config: Partial<GrapeConfig> = {}, mutants: readonly string[] = []): GrapeGiven =>
    given('kernel', kernelSource, kernelCalls(config.nBB ?? 3, 3, 6), config, mutants),
  stream: (config: Partial<GrapeConfig> = {}, mutants: readonly string[] = []): GrapeGiven =>
    given('stream', streamSource, streamCalls(config.nBB ?? 3, 3), config, mutants),
  hurried: (config: Partial<GrapeConfig> = {}, mutants: readonly string[] = []): GrapeGiven =>
    given(
      'hurried',
      hurriedSource,
      streamCalls(config.nBB ?? 3, 3).filter((call) => call.call !== 'sendEltData' || call.num === 0),
      { portPolicy: 'stall', ...config },
      mutants,
    ),
} as const;
