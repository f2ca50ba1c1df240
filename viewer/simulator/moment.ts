import type { AnyStateNode } from 'xstate';
import type { Actor } from '../../kernel/actor.ts';
import { waitingOf } from '../../kernel/deadlock.ts';
import type { Message } from '../../kernel/message.ts';
import type { Delivery, Run } from '../../kernel/run.ts';
import type { Scene } from '../../machines/scene.ts';
import type { MessageView, Moment, Plain } from '../protocol.ts';
import { plain } from './plain.ts';

/** Messages under way that are listed. */
const listedMax = 200;

/** What is looked at: a delivery, and an actor from near. */
export interface Look {
  readonly at: number;
  readonly actor: Actor | undefined;
  readonly scene: Scene | undefined;
  readonly delivery?: Delivery;
  readonly before?: Plain;
}

/** A run as it stands, as data that can be sent. */
export function momentOf(run: Run, { at, actor, scene, delivery, before }: Look): Moment {
  const { messages } = run.state;
  const underWay = messages.map(
    ({ from, to, event, due }): MessageView => ({
      from,
      to,
      type: event.type,
      payload: payloadOf(event),
      ...(!run.asynchronous && { due: run.now + due }),
    }),
  );
  const local = actor && run.localStateAt(actor.address);
  // One that crashed is in none of its states.
  const isUp = actor?.configuration.name === local?.state;
  return {
    at,
    tick: run.now,
    ...(delivery && { delivered: messageView(run, delivery.message) }),
    states: run.localStates.map(({ name, state, waits }) => ({ actor: name, state, waiting: waits })),
    ...(actor && {
      actor: {
        name: actor.name,
        state: local!.state,
        active: isUp ? actor.configuration.nodes.map(chartId) : [],
        ...(local!.waits && { waiting: waitingOf(actor, (address) => run.nameOf(address)) }),
        context: plain(local!.context),
        ...(before !== undefined && { before }),
        inbox: underWay.filter(({ to }) => to === actor.name),
      },
    }),
    underWay: underWay.slice(0, listedMax),
    underWayCount: underWay.length,
    ...(scene && { scene }),
  };
}

/** A message in the words of the page. */
export const messageView = (run: Run, { from, to, event, due }: Message): MessageView => ({
  from: run.nameOf(from),
  to: run.nameOf(to),
  type: event.type,
  payload: payloadOf(event),
  ...(!run.asynchronous && { due }),
});

function payloadOf(event: object): Plain {
  const { type: _type, to: _to, delay: _delay, ...payload } = event as Record<string, unknown>;
  return plain(payload);
}

/** The name that a statechart has for a state. */
const chartId = ({ path, machine }: AnyStateNode): string =>
  (path.length === 0 ? machine.id : path.join('_')).replace(/\W/g, '_');
