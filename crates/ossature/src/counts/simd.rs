//! The inner loops, compiled for several kinds of processor and chosen at run time.
//!
//! Each loop is written once, in plain Rust that the compiler vectorises. The same body is compiled for the
//! baseline, for AVX2, and for AVX-512 with its population count, so a portable program is fast on any
//! processor. Those over bitmaps, and those that compare codes with a level, have a second version for AVX-512.
#![allow(unsafe_code)]
#![cfg_attr(not(feature = "bench-internals"), allow(unreachable_pub))] // then nothing of it is public
// The vectoriser understands loops over a fixed range best.
#![allow(clippy::needless_range_loop)]

#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod octet;

use super::bits::BitColumn;
use super::octets::{Octet, OctetStrata, OctetSums};

/// The kind of vector instructions in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Simd {
    /// The instructions that every processor of the platform has.
    Portable,
    /// AVX2 and the scalar population count (x86-64 since 2013).
    Avx2,
    /// AVX-512 with VPOPCNTDQ (x86-64 since 2019).
    Avx512,
}

impl Simd {
    /// The best kind that this processor supports.
    pub(crate) fn detect() -> Simd {
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

    /// All kinds that this processor supports, the best last.
    #[cfg(feature = "bench-internals")]
    pub fn available() -> Vec<Simd> {
        [Simd::Portable, Simd::Avx2, Simd::Avx512].into_iter().filter(|&s| s <= Simd::detect()).collect()
    }
}

/// 512 rows as bits: one cache line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(align(64))]
pub(super) struct BitBlock(pub(super) [u64; 8]);

pub(super) const BLOCK_ROWS: usize = 512;

/// The number of words of a block.
pub(super) const LANES: usize = 8;

/// With this number of levels or fewer, comparing every code with each level is faster than looking at the codes one by
/// one, if 64 codes are compared at a time.
const COMPARED_LEVELS: usize = 32;

/// The same, if eight codes are compared at a time.
const COMPARED_BY_EIGHT: usize = 8;

/// Compiles one body for every kind of processor, and calls the best at run time.
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
pub(crate) use multiversion;

/// The sizes of the intersections of each of the sets in `which` with all of `columns` but the last. Those of
/// the first set in `which` come first. Each set and each column has `blocks` blocks.
pub(super) fn intersection_sizes(
    simd: Simd,
    sets: &[BitBlock],
    which: &[u32],
    columns: &[BitBlock],
    blocks: usize,
    sizes: &mut [u32],
) {
    #[cfg(target_arch = "x86_64")]
    if simd == Simd::Avx512 {
        // SAFETY: a `Counter` never has a better `Simd` than `detect` found.
        return unsafe { avx512::intersection_sizes(sets, which, columns, blocks, sizes) };
    }
    one_by_one(simd, sets, which, columns, blocks, sizes);
}

multiversion! {
    /// Computes the sizes of the intersections one by one.
    fn one_by_one(sets: &[BitBlock], which: &[u32], columns: &[BitBlock], blocks: usize, sizes: &mut [u32])
        = one_by_one_body
}

/// Whether there are instructions for octets; they are not used without.
pub(super) fn can_count_octets(simd: Simd) -> bool {
    simd == Simd::Avx512
}

/// Puts the words of these columns side by side, in an octet that has room for them.
pub(super) fn fill_octet(simd: Simd, octet: &mut Octet, columns: &[&BitColumn]) {
    #[cfg(target_arch = "x86_64")]
    if can_count_octets(simd) {
        // SAFETY: a `Counter` never has a better `Simd` than `detect` found.
        return unsafe { octet::fill(octet, columns) };
    }
    unreachable!("no octets with {simd:?}: {octet:?} {columns:?}")
}

/// The sums of n·ln n of an octet in some strata; `cells` is room for its cells.
pub(super) fn octet_sums(
    simd: Simd,
    strata: &OctetStrata<'_>,
    octet: &Octet,
    terms: &[i64],
    cells: &mut Vec<BitBlock>,
) -> OctetSums {
    cells.resize(strata.which.len() * octet.counted, BitBlock::default());
    #[cfg(target_arch = "x86_64")]
    if can_count_octets(simd) {
        // SAFETY: a `Counter` never has a better `Simd` than `detect` found.
        return unsafe {
            octet::count(strata, octet, cells);
            octet::add_up(strata, octet, cells, terms)
        };
    }
    unreachable!("no octets with {simd:?} and {} terms", terms.len())
}

/// Splits a set of `size` rows by the sets in `by`, each row being in exactly one of them. Fills in the parts and
/// their sizes.
pub(super) fn split(
    simd: Simd,
    set: &[BitBlock],
    size: u32,
    by: &[BitBlock],
    parts: &mut [BitBlock],
    sizes: &mut [u32],
) {
    #[cfg(target_arch = "x86_64")]
    if simd == Simd::Avx512 {
        // SAFETY: a `Counter` never has a better `Simd` than `detect` found.
        return unsafe { avx512::split(set, by, parts, sizes) };
    }
    split_one_by_one(simd, set, size, by, parts, sizes);
}

multiversion! {
    /// Splits a set by one level after another.
    fn split_one_by_one(
        set: &[BitBlock],
        size: u32,
        by: &[BitBlock],
        parts: &mut [BitBlock],
        sizes: &mut [u32],
    ) = split_body
}

/// The number of words of a block of bits, of which each is added up by itself.
pub(super) const BLOCK_WORDS: usize = 8;

/// The number of these bits.
pub(super) const PLACES: usize = 64 * BLOCK_WORDS;

/// Rows are added up to so many at a time, so that a sum has eight bits at most.
const ADDED: usize = 248;

/// For each bit of a block, how many of these rows have it. The block of a row begins at a multiple of `stride`.
pub(super) fn add_rows(simd: Simd, rows: &[u64], stride: usize, which: &[u16], counts: &mut [u16; PLACES]) {
    #[cfg(target_arch = "x86_64")]
    if simd == Simd::Avx512 {
        // SAFETY: a `Counter` never has a better `Simd` than `detect` found.
        return unsafe { avx512::add_rows(rows, stride, which, counts) };
    }
    add_rows_by_words(simd, rows, stride, which, counts);
}

multiversion! {
    /// Adds up words of 64 bits.
    fn add_rows_by_words(rows: &[u64], stride: usize, which: &[u16], counts: &mut [u16; PLACES])
        = add_rows_body
}

#[inline(always)]
fn add_rows_body(rows: &[u64], stride: usize, which: &[u16], counts: &mut [u16; PLACES]) {
    let nothing = [0; BLOCK_WORDS];
    *counts = [0; PLACES];
    for some in which.chunks(ADDED) {
        // Bit k of each sum.
        let mut sums = [[0u64; 8]; 8];
        for eight in some.chunks(8) {
            let mut row = [&nothing[..]; 8];
            for i in 0..eight.len() {
                row[i] = &rows[usize::from(eight[i]) * stride..][..BLOCK_WORDS];
            }
            for w in 0..BLOCK_WORDS {
                let (one, two_a) = full_add(sums[0][w], row[0][w], row[1][w]);
                let (one, two_b) = full_add(one, row[2][w], row[3][w]);
                let (two, four_a) = full_add(sums[1][w], two_a, two_b);
                let (one, two_a) = full_add(one, row[4][w], row[5][w]);
                let (one, two_b) = full_add(one, row[6][w], row[7][w]);
                let (two, four_b) = full_add(two, two_a, two_b);
                let (four, mut carry) = full_add(sums[2][w], four_a, four_b);
                (sums[0][w], sums[1][w], sums[2][w]) = (one, two, four);
                for k in 3..8 {
                    (sums[k][w], carry) = (sums[k][w] ^ carry, sums[k][w] & carry);
                }
            }
        }
        let digits = some.len().ilog2() as usize + 1;
        let mut bytes = [0u64; PLACES / 8];
        for k in 0..digits {
            for w in 0..8 {
                for b in 0..8 {
                    // Each bit of a byte gets a byte of its own.
                    let copies = (sums[k][w] >> (8 * b) & 0xff) * 0x0101_0101_0101_0101;
                    let bits = copies & 0x8040_2010_0804_0201;
                    let ones = (bits + 0x0040_6070_787c_7e7f) >> 7 & 0x0101_0101_0101_0101;
                    bytes[8 * w + b] += ones << k;
                }
            }
        }
        for (counts, byte) in counts.as_chunks_mut::<8>().0.iter_mut().zip(bytes) {
            for i in 0..8 {
                counts[i] += (byte >> (8 * i) & 0xff) as u16;
            }
        }
    }
}

/// The sum of three bits: its low bit and its high bit.
#[inline(always)]
fn full_add(a: u64, b: u64, c: u64) -> (u64, u64) {
    (a ^ b ^ c, a & b | a & c | b & c)
}

/// Whether [`mark_level`] for each level is faster than setting the bit of each code.
pub(super) fn compares_levels(simd: Simd, levels: usize) -> bool {
    levels <= if simd == Simd::Avx512 { COMPARED_LEVELS } else { COMPARED_BY_EIGHT }
}

/// Marks the rows that have a level. The set has a bit for each code.
pub(super) fn mark_level(simd: Simd, codes: &[u8], level: u8, set: &mut [BitBlock]) {
    let words = set.iter_mut().flat_map(|block| &mut block.0);
    #[cfg(target_arch = "x86_64")]
    if simd == Simd::Avx512 {
        // SAFETY: a `Counter` never has a better `Simd` than `detect` found.
        return unsafe { avx512::mark_level(codes, level, words) };
    }
    let _ = simd;
    words.zip(codes.chunks(64)).for_each(|(word, codes)| *word = equal(codes, level));
}

/// The number of codes of each of the first `levels` levels.
pub(super) fn count_levels(simd: Simd, codes: &[u8], levels: usize) -> Vec<u32> {
    #[cfg(target_arch = "x86_64")]
    if simd == Simd::Avx512 && levels <= COMPARED_LEVELS {
        // SAFETY: a `Counter` never has a better `Simd` than `detect` found.
        return (0..levels).map(|level| unsafe { avx512::count_level(codes, level as u8) }).collect();
    }
    let _ = simd;
    // Four counters for each level: the next row often has the same one, and would wait for it.
    let mut counted = [[0u32; 256]; 4];
    let (fours, rest) = codes.as_chunks::<4>();
    for four in fours {
        counted.iter_mut().zip(four).for_each(|(counted, &code)| counted[usize::from(code)] += 1);
    }
    rest.iter().for_each(|&code| counted[0][usize::from(code)] += 1);
    (0..levels).map(|level| counted.iter().map(|counted| counted[level]).sum()).collect()
}

/// The bits of the codes, at most 64, that are a level: eight codes are compared at a time.
pub(super) fn equal(codes: &[u8], level: u8) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let mut bits = 0;
    let (eights, rest) = codes.as_chunks::<8>();
    for (i, &eight) in eights.iter().enumerate() {
        let differs = u64::from_le_bytes(eight) ^ u64::from_le_bytes([level; 8]);
        // The top bit of a byte: whether the byte is 0. No carry leaves its byte.
        let same = !(((differs & LOW) + LOW) | differs) & !LOW;
        // The product moves the bit of byte j to place 56 + j.
        bits |= ((same >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
    }
    let done = 8 * eights.len();
    rest.iter().enumerate().fold(bits, |bits, (i, &code)| bits | u64::from(code == level) << (done + i))
}

multiversion! {
    /// Appends a digit to the code of each row: `code * levels + x`.
    pub(super) fn append_u8(codes: &mut [u16], xs: &[u8], levels: u16) = append_body
}

multiversion! {
    /// Like [`append_u8`], for columns with more than 256 levels.
    pub(super) fn append_u16(codes: &mut [u16], xs: &[u16], levels: u16) = append_body
}

multiversion! {
    /// Counts each `code * levels + x` in `ways` tables (1 or 4), one after another in `tables`.
    pub(super) fn scatter_u8(codes: &[u16], xs: &[u8], levels: u32, ways: usize, tables: &mut [u32])
        = scatter_body
}

multiversion! {
    /// Like [`scatter_u8`], for columns with more than 256 levels.
    pub(super) fn scatter_u16(codes: &[u16], xs: &[u16], levels: u32, ways: usize, tables: &mut [u32])
        = scatter_body
}

multiversion! {
    /// Like [`scatter_u8`], for cells that are the codes themselves.
    pub(super) fn scatter_codes(codes: &[u16], ways: usize, tables: &mut [u32]) = scatter_codes_body
}

multiversion! {
    /// Like [`scatter_u8`], for some of the rows.
    pub(super) fn scatter_some(
        codes: &[u16],
        rows: &[u16],
        xs: &[u8],
        levels: u32,
        ways: usize,
        tables: &mut [u32],
    ) = scatter_some_body
}

#[inline(always)]
fn one_by_one_body(sets: &[BitBlock], which: &[u32], columns: &[BitBlock], blocks: usize, sizes: &mut [u32]) {
    let mut sizes = sizes.iter_mut();
    for &s in which {
        let set = &sets[s as usize * blocks..][..blocks];
        for (column, size) in columns[..columns.len() - blocks].chunks_exact(blocks).zip(&mut sizes) {
            *size = intersection_size(set, column);
        }
    }
}

#[inline(always)]
fn intersection_size(a: &[BitBlock], b: &[BitBlock]) -> u32 {
    let mut sums = [0u64; 8];
    for (a, b) in a.iter().zip(b) {
        for i in 0..8 {
            sums[i] += u64::from((a.0[i] & b.0[i]).count_ones());
        }
    }
    sums.iter().sum::<u64>() as u32
}

#[inline(always)]
fn split_body(set: &[BitBlock], size: u32, by: &[BitBlock], parts: &mut [BitBlock], sizes: &mut [u32]) {
    let blocks = set.len();
    let (last, first) = sizes.split_last_mut().expect("at least one level");
    let mut rest = size;
    let mut levels = by.chunks_exact(blocks).zip(parts.chunks_exact_mut(blocks));
    for (size, (level, part)) in first.iter_mut().zip(&mut levels) {
        let mut sums = [0u64; 8];
        for ((a, b), out) in set.iter().zip(level).zip(part) {
            for i in 0..8 {
                out.0[i] = a.0[i] & b.0[i];
                sums[i] += u64::from(out.0[i].count_ones());
            }
        }
        *size = sums.iter().sum::<u64>() as u32;
        rest -= *size;
    }
    *last = rest;
    for (level, part) in levels {
        for ((a, b), out) in set.iter().zip(level).zip(part) {
            (0..8).for_each(|i| out.0[i] = a.0[i] & b.0[i]);
        }
    }
}

#[inline(always)]
fn append_body<X: Copy + Into<u16>>(codes: &mut [u16], xs: &[X], levels: u16) {
    for (code, &x) in codes.iter_mut().zip(xs) {
        // 65,536 levels wrap to 0 here. Only the first variable can have that many, and its code is still 0.
        *code = code.wrapping_mul(levels).wrapping_add(x.into());
    }
}

/// The number of rows whose cells are computed and checked together.
const AT_ONCE: usize = 128;

#[inline(always)]
fn scatter_body<X: Copy + Into<u32>>(codes: &[u16], xs: &[X], levels: u32, ways: usize, tables: &mut [u32]) {
    let (codes, code_rest) = codes.as_chunks::<AT_ONCE>();
    let (xs, x_rest) = xs.as_chunks::<AT_ONCE>();
    let cell = |code: u16, x: X| u32::from(code) * levels + x.into();
    let many = codes.iter().zip(xs).map(|(codes, xs)| std::array::from_fn(|i| cell(codes[i], xs[i])));
    scatter_cells(many, code_rest.iter().zip(x_rest).map(|(&code, &x)| cell(code, x)), ways, tables);
}

#[inline(always)]
fn scatter_codes_body(codes: &[u16], ways: usize, tables: &mut [u32]) {
    let (codes, rest) = codes.as_chunks::<AT_ONCE>();
    let rest = rest.iter().copied().map(u32::from);
    scatter_cells(codes.iter().map(|codes| codes.map(u32::from)), rest, ways, tables);
}

#[inline(always)]
fn scatter_some_body(codes: &[u16], rows: &[u16], xs: &[u8], levels: u32, ways: usize, tables: &mut [u32]) {
    let cells = rows
        .iter()
        .zip(xs)
        .map(|(&row, &x)| (u32::from(codes[usize::from(row)]) * levels + u32::from(x)) as usize);
    let size = tables.len() / ways;
    match ways {
        // Neighbouring rows are counted in different tables.
        4 => cells.enumerate().for_each(|(i, cell)| tables[cell + i % 4 * size] += 1),
        _ => cells.for_each(|cell| tables[cell] += 1),
    }
}

#[inline(always)]
fn scatter_cells(
    many: impl Iterator<Item = [u32; AT_ONCE]>,
    rest: impl Iterator<Item = u32>,
    ways: usize,
    tables: &mut [u32],
) {
    match ways {
        4 => scatter_ways::<4>(many, rest, tables),
        _ => scatter_ways::<1>(many, rest, tables),
    }
}

#[inline(always)]
fn scatter_ways<const WAYS: usize>(
    many: impl Iterator<Item = [u32; AT_ONCE]>,
    rest: impl Iterator<Item = u32>,
    tables: &mut [u32],
) {
    let size = tables.len() / WAYS;
    for cells in many {
        // Cells are computed and checked with vectors; increments are done one by one.
        let highest = cells.iter().fold(0, |highest, &cell| highest.max(cell));
        assert!((highest as usize) < size, "every code has its cell");
        for at_once in cells.as_chunks::<WAYS>().0 {
            for w in 0..WAYS {
                // SAFETY: no cell is above the highest, and every table has a cell for the highest.
                unsafe { *tables.get_unchecked_mut(w * size + at_once[w] as usize) += 1 };
            }
        }
    }
    rest.for_each(|cell| tables[cell as usize] += 1);
}
