import type { Activity } from './activity.ts';
import { bandwidthOf, type ControllerFigures } from './bandwidth.ts';
import { type TransferAdvice, transferAdvice } from './transfer-advice.ts';

/** What the transfers of a run came to, and what could make them faster. */
export interface TransferReport {
  readonly controllers: readonly ControllerFigures[];
  readonly advice: readonly TransferAdvice[];
  /** The same for people. */
  readonly lines: readonly string[];
}

/** Pieces of advice that are told to people. */
const adviceTold = 5;

/** Adds up the transfers of a run (Sunway specification 14). */
export function transferReport(activity: Activity): TransferReport {
  const { controllers } = bandwidthOf(activity);
  const advice = transferAdvice(activity);
  const lines = [
    ...controllers.map(
      ({ group, getBytes, putBytes, bytesPerCycle, shareOfPeak }) =>
        `core group ${group}: ${getBytes} bytes got, ${putBytes} put, ${bytesPerCycle.toFixed(1)} bytes a busy cycle (${Math.round(100 * shareOfPeak)} % of the peak)`,
    ),
    ...advice
      .slice(0, adviceTold)
      .map(({ call, sentence, lostCycles }) => `${call}: ${sentence} (about ${lostCycles} cycles)`),
  ];
  return { controllers, advice, lines };
}
