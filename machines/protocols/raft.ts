import type { AnyStateMachine } from 'xstate';
import { z } from 'zod';
import { raftProtocol } from '../../actors/protocols/raft-protocol.ts';
import { type RaftContext, raftServer } from '../../actors/protocols/raft-server.ts';
import type { GlobalState, MessageUnderWay } from '../../kernel/global-state.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Machine } from '../machine.ts';
import { mutantSentences, withMutants } from '../mutant.ts';
import { noPrograms } from './no-programs.ts';
import { raftMutants } from './raft-mutants.ts';

const config = z.strictObject({
  servers: z.int().min(1).max(9).default(3).describe('who keep the log'),
  commands: z.int().min(0).max(100).default(1).describe('what clients ask every server to do, once each'),
  terms: z.int().min(1).max(1000).default(2).describe('terms beyond which is not looked'),
  copies: z.int().min(1).max(1000).default(1).describe('equal messages under way beyond which is not looked'),
});

/** Configuration of Raft. */
export type RaftConfig = z.output<typeof config>;

/** How the servers stand. */
export interface RaftResult {
  readonly servers: readonly {
    readonly state: string;
    readonly term: number;
    /** Values of the log, committed ones first. */
    readonly log: readonly number[];
    readonly commit: number;
  }[];
}

/** By event: what it says, spelled out once. */
const texts = new WeakMap<MessageUnderWay['event'], string>();

function textOf(event: MessageUnderWay['event']): string {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const text = JSON.stringify(event);
  texts.set(event, text);
  return text;
}

/** True for messages that are equal. What is spelled out is compared only where the rest is alike: most messages are of another type or channel. */
const isCopy = (one: MessageUnderWay, other: MessageUnderWay): boolean =>
  one === other ||
  (one.event.type === other.event.type &&
    one.to === other.to &&
    one.from === other.from &&
    textOf(one.event) === textOf(other.event));

// Asked of every step of an exploration.
const within =
  ({ terms, copies }: RaftConfig) =>
  ({ actors, messages }: GlobalState): boolean => {
    for (const { context } of actors) if (((context as Partial<RaftContext>).term ?? 0) > terms) return false;
    for (let at = copies; at < messages.length; at++) {
      let count = 1;
      for (let earlier = 0; earlier < at; earlier++) if (isCopy(messages[earlier]!, messages[at]!)) count++;
      if (count > copies) return false;
    }
    return true;
  };

/** Servers that keep equal logs under a leader that they elect. */
export const raft: Machine<RaftConfig, readonly unknown[], RaftResult> = {
  name: 'raft',
  config,
  programs: noPrograms,
  mutants: mutantSentences(raftMutants),
  asynchronous: true,
  protocol: raftProtocol,
  symmetric: 'Server',
  assemble: ({ config, mutants }) => {
    const part = withMutants<AnyStateMachine>(raftServer, raftMutants, mutants);
    const wiring = new Wiring({});
    const servers = raftProtocol.roles.Server.reserve(wiring, config.servers);
    for (const at of servers) {
      wiring.place(at, part, { servers });
      for (let value = 1; value <= config.commands; value++) wiring.begin({ to: at, type: 'Command', value });
    }
    wiring.boundary = within(config);
    return {
      wiring,
      result: (run) => ({
        servers: run.state.actors.map(({ state, context }) => {
          const { term = 0, log = [], commit = 0 } = context as Partial<RaftContext>;
          return { state, term, log: log.map(({ value }) => value), commit };
        }),
      }),
    };
  },
  figures: ({ servers }) =>
    servers.map(({ state, term, log, commit }, at) => ({
      label: `server ${at}`,
      value: `${state} in term ${term}, log [${log.join(' ')}], ${commit} committed`,
    })),
};
