/**
 * The states of a mailbox: open while all who asked were answered, looking for who can go on, awaiting what others send.
 *
 * Details: what is asked for and what comes leads to `looking`: the family says with which actions. `awaiting` is what it says of that state. It has the guard `somebodyWaits` and
 * the action `letGoOn`, which answers all who ask for something that is there.
 */
export const mailboxStates = <const W extends object>(awaiting: W) =>
  ({
    open: {},
    looking: {
      entry: 'letGoOn',
      always: [{ guard: 'somebodyWaits', target: 'awaiting' }, { target: 'open' }],
    },
    awaiting: { tags: ['waiting'], ...awaiting },
  }) as const;
