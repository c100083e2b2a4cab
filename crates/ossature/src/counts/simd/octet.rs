//! The loops over octets: each lane is a candidate of its own.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_cmpneq_epi64_mask, _mm512_i64gather_epi64,
    _mm512_load_si512, _mm512_maskz_set1_epi64, _mm512_min_epu64, _mm512_mul_epu32, _mm512_popcnt_epi64,
    _mm512_set1_epi64, _mm512_setzero_si512, _mm512_shuffle_i64x2, _mm512_store_si512, _mm512_sub_epi64,
    _mm512_unpackhi_epi64, _mm512_unpacklo_epi64,
};

use super::{BitBlock, LANES};
use crate::counts::bits::BitColumn;
use crate::counts::octets::{Octet, OctetStrata, OctetSums};

/// Puts the words of these columns side by side.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
pub(super) fn fill(octet: &mut Octet, columns: &[&BitColumn]) {
    let Octet { counted, blocks, ref mut words, .. } = *octet;
    assert!(words.len() == LANES * blocks * counted && columns.len() <= LANES, "a place for every word");
    for level in 0..counted {
        let mut sets = [None; LANES];
        for (set, column) in sets.iter_mut().zip(columns).filter(|(_, column)| level + 1 < column.levels()) {
            *set = Some(column.set(level));
        }
        for (b, words) in words.chunks_exact_mut(LANES * counted).enumerate() {
            let mut lanes = [_mm512_setzero_si512(); LANES];
            for i in 0..LANES {
                if let Some(set) = sets[i] {
                    lanes[i] = load(&set[b]);
                }
            }
            let turned = transpose(lanes);
            for i in 0..LANES {
                store(&mut words[i * counted + level], turned[i]);
            }
        }
    }
}

/// The first lanes of all vectors, the second lanes, and so on.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
fn transpose(v: [__m512i; LANES]) -> [__m512i; LANES] {
    let mut turned = [_mm512_setzero_si512(); LANES];
    // Words are paired; then pairs are brought together, first those of four vectors and then those of all.
    for odd in 0..2 {
        let mut p = [_mm512_setzero_si512(); 4];
        for i in 0..4 {
            p[i] = match odd {
                0 => _mm512_unpacklo_epi64(v[2 * i], v[2 * i + 1]),
                _ => _mm512_unpackhi_epi64(v[2 * i], v[2 * i + 1]),
            };
        }
        let (low, high) =
            (_mm512_shuffle_i64x2::<0x88>(p[0], p[1]), _mm512_shuffle_i64x2::<0x88>(p[2], p[3]));
        turned[odd] = _mm512_shuffle_i64x2::<0x88>(low, high);
        turned[odd + 4] = _mm512_shuffle_i64x2::<0xdd>(low, high);
        let (low, high) =
            (_mm512_shuffle_i64x2::<0xdd>(p[0], p[1]), _mm512_shuffle_i64x2::<0xdd>(p[2], p[3]));
        turned[odd + 2] = _mm512_shuffle_i64x2::<0x88>(low, high);
        turned[odd + 6] = _mm512_shuffle_i64x2::<0xdd>(low, high);
    }
    turned
}

/// Counts the cells of an octet in each stratum of `which`, one level after another.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
pub(super) fn count(strata: &OctetStrata<'_>, octet: &Octet, cells: &mut [BitBlock]) {
    match octet.counted {
        1 => count_levels::<1>(strata, octet, cells),
        2 => count_levels::<2>(strata, octet, cells),
        _ => count_levels::<3>(strata, octet, cells),
    }
}

/// The same for a number of levels that is known to the compiler.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
fn count_levels<const L: usize>(strata: &OctetStrata<'_>, octet: &Octet, cells: &mut [BitBlock]) {
    let (eights, rest) = strata.which.as_chunks::<8>();
    let (in_eights, cells) = cells.split_at_mut(8 * L * eights.len());
    for (eight, cells) in eights.iter().zip(in_eights.chunks_exact_mut(8 * L)) {
        tile::<8, L>(strata, eight, octet, cells);
    }
    let (fours, rest) = rest.as_chunks::<4>();
    let (in_fours, cells) = cells.split_at_mut(4 * L * fours.len());
    for (four, cells) in fours.iter().zip(in_fours.chunks_exact_mut(4 * L)) {
        tile::<4, L>(strata, four, octet, cells);
    }
    for (&one, cells) in rest.iter().zip(cells.chunks_exact_mut(L)) {
        tile::<1, L>(strata, &[one], octet, cells);
    }
}

