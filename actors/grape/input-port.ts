import { setup } from 'xstate';
import { refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { waitingFor } from '../../kernel/outcome.ts';
import type { Word } from './arithmetic/word.ts';
import type { GrapeMessage, GrapeOutbox, Packet, RecordUnit } from './protocol.ts';
import { grapeProtocol } from './protocol.ts';
import type { ChipTiming } from './timing.ts';

/** Whom the input port serves. */
export interface InputPortInput {
  readonly control: Address;
  readonly memory: Address;
  readonly blocks: readonly Address[];
  readonly timing: Pick<ChipTiming, 'idpHeader' | 'idpLatency'>;
}

/** The input port: the transfer under way. */
export interface InputPortContext {
  readonly spec: InputPortInput;
  /** A transfer of records; null while packets of the host go through, or nothing. */
  transfer: Pick<GrapeMessage<'idp.start'>, 'elt' | 'mode' | 'bbid'> | null;
  /** First record, records in all, and the units of each. */
  first: number;
  records: number;
  units: readonly RecordUnit[];
  packets: readonly Packet[];
  packet: number;
  /** The word that goes next: of all records, or of the packet. */
  word: number;
  /** First cycle of the transfer. */
  begins: number;
  /** Words and cycles in which the port was busy, of all transfers (GRAPE specification 8). */
  words: number;
  busy: number;
}

const role = grapeProtocol.roles.InputPort;
const { update, when, act } = role.component<InputPortContext>();

/** Words of a packet that one cycle carries: a long one, or two short ones that share a long word. */
const unitsOfPacket = ({ long, words, addr }: Packet): readonly (RecordUnit & { readonly word: Word })[] =>
  long
    ? words.map((word, k) => ({ addr: addr + 2 * k, long, word }))
    : Array.from({ length: Math.ceil(words.length / 2) }, (_, pair) => {
        const [upper, lower] = [words[2 * pair]!, words[2 * pair + 1]];
        return lower === undefined
          ? { addr: addr + 2 * pair, long: false, word: upper }
          : { addr: addr + 2 * pair, long: true, word: (upper << 36n) | lower };
      });

const wordsLeft = (c: InputPortContext): number =>
  c.transfer === null
    ? unitsOfPacket(c.packets[c.packet]!).length - c.word
    : c.records * c.units.length - c.word;

const again = (delay: number, out: GrapeOutbox<'InputPort'>): void =>
  out.post({ to: out.self, type: 'idp.tick', delay });

/** The blocks that the words of a record go to, by its place in the transfer (GRAPE specification 3.7). */
function targets(c: InputPortContext, record: number): readonly Address[] {
  const { blocks } = c.spec;
  const { mode, bbid } = c.transfer!;
  if (mode === 0) return [blocks[record]!];
  return bbid < 0 ? blocks : blocks.slice(bbid, bbid + 1);
}

function deliver(
  c: InputPortContext,
  to: readonly Address[],
  { addr, long }: RecordUnit,
  word: Word,
  out: GrapeOutbox<'InputPort'>,
): void {
  const after = c.spec.timing.idpLatency;
  for (const one of to) out.post({ to: one, type: 'bm.write', after, addr, long, word });
  c.words++;
  c.word++;
}

/** The last word has left the port: everything is in place `idpLatency` cycles later. */
function end(c: InputPortContext, out: GrapeOutbox<'InputPort'>): void {
  const { control, timing } = c.spec;
  const after = 1 + timing.idpLatency;
  const end = out.now + after;
  c.busy += end - c.begins;
  out.post({ to: control, type: 'idp.done', after });
  if (out.observed) out.probe({ type: 'PORT', t: c.begins, port: 'idp', end, words: c.word });
  out.post({ to: out.self, type: 'idp.free', delay: after });
}

/** The input data port (GRAPE specification 6.3, IDP): one long word a cycle behind a header. */
export const inputPort = setup({
  types: role.types<InputPortContext, InputPortInput>(),
  guards: {
    moreWords: when((c) => wordsLeft(c) > 0),
    morePackets: when((c) => c.transfer === null && c.packet + 1 < c.packets.length),
    carriesRecords: when((c) => c.transfer !== null),
  },
  actions: {
    rewind: act<'idp.rewind'>((c, _event, out) => {
      out.post({ to: c.spec.memory, type: 'em.rewind' });
    }),
    open: act<'idp.start'>((c, { elt, mode, bbid }, out) => {
      c.transfer = { elt, mode, bbid };
      c.begins = out.now + 1;
      c.word = 0;
      c.records = mode === 0 ? c.spec.blocks.length : 1;
      out.post({ to: c.spec.memory, type: 'em.open', elt, records: c.records, advance: mode !== 2 });
    }),
    announce: act<'em.opened'>((c, { first, units }, out) => {
      c.first = first;
      c.units = units;
      const longs = units.map(({ addr }) => addr >> 1);
      for (const to of c.transfer!.mode === 0 ? c.spec.blocks : targets(c, 0))
        out.post({ to, type: 'bm.announce', longs });
      again(1 + c.spec.timing.idpHeader, out);
    }),
    refuse: act<'em.refused'>((c, { why }, out) => {
      out.post({ to: c.spec.control, type: 'idp.refused', why });
    }),
    takePackets: act<'idp.packets'>((c, { packets }, out) => {
      c.transfer = null;
      c.packets = packets;
      c.packet = 0;
      c.word = 0;
      c.begins = out.now + 1;
      again(1 + c.spec.timing.idpHeader, out);
    }),
    ask: act((c, _event, out) => {
      const { elt } = c.transfer!;
      const record = c.first + Math.floor(c.word / c.units.length);
      const unit = c.word % c.units.length;
      out.post({ to: c.spec.memory, type: 'em.read', elt, record, unit });
    }),
    passOn: act<'em.word'>((c, { word }, out) => {
      const record = Math.floor(c.word / c.units.length);
      deliver(c, targets(c, record), c.units[c.word % c.units.length]!, word, out);
    }),
    passPacketOn: act((c, _event, out) => {
      const { word, ...unit } = unitsOfPacket(c.packets[c.packet]!)[c.word]!;
      deliver(c, c.spec.blocks, unit, word, out);
      if (wordsLeft(c) > 0) return;
      const { control, timing } = c.spec;
      out.post({
        to: control,
        type: 'idp.visible',
        packet: c.packet,
        after: 1 + timing.idpLatency,
      });
    }),
    nextPacket: act((c, _event, out) => {
      const delay = 1 + c.packets[c.packet]!.pause + c.spec.timing.idpHeader;
      c.packet++;
      c.word = 0;
      again(delay, out);
    }),
    nextWord: act((_c, _event, out) => again(1, out)),
    end: act((c, _event, out) => end(c, out)),
    forget: update((c) => {
      c.transfer = null;
      c.packets = [];
      c.units = [];
      c.packet = 0;
      c.word = 0;
    }),
  },
}).createMachine({
  id: 'inputPort',
  context: ({ input }) => ({
    spec: input,
    transfer: null,
    first: 0,
    records: 0,
    units: [],
    packets: [],
    packet: 0,
    word: 0,
    begins: 0,
    words: 0,
    busy: 0,
  }),
  on: { 'idp.free': refused, 'idp.rewind': { actions: 'rewind' } },
  initial: 'free',
  states: {
    free: {
      on: {
        'idp.start': { target: 'opening', actions: 'open' },
        'idp.packets': { target: 'header', actions: 'takePackets' },
      },
    },
    opening: {
      ...waitingFor<InputPortContext>('the records', ({ spec }) => spec.memory),
      on: {
        'em.opened': { target: 'header', actions: 'announce' },
        'em.refused': { target: 'free', actions: ['refuse', 'forget'] },
      },
    },
    header: { on: { 'idp.tick': 'data' } },
    data: {
      always: [{ guard: 'carriesRecords', target: 'fetching', actions: 'ask' }, { target: 'passing' }],
    },
    fetching: {
      ...waitingFor<InputPortContext>('a word of external memory', ({ spec }) => spec.memory),
      on: { 'em.word': { target: 'sent', actions: 'passOn' } },
    },
    passing: { entry: 'passPacketOn', always: 'sent' },
    sent: {
      always: [
        { guard: 'moreWords', target: 'header', actions: 'nextWord' },
        { guard: 'morePackets', target: 'header', actions: 'nextPacket' },
        { target: 'tail', actions: 'end' },
      ],
    },
    // Who starts the next transfer says so in the last cycle of this one.
    tail: {
      on: {
        'idp.free': { target: 'free', actions: 'forget' },
        'idp.start': { target: 'opening', actions: 'open' },
        'idp.packets': { target: 'header', actions: 'takePackets' },
      },
    },
  },
});
