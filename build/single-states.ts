/**
 * Why a state machine has a single state, by the name that `lockstep diagram` has for it.
 *
 * Details: a part that keeps bytes or forwards what comes has nothing that a diagram could show; everything else is to have states. Fast twins need no reason: their
 * explicit twin has the states.
 */
export const singleStates: Readonly<Record<string, string>> = {
  'cell/eib/store': 'it keeps bytes and answers at once; whoever waits is its MFC, whose state says so',
  'cell/memory-module':
    'the table of its specification (15.6) has one state, too: an access is answered at once; whoever waits is its DMA module',
  'chiplet/gpu/memory-channel':
    'the first cycle in which it is free says how long its queue is; whoever waits is a load in a core, whose state says so',
  'chiplet/interchiplet/network': 'it answers each trace at once, with a function that is given',
  'chiplet/network/link':
    'a wire has no room and no order of its own: flits follow each other on it; who waits for room is a virtual channel',
  'chiplet/network/random-numbers': 'it gives the next numbers of a stream',
  'chiplet/outside': 'it stands for what is outside of the run: it notes what it gets',
  'chiplet/system/direct-carrier': 'it hands each message on at once and keeps nothing',
  'protocols/single-copy-server': 'it answers each request at once',
  'protocols/sliding-window#windowReceiver': 'it waits for the next value, a number',
  'sunway/ring': 'it hands each message on after a fixed time and keeps nothing',
  'sunway/services/sio-proxy': 'it hands each request on after a fixed time and keeps nothing',
  'tca/gasnet/notify-board': 'it hands each word on at once to whom it concerns',
  'tca/host-memory': 'it keeps bytes and answers after a fixed time; whoever waits says so in its state',
  'tca/host-switch': 'it hands each packet on at once',
};
