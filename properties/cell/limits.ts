/** Limits and defaults of the configuration, as `limitsOf` and `fixedIn` write them. */
export const cellLimits = `
N 1..1024 = 8
K 1..64 = 2
memSize 1..1073741824 = 4096
run = "untilIdle"
run| only untilIdle
run|.cycles 0..
policy = "sjf-detour" of etalon-hol etalon-ff fifo-both sjf-detour sjf-plan
selfTransfer = "point" of point reject
zeroSize = "complete" of complete reject
maxOutstanding = null
maxOutstanding| 1..
boundedWait = null
boundedWait|.factor >0.. = 4
boundedWait|.cap = null
boundedWait|.cap| 0..
maxInstrPerCycle 1.. = 100000
programErrors = "finding" of finding result
memory = "pattern" of pattern zero
interleaving = "auto" of auto ordered free
detail = "step" of step burst
arbiter = "auto" of auto explicit fast
skipIdle = true
planSeed -9007199254740991.. = 1
`;
