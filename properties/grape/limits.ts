/** Limits and defaults of the configuration, as `limitsOf` and `fixedIn` write them. */
export const grapeLimits = `
nBB 1..64 = 2
nPE 1..1024 = 2
mode = "pipelined" of pipelined functional
lmShort 8..65536 = 512
grfShort 16..1024 = 64
bmShort 16..65536 = 2048
emLong 1..33554432 = 33554432
grfReadPorts 1..8 = 2
clockHz >0.. = 500000000
slotMin 1.. = 4
idpHeader 0.. = 1
idpLatency 1.. = 4
levelCycles 1.. = 2
outCycles 1.. = 2
emLatency 0.. = 8
hostCall 0.. = 2000
hostWord 0.. = 4
jPolicy = "overlap" of overlap serial
portPolicy = "fault" of fault stall
engine = "wasm" of wasm lanes reference
detail = "slot" of slot element
peActors = false
type| only 1
type| only 2
schedule = false
strictHazards = false
compat.legacy = false
compat.ilUpperBug = false
compat.narrowMode = "nearest" of nearest truncate
compat.autoRegister = false
compat.emClobber = false
compat.roundPolicy = "anyShort" of anyShort first allShort
: scratchShorts 8
chipSizes: bmShort 2048, grfShort 64, lmShort 512
inputConversions.0: cType double, hostBits 64, hostWords 1, long true, name flt64to72, number 0
inputConversions.1: cType double, hostBits 64, hostWords 1, long false, name flt64to36, number 1
inputConversions.2: cType float, hostBits 32, hostWords 1, long false, name flt32to36, number 2
inputConversions.3: cType int64, hostBits 64, hostWords 1, long true, name fix64to72l, number 3
inputConversions.4: cType int64, hostBits 64, hostWords 1, long true, name fix64to72rs, number 4
inputConversions.5: cType int64, hostBits 64, hostWords 1, long true, name fix64to72ru, number 5
inputConversions.6: cType int64, hostBits 64, hostWords 1, long false, name fix64to36, number 6
inputConversions.7: cType int32, hostBits 32, hostWords 1, long false, name fix32to36l, number 7
inputConversions.8: cType int32, hostBits 32, hostWords 1, long false, name fix32to36rs, number 8
inputConversions.9: cType int32, hostBits 32, hostWords 1, long false, name fix32to36ru, number 9
libraryCodes: badCount -2, done 0, machineFault -4, notInitialised -1, notRegistered -3
outputConversions.0: cType double, hostBits 64, hostWords 1, long true, name flt72to64, number 0
outputConversions.1: cType double, hostBits 64, hostWords 1, long false, name flt36to64, number 1
outputConversions.2: cType int64, hostBits 64, hostWords 1, long true, name fix72to64l, number 2
outputConversions.3: cType int64, hostBits 64, hostWords 1, long true, name fix72to64r, number 3
outputConversions.4: cType int64, hostBits 64, hostWords 2, long true, name fix72to64w, number 4
word: exponentBias 1023, exponentMax 2047, fractionBits 60, fractionMask 1152921504606846975, longBits 72, longMask 4722366482869645213695, longPrecision 61, shortBits 36, shortMask 68719476735, shortPrecision 25
`;
