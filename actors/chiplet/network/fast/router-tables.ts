/** Places of a ring: a power of two, so that going around is one operation. */
const ringRoom = (depth: number): number => 1 << (32 - Math.clz32(Math.max(1, depth - 1)));

/**
 * Where in the cells of a router each of its tables begins; the same for all routers of a network.
 *
 * Details: channels are numbered port by port: `port * channels + channel`. All tables of a router lie side by side in one array, those that
 * every turn reads first: a network of thousands of routers waits for memory more than for anything else.
 */
export class RouterTables {
  /** Virtual channels of all ports. */
  readonly queues: number;
  /** Words of 32 channels in a set. */
  readonly span: number;
  /** By channel: its port. */
  readonly portOf: Uint16Array;

  /** By set and by word of 32 channels. */
  readonly members: number;
  /** Output ports with a flit for the wire, 32 a word. */
  readonly sending: number;
  readonly sendingSpan: number;
  /** By output port: the channels in use. */
  readonly used: number;
  /**
   * By output port: the flit that waits for the wire, -1 when none does, its channel, and what it changed. No more than one ever waits: the
   * wire takes it in the next cycle.
   */
  readonly waiting: number;
  readonly waitingChannels: number;
  readonly waitingChanges: number;
  /** By output port: the input port of its last flit. */
  readonly lastInputs: number;
  /** By input channel: what it is doing. */
  readonly states: number;
  /** By input channel: flits in its queue, and the place of the first one in its ring. */
  readonly counts: number;
  readonly firsts: number;
  /** By input channel: the output channel that it was given, by number. */
  readonly outputs: number;
  /** By input channel: where its packet may go on, as `way` writes it. */
  readonly ways: number;
  /** By output channel: free places in the buffer at the other end. */
  readonly credits: number;
  /** By output channel: lower and upper half of the last vector of requests, and the last winner. */
  readonly lastRequests: number;
  readonly lastWinners: number;
  /** By input channel: where packets may be lost, the packet whose head has entered and whose tail has not, counted from 1; 0 for none. */
  readonly inside: number;
  /** By register that sees flits go by: the last flit, or that its words are here, and those words. */
  readonly seenFlits: number;
  readonly seenWords: number;
  readonly registers: number;
  /** Queues behind wires, each a ring of `ringRoom` places. */
  readonly rings: number;
  readonly ringRoom: number;
  /** Cells of a router. */
  readonly room: number;

  constructor(
    readonly ports: number,
    readonly channels: number,
    readonly bufferDepth: number,
    /** Words of 64 bits in a flit. */
    readonly words: number,
    /** Whether flits may be lost on arrival, so that a queue does not see all that its wire carries. */
    loses = false,
  ) {
    let room = 0;
    const table = (length: number): number => {
      room += length;
      return room - length;
    };
    const queues = ports * channels;
    this.queues = queues;
    this.span = (queues + 31) >> 5;
    this.sendingSpan = (ports + 31) >> 5;
    this.portOf = Uint16Array.from({ length: queues }, (_, queue) => Math.floor(queue / channels));
    this.members = table(4 * this.span);
    this.sending = table(this.sendingSpan);
    this.used = table(ports);
    this.waiting = table(ports);
    this.waitingChannels = table(ports);
    this.waitingChanges = table(ports);
    this.lastInputs = table(ports);
    this.states = table(queues);
    this.outputs = table(queues);
    this.ways = table(queues);
    this.credits = table(queues);
    this.lastRequests = table(2 * queues);
    this.lastWinners = table(queues);
    this.inside = table(queues);
    // Into the switch at each input, out of it at each output, and into the queues of port 0; where flits may be lost, of every port.
    this.registers = 2 * ports + (loses ? ports : 1);
    this.seenFlits = table(this.registers);
    this.seenWords = table(2 * words * this.registers);
    this.counts = table(queues);
    this.firsts = table(queues);
    this.ringRoom = ringRoom(bufferDepth);
    this.rings = table((queues - channels) * this.ringRoom);
    this.room = room;
  }
}
