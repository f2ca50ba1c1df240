import type { AddOp, AluOp, Slot } from '../../../actors/grape/program.ts';
import type { Resolved } from './components.ts';
import type { DiagnosticLog } from './diagnostic-log.ts';
import { type Operand, samePlace } from './operands.ts';

/** What the units of a slot read and write, as the port rules see it. */
interface Traffic {
  readonly reads: readonly Operand[];
  readonly writes: readonly Operand[];
}

function trafficOf({ opcode, operands }: Resolved): Traffic {
  switch (opcode.unit) {
    case 'imm':
      return { reads: [], writes: operands };
    case 'bm':
      return { reads: operands.slice(0, 1), writes: operands.slice(1) };
    case 'rrn':
    case 'idp':
      return { reads: [], writes: [] };
    default:
      return { reads: operands.slice(0, 2), writes: operands.slice(2) };
  }
}

const distinct = (operands: readonly Operand[]): Operand[] =>
  operands.filter((one, at) => operands.findIndex((other) => samePlace(one, other)) === at);

const isLm = ({ ref }: Operand): boolean => ref.kind === 'lm' || ref.kind === 'ind';

/**
 * The port rules of a slot (GRAPE specification 3.5): one read of local memory, `grfReadPorts` reads of the register file, and the input
 * that a transfer to broadcast memory shares with adder and ALU.
 *
 * Errors: E_LM_PORT, E_GRF_PORT, E_BM_PORT.
 */
export function checkPorts(
  components: readonly Resolved[],
  grfReadPorts: number,
  diagnosticLog: DiagnosticLog,
): void {
  const reads = components.flatMap((component) => trafficOf(component).reads);
  const lm = distinct(reads.filter(isLm));
  if (lm.length > 1) diagnosticLog.fail('E_LM_PORT', lm[1]!.token);
  const grf = distinct(reads.filter(({ ref }) => ref.kind === 'grf'));
  if (grf.length > grfReadPorts) diagnosticLog.fail('E_GRF_PORT', grf[grfReadPorts]!.token);
  const bm = components.find(({ opcode }) => opcode.unit === 'bm');
  const sources = components
    .filter(({ opcode }) => opcode.unit === 'fadd' || opcode.unit === 'ialu')
    .flatMap((component) => trafficOf(component).reads);
  const [from] = bm?.operands ?? [];
  if (!from || from.ref.kind === 'bm' || sources.length === 0) return;
  if (!sources.some((source) => samePlace(source, from))) diagnosticLog.fail('E_BM_PORT', from.token);
}

const memoryOf = ({ ref }: Operand): 'grf' | 'lm' | 't' | undefined => {
  if (ref.kind === 'grf') return 'grf';
  if (ref.kind === 't' || ref.kind === 'ti') return 't';
  return isLm({ ref } as Operand) ? 'lm' : undefined;
};

/** Warns of memories that two units write, and of units that write two places of one memory (GRAPE specification 3.5). */
export function warnOfWrites(components: readonly Resolved[], diagnosticLog: DiagnosticLog): void {
  const writers = components.map((component) => trafficOf(component).writes);
  for (const memory of ['grf', 'lm', 't'] as const) {
    const here = writers.map((writes) => writes.filter((one) => memoryOf(one) === memory));
    const busy = here.filter((writes) => writes.length > 0);
    if (busy.length > 1) diagnosticLog.warn('W_UNIT_OUT', busy[1]![0]!.token);
    if (memory === 't') continue;
    for (const writes of here)
      if (distinct(writes).length > 1) diagnosticLog.warn('W_MULTI_WRITE', distinct(writes)[1]!.token);
  }
}

/** True when a slot uses the unit whose flag `mof` (adder) or `moi` (ALU) stores. */
export const usesUnit = (slot: Pick<Slot, 'add'>, unit: (AddOp | AluOp)['unit']): boolean =>
  slot.add?.unit === unit;
