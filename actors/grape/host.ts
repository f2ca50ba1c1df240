import { setup } from 'xstate';
import type { Address } from '../../kernel/message.ts';
import { waitingFor } from '../../kernel/outcome.ts';
import { type Fixed, fixed } from '../../kernel/resource.ts';
import type { Program as RunningProgram } from '../common/program.ts';
import type { Word } from './arithmetic/word.ts';
import {
  type GrapeResult,
  type HostAnswer,
  type HostCall,
  type HostCode,
  type HostCompat,
  libraryCodes,
  type TimedCall,
} from './host-calls.ts';
import { reductionsOf, resultsOf, tableOf, unitsOf, unitWords } from './host-tables.ts';
import { type HostRecord, type HostValue, hostValue, hostWordsEach, wordsOfRecord } from './host-words.ts';
import {
  aloneJob,
  type Delivery,
  deliveryJob,
  initJob,
  type Job,
  passesJob,
  resultsJob,
  tableJob,
} from './jobs.ts';
import type { Program } from './program.ts';
import type { GrapeMessage, GrapeOutbox } from './protocol.ts';
import { grapeProtocol } from './protocol.ts';
import type { ChipTiming } from './timing.ts';

/** What the host runs: asked for call after call, given each answer. */
export type HostProgram = RunningProgram<TimedCall, HostAnswer | undefined>;

/** A program of the host, written as a generator: `function* () { yield { call: 'init' }; … }`. */
export type HostProgramFunction = () => Generator<TimedCall, void, HostAnswer>;

/** Whom the host reaches, the program of the chip, and its own program; null when calls come from outside. */
export interface HostInput {
  readonly control: Address;
  readonly memory: Address;
  readonly chip: Fixed<Program>;
  readonly nBB: number;
  readonly nPE: number;
  /** Long words of external memory. */
  readonly emLong: number;
  readonly timing: Pick<ChipTiming, 'hostCall' | 'hostWord' | 'slotMin' | 'idpHeader'>;
  readonly compat: HostCompat;
  readonly program: HostProgram | null;
}

/** A call that is over. */
export interface CallRecord {
  readonly call: HostCall['call'];
  readonly code: HostCode;
  /** Cycles of the chip. */
  readonly cycles: number;
  /** The cycle in which the call was made and the one in which it was answered. */
  readonly from: number;
  readonly to: number;
}

/** The host: state of the library, the call under way, what came back (GRAPE specification 7.4). */
export interface HostContext {
  readonly spec: Omit<HostInput, 'program'>;
  readonly program: HostProgram | null;
  /** The conversion table in use: of i particles, of another table; none before `init`. */
  table: 'none' | 'i' | number;
  /** How many results there are to fetch. */
  particles: number;
  call: Fixed<HostCall> | null;
  began: number;
  cycles: number;
  received: GrapeMessage<'host.result'>[];
  answer: HostAnswer | null;
  calls: CallRecord[];
  /** Answers that brought something back, in the order of the calls. */
  brought: HostAnswer[];
  next: 'answer' | 'run' | 'over';
}

const role = grapeProtocol.roles.Host;
const { update, when, act } = role.component<HostContext>();

/** Words of 8 bytes that a call moves to the chip. */
function wordsSent({ chip }: HostContext['spec'], call: HostCall): number {
  const program = chip.value;
  switch (call.call) {
    case 'sendEltData':
      return unitsOf(tableOf(program, 'elt', call.num)).length;
    case 'sendIParticle':
      return call.particles.length * tableOf(program, 'hlt', 0).length;
    case 'sendHltData':
      return 4 * tableOf(program, 'hlt', call.num).length;
    default:
      return 0;
  }
}

/** The call goes over the link in some cycle, now or later; both take their time (GRAPE specification 6.5). */
function take(c: HostContext, call: HostCall, cycle: number, out: GrapeOutbox<'Host'>): void {
  const { timing } = c.spec;
  c.call = fixed(call);
  c.began = cycle;
  c.cycles = 0;
  c.answer = null;
  const delay = timing.hostCall + timing.hostWord * wordsSent(c.spec, call);
  out.post({ to: out.self, type: 'host.linked', delay: cycle - out.now + delay });
}

