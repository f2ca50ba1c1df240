import { setup } from 'xstate';
import type { Envelope } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { mixSeed } from '../../kernel/mix-seed.ts';
import { inSubTicks, subTicks, type TcaParameters } from './parameters.ts';
import type { TcaMessage } from './protocol.ts';
import { tcaProtocol } from './protocol.ts';

/** The register file of a chip, and whom it knows. */
export interface RegisterFileInput {
  readonly dmacs: readonly Address[];
  /** Decides how stale each reading of a busy bit is; different for each chip. */
  readonly seed: number;
  readonly parameters: Pick<TcaParameters, 'perfCounterReadRoundTrip'>;
}

/** A change of a busy bit. */
interface Change {
  readonly at: number;
  readonly busy: boolean;
}

/** The register file: by channel what its busy bit was of late, and its error. */
export interface RegisterFileContext {
  readonly spec: RegisterFileInput;
  busy: Change[][];
  errors: (string | null)[];
  reads: number;
}

/** Cycles by which the busy bit is late at most (TCA specification 8). */
export const staleCyclesMax = 512;

const role = tcaProtocol.roles.RegisterFile;
const { act, update, when } = role.component<RegisterFileContext>();

/** The busy bit as it was so many cycles before; a channel of which nothing is known was idle. */
function busyBit(changes: readonly Change[], at: number): number {
  const last = changes.findLast((change) => change.at <= at);
  return last?.busy === true ? 1 : 0;
}

function note(
  c: RegisterFileContext,
  { channel, busy, error }: TcaMessage<'dmac.busy'>,
  { now }: Envelope,
): void {
  const changes = c.busy[channel]!;
  changes.push({ at: now, busy });
  // One change from before the longest delay tells what the bit was then.
  while (changes.length > 1 && changes[1]!.at <= now - inSubTicks(staleCyclesMax)) changes.shift();
  c.errors[channel] = error;
}

type OfChannel = { readonly channel: number };

/** The bits of one channel: what its DMA controller has told, and what a processor resets. */
function bitsOf(channel: number) {
  const params = { channel };
  const resets = { guard: { type: 'isOf', params }, actions: 'reset' } as const;
  return {
    initial: 'idle',
    on: {
      'dmac.busy': [
        { guard: { type: 'isBusy', params }, target: '.busy', actions: 'note' },
        { guard: { type: 'hasFailed', params }, target: '.failed', actions: 'note' },
        { guard: { type: 'isOf', params }, target: '.idle', actions: 'note' },
      ],
    },
    states: {
      idle: { on: { 'mmio.write': resets } },
      busy: { on: { 'mmio.write': resets } },
      failed: { on: { 'mmio.write': { ...resets, target: 'idle' } } },
    },
  } as const;
}

/** What can be read and written by a processor (TCA specification 8, 15). The busy bit is late by 0 to 512 cycles, as the seed decides. */
export const registerFile = setup({
  types: role.types<RegisterFileContext, RegisterFileInput>(),
  guards: {
    isOf: when<'dmac.busy' | 'mmio.write', OfChannel>(
      (_c, { channel }, _envelope, of) => channel === of.channel,
    ),
    isBusy: when<'dmac.busy', OfChannel>(
      (_c, { channel, busy }, _envelope, of) => busy && channel === of.channel,
    ),
    hasFailed: when<'dmac.busy', OfChannel>(
      (_c, { channel, error }, _envelope, of) => error !== null && channel === of.channel,
    ),
  },
  actions: {
    note: update<'dmac.busy'>(note),
    reset: act<'mmio.write'>((c, { channel }, out) => {
      c.errors[channel] = null;
      out.post({ to: c.spec.dmacs[channel]!, type: 'dmac.reset' });
    }),
    read: act<'mmio.read'>((c, { register, channel }, out) => {
      const late = subTicks * (mixSeed(c.reads++, c.spec.seed) % (staleCyclesMax + 1));
      const value =
        register === 'busy' ? busyBit(c.busy[channel]!, out.now - late) : (c.errors[channel] ?? 0);
      const delay = inSubTicks(c.spec.parameters.perfCounterReadRoundTrip / 2);
      out.post({ to: out.from, type: 'mmio.answer', value, delay });
    }),
  },
}).createMachine({
  id: 'registerFile',
  context: ({ input }) => ({
    spec: input,
    busy: input.dmacs.map(() => []),
    errors: input.dmacs.map(() => null),
    reads: 0,
  }),
  type: 'parallel',
  on: { 'mmio.read': { actions: 'read' } },
  states: { channel0: bitsOf(0), channel1: bitsOf(1), channel2: bitsOf(2), channel3: bitsOf(3) },
});
