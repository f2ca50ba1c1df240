/**
 * Why a state machine has a single state, by the name that `lockstep diagram` has for it.
 *
 * Details: a part that keeps bytes or forwards what comes has nothing that a diagram could show; everything else is to have states. Fast twins need no reason: their
 * explicit twin has the states.
 */
export const singleStates: Readonly<Record<string, string>> = {
  'cell/eib/store': 'it keeps bytes and answers at once; whoever waits is its MFC, whose state says so',
  'cell/memory-module':
    'it keeps bytes and answers at once; whoever waits is its DMA module, whose state says so',
  'chiplet/gpu/memory-channel':
    'it reckons when each segment is served as it comes; whoever waits is a load in a core, whose state says so',
  'chiplet/interchiplet/network': 'it answers each trace at once, with a function that is given',
  'chiplet/network/link': 'it hands each flit on after the time of its wire',
  'chiplet/network/random-numbers': 'it gives the next numbers of a stream',
  'chiplet/outside': 'it stands for what is outside of the run: it notes what it gets',
  'chiplet/system/direct-carrier': 'it hands each message on at once and keeps nothing',
  'grape/output-port': 'it converts each word and hands it on',
  'protocols/k-state-ring#bottomMachine':
    'its state is a number below K, as its author has it; it moves as it hears of its neighbour',
  'protocols/k-state-ring#otherMachine':
    'its state is a number below K, as its author has it; it moves as it hears of its neighbour',
  'protocols/lease-lock#storage': 'it takes each write or refuses it by the highest token so far, a number',
  'protocols/ping-pong#pinger': 'it waits for the next ball, a number',
  'protocols/ping-pong#ponger': 'it waits for the next ball, a number',
  'protocols/single-copy-server': 'it answers each request at once',
  'protocols/sliding-window#windowReceiver': 'it waits for the next value, a number',
  'sunway/ring': 'it hands each message on after a fixed time and keeps nothing',
  'sunway/services/sio-proxy': 'it hands each request on after a fixed time and keeps nothing',
  'tca/gasnet/notify-board': 'it hands each word on at once to whom it concerns',
  'tca/gasnet/weight-table':
    'it answers at once; what it has learned of each pattern is data, as many as there are',
  'tca/host-memory': 'it keeps bytes and answers after a fixed time; whoever waits says so in its state',
  'tca/host-switch': 'it hands each packet on at once',
};
