import { z } from 'zod';
import {
  type CycleBarrierContext,
  cycleBarrier,
  intervalOf,
} from '../../actors/chiplet/interchiplet/cycle-barrier.ts';
import { type PacedChipletContext, pacedChiplet } from '../../actors/chiplet/interchiplet/paced-chiplet.ts';
import { placeText } from '../../actors/chiplet/interchiplet/place.ts';
import { synchronizationText } from '../../actors/chiplet/interchiplet/synchronization-file.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { mutantSentences, withMutants } from '../mutant.ts';
import { cycleBarrierMutants, type PaceParts } from './interchiplet-pace-mutants.ts';
import type { ChipletKind } from './kind.ts';

const cycles = z
  .int()
  .min(0)
  .max(2 ** 40);
const interval = cycles.min(1);

const config = z.strictObject({
  cycle: cycles.default(12_000).describe('S: cycle of the first meeting'),
  interval: z
    .union([interval, z.array(interval).min(1)])
    .default(20_000)
    .describe('I: cycles from a meeting to the next, or a list of them, whose last one stays'),
});

const programs = z
  .array(
    z.strictObject({
      x: z.int().min(0).max(99).describe('first coordinate of the chiplet'),
      y: z.int().min(0).max(99).describe('second coordinate'),
      cycles: cycles.describe('cycles after which it has finished'),
      pace: cycles.min(1).default(1000).describe('cycles that it simulates in a tick of the host at most'),
    }),
  )
  .min(1)
  .max(1024)
  .describe('chiplets and how long they run');

/** Configuration of chiplets at a cycle barrier. */
export type PaceConfig = z.output<typeof config>;
/** Checked chiplets. */
export type PacePrograms = z.output<typeof programs>;

/** How chiplets and barrier stand. */
export interface PaceResult {
  /** Cycle counters in the order of the chiplets. */
  readonly cycles: readonly number[];
  /** Meetings that are over. */
  readonly meetings: number;
  /** The synchronisation file. */
  readonly file: string;
}

const soundParts: PaceParts = { cycleBarrier, pacedChiplet };

/** Chiplets that meet every so many cycles (chiplet specification 10). */
export const cycleBarrierMachine: ChipletKind<PaceConfig, PacePrograms, PaceResult> = {
  config,
  programs,
  mutants: mutantSentences(cycleBarrierMutants),
  check: (_config, chiplets) =>
    chiplets.flatMap((one, index) =>
      chiplets.findIndex((other) => placeText(other) === placeText(one)) < index
        ? [
            {
              path: ['programs', index],
              found: `a second chiplet at (${placeText(one)})`,
              expected: 'each place once',
            },
          ]
        : [],
    ),
  assemble: ({ config: given, programs: chiplets, mutants }) => {
    const parts = withMutants(soundParts, cycleBarrierMutants, mutants);
    const wiring = new Wiring();
    const addresses = chiplets.map((place) => wiring.reserve(`Chiplet[${placeText(place)}]`));
    const barrier = wiring.reserve('CycleBarrier');
    for (const [index, self] of addresses.entries()) {
      const { cycles: own, pace } = chiplets[index]!;
      wiring.place(self, parts.pacedChiplet, {
        self,
        barrier,
        chiplet: index,
        cycles: own,
        pace,
        firstMeeting: given.cycle,
      });
      wiring.begin({ to: self, type: 'chiplet.run' });
    }
    wiring.place(barrier, parts.cycleBarrier, {
      chiplets: chiplets.map(({ x, y }, index) => ({ address: addresses[index]!, place: { x, y } })),
      cycle: given.cycle,
      intervals: typeof given.interval === 'number' ? [given.interval] : given.interval,
    });
    return {
      wiring,
      result: (run) => {
        const b = run.part(barrier).context as unknown as CycleBarrierContext;
        const counters = addresses.map(
          (address) => (run.part(address).context as unknown as PacedChipletContext).cycle,
        );
        const arrived = [...b.arrived, ...b.finished].map((index) => b.chiplets[index]!.place);
        const file = synchronizationText({ cycle: b.cycle, interval: intervalOf(b), arrived });
        return { cycles: counters, meetings: b.generation, file };
      },
    };
  },
  figures: (result) => [
    { label: 'cycles', value: result.cycles.join(', ') },
    { label: 'meetings', value: String(result.meetings) },
    { label: 'file', value: result.file.trimEnd().split('\n').join(' | ') },
  ],
};
