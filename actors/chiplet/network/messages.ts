/*
 * What routers, links, the injector and the clock of a network say to each other. A cycle has two ticks of the kernel: in tick 2c the routers
 * have their turns of cycle c, in tick 2c - 1 arrives what the routers see in cycle c (machines/chiplet/network-machine.ts).
 */

/** Clock or router to router: the right to go through the stages of a cycle, and to draw random numbers meanwhile. */
export interface RouterTurn {
  readonly type: 'router.turn';
  readonly cycle: number;
}

/** Router to link: a flit for the wire, with the virtual channel it is for. */
export interface LinkCarry {
  readonly type: 'link.carry';
  readonly flit: number;
  readonly channel: number;
  /** What it changes on the wire, as `changeBetween` writes it. */
  readonly change: number;
  /** Cycle in which it leaves the router. */
  readonly cycle: number;
}

/** Link to router: a flit arrives at an input port, to be seen in a cycle. */
export interface FlitArrive {
  readonly type: 'flit.arrive';
  readonly port: number;
  readonly channel: number;
  readonly flit: number;
  /** What it changes at the port, as `changeBetween` writes it: a port sees what its wire carries. */
  readonly change: number;
  readonly cycle: number;
}

/** Router to the router before it: a place in the input buffer behind an output channel is free, to be seen in a cycle. */
export interface CreditReturn {
  readonly type: 'credit.return';
  readonly port: number;
  readonly channel: number;
  readonly cycle: number;
}

/** Injector to router: a packet of its list is due. */
export interface PacketsDue {
  readonly type: 'packets.due';
  /** Time of the packet, which may be a fraction. */
  readonly at: number;
  /** Cycle in which the router sees it. */
  readonly cycle: number;
  /** The packet, when it is not one of the trace. */
  readonly packet?: number;
}

/** Router to injector: it has taken what was due; the right to draw random numbers goes back. */
export interface PacketsTaken {
  readonly type: 'packets.taken';
}

/** Clock to injector, or injector to itself: the packets that routers see in a cycle. */
export interface InjectorTurn {
  readonly type: 'injector.turn';
  readonly cycle: number;
  /** How many packets of the list, when the clock decides; those of the cycle when absent. */
  readonly count?: number;
  /** Acknowledgements among them, when the clock decides, in their order. */
  readonly answers?: readonly AnswerDue[];
}

/** An acknowledgement whose time has come. */
export interface AnswerDue {
  /** The packet that it answers. */
  readonly cause: number;
  readonly time: number;
  /** How many packets of the list come before it in its turn. */
  readonly after: number;
}

/** Who answers to the injector: a packet that is not in the trace. */
export interface PacketOffer {
  readonly type: 'packet.offer';
  /** The packet that it answers. */
  readonly cause: number;
  /** Cycle in which it is offered, and the cycle in which its router sees it. */
  readonly cycle: number;
  readonly seen: number;
  readonly time: number;
  readonly source: number;
  readonly target: number;
  readonly size: number;
}

/** Router to clock: somebody wants a turn in a cycle. */
export interface CycleWanted {
  readonly type: 'cycle.wanted';
  readonly cycle: number;
}

/** Last router of a cycle to clock, where the clock orders events: what the routers began is in the log. */
export interface TurnsDone {
  readonly type: 'turns.done';
  readonly cycle: number;
}

/** Link to clock: a flit that would arrive after the end of the simulation. */
export interface WireLate {
  readonly type: 'wire.late';
  /** Time at which it would arrive, and whether that is before turns of the same time. */
  readonly at: number;
  readonly first: boolean;
  readonly cycle: number;
  /** Number of the link: by router and port. */
  readonly link: number;
  readonly port: number;
  readonly channel: number;
  readonly flit: number;
  readonly change: number;
}

/** Router to clock: a place in a buffer comes back in the first cycle after the end of the simulation, in which nobody has a turn. */
export interface CreditLate {
  readonly type: 'credit.late';
}

/** Clock to itself: all that comes too late is known, so the first event after the end can be chosen; when `over`, it is carried out. */
export interface ClockSettle {
  readonly type: 'clock.settle';
  readonly over: boolean;
}

/** Clock to routers: the simulation ends here, whatever is still under way. */
export interface NetworkStop {
  readonly type: 'network.stop';
}

/** Router to who listens: the tail of a packet was accepted. */
export interface PacketDelivered {
  readonly type: 'packet.delivered';
  readonly packet: number;
  readonly cycle: number;
}
