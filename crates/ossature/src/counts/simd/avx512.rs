//! The loops that the compiler does not vectorise well. Several sets are processed together, so that each is loaded
//! once for several intersections, and their sizes are added up together.

use std::arch::x86_64::{
    __m512i, _mm256_storeu_si256, _mm512_add_epi16, _mm512_add_epi64, _mm512_and_si512,
    _mm512_castsi512_si256, _mm512_cmpeq_epi8_mask, _mm512_cvtepi64_epi32, _mm512_cvtepu8_epi16,
    _mm512_extracti64x4_epi64, _mm512_load_si512, _mm512_loadu_si512, _mm512_mask_add_epi8,
    _mm512_popcnt_epi64, _mm512_set1_epi8, _mm512_setzero_si512, _mm512_shuffle_i64x2, _mm512_store_si512,
    _mm512_storeu_si512, _mm512_ternarylogic_epi64, _mm512_unpackhi_epi64, _mm512_unpacklo_epi64,
    _mm512_xor_si512,
};

use super::{ADDED, BLOCK_WORDS, BitBlock, PLACES, equal};

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
pub(super) fn mark_level<'a>(codes: &[u8], level: u8, mut words: impl Iterator<Item = &'a mut u64>) {
    let (many, rest) = codes.as_chunks::<64>();
    many.iter().zip(&mut words).for_each(|(codes, word)| *word = equal_of_64(codes, level));
    words.take(1).for_each(|word| *word = equal(rest, level));
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
pub(super) fn count_level(codes: &[u8], level: u8) -> u32 {
    let (many, rest) = codes.as_chunks::<64>();
    let counted: u32 = many.iter().map(|codes| equal_of_64(codes, level).count_ones()).sum();
    counted + equal(rest, level).count_ones()
}

/// The bits of the codes that are a level.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
fn equal_of_64(codes: &[u8; 64], level: u8) -> u64 {
    // SAFETY: 64 bytes are read, which need not be aligned.
    let codes = unsafe { _mm512_loadu_si512(codes.as_ptr().cast::<__m512i>()) };
    _mm512_cmpeq_epi8_mask(codes, _mm512_set1_epi8(level as i8))
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
pub(super) fn intersection_sizes(
    sets: &[BitBlock],
    which: &[u32],
    columns: &[BitBlock],
    blocks: usize,
    sizes: &mut [u32],
) {
    let width = columns.len() / blocks - 1;
    let mut c = 0;
    while c + 2 <= width {
        let columns = [nth(columns, c, blocks), nth(columns, c + 1, blocks)];
        let (fours, rest) = which.as_chunks::<4>();
        for (four, sizes) in fours.iter().zip(sizes.chunks_exact_mut(4 * width)) {
            put(&tile(each(sets, four, blocks), columns), &mut sizes[c..], width);
        }
        for (&s, sizes) in rest.iter().zip(sizes[4 * width * fours.len()..].chunks_exact_mut(width)) {
            put(&tile(each(sets, &[s], blocks), columns), &mut sizes[c..], width);
        }
        c += 2;
    }
    if c < width {
        let columns = [nth(columns, c, blocks)];
        let (eights, rest) = which.as_chunks::<8>();
        for (eight, sizes) in eights.iter().zip(sizes.chunks_exact_mut(8 * width)) {
            put(&tile(each(sets, eight, blocks), columns), &mut sizes[c..], width);
        }
        let (twos, rest_of_rest) = rest.as_chunks::<2>();
        let sizes = &mut sizes[8 * width * eights.len()..];
        for (two, sizes) in twos.iter().zip(sizes.chunks_exact_mut(2 * width)) {
            put(&tile(each(sets, two, blocks), columns), &mut sizes[c..], width);
        }
        if let &[s] = rest_of_rest {
            put(&tile(each(sets, &[s], blocks), columns), &mut sizes[2 * width * twos.len() + c..], width);
        }
    }
}

/// A set of rows among several, each of this many blocks.
#[inline(always)]
fn nth(sets: &[BitBlock], n: usize, blocks: usize) -> &[BitBlock] {
    &sets[n * blocks..][..blocks]
}

/// Several of them. A loop, because a closure passed to `map` would not be compiled for these instructions, and so be called.
#[inline(always)]
fn each<'a, const S: usize>(sets: &'a [BitBlock], which: &[u32; S], blocks: usize) -> [&'a [BitBlock]; S] {
    let mut each = [&sets[..0]; S];
    for s in 0..S {
        each[s] = nth(sets, which[s] as usize, blocks);
    }
    each
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
pub(super) fn split(set: &[BitBlock], by: &[BitBlock], parts: &mut [BitBlock], sizes: &mut [u32]) {
    let blocks = set.len();
    let (fours, rest) = sizes.as_chunks_mut::<4>();
    let mut from = 0;
    for four in fours {
        *four = part(set, &by[from..], &mut parts[from..]);
        from += 4 * blocks;
    }
    let (twos, rest) = rest.as_chunks_mut::<2>();
    for two in twos {
        *two = part(set, &by[from..], &mut parts[from..]);
        from += 2 * blocks;
    }
    for one in rest {
        [*one] = part(set, &by[from..], &mut parts[from..]);
    }
}

/// Intersects a set with the first sets in `by`. Returns the sizes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
fn part<const L: usize>(set: &[BitBlock], by: &[BitBlock], parts: &mut [BitBlock]) -> [u32; L] {
    const { assert!(L <= 8) };
    let blocks = set.len();
    assert!(by.len().min(parts.len()) >= L * blocks, "a place for every part");
    let mut sums = [_mm512_setzero_si512(); 8];
    for b in 0..blocks {
        // SAFETY: `b` is below the length, and a block is 64 bytes at a multiple of 64.
        let set = unsafe { _mm512_load_si512(set.as_ptr().add(b).cast::<__m512i>()) };
        for l in 0..L {
            let at = l * blocks + b;
            // SAFETY: `at` is below L times the number of blocks, which both slices have.
            let both = unsafe {
                let both = _mm512_and_si512(set, _mm512_load_si512(by.as_ptr().add(at).cast::<__m512i>()));
                _mm512_store_si512(parts.as_mut_ptr().add(at).cast::<__m512i>(), both);
                both
            };
            sums[l] = _mm512_add_epi64(sums[l], _mm512_popcnt_epi64(both));
        }
    }
    let added = add_up(sums);
    std::array::from_fn(|l| added[l])
}

/// Writes the sizes of each set to its place; the places are `width` apart.
#[inline(always)]
fn put<const S: usize, const C: usize>(tile: &[[u32; C]; S], sizes: &mut [u32], width: usize) {
    for s in 0..S {
        sizes[s * width..][..C].copy_from_slice(&tile[s]);
    }
}

/// The sizes of the intersections of up to eight pairs.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
fn tile<const S: usize, const C: usize>(sets: [&[BitBlock]; S], columns: [&[BitBlock]; C]) -> [[u32; C]; S] {
    let blocks = sets[0].len();
    assert!(sets.iter().chain(&columns).all(|s| s.len() == blocks), "sets of the same rows");
    let mut sums = [[_mm512_setzero_si512(); C]; S];
    for b in 0..blocks {
        // SAFETY: `b` is below the length of every slice, and a block is 64 bytes at a multiple of 64.
        let load = |set: &[BitBlock]| unsafe { _mm512_load_si512(set.as_ptr().add(b).cast::<__m512i>()) };
        let columns: [__m512i; C] = columns.map(load);
        for s in 0..S {
            let set = load(sets[s]);
            for c in 0..C {
                let both = _mm512_popcnt_epi64(_mm512_and_si512(set, columns[c]));
                sums[s][c] = _mm512_add_epi64(sums[s][c], both);
            }
        }
    }
    let mut eight = [_mm512_setzero_si512(); 8];
    for s in 0..S {
        for c in 0..C {
            eight[s * C + c] = sums[s][c];
        }
    }
    let added = add_up(eight);
    std::array::from_fn(|s| std::array::from_fn(|c| added[s * C + c]))
}

/// The sum of the eight lanes of each of eight vectors.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
fn add_up(v: [__m512i; 8]) -> [u32; 8] {
    // Adds neighbouring lanes of two vectors, then neighbouring pairs of lanes, then halves.
    let pair = |a, b| _mm512_add_epi64(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
    let halve = |a, b| {
        let even = _mm512_shuffle_i64x2::<0b10_00_10_00>(a, b);
        _mm512_add_epi64(even, _mm512_shuffle_i64x2::<0b11_01_11_01>(a, b))
    };
    let (low, high) = (halve(pair(v[0], v[1]), pair(v[2], v[3])), halve(pair(v[4], v[5]), pair(v[6], v[7])));
    let mut sums = [0u32; 8];
    // SAFETY: `sums` has eight 32-bit numbers, which are the 256 bits stored.
    unsafe { _mm256_storeu_si256(sums.as_mut_ptr().cast(), _mm512_cvtepi64_epi32(halve(low, high))) };
    sums
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
pub(super) fn add_rows(rows: &[u64], stride: usize, which: &[u16], counts: &mut [u16; PLACES]) {
    let last = rows.len() - BLOCK_WORDS;
    let load = |row: u16| {
        let at = usize::from(row) * stride;
        assert!(at <= last, "the block of every row is there");
        // SAFETY: a block has the size of a vector, which need not be aligned, and there are as many words from there on.
        unsafe { _mm512_loadu_si512(rows.as_ptr().add(at).cast::<__m512i>()) }
    };
    *counts = [0; PLACES];
    for some in which.chunks(ADDED) {
        // Bit k of each sum.
        let mut sums = [_mm512_setzero_si512(); 8];
        let (eights, rest) = some.as_chunks::<8>();
        for &[a, b, c, d, e, f, g, h] in eights {
            let (one, two_a) = full_add(sums[0], load(a), load(b));
            let (one, two_b) = full_add(one, load(c), load(d));
            let (two, four_a) = full_add(sums[1], two_a, two_b);
            let (one, two_a) = full_add(one, load(e), load(f));
            let (one, two_b) = full_add(one, load(g), load(h));
            let (two, four_b) = full_add(two, two_a, two_b);
            let (four, eight) = full_add(sums[2], four_a, four_b);
            (sums[0], sums[1], sums[2]) = (one, two, four);
            carry(&mut sums[3..], eight);
        }
        for &row in rest {
            carry(&mut sums, load(row));
        }
        let digits = some.len().ilog2() as usize + 1;
        let mut words = [[0u64; 8]; 8];
        for (words, sums) in words.iter_mut().zip(&sums[..digits]) {
            // SAFETY: eight words have the size of a vector, which need not be aligned.
            unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast::<__m512i>(), *sums) };
        }
        for (w, counts) in counts.as_chunks_mut::<64>().0.iter_mut().enumerate() {
            let mut bytes = _mm512_setzero_si512();
            for (k, words) in words[..digits].iter().enumerate() {
                bytes = _mm512_mask_add_epi8(bytes, words[w], bytes, _mm512_set1_epi8((1u8 << k) as i8));
            }
            let halves = [_mm512_castsi512_si256(bytes), _mm512_extracti64x4_epi64::<1>(bytes)];
            for (half, counts) in halves.into_iter().zip(counts.as_chunks_mut::<32>().0) {
                let place = counts.as_mut_ptr().cast::<__m512i>();
                // SAFETY: 32 counts have the size of a vector, which need not be aligned.
                unsafe {
                    let sum = _mm512_add_epi16(_mm512_loadu_si512(place), _mm512_cvtepu8_epi16(half));
                    _mm512_storeu_si512(place, sum);
                }
            }
        }
    }
}

/// The sums of three bits at each place: their low bits and their high bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
fn full_add(a: __m512i, b: __m512i, c: __m512i) -> (__m512i, __m512i) {
    (_mm512_ternarylogic_epi64::<0x96>(a, b, c), _mm512_ternarylogic_epi64::<0xe8>(a, b, c))
}

/// Adds one bit at each place.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
fn carry(sums: &mut [__m512i], mut bits: __m512i) {
    for sum in sums {
        (*sum, bits) = (_mm512_xor_si512(*sum, bits), _mm512_and_si512(*sum, bits));
    }
}
