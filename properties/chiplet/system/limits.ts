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
messageOpcode = "on" of on off auto
contraction = "none" of none fuse
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
defaultTiming: barrierCycles 1, blocksPerCore 8, branchCycles 0, clockMegahertz 700, cores 15, divergencePenalty 1, fenceCycles 0, hoistsLoads false, issuesPerWarp 1, launchCycles 0, messageCycles 4, predicateCycles 0, registersPerCore 32768, scheduler gto, schedulersPerCore 2, sectorCycles 0, sharedAtomicCycles 0, sharedBanks 32, sharedBytesPerCore 49152, warpsPerCore 48
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
defaultTiming.l1: hitCycles 18, sets 32, ways 4
defaultTiming.memory: channels 6, dramCycles 100, ropCycles 120, segmentCycles 4, stripeBytes 256
h100Cold: barrierCycles 27, blocksPerCore 32, branchCycles 3, clockMegahertz 1755, cores 132, divergencePenalty 1, fenceCycles 500, hoistsLoads true, issuesPerWarp 1, launchCycles 570, messageCycles 4, predicateCycles 13, registersPerCore 65536, scheduler gto, schedulersPerCore 4, sectorCycles 1, sharedAtomicCycles 13, sharedBanks 32, sharedBytesPerCore 232448, warpsPerCore 64
h100Cold.classes.atomic: interval 1, latency 360
h100Cold.classes.constant: interval 1, latency 4
h100Cold.classes.control: interval 1, latency 1
h100Cold.classes.doubleAdd: interval 2, latency 8
h100Cold.classes.doubleDiv: interval 16, latency 80
h100Cold.classes.doubleMad: interval 2, latency 8
h100Cold.classes.doubleMax: interval 2, latency 8
h100Cold.classes.doubleMul: interval 2, latency 8
h100Cold.classes.floatAdd: interval 1, latency 4
h100Cold.classes.floatDiv: interval 4, latency 57
h100Cold.classes.floatMad: interval 1, latency 4
h100Cold.classes.floatMax: interval 1, latency 4
h100Cold.classes.floatMul: interval 1, latency 4
h100Cold.classes.global: interval 1, latency 1
h100Cold.classes.intAdd: interval 1, latency 4
h100Cold.classes.intDiv: interval 8, latency 62
h100Cold.classes.intMad: interval 2, latency 4
h100Cold.classes.intMax: interval 1, latency 4
h100Cold.classes.intMul: interval 2, latency 4
h100Cold.classes.message: interval 1, latency 1
h100Cold.classes.shared: interval 1, latency 29
h100Cold.classes.shuffle: interval 2, latency 24
h100Cold.classes.special: interval 2, latency 23
h100Cold.l1: hitCycles 33, sets 256, ways 8
h100Cold.memory: channels 80, dramCycles 305, ropCycles 334, segmentCycles 2, stripeBytes 256
h100Cold.sequences.convert: interval 4, latency 14
h100Cold.sequences.count: interval 4, latency 14
h100Cold.sequences.doubleRoot: interval 16, latency 80
h100Cold.sequences.root: interval 8, latency 57
h100Cold.sequences.wideAdd: interval 2, latency 8
h100Cold.sequences.wideDiv: interval 60, latency 400
h100Cold.sequences.wideMul: interval 4, latency 14
h100Warm: launchCycles 420
h100Warm.memory: dramCycles 0
`;
