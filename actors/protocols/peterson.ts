import { contender, contenderContext } from './contender.ts';

/** A process that keeps another one out by Peterson's algorithm ("Myths about the mutual exclusion problem", 1981). */
export const peterson = contender.createMachine({
  id: 'peterson',
  context: contenderContext,
  initial: 'resting',
  states: {
    resting: { on: { 'process.begin': 'raisingFlag' } },
    raisingFlag: { entry: 'raiseFlag', on: { 'register.written': 'yieldingTurn' } },
    yieldingTurn: { entry: 'yieldTurn', on: { 'register.written': 'readingFlag' } },
    readingFlag: {
      entry: 'readFlag',
      on: { 'register.value': [{ guard: 'otherIsDown', target: 'critical' }, { target: 'readingTurn' }] },
    },
    readingTurn: {
      entry: 'readTurn',
      on: { 'register.value': [{ guard: 'turnIsMine', target: 'critical' }, { target: 'readingFlag' }] },
    },
    critical: {
      entry: ['enter', 'lowerFlag'],
      exit: ['leave', 'countDown'],
      on: { 'register.written': [{ guard: 'lastRound', target: 'finished' }, { target: 'raisingFlag' }] },
    },
    finished: {},
  },
});
