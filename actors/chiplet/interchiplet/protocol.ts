import { field } from '../../../kernel/protocol/field.ts';
import { type MessageOf, type MessagesOf, protocol } from '../../../kernel/protocol/protocol.ts';

/*
 * What processes, coordinators and the network say to each other (chiplet specification 9.1, 9.2). A functional command is answered by RESULT when what it asks
 * for has happened; a timing command by SYNC with the cycle, in the clock of its process, in which the process goes on.
 */

const count = field.int();
/** A time or a cycle of a clock of some rate, which may be a fraction. */
const time = field.data(0, 1, 2.5);
const place = field.record({ x: field.int({ min: -1 }), y: field.int({ min: -1 }) });
const process = field.address('Process');
/** `by`: the process that waits for the answer; `source`: the chiplet that the command is about as its source. */
const from = { by: process, source: place };
/** Asks for the pipe from `source` to `target`, or launches the program of `target`. */
const directed = { ...from, target: place };
const ofUid = { ...from, uid: count };
/** One end of a transaction, when in the clock of the process. */
const endOfTransfer = {
  ...from,
  /** Cycle of the process, a whole number from 0. */
  cycle: count,
  /** For barriers and locks (uid, 0). */
  target: place,
  bytes: count,
  /** See `descriptions`. */
  description: count,
};
const line = field.record({
  sourceCycle: time,
  targetCycle: time,
  source: place,
  target: place,
  flits: count,
  description: count,
});
const latencies = {
  cycle: time,
  source: place,
  target: place,
  description: count,
  latencies: field.list(time),
};
/** A round begins, from 1: coordinators forget the last one and take up its latency records. */
const load = {
  'round.load': { round: count, records: field.list(field.record({ ...latencies, line: count })) },
};
/** Shown by a coordinator in the handling of the command with which a barrier opens. */
const opened = { 'barrier.opened': { uid: count } };

/** Processes of several programs with a coordinator. */
export const interchipletProtocol = protocol({
  Process: {
    receives: {
      /** It begins anew. */
      'process.begin': { round: count },
      /** What was asked for has happened: with a pipe, with the launcher, or with nothing. */
      'answer.result': { values: field.list(field.either(field.int({ min: -1 }), field.text())) },
      /** It goes on in this cycle of its own clock. */
      'answer.sync': { cycle: time },
    },
    timers: ['process.wake'],
  },
  FunctionalDesk: {
    receives: {
      'command.send': directed,
      'command.receive': directed,
      /** Comes to a barrier; a count of 0 says nothing about how many meet. */
      'command.barrier': { ...ofUid, count },
      'command.lock': ofUid,
      'command.unlock': ofUid,
      'command.launch': directed,
      /** As the program of `target`, waits for its launch: from `source`, or from anybody. */
      'command.waitlaunch': directed,
      ...load,
      /** A record has served: that of a source in this line of the file. */
      'record.used': { source: place, line: count },
      /** A process cannot go on without another one: its transaction has one end only, or it has come to its end. Told in rounds with records. */
      'process.parked': { process },
      'process.freed': { process },
      /** Nobody seemed to be able to go on, a tick ago; or, from who knows more than the coordinator does, nobody can. */
      'order.doubt': { sure: field.flag() },
    },
    shows: {
      ...opened,
      /** A command is not the one that the records expect (W-ORDER). */
      'order.warning': { round: count, why: field.text() },
    },
  },
  TimingDesk: {
    receives: {
      'command.write': endOfTransfer,
      'command.read': endOfTransfer,
      /** The last cycle of a process, in its own clock. */
      'command.cycle': { by: process, cycle: count },
      ...load,
      /** A command that no record expects: from now on nobody uses records in this round. */
      'records.discard': {},
    },
    shows: opened,
  },
  Rounds: {
    receives: {
      /** Begins the first round. */
      'rounds.begin': {},
      /** A transaction for the trace of phase 2, as soon as it is known. */
      'bench.add': { line },
      /** A process has come to its end, in this time of the system. */
      'process.ended': { process, time },
      /** What the transactions of the trace took. */
      'network.done': { lines: field.list(field.record(latencies)) },
    },
  },
  Network: {
    receives: {
      /** The trace of a round. */
      'network.run': { bench: field.list(line) },
    },
  },
});

/** A message by its type. */
export type InterchipletMessage<T extends MessagesOf<typeof interchipletProtocol>['type']> = MessageOf<
  typeof interchipletProtocol,
  T
>;
