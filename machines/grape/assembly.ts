import type { BlockSpec } from '../../actors/grape/block/block.ts';
import { BroadcastMemory } from '../../actors/grape/block/broadcast-memory.ts';
import { LaneBlock } from '../../actors/grape/block/lane-block.ts';
import { ReferenceBlock } from '../../actors/grape/block/reference-block.ts';
import { WasmBlock } from '../../actors/grape/block/wasm-block.ts';
import { broadcastBlock } from '../../actors/grape/broadcast-block.ts';
import { controlProcessor } from '../../actors/grape/control-processor.ts';
import { externalMemory } from '../../actors/grape/external-memory.ts';
import { type HostProgram, host } from '../../actors/grape/host.ts';
import { tableOf, tablesOf, unitsOf } from '../../actors/grape/host-tables.ts';
import { inputPort } from '../../actors/grape/input-port.ts';
import { outputPort } from '../../actors/grape/output-port.ts';
import { peBroadcastShorts, processingElement } from '../../actors/grape/processing-element.ts';
import type { Program } from '../../actors/grape/program.ts';
import { grapeProtocol } from '../../actors/grape/protocol.ts';
import { reductionNetwork } from '../../actors/grape/reduction-network.ts';
import type { Address } from '../../kernel/message.ts';
import { fixed } from '../../kernel/resource.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { GrapeConfig } from './config.ts';
import { ChipMisfit, misfitsOf } from './misfits.ts';

/** The state machines that a chip is wired from; mutants replace some. */
export interface GrapeParts {
  readonly host: typeof host;
  readonly controlProcessor: typeof controlProcessor;
  readonly externalMemory: typeof externalMemory;
  readonly inputPort: typeof inputPort;
  readonly reductionNetwork: typeof reductionNetwork;
  readonly outputPort: typeof outputPort;
  readonly broadcastBlock: typeof broadcastBlock;
  readonly processingElement: typeof processingElement;
  readonly makeBlock: Record<GrapeConfig['engine'], typeof LaneBlock | typeof ReferenceBlock>;
}

/** The chip as specified. */
export const soundParts: GrapeParts = {
  host,
  controlProcessor,
  externalMemory,
  inputPort,
  reductionNetwork,
  outputPort,
  broadcastBlock,
  processingElement,
  makeBlock: { wasm: WasmBlock, lanes: LaneBlock, reference: ReferenceBlock },
};

/** A wired chip. */
export interface Wired {
  readonly wiring: Wiring;
  readonly host: Address;
  readonly blocks: readonly Address[];
}

/**
 * Wires host, control processor, memories, ports, blocks and reduction network (GRAPE specification 6.1). Without a program of the host,
 * calls come from outside.
 *
 * Errors: `ChipMisfit` for a program that names what the chip does not have.
 */
export function wire(
  config: GrapeConfig,
  program: Program,
  running: HostProgram | null,
  parts = soundParts,
): Wired {
  const { nBB, nPE, lmShort, grfShort, bmShort, emLong, mode, engine, compat, detail, peActors } = config;
  const [misfit] = misfitsOf(program, config);
  if (misfit !== undefined) throw new ChipMisfit(misfit);
  const wiring = new Wiring();
  wiring.zeroCopy = true;
  wiring.speak(grapeProtocol, { checked: false });
  const [hostAt, control, memory, input, reduction, output] = [
    'Host',
    'ControlProcessor',
    'ExternalMemory',
    'InputPort',
    'ReductionNetwork',
    'OutputPort',
  ].map((name) => wiring.reserve(name)) as [Address, Address, Address, Address, Address, Address];
  const blocks = Array.from({ length: nBB }, (_, number) => wiring.reserve(`Block[${number}]`));
  wiring.place(hostAt, parts.host, {
    control,
    memory,
    chip: fixed(program),
    nBB,
    nPE,
    emLong,
    timing: config,
    compat,
    program: running,
  });
  wiring.place(control, parts.controlProcessor, {
    host: hostAt,
    blocks,
    inputPort: input,
    reduction,
    timing: config,
  });
  wiring.place(memory, parts.externalMemory, {
    inputPort: input,
    latency: config.emLatency,
    tables: tablesOf(program, 'elt').map((elt) => ({
      elt,
      records: program.type === 1 ? null : recordsOf(program, elt),
      units: unitsOf(tableOf(program, 'elt', elt)),
    })),
  });
  wiring.place(input, parts.inputPort, { control, memory, blocks, timing: config });
  wiring.place(reduction, parts.reductionNetwork, {
    control,
    output,
    blocks,
    timing: config,
  });
  wiring.place(output, parts.outputPort, { host: hostAt, outCycles: config.outCycles });
  for (const [number, self] of blocks.entries()) {
    const spec = { nPE, number, lmShort, grfShort, bmShort, mode };
    wiring.place(self, parts.broadcastBlock, {
      number,
      control,
      reduction,
      detail,
      ...(peActors
        ? { block: new BroadcastMemory(spec), pes: placePes(wiring, self, control, spec, engine, parts) }
        : { block: new parts.makeBlock[engine](spec) }),
    });
  }
  if (running) wiring.begin({ to: hostAt, type: 'host.begin' });
  return { wiring, host: hostAt, blocks };
}

/** Places the PEs of a block as actors of their own. */
function placePes(
  wiring: Wiring,
  owner: Address,
  control: Address,
  spec: BlockSpec,
  engine: GrapeConfig['engine'],
  parts: GrapeParts,
): readonly Address[] {
  return Array.from({ length: spec.nPE }, (_, number) =>
    wiring.place(`Block[${spec.number}].Pe[${number}]`, parts.processingElement, {
      number,
      blockNumber: spec.number,
      owner,
      control,
      block: new parts.makeBlock[engine]({ ...spec, nPE: 1, firstPe: number, bmShort: peBroadcastShorts }),
    }),
  );
}

/** Several regions may name the same table (GRAPE specification 3.3): it has the records of the largest. */
const recordsOf = ({ regions }: Program, elt: number): number =>
  Math.max(0, ...regions.filter((region) => region.elt === elt).map(({ count }) => count));
