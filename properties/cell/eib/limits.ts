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
adjacentPairs: A 4 from 0 put B 0 131072 16384 to 0 put B 49152 180224 16384, B 4 from 0 put A 0 131072 16384 to 0 put A 49152 180224 16384, C 4 from 0 put D 0 131072 16384 to 0 put D 49152 180224 16384, D 4 from 0 put C 0 131072 16384 to 0 put C 49152 180224 16384
allToMemory: SPE0 2 from 0 get MIC 131072 0 16384 to 0 get MIC 147456 16384 16384, SPE1 2 from 0 put MIC 0 131072 16384 to 0 put MIC 16384 147456 16384, SPE2 2 from 0 get MIC 131072 0 16384 to 0 get MIC 147456 16384 16384, SPE3 2 from 0 put MIC 0 131072 16384 to 0 put MIC 16384 147456 16384, SPE4 2 from 0 get MIC 131072 0 16384 to 0 get MIC 147456 16384 16384, SPE5 2 from 0 put MIC 0 131072 16384 to 0 put MIC 16384 147456 16384, SPE6 2 from 0 get MIC 131072 0 16384 to 0 get MIC 147456 16384 16384, SPE7 2 from 0 put MIC 0 131072 16384 to 0 put MIC 16384 147456 16384
fourPairs: SPE1 16 from 0 put SPE3 0 131072 16384 to 0 put SPE3 49152 180224 16384, SPE3 16 from 0 put SPE1 0 131072 16384 to 0 put SPE1 49152 180224 16384
hotSpot: SPE1 2 from 0 get SPE0 131072 0 16384 to 0 get SPE0 147456 16384 16384, SPE2 2 from 0 get SPE0 131072 0 16384 to 0 get SPE0 147456 16384 16384, SPE3 2 from 0 get SPE0 131072 0 16384 to 0 get SPE0 147456 16384 16384, SPE4 2 from 0 get SPE0 131072 0 16384 to 0 get SPE0 147456 16384 16384, SPE5 2 from 0 get SPE0 131072 0 16384 to 0 get SPE0 147456 16384 16384, SPE6 2 from 0 get SPE0 131072 0 16384 to 0 get SPE0 147456 16384 16384, SPE7 2 from 0 get SPE0 131072 0 16384 to 0 get SPE0 147456 16384 16384
onePair: SPE1 1024 from 0 put SPE3 0 131072 128 to 0 put SPE3 65408 196480 128, SPE3 1024 from 0 put SPE1 0 131072 128 to 0 put SPE1 65408 196480 128
pairsOfRows: 1,3 5,7 0,2 4,6, 0,4 1,5 2,6 3,7, 0,1 2,3 4,5 6,7, 0,3 1,2 4,7 5,6, 0,7 1,6 2,5 3,4, 0,5 1,4 2,7 3,6, 0,6 1,7 2,4 3,5
shifted: A 4 from 0 put C 0 131072 16384 to 0 put C 49152 180224 16384, B 4 from 0 put D 0 131072 16384 to 0 put D 49152 180224 16384, C 4 from 0 put E 0 131072 16384 to 0 put E 49152 180224 16384, D 4 from 0 put A 0 131072 16384 to 0 put A 49152 180224 16384, E 4 from 0 put B 0 131072 16384 to 0 put B 49152 180224 16384
`;

/** Numbers of programs as data, as `programLimitsOf` writes them: commands, their lists, those of proxies, waits. */
export const cellbeProgramLimits = `
.*|[]| 6..7
.*|[]|[] 0..
.*|[]|[] of get put
.*|[]|[]| 0..
.*|[]|[] 1..
.*|[]| 5..6
.*|[]|[] of getList putList
.*|[]|[][] 2..2
.*|[]|[][][] 0..
.*|[]|[][][] 1..
.*|[]| 8..9
.*|[]|[] only proxy
.*|[]| 3..3
.*|[]|[] only wait
.*|[]|[][] 0..
`;
