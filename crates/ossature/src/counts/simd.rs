//! The inner loops, compiled for several kinds of processor and chosen at run time.
//!
//! Each loop is written once, in plain Rust that the compiler vectorises. The same body is compiled
//! for the baseline, for AVX2 and for AVX-512 with its population count, so there is no second
//! version to keep right, and a portable program is fast on whatever it runs on.
#![allow(unsafe_code)]
// Loops over a fixed range are what the vectoriser understands best.
#![allow(clippy::needless_range_loop)]

/// The kind of vector instructions in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Simd {
    /// What every processor of the platform has.
    Portable,
    /// AVX2 and the scalar population count (x86-64 since 2013).
    Avx2,
    /// AVX-512 with VPOPCNTDQ (x86-64 since 2019).
    Avx512,
}

impl Simd {
    /// The best kind that this processor has.
    pub fn detect() -> Simd {
        #[cfg(target_arch = "x86_64")]
        {
            if std::arch::is_x86_feature_detected!("avx512f")
                && std::arch::is_x86_feature_detected!("avx512bw")
                && std::arch::is_x86_feature_detected!("avx512vl")
                && std::arch::is_x86_feature_detected!("avx512vpopcntdq")
                && std::arch::is_x86_feature_detected!("popcnt")
            {
                return Simd::Avx512;
            }
            if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("popcnt") {
                return Simd::Avx2;
            }
        }
        Simd::Portable
    }

    /// All kinds that this processor has, the best last.
    pub fn available() -> Vec<Simd> {
        [Simd::Portable, Simd::Avx2, Simd::Avx512].into_iter().filter(|&s| s <= Simd::detect()).collect()
    }
}

/// 512 rows as bits, a cache line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(align(64))]
pub(super) struct Block(pub(super) [u64; 8]);

pub(super) const BLOCK_ROWS: usize = 512;

/// Compiles one body for every kind of processor and calls the best one.
macro_rules! multiversion {
    ($(#[$doc:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)? = $body:path) => {
        $(#[$doc])*
        $vis fn $name(simd: Simd, $($arg: $ty),*) $(-> $ret)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
                fn avx512($($arg: $ty),*) $(-> $ret)? { $body($($arg),*) }
                #[target_feature(enable = "avx2,popcnt")]
                fn avx2($($arg: $ty),*) $(-> $ret)? { $body($($arg),*) }
                match simd {
                    // SAFETY: a `Counter` never has a better `Simd` than `detect` found.
                    Simd::Avx512 => return unsafe { avx512($($arg),*) },
                    // SAFETY: as above.
                    Simd::Avx2 => return unsafe { avx2($($arg),*) },
                    Simd::Portable => {}
                }
            }
            #[cfg(not(target_arch = "x86_64"))]
            let _ = simd;
            $body($($arg),*)
        }
    };
}

/// The sizes of the intersections of each of `sets` with each of the sets that stand one after the
/// other in `columns`: `out(s, c, size)`.
#[inline]
pub(super) fn intersection_sizes(
    simd: Simd,
    sets: &[&[Block]],
    columns: &[Block],
    out: impl FnMut(usize, usize, u32),
) {
    #[cfg(target_arch = "x86_64")]
    if simd == Simd::Avx512 {
        // SAFETY: a `Counter` never has a better `Simd` than `detect` found.
        return unsafe { avx512::intersection_sizes(sets, columns, out) };
    }
    one_by_one(simd, sets, columns, out);
}

fn one_by_one(simd: Simd, sets: &[&[Block]], columns: &[Block], mut out: impl FnMut(usize, usize, u32)) {
    for (s, set) in sets.iter().enumerate() {
        for (c, column) in columns.chunks_exact(set.len().max(1)).enumerate() {
            out(s, c, intersection_size(simd, set, column));
        }
    }
}

multiversion! {
    /// The number of rows in both sets.
    fn intersection_size(a: &[Block], b: &[Block]) -> u32 = intersection_size_body
}

multiversion! {
    /// `out` = the rows in both sets; returns their number.
    pub(super) fn intersect(a: &[Block], b: &[Block], out: &mut [Block]) -> u32 = intersect_body
}

multiversion! {
    /// Appends a digit to the code of each row: `code * levels + x`.
    pub(super) fn append_u8(codes: &mut [u16], xs: &[u8], levels: u16) = append_body
}

multiversion! {
    /// The same for columns of more than 256 levels.
    pub(super) fn append_u16(codes: &mut [u16], xs: &[u16], levels: u16) = append_body
}

multiversion! {
    /// Counts each `code * levels + x` into one of four interleaved tables: cell `i` of table `w` is
    /// `tables[4 * i + w]`. Four, because an increment of the cell that the row before incremented
    /// would have to wait for it.
    pub(super) fn scatter_u8(codes: &[u16], xs: &[u8], levels: u32, tables: &mut [u32]) = scatter_body
}

multiversion! {
    /// The same for columns of more than 256 levels.
    pub(super) fn scatter_u16(codes: &[u16], xs: &[u16], levels: u32, tables: &mut [u32]) = scatter_body
}

