import type { Machine } from '../machine.ts';
import {
  assembleCellbe,
  type CellbeConfig,
  type CellbePrograms,
  type CellbeResult,
  cellbeConfig,
  cellbePrograms,
  checkCellbe,
} from './cellbe.ts';
import { cellbeMutants } from './cellbe-mutants.ts';

/**
 * The preset of the Cell machine that models the real Element Interconnect Bus (Cell specification 19).
 *
 * Details: a machine of its own in scenario files, since elements, programs and figures are others than those of the ring machine.
 * Gotchas: read the notes of its result before quoting a figure; `calibrated` is a fit, not a validation.
 */
export const cellbeMachine: Machine<CellbeConfig, CellbePrograms, CellbeResult> = {
  name: 'cellbe',
  // A cycle of the bus.
  tickFemtoseconds: ({ busClockGHz }) => Math.round(1e6 / busClockGHz),
  config: cellbeConfig,
  programs: cellbePrograms,
  mutants: cellbeMutants,
  check: checkCellbe,
  assemble: (given) => assembleCellbe(given),
  figures: (result) => [
    {
      label: 'throughput',
      value: `${result.GBps.toFixed(1)} GB/s (${result.calibrated ? 'calibrated: a fit, not a validation' : 'ideal arbiter'})`,
    },
    { label: 'bus cycles', value: `${result.busCycles} (${(1e6 * result.seconds).toFixed(2)} us)` },
    {
      label: 'bytes',
      value: `${result.bytes} in ${result.packets} packets of ${result.commands} commands${result.incomplete ? ', not all complete' : ''}`,
    },
    {
      label: 'latency of a command',
      value: `mean ${result.latency.ns.mean.toFixed(0)} ns, ${result.latency.ns.min.toFixed(0)} to ${result.latency.ns.max.toFixed(0)} ns`,
    },
    {
      label: 'ring occupation',
      value: result.rings.map(({ occupation }) => `${(100 * occupation).toFixed(1)} %`).join(', '),
    },
    ...result.elements
      .filter(({ sentBytes, receivedBytes }) => sentBytes + receivedBytes > 0)
      .map(({ element, sentGBps, receivedGBps }) => ({
        label: element,
        value: `sent ${sentGBps.toFixed(1)} GB/s, received ${receivedGBps.toFixed(1)} GB/s`,
      })),
    ...result.exceptions.map(({ element, why }) => ({ label: `exception in ${element}`, value: why })),
    { label: 'memory hash', value: result.memHash },
    ...result.notes.map((note) => ({ label: 'note', value: note })),
  ],
};
