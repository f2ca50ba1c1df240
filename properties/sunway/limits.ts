/** Limits and defaults of the configuration, as `limitsOf` and `fixedIn` write them. */
export const sunwayLimits = `
cgs 1..6 = 1
cpesPerCg 1..64 = 64
memoryMiB 1..1024 = 16
crossMiB 0..1024 = 1
cacheKiB = 0 of 0 32 128
ldm.preset = "none" of none cache32
sldm.mode 0..5 = 4
sldm.sizeKiB 0..128 = 0
sldm.interleaveBytes 0.. = 0
stackInLdm = false
fidelity = "tlm" of functional tlm flit
detail = "auto" of auto explicit fast
timing.clk.cpe 1..
timing.clk.mpe 1..
timing.ldm.latency 1..
timing.ldm.bytesPerCycle 0.001..
timing.sldm.latency 0..
timing.sldm.hop 0..
timing.gld.latency 0..
timing.dma.getLatency 0..
timing.dma.getRamp 0..
timing.dma.getStep 0..
timing.dma.putLatency 0..
timing.dma.putStep 0..
timing.dma.putBlocking 0..
timing.dma.putPartialPenalty 0..
timing.dma.getReturn 0..
timing.dma.putGrant 0..
timing.dma.issueCost 0..
timing.dma.queueDepth 1..
timing.dma.window 1..
timing.tbox.getBytesPerCycle 0.001..
timing.tbox.putBytesPerCycle 0.001..
timing.mc.getDescCost 0..
timing.mc.getBlockCost 0..
timing.mc.putFullBlock 0..
timing.mc.putCrowd 0..
timing.mc.putPartialUnit 0..
timing.mc.putMix 0..
timing.mc.writeBuffer 1..
timing.rma.issueCost 0..
timing.rma.localTail 0..
timing.rma.bytesPerCycle 0.001..
timing.rma.arriveBase 0..
timing.rma.hopX 0..
timing.rma.hopY 0..
timing.rma.sharedOpTax 0..
timing.rma.getTurnaround 0..
timing.flit.perCycle 1..
timing.flit.bufferFlits 10..
timing.flit.inject 0..
timing.flit.eject 0..
timing.flit.getTurnaround 0..
timing.flit.paiu 0..
timing.flit.grant 0..
timing.flit.access 0..
timing.flit.rowHit 0..
timing.flit.rowMiss 0..
timing.flit.rowCycle 0..
timing.sync.base 1..
timing.sync.hop 0..
timing.faa.latency 0..
timing.lock.grantArray 1..
timing.lock.grantNode 1..
timing.spawn.latency 1..
timing.join.latency 1..
timing.ring.extra 0..
timing.cache.hit 1..
timing.ptab.lookup 1..
timing.poll.cost 1..
fuzz.seed 0..4294967295
fuzz.maxJitter 0..100000 = 0
fuzz.reorder = false
clockSkew 0..1000000 = 0
skipAhead = true
race.policy = "lenient" of off lenient strict
advise = false
onError = "trap" of trap return
sync.colLeftRight = "manual" of manual header
task.reassignLost = false
task.quitMarksDone = true
job.bsignal = []
job.bsignal[].signal of 34 35
job.bsignal[].at 0..
job.kill = []
job.kill[].cgn 0..5
job.kill[].at 0..
accessBytes: f32 4, f64 8, i32 4, i64 8, u32 4, u64 8
dataTypeCodes: CRTS_double 5, CRTS_doublev8 17, CRTS_float 4, CRTS_floatv8 16, CRTS_int 0, CRTS_int512 14, CRTS_intv16 12, CRTS_long 2, CRTS_uint 1, CRTS_uint512 15, CRTS_uintv16 13, CRTS_ulong 3
dataTypes.0: bytes 4, code 0, lane i32, name CRTS_int
dataTypes.1: bytes 4, code 1, lane u32, name CRTS_uint
dataTypes.12: bytes 64, code 12, lane i32, name CRTS_intv16
dataTypes.13: bytes 64, code 13, lane u32, name CRTS_uintv16
dataTypes.14: bytes 64, code 14, lane i64, name CRTS_int512
dataTypes.15: bytes 64, code 15, lane u64, name CRTS_uint512
dataTypes.16: bytes 32, code 16, lane f32, name CRTS_floatv8
dataTypes.17: bytes 64, code 17, lane f64, name CRTS_doublev8
dataTypes.2: bytes 8, code 2, lane i64, name CRTS_long
dataTypes.3: bytes 8, code 3, lane u64, name CRTS_ulong
dataTypes.4: bytes 4, code 4, lane f32, name CRTS_float
dataTypes.5: bytes 8, code 5, lane f64, name CRTS_double
operationCodes: add 1, and 2, eqv 5, max 7, min 6, or 3, xor 4
returnCode: BUSY 1, E_ALIGN 10, E_ARGS 22, E_DTYPE 19, E_LEN 11, E_MASK 16, E_NOMEM 23, E_OP 20, E_OVERLAP 21, E_RANGE 12, E_ROOT 17, E_RPLY 18, E_SPACE 13, E_STATE 4, E_STRIDE 14, E_TID 15, OFFLINE 3, SUCCESS 0, UNREAPED 2
space: crossBase 131941395333120, ldmBytes 262144, memoryBase 87960930222080, memoryPitch 68719476736, remoteBase 35184372088832, remotePitch 1048576, reservedBytes 4096, sharedBase 17592186044416
times.cache: hit 4
times.clk: cpe 2250, mpe 2100
times.dma: getLatency 441, getRamp 14.2, getReturn 100, getStep 7.17, issueCost 30, putBlocking 6, putGrant 20, putLatency 234, putPartialPenalty 135, putStep 6.83, queueDepth 8, window 64
times.faa: latency 430
times.flit: access 173, bufferFlits 32, eject 20, getTurnaround 0, grant 16, inject 19, paiu 53, perCycle 2, rowCycle 103, rowHit 31, rowMiss 93
times.gld: latency 430
times.join: latency 600
times.ldm: bytesPerCycle 64, latency 4
times.lock: grantArray 40, grantNode 450
times.mc: getBlockCost 5.9, getDescCost 13, putCrowd 2, putFullBlock 6, putMix 7, putPartialUnit 27.5, writeBuffer 64
times.poll: cost 1
times.ptab: lookup 2
times.ring: extra 200
times.rma: arriveBase 40, bytesPerCycle 25.6, getTurnaround 40, hopX 4, hopY 4, issueCost 58, localTail 56, sharedOpTax 0
times.sldm: hop 4, latency 60
times.spawn: latency 9000
times.sync: base 14, hop 4
times.tbox: getBytesPerCycle 17.85, putBytesPerCycle 18.7
treeDistances: 1, 2, 4, 8, 16, 32
`;
