import { z } from 'zod';
import type { HostProgramFunction } from '../../actors/grape/host.ts';
import type { TimedCall } from '../../actors/grape/host-calls.ts';
import { exactNumber } from '../exact-number.ts';
import { chipSizes } from './assembler/symbols.ts';

const cycles = (least: number, value: number, what: string) =>
  z.int().min(least).default(value).describe(what);

const compat = z.strictObject({
  legacy: z
    .boolean()
    .default(false)
    .describe("let through what the manual's own samples do against its rules (C1, C2)"),
  ilUpperBug: z.boolean().default(false).describe('il constants do not set their upper 36 bits (C15)'),
  narrowMode: z.enum(['nearest', 'truncate']).default('nearest').describe('how flt64to36 drops bits (C14)'),
  autoRegister: z
    .boolean()
    .default(false)
    .describe('i particles after table data register their conversion by themselves (C16)'),
  emClobber: z.boolean().default(false).describe('fetching results destroys external memory (C17)'),
  roundPolicy: z
    .enum(['anyShort', 'first', 'allShort'])
    .default('anyShort')
    .describe('which short destinations round a result to 25 bits (specification 2.4)'),
});

/** PEs a block may have where each is an actor (GRAPE specification 6.1). */
const peActorsMax = 32;

/** Schema of the configuration of the chip (GRAPE specification 1, 4.4, 6.4, 6.5, 0.1). */
export const grapeConfig = z
  .strictObject({
    nBB: z.int().min(1).max(64).default(2).describe('broadcast blocks'),
    nPE: z.int().min(1).max(1024).default(2).describe('PEs a block'),
    mode: z
      .enum(['pipelined', 'functional'])
      .default('pipelined')
      .describe('when writes are seen: as on the chip, or at once'),
    lmShort: z.int().min(8).max(65_536).default(chipSizes.lmShort).describe('local memory, in short words'),
    grfShort: z.int().min(16).max(1024).default(chipSizes.grfShort).describe('register file, in short words'),
    bmShort: z
      .int()
      .min(16)
      .max(65_536)
      .default(chipSizes.bmShort)
      .describe('broadcast memory, in short words'),
    emLong: z
      .int()
      .min(1)
      .max(2 ** 25)
      .default(2 ** 25)
      .describe('external memory, in long words'),
    grfReadPorts: z
      .int()
      .min(1)
      .max(8)
      .default(2)
      .describe('operands of the register file that a slot may read'),
    clockHz: z.number().positive().default(500e6).describe('clock of the chip in Hz'),
    slotMin: cycles(1, 4, 'cycles that a slot takes at least'),
    idpHeader: cycles(0, 1, 'cycles of a packet before its first word'),
    idpLatency: cycles(1, 4, 'cycles from a word at the input port to the word in broadcast memory'),
    levelCycles: cycles(1, 2, 'cycles of a level of the reduction tree'),
    outCycles: cycles(1, 2, 'cycles between two words that leave the chip'),
    emLatency: cycles(0, 8, 'cycles until external memory has the first word after a store or a rewind'),
    hostCall: cycles(0, 2000, 'cycles that a call of the host takes'),
    hostWord: cycles(0, 4, 'cycles that 8 bytes take between host and chip'),
    jPolicy: z
      .enum(['overlap', 'serial'])
      .default('overlap')
      .describe('whether records of the next pass come during a pass or between passes'),
    portPolicy: z
      .enum(['fault', 'stall'])
      .default('fault')
      .describe('what idp or rrn at a busy port does: fault, or wait'),
    engine: z
      .enum(['wasm', 'lanes', 'reference'])
      .default('wasm')
      .describe(
        'how a block calculates: PEs side by side, in WebAssembly where there is any or in JavaScript, or word by word',
      ),
    detail: z
      .enum(['slot', 'element'])
      .default('slot')
      .describe(
        'whether blocks have a message for every cycle, or only for those that could make a difference',
      ),
    peActors: z
      .boolean()
      .default(false)
      .describe(`each PE is an actor of its own, of at most ${peActorsMax} a block: to learn from`),
    type: z
      .union([z.literal(1), z.literal(2)])
      .optional()
      .describe('type of the program: I or II; by its instructions when absent'),
    schedule: z
      .boolean()
      .default(false)
      .describe('the program is written for functional mode: reorder it for the pipeline'),
    strictHazards: z.boolean().default(false).describe('hazards are errors'),
    compat: compat.prefault({}).describe('readings of the manual and bugs of its time'),
  })
  .refine(({ peActors, nPE }) => !peActors || nPE <= peActorsMax, {
    path: ['nPE'],
    error: `with peActors a block has at most ${peActorsMax} PEs: make nPE smaller, or leave peActors out`,
  });

/** Configuration of the chip. */
export type GrapeConfig = z.output<typeof grapeConfig>;

const record = z
  .record(z.string(), z.union([exactNumber, z.array(exactNumber)]))
  .describe('a value for each member; 64-bit integers too large for a float as text');
const count = z.int().min(0);

const at = count
  .optional()
  .describe('cycle before which it is not made; absent: as soon as the call before it is answered');

// The library answers what is below 0 with -2, as it does in the machine.
const asked = z.int();

const hostCall = z.discriminatedUnion('call', [
  z.strictObject({ call: z.literal('init'), at }).describe('constants and the section initialization'),
  z
    .strictObject({
      call: z.literal('sendEltData'),
      at,
      num: count.default(0).describe('number of the table; 0 are j records'),
      record,
      index: asked.default(0).describe('its place in external memory'),
    })
    .describe('a record for external memory'),
  z
    .strictObject({
      call: z.literal('sendIParticle'),
      at,
      particles: z.array(record),
      n: asked.optional().describe('how many of them; all when absent'),
    })
    .describe('i particles, at most four a PE'),
  z
    .strictObject({ call: z.literal('sendHltData'), at, num: count, record, peindex: z.int().default(0) })
    .describe('table data for every PE'),
  z.strictObject({ call: z.literal('registerIParticleConversion'), at }),
  z.strictObject({ call: z.literal('run'), at, n: asked }).describe('n passes of a type I program'),
  z
    .strictObject({ call: z.literal('type2Run'), at, n: asked, length: count.optional() })
    .describe('n passes of a type II program; length is the room for values'),
  z.strictObject({ call: z.literal('getResult'), at }).describe('the results of a type I program'),
  z
    .strictObject({ call: z.literal('alone'), at })
    .describe('every section once, with lines for the simulator'),
]);

const hostFunction = z.custom<HostProgramFunction>((value) => typeof value === 'function');

/** Schema of the programs: the VSM source, macro variables, and what the host does. */
export const grapePrograms = z.strictObject({
  source: z
    .union([
      z.string().describe('a VSM source'),
      z.strictObject({
        file: z.string().describe('a VSM source beside the scenario'),
        text: z.string().optional().describe('its text, filled in when it is loaded'),
      }),
    ])
    .describe('the program of the chip'),
  define: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .default({})
    .describe('macro variables, as -e name=value'),
  host: z
    .union([z.array(hostCall), z.strictObject({ module: z.string(), program: hostFunction.optional() })])
    .default([{ call: 'alone' }])
    .describe(
      'calls of the host in order, or a generator that makes them; the program runs alone when absent',
    ),
});

/** Checked programs. */
export interface GrapePrograms {
  readonly source: string | { readonly file: string; readonly text?: string | undefined };
  readonly define: Readonly<Record<string, string | number>>;
  readonly host:
    | readonly TimedCall[]
    | { readonly module: string; readonly program?: HostProgramFunction | undefined };
}
