import { expect, test } from 'vitest';
import { effort } from '../../../kernel/testing/effort.ts';
import { systemMachine } from '../../../machines/chiplet/system.ts';
import { scheduleProducers } from '../../../scenarios/schedule.ts';
import type { WrittenScenario } from '../../../scenarios/written.ts';
import { GeneratedSubject } from '../../explore/subject.ts';
import { Trials } from '../../explore/trial.ts';
import { systemMachineProperties } from '../machine-properties.ts';
import { timedMark, timedScenarios } from './timed-scenarios.ts';

const subjectOf = (change: (written: WrittenScenario) => WrittenScenario) =>
  new GeneratedSubject({
    machine: systemMachine,
    properties: systemMachineProperties,
    arbitrary: timedScenarios.map(change),
    seed: 20,
  });

const findingsOf = (subject: GeneratedSubject, index: number): readonly string[] =>
  new Trials(subject.scenario(index), systemMachine, systemMachineProperties)
    .attempt(scheduleProducers.fifo(1))
    .outcome.violations.map(({ why }) => why);

test('kernels with a few instructions more take the cycles more that their configuration says', () => {
  const subject = subjectOf((written) => written);

  for (let index = 0; index < effort({ short: 16, long: 40 }); index++)
    expect(findingsOf(subject, index)).toEqual([]);
});

test('another number of instructions is found', () => {
  // Of a chain that has one instruction more than it says.
  const subject = subjectOf((written) => ({
    ...written,
    programs: {
      ...(written.programs as object),
      kernels: (written.programs as { kernels: readonly { name: string; text: string }[] }).kernels.map(
        (one) => ({
          ...one,
          text: one.text.replace(
            new RegExp(`^${timedMark}chain (\\w+) (\\d+)`),
            (_, of, more) => `${timedMark}chain ${of} ${Number(more) + 1}`,
          ),
        }),
      ),
    },
  }));

  const length = effort({ short: 16, long: 40 });
  const found = Array.from({ length }, (_, index) => findingsOf(subject, index)).flat();

  expect(found.length).toBeGreaterThan(effort({ short: 1, long: 5 }));
  for (const why of found) expect(why).toMatch(/more of \w+ \(chain\) take \d+ cycles more, not \d+/);
});
