import type { AnyStateMachine } from 'xstate';
import type { DmaContext } from '../../../actors/cell/dma-module.ts';
import {
  TRANSFER_STATUS_FINISHED,
  TRANSFER_STATUS_RUNNING,
  type TransferStatus,
} from '../../../actors/cell/instructions.ts';
import type { CellEvents } from '../../../actors/cell/protocol.ts';
import type { TransferRequest } from '../../../actors/cell/request-table.ts';
import { component } from '../../../kernel/kit.ts';
import type { Post } from '../../../kernel/message.ts';
import { mutantsOf } from '../../mutant.ts';
import { plantingIn, postedBy } from '../../planting.ts';
import type { CellParts } from '../parts.ts';
import type { CellFault } from './mutant.ts';

const { update, post, when, probe, act } = component<DmaContext, CellEvents<'Dma'>>();

const { replace } = plantingIn<CellParts>();

const served = (dma: DmaContext): TransferRequest => dma.table.entry(dma.serving)!;
const isLast = ({ start, size }: TransferRequest, t: number): boolean => t === start + size - 1;

/** A module that leaves out, or serves more than once, some of its transfers in a cycle. */
function serving(times: (request: TransferRequest, t: number) => number): {
  readonly guards: object;
  readonly actions: object;
} {
  const due = (dma: DmaContext, t: number): number[] =>
    dma.running.flatMap((id) => {
      const entry = dma.table.entry(id)!;
      return entry.start > t ? [] : new Array<number>(times(entry, t)).fill(id);
    });
  return {
    guards: { someDue: when<'dma.phase'>((dma, { t }) => due(dma, t).length > 0) },
    actions: {
      beginCycle: update<'dma.phase'>((dma, { t }) => {
        dma.t = t;
        dma.due = due(dma, t);
      }),
    },
  };
}

/** Moves another byte than that of the cycle. */
function shifted(
  machine: AnyStateMachine,
  by: (dma: DmaContext) => number,
): { readonly readByte: object; readonly writeByte: object } {
  const [read, write] = [
    postedBy<DmaContext>(machine, 'readByte'),
    postedBy<DmaContext>(machine, 'writeByte'),
  ];
  const moved = (access: unknown, dma: DmaContext): Post => {
    const one = access as Post & { readonly addr: number };
    return { ...one, addr: one.addr + by(dma) } as Post;
  };
  return {
    readByte: post((dma, event) => moved(read(dma, event), dma)),
    writeByte: post((dma, event) => moved(write(dma, event), dma)),
  };
}

/** A module that answers status queries by another rule. */
function answering(rule: (dma: DmaContext, id: number, t: number) => TransferStatus): {
  readonly actions: object;
} {
  return {
    actions: {
      answerStatus: post<'status.query'>((dma, { id, t }) => ({
        to: dma.spec.owner,
        type: 'status.reply',
        status: rule(dma, id, t),
      })),
      showStatus: probe<'status.query'>((dma, { id, t }) => ({
        type: 'STATUS',
        t,
        spu: dma.spec.spu,
        id,
        ...rule(dma, id, t),
      })),
    },
  };
}

