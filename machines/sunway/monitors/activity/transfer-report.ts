import type { TimingTable } from '../../../../actors/sunway/timing/timing-table.ts';
import { coreNames } from '../deadlock/core-names.ts';
import type { Activity } from './activity.ts';
import { bandwidthOf, type ControllerFigures, peakBytesPerCycle } from './bandwidth.ts';
import { type TransferAdvice, transferAdvice } from './transfer-advice.ts';

/** What the transfers of a run came to, and what could make them faster. */
export interface TransferReport {
  readonly controllers: readonly ControllerFigures[];
  readonly advice: readonly TransferAdvice[];
  /** The same for people. */
  readonly lines: readonly string[];
}

/** Pieces of advice that a report of a run tells. */
const adviceTold = 5;

/** Adds up the transfers of a run (Sunway specification 14). */
export function transferReport(activity: Activity, timing: TimingTable): TransferReport {
  const { controllers } = bandwidthOf(activity);
  const advice = transferAdvice(activity, timing);
  const lines = [
    ...controllers.map(controllerText),
    ...advice
      .slice(0, adviceTold)
      .map(
        (one) =>
          `${placeOf(one)}: ${one.finding} (about ${one.lostCycles} cycles of all together); ${one.cure}`,
      ),
  ];
  return { controllers, advice, lines };
}

/** What a controller moved, beside its peak. */
export const controllerText = ({
  group,
  getBytes,
  putBytes,
  busyCycles,
  bytesPerCycle,
  shareOfPeak,
}: ControllerFigures): string =>
  `controller ${group}: ${getBytes} bytes got, ${putBytes} put in ${busyCycles} busy cycles: ${bytesPerCycle.toFixed(1)} of ${peakBytesPerCycle.toFixed(1)} bytes a cycle, ${Math.round(100 * shareOfPeak)} % of the peak`;

const placeOf = ({ call, place }: TransferAdvice): string =>
  place === undefined ? call : `${place} ${call}`;

/** Pieces of advice in the words of a list, each with place, cost and cure. */
export function adviceText(advice: readonly TransferAdvice[]): string {
  if (advice.length === 0) return 'transfers: nothing that alignment, size or overlap would make faster\n';
  const told = advice.map((one, index) =>
    [
      `${index + 1}. ${placeOf(one)}, ${one.bytes} bytes of ${coreNames(one.cores)}`,
      `   ${one.finding}`,
      `   cost: about ${one.lostCycles} cycles, of all together`,
      `   cure: ${one.cure}`,
    ].join('\n'),
  );
  return `transfers that could be faster, the dearest first; costs are estimates by the formulas of the model\n${told.join('\n')}\n`;
}