#[inline(always)]
fn intersection_size_body(a: &[Block], b: &[Block]) -> u32 {
    let words = |blocks| <[Block]>::iter(blocks).flat_map(|block| block.0);
    words(a).zip(words(b)).map(|(a, b)| (a & b).count_ones()).sum()
}

#[inline(always)]
fn intersect_body(a: &[Block], b: &[Block], out: &mut [Block]) -> u32 {
    let mut sums = [0u64; 8];
    for ((a, b), out) in a.iter().zip(b).zip(out) {
        for i in 0..8 {
            out.0[i] = a.0[i] & b.0[i];
            sums[i] += u64::from(out.0[i].count_ones());
        }
    }
    sums.iter().sum::<u64>() as u32
}

#[inline(always)]
fn append_body<X: Copy + Into<u16>>(codes: &mut [u16], xs: &[X], levels: u16) {
    for (code, &x) in codes.iter_mut().zip(xs) {
        // A variable of 65,536 levels wraps to 0 here; it can only be the first, where the code is 0.
        *code = code.wrapping_mul(levels).wrapping_add(x.into());
    }
}

#[inline(always)]
fn scatter_body<X: Copy + Into<u32>>(codes: &[u16], xs: &[X], levels: u32, tables: &mut [u32]) {
    const AT_ONCE: usize = 64;
    let (codes, code_rest) = codes.as_chunks::<AT_ONCE>();
    let (xs, x_rest) = xs.as_chunks::<AT_ONCE>();
    let mut cells = [0u32; AT_ONCE];
    for (codes, xs) in codes.iter().zip(xs) {
        // The addresses are computed with vectors, the increments one by one.
        for i in 0..AT_ONCE {
            cells[i] = 4 * (u32::from(codes[i]) * levels + xs[i].into());
        }
        for four in cells.as_chunks::<4>().0 {
            for w in 0..4 {
                tables[four[w] as usize + w] += 1;
            }
        }
    }
    for (&code, &x) in code_rest.iter().zip(x_rest) {
        tables[4 * (u32::from(code) * levels + x.into()) as usize] += 1;
    }
}

/// The one loop that the compiler does not vectorise well by itself: sets and columns are taken
/// several at a time, so that each is loaded once for several intersections.
#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::{
        __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_load_si512, _mm512_popcnt_epi64,
        _mm512_reduce_add_epi64, _mm512_setzero_si512,
    };

    use super::Block;

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
    pub(super) fn intersection_sizes(
        sets: &[&[Block]],
        columns: &[Block],
        mut out: impl FnMut(usize, usize, u32),
    ) {
        let Some(blocks) = sets.first().map(|s| s.len()).filter(|&b| b > 0) else { return };
        let columns: smallvec::SmallVec<[&[Block]; 8]> = columns.chunks_exact(blocks).collect();
        for (g, group) in sets.chunks(4).enumerate() {
            let mut c = 0;
            while c < columns.len() {
                let mut put = |s: usize, k: usize, size: u32| out(4 * g + s, c + k, size);
                let (left, width) = (&columns[c..], (columns.len() - c).min(2));
                match (group, left) {
                    ([s0, s1, s2, s3], [c0, c1, ..]) => tile([s0, s1, s2, s3], [c0, c1], &mut put),
                    ([s0, s1, s2], [c0, c1, ..]) => tile([s0, s1, s2], [c0, c1], &mut put),
                    ([s0, s1], [c0, c1, ..]) => tile([s0, s1], [c0, c1], &mut put),
                    ([s0], [c0, c1, ..]) => tile([s0], [c0, c1], &mut put),
                    ([s0, s1, s2, s3], [c0]) => tile([s0, s1, s2, s3], [c0], &mut put),
                    (_, [c0]) => {
                        for (i, s) in group.iter().enumerate() {
                            tile([s], [c0], &mut |_, k, size| put(i, k, size));
                        }
                    }
                    _ => unreachable!("one to four sets and at least one column"),
                }
                c += width;
            }
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
    fn tile<const S: usize, const C: usize>(
        sets: [&[Block]; S],
        columns: [&[Block]; C],
        out: &mut impl FnMut(usize, usize, u32),
    ) {
        let blocks = sets[0].len();
        assert!(sets.iter().chain(&columns).all(|s| s.len() == blocks), "sets of the same rows");
        let mut sums = [[_mm512_setzero_si512(); C]; S];
        for b in 0..blocks {
            // SAFETY: `b` is below the length of every slice, and a block is 64 bytes at a multiple of 64.
            let load = |set: &[Block]| unsafe { _mm512_load_si512(set.as_ptr().add(b).cast::<__m512i>()) };
            let columns: [__m512i; C] = columns.map(load);
            for s in 0..S {
                let set = load(sets[s]);
                for c in 0..C {
                    let both = _mm512_popcnt_epi64(_mm512_and_si512(set, columns[c]));
                    sums[s][c] = _mm512_add_epi64(sums[s][c], both);
                }
            }
        }
        for s in 0..S {
            for c in 0..C {
                out(s, c, _mm512_reduce_add_epi64(sums[s][c]) as u32);
            }
        }
    }
}
