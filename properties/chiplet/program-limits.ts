import * as addresses from '../../actors/chiplet/ptx/address-space.ts';
import { byteChoices } from '../../actors/chiplet/ptx/bit-arithmetic.ts';
import { blocksPerClusterMost, clusterStep } from '../../actors/chiplet/ptx/cluster.ts';
import { threadsPerBlockMost } from '../../actors/chiplet/ptx/launch.ts';

/*
 * Limits and defaults of what machines are given to run, as `limitsOf` and `fixedIn` write them.
 */

/** Numbers that kernels depend on: the spaces of addresses, blocks of clusters, choices of prmt. */
export const programFixed = {
  addresses,
  limits: { blocksPerClusterMost, clusterStep, threadsPerBlockMost },
  byteChoices,
};

/** Of traffic. */
export const trafficLimits = `
|.pattern of uniform hotspot transpose complement tornado neighbour allToAll ring
|.rate >0..1 = 0.01
|.cycles >0..1000000000 = 1000
|.packets 1..5000000
|.flits = 5
|.flits| 1..10000
|.flits| 1..
|.flits|[] 1..10000
|.share 0..1 = 0.3
|.seed -9007199254740991.. = 1
`;

/** Of the scripts of processes. */
export const scriptLimits = `
..1024
[].x 0..99
[].y 0..99
[].clockRate >0.. = 1
[].script[]| 2..2
[].script[]|[] only compute
[].script[]|[] 0..1099511627776
[].script[]| 4..4
[].script[]|[] only send
[].script[]|[] 0..99
[].script[]|[] 0..99
[].script[]|[] 1..1099511627776
[].script[]| 4..4
[].script[]|[] only recv
[].script[]|[] 0..99
[].script[]|[] 0..99
[].script[]|[] 1..1099511627776
[].script[]| 3..3
[].script[]|[] only barrier
[].script[]|[] 0..2147483647
[].script[]|[] 0..65535
[].script[]| 2..2
[].script[]|[] only lock
[].script[]|[] 0..2147483647
[].script[]| 2..2
[].script[]|[] only unlock
[].script[]|[] 0..2147483647
[].script[]| 3..3
[].script[]|[] only launch
[].script[]|[] 0..99
[].script[]|[] 0..99
[].script[]| 1..1
[].script[]|[] only waitlaunch
[].script[]| 2..2
[].script[]|[] only sleep
[].script[]|[] 0..86400
`;

/** Of host programs and kernels. */
export const programLimits = `
kernels[]|.name 1..
hosts.*|.steps[]|.op only malloc
hosts.*|.steps[]|.as 1..
hosts.*|.steps[]|.bytes 0..
hosts.*|.steps[]|.op only symbol
hosts.*|.steps[]|.as 1..
hosts.*|.steps[]|.name 1..
hosts.*|.steps[]|.op only free
hosts.*|.steps[]|.of 1..
hosts.*|.steps[]|.op only copyIn
hosts.*|.steps[]|.to 1..
hosts.*|.steps[]|.type = "s32" of u8 s8 u16 s16 u32 s32 f32 u64 s64 f64
hosts.*|.steps[]|.values| 1..
hosts.*|.steps[]|.op only copyOut
hosts.*|.steps[]|.from 1..
hosts.*|.steps[]|.type = "s32" of u8 s8 u16 s16 u32 s32 f32 u64 s64 f64
hosts.*|.steps[]|.count 0..
hosts.*|.steps[]|.as 1..
hosts.*|.steps[]|.op only launch
hosts.*|.steps[]|.kernel 1..
hosts.*|.steps[]|.grid 3..3 = [1,1,1]
hosts.*|.steps[]|.grid[] 1..
hosts.*|.steps[]|.grid[] 1..
hosts.*|.steps[]|.grid[] 1..
hosts.*|.steps[]|.block 3..3 = [1,1,1]
hosts.*|.steps[]|.block[] 1..
hosts.*|.steps[]|.block[] 1..
hosts.*|.steps[]|.block[] 1..
hosts.*|.steps[]|.args[]|.ptr 1..
hosts.*|.steps[]|.args[]|.own of x y
hosts.*|.steps[]|.dynamicSharedBytes 0..
hosts.*|.steps[]|.cluster 3..3
hosts.*|.steps[]|.cluster[] 1..
hosts.*|.steps[]|.cluster[] 1..
hosts.*|.steps[]|.cluster[] 1..
hosts.*|.steps[]|.op only compute
hosts.*|.steps[]|.instructions 0..
hosts.*|.steps[]|.op only access
hosts.*|.steps[]|.elements 0..
hosts.*|.steps[]|.op only send
hosts.*|.steps[]|.to 2..2
hosts.*|.steps[]|.to[] 0..99
hosts.*|.steps[]|.to[] 0..99
hosts.*|.steps[]|.values|[] -9007199254740991..
hosts.*|.steps[]|.values| 1..
hosts.*|.steps[]|.op only receive
hosts.*|.steps[]|.from 2..2
hosts.*|.steps[]|.from[] 0..99
hosts.*|.steps[]|.from[] 0..99
hosts.*|.steps[]|.count 0..
hosts.*|.steps[]|.as 1..
hosts.*|.steps[]|.op only loadInts
hosts.*|.steps[]|.data 1..
hosts.*|.steps[]|.from 0..
hosts.*|.steps[]|.to 0..
hosts.*|.steps[]|.as 1..
hosts.*|.steps[]|.op only output
hosts.*|.steps[]|.name 1..
hosts.*|.steps[]|.values|[] -9007199254740991..
hosts.*|.steps[]|.values| 1..
data.*|[] -9007199254740991..
addresses: allocationAlign 256, deviceBase 65536, dynamicStackBytes 8192, localWindow 4026531840, parameterWindow 4278190080, sharedWindow 4160749568
byteChoices.b4e: 22128, 26369, 28690, 291
byteChoices.ecl: 12816, 12817, 12834, 13107
byteChoices.ecr: 0, 4368, 8720, 12816
byteChoices.f4e: 12816, 17185, 21554, 25923
byteChoices.rc16: 4112, 12850, 4112, 12850
byteChoices.rc8: 0, 4369, 8738, 13107
limits: blocksPerClusterMost 16, clusterStep 1048576, threadsPerBlockMost 1024
`;

