import type { Outbox } from './kit.ts';
import { type Address, type Post, type Probe, type Report, WORLD } from './message.ts';

/** The way out of an actor: where its posts, probes, reports, timers and questions of choice go. */
export type Port = Outbox;

/** The envelope on which a method is called. Errors: a `TypeError` for one that was taken out of it, as `(me, event, { post }) => post(…)` does. */
export function attached<P extends Port>(envelope: P | undefined, method: keyof Port): P {
  if (envelope === undefined)
    throw new TypeError(`"${method}" was taken out of its envelope: call it as out.${method}(…)`);
  return envelope;
}

/** A port for a state machine that runs alone: posts vanish, every pick is 0 and it is tick 0. */
export const silentPort: Port = {
  now: 0,
  self: 0 as Address,
  from: WORLD,
  input: undefined,
  observed: false,
  post: () => {},
  send: () => {},
  probe: () => {},
  report: () => {},
  pick: () => 0,
  setTimer: () => {},
  cancelTimer: () => {},
};

/** An outbox that passes everything on to another one: what an outbox that changes some of it is made from. */
export class ForwardingOutbox implements Outbox {
  constructor(protected inner: Outbox) {}

  get now(): number {
    return this.inner.now;
  }
  get self(): Address {
    return this.inner.self;
  }
  get from(): Address {
    return this.inner.from;
  }
  get input(): unknown {
    return this.inner.input;
  }
  get observed(): boolean {
    return this.inner.observed;
  }
  post(message: Post): void {
    this.inner.post(message);
  }
  send(to: Address, delay: number | undefined, message: Post): void {
    this.inner.send(to, delay, message);
  }
  probe(probe: Probe): void {
    this.inner.probe(probe);
  }
  report(report: Report): void {
    this.inner.report(report);
  }
  pick(what: string, count: number): number {
    return this.inner.pick(what, count);
  }
  setTimer(type: string, ticks?: number): void {
    this.inner.setTimer(type, ticks);
  }
  cancelTimer(type: string): void {
    this.inner.cancelTimer(type);
  }
}

// XState hands an action its context and event and nothing else. While one event is being handled, which is
// synchronous, this stack says whose port the actions of the interpreter write to.
const ports: Port[] = [];

/** The port of the actor that is handling an event just now. */
export const currentPort = (): Port => ports.at(-1) ?? silentPort;

/** Runs `handle` with `port` as the way out of the actor that XState interprets. */
export function withPort<T>(port: Port, handle: () => T): T {
  ports.push(port);
  try {
    return handle();
  } finally {
    ports.pop();
  }
}
