import type { Inputs } from '../../refused-inputs.ts';

const programs = (of: object): Readonly<Record<string, unknown>> => ({ programs: of });
const put = (element: unknown) => [0, 'put', 0, element, 0, 16];
const list = (element: unknown) => [0, 'getList', 0, element, [[0, 16]]];
const proxy = (on: unknown, element: unknown) => [0, 'proxy', on, 'put', 0, element, 0, 16];

/** Programs of elements, and commands to elements, that a bus has or has not (Cell specification 19). */
export const cellbeInputs: Inputs = {
  right: {
    config: { elements: ['PPE', 'SPE0', 'MIC'], maxHops: 2, sharedPort: [], priority: [] },
    programs: {},
  },
  wrong: [
    [{ 'config.maxHops': 1 }, ''],
    [{ 'config.maxHops': 3 }, 'expected 1..2 hops', 'config'],
    [{ 'config.elements': ['PPE', 'PPE', 'MIC'] }, 'expected different names', 'config'],
    [{ 'config.elements': ['PPE', '7', 'MIC'] }, 'expected names that are not numbers', 'config'],
    [{ 'config.beatsPerPacket': 9 }, 'expected packetBytes / bytesPerBusCycle = 8', 'config'],
    [{ 'config.calibration': { sixHopHoldCycles: 8 } }, ''],
    [{ 'config.calibration': { sixHopHoldCycles: 7 } }, 'expected sixHopHoldCycles of at least 8', 'config'],
    [{ 'config.bytesPerBusCycle': 8, 'config.beatsPerPacket': 16 }, ''],
    [
      { 'config.bytesPerBusCycle': 8, 'config.beatsPerPacket': 16, 'config.calibrated': true },
      'expected sixHopHoldCycles of at least 16',
      'config',
    ],
    [{ 'config.priority': ['SPE0'], 'config.sharedPort': ['MIC'] }, ''],
    [{ 'config.priority': ['SPE1'] }, 'found "SPE1", expected elements: PPE, SPE0, MIC', 'config'],
    [{ 'config.sharedPort': ['XDR'] }, 'found "XDR", expected elements: PPE, SPE0, MIC', 'config'],
    [programs({ SPE0: [put('MIC'), put(0), put('2'), [0, 'wait', [0]]], '0': [] }), ''],
    [programs({ SPE1: [] }), 'SPE1', 'programs.SPE1'],
    [programs({ '3': [] }), '3', 'programs.3'],
    [programs({ '1': [], SPE0: [] }), 'a second program of SPE0', 'programs.SPE0'],
    [programs({ SPE0: [put('MIC'), put('SPE1')] }), 'SPE1', 'programs.SPE0.1.3'],
    [programs({ SPE0: [put(3)] }), '3', 'programs.SPE0.0.3'],
    [programs({ SPE0: [list('MIC'), list('XDR')] }), 'XDR', 'programs.SPE0.1.3'],
    [programs({ PPE: [proxy('SPE0', 'MIC'), proxy('SPE4', 'MIC')] }), 'SPE4', 'programs.PPE.1.2'],
    [programs({ PPE: [proxy('SPE0', 'SPE5')] }), 'SPE5', 'programs.PPE.0.5'],
  ],
};
