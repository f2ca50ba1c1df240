import type { Outbox } from './kit.ts';

/** The way out of an actor: where its posts, probes, reports and questions of choice go. */
export interface Port extends Outbox {
  /** Picks 0..count-1. `what` names the decision in reports. */
  pick(what: string, count: number): number;
}

/** A port for a state machine that runs alone: posts vanish and every pick is 0. */
export const silentPort: Port = {
  observed: false,
  post: () => {},
  send: () => {},
  probe: () => {},
  report: () => {},
  pick: () => 0,
};

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
