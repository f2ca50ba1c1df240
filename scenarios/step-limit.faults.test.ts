import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { limitSteps, withinStepLimit } from './step-limit.ts';

limitSteps();
vi.stubEnv('LOCKSTEP_STEP_SECONDS', '0.2');
// Others are tested in the same process.
afterAll(() => {
  vi.unstubAllEnvs();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** The process has had so much of the processor since it began, of each second. */
function share(of: number): void {
  vi.spyOn(process, 'uptime').mockReturnValue(100);
  vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 90e6 * of, system: 10e6 * of });
}

/** Works for so many milliseconds. */
const busy = (milliseconds: number) => () => {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
  return 'done';
};

test('a step has more time on a computer that has other work to do', () => {
  share(0.1);

  expect(withinStepLimit('s.yaml', busy(300))).toBe('done');
});

test.each([
  ['alone', 1, 400],
  ['beside so many others that all is ten times slower', 0.01, 2500],
])('a step without an end is ended %s', (_, of, milliseconds) => {
  share(of);

  expect(() => withinStepLimit('s.yaml', busy(milliseconds))).toThrow('found no end of a step after 0.2 s');
});
