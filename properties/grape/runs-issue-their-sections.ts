import type { Program, Slot } from '../../actors/grape/program.ts';
import { controlName, grapeProperty, nameOfBlock } from './context.ts';
import { type Expected, slotsOf, slotsOfAll } from './sections.ts';

/** The slots of a job: `lead` transfers of constants, then those before, of each pass, and after. */
interface Course {
  readonly lead: number;
  readonly before: readonly Expected[];
  readonly body: readonly Expected[];
  readonly passes: number;
  readonly after: readonly Expected[];
}

/** Slots in which the last writes come to their places (GRAPE specification 6.3, CP: drain). */
const drained: readonly Expected[] = [
  { slot: null, vlen: 1 },
  { slot: null, vlen: 1 },
];

/** The slot in which the last constant comes to its place: the first slot of the program has nothing before it (GRAPE specification 2.11, 4.3). */
const settled: Expected = { slot: null, vlen: 4 };

interface Memory {
  /** The job under way, and how many passes it has. */
  job: string;
  passes: number;
  issued: number;
}

/** Loop initialization once, the body once a pass, loop finalization once (GRAPE specification 6.4). */
export const runsIssueTheirSections = grapeProperty(
  'a run of n passes issues initialization, n bodies and finalization, nothing else',
  ['control.run', 'slot.issue', 'control.done'],
  (): Memory => ({ job: '', passes: 0, issued: 0 }),
  ({ config: { slotMin }, program }) => {
    const first = nameOfBlock(0);
    const texts = new WeakMap<Slot, string>();
    const textOf = (slot: Slot): string => {
      const known = texts.get(slot);
      if (known !== undefined) return known;
      const text = JSON.stringify(slot, digits);
      texts.set(slot, text);
      return text;
    };
    const courses = new Map<string, Course | undefined>();
    const courseIn = ({ job, passes }: Memory): Course | undefined => {
      const key = `${job} ${passes}`;
      if (!courses.has(key)) courses.set(key, courseOf(program, job, passes));
      return courses.get(key);
    };

    return {
      see(memory, { to, event }, found) {
        switch (event.type) {
          case 'control.run':
            memory.job = event.job.name;
            memory.passes = event.job.passes;
            memory.issued = 0;
            return;
          case 'control.done': {
            const { job, issued } = memory;
            const course = courseIn(memory);
            const total = course ? lengthOf(course) : issued;
            // A fault ends a job early; the slots so far are those of its beginning.
            if (event.fault === null && issued !== total)
              found([controlName], `${job} issued ${issued} slots, not ${total}`);
            return;
          }
          case 'slot.issue': {
            if (to !== first) return;
            const { job } = memory;
            const at = memory.issued++;
            const course = courseIn(memory);
            if (!course) return;
            const expected = slotAt(course, at);
            if (expected === 'constant') {
              if (!event.slot?.bm?.toPe || event.slot.vlen !== 1)
                found([controlName], `slot ${at} of ${job} brings no constant`);
              return;
            }
            const { slot, length } = event;
            // What a fault cuts off ends with the slots that drain.
            if (expected === undefined || (expected.slot !== null && slot === null)) {
              if (expected === undefined || !isDrain(length, slotMin))
                found([controlName], `slot ${at} of ${job} is one too many`);
              return;
            }
            const same =
              expected.slot === slot ||
              (expected.slot !== null && slot !== null && textOf(expected.slot) === textOf(slot));
            if (!same) found([controlName], `slot ${at} of ${job} is line ${slot?.line ?? 'nop'}`);
            else if (length !== Math.max(expected.vlen, slotMin))
              found([controlName], `slot ${at} of ${job} takes ${length} cycles`);
            return;
          }
        }
      },
    };
  },
);

const isDrain = (length: number, slotMin: number): boolean => length === Math.max(1, slotMin);

function courseOf(program: Program, job: string, passes: number): Course | undefined {
  const constants = program.constants.length;
  const behind = constants > 0 ? [settled] : [];
  switch (job) {
    case 'init':
      return {
        lead: constants,
        before: [...behind, ...slotsOf(program, 'initialization')],
        body: [],
        passes: 0,
        after: drained,
      };
    case 'alone':
      return {
        lead: constants,
        before: [...behind, ...slotsOfAll(program)],
        body: [],
        passes: 0,
        after: drained,
      };
    case 'run':
    case 'type2Run':
      return {
        lead: 0,
        before: slotsOf(program, 'loopInitialization'),
        body: slotsOf(program, 'loopBody'),
        passes,
        after: [...slotsOf(program, 'loopFinalization'), ...drained],
      };
    default:
      return undefined;
  }
}

const lengthOf = ({ lead, before, body, passes, after }: Course): number =>
  lead + before.length + passes * body.length + after.length;

/** The slot at a place of a job. */
function slotAt(
  { lead, before, body, passes, after }: Course,
  at: number,
): Expected | 'constant' | undefined {
  if (at < lead) return 'constant';
  const behindLead = at - lead;
  if (behindLead < before.length) return before[behindLead];
  const inBody = behindLead - before.length;
  if (inBody < passes * body.length) return body[inBody % body.length];
  return after[inBody - passes * body.length];
}

const digits = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString(16) : value;