/** Faults of the DMA modules (Cell specification 21.4). */
export const transferFaults = mutantsOf<CellParts, CellFault>({
  'M-08': {
    sentence: 'a transfer pauses one cycle after its first byte',
    mustRaise: ['CK-07'],
    mutate: replace('dma', (machine) => {
      const { guards, actions } = serving(({ start }, t) => (t === start + 1 ? 0 : 1));
      return {
        guards,
        actions: { ...actions, ...shifted(machine, (dma) => (dma.t > served(dma).start ? -1 : 0)) },
      };
    }),
  },
  'M-09': {
    sentence: 'a transfer moves two bytes in its first cycle',
    mustRaise: ['CK-07'],
    mutate: replace('dma', (machine) => {
      const { guards, actions } = serving(({ start, size }, t) =>
        size < 2 ? 1 : t === start ? 2 : t === start + size - 1 ? 0 : 1,
      );
      const again = (dma: DmaContext) => !dma.due.includes(dma.serving);
      return {
        guards: {
          ...guards,
          startsNow: when((dma) => served(dma).start === dma.t && (served(dma).size < 2 || !again(dma))),
        },
        actions: { ...actions, ...shifted(machine, (dma) => (served(dma).size > 1 && again(dma) ? 1 : 0)) },
      };
    }),
  },
  'M-10a': {
    sentence: 'the last byte of a transfer is dropped',
    mustRaise: ['CK-07', 'CK-11'],
    mutate: replace(
      'dma',
      serving((request, t) => (isLast(request, t) ? 0 : 1)),
    ),
  },
  'M-10b': {
    sentence: 'a transfer moves one byte too many',
    mustRaise: ['CK-11'],
    mutate: replace('dma', (machine) => {
      const { guards, actions } = serving(() => 1);
      const count = postedBy<DmaContext>(machine, 'countByte');
      const over = (dma: DmaContext, id: number, t: number) =>
        dma.table.status(id, t).status === TRANSFER_STATUS_FINISHED;
      return {
        guards,
        actions: {
          ...actions,
          // Retires a cycle late, when the superfluous byte has moved.
          retire: update(() => {}),
          endCycle: update((dma) => {
            dma.serving = -1;
            dma.running = dma.running.filter((id) => !over(dma, id, dma.t));
          }),
          countByte: post((dma, event, { self }) =>
            over(dma, dma.serving, dma.t) ? { to: self, type: 'request.noted' } : count(dma, event),
          ),
        },
      };
    }),
  },
  'M-11': {
    sentence: 'get and put are swapped',
    mustRaise: ['CK-12', 'CK-13'],
    mutate: replace('dma', {
      actions: {
        accept: update<'dma.request'>((dma, { kind, my, peer, addr, size, t }) => {
          dma.table.accept(kind === 'get' ? 'put' : 'get', my, peer, addr, size, t);
        }),
      },
    }),
  },
  'M-12': {
    sentence: 'every request of a module has the id 0',
    mustRaise: ['CK-01'],
    mutate: replace('dma', {
      actions: {
        acknowledge: post((dma) => ({ to: dma.spec.owner, type: 'dma.accepted', id: 0 })),
        showRequest: probe<'dma.request'>((dma, { kind, my, peer, addr, size, t }) => ({
          type: 'REQ',
          t,
          spu: dma.spec.spu,
          id: 0,
          kind,
          my,
          peer,
          addr,
          size,
        })),
      },
    }),
  },
  'M-17': {
    sentence: 'the last byte of a transfer has no command',
    mustRaise: ['CK-13', 'CK-15'],
    mutate: replace('dma', (machine) => {
      const send = postedBy<DmaContext>(machine, 'sendCommand');
      return {
        actions: {
          sendCommand: post((dma, event) => (isLast(served(dma), dma.t) ? undefined : send(dma, event))),
        },
      };
    }),
  },
  'M-18': {
    sentence: 'a transfer is FINISHED in its last cycle',
    mustRaise: ['CK-03'],
    mutate: replace(
      'dma',
      answering((dma, id, t) => {
        const entry = dma.table.entry(id);
        return dma.table.status(id, entry !== undefined && entry.start >= 0 && isLast(entry, t) ? t + 1 : t);
      }),
    ),
  },
  'M-19': {
    sentence: 'a RUNNING answer carries the ring of an earlier transfer',
    mustRaise: ['CK-04'],
    mutate: replace(
      'dma',
      answering((dma, id, t) => {
        const answer = dma.table.status(id, t);
        const earlier = dma.table.entries.findLast((entry) => entry.id < id && entry.dir >= 0);
        if (answer.status !== TRANSFER_STATUS_RUNNING || earlier === undefined) return answer;
        return { ...answer, dir: earlier.dir, ring: earlier.ring };
      }),
    ),
  },
  'M-24': {
    sentence: 'waiting is counted from the issue cycle, not from the one after it',
    mustRaise: ['P-10'],
    mutate: replace('dma', {
      actions: {
        accept: update<'dma.request'>((dma, { kind, my, peer, addr, size, t }) => {
          // The table is what the figures are computed from; an empty request takes its start from the issue cycle.
          dma.table.accept(kind, my, peer, addr, size, size === 0 ? t : t - 1);
        }),
      },
    }),
  },
  'M-25': {
    sentence: 'the command for a byte is sent in the cycle before it',
    mustRaise: ['CK-13', 'CK-15'],
    mutate: replace('dma', (machine) => {
      const send = postedBy<DmaContext>(machine, 'sendCommand');
      return {
        actions: {
          // The first byte has no cycle before it: its own command and that of the second byte go together.
          sendCommand: post((dma, event) => {
            const request = served(dma);
            const command = send(dma, event) as Post;
            if (request.size === 1) return command;
            if (dma.t === request.start) return [command, command];
            return isLast(request, dma.t) ? undefined : command;
          }),
        },
      };
    }),
  },
  'L-01': {
    sentence: 'a DMA module tells itself for ever that a segment is free',
    mustRaise: ['livelock'],
    mutate: replace('dma', {
      actions: {
        retire: act<'ring.freed'>((dma, { id, t }, out) => {
          dma.running = dma.running.filter((one) => one !== id);
          out.post({ to: out.self, type: 'ring.freed', id, t } as never);
        }),
      },
    }),
  },
});
