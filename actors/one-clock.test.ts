import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import type { AnyProtocol, AnyRole } from '../kernel/protocol/protocol.ts';
import { eibProtocol } from './cell/eib/protocol.ts';
import { burstProtocol, cellProtocol } from './cell/protocol.ts';
import { chipletProtocol } from './chiplet/gpu/protocol.ts';
import { interchipletProtocol } from './chiplet/interchiplet/protocol.ts';
import { networkProtocol } from './chiplet/network/protocol.ts';
import { systemProtocol } from './chiplet/system/protocol.ts';
import { grapeProtocol } from './grape/protocol.ts';
import { sunwayProtocol } from './sunway/protocol.ts';
import { tcaProtocol } from './tca/protocol.ts';

/*
 * The envelope says when a message comes, to whom and from whom: a message that says so, too, has a second clock, or a second sender. What looks like such a copy and is none
 * is listed with its reason.
 */

const home = new URL('./', import.meta.url).pathname;

/** Names that a copy of the time, of the receiver or of the sender would have. */
const suspicious = /^(at|t|now|time|tick|cycle|due|self|requester|reply|asker|sender)$/;

/** What the parts of a family say to each other, where they declare it. */
const protocols: Readonly<Record<string, readonly AnyProtocol[]>> = {
  cell: [cellProtocol, burstProtocol, eibProtocol],
  chiplet: [chipletProtocol, interchipletProtocol, networkProtocol, systemProtocol],
  grape: [grapeProtocol],
  sunway: [sunwayProtocol],
  tca: [tcaProtocol],
};

/** `type.field` of each message that a family declares with a field of a suspicious name, or with an address. */
const declaredSuspects = (family: string): readonly string[] =>
  (protocols[family] ?? []).flatMap(({ roles }) =>
    Object.values<AnyRole>(roles).flatMap(({ shape }) =>
      Object.entries(shape.receives ?? {}).flatMap(([type, fields]) =>
        Object.entries(fields).flatMap(([name, { words }]) =>
          suspicious.test(name) || words.startsWith('an address') ? [`${type}.${name}`] : [],
        ),
      ),
    ),
  );

