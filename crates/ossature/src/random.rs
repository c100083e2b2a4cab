//! The only source of pseudo-random numbers, which are the same on every platform.
//!
//! Everything drawn, shuffled or keyed in this library comes from here, so that no update of a dependency and no
//! platform can change a result. `generator` is the stream behind samples and permutations, from which `uniform`,
//! `normal` and `below` draw, [`scramble`] and [`mix`] make seeds and keys, [`hash`] turns a name into a number, and
//! [`Sequence`] is a small generator for orders and synthetic tables.

use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// The generator with a seed: xoshiro256++ (Blackman and Vigna 2021, doi:10.1145/3460772).
pub(crate) fn generator(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// A number from 0 up to but excluding 1, from the 53 upper bits.
pub(crate) fn uniform(random: &mut impl Rng) -> f64 {
    (random.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// A standard normal number, from two uniform ones (Box & Muller 1958, doi:10.1214/aoms/1177706645).
pub(crate) fn normal(random: &mut impl Rng) -> f64 {
    let (radius, angle) = (1.0 - uniform(random), uniform(random));
    libm::sqrt(-2.0 * libm::log(radius)) * libm::cos(std::f64::consts::TAU * angle)
}

/// A number below a bound: the upper half of the product with 64 random bits, whose bias is at most 2⁻³² for
/// any bound that a table has.
pub(crate) fn below(random: &mut impl Rng, bound: usize) -> usize {
    ((u128::from(random.next_u64()) * bound as u128) >> 64) as usize
}

/// A number that depends on every bit of another: the output function of `SplitMix64` (Steele, Lea and
/// Flood 2014, doi:10.1145/2660193.2660195).
///
/// ```
/// assert_eq!(ossature::random::scramble(0), 0xe220_a839_7b1d_cdaf);
/// ```
pub fn scramble(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A number that depends on a seed and on all parts in order; only swapping the seed and the first part
/// makes no difference.
pub fn mix(seed: u64, parts: &[u64]) -> u64 {
    parts.iter().fold(scramble(seed), |mixed, &part| scramble(mixed ^ scramble(part)))
}

/// The FNV-1a hash of some bytes (Fowler, Noll and Vo).
///
/// ```
/// assert_eq!(ossature::random::hash("foobar".bytes()), 0x8594_4171_f739_67e8);
/// ```
pub fn hash(bytes: impl IntoIterator<Item = u8>) -> u64 {
    hash_on(0xcbf2_9ce4_8422_2325, bytes)
}

/// The hash of more bytes, given that of the bytes before them.
pub(crate) fn hash_on(before: u64, bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(before, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// A linear congruential generator with the constants of Knuth's MMIX: endless numbers below 2³¹.
/// Fast and small, and good enough for initial orders and test tables; not for statistics.
///
/// ```
/// use ossature::random::Sequence;
///
/// let mut items = ["a", "b", "c", "d"];
/// Sequence::new(2).shuffle(&mut items);
/// assert_eq!(items, ["b", "c", "d", "a"]);
/// ```
#[derive(Debug, Clone)]
pub struct Sequence(u64);

impl Sequence {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Sequence {
        Sequence(seed)
    }

    /// The next number, less than 2³¹.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// The next number, reduced below a bound, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.number() as usize % bound
    }

    /// Shuffles items by the sequence.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scrambled_numbers_are_the_published_ones() {
        // The first outputs of SplitMix64 from 0, as its authors' code prints them.
        assert_eq!(scramble(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(scramble(0x9e37_79b9_7f4a_7c15), 0x6e78_9e6a_a1b9_65f4);
    }

    /// Computed from the published definition of the generator; no crate's idea of a distribution is in them.
    #[test]
    fn what_is_drawn_depends_on_the_generator_alone() {
        let mut words = generator(7);
        let (first, second) = (words.next_u64(), words.next_u64());
        let mut random = generator(7);
        assert_eq!(uniform(&mut random), (first >> 11) as f64 / 9_007_199_254_740_992.0);
        assert_eq!(below(&mut random, 1000), (u128::from(second) * 1000 / (1 << 64)) as usize);
        assert_eq!(
            (first, second),
            (1_021_219_803_524_665_661, 3_174_977_118_032_272_916),
            "the generator itself"
        );
    }

    #[test]
    fn a_mixture_depends_on_the_order_of_its_parts() {
        assert_ne!(mix(1, &[2, 3]), mix(1, &[3, 2]));
        assert_ne!(mix(1, &[2, 3]), mix(2, &[1, 4]));
        assert_eq!(mix(0, &[1]), mix(1, &[0]), "the first part and the seed can change places");
        assert_eq!(mix(7, &[]), scramble(7));
    }

    #[test]
    fn a_hash_can_go_on_where_another_ended() {
        // The published values of FNV-1a for nothing and for "a".
        assert_eq!(hash([]), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(*b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash_on(hash(*b"foo"), *b"bar"), hash(*b"foobar"));
    }

    #[test]
    fn a_sequence_is_the_same_for_ever() {
        let mut sequence = Sequence::new(1);
        let first: Vec<u64> = (0..3).map(|_| sequence.number()).collect();
        assert_eq!(first, [908_834_774, 1_093_944_153, 1_392_341_196]);
        assert!((0..100).all(|_| sequence.below(7) < 7));
    }
}
