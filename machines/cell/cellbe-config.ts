import { z } from 'zod';
import { publishedEib } from '../../actors/cell/eib/eib-spec.ts';
import type { EibOperation, EibResult, ListElement } from '../../actors/cell/eib/operations.ts';

const natural = z.int().min(0);
const count = z.int().min(1);

/** Configuration of the Element Interconnect Bus (Cell specification 19.1 to 19.3); the defaults are the hardware facts listed there. */
export const cellbeConfig = z
  .strictObject({
    elements: z
      .array(z.string().min(1))
      .min(2)
      .max(64)
      .default([...publishedEib.elements])
      .describe('names of the elements in the order in which the rings pass them'),
    ringsPerDirection: count
      .max(64)
      .default(publishedEib.ringsPerDirection)
      .describe('data rings in each direction'),
    bytesPerBusCycle: count
      .default(publishedEib.bytesPerBusCycle)
      .describe('bytes a ring and a port carry in a bus cycle'),
    busClockGHz: z.number().positive().default(1.6).describe('bus cycles per nanosecond'),
    coreClockGHz: z
      .number()
      .positive()
      .default(3.2)
      .describe('core cycles per nanosecond; only converts latencies'),
    packetBytes: count
      .default(publishedEib.packetBytes)
      .describe('a transfer is cut at multiples of this address'),
    beatsPerPacket: count
      .default(8)
      .describe('bus cycles of a full packet: packetBytes / bytesPerBusCycle, checked'),
    maxPerRing: count.default(publishedEib.maxPerRing).describe('packets that one ring carries at once'),
    maxHops: count
      .default(publishedEib.maxHops)
      .describe('longest path; a packet with farther to go takes the other direction'),
    ringStartGapBusCycles: natural
      .default(publishedEib.ringStartGapBusCycles)
      .describe('bus cycles between two starts on one ring'),
    commandsPerBusCycle: count
      .default(publishedEib.commandsPerBusCycle)
      .describe('commands, one a packet, that the command bus takes in a cycle'),
    mfcQueue: count
      .default(publishedEib.mfcQueue)
      .describe("unfinished commands of an element's own program"),
    mfcProxyQueue: count
      .default(publishedEib.mfcProxyQueue)
      .describe('unfinished commands that others gave to an element'),
    maxDmaBytes: count.default(publishedEib.maxDmaBytes).describe('largest DMA command, or piece of a list'),
    maxListElements: count.default(publishedEib.maxListElements).describe('pieces of one list command'),
    tagGroups: count.default(publishedEib.tagGroups).describe('tag groups that a program can wait for'),
    localStoreBytes: count.default(262144).describe('bytes of the store of an SPE'),
    memoryBytes: count.default(262144).describe('bytes behind every other element'),
    priority: z
      .array(z.string())
      .default([...publishedEib.priority])
      .describe('elements served before all others'),
    sharedPort: z
      .array(z.string())
      .default([...publishedEib.sharedPort])
      .describe('elements whose reads and writes together have the bandwidth of one port'),
    issueBusCycles: natural
      .default(publishedEib.issueBusCycles)
      .describe('from a wish of the program to the MFC (10 core cycles)'),
    setupBusCycles: natural
      .default(publishedEib.setupBusCycles)
      .describe('preparation of one command in the MFC (30 core cycles)'),
    listFetchBusCycles: natural
      .default(publishedEib.listFetchBusCycles)
      .describe('fetching one piece of a list (10 core cycles)'),
    commandLatencyBusCycles: z
      .int()
      .min(2)
      .default(publishedEib.commandLatencyBusCycles)
      .describe("from the offer of a packet's command to the earliest start (100 core cycles)"),
    dataPipelineBusCycles: natural
      .default(publishedEib.dataPipelineBusCycles)
      .describe('from the last beat to the bytes in the store; with 8 beats 140 core cycles'),
    commandCredits: count
      .default(publishedEib.commandCredits)
      .describe(
        'packets of one element under way; our decision: from 16 up the four-pair rows do not change',
      ),
    memory: z
      .enum(['pattern', 'zero'])
      .default('pattern')
      .describe('initial bytes: the pattern of the workload format by element number, or zeros'),
    programErrors: z
      .enum(['finding', 'result'])
      .default('finding')
      .describe(
        'a command that no MFC can carry out: a finding, so that the run is not ok, or told in the result only',
      ),
    calibrated: z
      .boolean()
      .default(false)
      .describe('apply the calibration: a fit to four distinct published figures, not a validation'),
    calibration: z
      .strictObject({
        efficiency: z
          .number()
          .positive()
          .max(1)
          .default(0.96)
          .describe('time is stretched by 1 / efficiency'),
        maxHopSumPerRing: count
          .default(publishedEib.calibration.maxHopSumPerRing)
          .describe('hops of all packets on one ring; a packet alone may have more'),
        sixHopHoldCycles: count
          .default(publishedEib.calibration.sixHopHoldCycles)
          .describe('bus cycles for which a full packet with the longest path holds it'),
      })
      .prefault({})
      .describe('constants of the calibration; without effect unless calibrated'),
  })
  .superRefine((config, context) => {
    const { sixHopHoldCycles } = config.calibration;
    const complain = (key: string, message: string) =>
      context.addIssue({ code: 'custom', path: [key], message });
    const { elements, packetBytes, bytesPerBusCycle, beatsPerPacket, maxHops } = config;
    if (new Set(elements).size < elements.length) complain('elements', 'expected different names');
    if (elements.some((name) => /^\d+$/.test(name)))
      complain('elements', 'expected names that are not numbers');
    if (packetBytes / bytesPerBusCycle !== beatsPerPacket)
      complain(
        'beatsPerPacket',
        `expected packetBytes / bytesPerBusCycle = ${packetBytes / bytesPerBusCycle}`,
      );
    if (maxHops < Math.floor(elements.length / 2) || maxHops >= elements.length)
      complain('maxHops', `expected ${Math.floor(elements.length / 2)}..${elements.length - 1} hops`);
    // The value that is there by default does not matter where nothing is calibrated.
    const isWanted = config.calibrated || sixHopHoldCycles !== publishedEib.calibration.sixHopHoldCycles;
    if (isWanted && sixHopHoldCycles < beatsPerPacket)
      complain('calibration', `expected sixHopHoldCycles of at least ${beatsPerPacket}`);
    for (const key of ['priority', 'sharedPort'] as const)
      for (const name of config[key])
        if (!elements.includes(name))
          complain(key, `found "${name}", expected elements: ${elements.join(', ')}`);
  });

