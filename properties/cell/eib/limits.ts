/** Limits and defaults of the configuration, as `limitsOf` and `fixedIn` write them. */
export const cellbeLimits = `
elements 2..64 = ["PPE","SPE1","SPE3","SPE5","SPE7","IOIF1","IOIF0","SPE6","SPE4","SPE2","SPE0","MIC"]
elements[] 1..
ringsPerDirection 1..64 = 2
bytesPerBusCycle 1.. = 16
busClockGHz >0.. = 1.6
coreClockGHz >0.. = 3.2
packetBytes 1.. = 128
beatsPerPacket 1.. = 8
maxPerRing 1.. = 3
maxHops 1.. = 6
ringStartGapBusCycles 0.. = 3
commandsPerBusCycle 1.. = 1
mfcQueue 1.. = 16
mfcProxyQueue 1.. = 8
maxDmaBytes 1.. = 16384
maxListElements 1.. = 2048
tagGroups 1.. = 32
localStoreBytes 1.. = 262144
memoryBytes 1.. = 262144
priority = ["MIC"]
sharedPort = ["MIC"]
issueBusCycles 0.. = 5
setupBusCycles 0.. = 15
listFetchBusCycles 0.. = 5
commandLatencyBusCycles 2.. = 50
dataPipelineBusCycles 0.. = 62
commandCredits 1.. = 32
memory = "pattern" of pattern zero
programErrors = "finding" of finding result
calibrated = false
calibration.efficiency >0..1 = 0.96
calibration.maxHopSumPerRing 1.. = 8
calibration.sixHopHoldCycles 1.. = 10
`;
