import type { RegisterAnswer, RegisterRequest } from '../../actors/protocols/register.ts';
import { consistentTraffic } from '../consistency/consistent-history.ts';
import { linearizable } from '../consistency/oracles.ts';
import type { Traffic } from '../consistency/recorder.ts';

/** How the messages of a shared register are read as accesses. A client has one under way at a time. */
export const registerTraffic: Traffic = {
  request: ({ from, message: { event } }) => {
    const request = event as RegisterRequest;
    switch (request.type) {
      case 'register.read':
        return { process: from, kind: 'read', location: 'register' };
      case 'register.write':
        return { process: from, kind: 'write', location: 'register', value: request.value };
      default:
        return undefined;
    }
  },
  answer: ({ to, message: { event } }) => {
    const answer = event as RegisterAnswer;
    switch (answer.type) {
      case 'register.value':
        return { process: to, value: answer.value };
      case 'register.written':
        return { process: to };
      default:
        return undefined;
    }
  },
};

/** Linearizability of a shared register, judged when a run is over: tells the smallest part of its history that no register can have, and why. */
export const registerHistoryIsLinearizable = consistentTraffic(
  'the history of the register is linearizable',
  registerTraffic,
  (history) => linearizable(history, { initial: () => 0 }),
);