/** `type.field` of each message of a family that has a field of a suspicious name, or an address. */
function suspects(family: string): readonly string[] {
  const found = new Set(declaredSuspects(family));
  const messages: (ts.InterfaceDeclaration | ts.TypeLiteralNode)[] = [];
  const declared = new Map<string, ts.InterfaceDeclaration>();
  for (const entry of readdirSync(`${home}${family}`, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts') || entry.name.endsWith('.test.ts')) continue;
    const text = readFileSync(`${entry.parentPath}/${entry.name}`, 'utf8');
    const visit = (node: ts.Node): void => {
      if (ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node)) messages.push(node);
      if (ts.isInterfaceDeclaration(node)) declared.set(node.name.text, node);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(entry.name, text, ts.ScriptTarget.Latest, true));
  }
  for (const one of messages) look(one);
  return [...found].sort();

  /** Fields of a declaration and of those that it extends. */
  function fieldsOf(node: ts.InterfaceDeclaration | ts.TypeLiteralNode): readonly ts.PropertySignature[] {
    const bases = ts.isInterfaceDeclaration(node) ? (node.heritageClauses ?? []) : [];
    const inherited = bases.flatMap(({ types }) =>
      types.flatMap(({ expression }) => {
        const base = declared.get(expression.getText());
        return base === undefined ? [] : fieldsOf(base);
      }),
    );
    return [...node.members.filter(ts.isPropertySignature), ...inherited];
  }

  function look(node: ts.InterfaceDeclaration | ts.TypeLiteralNode): void {
    const fields = fieldsOf(node);
    const type = node.members.find((one) => one.name?.getText() === 'type');
    if (type === undefined || !ts.isPropertySignature(type)) return;
    const name = type.type?.getText() ?? '';
    // What is shown to observers has names in capitals, or says that it is a probe.
    if (!/^'[a-z]/.test(name) || /\bextends Probe\b/.test(node.getText())) return;
    for (const field of fields) {
      const one = field.name.getText();
      if (suspicious.test(one) || field.type?.getText() === 'Address')
        found.add(`${name.replaceAll("'", '')}.${one}`);
    }
  }
}

/** By family: fields that are no copies, by the reason why not. */
const reasons: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  cell: {
    // Cell specification 8, 15.7: the parties of a barrier count its generations, and say of which one they speak; memories, bus and requests
    // are no parties and learn it for the event log (18.4). In a generation that a late message makes longer it is another number than the tick.
    'the number of the generation of the barrier': [
      'arbiter.phase.t',
      'bus.command.t',
      'bus.release.t',
      'cycle.baton.t',
      'cycle.begin.t',
      'dma.done.t',
      'dma.phase.t',
      'dma.request.t',
      'memory.access.t',
      'request.begin.t',
      'request.byte.t',
      'ring.freed.t',
      'spu.done.t',
      'status.query.t',
    ],
  },
  grape: {},
  sunway: {
    // Specification 8.1: routers, gateways and proxies pass them on, so that the envelope names the last of these.
    'who gets the answer to a message that others pass on': [
      'block.open.requester',
      'file.append.requester',
      'job.open.requester',
      'lock.ask.requester',
      'lock.give.requester',
      'memory.access.requester',
      'memory.claim.requester',
      'memory.read.requester',
      'memory.write.requester',
      'rma.data.source',
      'rma.read.engine',
    ],
    'a reply word: a place in an LDM': ['rma.data.reply', 'rma.read.reply'],
    // What is inside an engine posts nothing that comes later: the engine wakes it.
    'the cycle to come in which a transfer wants to go on': ['transfer.wake.cycle'],
  },
  tca: {
    'the requester of a packet of PCI Express, which switches pass on': [
      'tlp.completion.requester',
      'tlp.read.requester',
    ],
  },
  chiplet: {
    // Chiplet specification 10: the counter of a chiplet stands still at meetings while the time goes on, and chiplets differ in their clocks; gates
    // and carriers translate from one to the other.
    "the counter of a chiplet, which is behind the system's time once it has stood at a meeting": [
      'block.assign.cycle',
      'barrier.open.cycle',
      'block.enter.cycle',
      'block.gather.cycle',
      'block.noted.cycle',
      'load.complete.cycle',
      'load.noted.cycle',
      'load.open.cycle',
      'load.over.cycle',
      'place.clear.cycle',
      'segment.came.cycle',
      'warp.due.cycle',
      'warp.enter.cycle',
      'warp.issue.cycle',
      'warp.line.cycle',
      'block.done.cycle',
      'core.fault.cycle',
      'core.turn.cycle',
      'grid.done.cycle',
      'grid.fault.cycle',
      'grid.launch.cycle',
      'host.ended.cycle',
      'host.turn.cycle',
      'mailbox.answer.cycle',
      'mailbox.request.cycle',
      'memory.data.cycle',
      'memory.read.cycle',
      'memory.write.cycle',
      'message.arrived.cycle',
      'message.send.cycle',
      'message.sent.cycle',
      'message.values.cycle',
      'message.wanted.cycle',
      'sync.arrive.cycle',
      'sync.finish.cycle',
      'sync.release.cycle',
    ],
    'the cycle from which something that a gate keeps is due': ['gate.hold.at'],
    'the tick of an earlier event': ['sync.arrive.tick', 'sync.release.tick'],
    'who gets the answer to a message that a gate may keep': ['mailbox.request.asker', 'memory.read.core'],
    'an actor inside the core, of which the core speaks': ['load.complete.load', 'warp.enter.block'],
    'the chiplet in whose name a message is not sent': ['message.send.sender'],
    // Chiplet specification 9.2: programs of other processes speak through their places, with clocks of their own.
    'the clock of a process, and who waits for the answer, which may be a program outside': [
      'answer.sync.cycle',
      'command.barrier.by',
      'command.cycle.by',
      'command.cycle.cycle',
      'command.launch.by',
      'command.lock.by',
      'command.read.by',
      'command.read.cycle',
      'command.receive.by',
      'command.send.by',
      'command.unlock.by',
      'command.waitlaunch.by',
      'command.write.by',
      'command.write.cycle',
      'process.ended.time',
    ],
    'a process of which a coordinator speaks': [
      'process.ended.process',
      'process.freed.process',
      'process.parked.process',
    ],
    'the time of a packet in its trace, which may be a fraction, or of a flit that comes after the end': [
      'packet.offer.time',
      'packets.due.at',
      'packets.take.now',
      'wire.late.at',
      'wire.late.cycle',
    ],
    // Two ticks are a cycle. In most editions of the network the tick says the cycle, so that these are copies there; in that of LegoSim a packet at time 0 puts all cycles off by a
    // tick (chiplet specification 5.11), and the number has to be told.
    'the number of the cycle of a network': [
      'channel.front.cycle',
      'channel.give.cycle',
      'channel.given.cycle',
      'channel.route.cycle',
      'credit.return.cycle',
      'cycle.wanted.cycle',
      'flit.arrive.cycle',
      'flit.enter.cycle',
      'flit.refused.cycle',
      'injector.turn.cycle',
      'interface.turn.cycle',
      'link.carry.cycle',
      'packet.abandoned.cycle',
      'packet.delivered.cycle',
      'packet.enter.cycle',
      'packet.entered.cycle',
      'packet.offer.cycle',
      'packets.due.cycle',
      'packets.take.cycle',
      'place.back.cycle',
      'place.free.cycle',
      'queue.shorter.cycle',
      'router.turn.cycle',
      'source.settled.cycle',
      'switch.wanted.cycle',
      'turn.done.cycle',
      'turn.wanted.cycle',
      'turns.done.cycle',
    ],
  },
  common: {
    // These are copies: only who asks can be meant.
    'still the sender': ['mutex.acquire.by', 'mutex.release.by'],
  },
};

test.each(Object.keys(reasons))('messages of %s carry no copy of time, receiver or sender', (family) => {
  const excused = Object.values(reasons[family]!).flat();

  expect(suspects(family)).toEqual([...excused].sort());
});