/** A checked configuration of the bus. */
export type CellbeConfig = z.output<typeof cellbeConfig>;

/** A program of an element as a generator: `function* () { yield putTo(0, 3, 0, 128); yield waitForTags(0); }`. */
export type EibProgramFunction = (element: number) => Generator<EibOperation, void, EibResult>;

/** What every command of a list says: the bus cycle before which it is not given, its tag group, and who carries it out. */
interface TimedCommand {
  readonly cycle: number;
  readonly kind: 'get' | 'put';
  readonly local: number;
  /** Name or number of the other element. */
  readonly element: string | number;
  /** Tag group, 0 when absent. */
  readonly tag?: number;
  /** Name or number of the element whose MFC carries it out, through its proxy queue; the own one when absent. */
  readonly on?: string | number;
}

/** A DMA command of one piece. */
export interface TimedDma extends TimedCommand {
  readonly address: number;
  readonly size: number;
}

/** A list command: pieces of the other element, one after the other in the own store. */
export interface TimedList extends TimedCommand {
  readonly pieces: readonly ListElement[];
}

/** Waits until no own command of these tag groups is unfinished. */
export interface TimedWait {
  readonly cycle: number;
  readonly tags: readonly number[];
}

/** An entry of a program that is written as data. */
export type TimedEntry = TimedDma | TimedList | TimedWait;

const elementName = z.union([z.string(), natural]);
const kind = z.enum(['get', 'put']);
const tagged = <Entry extends object>(entry: Entry, tag: number | undefined): Entry & { tag?: number } =>
  tag === undefined ? entry : { ...entry, tag };

const timedDma = z
  .tuple([natural, kind, natural, elementName, natural, count, natural.optional()])
  .transform(
    ([cycle, kind, local, element, address, size, tag]): TimedDma =>
      tagged({ cycle, kind, local, element, address, size }, tag),
  );
const timedList = z
  .tuple([
    natural,
    z.enum(['getList', 'putList']),
    natural,
    elementName,
    z.array(z.tuple([natural, count])),
    natural.optional(),
  ])
  .transform(
    ([cycle, op, local, element, pieces, tag]): TimedList =>
      tagged(
        {
          cycle,
          kind: op === 'getList' ? 'get' : 'put',
          local,
          element,
          pieces: pieces.map(([address, size]) => ({ address, size })),
        },
        tag,
      ),
  );
const timedProxy = z
  .tuple([
    natural,
    z.literal('proxy'),
    elementName,
    kind,
    natural,
    elementName,
    natural,
    count,
    natural.optional(),
  ])
  .transform(
    ([cycle, , on, kind, local, element, address, size, tag]): TimedDma =>
      tagged({ cycle, on, kind, local, element, address, size }, tag),
  );
const timedWait = z
  .tuple([natural, z.literal('wait'), z.array(natural)])
  .transform(([cycle, , tags]): TimedWait => ({ cycle, tags }));

const elementProgram = z.union([
  z
    .array(z.union([timedDma, timedList, timedProxy, timedWait]))
    .describe(
      'in order: [cycle, get|put, localAddress, element, address, size, tag?], [cycle, getList|putList, localAddress, element, [[address, size], …], tag?], [cycle, proxy, element, get|put, …], [cycle, wait, [tag, …]]',
    ),
  z.strictObject({
    module: z.string().describe('file.ts#export of a generator function'),
    // The function is loaded after the file was checked.
    program: z
      .custom<EibProgramFunction>((value) => value === undefined || typeof value === 'function')
      .optional(),
  }),
]);

/** The programs of the elements, by name or number of the element; the others do nothing of their own (Cell specification 19). */
export const cellbePrograms = z
  .record(z.string(), elementProgram)
  .describe('programs by name (SPE0, PPE, MIC, …) or number of the element');

/** Checked programs of the elements. */
export type CellbePrograms = z.output<typeof cellbePrograms>;

/** The number of an element from its name or number; -1 when there is none. */
export function elementNumber(config: Pick<CellbeConfig, 'elements'>, element: string | number): number {
  const number = typeof element === 'number' ? element : config.elements.indexOf(element);
  if (number < 0 && /^\d+$/.test(String(element))) return elementNumber(config, Number(element));
  return Number.isInteger(number) && number < config.elements.length ? number : -1;
}
