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
                    // SAFETY: a `Simd` of this kind is only made by `detect` and `available`, on a
                    // processor that has these instructions.
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

multiversion! {
    /// `out[i]` = the number of rows in both `set` and the `i`-th of the sets that stand one after
    /// the other in `columns`.
    pub(super) fn intersection_sizes(set: &[Block], columns: &[Block], out: &mut [u32]) = intersection_sizes_body
}

multiversion! {
    /// `out` = the rows in both sets; returns their number.
    pub(super) fn intersect(a: &[Block], b: &[Block], out: &mut [Block]) -> u32 = intersect_body
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
fn intersection_sizes_body(set: &[Block], columns: &[Block], out: &mut [u32]) {
    let blocks = set.len();
    let mut columns = columns.chunks_exact(blocks);
    let mut out = out.iter_mut();
    // Four at a time: the set is loaded once for four columns.
    while columns.len() >= 4 {
        let four = [(); 4].map(|()| columns.next().expect("four are left"));
        for (n, o) in sizes::<4>(set, four).into_iter().zip(&mut out) {
            *o = n;
        }
    }
    match columns.len() {
        3 => {
            let rest = [(); 3].map(|()| columns.next().expect("three are left"));
            sizes::<3>(set, rest).into_iter().zip(out).for_each(|(n, o)| *o = n);
        }
        2 => {
            let rest = [(); 2].map(|()| columns.next().expect("two are left"));
            sizes::<2>(set, rest).into_iter().zip(out).for_each(|(n, o)| *o = n);
        }
        _ => columns.zip(out).for_each(|(c, o)| [*o] = sizes::<1>(set, [c])),
    }
}

#[inline(always)]
fn sizes<const N: usize>(set: &[Block], columns: [&[Block]; N]) -> [u32; N] {
    let mut sums = [[0u64; 8]; N];
    let columns = columns.map(|c| &c[..set.len()]);
    for (b, block) in set.iter().enumerate() {
        for (sum, column) in sums.iter_mut().zip(&columns) {
            for i in 0..8 {
                sum[i] += u64::from((block.0[i] & column[b].0[i]).count_ones());
            }
        }
    }
    sums.map(|s| s.iter().sum::<u64>() as u32)
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
