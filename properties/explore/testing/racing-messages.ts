import { setup } from 'xstate';
import { z } from 'zod';
import { component, refused } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { waitingFor } from '../../../kernel/outcome.ts';
import { Wiring } from '../../../kernel/wiring.ts';
import type { Machine } from '../../../machines/machine.ts';
import type { Scenario } from '../../../scenarios/scenario.ts';
import { Trials } from '../trial.ts';

/*
 * A toy machine for tests: a writer and a reader are sent off in the same tick, and each sends a letter to a box. Served first come, first served
 * the writer's letter is there first. What the box does with a reader's letter that comes too early is the story of the run.
 */

/** What goes wrong when the reader's letter comes first; `always`: it goes wrong in any case. */
export const stories = ['violated', 'late', 'deadlock', 'livelock', 'error', 'always'] as const;
/** One of the stories. */
export type Story = (typeof stories)[number];

interface BoxContext {
  readonly story: Story;
  readonly reader: Address;
  value: number;
}
type BoxEvent = { type: 'letter.write'; value: number } | { type: 'letter.read'; page: number };
const box = component<BoxContext, BoxEvent>();

const boxMachine = setup({
  types: {} as { context: BoxContext; events: BoxEvent; input: Omit<BoxContext, 'value'> },
  guards: {
    complains: box.when((c) => c.story === 'violated' || c.story === 'always'),
    sendsBack: box.when((c) => c.story === 'livelock'),
    isStrict: box.when((c) => c.story === 'error'),
    lies: box.when((c) => c.story === 'late'),
    alwaysComplains: box.when((c) => c.story === 'always'),
  },
  actions: {
    keep: box.update<'letter.write'>((c, { value }) => {
      c.value = value;
    }),
    complain: box.report<'letter.read'>(({ value }, { page }) => ({
      property: 'every letter is read after it was written',
      why: `page ${page} was read when the box held ${value}`,
    })),
    answer: box.post((c) => ({ to: c.reader, type: 'letter.text', value: c.value }) as never),
    sendBack: box.post((c) => ({ to: c.reader, type: 'letter.again' }) as never),
  },
}).createMachine({
  id: 'box',
  context: ({ input }) => ({ ...input, value: 0 }),
  initial: 'opening',
  states: {
    opening: { always: [{ guard: 'isStrict', target: 'strict' }, { target: 'empty' }] },
    // It does not know readers yet.
    strict: { on: { 'letter.write': { target: 'full', actions: 'keep' } } },
    empty: {
      on: {
        'letter.write': { target: 'full', actions: 'keep' },
        'letter.read': [
          { guard: 'complains', actions: ['complain', 'answer'] },
          { guard: 'lies', actions: 'answer' },
          { guard: 'sendsBack', actions: 'sendBack' },
          {},
        ],
      },
    },
    full: {
      on: {
        'letter.write': refused,
        'letter.read': [{ guard: 'alwaysComplains', actions: ['complain', 'answer'] }, { actions: 'answer' }],
      },
    },
  },
});

interface ReaderContext {
  readonly box: Address;
  readonly self: Address;
}
type ReaderEvent =
  | { type: 'go' }
  | { type: 'letter.text'; value: number }
  | { type: 'letter.again' }
  | { type: 'letter.compare'; value: number };
const reader = component<ReaderContext, ReaderEvent>();

const readerMachine = setup({
  types: {} as { context: ReaderContext; events: ReaderEvent; input: ReaderContext },
  guards: { isEmpty: reader.when<'letter.compare'>((_, { value }) => value === 0) },
  actions: {
    ask: reader.post((c) => ({ to: c.box, type: 'letter.read', page: 7 }) as never),
    compareLater: reader.post<'letter.text'>(
      (c, { value }) => ({ to: c.self, type: 'letter.compare', delay: 3, value }) as never,
    ),
    complain: reader.report<'letter.compare'>((_, { value }) => ({
      property: 'nobody reads an empty page',
      why: `the page holds ${value}`,
    })),
  },
}).createMachine({
  id: 'reader',
  context: ({ input }) => input,
  initial: 'idle',
  states: {
    idle: {
      on: {
        go: { target: 'waitingForText', actions: 'ask' },
        'letter.compare': [{ guard: 'isEmpty', actions: 'complain' }, {}],
      },
    },
    waitingForText: {
      ...waitingFor<ReaderContext>('the text of its letter', (c) => c.box),
      on: {
        'letter.text': { target: 'idle', actions: 'compareLater' },
        'letter.again': { actions: 'ask' },
      },
    },
  },
});

interface WriterContext {
  readonly box: Address;
}
const writer = component<WriterContext, { type: 'go' }>();

const writerMachine = setup({
  types: {} as { context: WriterContext; events: { type: 'go' }; input: WriterContext },
  actions: { write: writer.post((c) => ({ to: c.box, type: 'letter.write', value: 42 }) as never) },
}).createMachine({
  id: 'writer',
  context: ({ input }) => input,
  initial: 'idle',
  states: { idle: { on: { go: { actions: 'write' } } } },
});

const config = z.strictObject({ story: z.enum(stories) });

/** The toy machine. */
export const racingMessages: Machine<z.output<typeof config>> = {
  name: 'racing-letters',
  config,
  programs: z.unknown(),
  mutants: new Map(),
  assemble: ({ config: { story } }) => {
    const wiring = new Wiring();
    const [box, reader] = [wiring.reserve('Office.Box'), wiring.reserve('Office.Reader')];
    const writer = wiring.place('Office.Writer', writerMachine, { box });
    wiring.place(box, boxMachine, { story, reader });
    wiring.place(reader, readerMachine, { box, self: reader });
    for (const to of [writer, reader]) wiring.boot.push({ to, type: 'go', delay: 1 });
    return { wiring, deliveriesPerTickMax: 60, result: () => null };
  },
  figures: () => [],
};

/** A scenario of the toy machine. */
export function letters(story: Story): Scenario {
  return {
    file: 'letters.yaml',
    text: '',
    name: 'racing letters',
    machine: racingMessages.name,
    config: { story },
    programs: [],
    faults: [],
    schedule: { kind: 'fifo', seed: 0 },
  };
}

/** Trials of a story of the toy machine. */
export const trialsOf = (story: Story): Trials =>
  new Trials(letters(story), racingMessages as unknown as Machine, undefined);
