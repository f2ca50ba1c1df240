/** Limits and defaults of the configuration, as `limitsOf` and `fixedIn` write them. */
export const tcaLimits = `
topology = "pair" of pair ring dualRing
nodes 2..16 = 2
cpuBytes 4096..1073741824 = 16777216
gpuBytes 4096..1073741824 = 16777216
stopDetect = "counter" of counter ideal
strict = true
seed 0.. = 1
cplSplit = 256 of 64 128 256
gpuBehindQpi = false
bitErrorRate 0..0.01 = 0
room.writeHeaders 1.. = 64
room.writeUnits 1.. = 512
room.readHeaders 1.. = 64
room.transmitPackets 2.. = 1024
gasnet.slots 1..256 = 8
gasnet.slotBytes 576..65536 = 4096
gasnet.sendBufferBytes 1024..1048576 = 16384
gasnet.update = "eager" of eager half
gasnet.completion = "acked" of acked local
gasnet.channels 1..4 = [0,1,2,3]
gasnet.channels[] 0..3
gasnet.splitMin 128.. = 2048
gasnet.forceMode = "auto" of auto MtoM BtoM MtoB BtoB
gasnet.cacheEntries 0..4096 = 64
gasnet.parallelPackets = false
gasnet.scheduler = "split" of split perRequest
gasnet.minHwBlock 4.. = 64
parameters.mmioWriteLatency 0.. = 32
parameters.doorbellGap 0.. = 14
parameters.dmacStart 0.. = 16
parameters.descriptorFetch 0.. = 64
parameters.readIssueInterval 0.. = 3
parameters.blockOverhead 0.. = 8
parameters.bytesPerTag = 128 of 64 128 256
parameters.gpuReadLatency 0.. = 160
parameters.cpuReadLatency 0.. = 96
parameters.internalReadLatency 0.. = 264
parameters.tagHold 0.. = 196
parameters.tagsPerChannel 4..4 = [32,16,8,8]
parameters.tagsPerChannel[] 0..64
parameters.completionOverheadBytes 0.. = 20
parameters.writeOverheadBytes 0.. = 24
parameters.readOverheadBytes 0.. = 24
parameters.chipOut 0.. = 18
parameters.cableLatency 0.. = 8
parameters.chipTransit 0.. = 44
parameters.hostInLatency 0.. = 28
parameters.gpuIngressFifoBytes 256.. = 3072
parameters.gpuDrainNumerator 1.. = 66
parameters.gpuDrainDenominator 1.. = 100
parameters.pollDetect 0.. = 20
parameters.pollGapPerChannel 0.. = 6
parameters.gasnetPutSoftware 0.. = 10
parameters.descriptorBuildOnMiss 0.. = 125
parameters.perfCounterReadRoundTrip 2.. = 250
parameters.pioStoreFlush 0.. = 46
parameters.amDispatch 0.. = 25
parameters.stopTail 0.. = 0
: channels 4, subTicks 16
layout: headerBytes 64, moreArgumentBytes 64, pageBytes 4096, replies 1, requests 0
layout.boardSlots: exit 8
layout.ringClasses: 0, 1
map: nodeSpan 34359738368, notifySlots 256
map.regionStart: chip 25769803776, cpu 0, gpu 8589934592
`;
