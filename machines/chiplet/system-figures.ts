import { cycleText } from '../../kernel/wait-cycle.ts';
import type { Figure } from '../machine.ts';
import { lostText } from './network-machine.ts';
import { standstillFigures } from './standstill.ts';
import type { SystemResult } from './system.ts';

/** The result of a system for people. */
export function systemFigures(result: SystemResult): readonly Figure[] {
  const { mode, cycles, chiplets, messages, network, totals, rounds, power, warnings } = result;
  const { blocked, circle, meetings } = result;
  const watts = (value: number): string => `${value.toPrecision(6)} W`;
  return [
    { label: 'total cycles', value: `${Number(cycles.toFixed(3))} (${mode})` },
    ...(totals
      ? [
          {
            label: 'formula A',
            value: `${totals.synchronisations} synchronisations * ${network.avgDelay.toFixed(3)} + ${totals.gpuCycles} = ${totals.formulaA.toFixed(3)}`,
          },
          {
            label: 'formula B',
            value: `16 * ${network.avgDelay.toFixed(3)} + ${totals.gpuCycles} = ${totals.formulaB.toFixed(3)}`,
          },
        ]
      : []),
    ...(rounds ?? []).map(({ round, cycles: took, transactions, converged }) => ({
      label: `round ${round}`,
      value: `${took} cycles, ${transactions} transactions${converged ? ', converged' : ''}`,
    })),
    {
      label: 'messages',
      value: `${messages.sent} sent, ${messages.delivered} delivered, ${messages.unread} unread`,
    },
    {
      label: 'network',
      value: `${network.finished} packets${lostText(network)}, average delay ${network.avgDelay.toFixed(3)} cycles`,
    },
    {
      label: 'power',
      value: `GPU ${watts(power.gpu)} + CPU ${watts(power.cpu)} + network ${watts(power.network)} = ${watts(power.total)}`,
    },
    ...(meetings
      ? [
          {
            label: 'meetings',
            value: `${meetings.over}; file: ${meetings.file.trimEnd().split('\n').join(' | ')}`,
          },
        ]
      : []),
    ...chiplets.map(({ at, kind, cycles: own, sent, received }) => ({
      label: `${kind} (${at.join(', ')})`,
      value: `${own} cycles, ${sent} sent, ${received} received`,
    })),
    ...warnings.map((value) => ({ label: 'warning', value })),
    ...blocked.map((value) => ({ label: 'blocked', value })),
    ...(circle.length > 0 ? [{ label: 'circle', value: cycleText(circle) }] : []),
    ...standstillFigures(network),
  ];
}