/** Of files of cases. */
export const caseLimits = `
cases 1..
cases[].grid 3..3
cases[].grid[] 1..
cases[].grid[] 1..
cases[].grid[] 1..
cases[].block 3..3
cases[].block[] 1..
cases[].block[] 1..
cases[].block[] 1..
cases[].dynamicSharedBytes 0.. = 0
cases[].cluster 3..3
cases[].cluster[] 1..
cases[].cluster[] 1..
cases[].cluster[] 1..
cases[].params[]|.bytes[] 0..255
cases[].params[]|.pointers = []
cases[].params[]|.pointers[].offset 0..
cases[].params[]|.u32 -9007199254740991..
cases[].params[]|.s32 -9007199254740991..
cases[].params[]|.u64 -9007199254740991..
cases[].params[]|.s64 -9007199254740991..
cases[].buffers.*.type of u8 s8 u16 s16 u32 s32 f32 u64 s64 f64
cases[].variables.*.type of u8 s8 u16 s16 u32 s32 f32 u64 s64 f64
cases[].textures.*.addressing = "clamp" of clamp border wrap mirror
cases[].textures.*.filter = "point" of point linear
cases[].textures.*.normalized = false
cases[].textures.*.channel of u8 s8 u16 s16 u32 s32 f16 f32
cases[].textures.*.channels = 1
cases[].textures.*.channels| only 1
cases[].textures.*.channels| only 2
cases[].textures.*.channels| only 4
cases[].textures.*.width 1..
cases[].textures.*.height 1.. = 1
cases[].textures.*.depth 1.. = 1
cases[].textures.*.rowBytes 1..
cases[].textures.*.asReals = false
cases[].samplers.*.addressing = "clamp" of clamp border wrap mirror
cases[].samplers.*.filter = "point" of point linear
cases[].samplers.*.normalized = false
cases[].inbox = []
cases[].inbox[].src 2..2
cases[].inbox[].src[] 0..99
cases[].inbox[].src[] 0..99
cases[].inbox[].dst 2..2
cases[].inbox[].dst[] 0..99
cases[].inbox[].dst[] 0..99
cases[].inbox[].values[] -9007199254740991..
cases[].relTolerance 0.. = 0
cases[].messagesSent[].src 2..2
cases[].messagesSent[].src[] 0..99
cases[].messagesSent[].src[] 0..99
cases[].messagesSent[].dst 2..2
cases[].messagesSent[].dst[] 0..99
cases[].messagesSent[].dst[] 0..99
cases[].messagesSent[].value -9007199254740991..
cases[].stats.* -9007199254740991..
`;