/** What a call asks of the machine: an answer at once, or work for the control processor. */
function carryOut(c: HostContext, out: GrapeOutbox<'Host'>): HostCode | Job {
  const call = c.call!.value;
  const program = c.spec.chip.value;
  if (call.call === 'alone') return aloneJob(program);
  if (call.call === 'init') {
    c.table = 'i';
    c.particles = 0;
    return initJob(program);
  }
  if (c.table === 'none') return libraryCodes.notInitialised;
  switch (call.call) {
    case 'sendEltData':
      return sendRecord(c, call, out);
    case 'sendIParticle':
      return sendParticles(c, call);
    case 'sendHltData':
      return sendTable(c, call);
    case 'registerIParticleConversion':
      c.table = 'i';
      return libraryCodes.done;
    case 'run':
      if (program.type !== 1 || !isCount(call.n)) return libraryCodes.badCount;
      return passesJob(program, call.n);
    case 'type2Run':
      return type2Run(c, call, out);
    case 'getResult':
      return resultsJob(program, c.particles);
  }
}

const isCount = (n: number): boolean => Number.isSafeInteger(n) && n >= 0;

function sendRecord(
  c: HostContext,
  { num, record, index }: Extract<HostCall, { call: 'sendEltData' }>,
  out: GrapeOutbox<'Host'>,
): HostCode | Job {
  const program = c.spec.chip.value;
  const variables = tableOf(program, 'elt', num);
  if (variables.length === 0 || !isCount(index)) return libraryCodes.badCount;
  if ((index + 1) * unitsOf(variables).length > c.spec.emLong) return libraryCodes.badCount;
  const atOnce = program.type === 1 && num > 0;
  const words = unitWords(variables, wordsOfRecord(variables, record, c.spec.compat));
  out.post({
    to: c.spec.memory,
    type: 'em.store',
    elt: num,
    record: atOnce ? 0 : index,
    words,
  });
  return atOnce ? tableJob(num) : libraryCodes.done;
}

function sendParticles(
  c: HostContext,
  { particles, n = particles.length }: Extract<HostCall, { call: 'sendIParticle' }>,
): HostCode | Job {
  const { chip, nPE, compat, timing } = c.spec;
  if (c.table !== 'i' && !compat.autoRegister) return libraryCodes.notRegistered;
  if (!isCount(n) || n > Math.min(particles.length, 4 * nPE)) return libraryCodes.badCount;
  c.table = 'i';
  c.particles = n;
  const variables = tableOf(chip.value, 'hlt', 0);
  const words = particles.slice(0, n).map((particle) => wordsOfRecord(variables, particle, compat));
  const deliveries: Delivery[] = [];
  for (let pe = 0; 4 * pe < n; pe++) {
    const here = words.slice(4 * pe, 4 * pe + 4);
    for (const [at, place] of variables.entries())
      deliveries.push({ place, pe, words: here.map((one) => one[at]!) });
  }
  return deliveryJob('sendIParticle', chip.value, deliveries, timing);
}

function sendTable(
  c: HostContext,
  { num, record, peindex }: Extract<HostCall, { call: 'sendHltData' }>,
): HostCode | Job {
  const { chip, compat, timing } = c.spec;
  const variables = tableOf(chip.value, 'hlt', num);
  if (peindex !== 0 || variables.length === 0) return libraryCodes.badCount;
  c.table = num;
  return deliveryJob(
    'sendHltData',
    chip.value,
    variables.map((place) => ({ place, words: wordsOfRecord([place], record, compat) })),
    timing,
  );
}

function type2Run(
  c: HostContext,
  { n, length }: Extract<HostCall, { call: 'type2Run' }>,
  out: GrapeOutbox<'Host'>,
): HostCode | Job {
  const program = c.spec.chip.value;
  if (program.type !== 2 || !isCount(n)) return libraryCodes.badCount;
  const each = reductionsOf(program).reduce(
    (sum, { op }) => sum + (op.odpoe ? op.n * hostWordsEach(op.conv) : 0),
    0,
  );
  if (length !== undefined && each * n > length) {
    const why = `X_TOO_MANY_PASSES: ${n} passes send ${each * n} values, there is room for ${length}`;
    out.report({ property: 'a program keeps to the rules of the ports and memories', why });
    return libraryCodes.machineFault;
  }
  return passesJob(program, n);
}

function dispatch(c: HostContext, out: GrapeOutbox<'Host'>): void {
  const todo = carryOut(c, out);
  if (typeof todo === 'number') {
    c.answer = { code: todo };
    c.next = 'answer';
    return;
  }
  c.received = [];
  c.next = 'run';
  out.post({ to: c.spec.control, type: 'control.run', job: todo });
}

