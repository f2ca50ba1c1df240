import { setup } from 'xstate';
import { component, type Outbox } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import {
  answerAllocator,
  emptyLdm,
  gather,
  hasCome,
  increment,
  type LdmContext,
  type LdmEvent,
  type LdmInput,
  type LdmSends,
  layOut,
  read,
  scatter,
  tellWatcher,
  watch,
  write,
} from './ldm.ts';
import type { LdmGather, LdmRead, LdmScatter, LdmTurn, LdmWrite } from './messages.ts';
import type { LdmConflict } from './probes.ts';

/** Bytes a cycle of the port of the engine (specification 8.7). */
const enginePortBytes = 64;

/** An access of the CPE, by its own port. */
type CpeAccess = LdmRead | LdmWrite | LdmGather | LdmScatter;

/** Bytes that the engine has touched in one cycle. */
interface EngineAccess {
  readonly at: number;
  readonly first: number;
  readonly end: number;
}

/** The scratchpad of one CPE with its two ports. */
export interface PortedLdmContext extends LdmContext {
  /** What the engine touches, from the cycle on of the accesses that are held. */
  engine: EngineAccess[];
  /** Accesses of the CPE that have their turn at the end of a cycle, with that cycle. */
  held: { readonly access: CpeAccess; at: number }[];
}

type PortedLdmEvent = LdmEvent | LdmTurn;
type PortedLdmSends = LdmSends | LdmTurn;
type Out = Outbox<PortedLdmSends>;

const { act, update, when } = component<PortedLdmContext, PortedLdmEvent, PortedLdmSends>();

/** Notes what the engine touches, so many bytes a cycle. */
function noteEngine(c: PortedLdmContext, at: number, first: number, bytes: number): void {
  while (c.engine.length > 0 && c.engine[0]!.at < at - 1) c.engine.shift();
  for (let done = 0; done < bytes; done += enginePortBytes)
    c.engine.push({
      at: at + done / enginePortBytes,
      first: first + done,
      end: first + Math.min(bytes, done + enginePortBytes),
    });
}

/** Whether bytes of an access are those that the engine touches in the same cycle. */
function conflicts(c: PortedLdmContext, access: CpeAccess, at: number): boolean {
  const meets = (first: number, bytes: number): boolean =>
    c.engine.some((one) => one.at === at && one.first < first + bytes && first < one.end);
  if ('offsets' in access) return access.offsets.some((offset) => meets(offset, 4));
  return meets(access.offset, access.type === 'ldm.read' ? access.bytes : access.data.length);
}

/** Carries out what the CPE has asked for in cycles that are over: the engine was first in each of them. */
function settle(c: PortedLdmContext, now: number, out: Out): void {
  while (c.held.length > 0 && c.held[0]!.at < now) {
    const first = c.held[0]!;
    const { access, at } = first;
    if (conflicts(c, access, at)) {
      first.at++;
      if (out.observed) out.probe<LdmConflict>({ type: 'ldm.conflict', core: c.spec.core });
      continue;
    }
    c.held.shift();
    // The answer counts from the cycle in which the access had its turn.
    const later = { answerDelay: at + access.answerDelay - now };
    carryOut(c, { ...access, ...later }, out, c.spec.cpe);
  }
  if (c.held.length > 0) out.post({ to: c.spec.self, type: 'ldm.turn', delay: 1 });
}

function carryOut(c: PortedLdmContext, access: CpeAccess, out: Out, to: Address = out.from): void {
  switch (access.type) {
    case 'ldm.read':
      read(c, access, out, to);
      return;
    case 'ldm.write':
      write(c, access, out, to);
      return;
    case 'ldm.gather':
      gather(c, access, out, to);
      return;
    case 'ldm.scatter':
      scatter(c, access, out, to);
  }
}

/** Holds an access of the own CPE until the cycle is over; carries out all others at once. */
function take(c: PortedLdmContext, access: CpeAccess, out: Out): void {
  const isOwn = access.core === c.spec.core;
  if (isOwn) {
    if (c.held.length === 0) out.post({ to: c.spec.self, type: 'ldm.turn', delay: 1 });
    c.held.push({ access, at: out.now });
    return;
  }
  if (access.core < 0 && !('offsets' in access))
    noteEngine(c, out.now, access.offset, access.type === 'ldm.read' ? access.bytes : access.data.length);
  carryOut(c, access, out);
}

/** The CPE's own access keeps its port busy until the cycle is over; others are carried out at once. */
const taken = [{ guard: 'isOwn', target: 'busy', actions: 'take' }, { actions: 'take' }] as const;

/**
 * The scratchpad of one CPE with a port for the CPE and one for the engine (specification 8.7).
 *
 * Details: an access of the CPE has its turn when its cycle is over, so that the engine is first whatever the order of deliveries; when both
 * touch a byte in one cycle, the CPE tries again in the next one, and that is counted. What other CPEs do here comes past both ports.
 */
export const portedLdm = setup({
  types: {} as { context: PortedLdmContext; events: PortedLdmEvent; input: LdmInput },
  guards: {
    isOwn: when<CpeAccess['type']>((c, { core }) => core === c.spec.core),
    isThrough: when((c) => c.held.length === 0),
    hasCome: when(hasCome),
  },
  actions: {
    settle: act((c, _event, out) => {
      if (c.held.length > 0 && c.held[0]!.at < out.now) settle(c, out.now, out);
    }),
    take: act<CpeAccess['type']>(take),
    increment: act<'reply.increment'>((c, event, out) => {
      noteEngine(c, out.now, event.offset, 4);
      increment(c, event);
    }),
    layOut: act<'ldm.statics'>(layOut),
    allocate: act<'ldm.allocate'>(answerAllocator),
    watch: update<'reply.watch'>(watch),
    tellWatcher: act(tellWatcher),
  },
}).createMachine({
  id: 'portedLdm',
  context: ({ input }) => ({ ...emptyLdm(input), engine: [], held: [] }),
  initial: 'ready',
  always: { guard: 'hasCome', actions: 'tellWatcher' },
  states: {
    ready: {
      on: {
        'ldm.read': taken,
        'ldm.write': taken,
        'ldm.gather': taken,
        'ldm.scatter': taken,
        'reply.increment': { actions: 'increment' },
        'reply.watch': { actions: 'watch' },
        'ldm.statics': { actions: 'layOut' },
        'ldm.allocate': { actions: 'allocate' },
        'ldm.turn': {},
      },
    },
    // An access of the CPE has its turn when its cycle is over, or is tried again behind one of the engine.
    busy: {
      always: { guard: 'isThrough', target: 'ready' },
      on: {
        'ldm.read': { actions: ['settle', 'take'] },
        'ldm.write': { actions: ['settle', 'take'] },
        'ldm.gather': { actions: ['settle', 'take'] },
        'ldm.scatter': { actions: ['settle', 'take'] },
        'reply.increment': { actions: ['settle', 'increment'] },
        'reply.watch': { actions: ['settle', 'watch'] },
        'ldm.statics': { actions: ['settle', 'layOut'] },
        'ldm.allocate': { actions: ['settle', 'allocate'] },
        'ldm.turn': { actions: 'settle' },
      },
    },
  },
});
