/**
 * Why a state machine has a single state, by the name that `lockstep diagram` has for it.
 *
 * Details: a part that keeps bytes or forwards what comes has nothing that a diagram could show; everything else is to have states. Fast twins need no reason: their
 * explicit twin has the states.
 */
export const singleStates: Readonly<Record<string, string>> = {
  'cell/burst/dma-module': 'a whole burst is one message; its states are those of `cell/dma-module`',
  'cell/eib/store': 'it keeps bytes and answers at once; whoever waits is its MFC, whose state says so',
  'cell/memory-module':
    'it keeps bytes and answers at once; whoever waits is its DMA module, whose state says so',
  'chiplet/gpu/instant-carrier': 'it hands each message on at once and keeps nothing',
  'chiplet/gpu/memory-channel':
    'it reckons when each segment is served as it comes; whoever waits is a load in a core, whose state says so',
  'chiplet/gpu/outside': 'it stands for everything outside: it notes what it gets',
  'chiplet/interchiplet/network': 'it answers each trace at once, with a function that is given',
  'chiplet/interchiplet/outside': 'it stands for processes of another program: it notes what it gets',
  'chiplet/network/link': 'it hands each flit on after the time of its wire',
  'chiplet/network/random-numbers': 'it gives the next numbers of a stream',
  'chiplet/network/transactions':
    'it answers each request that has arrived with a packet, and keeps nothing that waits',
  'chiplet/system/direct-carrier': 'it hands each message on at once and keeps nothing',
  'grape/output-port': 'it converts each word and hands it on',
  'sunway/ldm':
    'it keeps bytes and answers at once; whoever waits for a word is its CPE, whose state says so',
  'sunway/network/paiu': 'it hands each message on after a fixed time; what waits in it is a queue',
  'sunway/node-cross': 'words that cores add to: whoever waits for a round is a core, whose state says so',
  'sunway/ring': 'it hands each message on after a fixed time and keeps nothing',
  'sunway/services/sio-proxy': 'it hands each request on after a fixed time and keeps nothing',
};
