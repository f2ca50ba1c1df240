import { setup } from 'xstate';
import { refused } from '../../kernel/kit.ts';
import { waitingFor } from '../../kernel/outcome.ts';
import type { CpuContext, CpuInput } from './cpu-context.ts';
import { askedForBytes, askMemory, type Called, carryOut, resume } from './cpu-operations.ts';
import { channelsWaitedFor, flagsWaitedFor, isStopped, lookAtBoard, noteFlag } from './cpu-waits.ts';
import type { NodeOperation } from './node-program.ts';
import { checkedOperation } from './operation-kinds.ts';
import { channels, nanoseconds } from './parameters.ts';
import { tcaProtocol } from './protocol.ts';

const role = tcaProtocol.roles.Cpu;
const { update, when, act } = role.component<CpuContext>();

/** Operations of which the channels belong to the runtime of GASNet where there is one. */
const driverOperations: readonly NodeOperation['op'][] = ['load', 'start', 'wait', 'stopped', 'pio'];

/** The processor of a node: runs its program and the driver (TCA specification 8 to 10). */
export const cpu = setup({
  types: role.types<CpuContext, CpuInput>(),
  guards: {
    over: when((c) => c.operation === null),
    ownedByRuntime: when((c) => c.spec.runtime !== undefined && driverOperations.includes(c.operation!.op)),
    withoutRuntime: when((c) => c.operation?.op === 'gasnet' && c.spec.runtime === undefined),
    asksMemory: when((c) => ['read', 'write', 'copy'].includes(c.operation!.op)),
    joins: when((c) => c.operation?.op === 'join'),
    samples: when((c) => c.operation?.op === 'counter'),
    asksRegister: when((c) => c.operation!.op === 'register'),
    calls: when((c) => c.operation?.op === 'gasnet'),
    gpuRests: when((c) => c.kernels === 0),
    waits: when((c) => c.operation?.op === 'wait'),
    asksForStop: when((c) => c.operation?.op === 'stopped'),
    allThere: when((c) => c.missing.length === 0),
    allStopped: when((c) => channelsWaitedFor(c).every((channel) => isStopped(c, channel))),
    // A channel whose last chain was seen to stop is not asked again (TCA specification 8).
    knownStopped: when((c) => {
      const channel = channelsWaitedFor(c)[c.polled]!;
      return c.seen[channel] === c.started[channel] || c.errors[channel] !== null;
    }),
    ideal: when((c) => c.spec.stopDetect === 'ideal'),
    allPolled: when((c) => c.polled === channelsWaitedFor(c).length),
  },
  actions: {
    fetch: update((c) => {
      const asked = c.program.next(c.answer);
      c.operation = asked === undefined ? null : checkedOperation(asked);
    }),
    carryOut: act((c, _event, out) => carryOut(c, out)),
    lookAtBoard: update((c) => lookAtBoard(c)),
    noteFlag: update<'flag.set'>(noteFlag),
    see: act((c, _event, out) => {
      const { pollDetect, pollGapPerChannel } = c.spec.parameters;
      resume(pollDetect + pollGapPerChannel * (flagsWaitedFor(c) - 1), out);
    }),
    noteChain: update<'chain.done'>((c, { channel, count }) => {
      c.finished[channel] = count;
    }),
    noteError: update<'channel.error'>((c, { channel, code }) => {
      c.errors[channel] = code;
      // A channel in error has stopped, though its counter does not say so.
      c.started[channel] = c.finished[channel]!;
    }),
    takeValue: update<'mmio.answer'>((c, { value }) => {
      c.answer = value;
    }),
    answerStop: update((c, _event, { now }) => {
      const failed = channelsWaitedFor(c).find((channel) => c.errors[channel] !== null);
      c.answer = failed === undefined ? nanoseconds(now) : c.errors[failed]!;
    }),
    passOver: update((c) => {
      c.polled++;
    }),
    beginPolling: update((c) => {
      c.polled = 0;
    }),
    // A read of a performance counter samples it in its middle.
    poll: act((c, _event, out) => resume(c.spec.parameters.perfCounterReadRoundTrip / 2, out)),
    judge: act<'cpu.turn'>((c, _event, out) => {
      const channel = channelsWaitedFor(c)[c.polled]!;
      if (isStopped(c, channel)) c.seen[channel] = c.started[channel]!;
      resume(c.spec.parameters.perfCounterReadRoundTrip / 2, out);
    }),
    refuseDriver: update((c) => {
      c.answer = 'EBUSY: the channels of this node belong to GASNet';
    }),
    refuseGasnet: act((_c, _event, out) => {
      out.report({
        property: 'a program calls the runtime of its node',
        why: 'found a call of GASNet on a node without it, expected "gasnet: {}" in the configuration of the machine',
      });
    }),
    askMemory: act((c, _event, out) => askMemory(c, out)),
    takeBytes: update<'memory.loaded'>((c, { data }) => {
      c.answer = data;
    }),
    takeTime: update((c, _event, { now }) => {
      c.answer = nanoseconds(now);
    }),
    noteKernel: update<'kernel.done'>((c) => {
      c.kernels--;
    }),
    takeCount: act<'cpu.turn'>((c, _event, out) => {
      c.answer = c.finished[(c.operation as Called<'counter'>).channel]!;
      resume(c.spec.parameters.perfCounterReadRoundTrip / 2, out);
    }),
    call: act((c, _event, out) => {
      const { call } = c.operation as Called<'gasnet'>;
      out.post({ to: c.spec.runtime!, type: 'gasnet.call', call });
    }),
    takeAnswer: update<'gasnet.return'>((c, { answer }) => {
      c.answer = answer;
    }),
    noteExit: update<'cpu.exit'>((c, { code }) => {
      c.exitCode = code;
    }),
    answerNow: update((c, _event, { now }) => {
      c.answer = nanoseconds(now);
    }),
  },
}).createMachine({
  id: 'cpu',
  context: ({ input: { program, ...spec } }) => ({
    spec,
    program: program.fork(),
    operation: null,
    answer: 0,
    flags: new Map(),
    missing: [],
    started: new Array<number>(channels).fill(0),
    finished: new Array<number>(channels).fill(0),
    errors: new Array<string | null>(channels).fill(null),
    seen: new Array<number>(channels).fill(0),
    polled: 0,
    kernels: 0,
    exitCode: null,
    seq: 0,
  }),
  on: {
    'kernel.done': { actions: 'noteKernel' },
    'cpu.exit': { target: '.done', actions: 'noteExit' },
    'flag.set': { actions: 'noteFlag' },
    'chain.done': { actions: 'noteChain' },
    'channel.error': { actions: 'noteError' },
  },
  initial: 'idle',
  states: {
    idle: { on: { 'cpu.turn': { target: 'run' } } },
    run: {
      entry: 'fetch',
      always: [
        { guard: 'over', target: 'done' },
        { guard: 'ownedByRuntime', target: 'run', actions: 'refuseDriver', reenter: true },
        { guard: 'withoutRuntime', target: 'done', actions: 'refuseGasnet' },
        { guard: 'calls', target: 'calling', actions: 'call' },
        { guard: 'asksMemory', target: 'accessing', actions: 'askMemory' },
        { guard: 'joins', target: 'joining' },
        { guard: 'samples', target: 'sampling', actions: 'poll' },
        { guard: 'waits', target: 'waiting', actions: 'lookAtBoard' },
        { guard: 'asksForStop', target: 'stopping' },
        { guard: 'asksRegister', target: 'askingRegister', actions: 'carryOut' },
        { target: 'working', actions: 'carryOut' },
      ],
    },
    working: { on: { 'cpu.turn': { target: 'run' } } },
    askingRegister: {
      ...waitingFor<CpuContext>('the value of a register', ({ spec }) => spec.registers),
      on: { 'mmio.answer': { target: 'run', actions: 'takeValue' } },
    },
    calling: { on: { 'gasnet.return': { target: 'run', actions: 'takeAnswer' } } },
    accessing: {
      ...waitingFor<CpuContext>('its memory or a copy', askedForBytes),
      on: {
        'memory.loaded': { target: 'run', actions: 'takeBytes' },
        'memory.stored': { target: 'run', actions: 'takeTime' },
        'copy.done': { target: 'run', actions: 'takeTime' },
      },
    },
    joining: {
      ...waitingFor<CpuContext>('the kernels of the GPU', ({ spec }) => spec.gpu),
      always: { guard: 'gpuRests', target: 'run', actions: 'answerNow' },
    },
    sampling: { on: { 'cpu.turn': { target: 'counted', actions: 'takeCount' } } },
    counted: { on: { 'cpu.turn': { target: 'run' } } },
    waiting: {
      ...waitingFor<CpuContext>('a notification'),
      always: { guard: 'allThere', target: 'seeing', actions: 'see' },
      on: { 'flag.set': { actions: 'noteFlag' } },
    },
    seeing: { on: { 'cpu.turn': { target: 'run', actions: 'answerNow' } } },
    stopping: {
      entry: 'beginPolling',
      always: [{ guard: 'ideal', target: 'idealStop' }, { target: 'choosing' }],
    },
    idealStop: {
      ...waitingFor<CpuContext>('the stop of its channels', ({ spec }) => [...spec.dmacs]),
      always: { guard: 'allStopped', target: 'run', actions: 'answerStop' },
      on: { 'chain.done': { actions: 'noteChain' } },
    },
    choosing: {
      always: [
        { guard: 'allPolled', target: 'run', actions: 'answerStop' },
        { guard: 'knownStopped', target: 'choosing', actions: 'passOver', reenter: true },
        { target: 'asking' },
      ],
    },
    asking: { entry: 'poll', on: { 'cpu.turn': { target: 'sampled', actions: 'judge' } } },
    sampled: { on: { 'cpu.turn': { target: 'choosing' } } },
    // What was under way when the job ended comes to nobody.
    done: {
      on: {
        'cpu.turn': refused,
        'memory.loaded': refused,
        'memory.stored': refused,
        'copy.done': refused,
        'mmio.answer': refused,
        'gasnet.return': refused,
        'cpu.exit': refused,
      },
    },
  },
});
