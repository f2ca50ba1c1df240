import { expect, test } from 'vitest';
import { cellMachine } from '../cell.ts';
import { cellbeMachine } from './cellbe-machine.ts';

test('what a Cell machine is where its configuration says nothing (Cell specification 2)', () => {
  expect(cellMachine.config.parse({})).toEqual({
    N: 8,
    K: 2,
    memSize: 4096,
    run: 'untilIdle',
    policy: 'sjf-detour',
    selfTransfer: 'point',
    zeroSize: 'complete',
    maxOutstanding: null,
    boundedWait: null,
    maxInstrPerCycle: 100000,
    programErrors: 'finding',
    memory: 'pattern',
    interleaving: 'auto',
    detail: 'step',
    arbiter: 'auto',
    skipIdle: true,
    planSeed: 1,
  });
});

test('the bus of the real chip by itself (Cell specification 18)', () => {
  expect(cellbeMachine.config.parse({})).toEqual({
    elements: [
      'PPE',
      'SPE1',
      'SPE3',
      'SPE5',
      'SPE7',
      'IOIF1',
      'IOIF0',
      'SPE6',
      'SPE4',
      'SPE2',
      'SPE0',
      'MIC',
    ],
    ringsPerDirection: 2,
    bytesPerBusCycle: 16,
    busClockGHz: 1.6,
    coreClockGHz: 3.2,
    packetBytes: 128,
    beatsPerPacket: 8,
    maxPerRing: 3,
    maxHops: 6,
    ringStartGapBusCycles: 3,
    commandsPerBusCycle: 1,
    mfcQueue: 16,
    mfcProxyQueue: 8,
    maxDmaBytes: 16384,
    maxListElements: 2048,
    tagGroups: 32,
    localStoreBytes: 262144,
    memoryBytes: 262144,
    priority: ['MIC'],
    sharedPort: ['MIC'],
    issueBusCycles: 5,
    setupBusCycles: 15,
    listFetchBusCycles: 5,
    commandLatencyBusCycles: 50,
    dataPipelineBusCycles: 62,
    commandCredits: 32,
    memory: 'pattern',
    programErrors: 'finding',
    calibrated: false,
    calibration: { efficiency: 0.96, maxHopSumPerRing: 8, sixHopHoldCycles: 10 },
  });
});