/// The cells of some strata.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
fn tile<const S: usize, const L: usize>(
    strata: &OctetStrata<'_>,
    which: &[u32; S],
    octet: &Octet,
    cells: &mut [BitBlock],
) {
    let words = octet.words.len() / L;
    assert!(octet.words.len() == words * L && cells.len() == S * L, "a word and a cell for every level");
    let mut sets = [std::ptr::null::<u64>(); S];
    for s in 0..S {
        let set = &strata.sets[which[s] as usize * octet.blocks..][..octet.blocks];
        assert!(words <= LANES * set.len(), "sets of the same rows");
        sets[s] = set.as_ptr().cast::<u64>();
    }
    let mut sums = [[_mm512_setzero_si512(); L]; S];
    for i in 0..words {
        let mut levels = [_mm512_setzero_si512(); L];
        for l in 0..L {
            // SAFETY: there are L blocks for each word, and a block is 64 bytes at a multiple of 64.
            levels[l] = unsafe { _mm512_load_si512(octet.words.as_ptr().add(i * L + l).cast::<__m512i>()) };
        }
        for s in 0..S {
            // SAFETY: a set has eight words in each block, and so at least as many as the octet.
            let word = _mm512_set1_epi64(unsafe { *sets[s].add(i) } as i64);
            for l in 0..L {
                let both = _mm512_popcnt_epi64(_mm512_and_si512(word, levels[l]));
                sums[s][l] = _mm512_add_epi64(sums[s][l], both);
            }
        }
    }
    for s in 0..S {
        for l in 0..L {
            store(&mut cells[s * L + l], sums[s][l]);
        }
    }
}

/// The sums of an octet whose cells are counted.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
pub(super) fn add_up(
    strata: &OctetStrata<'_>,
    octet: &Octet,
    cells: &[BitBlock],
    terms: &[i64],
) -> OctetSums {
    match octet.counted {
        1 => add_up_levels::<1, 2>(strata, octet, cells, terms),
        2 => add_up_levels::<2, 3>(strata, octet, cells, terms),
        _ => add_up_levels::<3, 4>(strata, octet, cells, terms),
    }
}

/// The same for a number of levels that is known to the compiler: L that are counted, and R with the last.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
fn add_up_levels<const L: usize, const R: usize>(
    strata: &OctetStrata<'_>,
    octet: &Octet,
    cells: &[BitBlock],
    terms: &[i64],
) -> OctetSums {
    let zero = _mm512_setzero_si512();
    let (mut xyz, mut sum_xz, mut df) = (zero, zero, zero);
    let mut cells = cells.chunks_exact(L);
    for (slice, &free) in
        strata.sizes.chunks_exact(strata.sizes.len() / strata.free_y.len()).zip(strata.free_y)
    {
        let mut xz = [zero; R];
        for &size in slice.iter().filter(|&&size| size > 0) {
            // The last stratum of a single variable has what is left of the totals.
            let (counted, from) = cells.next().map_or((&octet.totals[..L], xz), |cells| (cells, [zero; R]));
            let mut rest = _mm512_set1_epi64(size.into());
            for l in 0..L {
                let n = _mm512_sub_epi64(load(&counted[l]), from[l]);
                rest = _mm512_sub_epi64(rest, n);
                xyz = _mm512_add_epi64(xyz, look_up(n, terms));
                xz[l] = _mm512_add_epi64(xz[l], n);
            }
            xyz = _mm512_add_epi64(xyz, look_up(rest, terms));
            xz[L] = _mm512_add_epi64(xz[L], rest);
        }
        // One more than the degrees of freedom of X, unless it has none.
        let mut occurring = zero;
        for r in 0..R {
            sum_xz = _mm512_add_epi64(sum_xz, look_up(xz[r], terms));
            occurring = _mm512_add_epi64(occurring, one_where_not_zero(xz[r]));
        }
        let free_x = _mm512_sub_epi64(occurring, one_where_not_zero(occurring));
        df = _mm512_add_epi64(df, _mm512_mul_epu32(free_x, _mm512_set1_epi64(free.into())));
    }
    let lanes = |v: __m512i| {
        let mut block = BitBlock::default();
        store(&mut block, v);
        block.0
    };
    OctetSums {
        xyz: lanes(xyz).map(|n| n as i64),
        xz: lanes(sum_xz).map(|n| n as i64),
        adjusted_df: lanes(df),
    }
}

#[inline(always)]
fn load(block: &BitBlock) -> __m512i {
    // SAFETY: a block is 64 bytes at a multiple of 64, and whoever calls this was compiled for these instructions.
    unsafe { _mm512_load_si512(std::ptr::from_ref(block).cast::<__m512i>()) }
}

#[inline(always)]
fn store(block: &mut BitBlock, v: __m512i) {
    // SAFETY: as for `load`.
    unsafe { _mm512_store_si512(std::ptr::from_mut(block).cast::<__m512i>(), v) };
}

/// The terms of eight counts.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
fn look_up(counts: __m512i, terms: &[i64]) -> __m512i {
    assert!(!terms.is_empty(), "the term of 0");
    let places = _mm512_min_epu64(counts, _mm512_set1_epi64(terms.len() as i64 - 1));
    // SAFETY: no place is beyond the last term.
    unsafe { _mm512_i64gather_epi64::<8>(places, terms.as_ptr()) }
}

/// 1 in each lane that is not 0.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
fn one_where_not_zero(v: __m512i) -> __m512i {
    _mm512_maskz_set1_epi64(_mm512_cmpneq_epi64_mask(v, _mm512_setzero_si512()), 1)
}
