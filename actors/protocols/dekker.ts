import { contender, contenderContext } from './contender.ts';

/**
 * A process that keeps another one out by Dekker's algorithm (Dijkstra, "Cooperating sequential processes", 1965).
 *
 * Details: easier after reading `peterson.ts`. Here the turn is given away after the critical section, and who wants to enter while it is not his turn
 * takes his flag down for so long.
 */
export const dekker = contender.createMachine({
  id: 'dekker',
  context: contenderContext,
  initial: 'resting',
  states: {
    resting: { on: { 'process.begin': 'raisingFlag' } },
    raisingFlag: { entry: 'raiseFlag', on: { 'register.written': 'readingFlag' } },
    readingFlag: {
      entry: 'readFlag',
      on: { 'register.value': [{ guard: 'otherIsDown', target: 'critical' }, { target: 'readingTurn' }] },
    },
    readingTurn: {
      entry: 'readTurn',
      on: { 'register.value': [{ guard: 'turnIsMine', target: 'readingFlag' }, { target: 'steppingBack' }] },
    },
    steppingBack: { entry: 'lowerFlag', on: { 'register.written': 'awaitingTurn' } },
    awaitingTurn: {
      entry: 'readTurn',
      on: {
        'register.value': [
          { guard: 'turnIsMine', target: 'raisingFlag' },
          { target: 'awaitingTurn', reenter: true },
        ],
      },
    },
    critical: {
      entry: ['enter', 'yieldTurn'],
      exit: 'leave',
      on: { 'register.written': 'loweringFlag' },
    },
    loweringFlag: {
      entry: 'lowerFlag',
      exit: 'countDown',
      on: { 'register.written': [{ guard: 'lastRound', target: 'finished' }, { target: 'raisingFlag' }] },
    },
    finished: {},
  },
});
