/** Counters of a router (chiplet specification 5.9); words are flits times words of a flit. */
export interface RouterCounters {
  flitsRead: number;
  flitsWritten: number;
  writeToggles: number;
  inToggles: number;
  outToggles: number;
  switches: number;
  grants: number;
  requestToggles: number;
  grantChanges: number;
  finished: number;
  delaySum: number;
  /** Packets and flits that this router has put into the network, and flits that it has taken out. */
  packetsInjected: number;
  flitsInjected: number;
  flitsAccepted: number;
  /** Flits that were lost on arrival. */
  flitsDropped: number;
}

/** All counters at 0. */
export const noCounts = (): RouterCounters => ({
  flitsRead: 0,
  flitsWritten: 0,
  writeToggles: 0,
  inToggles: 0,
  outToggles: 0,
  switches: 0,
  grants: 0,
  requestToggles: 0,
  grantChanges: 0,
  finished: 0,
  delaySum: 0,
  packetsInjected: 0,
  flitsInjected: 0,
  flitsAccepted: 0,
  flitsDropped: 0,
});