/** The answer of a call that the machine has worked for. What it brings crosses the link. */
function bring(
  c: HostContext,
  { cycles, fault }: GrapeMessage<'control.done'>,
  out: GrapeOutbox<'Host'>,
): void {
  const { timing, memory, compat } = c.spec;
  const { call } = c.call!.value;
  const code = fault === null ? libraryCodes.done : libraryCodes.machineFault;
  c.cycles = cycles;
  c.answer = {
    code,
    ...(call === 'getResult' && { results: resultsFrom(c) }),
    ...(call === 'type2Run' && { out: valuesOf(c.received) }),
  };
  if (call === 'getResult' && compat.emClobber) out.post({ to: memory, type: 'em.clear' });
  const words = c.received.reduce((sum, { bits }) => sum + bits.length, 0);
  c.received = [];
  const delay = timing.hostWord * words;
  out.post({ to: out.self, type: 'host.linked', delay });
}

const valuesOf = (received: readonly GrapeMessage<'host.result'>[]): readonly HostValue[] =>
  received.flatMap(({ conv, bits }) => bits.map((one) => hostValue(conv, one)));

/** The results of all particles from the words in the order in which they were fetched: PE by PE, variable by variable, element by element. */
function resultsFrom({ received, particles, spec }: HostContext): readonly GrapeResult[] {
  const variables = resultsOf(spec.chip.value);
  const results = Array.from({ length: particles }, () => ({
    values: {} as Record<string, HostValue | readonly HostValue[]>,
    words: {} as Record<string, Word>,
  }));
  let at = 0;
  for (let first = 0; first < particles; first += 4)
    for (const { name, transfer } of variables) {
      if (transfer!.redopt?.includes('o')) continue;
      for (const result of results.slice(first, first + 4)) {
        const { bits, conv, word } = received[at++]!;
        const seen = bits.map((one) => hostValue(conv, one));
        result.values[name] = seen.length === 1 ? seen[0]! : seen;
        result.words[name] = word;
      }
    }
  return results as readonly { values: HostRecord; words: Record<string, Word> }[];
}

/** The host and its library (GRAPE specification 6.1, 7): one call after another, over a link that takes time. */
export const host = setup({
  types: role.types<HostContext, HostInput>(),
  guards: {
    answers: when((c) => c.next === 'answer'),
    over: when((c) => c.next === 'over'),
    hasProgram: when((c) => c.program !== null),
  },
  actions: {
    take: act<'host.call'>((c, { call }, out) => take(c, call, out.now, out)),
    fetch: act((c, _event, out) => {
      const call = c.program!.next(c.answer ?? undefined);
      if (call === undefined) c.next = 'over';
      else {
        c.next = 'run';
        take(c, call, Math.max(out.now, call.at ?? 0), out);
      }
    }),
    dispatch: act<'host.linked'>((c, _event, out) => dispatch(c, out)),
    collect: update<'host.result'>((c, event) => {
      c.received.push(event);
    }),
    bring: act<'control.done'>(bring),
    note: act((c, _event, out) => {
      const answer = c.answer!;
      const { call } = c.call!.value;
      const record = { call, code: answer.code, cycles: c.cycles, from: c.began, to: out.now };
      c.calls.push(record);
      if (answer.results !== undefined || answer.out !== undefined) c.brought.push(answer);
      c.call = null;
      if (out.observed) out.probe({ type: 'CALL', t: c.began, ...record });
    }),
  },
}).createMachine({
  id: 'host',
  context: ({ input: { program, ...spec } }) => ({
    spec,
    program: program?.fork() ?? null,
    table: 'none',
    particles: 0,
    call: null,
    began: 0,
    cycles: 0,
    received: [],
    answer: null,
    calls: [],
    brought: [],
    next: 'run',
  }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        'host.begin': 'fetching',
        'host.call': { target: 'linking', actions: 'take' },
      },
    },
    fetching: {
      entry: 'fetch',
      always: [{ guard: 'over', target: 'idle' }, { target: 'linking' }],
    },
    linking: { on: { 'host.linked': { target: 'dispatched', actions: 'dispatch' } } },
    dispatched: { always: [{ guard: 'answers', target: 'answered' }, { target: 'running' }] },
    running: {
      ...waitingFor<HostContext>('the control processor', ({ spec }) => spec.control),
      on: {
        'host.result': { actions: 'collect' },
        'control.done': { target: 'bringing', actions: 'bring' },
      },
    },
    bringing: { on: { 'host.linked': 'answered' } },
    answered: {
      entry: 'note',
      always: [{ guard: 'hasProgram', target: 'fetching' }, { target: 'idle' }],
    },
  },
});
