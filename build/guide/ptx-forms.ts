/**
 * Forms of all instructions of PTX ISA 9.0, one a line, in the order of its chapters: each instruction with its types and modifiers as far as they change what has to be
 * understood. The table of the guide says of each whether it is taken (`ptx-instructions.md`).
 */
export const ptxForms: readonly string[] = `
add.s32 %r1, %r2, %r3
add.sat.s32 %r1, %r2, %r3
add.u16x2 %r1, %r2, %r3
add.s16x2 %r1, %r2, %r3
sub.s32 %r1, %r2, %r3
sub.sat.s32 %r1, %r2, %r3
mul.lo.s32 %r1, %r2, %r3
mul.wide.u16 %r1, %h2, %h3
mul.wide.s32 %d1, %r2, %r3
mul.hi.u64 %d1, %d2, %d3
mad.lo.s32 %r1, %r2, %r3, %r4
mad.hi.sat.s32 %r1, %r2, %r3, %r4
mad.hi.u64 %d1, %d2, %d3, %d4
mad.wide.u16 %r1, %h2, %h3, %r4
mul24.lo.s32 %r1, %r2, %r3
mul24.hi.u32 %r1, %r2, %r3
mad24.lo.s32 %r1, %r2, %r3, %r4
mad24.hi.sat.s32 %r1, %r2, %r3, %r4
sad.s32 %r1, %r2, %r3, %r4
sad.u64 %d1, %d2, %d3, %d4
sad.u16 %h1, %h2, %h3, %h4
div.s32 %r1, %r2, %r3
div.u16 %h1, %h2, %h3
rem.u64 %d1, %d2, %d3
abs.s32 %r1, %r2
abs.s64 %d1, %d2
neg.s16 %h1, %h2
min.s32 %r1, %r2, %r3
min.u16x2 %r1, %r2, %r3
min.relu.s32 %r1, %r2, %r3
max.relu.s16x2 %r1, %r2, %r3
max.u64 %d1, %d2, %d3
popc.b32 %r1, %r2
popc.b64 %r1, %d2
clz.b32 %r1, %r2
clz.b64 %r1, %d2
bfind.u32 %r1, %r2
bfind.shiftamt.s64 %r1, %d2
fns.b32 %r1, %r2, %r3, %r4
brev.b32 %r1, %r2
brev.b64 %d1, %d2
bfe.u32 %r1, %r2, %r3, %r4
bfe.s64 %d1, %d2, %r3, %r4
bfi.b32 %r1, %r2, %r3, %r4, %r5
bfi.b64 %d1, %d2, %d3, %r4, %r5
szext.wrap.u32 %r1, %r2, %r3
szext.clamp.s32 %r1, %r2, %r3
bmsk.clamp.b32 %r1, %r2, %r3
bmsk.wrap.b32 %r1, %r2, %r3
dp4a.u32.u32 %r1, %r2, %r3, %r4
dp4a.s32.u32 %r1, %r2, %r3, %r4
dp2a.lo.u32.u32 %r1, %r2, %r3, %r4
dp2a.hi.s32.s32 %r1, %r2, %r3, %r4
add.cc.u32 %r1, %r2, %r3
add.cc.s64 %d1, %d2, %d3
addc.cc.u32 %r1, %r2, %r3
addc.u64 %d1, %d2, %d3
sub.cc.u32 %r1, %r2, %r3
subc.cc.u32 %r1, %r2, %r3
subc.u64 %d1, %d2, %d3
mad.lo.cc.u32 %r1, %r2, %r3, %r4
mad.hi.cc.u64 %d1, %d2, %d3, %d4
madc.lo.u32 %r1, %r2, %r3, %r4
madc.hi.cc.u32 %r1, %r2, %r3, %r4
testp.finite.f32 %p1, %f2
testp.subnormal.f64 %p1, %fd2
copysign.f32 %f1, %f2, %f3
copysign.f64 %fd1, %fd2, %fd3
add.f32 %f1, %f2, %f3
add.rz.ftz.sat.f32 %f1, %f2, %f3
add.rm.f64 %fd1, %fd2, %fd3
add.rn.f32x2 %d1, %d2, %d3
add.ftz.rz.f32x2 %d1, %d2, %d3
sub.f32 %f1, %f2, %f3
sub.rp.f32x2 %d1, %d2, %d3
mul.rn.f32x2 %d1, %d2, %d3
fma.rn.f32x2 %d1, %d2, %d3, %d4
fma.rn.ftz.f32x2 %d1, %d2, %d3, %d4
mul.ftz.f32 %f1, %f2, %f3
fma.rn.f32 %f1, %f2, %f3, %f4
fma.rz.sat.f32 %f1, %f2, %f3, %f4
fma.rp.f64 %fd1, %fd2, %fd3, %fd4
mad.rn.f32 %f1, %f2, %f3, %f4
mad.f32 %f1, %f2, %f3, %f4
mad.rn.f64 %fd1, %fd2, %fd3, %fd4
div.approx.f32 %f1, %f2, %f3
div.full.ftz.f32 %f1, %f2, %f3
div.rn.f32 %f1, %f2, %f3
div.rz.f64 %fd1, %fd2, %fd3
abs.ftz.f32 %f1, %f2
neg.f64 %fd1, %fd2
min.f32 %f1, %f2, %f3
min.ftz.NaN.f32 %f1, %f2, %f3
min.NaN.xorsign.abs.f32 %f1, %f2, %f3
max.xorsign.abs.f32 %f1, %f2, %f3
max.f32 %f1, %f2, %f3, %f4
min.NaN.abs.f32 %f1, %f2, %f3, %f4
max.f64 %fd1, %fd2, %fd3
rcp.approx.ftz.f32 %f1, %f2
rcp.rn.f32 %f1, %f2
rcp.rm.f64 %fd1, %fd2
rcp.approx.ftz.f64 %fd1, %fd2
sqrt.approx.f32 %f1, %f2
sqrt.rn.ftz.f32 %f1, %f2
sqrt.rp.f64 %fd1, %fd2
rsqrt.approx.f32 %f1, %f2
rsqrt.approx.f64 %fd1, %fd2
rsqrt.approx.ftz.f64 %fd1, %fd2
sin.approx.f32 %f1, %f2
cos.approx.ftz.f32 %f1, %f2
lg2.approx.f32 %f1, %f2
ex2.approx.ftz.f32 %f1, %f2
tanh.approx.f32 %f1, %f2
add.f16 %h1, %h2, %h3
add.rn.ftz.sat.f16x2 %r1, %r2, %r3
add.bf16 %h1, %h2, %h3
add.rn.bf16x2 %r1, %r2, %r3
sub.f16 %h1, %h2, %h3
sub.bf16x2 %r1, %r2, %r3
mul.f16x2 %r1, %r2, %r3
mul.bf16 %h1, %h2, %h3
fma.rn.f16 %h1, %h2, %h3, %h4
fma.rn.relu.f16x2 %r1, %r2, %r3, %r4
fma.rn.relu.bf16 %h1, %h2, %h3, %h4
fma.rn.bf16x2 %r1, %r2, %r3, %r4
fma.rn.oob.f16 %h1, %h2, %h3, %h4
fma.rn.oob.relu.bf16x2 %r1, %r2, %r3, %r4
neg.f16 %h1, %h2
neg.bf16x2 %r1, %r2
abs.f16x2 %r1, %r2
abs.bf16 %h1, %h2
min.f16 %h1, %h2, %h3
min.NaN.xorsign.abs.f16x2 %r1, %r2, %r3
max.NaN.bf16 %h1, %h2, %h3
max.bf16x2 %r1, %r2, %r3
tanh.approx.f16 %h1, %h2
tanh.approx.bf16x2 %r1, %r2
ex2.approx.f16 %h1, %h2
ex2.approx.ftz.bf16x2 %r1, %r2
add.f32.f16 %f1, %h2, %f3
add.rz.sat.f32.bf16 %f1, %h2, %f3
sub.f32.bf16 %f1, %h2, %f3
fma.rn.f32.f16 %f1, %h2, %h3, %f4
fma.rp.sat.f32.bf16 %f1, %h2, %h3, %f4
set.lt.u32.s32 %r1, %r2, %r3
set.eq.and.f32.f32 %f1, %f2, %f3, %p1
set.ltu.u32.f64 %r1, %fd2, %fd3
set.lt.f16.f16 %h1, %h2, %h3
set.eq.u32.bf16 %r1, %h2, %h3
set.gt.f16x2.f16x2 %r1, %r2, %r3
setp.lt.s32 %p1, %r2, %r3
setp.lt.and.s32 %p1|%p2, %r2, %r3, %p3
setp.num.f32 %p1, %f2, %f3
setp.lt.f16 %p1, %h2, %h3
setp.gt.ftz.f16x2 %p1|%p2, %r2, %r3
setp.lt.bf16 %p1, %h2, %h3
setp.ne.bf16x2 %p1|%p2, %r2, %r3
setp.eq.b16 %p1, %h2, %h3
setp.lo.u32 %p1, %r2, %r3
selp.b32 %r1, %r2, %r3, %p1
selp.f64 %fd1, %fd2, %fd3, %p1
slct.u32.s32 %r1, %r2, %r3, %r4
slct.ftz.f32.f32 %f1, %f2, %f3, %f4
slct.b64.s32 %d1, %d2, %d3, %r4
and.pred %p1, %p2, %p3
or.b64 %d1, %d2, %d3
xor.b16 %h1, %h2, %h3
not.b32 %r1, %r2
not.pred %p1, %p2
cnot.b32 %r1, %r2
lop3.b32 %r1, %r2, %r3, %r4, 0x96
lop3.or.b32 %r1|%p1, %r2, %r3, %r4, 0x96, %p2
lop3.and.b32 _|%p1, %r2, %r3, %r4, 0x96, %p2
shf.l.wrap.b32 %r1, %r2, %r3, %r4
shf.r.clamp.b32 %r1, %r2, %r3, %r4
shl.b64 %d1, %d2, %r3
shr.s16 %h1, %h2, %r3
mov.u32 %r1, %r2
mov.u32 %r1, (1<<3)|2
mov.b128 %q1, {%r1,%r2,%r3,%r4}
mov.b64 %d1, {%r1, %r2}
mov.b64 {%r1, %r2}, %d1
mov.b32 {%h1, %h2}, %r1
mov.b32 %r1, {%h1, %h2}
mov.b64 %d1, {%h1,%h2,%h3,%h4}
mov.b128 %q1, {%d1, %d2}
mov.b128 {%d1, %d2}, %q1
mov.b32 {%b1,%b2,%b3,%b4}, %r1
mov.pred %p1, %p2
mov.u32 %r1, %laneid
mov.v4.u32 {%r1,%r2,%r3,%r4}, %tid
mov.u64 %d1, gvar
mov.u64 %d1, fun
mov.u32 %r1, sh
shfl.sync.up.b32 %r1|%p1, %r2, %r3, %r4, %r5
shfl.down.b32 %r1, %r2, %r3, %r4
prmt.b32 %r1, %r2, %r3, %r4
prmt.b32.f4e %r1, %r2, %r3, %r4
prmt.b32.rc16 %r1, %r2, %r3, %r4
ld.u32 %r1, [%d1]
ld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%d1]
ld.global.nc.L1::no_allocate.L2::128B.v2.u64 {%d1,%d2}, [%d3]
ld.global.L2::cache_hint.u32 %r1, [%d1], %d2
ld.global.nc.L2::cache_hint.u32 %r1, [%d1], %d2
ld.global.L1::evict_last.L2::evict_last.v8.b32 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [%d1]
ld.global.v4.b64 {%d1,%d2,%d3,%d4}, [%d5]
ld.global.b128 %q1, [%d1]
ld.acquire.gpu.global.b128 %q1, [%d1]
ld.acquire.sys.u32 %r1, [%d1]
ld.relaxed.cluster.shared::cluster.u32 %r1, [%r2]
ld.mmio.relaxed.sys.global.u32 %r1, [%d1]
ld.volatile.shared.u8 %r1, [%r2]
ld.weak.global.cv.u32 %r1, [%d1]
ld.const.f32 %f1, [cvar]
ld.param::entry.u64 %d1, [p]
ld.local.u32 %r1, [loc]
ld.global.nc.b16 %h1, [%d1]
ld.global.cg.s8 %h1, [%d1]
ldu.global.u32 %r1, [%d1]
ldu.u32 %r1, [%d1]
st.global.cs.v4.u32 [%d1], {%r1,%r2,%r3,%r4}
st.release.sys.global.u32 [%d1], %r1
st.global.L2::cache_hint.u32 [%d1], %r1, %d2
st.global.L1::no_allocate.u32 [%d1], %r1
st.mmio.relaxed.sys.global.u32 [%d1], %r1
st.shared::cta.u8 [%r1], %r2
st.shared::cluster.u32 [%r1], %r2
st.global.v8.b32 [%d1], {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}
st.global.b128 [%d1], %q1
st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r1], %r2, [%r3]
st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%r1], {%r1,%r2,%r3,%r4}, [%r3]
st.async.release.gpu.global.u32 [%d1], %r2
st.bulk.weak.shared::cta [%r1], %d2, 0
red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r1], %r2, [%r3]
multimem.ld_reduce.relaxed.sys.global.add.u32 %r1, [%d1]
multimem.st.relaxed.sys.global.u32 [%d1], %r1
multimem.red.relaxed.sys.global.add.u32 [%d1], %r1
prefetch.global.L2 [%d1]
prefetch.global.L2::evict_last [%d1]
prefetch.tensormap [%d1]
prefetchu.L1 [%d1]
applypriority.global.L2::evict_normal [%d1], 128
discard.global.L2 [%d1], 128
createpolicy.fractional.L2::evict_last.b64 %d1, 0f3F800000
createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %d1, 1.0
createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %d1, [%d2], %r1, %r2
createpolicy.cvt.L2.b64 %d1, 0x10000000
isspacep.global %p1, %d1
isspacep.const %p1, %d1
isspacep.shared::cluster %p1, %d1
isspacep.param::entry %p1, %d1
cvta.global.u64 %d1, %d2
cvta.to.shared::cta.u64 %d1, %d2
cvta.param.u64 %d1, %d2
cvta.to.const.u64 %d1, %d2
cvt.u32.u16 %r1, %h1
cvt.rni.s32.f32 %r1, %f1
cvt.sat.u8.s32 %r1, %r2
cvt.rn.f16.f32 %h1, %f1
cvt.rn.relu.f16x2.f32 %r1, %f1, %f2
cvt.rz.bf16x2.f32 %r1, %f1, %f2
cvt.rn.satfinite.bf16x2.f32 %r1, %f1, %f2
cvt.rs.f16x2.f32 %r1, %f1, %f2, %r3
cvt.rs.relu.satfinite.bf16x2.f32 %r1, %f1, %f2, %r3
cvt.rna.tf32.f32 %r1, %f1
cvt.rn.satfinite.relu.tf32.f32 %r1, %f1
cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2
cvt.rn.satfinite.e5m2x2.f16x2 %h1, %r1
cvt.rn.f16x2.e4m3x2 %r1, %h1
cvt.rn.relu.f16x2.e5m2x2 %r1, %h1
cvt.rn.satfinite.e2m1x2.f32 %b1, %f1, %f2
cvt.rn.f16x2.e2m1x2 %r1, %b1
cvt.rn.satfinite.e2m3x2.f32 %h1, %f1, %f2
cvt.rn.f16x2.e3m2x2 %r1, %h1
cvt.rz.satfinite.ue8m0x2.f32 %h1, %f1, %f2
cvt.rp.satfinite.ue8m0x2.bf16x2 %h1, %r1
cvt.rn.bf16x2.ue8m0x2 %r1, %h1
cvt.rs.satfinite.e4m3x4.f32 %r1, {%f1,%f2,%f3,%f4}, %r3
cvt.rs.satfinite.e2m1x4.f32 %h1, {%f1,%f2,%f3,%f4}, %r3
cvt.f32.f16 %f1, %h1
cvt.f32.bf16 %f1, %h1
cvt.rn.bf16.f32 %h1, %f1
cvt.rn.f16.u32 %h1, %r1
cvt.rzi.s16.f16 %h1, %h2
cvt.rn.bf16.s32 %h1, %r1
cvt.rn.f64.s64 %fd1, %d1
cvt.pack.sat.s16.s32 %r1, %r2, %r3
cvt.pack.sat.u8.s32.b32 %r1, %r2, %r3, %r4
cvt.pack.sat.s4.s32.b32 %r1, %r2, %r3, %r4
mapa.u64 %d1, %d2, %r1
mapa.shared::cluster.u32 %r1, sh, %r2
getctarank.u64 %r1, %d1
getctarank.shared::cluster.u32 %r1, %r2
cp.async.ca.shared.global [%r1], [%d1], 4
cp.async.ca.shared.global.L2::cache_hint.L2::128B [%r1], [%d1], 16, %r2, %d3
cp.async.cg.shared::cta.global [%r1], [%d1], 16, %r2
cp.async.ca.shared.global [%r1], [%d1], 4, %p1
cp.async.commit_group
cp.async.wait_group 1
cp.async.wait_all
cp.async.mbarrier.arrive.noinc.shared.b64 [%r1]
cp.async.mbarrier.arrive.b64 [%d1]
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d1], %r2, [%r3]
cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r1], [%d1], %r2, [%r3]
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r1], [%d1], %r2, [%r3], %h1
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%r1], [%d1], %r2, [%r3], %d4
cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r1], [%r4], %r2, [%r3]
cp.async.bulk.global.shared::cta.bulk_group [%d1], [%r1], %r2
cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%d1], [%r1], %r2, %d3
cp.async.bulk.commit_group
cp.async.bulk.wait_group 0
cp.async.bulk.wait_group.read 0
cp.async.bulk.prefetch.L2.global [%d1], %r1
cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d1], [%r1], %r2
cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%r1], [%r4], %r2, [%r3]
cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [%d1], [%r1], %r2
cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%d1, {%r2, %r3}], [%r4]
cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%d1, {%r2}], [%r1]
cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%d1, {%r2, %r3}]
cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group [%d1, {%r2}], [%r1]
tensormap.replace.tile.global_address.global.b1024.b64 [%d1], %d2
tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%d1], [%r1], 128
tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%d1, {%r1}]
tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [tx, {%f5, %f6}]
tex.3d.v4.u32.f32 {%r1,%r2,%r3,%r4}, [tx, {%f5, %f6, %f7, %f7}]
tex.a2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [tx, {%r1, %f5, %f6, %f6}]
tex.a1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [tx, {%r1, %f5}]
tex.cube.v4.f32.f32 {%f1,%f2,%f3,%f4}, [tx, {%f5, %f6, %f7, %f7}]
tex.acube.v4.f32.f32 {%f1,%f2,%f3,%f4}, [tx, {%r1, %f5, %f6, %f7}]
tex.level.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [tx, {%f5, %f6}], %f7
tex.grad.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [tx, {%f5, %f6}], {%f1,%f2}, {%f3,%f4}
tex.base.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [tx, {%f5, %f6}]
tex.2dms.v4.f32.s32 {%f1,%f2,%f3,%f4}, [tx, {%r1, %r2, %r3, %r3}]
tex.2d.v4.f16.f32 {%h1,%h2,%h3,%h4}, [tx, {%f5, %f6}]
tex.2d.v2.f16x2.f32 {%r1,%r2}, [tx, {%f5, %f6}]
tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}|%p1, [tx, {%f5, %f6}]
tld4.r.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [tx, {%f5, %f6}]
txq.width.b32 %r1, [tx]
txq.array_size.b32 %r1, [tx]
txq.num_mipmap_levels.b32 %r1, [tx]
txq.channel_data_type.b32 %r1, [tx]
txq.addr_mode_0.b32 %r1, [tx]
txq.filter_mode.b32 %r1, [tx]
txq.normalized_coords.b32 %r1, [tx]
istypep.texref %p1, tx
istypep.surfref %p1, sf
suld.b.1d.b32.trap %r1, [sf, {%r2}]
suld.b.2d.v4.b32.clamp {%r1,%r2,%r3,%r4}, [sf, {%r5, %r6}]
suld.b.3d.v2.b64.zero {%d1,%d2}, [sf, {%r2,%r3,%r4,%r4}]
suld.b.a2d.b8.trap %h1, [sf, {%r1,%r2,%r3,%r3}]
sust.b.1d.b32.trap [sf, {%r2}], %r1
sust.b.2d.v4.b32.clamp [sf, {%r5, %r6}], {%r1,%r2,%r3,%r4}
sust.p.2d.v4.b32.trap [sf, {%r5, %r6}], {%r1,%r2,%r3,%r4}
sured.b.add.2d.u32.trap [sf, {%r1,%r2}], %r3
sured.b.min.1d.s32.trap [sf, {%r1}], %r3
sured.p.add.1d.b32.trap [sf, {%r1}], %r3
suq.width.b32 %r1, [sf]
suq.memory_layout.b32 %r1, [sf]
bra lab
bra.uni lab
brx.idx %r1, tab
call.uni fun
call (%r1), fun2, (%r2)
call fun
call.uni %d1, proto
ret
ret.uni
exit
bar.sync 0
bar.sync 1, 64
bar.arrive 1, 64
bar.red.popc.u32 %r1, 0, %p1
bar.cta.sync 0
barrier.sync 0
barrier.cta.sync.aligned 0
barrier.cta.arrive 1, 64
barrier.red.and.pred %p1, 0, !%p2
barrier.cta.red.or.pred %p1, 1, 64, %p2
bar.warp.sync 0xffffffff
barrier.cluster.arrive.release.aligned
barrier.cluster.wait.acquire.aligned
membar.gl
membar.cta
membar.sys
membar.proxy.alias
fence.acq_rel.gpu
fence.sc.cta
fence.acquire.gpu
fence.release.cluster
fence.acq_rel.cluster
fence.mbarrier_init.release.cluster
fence.proxy.alias
fence.proxy.async
fence.proxy.async.global
fence.proxy.async.shared::cta
fence.proxy.async.shared::cluster
fence.proxy.tensormap::generic.release.gpu
fence.proxy.tensormap::generic.acquire.gpu [%d1], 128
fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster
fence.acquire.sync_restrict::shared::cluster.cluster
fence.release.sync_restrict::shared::cta.cluster
atom.global.add.u32 %r1, [%d1], %r2
atom.shared.cas.b32 %r1, [%r2], %r3, %r4
atom.cas.b16 %h1, [%d1], %h2, %h3
atom.global.cas.b128 %q1, [%d1], %q2, %q3
atom.exch.b128 %q1, [%d1], %q2
atom.global.add.noftz.f16 %h1, [%d1], %h2
atom.add.noftz.f16x2 %r1, [%d1], %r2
atom.global.add.noftz.bf16x2 %r1, [%d1], %r2
atom.add.noftz.bf16 %h1, [%d1], %h2
atom.global.add.f64 %fd1, [%d1], %fd2
atom.relaxed.gpu.global.add.v4.f32 {%f1,%f2,%f3,%f4}, [%d1], {%f1,%f2,%f3,%f4}
atom.global.gpu.add.L2::cache_hint.u32 %r1, [%d1], %r2, %d3
atom.global.v2.f16x2.add.noftz {%r1,%r2}, [%d1], {%r3,%r4}
atom.global.add.noftz.v4.bf16 {%h1,%h2,%h3,%h4}, [%d1], {%h1,%h2,%h3,%h4}
atom.inc.u32 %r1, [%d1], %r2
atom.and.b64 %d1, [%d2], %d3
atom.min.s64 %d1, [%d2], %d3
atom.acq_rel.cluster.shared::cluster.add.u32 %r1, [%r2], %r3
red.global.add.f32 [%d1], %f1
red.global.add.noftz.f16x2 [%d1], %r1
red.relaxed.gpu.global.add.v4.f32 [%d1], {%f1,%f2,%f3,%f4}
red.global.max.u64 [%d1], %d2
vote.sync.any.pred %p1, %p2, 0xffffffff
vote.ballot.b32 %r1, %p1
match.any.sync.b32 %r1, %r2, 0xffffffff
match.all.sync.b64 %r1|%p1, %d2, 0xffffffff
activemask.b32 %r1
redux.sync.add.s32 %r1, %r2, 0xffffffff
redux.sync.min.f32 %f1, %f2, 0xffffffff
redux.sync.max.abs.NaN.f32 %f1, %f2, 0xffffffff
griddepcontrol.launch_dependents
griddepcontrol.wait
elect.sync %r1|%p1, 0xffffffff
elect.sync _|%p1, 0xffffffff
mbarrier.init.shared.b64 [%r1], 32
mbarrier.init.b64 [%d1], %r2
mbarrier.inval.shared.b64 [%r1]
mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r1], %r2
mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r1], %r2
mbarrier.arrive.shared.b64 %d1, [%r1]
mbarrier.arrive.shared.b64 _, [%r1]
mbarrier.arrive.release.cta.shared::cta.b64 %d1, [%r1], %r2
mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r1]
mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %d1, [%r1], %r2
mbarrier.arrive.expect_tx.relaxed.cluster.shared::cluster.b64 _, [%r1], %r2
mbarrier.arrive.noComplete.shared.b64 %d1, [%r1], %r2
mbarrier.arrive_drop.shared.b64 %d1, [%r1]
mbarrier.arrive_drop.expect_tx.shared.b64 %d1, [%r1], %r2
mbarrier.test_wait.shared.b64 %p1, [%r1], %d1
mbarrier.test_wait.parity.shared.b64 %p1, [%r1], %r2
mbarrier.try_wait.shared::cta.b64 %p1, [%r1], %d1, %r2
mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p1, [%r1], %r2
mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, [%r1], %r2, %r3
mbarrier.pending_count.b64 %r1, %d1
clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%r1], [%r2]
clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, %q1
wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [%d1], %r9
wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}, {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}
wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%d1], {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}, %r9
wmma.load.a.sync.aligned.row.m8n8k4.f64 {%fd1}, [%d1], %r1
wmma.mma.sync.aligned.row.col.m8n8k4.rn.f64.f64.f64.f64 {%fd1,%fd2}, {%fd3}, {%fd4}, {%fd1,%fd2}
wmma.load.a.sync.aligned.row.m8n8k32.s4 {%r1}, [%d1], %r2
wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32 {%r1,%r2}, {%r3}, {%r4}, {%r1,%r2}
wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 {%r1,%r2}, {%r3}, {%r4}, {%r1,%r2}
mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, {%f1,%f2,%f3,%f4}
mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, {%f1,%f2,%f3,%f4}
mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, {%f1,%f2,%f3,%f4}
mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd1,%fd2}, {%fd3}, {%fd4}, {%fd1,%fd2}
mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r1,%r2,%r3,%r4}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, {%r1,%r2,%r3,%r4}
mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, {%f1,%f2,%f3,%f4}
mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%r1,%r2,%r3,%r4}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, {%r1,%r2,%r3,%r4}
mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}, {%r1,%r2}, {%r3,%r4}, {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}
mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, {%r5,%r6,%r7,%r8}, {%f1,%f2,%f3,%f4}, %r9, 0
ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1,%r2,%r3,%r4}, [%r5]
ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r1,%r2}, [%r5]
ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r1,%r2}, [%r5]
stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r5], {%r1,%r2,%r3,%r4}
stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%r5], {%r1}
movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2
wgmma.fence.sync.aligned
wgmma.commit_group.sync.aligned
wgmma.wait_group.sync.aligned 0
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, %d1, %d2, 1, 1, 1, 0, 0
wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f1,%f2,%f3,%f4}, %d1, %d2, %r1, 0, 1, 1, 1, 0, 0
tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 32
tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 32
tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned
tcgen05.ld.sync.aligned.32x32b.x1.b32 %r1, [%r2]
tcgen05.st.sync.aligned.32x32b.x1.b32 [%r1], %r2
tcgen05.wait::ld.sync.aligned
tcgen05.cp.cta_group::1.128x256b [%r1], %d1
tcgen05.shift.cta_group::1.down [%r1]
tcgen05.mma.cta_group::1.kind::f16 [%r1], %d1, %d2, %r2, %p1
tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%d1]
tcgen05.fence::before_thread_sync
stacksave.u64 %d1
stackrestore.u64 %d1
alloca.u64 %d1, %d2
vadd.s32.s32.s32 %r1, %r2, %r3
vadd.u32.u32.u32.sat.add %r1, %r2.b0, %r3.h1, %r4
vsub.s32.u32.s32 %r1, %r2, %r3
vabsdiff.s32.s32.s32 %r1, %r2, %r3
vmin.u32.u32.u32 %r1, %r2, %r3
vmax.u32.u32.u32 %r1, %r2, %r3
vshl.u32.u32.u32.clamp %r1, %r2, %r3
vshr.u32.u32.u32.wrap %r1, %r2, %r3
vmad.s32.s32.u32.shr7 %r1, %r2, %r3, %r4
vset.u32.u32.lt %r1, %r2, %r3
vadd2.s32.s32.s32 %r1, %r2, %r3, %r4
vsub2.s32.s32.s32.sat %r1, %r2, %r3, %r4
vavrg2.s32.s32.s32 %r1, %r2, %r3, %r4
vabsdiff2.u32.u32.u32.add %r1, %r2, %r3, %r4
vmin2.u32.u32.u32 %r1, %r2, %r3, %r4
vmax2.u32.u32.u32 %r1, %r2, %r3, %r4
vset2.u32.u32.ge %r1, %r2, %r3, %r4
vadd4.u32.u32.u32 %r1, %r2, %r3, %r4
vsub4.u32.u32.u32 %r1, %r2, %r3, %r4
vavrg4.u32.u32.u32 %r1, %r2, %r3, %r4
vabsdiff4.u32.u32.u32.add %r1, %r2, %r3, %r4
vmin4.u32.u32.u32 %r1, %r2, %r3, %r4
vmax4.s32.s32.s32 %r1, %r2, %r3, %r4
vset4.u32.u32.lt.add %r1, %r2, %r3, %r4
brkpt
nanosleep.u32 100
nanosleep.u32 %r1
pmevent 7
pmevent.mask 0xff
trap
setmaxnreg.inc.sync.aligned.u32 64
setmaxnreg.dec.sync.aligned.u32 40
mov.u32 %r1, %nwarpid
mov.u64 %d1, %gridid
mov.u32 %r1, %pm0
mov.u64 %d1, %pm0_64
mov.u32 %r1, %reserved_smem_offset_begin
mov.u32 %r1, %total_smem_size
mov.u64 %d1, %current_graph_exec
mov.u32 %r1, %lanemask_lt
mov.u32 %r1, %envreg3
mov.u32 %r1, %clock_hi
mov.u16 %h1, %tid.x
mov.u32 %r1, %cluster_ctarank
mov.pred %p1, %is_explicit_cluster
mov.u32 %r1, %clusterid.x
`
  .split('\n')
  .filter(Boolean);
