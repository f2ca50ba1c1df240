import { setup } from 'xstate';
import type { Address } from '../../../kernel/message.ts';
import { waitingFor } from '../../../kernel/outcome.ts';
import type { Program } from '../../common/program.ts';
import { memberAddress } from '../address.ts';
import { commandFault } from './command-rules.ts';
import type { EibSpec } from './eib-spec.ts';
import type { EibCommand, EibOperation, EibResult } from './operations.ts';
import { eibProtocol } from './protocol.ts';

/** What a program unit is made from. */
export interface UnitInput {
  readonly spec: EibSpec;
  /** Number of the element. */
  readonly element: number;
  /** Bytes of every element's store. */
  readonly storeBytes: readonly number[];
  readonly program: Program<EibOperation, EibResult>;
  /** Whether a command that no MFC can carry out is reported; else it is told in the result only. */
  readonly complains: boolean;
  /** The MFCs by element. */
  readonly mfcs: readonly Address[];
}

/** A program unit: its program, what the program wants just now, and why it was stopped. */
export interface UnitContext {
  readonly spec: EibSpec;
  readonly element: number;
  readonly storeBytes: readonly number[];
  readonly program: Program<EibOperation, EibResult>;
  readonly complains: boolean;
  readonly mfcs: readonly Address[];
  operation: EibOperation | null;
  result: EibResult;
  /** Cycle in which the program asked for the operation. */
  asked: number;
  /** Commands given so far: the number of the next one. */
  commands: number;
  /** Why the program was stopped, empty when it was not. */
  exception: string;
}

const role = eibProtocol.roles.Unit;
const { update, post, when, act } = role.component<UnitContext>();

/** The command the program wants carried out, and the element that carries it out. */
function wanted(unit: UnitContext): { readonly on: number; readonly command: EibCommand } | undefined {
  const { operation } = unit;
  if (operation?.op === 'command') return { on: unit.element, command: operation.command };
  return operation?.op === 'proxy' ? operation : undefined;
}

function faultOf(unit: UnitContext): string | undefined {
  const { operation, spec } = unit;
  if (operation?.op === 'wait') {
    const wrong = operation.tags.find((tag) => !Number.isInteger(tag) || tag < 0 || tag >= spec.tagGroups);
    return wrong === undefined ? undefined : `tag is ${wrong}, expected 0..${spec.tagGroups - 1}`;
  }
  const command = wanted(unit);
  if (command === undefined) return undefined;
  if (operation?.op === 'proxy' && (command.on === unit.element || unit.mfcs[command.on] === undefined))
    return `the proxy is element ${command.on}, expected another element of this bus`;
  return commandFault(spec, unit.storeBytes, command.on, command.command);
}

/** The program unit of an element, an SPU for example: gives commands to MFCs and waits for them (Cell specification 19.1, 19.2). */
export const programUnit = setup({
  types: role.types<UnitContext, UnitInput>(),
  guards: {
    over: when((unit) => unit.operation === null),
    wrong: when((unit) => faultOf(unit) !== undefined),
    sleeps: when((unit) => unit.operation?.op === 'until'),
    waits: when((unit) => unit.operation?.op === 'wait'),
  },
  actions: {
    fetch: update((unit, _event, { now }) => {
      unit.asked = now;
      do {
        unit.operation = unit.program.next(unit.result) ?? null;
        unit.result = undefined;
      } while (unit.operation?.op === 'until' && unit.operation.cycle <= now);
    }),
    sleep: post((unit, _event, { now, self }) => ({
      to: self,
      type: 'unit.wake',
      delay: unit.operation?.op === 'until' ? unit.operation.cycle - now : 0,
    })),
    writeChannels: post((unit, _event, { self }) => ({
      to: self,
      type: 'unit.wake',
      delay: unit.spec.issueBusCycles,
    })),
    giveCommand: post((unit) => {
      const command = wanted(unit)!;
      return {
        to: memberAddress(unit.mfcs, command.on),
        type: 'mfc.command',
        issuer: unit.element,
        number: unit.commands,
        command: command.command,
        issued: unit.asked,
      };
    }),
    askForTags: post((unit) => ({
      to: memberAddress(unit.mfcs, unit.element),
      type: 'mfc.await',
      tags: unit.operation?.op === 'wait' ? unit.operation.tags : [],
    })),
    note: update((unit) => {
      unit.result = unit.commands++;
    }),
    stop: update((unit) => {
      unit.exception = faultOf(unit)!;
    }),
    // No complaint of the model: what programs do wrong is reported where somebody asked for it.
    complain: act((unit, _event, out) => {
      if (unit.complains)
        out.report({
          property: 'programs give only commands that an MFC can carry out',
          why: `${unit.spec.elements[unit.element]}: ${unit.exception}`,
        });
    }),
  },
}).createMachine({
  id: 'eibUnit',
  context: ({ input }) => ({
    ...input,
    operation: null,
    result: undefined,
    asked: 0,
    commands: 0,
    exception: '',
  }),
  initial: 'off',
  states: {
    off: { on: { 'unit.begin': 'fetching' } },
    fetching: {
      entry: 'fetch',
      always: [
        { guard: 'over', target: 'halted' },
        { guard: 'wrong', target: 'halted', actions: ['stop', 'complain'] },
        { guard: 'sleeps', target: 'sleeping' },
        { guard: 'waits', target: 'waitingForTags' },
        { target: 'issuing' },
      ],
    },
    sleeping: { entry: 'sleep', on: { 'unit.wake': 'fetching' } },
    issuing: {
      entry: 'writeChannels',
      on: { 'unit.wake': { target: 'waitingForPlace', actions: 'giveCommand' } },
    },
    waitingForPlace: {
      ...waitingFor<UnitContext>('a free place in the queue of an MFC', (unit) =>
        memberAddress(unit.mfcs, wanted(unit)?.on ?? unit.element),
      ),
      on: { 'mfc.accepted': { target: 'fetching', actions: 'note' } },
    },
    waitingForTags: {
      ...waitingFor<UnitContext>('its tag groups', (unit) => memberAddress(unit.mfcs, unit.element)),
      entry: 'askForTags',
      on: { 'mfc.settled': 'fetching' },
    },
    halted: {},
  },
});
