import { networkKeys } from '../limits.ts';

/** Limits and defaults of the configuration, as `limitsOf` and `fixedIn` write them. */
export const systemLimits = `
mode = "coupled" of decoupled coupled iterative
network.A 1..100 = 4
${networkKeys(false)}
chiplets 1..
chiplets[].x 0..99
chiplets[].y 0..99
chiplets[].kind of cpu gpu
chiplets[].args = []
chiplets[].clockRate 0.001..1000 = 1
chiplets[].cpi 0.001..1000 = 1
chiplets[].cyclesPerElement 0..1000
chiplets[].cores 1..1024
mailbox = "queue" of queue indexed
flitRule = 4
flitRule| 1..1024
flitRule| only legosim
messageOpcode = "auto" of on off auto
contraction = "none" of none fuse fuse-all
approximations = "exact" of exact h100
divergence = "independent" of independent stack
trustKernelSource = true
strictSource = false
bufferNameOrder = "sender-first" of sender-first receiver-first
syncFile.enabled = false
syncFile.S 1..1099511627776 = 12000
syncFile.I = 20000
syncFile.I| 1..1099511627776
syncFile.I| 1..
syncFile.I|[] 1..1099511627776
syncCount 0..
cpuPowerWatts 0.. = 35
cpuPicojoulesPerCycle 0..
warpScheduler of gto lrr any
coreDetail = "auto" of auto warp core
rounds 1..100 = 5
error 0..1 = 0.005
outputs = ["buffers","traces","bench","synchronization","console","power","results"]
outputs[] of buffers traces bench synchronization console power results
defaultTiming: atomicLaneCycles 1, barrierCycles 1, barrierWarpCycles 0, blocksPerCore 8, branchCycles 0, clockMegahertz 700, constantAddressCycles 0, cores 15, divergencePenalty 1, hoistsLoads false, issuesPerWarp 1, launchCycles 0, messageCycles 4, predicateCycles 0, registersPerCore 32768, scheduler gto, schedulersPerCore 2, sectorCycles 0, sharedAtomicCycles 0, sharedBanks 32, sharedBytesPerCore 49152, sharedLoopCycles 0, specialOfScheduler false, warpsPerCore 48
defaultTiming.classes.atomic: interval 1, latency 120
defaultTiming.classes.constant: interval 1, latency 4
defaultTiming.classes.control: interval 1, latency 1
defaultTiming.classes.doubleAdd: interval 8, latency 8
defaultTiming.classes.doubleDiv: interval 130, latency 330
defaultTiming.classes.doubleMad: interval 8, latency 8
defaultTiming.classes.doubleMax: interval 16, latency 19
defaultTiming.classes.doubleMul: interval 8, latency 8
defaultTiming.classes.floatAdd: interval 1, latency 4
defaultTiming.classes.floatDiv: interval 4, latency 39
defaultTiming.classes.floatMad: interval 1, latency 5
defaultTiming.classes.floatMax: interval 2, latency 13
defaultTiming.classes.floatMul: interval 1, latency 4
defaultTiming.classes.global: interval 1, latency 1
defaultTiming.classes.intAdd: interval 1, latency 4
defaultTiming.classes.intDiv: interval 8, latency 145
defaultTiming.classes.intMad: interval 1, latency 5
defaultTiming.classes.intMax: interval 2, latency 13
defaultTiming.classes.intMul: interval 2, latency 4
defaultTiming.classes.message: interval 1, latency 1
defaultTiming.classes.shared: interval 1, latency 24
defaultTiming.classes.shuffle: interval 1, latency 4
defaultTiming.classes.special: interval 4, latency 39
defaultTiming.fenceCycles: block 0, device 0, system 0
defaultTiming.l1: hitCycles 18, sets 32, ways 4
defaultTiming.memory: channels 6, dramCycles 100, ropCycles 120, segmentCycles 4, stripeBytes 256
h100Cold: atomicLaneCycles 7, barrierCycles 12, barrierWarpCycles 2, blocksPerCore 32, branchCycles 8, clockMegahertz 1755, constantAddressCycles 4, cores 132, divergencePenalty 20, hoistsLoads true, issuesPerWarp 1, launchCycles 650, messageCycles 4, predicateCycles 13, registersPerCore 65536, scheduler gto, schedulersPerCore 4, sectorCycles 1, sharedAtomicCycles 8, sharedBanks 32, sharedBytesPerCore 232448, sharedLoopCycles 94, specialOfScheduler true, warpsPerCore 64
h100Cold.classes.atomic: interval 1, latency 360
h100Cold.classes.constant: interval 1, latency 4
h100Cold.classes.control: interval 1, latency 1
h100Cold.classes.doubleAdd: interval 2, latency 8
h100Cold.classes.doubleDiv: interval 111, latency 111
h100Cold.classes.doubleMad: interval 2, latency 8
h100Cold.classes.doubleMax: interval 2, latency 8
h100Cold.classes.doubleMul: interval 2, latency 8
h100Cold.classes.floatAdd: interval 1, latency 4
h100Cold.classes.floatDiv: interval 44, latency 44
h100Cold.classes.floatMad: interval 1, latency 4
h100Cold.classes.floatMax: interval 2, latency 5
h100Cold.classes.floatMul: interval 1, latency 4
h100Cold.classes.global: interval 1, latency 1
h100Cold.classes.intAdd: interval 2, latency 4
h100Cold.classes.intDiv: interval 92, latency 137
h100Cold.classes.intMad: interval 2, latency 4
h100Cold.classes.intMax: interval 2, latency 4
h100Cold.classes.intMul: interval 2, latency 4
h100Cold.classes.message: interval 1, latency 1
h100Cold.classes.shared: interval 1, latency 23
h100Cold.classes.shuffle: interval 2, latency 24
h100Cold.classes.special: interval 8, latency 17
h100Cold.fenceCycles: block 13, device 670, system 1482
h100Cold.l1: hitCycles 33, sets 256, ways 8
h100Cold.memory: channels 80, dramCycles 305, ropCycles 334, segmentCycles 2, stripeBytes 256
h100Cold.sequences.approximate: interval 8, latency 17
h100Cold.sequences.approximateDiv: interval 12, latency 43
h100Cold.sequences.approximateSubnormal: interval 8, latency 39
h100Cold.sequences.count: interval 8, latency 17
h100Cold.sequences.countZeros: interval 12, latency 23
h100Cold.sequences.div: interval 92, latency 137
h100Cold.sequences.divAgain: interval 26, latency 62
h100Cold.sequences.divConstant: interval 26, latency 61
h100Cold.sequences.doubleCompare: interval 3, latency 10
h100Cold.sequences.doubleConvert: interval 8, latency 18
h100Cold.sequences.doubleMax: interval 16, latency 33
h100Cold.sequences.doubleReciprocal: interval 60, latency 60
h100Cold.sequences.doubleRoot: interval 79, latency 79
h100Cold.sequences.field: interval 8, latency 8
h100Cold.sequences.folded: interval 0, latency 0
h100Cold.sequences.fromReal: interval 8, latency 17
h100Cold.sequences.halfAdd: interval 1, latency 4
h100Cold.sequences.halfConvert: interval 1, latency 5
h100Cold.sequences.match: interval 8, latency 28
h100Cold.sequences.matrix: interval 24, latency 24
h100Cold.sequences.mulHi: interval 6, latency 9
h100Cold.sequences.mulWide: interval 4, latency 5
h100Cold.sequences.reciprocal: interval 63, latency 63
h100Cold.sequences.redux: interval 14, latency 44
h100Cold.sequences.root: interval 43, latency 42
h100Cold.sequences.roundedDiv: interval 250, latency 250
h100Cold.sequences.sine: interval 8, latency 23
h100Cold.sequences.toReal: interval 4, latency 6
h100Cold.sequences.video: interval 6, latency 14
h100Cold.sequences.vote: interval 2, latency 13
h100Cold.sequences.wideAdd: interval 4, latency 6
h100Cold.sequences.wideCount: interval 22, latency 35
h100Cold.sequences.wideDiv: interval 312, latency 313
h100Cold.sequences.wideMax: interval 10, latency 18
h100Cold.sequences.wideMul: interval 9, latency 17
h100Cold.sequences.wideMulHi: interval 27, latency 33
h100Cold.sequences.wideShift: interval 4, latency 8
h100Warm: launchCycles 540
h100Warm.memory: dramCycles 0
`;
